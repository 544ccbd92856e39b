//! Ball.

use drystone_kernels::elementary::powi;
use std::f64::consts::PI;

use glamx::DVec3;

use super::solid::{direction_or, positive};
use super::{Projection, ShapeError, Solid, Tessellation, revolve};
use crate::ray::{EarliestHit, half_quadratic_roots};
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// Ball about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Radius \[m\].
    pub radius: f64,
}

impl Solid for Sphere {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("sphere", "radius", self.radius)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        Aabb::from_center_half(pose.translation, DVec3::splat(self.radius))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.radius * direction_or(direction, DVec3::Z)
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * powi(self.radius, 3)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let mass = density * self.volume();
        Ok(MassProperties::centered(mass, DVec3::splat(0.4 * mass * powi(self.radius, 2))))
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut earliest = EarliestHit::new(max_time);
        for time in sphere_crossings(ray, DVec3::ZERO, self.radius)? {
            earliest.offer(time, || direction_or(ray.at(time), DVec3::Z));
        }
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        let normal = direction_or(point, DVec3::Z);
        Projection { point: self.radius * normal, normal, distance: point.length() - self.radius }
    }

    fn to_mesh(&self, options: &Tessellation) -> TriMesh {
        revolve::ball_mesh(options.segments, |unit| self.radius * unit)
    }
}

/// Times at which the line of `ray` crosses a sphere.
pub(super) fn sphere_crossings(ray: &Ray, center: DVec3, radius: f64) -> Option<[f64; 2]> {
    // Measured from the point of closest approach, far origins keep their digits.
    let a = ray.direction.length_squared();
    let middle = (center - ray.origin).dot(ray.direction) / a;
    let approach = ray.at(middle) - center;
    let [t0, t1] = half_quadratic_roots(a, approach.dot(ray.direction), approach.length_squared() - radius * radius)?;
    Some([middle + t0, middle + t1])
}
