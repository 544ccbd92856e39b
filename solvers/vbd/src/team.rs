//! Stages of small tasks that threads take together: the colours of a sweep. A call to the pool for each would take longer than
//! a colour of a few hundred bodies.
//!
//! Whoever is free claims the next task of the stage at hand, and waits for those that others have in hand before the next stage.
//! Only tasks that are being done are waited for, so that threads which never come hold up nobody.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::yield_now;

use drystone_solve::parallel::width;

/// Turns of waiting before a thread lets others have the processor.
const SPINS: u32 = 4096;

/// How far a stage is.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Stage {
    tasks: usize,
    claimed: AtomicUsize,
    done: AtomicUsize,
}

/// Stages and who is where; kept from sweep to sweep.
#[derive(Debug, Default)]
pub struct Team {
    stages: Vec<Stage>,
}

/// What a copy of a solver needs of it is made anew.
impl Clone for Team {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Team {
    /// Does `work` for every task of every stage, by stage and number, on up to as many threads as a stage has tasks. All tasks of a
    /// stage are done before the next begins.
    pub fn run(&mut self, tasks: impl Iterator<Item = usize>, work: impl Fn(usize, usize) + Sync) {
        self.stages.clear();
        self.stages.extend(tasks.map(|tasks| Stage { tasks, ..Stage::default() }));
        let most = self.stages.iter().map(|stage| stage.tasks).max().unwrap_or(0);
        let helpers = width().min(most).saturating_sub(1);
        let member = || self.stages.iter().enumerate().for_each(|(number, stage)| stage.take_part(number, &work));
        if helpers == 0 {
            member();
            return;
        }
        rayon::in_place_scope(|threads| {
            for _ in 0..helpers {
                threads.spawn(|_| member());
            }
            member();
        });
    }
}

impl Stage {
    /// Takes tasks as long as there are some, and waits for the others.
    fn take_part(&self, number: usize, work: &impl Fn(usize, usize)) {
        loop {
            let task = self.claimed.fetch_add(1, Ordering::Relaxed);
            if task >= self.tasks {
                break;
            }
            work(number, task);
            self.done.fetch_add(1, Ordering::Release);
        }
        let mut spins = 0;
        while self.done.load(Ordering::Acquire) < self.tasks {
            spins += 1;
            if spins < SPINS { spin_loop() } else { yield_now() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every task is done once, and none before all of the stage before.
    #[test]
    fn stages_follow_each_other() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let mut team = Team::default();
        for sizes in [vec![], vec![0], vec![1], vec![100, 1, 0, 37], vec![3; 200]] {
            let seen: Vec<AtomicUsize> = sizes.iter().map(|_| AtomicUsize::new(0)).collect();
            let work = |stage: usize, _: usize| {
                let before = seen[..stage].iter().zip(&sizes);
                assert!(before.clone().all(|(seen, &size)| seen.load(Ordering::Relaxed) == size));
                seen[stage].fetch_add(1, Ordering::Relaxed);
            };
            pool.install(|| team.run(sizes.iter().copied(), work));
            assert!(seen.iter().zip(&sizes).all(|(seen, &size)| seen.load(Ordering::Relaxed) == size));
        }
    }
}
