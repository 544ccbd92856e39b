//! Volume integrals over the solid inside a closed mesh, in closed form.

use glamx::{DMat3, DVec3};

use super::TriMesh;
use crate::MassProperties;
use crate::mass::outer;

/// `∫1`, `∫(x−o)` and `∫(x−o)(x−o)ᵀ` over a solid, about a reference point `o` inside its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidMoments {
    /// Signed volume \[m³\]: negative if the mesh is inside out.
    pub volume: f64,
    /// First moment \[m⁴\].
    pub first: DVec3,
    /// Second moment \[m⁵\].
    pub second: DMat3,
    /// The reference point \[m\].
    pub reference: DVec3,
}

impl SolidMoments {
    /// Centre of volume \[m\].
    pub fn centroid(&self) -> DVec3 {
        self.reference + self.first / self.volume
    }

    /// Mass properties at a uniform `density` \[kg/m³\].
    pub fn mass_properties(&self, density: f64) -> MassProperties {
        let about = MassProperties::from_moments(density * self.volume, density * self.first, density * self.second);
        MassProperties { com: self.reference + about.com, ..about }
    }
}

impl TriMesh {
    /// Integrals over the enclosed solid, as the sum of signed tetrahedra between every triangle and a common point.
    /// Holds for any closed surface; means nothing for an open one.
    pub fn solid_moments(&self) -> SolidMoments {
        // About the middle of the mesh: far from the origin the tetrahedra would be huge and cancel.
        let reference = self.bounds().center();
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in self.all_corners() {
            let [a, b, c] = corners.map(|p| p - reference);
            let det = a.dot(b.cross(c));
            let t = a + b + c;
            volume += det;
            first += det * t;
            second += det * (outer(a, a) + outer(b, b) + outer(c, c) + outer(t, t));
        }
        SolidMoments { volume: volume / 6.0, first: first / 24.0, second: second * (1.0 / 120.0), reference }
    }
}
