//! Exponential map, its inverse, and the free rotation of a rigid body.

use super::Real;
use super::math::{Quat, Sym3, Vec3};
use super::real::{atan2, cos, sin};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// Half angles below this use the series; the next term is then below `f64` round-off.
const SMALL_HALF_ANGLE: Real = 1.0e-3;

/// The rotation by `|v|` radians about `v`.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn exp(v: Vec3) -> Quat {
    let half_squared = 0.25 * v.length_squared();
    let half = half_squared.sqrt();
    let mut sinc = 1.0 - half_squared / 6.0 + half_squared * half_squared / 120.0;
    let mut w = 1.0 - half_squared / 2.0 + half_squared * half_squared / 24.0;
    if half > SMALL_HALF_ANGLE {
        sinc = sin(half) / half;
        w = cos(half);
    }
    let s = 0.5 * sinc;
    Quat { x: v.x * s, y: v.y * s, z: v.z * s, w }
}

/// The rotation vector of a unit quaternion, of length at most π.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn log(q: Quat) -> Vec3 {
    let mut p = q;
    if q.w < 0.0 {
        p = Quat { x: -q.x, y: -q.y, z: -q.z, w: -q.w };
    }
    let v = Vec3 { x: p.x, y: p.y, z: p.z };
    let s = v.length();
    let ratio = s / p.w;
    // atan(r)/r by its series where the quotient would lose digits.
    let mut factor = 2.0 / p.w * (1.0 - ratio * ratio / 3.0 + ratio * ratio * ratio * ratio / 5.0);
    if s > SMALL_HALF_ANGLE {
        factor = 2.0 * atan2(s, p.w) / s;
    }
    v.scale(factor)
}

/// Squared half angle up to which the series of [`exp_near`] and [`log_near`] hold to single precision.
const NEAR: Real = 0.09;

/// As [`exp`], by its series where that is as good: the sine of a device may be off by more than rounding.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn exp_near(v: Vec3) -> Quat {
    let x = 0.25 * v.length_squared();
    let mut turn = exp(v);
    if x < NEAR {
        let s = 0.5 * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0)));
        let w = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0)));
        turn = Quat { x: v.x * s, y: v.y * s, z: v.z * s, w };
    }
    turn
}

/// As [`log`], by the series of the arc sine where that is as good, likewise.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn log_near(q: Quat) -> Vec3 {
    let v = Vec3 { x: q.x, y: q.y, z: q.z };
    let x = v.length_squared();
    let mut turn = log(q);
    if x < NEAR && q.w > 0.0 {
        let series = x * (15.0 / 336.0 + x * (105.0 / 3456.0 + x * (945.0 / 42240.0)));
        turn = v.scale(2.0 * (1.0 + x * (1.0 / 6.0 + x * (3.0 / 40.0 + series))));
    }
    turn
}

/// Inertia `R I Rᵀ` in the world frame from the tensor in body axes.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn world_inertia(q: Quat, body_inertia: Sym3) -> Sym3 {
    q.matrix().congruence(body_inertia)
}

/// How a body turns in a step under a constant torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct FreeRotation {
    /// Rotation vector from start to end, world frame \[rad\].
    pub rotation: Vec3,
    /// Angular velocity at the end, world frame \[rad/s\].
    pub angular_velocity: Vec3,
}

/// Largest turn per Runge–Kutta stage set \[rad\]; keeps the energy error of a step near 1e-7.
const MAX_TURN: Real = 0.125;

/// Rotation of a free body over `h` seconds.
///
/// Integrates the orientation alone, with the angular momentum `L₀ + τ t` as given, so that angular
/// momentum is exact to round-off and gyroscopic precession needs no small step to stay stable.
#[cfg_attr(feature = "gpu", cube)]
pub fn free_rotation(
    orientation: Quat,
    angular_velocity: Vec3,
    torque: Vec3,
    body_inertia: Sym3,
    body_inverse: Sym3,
    h: Real,
) -> FreeRotation {
    let end = free_flight(orientation, angular_velocity, torque, body_inertia, body_inverse, h);
    FreeRotation { rotation: log(end.turn), angular_velocity: end.angular_velocity }
}

