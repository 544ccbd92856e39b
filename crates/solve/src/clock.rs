//! Where the time of a step goes.

use drystone_collide::{Collide, Moment};
use drystone_model::{Model, State};

use crate::report::Phase;
use crate::solver::StepError;

/// Adds up the time of the phases.
#[derive(Debug)]
pub struct Clock {
    last: Moment,
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
        Self { last: Moment::now(), laps: Vec::new() }
    }

    /// Starts now the clock of a step of `dt` seconds, which must be a positive finite number.
    pub fn of_step(dt: f64) -> Result<Self, StepError> {
        if dt > 0.0 && dt.is_finite() { Ok(Self::new()) } else { Err(StepError::BadTimeStep(dt)) }
    }

    /// Books the time since the last lap on a phase.
    pub fn lap(&mut self, phase: Phase) {
        let now = Moment::now();
        let seconds = now.seconds_since(self.last);
        self.last = now;
        self.book(phase, seconds);
    }

    /// Goes on after a time that was not spent on this step.
    pub fn resume(&mut self) {
        self.last = Moment::now();
    }

    /// Finds the contacts of a step of `h` seconds and books what that took under bounds, pairs and contacts. What was done
    /// since the last lap must have been booked before.
    pub fn detect(&mut self, collide: &mut Collide, model: &Model, state: &State, h: f64) {
        collide.detect(model, state, h);
        self.lap(Phase::Contacts);
        self.rebook(Phase::Contacts, Phase::Bounds, collide.timing.bounds);
        self.rebook(Phase::Contacts, Phase::Pairs, collide.timing.pairs);
    }

    /// Moves seconds from the phase they were booked on to another, of which a clock of its own knows.
    pub fn rebook(&mut self, from: Phase, to: Phase, seconds: f64) {
        self.book(from, -seconds);
        self.book(to, seconds);
    }

    /// Books seconds on a phase.
    pub fn book(&mut self, phase: Phase, seconds: f64) {
        match self.laps.iter_mut().find(|(p, _)| *p == phase) {
            Some((_, total)) => *total += seconds,
            None => self.laps.push((phase, seconds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_finite_steps_are_timed() {
        assert!(Clock::of_step(1e-9).is_ok());
        for dt in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert!(matches!(Clock::of_step(dt), Err(StepError::BadTimeStep(bad)) if bad.to_bits() == dt.to_bits()));
        }
    }

    #[test]
    fn moving_seconds_keeps_their_sum() {
        let mut clock = Clock::new();
        clock.lap(Phase::Iterate);
        let sum = |clock: &Clock| clock.laps.iter().map(|lap| lap.1).sum::<f64>();
        let before = sum(&clock);
        clock.rebook(Phase::Iterate, Phase::Upload, 0.25);
        assert!((sum(&clock) - before).abs() < 1e-12);
        assert_eq!(clock.laps[1], (Phase::Upload, 0.25));
    }
}
