//! Error against time: how much work a step of `structured` is worth, found by trial.
//!
//! A level of work says into how many pieces a step is cut and how far joints are closed. Trials of the same short stretch at several
//! levels tell what each costs and how far it ends from one with twice the pieces and joints closed as far as they go. A budget takes the least
//! error within a time per step; a tolerance takes the least work within an error. What was chosen is a level, which
//! anybody can ask for again by its [options](Level::options): the run itself knows no clock.

use drystone_model::DVec3;
use serde_json::Value;

/// Pieces of a step that are tried.
pub const PIECES: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Joint errors that are tried \[m\], the last of which counts as exact.
pub const TOLERANCES: [f64; 4] = [1e-3, 1e-5, 1e-7, 1e-10];

/// How much work a step is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Pieces that every step is cut into at least.
    pub pieces: u32,
    /// Joint error at which projections stop \[m\], and joint rate \[m/s\] at which iterations over loops do.
    pub tolerance: f64,
}

impl Level {
    /// The options of `structured` that ask for this level.
    pub fn options(self) -> [(&'static str, Value); 3] {
        [
            ("min_pieces", self.pieces.into()),
            ("tolerance", self.tolerance.into()),
            ("velocity_tolerance", self.tolerance.into()),
        ]
    }

    /// What the trials of a level are compared with.
    fn finer(self) -> Self {
        Self { pieces: 2 * self.pieces, tolerance: TOLERANCES[TOLERANCES.len() - 1] }
    }
}

/// What a trial came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Time of a step, which nine of ten steps keep within \[s\].
    pub seconds: f64,
    /// Where the centres of mass of all bodies ended \[m\].
    pub centre: Vec<DVec3>,
    /// Largest gap of a joint at any step \[m\].
    pub joint_error: f64,
}

impl Trial {
    /// A trial by the times of its steps \[s\].
    pub fn new(mut times: Vec<f64>, centre: Vec<DVec3>, joint_error: f64) -> Self {
        times.sort_by(f64::total_cmp);
        let seconds = times.get(times.len() * 9 / 10).or(times.last()).copied().unwrap_or(0.0);
        Self { seconds, centre, joint_error }
    }

    /// The largest distance of a body from where another trial has it, and the largest gap of a joint, together \[m\].
    fn error(&self, exact: &Self) -> f64 {
        let far = self.centre.iter().zip(&exact.centre).map(|(a, b)| (*a - *b).length());
        far.fold(0.0, |worst: f64, far| if far > worst || far.is_nan() { far } else { worst }) + self.joint_error
    }
}

/// A level that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// The level.
    pub level: Level,
    /// Time of a step, which nine of ten steps keep within \[s\].
    pub seconds: f64,
    /// Distance from the trial with twice the pieces, and the largest gap of a joint, together \[m\].
    pub error: f64,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// The least error within a time per step \[s\].
    Budget(f64),
    /// The least work within an error \[m\].
    Tolerance(f64),
}

impl Wish {
    fn is_met(self, rung: &Rung) -> bool {
        match self {
            Self::Budget(seconds) => rung.seconds <= seconds,
            Self::Tolerance(metres) => rung.error <= metres,
        }
    }

    /// The best of what was tried: the least error within a budget, or the first, and so cheapest, within a tolerance. Where none
    /// is within, the one that comes nearest.
    fn best(self, tried: &[Rung]) -> Option<Rung> {
        let met = || tried.iter().filter(|rung| self.is_met(rung));
        let by = |key: fn(&Rung) -> f64| move |a: &&Rung, b: &&Rung| key(a).total_cmp(&key(b));
        let found = match self {
            Self::Budget(_) => met().min_by(by(|rung| rung.error)).or_else(|| tried.iter().min_by(by(|r| r.seconds))),
            Self::Tolerance(_) => met().next().or_else(|| tried.iter().min_by(by(|rung| rung.error))),
        };
        found.copied()
    }
}

