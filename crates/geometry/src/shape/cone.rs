//! Cone.

use drystone_kernels::elementary::powi;
use std::f64::consts::PI;

use glamx::{DMat3, DVec3};

use super::solid::positive;
use super::{Projection, ShapeError, Solid, Tessellation, revolve};
use crate::ray::{EarliestHit, half_quadratic_roots};
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// Right circular cone along Z: apex at `+half_height`, base disc at `-half_height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Radius of the base \[m\].
    pub radius: f64,
    /// Half the height \[m\].
    pub half_height: f64,
}

impl Cone {
    /// Half outline (distance from the axis, height), top to bottom.
    fn profile(&self) -> [(f64, f64); 3] {
        [(0.0, self.half_height), (self.radius, -self.half_height), (0.0, -self.half_height)]
    }

    fn apex(&self) -> DVec3 {
        DVec3::Z * self.half_height
    }
}

impl Solid for Cone {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("cone", "radius", self.radius)?;
        positive("cone", "half_height", self.half_height)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        // The hull of the apex and the base disc; a disc of normal n reaches r·√(1 − nᵢ²) along axis i.
        let axis = pose.transform_vector(DVec3::Z);
        let reach = self.radius * (DVec3::ONE - axis * axis).max(DVec3::ZERO).map(f64::sqrt);
        let base = pose.translation - self.half_height * axis;
        Aabb::from_center_half(base, reach).grown_to(pose.transform_point(self.apex()))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        let rim = revolve::rim(self.radius, direction) - self.apex();
        if (self.apex() - rim).dot(direction) > 0.0 { self.apex() } else { rim }
    }

    fn volume(&self) -> f64 {
        PI * powi(self.radius, 2) * 2.0 * self.half_height / 3.0
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let mass = density * self.volume();
        let (r2, h2) = (powi(self.radius, 2), powi(self.half_height, 2));
        let across = mass * 0.15 * (r2 + h2);
        let inertia = DMat3::from_diagonal(DVec3::new(across, across, 0.3 * mass * r2));
        Ok(MassProperties { mass, com: DVec3::Z * (-0.5 * self.half_height), inertia })
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        // On the mantle x² + y² = k² (h − z)², with k the slope of the side.
        let slope = self.radius / (2.0 * self.half_height);
        let (o, d) = (ray.origin - self.apex(), ray.direction);
        let form = |a: DVec3, b: DVec3| a.x * b.x + a.y * b.y - slope * slope * a.z * b.z;
        let mut earliest = EarliestHit::new(max_time);
        for time in half_quadratic_roots(form(d, d), form(o, d), form(o, o)).into_iter().flatten() {
            let p = ray.at(time);
            if p.z.abs() <= self.half_height {
                earliest.offer(time, || (revolve::radial(p) + slope * DVec3::Z).normalize());
            }
        }
        revolve::offer_disc(&mut earliest, ray, -self.half_height, self.radius, DVec3::NEG_Z);
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        revolve::project(&self.profile(), point)
    }

    fn to_mesh(&self, options: &Tessellation) -> TriMesh {
        revolve::mesh(options.segments, &self.profile())
    }
}
