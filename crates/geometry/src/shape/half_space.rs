//! Half-space.

use glamx::DVec3;

use super::{Projection, ShapeError, Solid, Tessellation};
use crate::ray::EarliestHit;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// The solid half-space z ≤ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace;

impl Solid for HalfSpace {
    fn validate(&self) -> Result<(), ShapeError> {
        Ok(())
    }

    /// Bounded on one side only if the surface is exactly perpendicular to a world axis.
    fn aabb(&self, pose: &Pose) -> Aabb {
        let normal = pose.transform_vector(DVec3::Z);
        let mut bounds = Aabb::ALL;
        for axis in 0..3 {
            let aligned = (0..3).all(|other| other == axis || normal[other] == 0.0);
            if aligned && normal[axis] > 0.0 {
                bounds.max[axis] = pose.translation[axis];
            } else if aligned {
                bounds.min[axis] = pose.translation[axis];
            }
        }
        bounds
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        let reach = |along: f64| if along == 0.0 { 0.0 } else { f64::INFINITY.copysign(along) };
        DVec3::new(reach(direction.x), reach(direction.y), reach(direction.z).min(0.0))
    }

    fn volume(&self) -> f64 {
        f64::INFINITY
    }

    fn mass_properties(&self, _density: f64) -> Result<MassProperties, ShapeError> {
        Err(ShapeError::Unbounded { shape: "half-space" })
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut earliest = EarliestHit::new(max_time);
        earliest.offer(-ray.origin.z / ray.direction.z, || DVec3::Z);
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        Projection { point: DVec3::new(point.x, point.y, 0.0), normal: DVec3::Z, distance: point.z }
    }

    fn to_mesh(&self, options: &Tessellation) -> TriMesh {
        let e = options.extent;
        let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        TriMesh {
            vertices: vec![corner(-e, -e), corner(e, -e), corner(e, e), corner(-e, e)],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }
}
