//! Many runs side by side.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::args::Args;
use crate::case::{Case, Source};
use crate::judge::Limits;
use crate::progress::Progress;
use crate::trial::{Outcome, Trial, run};

/// Runs that are still to be begun: scenes in order, each under all trials.
struct Queue<'a> {
    sources: Box<dyn Iterator<Item = Source> + Send + 'a>,
    source: Option<Source>,
    trials: &'a [Trial],
    next: usize,
    number: usize,
}

impl Queue<'_> {
    fn take(&mut self) -> Option<(usize, Source, Trial)> {
        if self.next.is_multiple_of(self.trials.len().max(1)) {
            self.source = self.sources.next();
            self.next = 0;
        }
        let (source, trial) = (self.source.clone()?, self.trials.get(self.next)?.clone());
        self.next += 1;
        self.number += 1;
        Some((self.number, source, trial))
    }
}

/// What all threads share.
struct Shared<'a> {
    queue: Mutex<Queue<'a>>,
    done: Mutex<Vec<(usize, Outcome)>>,
    trouble: Mutex<Option<String>>,
    progress: Progress,
    start: Instant,
    args: &'a Args,
}

/// Runs everything the arguments ask for; outcomes come in the order of the scenes, whichever ended first.
pub fn work(args: &Args) -> Result<Vec<Outcome>, String> {
    let trials = args.trials()?;
    let total = args.scene_count().map(|count| count * trials.len());
    let queue = Queue { sources: args.sources(), source: None, trials: &trials, next: 0, number: 0 };
    let shared = Shared {
        queue: Mutex::new(queue),
        done: Mutex::new(Vec::new()),
        trouble: Mutex::new(None),
        progress: Progress::new(total, args.quiet),
        start: Instant::now(),
        args,
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..args.jobs.unwrap_or(cores).max(1) {
            scope.spawn(|| shared.run_on());
        }
    });
    shared.progress.finish();
    if let Some(message) = lock(&shared.trouble).take() {
        return Err(message);
    }
    let mut done = std::mem::take(&mut *lock(&shared.done));
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, outcome)| outcome).collect())
}

impl Shared<'_> {
    fn run_on(&self) {
        let limit = Duration::from_secs_f64(self.args.limit.max(0.0));
        while self.args.deadline().is_none_or(|deadline| self.start.elapsed() < deadline) {
            let Some((number, source, trial)) = lock(&self.queue).take() else { return };
            let case: Case = match source.case(self.args.seconds) {
                Ok(case) => case,
                Err(message) => {
                    lock(&self.trouble).get_or_insert(message);
                    return;
                }
            };
            let outcome = run(&case, &trial, &Limits::default(), limit);
            self.progress.step(&outcome);
            lock(&self.done).push((number, outcome));
        }
    }
}

/// Nothing panics while it holds one of these locks, so a poisoned one is still sound.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
