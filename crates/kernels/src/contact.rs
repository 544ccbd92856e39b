//! One contact point: augmented normal force, friction inside its cone, and their stiffness.

use super::Real;
use super::math::{Block6, Mat3, Sym3, Vec3, Vec6};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// What a contact row answers to a displacement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct ContactForce {
    /// Force on the second body; the first gets its opposite \[N\].
    pub force: Vec3,
    /// Normal part of the force \[N\]; never negative.
    pub normal: Real,
    /// Share of the trial friction that fits the cone: 1 sticks, less slides.
    pub stick: Real,
}

/// Force of a contact point whose rows are linear in the displacement since the start of the step.
///
/// `gap` and `slip` are the constraint values now (m, slip tangential), `lambda` the multiplier as a
/// world force with normal part `lambda_n`, `rho_n`/`rho_t` the penalties (N/m), `mu` the friction
/// coefficient. Normal force `max(0, λ_n − ρ_n·gap)`; friction `λ_t − ρ_t·slip` scaled back onto the
/// cone of the *current* normal force.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn contact_force(
    normal: Vec3,
    gap: Real,
    slip: Vec3,
    lambda_n: Real,
    lambda_t: Vec3,
    rho_n: Real,
    rho_t: Real,
    mu: Real,
) -> ContactForce {
    let f_n = (lambda_n - rho_n * gap).max(0.0);
    let trial = lambda_t.add_scaled(slip, -rho_t);
    let length_squared = trial.length_squared();
    let cone = mu * f_n;
    let mut stick = 1.0;
    if length_squared > cone * cone {
        stick = cone / length_squared.sqrt();
    }
    ContactForce { force: normal.scale(f_n).add_scaled(trial, stick), normal: f_n, stick }
}

/// Adds the stiffness `a n nᵀ + b I` of a contact point at lever `r` to the block of its body.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn add_contact_stiffness(block: Block6, normal: Vec3, r: Vec3, a: Real, b: Real) -> Block6 {
    let rn = r.cross(normal);
    Block6 {
        ll: block.ll.add(Sym3::scaled_identity(b)).add(Sym3::scaled_outer(normal, a)),
        al: block.al.add(Mat3::scaled_cross(r, b)).add(Mat3::outer(rn.scale(a), normal)),
        aa: block.aa.add(Sym3::scaled_lever(r, b)).add(Sym3::scaled_outer(rn, a)),
    }
}

/// The wrench of `force` at lever `r`.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn wrench(force: Vec3, r: Vec3) -> Vec6 {
    Vec6 { l: force, a: r.cross(force) }
}
