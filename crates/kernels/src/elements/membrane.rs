//! A membrane triangle by Green's strain (Saint Venant–Kirchhoff): cloth, whose strains are small and whose turns are not.

use super::super::Real;
use super::super::math::{Mat3, Vec3};
use super::sym2::Sym2;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// How a sheet answers to strain \[N/m\]: stress `(xx, yy, xy)` of strain `(xx, yy, xy)`. Warp is the first material axis, weft the
/// second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct SheetModuli {
    /// Stress along warp per strain along warp.
    pub warp: Real,
    /// Stress along weft per strain along weft.
    pub weft: Real,
    /// Stress along one per strain along the other.
    pub coupling: Real,
    /// Half the shear stress per shear strain.
    pub shear: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl SheetModuli {
    /// The same in all directions, from Lamé's constants of the sheet \[N/m\].
    #[inline(always)]
    pub fn isotropic(mu: Real, lambda: Real) -> SheetModuli {
        SheetModuli { warp: lambda + 2.0 * mu, weft: lambda + 2.0 * mu, coupling: lambda, shear: mu }
    }

    /// `s · self`.
    #[inline(always)]
    pub fn scale(self, s: Real) -> SheetModuli {
        SheetModuli { warp: self.warp * s, weft: self.weft * s, coupling: self.coupling * s, shear: self.shear * s }
    }

    /// Stress of a strain \[N/m\].
    #[inline(always)]
    pub fn stress(self, strain: Sym2) -> Sym2 {
        Sym2 {
            xx: self.warp * strain.xx + self.coupling * strain.yy,
            yy: self.coupling * strain.xx + self.weft * strain.yy,
            xy: 2.0 * self.shear * strain.xy,
        }
    }
}

/// A triangle as it lies now: the images of its two material axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Membrane {
    /// Image of the warp axis.
    pub f0: Vec3,
    /// Image of the weft axis.
    pub f1: Vec3,
}

#[cfg_attr(feature = "gpu", cube)]
impl Membrane {
    /// The triangle with edges `d0`, `d1` from its first corner, by the inverse of the rest edges, `[[i00, i01], [0, i11]]`.
    #[inline(always)]
    pub fn new(d0: Vec3, d1: Vec3, i00: Real, i01: Real, i11: Real) -> Membrane {
        Membrane { f0: d0.scale(i00), f1: d0.scale(i01).add(d1.scale(i11)) }
    }

    /// Green's strain, `½ (FᵀF − I)`.
    #[inline(always)]
    pub fn strain(self) -> Sym2 {
        Sym2 {
            xx: 0.5 * (self.f0.length_squared() - 1.0),
            yy: 0.5 * (self.f1.length_squared() - 1.0),
            xy: 0.5 * self.f0.dot(self.f1),
        }
    }

    /// Force per area on the particle with weights `(b0, b1)` under a stress \[N/m³ · m²\].
    #[inline(always)]
    pub fn force(self, stress: Sym2, b0: Real, b1: Real) -> Vec3 {
        self.f0.scale(-(stress.xx * b0 + stress.xy * b1)).add(self.f1.scale(-(stress.xy * b0 + stress.yy * b1)))
    }

    /// Block per area between particles with weights `a` and `b`: that of the moduli, and of a stress that pulls
    /// (see [`Sym2::positive_part`]).
    #[inline(always)]
    pub fn block(self, moduli: SheetModuli, pull: Sym2, a0: Real, a1: Real, b0: Real, b1: Real) -> Mat3 {
        let shear_a = self.f0.scale(a1).add(self.f1.scale(a0));
        let shear_b = self.f0.scale(b1).add(self.f1.scale(b0));
        let row0 = self.f0.scale(moduli.warp * a0 * b0).add(self.f1.scale(moduli.coupling * a0 * b1));
        let row1 = self.f1.scale(moduli.weft * a1 * b1).add(self.f0.scale(moduli.coupling * a1 * b0));
        let across = pull.between(a0, a1, b0, b1);
        let mut block = Mat3::outer(self.f0, row0)
            .add(Mat3::outer(self.f1, row1))
            .add(Mat3::outer(shear_a, shear_b.scale(moduli.shear)));
        block.r0.x += across;
        block.r1.y += across;
        block.r2.z += across;
        block
    }
}
