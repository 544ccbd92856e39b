//! Where the time of a step goes.

use std::time::Instant;

use crate::report::Phase;

/// Adds up the time of the phases.
#[derive(Debug)]
pub struct Clock {
    last: Instant,
    /// Seconds booked on each phase, in the order of their first lap.
    pub laps: Vec<(Phase, f64)>,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock {
    /// Starts now.
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
