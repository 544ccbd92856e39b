//! The minimal residual method of Paige and Saunders with a preconditioner.
//!
//! Lanczos builds a tridiagonal picture of A in the metric of the preconditioner, Givens rotations
//! reduce it as it grows, and x moves along directions that keep the residual least. Works for
//! indefinite A and for contradictory systems, where it ends at least squares.

use super::krylov::{Ending, Outcome, Stop, Workspace, combine, dot, finish, norm, subtract_from};

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
    let [mut r1, mut r2, mut y, v, mut w, mut w1, mut w2, residual, scratch] = workspace.take(b.len());
    // The size of A in the metric of the preconditioner, and in that of b.
    let mut size = size_of(&mut apply, &mut precondition, v, y, scratch);
    let mut plain_size = 0.0_f64;
    apply(x, r2);
    subtract_from(b, r2);
    residual.copy_from_slice(r2);
    let mut residual_norm = norm(residual);
    precondition(r2, y);
    let mut beta = root(dot(r2, y));
    let mut recurrence = Recurrence::start(beta);
    let mut iterations = 0;
    let ending = loop {
        if residual_norm <= stop.residual {
            break Ending::Converged;
        }
        if !(beta.is_finite() && size.is_finite()) {
            break Ending::Breakdown;
        }
        if beta <= OUT_OF_REACH * recurrence.first_beta.min(size) {
            break Ending::Contradiction;
        }
        if iterations == stop.max_iterations {
            break Ending::IterationLimit;
        }
        // Lanczos: the next vector of the basis, orthogonal to the last two.
        combine(v, 1.0 / beta, y, 0.0);
        apply(v, y);
        iterations += 1;
        plain_size = plain_size.max(norm(y) / norm(v));
        if recurrence.old_beta > 0.0 {
            combine(y, -beta / recurrence.old_beta, r1, 1.0);
        }
        let alpha = dot(v, y);
        combine(y, -alpha / beta, r2, 1.0);
        (r1, r2, y) = (r2, y, r1);
        precondition(r2, y);
        recurrence.old_beta = beta;
        beta = root(dot(r2, y));
        let column = recurrence.column(alpha, beta);
        size = size.max(alpha.abs()).max(beta);
        if !column.gamma.is_finite() {
            break Ending::Breakdown;
        }
        if column.reach <= OUT_OF_REACH * size {
            break Ending::Contradiction;
        }
        let phi = recurrence.rotate(&column, beta);

        // The direction of the new column, x along it, and the residual in the units of b, whatever
        // the metric of the preconditioner: r ← s² r − φ̄ c r₂/β.
        (w1, w2, w) = (w2, w, w1);
        combine(w, 1.0 / column.gamma, v, 0.0);
        combine(w, -column.epsilon / column.gamma, w1, 1.0);
        combine(w, -column.delta / column.gamma, w2, 1.0);
        let along = if beta > 0.0 { -recurrence.phibar * recurrence.cosine / beta } else { 0.0 };
        combine(residual, along, r2, recurrence.sine * recurrence.sine);
        let promised = norm(residual);
        // A far step whose gain drowns in its own rounding errors goes along what A does not feel.
        let change = plain_size * phi.abs() * norm(w);
        if change > residual_norm && residual_norm - promised <= STEP_ROUNDING * change {
            break Ending::Contradiction;
        }
        combine(x, phi, w, 1.0);
        if column.gamma > DOUBTFUL * size {
            residual_norm = promised;
            continue;
        }
        apply(x, r2);
        subtract_from(b, r2);
        let reached = norm(r2);
        if reached > REAL_GAIN * residual_norm || !reached.is_finite() {
            combine(x, -phi, w, 1.0);
            break Ending::Contradiction;
        }
        [&mut *w, w1, w2].into_iter().for_each(|w| w.fill(0.0));
        precondition(r2, y);
        beta = root(dot(r2, y));
        recurrence = Recurrence::start(beta);
        residual.copy_from_slice(r2);
        residual_norm = reached;
    };
    finish(&mut apply, b, x, ending, iterations, scratch)
}

/// The scalars of the recurrence, named as in the paper.
struct Recurrence {
    first_beta: f64,
    old_beta: f64,
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
        Self { first_beta: beta, old_beta: 0.0, cosine: -1.0, sine: 0.0, dbar: 0.0, epsilon: 0.0, phibar: beta }
    }

    /// Applies the last rotations to the column of diagonal `alpha` and subdiagonal `beta`.
    fn column(&mut self, alpha: f64, beta: f64) -> Column {
        let epsilon = self.epsilon;
        let delta = self.cosine * self.dbar + self.sine * alpha;
        let gbar = self.sine * self.dbar - self.cosine * alpha;
        self.epsilon = self.sine * beta;
        self.dbar = -self.cosine * beta;
        Column { epsilon, delta, gbar, gamma: gbar.hypot(beta), reach: gbar.hypot(self.dbar) }
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