/// As [`FreeRotation`], with the turn as a quaternion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct FreeFlight {
    /// Rotation from start to end, world frame.
    pub turn: Quat,
    /// Angular velocity at the end, world frame \[rad/s\].
    pub angular_velocity: Vec3,
}

/// As [`free_rotation`], with the turn as a quaternion.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn free_flight(
    orientation: Quat,
    angular_velocity: Vec3,
    torque: Vec3,
    body_inertia: Sym3,
    body_inverse: Sym3,
    h: Real,
) -> FreeFlight {
    let start = world_inertia(orientation, body_inertia).mul(angular_velocity);
    let end = start.add_scaled(torque, h);
    let fastest = angular_velocity.length().max(spin(orientation, end, body_inverse).length());
    let steps = (fastest * h / MAX_TURN).floor().min(MAX_SPIN_STEPS) as u32 + 1u32;
    let dt = h / steps as Real;
    let mut q = orientation;
    for i in 0..steps {
        let t = i as Real * dt;
        let l0 = start.add_scaled(torque, t);
        let l1 = start.add_scaled(torque, t + 0.5 * dt);
        let l2 = start.add_scaled(torque, t + dt);
        let k1 = rate(q, l0, body_inverse);
        let k2 = rate(moved(q, k1, 0.5 * dt), l1, body_inverse);
        let k3 = rate(moved(q, k2, 0.5 * dt), l1, body_inverse);
        let k4 = rate(moved(q, k3, dt), l2, body_inverse);
        let sixth = dt / 6.0;
        let third = dt / 3.0;
        q = moved(moved(moved(moved(q, k1, sixth), k2, third), k3, third), k4, sixth).normalize();
    }
    FreeFlight { turn: q.mul(orientation.conjugate()), angular_velocity: spin(q, end, body_inverse) }
}

/// Turn in a step below which [`slow_rotation`] does for [`free_rotation`]: its cube is round-off of an orientation \[rad\].
pub const SLOW_TURN: Real = 1.0e-5;

/// As [`free_rotation`] without a torque, for turns below [`SLOW_TURN`]: to second order in the turn, at a sixth of the price.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn slow_rotation(
    orientation: Quat,
    angular_velocity: Vec3,
    body_inertia: Sym3,
    body_inverse: Sym3,
    h: Real,
) -> FreeRotation {
    let spin = orientation.conjugate().rotate(angular_velocity);
    let momentum = body_inertia.mul(spin);
    let rate = body_inverse.mul(momentum.cross(spin));
    let turn = spin.scale(h).add_scaled(rate, 0.5 * h * h);
    // The momentum stands still in the world and turns back in the body.
    let back = turn.cross(momentum);
    let left = body_inverse.mul(momentum.sub(back).add_scaled(turn.cross(back), 0.5));
    let ahead = turn.cross(left);
    let end = left.add(ahead).add_scaled(turn.cross(ahead), 0.5);
    FreeRotation { rotation: orientation.rotate(turn), angular_velocity: orientation.rotate(end) }
}

/// Most Runge–Kutta steps per time step; bounds the work for absurd spins.
const MAX_SPIN_STEPS: Real = 256.0;

/// Angular velocity of a body with angular momentum `l`.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
fn spin(q: Quat, l: Vec3, body_inverse: Sym3) -> Vec3 {
    world_inertia(q, body_inverse).mul(l)
}

/// Rate of change `½ ω ⊗ q` of the orientation.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
fn rate(q: Quat, l: Vec3, body_inverse: Sym3) -> Quat {
    let w = spin(q.normalize(), l, body_inverse);
    Quat { x: 0.5 * w.x, y: 0.5 * w.y, z: 0.5 * w.z, w: 0.0 }.mul(q)
}

/// `q + s · rate`, component by component.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
fn moved(q: Quat, rate: Quat, s: Real) -> Quat {
    Quat { x: q.x + s * rate.x, y: q.y + s * rate.y, z: q.z + s * rate.z, w: q.w + s * rate.w }
}
