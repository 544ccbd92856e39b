//! Block Jacobi on point constraints: what one joint and one body do in a step.
//!
//! A point constraint holds a point of body 1 at a point of body 0. Its multiplier `p` \[N·s\] is the
//! impulse body 1 receives at its anchor; body 0 receives the opposite at its own. With `h` the step
//! and `λ` the force of the usual notation, `p = h λ`; working with impulses keeps `h` out of the loop.
//!
//! One iteration is a pass over the joints ([`point_rate`], [`multiplier_step`]) and one over the bodies
//! (the sum of [`wrench_on_child`] and [`wrench_on_parent`], then [`velocity_step`]). Bodies that do not
//! move have zero inverse mass and inertia.

use super::Real;
use super::math::{Quat, Sym3, Vec3, Vec6};
use super::rotation;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// Velocity \[m/s\] of the anchor of body 1 (lever `r1`) relative to that of body 0 (lever `r0`):
/// what the constraint wants to be zero.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn point_rate(v0: Vec6, v1: Vec6, r0: Vec3, r1: Vec3) -> Vec3 {
    v1.at(r1).sub(v0.at(r0))
}

/// Share of one body in the Delassus block of a point constraint, `m⁻¹ 1 + [r]× I⁻¹ [r]×ᵀ` \[1/kg\]: the
/// velocity its anchor at lever `r` gains per impulse there.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn point_mobility(inverse_mass: Real, inverse_inertia: Sym3, r: Vec3) -> Sym3 {
    // Column k of I⁻¹ [r]×ᵀ is I⁻¹ (eₖ-th row of [r]× as a vector).
    let c0 = Vec3 { x: 0.0, y: -r.z, z: r.y };
    let c1 = Vec3 { x: r.z, y: 0.0, z: -r.x };
    let c2 = Vec3 { x: -r.y, y: r.x, z: 0.0 };
    let i0 = inverse_inertia.mul(c0);
    let i1 = inverse_inertia.mul(c1);
    let i2 = inverse_inertia.mul(c2);
    Sym3 {
        xx: inverse_mass + c0.dot(i0),
        xy: c0.dot(i1),
        xz: c0.dot(i2),
        yy: inverse_mass + c1.dot(i1),
        yz: c1.dot(i2),
        zz: inverse_mass + c2.dot(i2),
    }
}

/// Inverse of a Delassus block; zero for a constraint between two bodies that do not move.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn inverse_block(delassus: Sym3) -> Sym3 {
    let mut inverse = Sym3 { xx: 0.0, xy: 0.0, xz: 0.0, yy: 0.0, yz: 0.0, zz: 0.0 };
    if delassus.trace() > 0.0 {
        inverse = delassus.cholesky().inverse();
    }
    inverse
}

/// The multiplier after a Jacobi step: `p − γ D⁻¹ (rate + bias)`.
///
/// `inverse` is D⁻¹, already scaled for mass splitting where that is used; `bias` \[m/s\] is the velocity
/// of ends moved by the user and, with stabilisation, the position error over the step.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn multiplier_step(p: Vec3, inverse: Sym3, rate: Vec3, bias: Vec3, relaxation: Real) -> Vec3 {
    p.add_scaled(inverse.mul(rate.add(bias)), -relaxation)
}

/// Extrapolation `p + w (p − previous)` of Chebyshev and Nesterov acceleration.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn accelerated(p: Vec3, previous: Vec3, weight: Real) -> Vec3 {
    p.add_scaled(p.sub(previous), weight)
}

/// Impulse and angular impulse about the centre of mass that body 1 receives.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn wrench_on_child(p: Vec3, r1: Vec3) -> Vec6 {
    Vec6 { l: p, a: r1.cross(p) }
}

/// Impulse and angular impulse about the centre of mass that body 0 receives.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn wrench_on_parent(p: Vec3, r0: Vec3) -> Vec6 {
    Vec6 { l: p.neg(), a: p.cross(r0) }
}

/// Velocity of a body under the sum of its impulses: `V* + M⁻¹ Σ Jᵀ p`.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn velocity_step(free: Vec6, wrench: Vec6, inverse_mass: Real, inverse_inertia: Sym3) -> Vec6 {
    Vec6 { l: free.l.add_scaled(wrench.l, inverse_mass), a: free.a.add(inverse_inertia.mul(wrench.a)) }
}

/// Difference of principal moments, as a share of them, below which a body counts as round. What the
/// gyroscopic term would then do within a step is lost in single precision anyway.
pub const ROUND: Real = 1.0e-6;

/// Velocity V* of a body before its constraints: pushed by `acceleration` \[m/s²\] and `torque` \[N·m\], both world frame, for
/// `h` seconds, and not yet moved. The gyroscopic term acts in the flight that follows ([`end_of_step`]).
#[cfg_attr(feature = "gpu", cube)]
pub fn free_velocity(
    orientation: Quat,
    velocity: Vec6,
    acceleration: Vec3,
    torque: Vec3,
    body_inverse: Sym3,
    h: Real,
) -> Vec6 {
    Vec6 {
        l: velocity.l.add_scaled(acceleration, h),
        a: velocity.a.add_scaled(rotation::world_inertia(orientation, body_inverse).mul(torque), h),
    }
}

/// Largest deviation from a multiple of the identity, as a share of the trace.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn asphericity(inertia: Sym3) -> Real {
    let diagonal = (inertia.xx - inertia.yy).abs().max((inertia.yy - inertia.zz).abs());
    let across = inertia.xy.abs().max(inertia.xz.abs()).max(inertia.yz.abs());
    let mut share = 0.0 * diagonal;
    if inertia.trace() > 0.0 {
        share = diagonal.max(across) / inertia.trace();
    }
    share
}

/// Where a body is and how it moves at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct EndOfStep {
    /// Displacement of the centre of mass \[m\].
    pub displacement: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity.
    pub velocity: Vec6,
}

/// End of a step of a body that its impulses gave the velocity `solved` at the start of it: it flies freely.
///
/// Impulses act at one orientation and the flight keeps angular momentum and energy, whatever the shape. With part of the
/// momentum at one orientation and part at another a slender body gains energy: the same momentum about its thin axis is
/// hundreds of times as much. Round bodies, which feel no gyroscopic term, take the short way.
#[cfg_attr(feature = "gpu", cube)]
pub fn end_of_step(orientation: Quat, solved: Vec6, body_inertia: Sym3, body_inverse: Sym3, h: Real) -> EndOfStep {
    let mut angular = solved.a;
    let mut turned = solved.a.scale(h);
    if asphericity(body_inertia) > ROUND {
        let still = solved.a.scale(0.0);
        let flight = rotation::free_rotation(orientation, solved.a, still, body_inertia, body_inverse, h);
        angular = flight.angular_velocity;
        turned = flight.rotation;
    }
    let end = rotation::exp(turned).mul(orientation).normalize();
    EndOfStep { displacement: solved.l.scale(h), orientation: end, velocity: Vec6 { l: solved.l, a: angular } }
}
