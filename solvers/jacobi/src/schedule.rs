//! Relaxation and weights of every iteration: fixed before the first, so that no iteration waits for a sum
//! over all constraints.

use super::options::{Acceleration, JacobiOptions, Splitting};
use drystone_kernels::elementary::powi;

/// One iteration: the share of the Jacobi step that is taken and the extrapolation behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Relaxation γ.
    pub relaxation: f64,
    /// Weight w of `p + w (p − previous)`.
    pub weight: f64,
}

/// The iterations of a solve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// One entry per iteration.
    pub turns: Vec<Turn>,
    /// Whether extrapolation starts from the bounded step before (Nesterov) instead of the iterate
    /// before the last (Chebyshev).
    pub nesterov: bool,
}

/// What is known of the eigenvalues of D⁻¹A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectrum {
    /// None is larger.
    pub bound: f64,
    /// Estimate of the ratio of the largest to the smallest.
    pub condition: f64,
    /// Whether multipliers have bounds.
    pub bounded: bool,
}

/// Relaxation over its bound's inverse without acceleration. The largest eigenvalue's mode then halves
/// with every iteration; at 2 it would stay for ever, and the smallest ones want it large.
const EAGER: f64 = 1.5;

impl Schedule {
    /// The iterations for options.
    pub fn set(&mut self, options: &JacobiOptions, iterations: u32, spectrum: &Spectrum) {
        self.turns.clear();
        self.nesterov = false;
        match (options.acceleration, spectrum.bounded) {
            (Acceleration::None, _) => self.stationary(options, iterations, spectrum.bound),
            (Acceleration::Chebyshev, false) => self.chebyshev(options, iterations, spectrum),
            (Acceleration::Chebyshev, true) => self.nesterov(options, iterations, spectrum.bound),
        }
    }

    /// The iterations that converge whatever the options say.
    pub fn set_safe(&mut self, iterations: u32, bound: f64) {
        self.nesterov = false;
        self.turns.clear();
        self.turns.resize(iterations as usize, Turn { relaxation: 1.0 / bound, weight: 0.0 });
    }

    fn stationary(&mut self, options: &JacobiOptions, iterations: u32, bound: f64) {
        // Mass splitting is an average over the parts of a body as it stands; its bound is 1.
        let eager = if options.splitting == Splitting::Mass { 1.0 } else { EAGER };
        let relaxation = options.relaxation.unwrap_or(eager / bound);
        self.turns.resize(iterations as usize, Turn { relaxation, weight: 0.0 });
    }

    /// Chebyshev semi-iteration on the interval [bound/κ, bound].
    fn chebyshev(&mut self, options: &JacobiOptions, iterations: u32, spectrum: &Spectrum) {
        let bound = spectrum.bound;
        let condition = options.condition.unwrap_or_else(|| spectrum.condition.min(widest(iterations)));
        let least = bound / condition;
        let relaxation = options.relaxation.unwrap_or(2.0 / (bound + least));
        let radius = (bound - least) / (bound + least);
        let mut omega = 1.0;
        for turn in 0..iterations {
            if turn == 1 {
                omega = 2.0 / (2.0 - radius * radius);
            } else if turn > 1 {
                omega = 1.0 / (1.0 - 0.25 * radius * radius * omega);
            }
            self.turns.push(Turn { relaxation, weight: omega - 1.0 });
        }
    }

    /// Nesterov's sequence for steps of 1/bound. The last step is not extrapolated: bounds then hold.
    fn nesterov(&mut self, options: &JacobiOptions, iterations: u32, bound: f64) {
        self.nesterov = true;
        let relaxation = options.relaxation.unwrap_or(1.0 / bound);
        let mut t = 1.0_f64;
        for turn in 0..iterations {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
            let last = turn + 1 == iterations;
            self.turns.push(Turn { relaxation, weight: if last { 0.0 } else { (t - 1.0) / next } });
            t = next;
        }
    }
}

/// The widest interval for a number of iterations K: its ends K² apart. All modes in it then shrink at least to
/// 1/cosh 2, about a quarter; a wider one would shrink none of them by much.
fn widest(iterations: u32) -> f64 {
    powi(f64::from(iterations.max(2)), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left after the iterations of the error of a mode with eigenvalue `lambda`.
    fn left(schedule: &Schedule, lambda: f64) -> f64 {
        let (mut error, mut before) = (1.0, 1.0);
        for turn in &schedule.turns {
            let step = error * (1.0 - turn.relaxation * lambda);
            let next = step + turn.weight * (step - before);
            before = if schedule.nesterov { step } else { error };
            error = next;
        }
        error
    }

    fn schedule(options: &JacobiOptions, iterations: u32, bound: f64, bounded: bool) -> Schedule {
        let mut schedule = Schedule::default();
        schedule.set(options, iterations, &Spectrum { bound, condition: 1e4, bounded });
        schedule
    }

    /// On its interval the semi-iteration is the scaled Chebyshev polynomial: never above 1/T_K, and that
    /// at its ends.
    #[test]
    fn chebyshev_weights_give_the_chebyshev_polynomial() {
        let (iterations, bound, condition) = (12, 3.0, 50.0);
        let options = JacobiOptions { condition: Some(condition), ..JacobiOptions::default() };
        let schedule = schedule(&options, iterations, bound, false);
        let argument: f64 = (condition + 1.0) / (condition - 1.0);
        let least = 1.0 / (f64::from(iterations) * argument.acosh()).cosh();
        for k in 0..=1000 {
            let lambda = bound / condition + (bound - bound / condition) * f64::from(k) / 1000.0;
            assert!(left(&schedule, lambda).abs() <= least * (1.0 + 1e-9), "{lambda}");
        }
        assert!((left(&schedule, bound).abs() / least - 1.0).abs() < 1e-9);
        assert!((left(&schedule, bound / condition).abs() / least - 1.0).abs() < 1e-9);
    }

    /// No mode up to the bound grows, whatever the acceleration: the residual may only fall.
    #[test]
    fn nothing_below_the_bound_grows() {
        let options = JacobiOptions::default();
        let plain = JacobiOptions { acceleration: Acceleration::None, ..options.clone() };
        let diagonal = JacobiOptions { splitting: Splitting::Diagonal, ..plain.clone() };
        for (options, bounded) in [(&options, false), (&options, true), (&plain, false), (&diagonal, false)] {
            for iterations in [1, 2, 5, 20, 100] {
                let schedule = schedule(options, iterations, 4.0, bounded);
                for k in 0..=400 {
                    let lambda = f64::from(k) / 100.0;
                    assert!(left(&schedule, lambda).abs() <= 1.0 + 1e-12, "{options:?} {iterations} {lambda}");
                }
            }
        }
    }

    #[test]
    fn the_safe_schedule_never_overshoots() {
        let mut schedule = Schedule::default();
        schedule.set_safe(5, 8.0);
        assert_eq!(schedule.turns.len(), 5);
        for k in 0..=80 {
            let rest = left(&schedule, f64::from(k) / 10.0);
            assert!((0.0..=1.0).contains(&rest), "{rest}");
        }
    }
}
