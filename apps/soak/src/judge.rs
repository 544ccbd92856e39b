//! What counts as a fault.

use serde::Serialize;

use crate::watch::Figures;

/// A promise that a run broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The program would have ended.
    Panic,
    /// Numbers stopped being finite.
    NotFinite,
    /// Energy came from nothing.
    Energy,
    /// A body is where its energy cannot have taken it.
    Range,
    /// A joint came open and the report did not say so.
    Gap,
    /// A body is below the ground at the end.
    Sunk,
    /// Bodies lie deep in each other at the end.
    Overlap,
    /// Linear momentum changed in free space.
    Momentum,
    /// Angular momentum changed in free space.
    AngularMomentum,
    /// The solver gave up on a step.
    Failed,
    /// The run took longer than its limit.
    Slow,
}

impl Fault {
    /// All of them, the worst first.
    pub const ALL: [Self; 11] = [
        Self::Panic,
        Self::NotFinite,
        Self::Energy,
        Self::Range,
        Self::Gap,
        Self::Sunk,
        Self::Overlap,
        Self::Momentum,
        Self::AngularMomentum,
        Self::Failed,
        Self::Slow,
    ];

    /// The word users know it by.
    pub fn word(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::NotFinite => "not-finite",
            Self::Energy => "energy",
            Self::Range => "range",
            Self::Gap => "gap",
            Self::Sunk => "sunk",
            Self::Overlap => "overlap",
            Self::Momentum => "momentum",
            Self::AngularMomentum => "angular",
            Self::Failed => "failed",
            Self::Slow => "slow",
        }
    }

    /// How bad it is in a run: the figure it is judged by, with its unit.
    pub fn figure(self, figures: &Figures, wall: f64) -> (f64, &'static str) {
        match self {
            Self::Panic | Self::Failed => (1.0, ""),
            Self::NotFinite => (figures.quarantined as f64, "bodies"),
            Self::Energy => (100.0 * figures.energy_gain, "% gained"),
            Self::Range => (figures.range, "of what energy allows"),
            Self::Gap => (figures.silent_gap, "m"),
            Self::Sunk => (figures.sunk, "m"),
            Self::Overlap => (figures.end_penetration, "m"),
            Self::Momentum => (figures.momentum.unwrap_or(0.0), "relative"),
            Self::AngularMomentum => (figures.angular_momentum.unwrap_or(0.0), "relative"),
            Self::Slow => (wall, "s"),
        }
    }
}

/// Where the lines are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Energy gained, as a share of what the scene started with \[1\].
    pub energy: f64,
    /// Share of what energy allows a body to travel \[1\].
    pub range: f64,
    /// Change of momentum in free space, relative \[1\]: round-off, with room for solvers in single precision.
    pub momentum: f64,
    /// Deepest overlap at the end \[m\].
    pub overlap: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { energy: 0.01, range: 1.01, momentum: 1e-6, overlap: 0.05 }
    }
}

impl Limits {
    /// Joint gap a report may be silent about \[m\]: what `sweeps` should reach; without a number, the solver's default.
    pub fn gap(sweeps: Option<u32>) -> f64 {
        if sweeps.is_some_and(|sweeps| sweeps < 10) { 0.01 } else { 0.001 }
    }

    /// The faults the figures show.
    pub fn judge(&self, figures: &Figures) -> Vec<Fault> {
        // Written so that NaN is a fault.
        let within = |value: f64, limit: f64| value <= limit;
        let checks = [
            (Fault::NotFinite, figures.quarantined == 0 && figures.energy_gain.is_finite()),
            (Fault::Energy, within(figures.energy_gain, self.energy)),
            (Fault::Range, within(figures.range, self.range)),
            (Fault::Gap, figures.silent_gap == 0.0),
            (Fault::Sunk, within(figures.sunk, 0.0)),
            (Fault::Overlap, within(figures.end_penetration, self.overlap)),
            (Fault::Momentum, within(figures.momentum.unwrap_or(0.0), self.momentum)),
            (Fault::AngularMomentum, within(figures.angular_momentum.unwrap_or(0.0), self.momentum)),
        ];
        checks.into_iter().filter(|(_, holds)| !holds).map(|(fault, _)| fault).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_by_its_figure_and_nan_is_one() {
        let limits = Limits::default();
        assert!(limits.judge(&Figures::default()).is_empty());
        let broken: [(Fault, Figures); 7] = [
            (Fault::Energy, Figures { energy_gain: 0.011, ..Figures::default() }),
            (Fault::Range, Figures { range: 1.1, ..Figures::default() }),
            (Fault::Gap, Figures { silent_gap: 0.02, ..Figures::default() }),
            (Fault::Sunk, Figures { sunk: 0.01, ..Figures::default() }),
            (Fault::Overlap, Figures { end_penetration: 0.06, ..Figures::default() }),
            (Fault::Momentum, Figures { momentum: Some(1e-5), ..Figures::default() }),
            (Fault::AngularMomentum, Figures { angular_momentum: Some(f64::NAN), ..Figures::default() }),
        ];
        for (fault, figures) in broken {
            assert_eq!(limits.judge(&figures), [fault]);
        }
        let blown = Figures { energy_gain: f64::NAN, ..Figures::default() };
        assert_eq!(limits.judge(&blown), [Fault::NotFinite, Fault::Energy]);
    }

    #[test]
    fn every_fault_has_a_word_of_its_own() {
        let mut words: Vec<&str> = Fault::ALL.iter().map(|fault| fault.word()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Fault::ALL.len());
    }
}
