//! How slips answer to those that a problem was solved with.

use super::{Augmented, rate};
use crate::bodies::Bodies;
use crate::linalg::bounded::Cone;
use crate::loops::OuterRow;
use drystone_kernels::elementary::hypot;
use drystone_solve::linalg::krylov::{Stop, gmres};
use drystone_solve::linalg::matrix::Vec6;

/// Slip without a direction \[m/s\].
const NO_DIRECTION: f64 = 1.0e-12;
/// Products with the derivative at most, and what they leave of the miss.
const PRODUCTS: usize = 60;
const ACCURACY: f64 = 1.0e-6;

impl Augmented {
    /// The change of the slips that Newton's method wants where slips x lead to g(x) = x + `miss`: (1 − ∂g) step = miss. The derivative is
    /// that of the last step of [`Augmented::solve`], whose factors are at hand; none if there was no step. A slip x asks the normal
    /// of its contact to part less by μx, so that with dλ = −D e_n μ dx the bodies move by d = H⁻¹ Jᵀ dλ, and contacts slip by t·J d more.
    pub fn slip_step(&mut self, rows: &[OuterRow], cones: &[Cone], bodies: &Bodies, miss: &[f64]) -> Option<Vec<f64>> {
        let Self { factored, matrix, slack, step: motion, .. } = self;
        let (_, slopes) = factored.as_ref()?;
        let along: Vec<[f64; 2]> = cones
            .iter()
            .map(|cone| {
                let [u, v] = [1, 2].map(|k| slack[cone.first as usize + k]);
                let slip = hypot(u, v);
                if slip > NO_DIRECTION { [u / slip, v / slip] } else { [0.0; 2] }
            })
            .collect();
        let mut product = |x: &[f64], out: &mut [f64]| {
            motion.clear();
            motion.resize(bodies.count() + 1, [0.0; 6]);
            for ((cone, slope), x) in cones.iter().zip(slopes).zip(x) {
                let first = cone.first as usize;
                for (row, slope) in rows[first..first + 3].iter().zip(slope) {
                    row.push(-cone.friction * x * slope, motion);
                }
            }
            motion.truncate(bodies.count());
            rest(motion, bodies);
            matrix.solve(motion);
            for (((cone, along), x), out) in cones.iter().zip(&along).zip(x).zip(out) {
                let first = cone.first as usize;
                *out = x - along[0] * rate(&rows[first + 1], motion) - along[1] * rate(&rows[first + 2], motion);
            }
        };
        let mut change = vec![0.0; miss.len()];
        gmres(&mut product, miss, &mut change, Stop::relative(ACCURACY, miss, PRODUCTS));
        change.iter().all(|change| change.is_finite()).then_some(change)
    }
}

/// What does not move is not pushed.
fn rest(motion: &mut [Vec6<f64>], bodies: &Bodies) {
    let resting = motion.iter_mut().zip(&bodies.moves).filter(|(_, moves)| !**moves);
    resting.for_each(|(motion, _)| *motion = [0.0; 6]);
}
