//! Ellipsoid.

use drystone_kernels::elementary::powi;
use std::f64::consts::PI;

use glamx::DVec3;

use super::solid::{direction_or, positive, symmetric_aabb};
use super::sphere::sphere_crossings;
use super::{Projection, ShapeError, Solid, Tessellation, revolve};
use crate::ray::EarliestHit;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// Ellipsoid about the origin, aligned with the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Semi-axes along x, y, z \[m\].
    pub radii: DVec3,
}

impl Ellipsoid {
    fn normal_at(&self, surface: DVec3) -> DVec3 {
        direction_or(surface / self.radii / self.radii, DVec3::Z)
    }
}

impl Solid for Ellipsoid {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("ellipsoid", "radius x", self.radii.x)?;
        positive("ellipsoid", "radius y", self.radii.y)?;
        positive("ellipsoid", "radius z", self.radii.z)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        symmetric_aabb(self, pose)
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.radii * direction_or(self.radii * direction, DVec3::Z)
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radii.element_product()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let mass = density * self.volume();
        let square = self.radii * self.radii;
        let moments = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        Ok(MassProperties::centered(mass, mass / 5.0 * moments))
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let stretched = Ray::new(ray.origin / self.radii, ray.direction / self.radii);
        let mut earliest = EarliestHit::new(max_time);
        for time in sphere_crossings(&stretched, DVec3::ZERO, 1.0)? {
            earliest.offer(time, || self.normal_at(ray.at(time)));
        }
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| self.radii[j].total_cmp(&self.radii[i]));
        let mirrored = point.abs();
        let radii = order.map(|i| self.radii[i]);
        let sorted = nearest_in_first_octant(radii, order.map(|i| mirrored[i]));
        let mut nearest = DVec3::ZERO;
        for (k, &axis) in order.iter().enumerate() {
            nearest[axis] = sorted[k].copysign(point[axis]);
        }
        let inside = (point / self.radii).length_squared() < 1.0;
        let away = (point - nearest).length();
        let distance = if inside { -away } else { away };
        Projection { point: nearest, normal: self.normal_at(nearest), distance }
    }

    fn to_mesh(&self, options: &Tessellation) -> TriMesh {
        revolve::ball_mesh(options.segments, |unit| self.radii * unit)
    }
}

/// Nearest surface point for semi-axes `e` in descending order and a point `y` with no negative coordinate.
///
/// The nearest point is xᵢ = eᵢ² yᵢ / (t + eᵢ²) with t the largest root of Σ (eᵢ yᵢ / (t + eᵢ²))² = 1. If the
/// coordinate along the shortest axis is zero, the nearest point may leave that symmetry plane; then t = −e².
fn nearest_in_first_octant(e: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    let mut x = [0.0; 3];
    for shortest in (1..3).rev() {
        if y[shortest] > 0.0 {
            let ratio = |i: usize| powi(e[i] / e[shortest], 2);
            let s = largest_root(&e[..=shortest], &y[..=shortest]);
            (0..=shortest).for_each(|i| x[i] = ratio(i) * y[i] / (s + ratio(i)));
            return x;
        }
        let mut room = 1.0;
        for i in 0..shortest {
            let slack = e[i] * e[i] - e[shortest] * e[shortest];
            let u = if y[i] == 0.0 { 0.0 } else { e[i] * y[i] / slack };
            room -= u * u;
            x[i] = e[i] * u;
        }
        if room > 0.0 {
            x[shortest] = e[shortest] * room.sqrt();
            return x;
        }
        x[shortest] = 0.0;
    }
    [e[0], 0.0, 0.0]
}

/// The root s > −1 of Σ (rᵢ zᵢ / (s + rᵢ))² = 1 with zᵢ = yᵢ/eᵢ, rᵢ = (eᵢ/e_last)², by bisection to the last bit.
fn largest_root(e: &[f64], y: &[f64]) -> f64 {
    let last = e.len() - 1;
    let excess = |s: f64| {
        let term = |i: usize| {
            let r = powi(e[i] / e[last], 2);
            powi(r * (y[i] / e[i]) / (s + r), 2)
        };
        (0..=last).map(term).sum::<f64>() - 1.0
    };
    let far = (0..=last).map(|i| powi(e[i] * y[i] / (e[last] * e[last]), 2)).sum::<f64>().sqrt();
    let (mut low, mut high) = (y[last] / e[last] - 1.0, far - 1.0);
    loop {
        let middle = 0.5 * (low + high);
        // Written so that NaN ends the search as well.
        if low < middle && middle < high {
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        } else {
            return middle;
        }
    }
}
