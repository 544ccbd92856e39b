//! Cylinder.

use drystone_kernels::elementary::powi;
use std::f64::consts::PI;

use glamx::DVec3;

use super::solid::{positive, symmetric_aabb};
use super::{Projection, ShapeError, Solid, Tessellation, revolve};
use crate::ray::EarliestHit;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// Right circular cylinder along Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius \[m\].
    pub radius: f64,
    /// Half the height \[m\].
    pub half_height: f64,
}

impl Cylinder {
    /// Half outline (distance from the axis, height), top to bottom.
    fn profile(&self) -> [(f64, f64); 4] {
        let (r, h) = (self.radius, self.half_height);
        [(0.0, h), (r, h), (r, -h), (0.0, -h)]
    }
}

impl Solid for Cylinder {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("cylinder", "radius", self.radius)?;
        positive("cylinder", "half_height", self.half_height)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        symmetric_aabb(self, pose)
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        revolve::rim(self.radius, direction) + DVec3::Z * self.half_height.copysign(direction.z)
    }

    fn volume(&self) -> f64 {
        PI * powi(self.radius, 2) * 2.0 * self.half_height
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let mass = density * self.volume();
        let (r2, h2) = (powi(self.radius, 2), powi(self.half_height, 2));
        let across = mass * (r2 / 4.0 + h2 / 3.0);
        Ok(MassProperties::centered(mass, DVec3::new(across, across, 0.5 * mass * r2)))
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut earliest = EarliestHit::new(max_time);
        for time in revolve::tube_crossings(ray, self.radius).into_iter().flatten() {
            let p = ray.at(time);
            if p.z.abs() <= self.half_height {
                earliest.offer(time, || revolve::radial(p));
            }
        }
        revolve::offer_disc(&mut earliest, ray, self.half_height, self.radius, DVec3::Z);
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
