//! A membrane triangle of rubber (stable neo-Hookean): holds its area, survives being crushed.

use super::super::math::{Mat3, Vec3};
use super::super::{Real, TINY};
use super::membrane::Membrane;
use super::sym2::Sym2;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A triangle under the energy `½ μ (tr FᵀF − 2) + ½ Λ (J − 1 − μ/Λ)²` per area, `J` the stretch of area and `Λ = λ + μ`, which
/// at small strain is Hooke's law of Lamé's constants μ and λ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct RubberSheet {
    /// Where it lies.
    pub at: Membrane,
    /// Normal of unit length.
    pub normal: Vec3,
    /// Stretch of area.
    pub area: Real,
    /// μ \[N/m\].
    pub mu: Real,
    /// Λ \[N/m\].
    pub bulk: Real,
    /// Slope of the energy along the stretch of area \[N/m\].
    pub pressure: Real,
    /// Stiffness across the sheet that its tension gives it, by material axes \[N/m\].
    across: Sym2,
}

#[cfg_attr(feature = "gpu", cube)]
impl RubberSheet {
    /// The state of a triangle with Lamé's constants of the sheet \[N/m\], of which `mu` is positive.
    #[inline(always)]
    pub fn new(at: Membrane, mu: Real, lambda: Real) -> RubberSheet {
        let spanned = at.f0.cross(at.f1);
        let area = spanned.length();
        let normal = spanned.scale(1.0 / (area + TINY));
        let bulk = lambda + mu;
        let pressure = bulk * (area - 1.0) - mu;
        let share = pressure / (area + TINY);
        let across = Sym2 {
            xx: mu + share * at.f1.length_squared(),
            yy: mu + share * at.f0.length_squared(),
            xy: -share * at.f0.dot(at.f1),
        };
        RubberSheet { at, normal, area, mu, bulk, pressure, across: across.positive_part() }
    }

    /// Energy per area \[J/m²\].
    #[inline(always)]
    pub fn energy(self) -> Real {
        let stretched = self.at.f0.length_squared() + self.at.f1.length_squared() - 2.0;
        0.5 * self.mu * stretched + 0.5 * self.pressure * self.pressure / self.bulk
            - 0.5 * self.mu * self.mu / self.bulk
    }

    /// How the stretch of area changes with the particle of weights `(b0, b1)`.
    #[inline(always)]
    fn area_slope(self, b0: Real, b1: Real) -> Vec3 {
        self.at.f1.cross(self.normal).scale(b0).add(self.normal.cross(self.at.f0).scale(b1))
    }

    /// Force per area on the particle with weights `(b0, b1)`.
    #[inline(always)]
    pub fn force(self, b0: Real, b1: Real) -> Vec3 {
        let pulled = self.at.f0.scale(b0).add(self.at.f1.scale(b1));
        pulled.scale(-self.mu).add_scaled(self.area_slope(b0, b1), -self.pressure)
    }

    /// Block per area between particles with weights `a` and `b`.
    #[inline(always)]
    pub fn block(self, a0: Real, a1: Real, b0: Real, b1: Real) -> Mat3 {
        let n = self.normal;
        let along = self.mu * (a0 * b0 + a1 * b1);
        let across = self.across.between(a0, a1, b0, b1) - along;
        // What turns in the plane may be as negative as the shear is positive, not more.
        let turn = self.pressure.max(-self.mu).min(self.mu) * (a0 * b1 - a1 * b0);
        let mut block = Mat3::outer(n, n.scale(across))
            .add(Mat3::outer(self.area_slope(a0, a1), self.area_slope(b0, b1).scale(self.bulk)))
            .add(Mat3::scaled_cross(n, -turn));
        block.r0.x += along;
        block.r1.y += along;
        block.r2.z += along;
        block
    }
}
