//! Block principal pivoting (Júdice and Pires): guess which unknowns lie inside their bounds, solve for
//! them, move all that were guessed wrong. When that does not reduce the number of wrong ones for a while,
//! only the last wrong one moves, which ends for definite matrices.

use super::{BoundedOutcome, Bounds};
use drystone_solve::linalg::cholesky::Cholesky;

/// Passes that may fail to reduce the number of wrong guesses before single moves begin.
const PATIENCE: u32 = 10;
/// Errors below this share of the largest value are rounding.
const ROUNDING: f64 = 1.0e-12;

/// Where an unknown is guessed to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Inside its bounds.
    #[default]
    Inside,
    /// At its lower bound.
    Lower,
    /// At its upper bound.
    Upper,
}

/// Room for [`pivot`]; keeps the last guess as the next first one.
#[derive(Clone, Debug, Default)]
pub struct Pivoting {
    place: Vec<Place>,
    inside: Vec<u32>,
    matrix: Vec<f64>,
    small: Vec<f64>,
    residual: Vec<f64>,
    factor: Cholesky,
    wrong: Vec<(u32, Place)>,
}

/// Solves for the dense symmetric matrix `a`, row by row. `x` holds a first guess, of which only the places
/// at or within the bounds are used, and receives the answer.
pub fn pivot(a: &[f64], bounds: Bounds, x: &mut [f64], work: &mut Pivoting) -> BoundedOutcome {
    let n = x.len();
    work.guess(&bounds, x);
    let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
    let limit = 20 + 4 * n;
    let mut outcome = BoundedOutcome::default();
    while outcome.iterations < limit {
        outcome.iterations += 1;
        work.solve_inside(a, &bounds, x);
        work.find_wrong(&bounds, x);
        if work.wrong.is_empty() {
            outcome.converged = true;
            break;
        }
        if work.wrong.len() < fewest {
            (fewest, patience) = (work.wrong.len(), PATIENCE);
        } else if patience > 0 {
            patience -= 1;
        } else {
            let keep = work.wrong.len() - 1;
            work.wrong.drain(..keep);
        }
        for &(i, place) in &work.wrong {
            work.place[i as usize] = place;
        }
    }
    bounds.clamp(x);
    work.set_residual(a, &bounds, x);
    outcome.violation = bounds.violation(x, &work.residual);
    outcome
}

impl Pivoting {
    fn guess(&mut self, bounds: &Bounds, x: &[f64]) {
        self.place.clear();
        self.place.extend(x.iter().enumerate().map(|(i, &x)| match () {
            _ if x <= bounds.lower[i] => Place::Lower,
            _ if x >= bounds.upper[i] => Place::Upper,
            _ => Place::Inside,
        }));
    }

    /// Unknowns at bounds are set there, the others follow.
    fn solve_inside(&mut self, a: &[f64], bounds: &Bounds, x: &mut [f64]) {
        let n = x.len();
        self.inside.clear();
        for i in 0..n {
            match self.place[i] {
                Place::Lower => x[i] = bounds.lower[i],
                Place::Upper => x[i] = bounds.upper[i],
                Place::Inside => {
                    x[i] = 0.0;
                    self.inside.push(i as u32);
                }
            }
        }
        self.set_residual(a, bounds, x);
        let m = self.inside.len();
        self.matrix.clear();
        for &i in &self.inside {
            let row = &a[i as usize * n..(i as usize + 1) * n];
            self.matrix.extend(self.inside.iter().map(|&j| row[j as usize]));
        }
        self.factor.factor(m, &self.matrix);
        self.small.clear();
        self.small.extend(self.inside.iter().map(|&i| self.residual[i as usize]));
        self.factor.solve(&mut self.small);
        for (&i, &value) in self.inside.iter().zip(&self.small) {
            x[i as usize] = value;
        }
        self.set_residual(a, bounds, x);
    }

    /// b − A x.
    fn set_residual(&mut self, a: &[f64], bounds: &Bounds, x: &[f64]) {
        let n = x.len();
        self.residual.clear();
        self.residual.extend(
            bounds
                .rhs
                .iter()
                .enumerate()
                .map(|(i, b)| b - a[i * n..(i + 1) * n].iter().zip(x).map(|(a, x)| a * x).sum::<f64>()),
        );
    }

    /// Unknowns that do not fit their place, and where they should go.
    fn find_wrong(&mut self, bounds: &Bounds, x: &[f64]) {
        let largest = |values: &[f64]| ROUNDING * values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let (far, strong) = (largest(x), largest(bounds.rhs));
        self.wrong.clear();
        for i in 0..x.len() {
            let fixed = bounds.lower[i] >= bounds.upper[i];
            let place = match self.place[i] {
                Place::Inside if x[i] < bounds.lower[i] - far => Place::Lower,
                Place::Inside if x[i] > bounds.upper[i] + far => Place::Upper,
                Place::Lower if self.residual[i] > strong && !fixed => Place::Inside,
                Place::Upper if self.residual[i] < -strong && !fixed => Place::Inside,
                _ => continue,
            };
            self.wrong.push((i as u32, place));
        }
    }
}
