//! Four vectors at once.

use drystone_kernels::double::math::Vec3;
use drystone_kernels::lanes::{Lanes, Simd4};

use super::rows::Vec3x4;

/// Four vectors in registers.
#[derive(Clone, Copy)]
pub struct SimdVec3<L: Lanes> {
    pub x: Simd4<L>,
    pub y: Simd4<L>,
    pub z: Simd4<L>,
}

impl<L: Lanes> SimdVec3<L> {
    #[inline(always)]
    pub fn load(lanes: L, from: &Vec3x4) -> Self {
        Self { x: Simd4::load(lanes, &from.x), y: Simd4::load(lanes, &from.y), z: Simd4::load(lanes, &from.z) }
    }

    #[inline(always)]
    pub fn splat(lanes: L, v: Vec3) -> Self {
        Self { x: Simd4::splat(lanes, v.x), y: Simd4::splat(lanes, v.y), z: Simd4::splat(lanes, v.z) }
    }

    /// From memory, in lanes like these.
    #[inline(always)]
    pub fn load_like(self, from: &Vec3x4) -> Self {
        Self::load(self.x.lanes(), from)
    }

    /// The same vector four times, in lanes like these.
    #[inline(always)]
    pub fn splat_like(self, v: Vec3) -> Self {
        Self::splat(self.x.lanes(), v)
    }

    /// `a` where `x` is above zero, `b` elsewhere.
    #[inline(always)]
    pub fn choose(x: Simd4<L>, a: Self, b: Self) -> Self {
        Self { x: x.where_positive(a.x, b.x), y: x.where_positive(a.y, b.y), z: x.where_positive(a.z, b.z) }
    }

    #[inline(always)]
    pub fn store(self) -> Vec3x4 {
        Vec3x4 { x: self.x.store(), y: self.y.store(), z: self.z.store() }
    }

    #[inline(always)]
    pub fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }

    #[inline(always)]
    pub fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }

    #[inline(always)]
    pub fn scale(self, s: Simd4<L>) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    #[inline(always)]
    pub fn dot(self, b: Self) -> Simd4<L> {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self { x: self.y * b.z - self.z * b.y, y: self.z * b.x - self.x * b.z, z: self.x * b.y - self.y * b.x }
    }
}
