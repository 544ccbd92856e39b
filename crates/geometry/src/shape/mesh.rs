//! Closed triangle mesh as a [`Solid`]; every query looks at every triangle.

use drystone_kernels::elementary::atan2;
use glamx::DVec3;

use super::solid::direction_or;
use super::{Projection, ShapeError, Solid, Tessellation};
use crate::distance::point_triangle;
use crate::ray::EarliestHit;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

impl TriMesh {
    /// How often the surface winds around `point`: 1 inside a closed, outward oriented mesh, 0 outside; in between
    /// near holes. From the solid angles of all triangles.
    pub fn winding_number(&self, point: DVec3) -> f64 {
        let solid_angle = |corners: [DVec3; 3]| {
            let [a, b, c] = corners.map(|p| p - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let volume = a.dot(b.cross(c));
            let cosine = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * atan2(volume, cosine)
        };
        self.all_corners().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

impl Solid for TriMesh {
    fn validate(&self) -> Result<(), ShapeError> {
        Ok(self.check()?)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        Aabb::from_points(self.vertices.iter().map(|v| pose.transform_point(*v)))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (DVec3::ZERO, f64::NEG_INFINITY);
        for v in &self.vertices {
            let along = v.dot(direction);
            if along > best.1 {
                best = (*v, along);
            }
        }
        best.0
    }

    fn volume(&self) -> f64 {
        self.solid_moments().volume
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        Ok(TriMesh::mass_properties(self, density)?)
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut earliest = EarliestHit::new(max_time);
        for corners in self.all_corners() {
            if let Some(time) = ray.cross_triangle(corners) {
                earliest.offer(time, || triangle_normal(corners));
            }
        }
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::Z);
        for corners in self.all_corners() {
            let nearest = point_triangle::closest_point(point, corners);
            let squared = nearest.distance_squared(point);
            if squared < best.0 {
                best = (squared, nearest, triangle_normal(corners));
            }
        }
        let (squared, nearest, face_normal) = best;
        let side = if self.winding_number(point) > 0.5 { -1.0 } else { 1.0 };
        let normal = direction_or(side * (point - nearest), face_normal);
        Projection { point: nearest, normal, distance: side * squared.sqrt() }
    }

    fn to_mesh(&self, _options: &Tessellation) -> TriMesh {
        self.clone()
    }
}

/// Unit normal on the counter-clockwise side.
fn triangle_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    direction_or((b - a).cross(c - a), DVec3::Z)
}
