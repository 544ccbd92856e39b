//! Linear complementarity with bounds: find λ in [lower, upper] such that w = A λ − b is zero where λ lies
//! inside, not negative where it is at its lower bound and not positive at its upper one. For A symmetric
//! positive semi-definite this is the minimum of ½ λᵀAλ − bᵀλ within the bounds. Contacts have bounds
//! [0, ∞), friction [−s, s], joints none.
//!
//! Three ways: [`pivot`] for a dense matrix, exact in a few passes; [`active_set`], conjugate gradients that
//! check the inequalities in every iteration, as in Faure's slides; [`mprgp::mprgp`], which cannot cycle and takes
//! over when the active set does.

mod active_set;
mod cone;
mod mprgp;
mod pivot;

pub use active_set::active_set;
pub use cone::{Cone, ConeWorkspace, Cones, cone_descent};
pub use pivot::{Pivoting, pivot};

/// A problem without its matrix.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// Right-hand side b.
    pub rhs: &'a [f64],
    /// Lower bounds; −∞ for none.
    pub lower: &'a [f64],
    /// Upper bounds; +∞ for none.
    pub upper: &'a [f64],
}

/// What a bounded solve reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoundedOutcome {
    /// Whether the violation is within what was asked for.
    pub converged: bool,
    /// Products with A, or passes of a dense method.
    pub iterations: usize,
    /// Norm of the part of w that violates its conditions, in the units of b.
    pub violation: f64,
}

impl Bounds<'_> {
    /// The nearest point within the bounds.
    pub fn clamp(&self, x: &mut [f64]) {
        for (i, x) in x.iter_mut().enumerate() {
            *x = x.max(self.lower[i]).min(self.upper[i]);
        }
    }

    /// The part of the residual b − A x that λ may still follow: zero where it points out of the bounds.
    #[inline]
    pub fn projected(&self, i: usize, x: f64, residual: f64) -> f64 {
        let blocked = x <= self.lower[i] && residual < 0.0 || x >= self.upper[i] && residual > 0.0;
        if blocked { 0.0 } else { residual }
    }

    /// Norm of the projected residual.
    pub fn violation(&self, x: &[f64], residual: &[f64]) -> f64 {
        let parts = x.iter().zip(residual).enumerate().map(|(i, (&x, &r))| self.projected(i, x, r));
        parts.map(|part| part * part).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests;
