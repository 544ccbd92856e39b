//! Packed symmetric 3×3 matrices and their Cholesky factors.

use super::super::Real;
use super::vec3::Vec3;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A symmetric 3×3 matrix, six numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Sym3 {
    /// Entry (0, 0).
    pub xx: Real,
    /// Entry (0, 1).
    pub xy: Real,
    /// Entry (0, 2).
    pub xz: Real,
    /// Entry (1, 1).
    pub yy: Real,
    /// Entry (1, 2).
    pub yz: Real,
    /// Entry (2, 2).
    pub zz: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Sym3 {
    /// `s` times the identity.
    #[inline(always)]
    pub fn scaled_identity(s: Real) -> Sym3 {
        Sym3 { xx: s, xy: 0.0, xz: 0.0, yy: s, yz: 0.0, zz: s }
    }

    /// `s · v vᵀ`.
    #[inline(always)]
    pub fn scaled_outer(v: Vec3, s: Real) -> Sym3 {
        let sx = s * v.x;
        let sy = s * v.y;
        let sz = s * v.z;
        Sym3 { xx: sx * v.x, xy: sx * v.y, xz: sx * v.z, yy: sy * v.y, yz: sy * v.z, zz: sz * v.z }
    }

    /// `s · [r]× [r]×ᵀ = s (|r|² I − r rᵀ)`: the rotational stiffness of a spring `s` at lever `r`.
    #[inline(always)]
    pub fn scaled_lever(r: Vec3, s: Real) -> Sym3 {
        let xx = r.x * r.x;
        let yy = r.y * r.y;
        let zz = r.z * r.z;
        Sym3 {
            xx: s * (yy + zz),
            xy: -s * r.x * r.y,
            xz: -s * r.x * r.z,
            yy: s * (xx + zz),
            yz: -s * r.y * r.z,
            zz: s * (xx + yy),
        }
    }

    /// `self + b`.
    #[inline(always)]
    pub fn add(self, b: Sym3) -> Sym3 {
        Sym3 {
            xx: self.xx + b.xx,
            xy: self.xy + b.xy,
            xz: self.xz + b.xz,
            yy: self.yy + b.yy,
            yz: self.yz + b.yz,
            zz: self.zz + b.zz,
        }
    }

    /// `s · self`.
    #[inline(always)]
    pub fn scale(self, s: Real) -> Sym3 {
        Sym3 { xx: self.xx * s, xy: self.xy * s, xz: self.xz * s, yy: self.yy * s, yz: self.yz * s, zz: self.zz * s }
    }

    /// `self · v`.
    #[inline(always)]
    pub fn mul(self, v: Vec3) -> Vec3 {
        Vec3 {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }

    /// `vᵀ · self · v`.
    #[inline(always)]
    pub fn quadratic(self, v: Vec3) -> Real {
        let w = self.mul(v);
        w.dot(v)
    }

    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(self) -> Real {
        self.xx + self.yy + self.zz
    }

    /// Cholesky factor of a positive definite matrix. A pivot that is not positive, which only
    /// round-off can cause, is lifted to a tiny share of the trace instead of giving NaN.
    #[inline(always)]
    pub fn cholesky(self) -> Cholesky3 {
        let floor = (self.xx + self.yy + self.zz) * PIVOT_FLOOR;
        let l00 = self.xx.max(floor).sqrt();
        let i00 = 1.0 / l00;
        let l10 = self.xy * i00;
        let l20 = self.xz * i00;
        let l11 = (self.yy - l10 * l10).max(floor).sqrt();
        let i11 = 1.0 / l11;
        let l21 = (self.yz - l20 * l10) * i11;
        let l22 = (self.zz - l20 * l20 - l21 * l21).max(floor).sqrt();
        Cholesky3 { i00, l10, i11, l20, l21, i22: 1.0 / l22 }
    }
}

/// Smallest accepted pivot as a share of the trace: far below `f64` round-off of sane matrices,
/// and above the smallest normal number in either precision.
pub const PIVOT_FLOOR: Real = 1.0e-20;

/// Lower Cholesky factor with inverted diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Cholesky3 {
    /// Inverse of entry (0, 0).
    pub i00: Real,
    /// Entry (1, 0).
    pub l10: Real,
    /// Inverse of entry (1, 1).
    pub i11: Real,
    /// Entry (2, 0).
    pub l20: Real,
    /// Entry (2, 1).
    pub l21: Real,
    /// Inverse of entry (2, 2).
    pub i22: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Cholesky3 {
    /// Solves `L Lᵀ x = b`.
    #[inline(always)]
    pub fn solve(self, b: Vec3) -> Vec3 {
        let y0 = b.x * self.i00;
        let y1 = (b.y - self.l10 * y0) * self.i11;
        let y2 = (b.z - self.l20 * y0 - self.l21 * y1) * self.i22;
        let z = y2 * self.i22;
        let y = (y1 - self.l21 * z) * self.i11;
        let x = (y0 - self.l10 * y - self.l20 * z) * self.i00;
        Vec3 { x, y, z }
    }

    /// The inverse `(L Lᵀ)⁻¹` as a matrix.
    #[inline(always)]
    pub fn inverse(self) -> Sym3 {
        // Columns of L⁻¹ below its diagonal.
        let m10 = -self.l10 * self.i00 * self.i11;
        let m21 = -self.l21 * self.i11 * self.i22;
        let m20 = -(self.l20 * self.i00 + self.l21 * m10) * self.i22;
        Sym3 {
            xx: self.i00 * self.i00 + m10 * m10 + m20 * m20,
            xy: m10 * self.i11 + m20 * m21,
            xz: m20 * self.i22,
            yy: self.i11 * self.i11 + m21 * m21,
            yz: m21 * self.i22,
            zz: self.i22 * self.i22,
        }
    }
}
