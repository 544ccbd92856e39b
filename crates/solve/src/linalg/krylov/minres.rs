//! The minimal residual method of Paige and Saunders with a preconditioner.
//!
//! Lanczos builds a tridiagonal picture of A in the metric of the preconditioner, Givens rotations
//! reduce it as it grows, and x moves along directions that keep the residual least. Works for
//! indefinite A and for contradictory systems, where it ends at least squares.

use super::{Ending, Outcome, Stop, Workspace, combine, dot, norm, residual_of};
use drystone_kernels::elementary::hypot;

/// The least-squares test: |A r| below this fraction of |A||r| means that nothing of the residual is
/// within reach of A.
const OUT_OF_REACH: f64 = 1e-12;

/// A step along a direction that A feels less than this fraction of its size means that the basis is
/// used up. The gain it promises may be rounding error, so it is checked against the true residual:
/// the basis is then built anew from there, or this was the end.
const DOUBTFUL: f64 = 1e-8;

/// A doubtful step must lower the true residual to this fraction.
const REAL_GAIN: f64 = 0.999;

/// Rounding errors in the product of A with a step, relative to the sizes of both.
const STEP_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Solves A x = b by preconditioned minimal residuals; A symmetric, definite or not, singular or not.
/// `x` holds the first guess and receives the answer. `apply(v, out)` writes A v, `precondition(r,
/// out)` a symmetric positive definite approximation of A⁻¹ r in size.
pub fn minres(
    mut apply: impl FnMut(&[f64], &mut [f64]),
    mut precondition: impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    x: &mut [f64],
    stop: Stop,
    workspace: &mut Workspace,
) -> Outcome {
    let [r1, r2, y, v, w, w1, w2, residual, scratch] = workspace.take(b.len());
    let mut size = size_of(&mut apply, &mut precondition, v, y, scratch);
    let mut basis = Basis { r1, r2, y, v, beta: 0.0, old_beta: 0.0, plain_size: 0.0 };
    let mut directions = Directions { w, w1, w2 };
    let mut residual_norm = residual_of(&mut apply, b, x, residual);
    basis.start(residual, &mut precondition);
    let mut recurrence = Recurrence::start(basis.beta);
    let mut iterations = 0;
    let ending = loop {
        if residual_norm <= stop.residual {
            break Ending::Converged;
        }
        if !(basis.beta.is_finite() && size.is_finite()) {
            break Ending::Breakdown;
        }
        if basis.beta <= OUT_OF_REACH * recurrence.first_beta.min(size) {
            break Ending::Contradiction;
        }
        if iterations == stop.max_iterations {
            break Ending::IterationLimit;
        }
        let alpha = basis.extend(&mut apply, &mut precondition);
        iterations += 1;
        size = size.max(alpha.abs()).max(basis.beta);
        let column = recurrence.column(alpha, basis.beta);
        if !column.gamma.is_finite() {
            break Ending::Breakdown;
        }
        if column.reach <= OUT_OF_REACH * size {
            break Ending::Contradiction;
        }
        let phi = recurrence.rotate(&column, basis.beta);
        directions.advance(basis.v, &column);
        // The residual in the units of b, whatever the metric of the preconditioner.
        let along = if basis.beta > 0.0 { -recurrence.phibar * recurrence.cosine / basis.beta } else { 0.0 };
        combine(residual, along, basis.r2, recurrence.sine * recurrence.sine);
        let promised = norm(residual);
        // A far step whose gain drowns in its own rounding errors goes along what A does not feel.
        let change = basis.plain_size * phi.abs() * norm(directions.w);
        // The gain in the metric of the preconditioner: the plain residual may well grow on the way.
        let gain = residual_norm * (1.0 - recurrence.sine.abs());
        if change > residual_norm && gain <= STEP_ROUNDING * change {
            break Ending::Contradiction;
        }
        combine(x, phi, directions.w, 1.0);
        if column.gamma > DOUBTFUL * size {
            residual_norm = promised;
            continue;
        }
        let reached = residual_of(&mut apply, b, x, residual);
        if reached > REAL_GAIN * residual_norm || !reached.is_finite() {
            combine(x, -phi, directions.w, 1.0);
            break Ending::Contradiction;
        }
        residual_norm = reached;
        basis.start(residual, &mut precondition);
        recurrence = Recurrence::start(basis.beta);
        directions.clear();
    };
    let residual = residual_of(&mut apply, b, x, scratch);
    Outcome { ending, iterations, residual }
}

/// The Lanczos basis: vectors orthonormal in the metric of the preconditioner, the last three kept.
struct Basis<'a> {
    r1: &'a mut [f64],
    r2: &'a mut [f64],
    y: &'a mut [f64],
    v: &'a mut [f64],
    beta: f64,
    old_beta: f64,
    /// The size of A in the metric of b, from the products done.
    plain_size: f64,
}

