//! The 6×6 block of a rigid body and its solution by two packed 3×3 Cholesky factors.

use super::super::Real;
use super::mat3::Mat3;
use super::sym3::Sym3;
use super::vec3::Vec3;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A linear and an angular part: a displacement (m, rad) or a force (N, N·m).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Vec6 {
    /// Linear part.
    pub l: Vec3,
    /// Angular part.
    pub a: Vec3,
}

#[cfg_attr(feature = "gpu", cube)]
impl Vec6 {
    /// `self + b`.
    #[inline(always)]
    pub fn add(self, b: Vec6) -> Vec6 {
        Vec6 { l: self.l.add(b.l), a: self.a.add(b.a) }
    }

    /// `self − b`.
    #[inline(always)]
    pub fn sub(self, b: Vec6) -> Vec6 {
        Vec6 { l: self.l.sub(b.l), a: self.a.sub(b.a) }
    }

    /// `s · self`.
    #[inline(always)]
    pub fn scale(self, s: Real) -> Vec6 {
        Vec6 { l: self.l.scale(s), a: self.a.scale(s) }
    }

    /// Inner product.
    #[inline(always)]
    pub fn dot(self, b: Vec6) -> Real {
        self.l.dot(b.l) + self.a.dot(b.a)
    }

    /// Displacement of the point at lever `r` under this small motion.
    #[inline(always)]
    pub fn at(self, r: Vec3) -> Vec3 {
        self.l.add(self.a.cross(r))
    }
}

/// A symmetric 6×6 matrix `[[ll, alᵀ], [al, aa]]`, linear rows first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Block6 {
    /// Linear-linear.
    pub ll: Sym3,
    /// Angular rows, linear columns.
    pub al: Mat3,
    /// Angular-angular.
    pub aa: Sym3,
}

#[cfg_attr(feature = "gpu", cube)]
impl Block6 {
    /// `self + b`.
    #[inline(always)]
    pub fn add(self, b: Block6) -> Block6 {
        Block6 { ll: self.ll.add(b.ll), al: self.al.add(b.al), aa: self.aa.add(b.aa) }
    }

    /// `self · v`.
    #[inline(always)]
    pub fn mul(self, v: Vec6) -> Vec6 {
        Vec6 { l: self.ll.mul(v.l).add(self.al.mul_transposed(v.a)), a: self.al.mul(v.l).add(self.aa.mul(v.a)) }
    }

    /// Solves `self · x = f`: eliminates the linear part, solves the 3×3 Schur complement for the
    /// angular part, substitutes back. `self` must be positive definite.
    #[inline(always)]
    pub fn solve(self, f: Vec6) -> Vec6 {
        let l = self.ll.cholesky();
        // Columns of ll⁻¹ alᵀ, one per angular row.
        let x0 = l.solve(self.al.r0);
        let x1 = l.solve(self.al.r1);
        let x2 = l.solve(self.al.r2);
        let schur = Sym3 {
            xx: self.aa.xx - self.al.r0.dot(x0),
            xy: self.aa.xy - self.al.r0.dot(x1),
            xz: self.aa.xz - self.al.r0.dot(x2),
            yy: self.aa.yy - self.al.r1.dot(x1),
            yz: self.aa.yz - self.al.r1.dot(x2),
            zz: self.aa.zz - self.al.r2.dot(x2),
        };
        let rhs = Vec3 { x: f.a.x - x0.dot(f.l), y: f.a.y - x1.dot(f.l), z: f.a.z - x2.dot(f.l) };
        let a = schur.cholesky().solve(rhs);
        let lin = l.solve(f.l).sub(x0.scale(a.x)).sub(x1.scale(a.y)).sub(x2.scale(a.z));
        Vec6 { l: lin, a }
    }
}
