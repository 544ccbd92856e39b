//! Conjugate gradients and minimal residuals for A x = b with A symmetric and given by its product.
//!
//! Preconditioners are symmetric positive definite and given by their product with a residual: a
//! block diagonal, a tree solve, a coarse correction. Both methods end: on convergence, at the
//! iteration limit, or when the system has nothing more to give. No input makes them loop on or return
//! a number that is not finite.
//!
//! Which one: [`gmres()`] for few unknowns or few products, whatever A is. `cg` lowers the energy
//! ½ xᵀA x − bᵀx in every iteration, so it may be stopped early, and also solves singular systems
//! that have a solution. [`minres()`] lowers the residual in every
//! iteration, takes indefinite A, and ends at least squares when the equations contradict each other.

mod bicg;
mod gmres;
mod minres;

use drystone_parallel::{Shared, join};
use rayon::prelude::*;

pub use bicg::bicg;
pub use gmres::gmres;
pub use minres::minres;

/// Entries per partial sum of an inner product. Sums inside a chunk and over chunks run in a fixed
/// order, so the result does not depend on the number of threads.
const CHUNK: usize = 1024;

/// The residual carried along by a recurrence may differ this much from the true one by rounding.
const CARRIED_ERROR: f64 = 2.0;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Residual norm, in the units of b, at which the solve is done.
    pub residual: f64,
    /// Most products with A.
    pub max_iterations: usize,
}

impl Stop {
    /// Stops when the residual has fallen to `fraction` of the norm of `b`.
    pub fn relative(fraction: f64, b: &[f64], max_iterations: usize) -> Self {
        Self { residual: fraction * norm(b), max_iterations }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The residual is small enough.
    Converged,
    /// What is left of the residual is out of reach of A: the equations contradict each other. The
    /// answer is the least-squares one (`minres`) or one no worse than the first guess (`cg`).
    Contradiction,
    /// The iterations were used up.
    IterationLimit,
    /// Something was not finite, or A or the preconditioner is not what the method needs (for `cg`, a
    /// direction of negative curvature). The answer is no worse than the first guess.
    Breakdown,
}

/// What a solve reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// Products with A done.
    pub iterations: usize,
    /// Norm of b − A x, recomputed from the returned x.
    pub residual: f64,
}

/// Vectors the methods need; keep one to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    vectors: Vec<Vec<f64>>,
}

impl Workspace {
    /// `N` zeroed vectors of `len` entries.
    pub fn take<const N: usize>(&mut self, len: usize) -> [&mut [f64]; N] {
        self.vectors.resize_with(self.vectors.len().max(N), Vec::new);
        let mut vectors = self.vectors.iter_mut();
        std::array::from_fn(|_| {
            // Infallible: at least N vectors exist.
            let vector = vectors.next().map(|vector| {
                vector.clear();
                vector.resize(len, 0.0);
                vector.as_mut_slice()
            });
            vector.unwrap_or_default()
        })
    }
}

/// Solves A x = b by preconditioned conjugate gradients; A symmetric positive (semi-)definite and the
/// equations free of contradiction. `x` holds the first guess and receives the answer. `apply(v, out)` writes A v, `precondition(r, out)`
/// an approximation of A⁻¹ r.
pub fn cg(
    mut apply: impl FnMut(&[f64], &mut [f64]),
    mut precondition: impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    x: &mut [f64],
    stop: Stop,
    workspace: &mut Workspace,
) -> Outcome {
    let [r, z, p, ap, safe] = workspace.take(b.len());
    let mut residual = residual_of(&mut apply, b, x, r);
    // The last x whose residual was computed and not carried along by the recurrence.
    safe.copy_from_slice(x);
    let mut safe_residual = residual;
    let (mut restart, mut rz_old) = (true, 0.0);
    let mut iterations = 0;
    let ending = loop {
        if residual <= stop.residual {
            residual = residual_of(&mut apply, b, x, r);
            if residual <= CARRIED_ERROR * stop.residual {
                break Ending::Converged;
            }
            if residual > 0.5 * safe_residual {
                break Ending::Contradiction;
            }
            safe.copy_from_slice(x);
            safe_residual = residual;
            restart = true;
        }
        if iterations == stop.max_iterations {
            break Ending::IterationLimit;
        }
        precondition(r, z);
        let rz = dot(r, z);
        combine(p, 1.0, z, if restart { 0.0 } else { rz / rz_old });
        (restart, rz_old) = (false, rz);
        apply(p, ap);
        iterations += 1;
        let curvature = dot(p, ap);
        // A direction that A does not feel, to rounding: a residual there cannot be reduced.
        let unfelt = f64::EPSILON * norm(p) * norm(ap);
        if !(rz > 0.0 && curvature.is_finite()) || curvature < -unfelt {
            break Ending::Breakdown;
        }
        if curvature <= unfelt {
            break Ending::Contradiction;
        }
        let step = rz / curvature;
        combine(x, step, p, 1.0);
        combine(r, -step, ap, 1.0);
        residual = norm(r);
    };
    let reached = residual_of(&mut apply, b, x, r);
    let failed = matches!(ending, Ending::Contradiction | Ending::Breakdown);
    if !reached.is_finite() || failed && reached > safe_residual {
        x.copy_from_slice(safe);
        return Outcome { ending, iterations, residual: safe_residual };
    }
    Outcome { ending, iterations, residual: reached }
}

/// Writes b − A x and returns its norm.
pub fn residual_of(apply: &mut impl FnMut(&[f64], &mut [f64]), b: &[f64], x: &[f64], out: &mut [f64]) -> f64 {
    apply(x, out);
    out.iter_mut().zip(b).for_each(|(out, b)| *out = b - *out);
    norm(out)
}

/// Inner product, the same bits for any number of threads.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let chunk = |(a, b): (&[f64], &[f64])| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    if a.len() <= 16 * CHUNK {
        return a.chunks(CHUNK).zip(b.chunks(CHUNK)).map(chunk).sum();
    }
    // Halving by chunk index: the order of additions is that of the tree, not of the scheduler.
    let middle = (a.len() / CHUNK / 2) * CHUNK;
    let (left, right) = join(|| dot(&a[..middle], &b[..middle]), || dot(&a[middle..], &b[middle..]));
    left + right
}

/// Euclidean norm.
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `out = scale · v + keep · out`.
pub fn combine(out: &mut [f64], scale: f64, v: &[f64], keep: f64) {
    if out.len() <= 16 * CHUNK {
        // Handing it to other threads would cost more.
        return out.iter_mut().zip(v).for_each(|(out, v)| *out = scale * v + keep * *out);
    }
    let chunks = out.par_chunks_mut(16 * CHUNK).zip(v.par_chunks(16 * CHUNK));
    chunks.shared(1).for_each(|(out, v)| out.iter_mut().zip(v).for_each(|(out, v)| *out = scale * v + keep * *out));
}

#[cfg(test)]
mod tests;
