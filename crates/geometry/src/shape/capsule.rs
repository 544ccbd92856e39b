//! Capsule.

use drystone_kernels::elementary::{cos, powi, sin};
use std::f64::consts::PI;

use glamx::DVec3;

use super::solid::{direction_or, positive, symmetric_aabb};
use super::sphere::sphere_crossings;
use super::{Projection, ShapeError, Solid, Tessellation, revolve};
use crate::ray::EarliestHit;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// Segment along Z swept by a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Radius \[m\].
    pub radius: f64,
    /// Half the length of the segment, caps not included \[m\].
    pub half_height: f64,
}

impl Capsule {
    /// The point of the core segment nearest to `point`.
    fn on_core(&self, point: DVec3) -> DVec3 {
        DVec3::Z * point.z.clamp(-self.half_height, self.half_height)
    }
}

impl Solid for Capsule {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("capsule", "radius", self.radius)?;
        positive("capsule", "half_height", self.half_height)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        symmetric_aabb(self, pose)
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.radius * direction_or(direction, DVec3::Z) + DVec3::Z * self.half_height.copysign(direction.z)
    }

    fn volume(&self) -> f64 {
        PI * powi(self.radius, 2) * (2.0 * self.half_height + 4.0 / 3.0 * self.radius)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let (r, h) = (self.radius, self.half_height);
        let tube = density * PI * r * r * 2.0 * h;
        let caps = density * 4.0 / 3.0 * PI * powi(r, 3);
        let axial = r * r * (0.5 * tube + 0.4 * caps);
        // The caps are one ball cut in half and moved apart by ±h; a half ball's centre lies 3r/8 off the cut.
        let across = tube * (r * r / 4.0 + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
        Ok(MassProperties::centered(tube + caps, DVec3::new(across, across, axial)))
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut earliest = EarliestHit::new(max_time);
        let normal_at = |time: f64| {
            let p = ray.at(time);
            direction_or(p - self.on_core(p), DVec3::Z)
        };
        for time in revolve::tube_crossings(ray, self.radius).into_iter().flatten() {
            if ray.at(time).z.abs() <= self.half_height {
                earliest.offer(time, || normal_at(time));
            }
        }
        for end in [-self.half_height, self.half_height] {
            for time in sphere_crossings(ray, DVec3::Z * end, self.radius).into_iter().flatten() {
                if ray.at(time).z * end.signum() >= self.half_height {
                    earliest.offer(time, || normal_at(time));
                }
            }
        }
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        let core = self.on_core(point);
        let normal = direction_or(point - core, DVec3::X);
        Projection { point: core + self.radius * normal, normal, distance: (point - core).length() - self.radius }
    }

    fn to_mesh(&self, options: &Tessellation) -> TriMesh {
        revolve::mesh(options.segments, &self.profile(options.segments))
    }
}

impl Capsule {
    /// Half outline (distance from the axis, height), top to bottom.
    fn profile(&self, segments: usize) -> Vec<(f64, f64)> {
        let quarter = revolve::quarter_steps(segments);
        let cap = |k: usize| {
            let angle = 0.5 * PI * k as f64 / quarter as f64;
            (self.radius * sin(angle), self.half_height + self.radius * cos(angle))
        };
        let top: Vec<_> = (0..=quarter).map(cap).collect();
        let bottom = top.iter().rev().map(|&(rho, z)| (rho, -z)).collect::<Vec<_>>();
        [top, bottom].concat()
    }
}
