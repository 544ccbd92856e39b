//! General 3×3 matrices by rows.

use super::super::Real;
use super::sym3::Sym3;
use super::vec3::Vec3;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A 3×3 matrix of three rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Mat3 {
    /// First row.
    pub r0: Vec3,
    /// Second row.
    pub r1: Vec3,
    /// Third row.
    pub r2: Vec3,
}

#[cfg_attr(feature = "gpu", cube)]
impl Mat3 {
    /// `s · [v]×`, the matrix with `M w = s v × w`.
    #[inline(always)]
    pub fn scaled_cross(v: Vec3, s: Real) -> Mat3 {
        Mat3 {
            r0: Vec3 { x: 0.0, y: -s * v.z, z: s * v.y },
            r1: Vec3 { x: s * v.z, y: 0.0, z: -s * v.x },
            r2: Vec3 { x: -s * v.y, y: s * v.x, z: 0.0 },
        }
    }

    /// `a bᵀ`.
    #[inline(always)]
    pub fn outer(a: Vec3, b: Vec3) -> Mat3 {
        Mat3 { r0: b.scale(a.x), r1: b.scale(a.y), r2: b.scale(a.z) }
    }

    /// `self + b`.
    #[inline(always)]
    pub fn add(self, b: Mat3) -> Mat3 {
        Mat3 { r0: self.r0.add(b.r0), r1: self.r1.add(b.r1), r2: self.r2.add(b.r2) }
    }

    /// `s · self`.
    #[inline(always)]
    pub fn scale(self, s: Real) -> Mat3 {
        Mat3 { r0: self.r0.scale(s), r1: self.r1.scale(s), r2: self.r2.scale(s) }
    }

    /// `self · v`.
    #[inline(always)]
    pub fn mul(self, v: Vec3) -> Vec3 {
        Vec3 { x: self.r0.dot(v), y: self.r1.dot(v), z: self.r2.dot(v) }
    }

    /// `selfᵀ · v`.
    #[inline(always)]
    pub fn mul_transposed(self, v: Vec3) -> Vec3 {
        self.r0.scale(v.x).add(self.r1.scale(v.y)).add(self.r2.scale(v.z))
    }

    /// `self · d · selfᵀ` for a symmetric `d`.
    #[inline(always)]
    pub fn congruence(self, d: Sym3) -> Sym3 {
        let a0 = d.mul(self.r0);
        let a1 = d.mul(self.r1);
        let a2 = d.mul(self.r2);
        Sym3 {
            xx: self.r0.dot(a0),
            xy: self.r0.dot(a1),
            xz: self.r0.dot(a2),
            yy: self.r1.dot(a1),
            yz: self.r1.dot(a2),
            zz: self.r2.dot(a2),
        }
    }
}
