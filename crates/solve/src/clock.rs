//! Where the time of a step goes.

use std::time::Instant;

use crate::report::Phase;

/// Adds up the time of the phases.
#[derive(Debug)]
pub(crate) struct Clock {
    last: Instant,
    pub laps: Vec<(Phase, f64)>,
}

impl Clock {
    pub fn new() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    /// Books the time since the last lap on a phase.
    pub fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        match self.laps.iter_mut().find(|(p, _)| *p == phase) {
            Some((_, total)) => *total += seconds,
            None => self.laps.push((phase, seconds)),
        }
    }
}
