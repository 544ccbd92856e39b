//! Three-component vectors.

use super::super::Real;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A vector of three components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Vec3 {
    /// First component.
    pub x: Real,
    /// Second component.
    pub y: Real,
    /// Third component.
    pub z: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Vec3 {
    /// The vector (x, y, z).
    #[inline(always)]
    pub fn new(x: Real, y: Real, z: Real) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// `self + b`.
    #[inline(always)]
    pub fn add(self, b: Vec3) -> Vec3 {
        Vec3 { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }

    /// `self − b`.
    #[inline(always)]
    pub fn sub(self, b: Vec3) -> Vec3 {
        Vec3 { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }

    /// `self · s`.
    #[inline(always)]
    pub fn scale(self, s: Real) -> Vec3 {
        Vec3 { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    /// `self + b · s`.
    #[inline(always)]
    pub fn add_scaled(self, b: Vec3, s: Real) -> Vec3 {
        Vec3 { x: self.x + b.x * s, y: self.y + b.y * s, z: self.z + b.z * s }
    }

    /// `−self`.
    #[inline(always)]
    pub fn neg(self) -> Vec3 {
        Vec3 { x: -self.x, y: -self.y, z: -self.z }
    }

    /// Inner product.
    #[inline(always)]
    pub fn dot(self, b: Vec3) -> Real {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    /// Cross product `self × b`.
    #[inline(always)]
    pub fn cross(self, b: Vec3) -> Vec3 {
        Vec3 { x: self.y * b.z - self.z * b.y, y: self.z * b.x - self.x * b.z, z: self.x * b.y - self.y * b.x }
    }

    /// Squared length.
    #[inline(always)]
    pub fn length_squared(self) -> Real {
        self.x * self.x + self.y * self.y + self.z * self.z
    }

    /// Length.
    #[inline(always)]
    pub fn length(self) -> Real {
        (self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
    }

    /// The part of `self` perpendicular to the unit vector `n`.
    #[inline(always)]
    pub fn reject(self, n: Vec3) -> Vec3 {
        let along = self.x * n.x + self.y * n.y + self.z * n.z;
        Vec3 { x: self.x - n.x * along, y: self.y - n.y * along, z: self.z - n.z * along }
    }
}
