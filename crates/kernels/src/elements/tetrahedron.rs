//! A tetrahedron of rubber (stable neo-Hookean): right at small strain, firm when crushed, and finite when turned inside out.

use super::super::math::{Mat3, Vec3};
use super::super::{Real, TINY};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A tetrahedron under the energy `½ μ (tr FᵀF − 3) + ½ Λ (J − 1 − μ/Λ)²` per volume, `J = det F` and `Λ = λ + μ`, which at small
/// strain is Hooke's law of Lamé's constants μ and λ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Tetrahedron {
    /// Image of the first material axis.
    pub f0: Vec3,
    /// Image of the second.
    pub f1: Vec3,
    /// Image of the third.
    pub f2: Vec3,
    /// Stretch of volume, negative when inside out.
    pub volume: Real,
    /// μ \[Pa\].
    pub mu: Real,
    /// Λ \[Pa\].
    pub bulk: Real,
    /// Slope of the energy along the stretch of volume \[Pa\].
    pub pressure: Real,
    /// As much of the pressure as the matrix may carry without becoming negative \[Pa\].
    carried: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Tetrahedron {
    /// The state of a deformation gradient with columns `f0`, `f1`, `f2`, by Lamé's constants \[Pa\], of which `mu` is positive.
    #[inline(always)]
    pub fn new(f0: Vec3, f1: Vec3, f2: Vec3, mu: Real, lambda: Real) -> Tetrahedron {
        let volume = f0.dot(f1.cross(f2));
        let bulk = lambda + mu;
        let pressure = bulk * (volume - 1.0) - mu;
        // Bound of the largest eigenvalue of FᵀF from its trace and its distance to a multiple of one; exact at rest.
        let mean = (f0.length_squared() + f1.length_squared() + f2.length_squared()) / 3.0;
        let d0 = f0.length_squared() - mean;
        let d1 = f1.length_squared() - mean;
        let d2 = f2.length_squared() - mean;
        let s01 = f0.dot(f1);
        let s02 = f0.dot(f2);
        let s12 = f1.dot(f2);
        let off = d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * (s01 * s01 + s02 * s02 + s12 * s12);
        let stretch = (mean + (off * 2.0 / 3.0).sqrt()).sqrt();
        let most = mu / (stretch + TINY);
        Tetrahedron { f0, f1, f2, volume, mu, bulk, pressure, carried: pressure.max(-most).min(most) }
    }

    /// Energy per volume \[J/m³\], zero at rest.
    #[inline(always)]
    pub fn energy(self) -> Real {
        let stretched = self.f0.length_squared() + self.f1.length_squared() + self.f2.length_squared() - 3.0;
        0.5 * self.mu * stretched + 0.5 * self.pressure * self.pressure / self.bulk
            - 0.5 * self.mu * self.mu / self.bulk
    }

    /// `F · v`.
    #[inline(always)]
    pub fn image(self, v: Vec3) -> Vec3 {
        self.f0.scale(v.x).add(self.f1.scale(v.y)).add(self.f2.scale(v.z))
    }

    /// How the stretch of volume changes with the particle of weights `b`: the cofactors of `F` times `b`.
    #[inline(always)]
    fn volume_slope(self, b: Vec3) -> Vec3 {
        let c0 = self.f1.cross(self.f2);
        let c1 = self.f2.cross(self.f0);
        let c2 = self.f0.cross(self.f1);
        c0.scale(b.x).add(c1.scale(b.y)).add(c2.scale(b.z))
    }

    /// Force per volume on the particle with weights `b`.
    #[inline(always)]
    pub fn force(self, b: Vec3) -> Vec3 {
        self.image(b).scale(-self.mu).add_scaled(self.volume_slope(b), -self.pressure)
    }

    /// Block per volume between particles with weights `a` and `b`.
    #[inline(always)]
    pub fn block(self, a: Vec3, b: Vec3) -> Mat3 {
        let along = self.mu * a.dot(b);
        let mut block = Mat3::outer(self.volume_slope(a), self.volume_slope(b).scale(self.bulk))
            .add(Mat3::scaled_cross(self.image(a.cross(b)), -self.carried));
        block.r0.x += along;
        block.r1.y += along;
        block.r2.z += along;
        block
    }

    /// Green's strain against an earlier state, `½ (FᵀF − F₀ᵀF₀)`, as `F` times it times `b`: what a viscosity of one pushes the
    /// particle of weights `b` back with. Nothing for a body that only turns.
    #[inline(always)]
    pub fn strained_since(self, earlier: Tetrahedron, b: Vec3) -> Vec3 {
        let now = self.image(b);
        let then = earlier.image(b);
        let x = 0.5 * (self.f0.dot(now) - earlier.f0.dot(then));
        let y = 0.5 * (self.f1.dot(now) - earlier.f1.dot(then));
        let z = 0.5 * (self.f2.dot(now) - earlier.f2.dot(then));
        self.image(Vec3::new(x, y, z))
    }

    /// Block of a viscosity of one between particles with weights `a` and `b`.
    #[inline(always)]
    pub fn viscous_block(self, a: Vec3, b: Vec3) -> Mat3 {
        let both = 0.5 * a.dot(b);
        Mat3::outer(self.f0, self.f0.scale(both))
            .add(Mat3::outer(self.f1, self.f1.scale(both)))
            .add(Mat3::outer(self.f2, self.f2.scale(both)))
            .add(Mat3::outer(self.image(b), self.image(a).scale(0.5)))
    }
}
