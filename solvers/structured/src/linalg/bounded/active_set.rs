//! Conjugate gradients with the inequalities checked in every iteration: the fast heuristic of the slides.
//!
//! An unknown is *clamped* (its equation holds) or *vanishing* (it stays at its bound); a filter zeroes the
//! vanishing entries of every vector. After each step unknowns that left their bounds vanish, vanishing ones
//! whose residual points inwards are clamped, and the residual is recomputed when the sets changed. The sets
//! may cycle, so their changes are counted: when they are used up, or conjugate gradients stall, the
//! projected method that cannot cycle goes on from the best point met.

use super::mprgp::mprgp;
use super::{BoundedOutcome, Bounds};
use drystone_solve::linalg::krylov::{Stop, Workspace, combine, dot};

/// Changes of the sets allowed, per unknown and at least.
const CHANGES: usize = 4;
const LEAST_CHANGES: usize = 50;
/// Curvature relative to the largest met below which a direction is not felt.
pub(super) const UNFELT: f64 = 1.0e-13;

/// Solves with A given by its product; entries of A's diagonal should be alike. `x` holds a first guess and
/// receives the answer; `stop` is on the violation, in the units of b.
pub fn active_set(
    mut apply: impl FnMut(&[f64], &mut [f64]),
    bounds: Bounds,
    x: &mut [f64],
    stop: Stop,
    workspace: &mut Workspace,
) -> BoundedOutcome {
    let n = x.len();
    bounds.clamp(x);
    let [r, p, ap, best, clamped] = workspace.take(n);
    let mut iterations = 1;
    residual(&mut apply, &bounds, x, r);
    for i in 0..n {
        clamped[i] =
            f64::from(x[i] > bounds.lower[i] && x[i] < bounds.upper[i] || bounds.projected(i, x[i], r[i]) != 0.0);
    }
    let (mut least, mut changes, mut restart) = (f64::INFINITY, 0, true);
    let (mut old, mut size) = (0.0, 0.0f64);
    loop {
        let mut violation = bounds.violation(x, r);
        if violation <= stop.residual && !restart {
            // The residual carried along is only as good as the steps were moderate.
            residual(&mut apply, &bounds, x, r);
            iterations += 1;
            restart = true;
            violation = bounds.violation(x, r);
        }
        if violation < least {
            least = violation;
            best.copy_from_slice(x);
        }
        let limit = LEAST_CHANGES + CHANGES * n;
        if least <= stop.residual || iterations >= stop.max_iterations || changes > limit || !violation.is_finite() {
            break;
        }
        let filtered = (0..n).map(|i| r[i] * r[i] * clamped[i]).sum::<f64>();
        for i in 0..n {
            let along = if restart { 0.0 } else { filtered / old * p[i] };
            p[i] = clamped[i] * (r[i] + along);
        }
        apply(p, ap);
        iterations += 1;
        let curvature = dot(p, ap);
        let felt = curvature / dot(p, p);
        size = size.max(felt);
        // Nothing left to follow with these sets, or a direction that A does not feel: a step along it
        // would be as long as rounding errors are small.
        if felt <= UNFELT * size || felt.is_nan() {
            break;
        }
        let step = filtered / curvature;
        combine(x, step, p, 1.0);
        combine(r, -step, ap, 1.0);
        (old, restart) = (filtered, false);
        if check(&bounds, x, r, clamped) {
            bounds.clamp(x);
            residual(&mut apply, &bounds, x, r);
            iterations += 1;
            changes += 1;
            restart = true;
        }
    }
    x.copy_from_slice(best);
    if least <= stop.residual || iterations >= stop.max_iterations {
        return BoundedOutcome { converged: least <= stop.residual, iterations, violation: least };
    }
    let rest = Stop { max_iterations: stop.max_iterations - iterations, ..stop };
    let safe = mprgp(apply, bounds, x, rest, workspace);
    BoundedOutcome { iterations: iterations + safe.iterations, ..safe }
}

/// b − A x.
fn residual(apply: &mut impl FnMut(&[f64], &mut [f64]), bounds: &Bounds, x: &[f64], out: &mut [f64]) {
    apply(x, out);
    out.iter_mut().zip(bounds.rhs).for_each(|(out, b)| *out = b - *out);
}

/// Moves unknowns between the sets; true when any moved.
fn check(bounds: &Bounds, x: &[f64], r: &[f64], clamped: &mut [f64]) -> bool {
    let mut changed = false;
    for i in 0..x.len() {
        let outside = x[i] < bounds.lower[i] || x[i] > bounds.upper[i];
        if clamped[i] == 1.0 && outside {
            clamped[i] = 0.0;
            changed = true;
        } else if clamped[i] == 0.0 && bounds.lower[i] < bounds.upper[i] && bounds.projected(i, x[i], r[i]) != 0.0 {
            clamped[i] = 1.0;
            changed = true;
        }
    }
    changed
}
