//! Conjugate gradients on the forces of the joints of a net.

use drystone_solve::parallel::Shared;
use rayon::prelude::*;

use super::product::Of;
use super::{CHUNK, Net};

/// Iterations with a fresh factor: rounding and stiffness beyond single precision need a few.
const FRESH_ITERATIONS: usize = 24;
/// Iterations after which a factor counts as too old: as dear as factoring.
const STALE_ITERATIONS: usize = 12;

/// Rows that a thread takes at a time.
pub(super) const ROWS: usize = 4096;

impl Net {
    /// The largest gap left \[m\].
    pub(super) fn gap(&self) -> f64 {
        let gaps = self.residual.par_iter().zip(&self.length).shared(ROWS);
        gaps.map(|(r, length)| (r * length).abs()).reduce(|| 0.0, f64::max)
    }

    /// With the factor there is while it serves, then with a fresh one.
    pub(super) fn iterate(&mut self, goal: f64) {
        if self.basis.serves() {
            let used = self.conjugate_gradients(goal, STALE_ITERATIONS);
            self.judge_factor(used >= STALE_ITERATIONS);
            if self.gap() <= goal {
                return;
            }
        }
        self.factor();
        self.conjugate_gradients(goal, FRESH_ITERATIONS);
    }

    /// Up to some iterations towards a gap; returns how many were used.
    fn conjugate_gradients(&mut self, goal: f64, iterations: usize) -> usize {
        let mut last = 0.0;
        for iteration in 0..iterations {
            if self.gap() <= goal {
                return iteration;
            }
            self.precondition();
            let size = inner(&self.residual, &self.preconditioned, &mut self.sums);
            // Something that is not a number, or nothing.
            if size.is_nan() || size <= 0.0 {
                return iterations;
            }
            let keep = if iteration == 0 { 0.0 } else { size / last };
            last = size;
            let pairs = self.search.par_iter_mut().zip(&self.preconditioned).shared(ROWS);
            pairs.for_each(|(p, z)| *p = z + keep * *p);
            self.multiply(Of::Search);
            let curvature = inner(&self.search, &self.product, &mut self.sums);
            if curvature.is_nan() || curvature <= 0.0 {
                return iterations;
            }
            let length = size / curvature;
            let Self { change, residual, search, product, .. } = self;
            change.par_iter_mut().zip(&*search).shared(ROWS).for_each(|(x, p)| *x += length * p);
            residual.par_iter_mut().zip(&*product).shared(ROWS).for_each(|(r, q)| *r -= length * q);
        }
        iterations
    }
}

/// The inner product, summed in chunks of a fixed size.
fn inner(a: &[f64], b: &[f64], sums: &mut Vec<f64>) -> f64 {
    let chunks = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).shared(16);
    chunks.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum()).collect_into_vec(sums);
    sums.iter().sum()
}