impl Basis<'_> {
    fn start(&mut self, residual: &[f64], precondition: &mut impl FnMut(&[f64], &mut [f64])) {
        self.r2.copy_from_slice(residual);
        precondition(self.r2, self.y);
        self.beta = root(dot(self.r2, self.y));
        self.old_beta = 0.0;
    }

    /// Adds the next vector; returns the new diagonal entry and leaves the subdiagonal one in `beta`.
    fn extend(
        &mut self,
        apply: &mut impl FnMut(&[f64], &mut [f64]),
        precondition: &mut impl FnMut(&[f64], &mut [f64]),
    ) -> f64 {
        combine(self.v, 1.0 / self.beta, self.y, 0.0);
        apply(self.v, self.y);
        self.plain_size = self.plain_size.max(norm(self.y) / norm(self.v));
        if self.old_beta > 0.0 {
            combine(self.y, -self.beta / self.old_beta, self.r1, 1.0);
        }
        let alpha = dot(self.v, self.y);
        combine(self.y, -alpha / self.beta, self.r2, 1.0);
        std::mem::swap(&mut self.r1, &mut self.r2);
        std::mem::swap(&mut self.r2, &mut self.y);
        precondition(self.r2, self.y);
        self.old_beta = self.beta;
        self.beta = root(dot(self.r2, self.y));
        alpha
    }
}

/// The directions x moves along: the newest and the two before.
struct Directions<'a> {
    w: &'a mut [f64],
    w1: &'a mut [f64],
    w2: &'a mut [f64],
}

impl Directions<'_> {
    fn clear(&mut self) {
        [&mut *self.w, self.w1, self.w2].into_iter().for_each(|w| w.fill(0.0));
    }

    fn advance(&mut self, v: &[f64], column: &Column) {
        std::mem::swap(&mut self.w1, &mut self.w2);
        std::mem::swap(&mut self.w2, &mut self.w);
        combine(self.w, 1.0 / column.gamma, v, 0.0);
        combine(self.w, -column.epsilon / column.gamma, self.w1, 1.0);
        combine(self.w, -column.delta / column.gamma, self.w2, 1.0);
    }
}

/// The scalars of the recurrence, named as in the paper.
struct Recurrence {
    first_beta: f64,
    cosine: f64,
    sine: f64,
    dbar: f64,
    epsilon: f64,
    phibar: f64,
}

/// A new column of the tridiagonal matrix after all rotations but its own.
struct Column {
    epsilon: f64,
    delta: f64,
    gbar: f64,
    gamma: f64,
    /// |A r| over |r| for the residual before this column.
    reach: f64,
}

impl Recurrence {
    fn start(beta: f64) -> Self {
        Self { first_beta: beta, cosine: -1.0, sine: 0.0, dbar: 0.0, epsilon: 0.0, phibar: beta }
    }

    /// Applies the last rotations to the column of diagonal `alpha` and subdiagonal `beta`.
    fn column(&mut self, alpha: f64, beta: f64) -> Column {
        let epsilon = self.epsilon;
        let delta = self.cosine * self.dbar + self.sine * alpha;
        let gbar = self.sine * self.dbar - self.cosine * alpha;
        self.epsilon = self.sine * beta;
        self.dbar = -self.cosine * beta;
        Column { epsilon, delta, gbar, gamma: hypot(gbar, beta), reach: hypot(gbar, self.dbar) }
    }

    /// The rotation that completes the column; returns how far x goes along it.
    fn rotate(&mut self, column: &Column, beta: f64) -> f64 {
        self.cosine = column.gbar / column.gamma;
        self.sine = beta / column.gamma;
        let phi = self.cosine * self.phibar;
        self.phibar *= self.sine;
        phi
    }
}

/// Square root of what is positive but for rounding; not-a-number stays what it is.
fn root(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x.sqrt() }
}

/// A lower estimate of the size of A in the metric of the preconditioner, by one product with a
/// vector of irregular signs: the measure for what counts as zero in the recurrence.
fn size_of(
    apply: &mut impl FnMut(&[f64], &mut [f64]),
    precondition: &mut impl FnMut(&[f64], &mut [f64]),
    u: &mut [f64],
    pu: &mut [f64],
    apu: &mut [f64],
) -> f64 {
    u.iter_mut().enumerate().for_each(|(i, u)| *u = 1.0 - 2.0 * (i * i % 7 % 2) as f64);
    precondition(u, pu);
    let before = dot(u, pu);
    apply(pu, apu);
    precondition(apu, u);
    let after = dot(apu, u);
    if before > 0.0 { root(after / before) } else { 0.0 }
}