/// What was chosen, and from what.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The level chosen.
    pub rung: Rung,
    /// Whether it gives what was asked for.
    pub met: bool,
    /// Every level that was tried, from the least work on.
    pub tried: Vec<Rung>,
}

/// Tries levels from the least work on until the wish is granted, or no further one can grant it. `run` takes a trial at a level; none where
/// that level fails.
///
/// # Errors
/// Those of `run`. None at all is returned if every level fails.
pub fn choose<E>(wish: Wish, mut run: impl FnMut(Level) -> Result<Option<Trial>, E>) -> Result<Option<Choice>, E> {
    let mut tried = Vec::new();
    let mut next: Option<Trial> = None;
    for pieces in PIECES {
        let exact = Level { pieces, tolerance: TOLERANCES[TOLERANCES.len() - 1] };
        let own = match next.take() {
            Some(trial) => Some(trial),
            None => run(exact)?,
        };
        let finer = run(exact.finer())?;
        let first = tried.len();
        for tolerance in TOLERANCES {
            let level = Level { pieces, tolerance };
            let trial = if level == exact { own.clone() } else { run(level)? };
            if let (Some(trial), Some(finer)) = (trial, &finer) {
                tried.push(Rung { level, seconds: trial.seconds, error: trial.error(finer) });
            }
        }
        next = finer;
        let any_met = tried[first..].iter().any(|rung| wish.is_met(rung));
        let done = match wish {
            Wish::Tolerance(_) => any_met,
            // More pieces only take longer.
            Wish::Budget(_) => tried.len() > first && !any_met,
        };
        if done {
            break;
        }
    }
    let best = wish.best(&tried);
    Ok(best.map(|rung| Choice { rung, met: wish.is_met(&rung), tried }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method of second order whose time grows with its pieces and its digits.
    fn trial(level: Level) -> Result<Option<Trial>, ()> {
        let motion = 1e-2 / f64::from(level.pieces * level.pieces);
        let seconds = 1e-3 * f64::from(level.pieces) * (1.0 - level.tolerance.log10() / 10.0);
        let centre = vec![DVec3::ZERO, DVec3::X * (1.0 + motion)];
        Ok(Some(Trial { seconds, centre, joint_error: level.tolerance }))
    }

    #[test]
    fn a_tolerance_takes_the_least_work_that_reaches_it() {
        let choice = choose(Wish::Tolerance(1.2e-4), trial).unwrap().unwrap();
        // Errors by differences are 7.5e-3 / n²: 1.17e-4 at eight pieces, with joints closed to 1e-7.
        assert_eq!(choice.rung.level, Level { pieces: 8, tolerance: 1e-7 });
        assert!(choice.met && choice.rung.error <= 1.2e-4);
        assert_eq!(choice.tried.len(), 16);
    }

    #[test]
    fn a_budget_takes_the_least_error_within_it() {
        let choice = choose(Wish::Budget(7e-3), trial).unwrap().unwrap();
        assert_eq!(choice.rung.level, Level { pieces: 4, tolerance: 1e-7 });
        assert!(choice.met && choice.rung.seconds <= 7e-3);
    }

    #[test]
    fn what_cannot_be_had_is_said_and_the_nearest_taken() {
        let fast = choose(Wish::Budget(1e-6), trial).unwrap().unwrap();
        assert!(!fast.met && fast.rung.level == Level { pieces: 1, tolerance: 1e-3 });
        let exact = choose(Wish::Tolerance(1e-15), trial).unwrap().unwrap();
        assert!(!exact.met && exact.rung.level == Level { pieces: 32, tolerance: 1e-10 });
        assert_eq!(choose(Wish::Budget(1.0), |_| Ok::<_, ()>(None)).unwrap(), None);
    }

    #[test]
    fn levels_that_fail_are_passed_over() {
        let stiff = |level: Level| if level.pieces < 4 { Ok(None) } else { trial(level) };
        let choice = choose(Wish::Budget(8e-3), stiff).unwrap().unwrap();
        assert_eq!(choice.rung.level.pieces, 4);
    }
}
