//! The slips of the contacts from pass to pass of the friction: x = g(x), g being what one pass finds when it is given x.
//!
//! Passes alone contract slowly, so the next slips are those of Newton's method, as long as it leaves much less to miss than the best
//! before. g has kinks where contacts begin to stick, slide or part; across one of them Newton's method goes back and forth. Then passes
//! alone lead away from there, ever more of them, and longer ones where they do not contract.

use drystone_kernels::elementary::hypot;

/// What is left to miss, as a share of the best before, up to which a step of Newton's method is followed by another.
const MUCH_LESS: f64 = 0.7;
/// Most passes between two steps of Newton's method.
const PATIENCE: u32 = 8;
/// Share of what is missed after which a pass has not contracted, and how much longer the next one is.
const HARDLY_LESS: f64 = 0.8;
const LONGER: f64 = 2.0;

/// The slips of one friction problem.
#[derive(Clone, Debug, Default)]
pub struct SlipSearch {
    /// Whether the slips are from a step of Newton's method.
    stepped: bool,
    /// Passes to make before the next such step, and after one that fails.
    passes: u32,
    patience: u32,
    /// The least that was missed so far, and what the pass before missed.
    best: f64,
    last: f64,
}

impl SlipSearch {
    /// Begins a new problem.
    pub fn restart(&mut self) {
        *self = Self { stepped: false, passes: 0, patience: 1, best: f64::INFINITY, last: f64::INFINITY };
    }

    /// The next slips after `slip`, which miss by `miss` = g(slip) − slip, replace `slip`; `weight` says how much each of them counts.
    /// `newton` solves (1 − ∂g) step = miss.
    pub fn advance(
        &mut self,
        slip: &mut [f64],
        miss: &[f64],
        weight: &[f64],
        newton: impl FnOnce(&[f64]) -> Option<Vec<f64>>,
    ) {
        let missed = miss.iter().zip(weight).fold(0.0, |sum, (miss, weight)| hypot(sum, weight * miss));
        if std::mem::take(&mut self.stepped) && missed > MUCH_LESS * self.best {
            (self.passes, self.last) = (self.patience, f64::INFINITY);
            self.patience = (2 * self.patience).min(PATIENCE);
        }
        self.best = self.best.min(missed);
        if self.passes == 0
            && let Some(step) = newton(miss)
        {
            self.stepped = true;
            return add(slip, 1.0, &step);
        }
        // Away from a kink; where there is no Newton's method there is none to get away from.
        let away = self.passes > 0 && missed > HARDLY_LESS * self.last;
        self.passes = self.passes.saturating_sub(1);
        let share = if away { LONGER } else { 1.0 };
        self.last = missed;
        add(slip, share, miss);
    }
}

/// No slip is negative.
fn add(slip: &mut [f64], share: f64, step: &[f64]) {
    slip.iter_mut().zip(step).for_each(|(slip, step)| *slip = (*slip + share * step).max(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes of x ← g(x) until it stands still to 10⁻⁹.
    fn passes(g: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64, start: f64) -> (f64, u32) {
        let (mut x, mut search) = ([start], SlipSearch::default());
        search.restart();
        for pass in 1..100 {
            let miss = g(x[0]) - x[0];
            if miss.abs() < 1e-9 {
                return (x[0], pass);
            }
            let by = 1.0 - slope(x[0]);
            search.advance(&mut x, &[miss], &[1.0], |miss| Some(vec![miss[0] / by]));
        }
        (x[0], 100)
    }

    #[test]
    fn a_straight_line_takes_one_step_however_slowly_passes_contract() {
        for slope in [-3.0, 0.5, 0.99, 1.5] {
            let (at, passes) = passes(|x| slope * x + 2.0 * (1.0 - slope), |_| slope, 1.0);
            assert!((at - 2.0).abs() < 1e-9 && passes == 2, "{slope}: {at} in {passes}");
        }
    }

    /// Nothing is missed at 0.1 alone. Around the kink at one Newton's method goes back and forth for ever: it comes from either side
    /// to the other.
    #[test]
    fn what_newtons_method_goes_around_is_left_by_passes() {
        let left = |x: f64| x - 0.2 + 0.12 * (x - 1.0);
        let g = |x: f64| {
            if x < 0.5 {
                0.1
            } else if x < 1.0 {
                left(x)
            } else {
                x - 0.2 - 0.15 * (x - 1.0)
            }
        };
        let slope = |x: f64| {
            if x < 0.5 {
                0.0
            } else if x < 1.0 {
                1.12
            } else {
                0.85
            }
        };
        let (at, passes) = passes(g, slope, 1.1);
        assert!((at - 0.1).abs() < 1e-9 && passes < 30, "{at} in {passes}");
    }
}
