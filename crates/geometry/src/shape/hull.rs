//! Convex polyhedron as a [`Solid`].

use glamx::DVec3;

use super::solid::direction_or;
use super::{Projection, ShapeError, Solid, Tessellation};
use crate::distance::point_triangle;
use crate::hull::Hull;
use crate::ray::ConvexCrossing;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

impl Hull {
    /// Signed height of `point` over the plane of a face \[m\].
    #[inline]
    pub fn height_over(&self, face: usize, point: DVec3) -> f64 {
        self.face_normal[face].dot(point) - self.face_offset[face]
    }

    /// Nearest point of a face's polygon to `point`.
    fn nearest_on_face(&self, face: usize, point: DVec3) -> DVec3 {
        let corners = self.face(face);
        let at = |k: usize| self.vertices[corners[k] as usize];
        let candidates =
            (1..corners.len() - 1).map(|k| point_triangle::closest_point(point, [at(0), at(k), at(k + 1)]));
        let nearer = |a: &DVec3, b: &DVec3| a.distance_squared(point).total_cmp(&b.distance_squared(point));
        candidates.min_by(nearer).unwrap_or(at(0))
    }
}

impl Solid for Hull {
    fn validate(&self) -> Result<(), ShapeError> {
        Ok(self.check()?)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        Aabb::from_points(self.vertices.iter().map(|v| pose.transform_point(*v)))
    }

    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.vertices[self.support_vertex(direction)]
    }

    fn volume(&self) -> f64 {
        self.triangulated().solid_moments().volume
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        Ok(self.triangulated().solid_moments().mass_properties(density))
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut crossing = ConvexCrossing::new();
        for face in 0..self.face_count() {
            let normal = self.face_normal[face];
            let (height, climb) = (self.height_over(face, ray.origin), normal.dot(ray.direction));
            if climb == 0.0 && height > 0.0 {
                return None;
            } else if climb < 0.0 {
                crossing.enter(-height / climb, normal);
            } else if climb > 0.0 {
                crossing.leave(-height / climb, normal);
            }
        }
        crossing.hit(max_time)
    }

    fn project(&self, point: DVec3) -> Projection {
        let heights = || (0..self.face_count()).map(|f| (f, self.height_over(f, point)));
        let Some((top, height)) = heights().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return Projection { point, normal: DVec3::Z, distance: 0.0 };
        };
        let normal = self.face_normal[top];
        if height <= 0.0 {
            return Projection { point: point - height * normal, normal, distance: height };
        }
        let visible = heights().filter(|(_, h)| *h > 0.0).map(|(f, _)| self.nearest_on_face(f, point));
        let nearer = |a: &DVec3, b: &DVec3| a.distance_squared(point).total_cmp(&b.distance_squared(point));
        let nearest = visible.min_by(nearer).unwrap_or(point);
        let away = point - nearest;
        Projection { point: nearest, normal: direction_or(away, normal), distance: away.length() }
    }

    fn to_mesh(&self, _options: &Tessellation) -> TriMesh {
        self.triangulated()
    }
}
