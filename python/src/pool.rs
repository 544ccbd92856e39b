//! Threads for parallel work. Those of a pool do not survive a fork, and a child that waits for them waits for ever: pools belong
//! to a process and are made anew in a child.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::BuildError;

/// Scenes with fewer bodies and particles run on the thread that asks, unless the number of threads is given: handing them over
/// costs more than it gains.
const FEW: usize = 48;

/// The pools of a process by number of threads.
struct Pools {
    process: u32,
    pools: Vec<(usize, Arc<ThreadPool>)>,
}

/// Only used by threads attached to Python, one of which forks: it is never locked in a child.
static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });

thread_local! {
    /// A pool of the calling thread alone, which has no other threads to lose.
    static ALONE: OnceCell<Option<ThreadPool>> = const { OnceCell::new() };
}

/// How many threads work in parallel; none leaves it to the size of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads(pub Option<usize>);

/// Most threads that are asked for on purpose.
const MOST: usize = 1024;

impl Threads {
    /// The number given, if a machine can have so many.
    pub fn checked(count: Option<usize>) -> PyResult<Self> {
        match count {
            Some(count) if !(1..=MOST).contains(&count) => {
                Err(BuildError::new_err(format!("threads must be from 1 to {MOST}, got {count}")))
            }
            count => Ok(Self(count)),
        }
    }

    /// The pool for so many bodies and particles; none for the thread that asks.
    pub fn pool(self, _attached: Python<'_>, size: usize) -> PyResult<Workers> {
        match self.0 {
            Some(1) => Ok(Workers(None)),
            None if size < FEW => Ok(Workers(None)),
            count => Ok(Workers(Some(shared(count.unwrap_or(0))?))),
        }
    }
}

/// Where work runs.
#[derive(Clone)]
pub struct Workers(Option<Arc<ThreadPool>>);

impl Workers {
    /// Does the work, on these threads alone.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => ALONE.with(|alone| match alone.get_or_init(make_alone) {
                Some(pool) => pool.install(work),
                None => work(),
            }),
        }
    }
}

/// Fails only where the thread is one of a pool already, and work is at home there.
fn make_alone() -> Option<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok()
}

fn shared(count: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.process != process {
        // Threads of the parent are not here; ending their pool would wait for them.
        std::mem::forget(std::mem::take(&mut pools.pools));
        pools.process = process;
    }
    if let Some((_, pool)) = pools.pools.iter().find(|(known, _)| *known == count) {
        return Ok(pool.clone());
    }
    let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(|index| format!("drystone {index}")).build();
    let pool = pool.map_err(|error| BuildError::new_err(format!("cannot start {count} threads: {error}")))?;
    let pool = Arc::new(pool);
    pools.pools.push((count, pool.clone()));
    Ok(pool)
}
