//! The law of a contact point: a normal force that only pushes, and friction inside its cone.

use super::math::Vec3;
use super::{Real, TINY};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// What a contact point answers to a displacement, world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct ContactForce {
    /// Normal force on the second body \[N\], never negative.
    pub normal: Real,
    /// Friction on the second body \[N\].
    pub friction: Vec3,
    /// Share of the trial friction that fits the cone: 1 sticks, less slides.
    pub stick: Real,
}

/// Force of a contact point at a `gap` and a `slip` across the normal \[m\] with multipliers `load` and
/// `friction` \[N\], penalties `rho_n`, `rho_t` \[N/m\] and friction coefficient `mu`.
///
/// Normal force `max(0, λ_n − ρ_n·gap)`; friction `λ_t − ρ_t·slip` scaled back onto the cone of the
/// *current* normal force.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn contact_force(
    gap: Real,
    slip: Vec3,
    load: Real,
    friction: Vec3,
    rho_n: Real,
    rho_t: Real,
    mu: Real,
) -> ContactForce {
    let normal = (load - rho_n * gap).max(0.0);
    let trial = friction.sub(slip.scale(rho_t));
    let cone = mu * normal;
    let stick = (cone + TINY) / (trial.length().max(cone) + TINY);
    ContactForce { normal, friction: trial.scale(stick), stick }
}
