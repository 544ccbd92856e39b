//! Modified proportioning with reduced gradient projections (Dostál): conjugate gradients on the unknowns
//! inside their bounds, projected gradient steps of fixed length when a bound is met, and steps that release
//! bounds when those dominate the error. Every step lowers the energy, so it cannot cycle.

use super::active_set::UNFELT;
use super::{BoundedOutcome, Bounds};
use drystone_kernels::elementary::{hypot, sin};
use drystone_solve::linalg::krylov::{Stop, Workspace, combine, dot, norm};

/// Products spent on estimating the largest eigenvalue.
const POWER_STEPS: usize = 12;
/// Margin on that estimate, which comes from below.
const POWER_MARGIN: f64 = 1.3;

/// Solves with A given by its product, from the guess `x`.
pub fn mprgp(
    mut apply: impl FnMut(&[f64], &mut [f64]),
    bounds: Bounds,
    x: &mut [f64],
    stop: Stop,
    workspace: &mut Workspace,
) -> BoundedOutcome {
    bounds.clamp(x);
    let [g, p, ap, phi] = workspace.take(x.len());
    let largest = largest_eigenvalue(&mut apply, p, ap);
    let fixed = if largest > 0.0 { 1.0 / largest } else { 0.0 };
    let mut iterations = POWER_STEPS + 1;
    gradient(&mut apply, &bounds, x, g);
    free_gradient(&bounds, x, g, phi);
    p.copy_from_slice(phi);
    let mut carried = false;
    loop {
        let (release, reduced) = parts(&bounds, x, g, phi, fixed);
        let violation = hypot(release, norm(phi));
        if violation <= stop.residual && carried {
            gradient(&mut apply, &bounds, x, g);
            iterations += 1;
            free_gradient(&bounds, x, g, phi);
            p.copy_from_slice(phi);
            carried = false;
            continue;
        }
        if violation <= stop.residual || iterations >= stop.max_iterations || !violation.is_finite() {
            return BoundedOutcome { converged: violation <= stop.residual, iterations, violation };
        }
        if release * release <= reduced {
            apply(p, ap);
            iterations += 1;
            let curvature = dot(p, ap);
            let reach = feasible_step(&bounds, x, p);
            let felt = curvature > UNFELT * largest * dot(p, p);
            let step = if felt { dot(g, p) / curvature } else { f64::INFINITY };
            if step <= reach && step.is_finite() {
                combine(x, -step, p, 1.0);
                combine(g, -step, ap, 1.0);
                free_gradient(&bounds, x, g, phi);
                let back = dot(phi, ap) / curvature;
                combine(p, 1.0, phi, -back);
                carried = true;
                continue;
            }
            if reach.is_finite() {
                combine(x, -reach, p, 1.0);
                combine(g, -reach, ap, 1.0);
            }
            free_gradient(&bounds, x, g, phi);
            combine(x, -fixed, phi, 1.0);
        } else {
            for i in 0..x.len() {
                p[i] = if phi[i] == 0.0 { -bounds.projected(i, x[i], -g[i]) } else { 0.0 };
            }
            apply(p, ap);
            iterations += 1;
            let curvature = dot(p, ap);
            let felt = curvature > UNFELT * largest * dot(p, p);
            let step = if felt { dot(g, p) / curvature } else { fixed };
            combine(x, -step.min(feasible_step(&bounds, x, p)), p, 1.0);
        }
        bounds.clamp(x);
        gradient(&mut apply, &bounds, x, g);
        iterations += 1;
        carried = false;
        free_gradient(&bounds, x, g, phi);
        p.copy_from_slice(phi);
    }
}

/// A x − b.
fn gradient(apply: &mut impl FnMut(&[f64], &mut [f64]), bounds: &Bounds, x: &[f64], out: &mut [f64]) {
    apply(x, out);
    out.iter_mut().zip(bounds.rhs).for_each(|(out, b)| *out -= b);
}

/// The gradient where the unknown lies inside its bounds.
fn free_gradient(bounds: &Bounds, x: &[f64], g: &[f64], out: &mut [f64]) {
    for i in 0..x.len() {
        out[i] = if x[i] > bounds.lower[i] && x[i] < bounds.upper[i] { g[i] } else { 0.0 };
    }
}

/// Norm of the gradient at bounds that wants to leave them, and φ̃·φ with φ̃ the free gradient cut to what
/// a step of fixed length can use.
fn parts(bounds: &Bounds, x: &[f64], g: &[f64], phi: &[f64], fixed: f64) -> (f64, f64) {
    let (mut release, mut reduced) = (0.0, 0.0);
    for i in 0..x.len() {
        if x[i] > bounds.lower[i] && x[i] < bounds.upper[i] {
            let usable = if phi[i] > 0.0 {
                phi[i].min((x[i] - bounds.lower[i]) / fixed)
            } else {
                phi[i].max((x[i] - bounds.upper[i]) / fixed)
            };
            reduced += usable * phi[i];
        } else {
            let part = bounds.projected(i, x[i], -g[i]);
            release += part * part;
        }
    }
    (release.sqrt(), reduced)
}

/// How far x − α p stays within the bounds.
fn feasible_step(bounds: &Bounds, x: &[f64], p: &[f64]) -> f64 {
    let mut step = f64::INFINITY;
    for i in 0..x.len() {
        if p[i] > 0.0 {
            step = step.min((x[i] - bounds.lower[i]) / p[i]);
        } else if p[i] < 0.0 {
            step = step.min((x[i] - bounds.upper[i]) / p[i]);
        }
    }
    step.max(0.0)
}

/// An estimate from above by a few steps of the power method from a fixed start.
fn largest_eigenvalue(apply: &mut impl FnMut(&[f64], &mut [f64]), v: &mut [f64], av: &mut [f64]) -> f64 {
    for (i, v) in v.iter_mut().enumerate() {
        *v = 1.0 + 0.5 * sin(1.7 * i as f64);
    }
    let mut value = 0.0;
    for _ in 0..POWER_STEPS {
        let size = norm(v);
        if size == 0.0 {
            break;
        }
        v.iter_mut().for_each(|v| *v /= size);
        apply(v, av);
        value = norm(av);
        v.copy_from_slice(av);
    }
    POWER_MARGIN * value
}
