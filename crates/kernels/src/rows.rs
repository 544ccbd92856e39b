//! Blocks of up to three constraint rows between two bodies: locked axes of any joint, stops, drives,
//! friction, contacts. The velocity-level twin of a point constraint, with bounds.
//!
//! A row's rate is `l·(v₁ − v₀) + a₁·ω₁ + a₀·ω₀`; its multiplier is the impulse along that direction on
//! body 1 \[N·s or N·m·s\]. Rows that are not used have zero directions and a zero inverse.

use super::Real;
use super::math::{Mat3, Sym3, Vec3, Vec6};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// Directions of three rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct RowJacobian {
    /// Linear directions on body 1, one per row; body 0 has the opposite.
    pub linear: Mat3,
    /// Angular directions on body 0.
    pub angular0: Mat3,
    /// Angular directions on body 1.
    pub angular1: Mat3,
}

/// What an impulse may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct RowBounds {
    /// Smallest multipliers.
    pub lower: Vec3,
    /// Largest multipliers.
    pub upper: Vec3,
    /// Friction coefficient: the second and third multiplier stay within this times the first.
    /// Negative for rows without friction.
    pub friction: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl RowJacobian {
    /// Rates of the three rows.
    #[inline(always)]
    pub fn rate(self, v0: Vec6, v1: Vec6) -> Vec3 {
        self.linear.mul(v1.l.sub(v0.l)).add(self.angular1.mul(v1.a)).add(self.angular0.mul(v0.a))
    }

    /// Impulse on body 1.
    #[inline(always)]
    pub fn wrench_on_child(self, p: Vec3) -> Vec6 {
        Vec6 { l: self.linear.mul_transposed(p), a: self.angular1.mul_transposed(p) }
    }

    /// Impulse on body 0.
    #[inline(always)]
    pub fn wrench_on_parent(self, p: Vec3) -> Vec6 {
        Vec6 { l: self.linear.mul_transposed(p).neg(), a: self.angular0.mul_transposed(p) }
    }

    /// Share of body 0 in the Delassus block.
    #[inline(always)]
    pub fn mobility0(self, inverse_mass: Real, inverse_inertia: Sym3) -> Sym3 {
        let mass = Sym3::scaled_identity(inverse_mass);
        self.linear.congruence(mass).add(self.angular0.congruence(inverse_inertia))
    }

    /// Share of body 1 in the Delassus block.
    #[inline(always)]
    pub fn mobility1(self, inverse_mass: Real, inverse_inertia: Sym3) -> Sym3 {
        let mass = Sym3::scaled_identity(inverse_mass);
        self.linear.congruence(mass).add(self.angular1.congruence(inverse_inertia))
    }
}

/// The multipliers after a Jacobi step: `p − γ D⁻¹ (rate + bias + s p)`, not yet within bounds. `softness`
/// s \[1/kg or 1/(kg·m²)\] is the inverse of an implicit spring's effective mass; zero is hard.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn row_step(p: Vec3, inverse: Sym3, rate: Vec3, bias: Vec3, softness: Vec3, relaxation: Real) -> Vec3 {
    let yielding = Vec3 { x: softness.x * p.x, y: softness.y * p.y, z: softness.z * p.z };
    p.add_scaled(inverse.mul(rate.add(bias).add(yielding)), -relaxation)
}

/// The nearest multipliers within bounds; friction is cut back to the cone of the normal one.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn within_bounds(p: Vec3, bounds: RowBounds) -> Vec3 {
    let x = p.x.max(bounds.lower.x).min(bounds.upper.x);
    let mut y = p.y.max(bounds.lower.y).min(bounds.upper.y);
    let mut z = p.z.max(bounds.lower.z).min(bounds.upper.z);
    if bounds.friction >= 0.0 {
        let cone = bounds.friction * x;
        let squared = y * y + z * z;
        if squared > cone * cone {
            let share = cone / squared.sqrt();
            y *= share;
            z *= share;
        }
    }
    Vec3 { x, y, z }
}

/// A diagonal that dominates a symmetric matrix: absolute row sums.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn dominating_diagonal(a: Sym3) -> Vec3 {
    let xy = a.xy.abs();
    let xz = a.xz.abs();
    let yz = a.yz.abs();
    Vec3 { x: a.xx + xy + xz, y: a.yy + xy + yz, z: a.zz + xz + yz }
}
