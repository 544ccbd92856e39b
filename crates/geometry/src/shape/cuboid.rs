//! Box.

use glamx::{DMat3, DVec3};

use super::solid::{direction_or, positive};
use super::{Projection, ShapeError, Solid, Tessellation};
use crate::ray::ConvexCrossing;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// Box about the origin, aligned with the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Half extents along x, y, z \[m\].
    pub half: DVec3,
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

impl Solid for Cuboid {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("box", "half extent x", self.half.x)?;
        positive("box", "half extent y", self.half.y)?;
        positive("box", "half extent z", self.half.z)
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        Aabb::from_center_half(pose.translation, DMat3::from_quat(pose.rotation).abs() * self.half)
    }

    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.half.copysign(direction)
    }

    fn volume(&self) -> f64 {
        8.0 * self.half.element_product()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let mass = density * self.volume();
        let square = self.half * self.half;
        let moments = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        Ok(MassProperties::centered(mass, mass / 3.0 * moments))
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let mut crossing = ConvexCrossing::new();
        for (axis, unit) in AXES.into_iter().enumerate() {
            let (o, d, h) = (ray.origin[axis], ray.direction[axis], self.half[axis]);
            if d == 0.0 {
                if o.abs() > h {
                    return None;
                }
                continue;
            }
            let outward = unit * d.signum();
            crossing.enter((-h * d.signum() - o) / d, -outward);
            crossing.leave((h * d.signum() - o) / d, outward);
        }
        crossing.hit(max_time)
    }

    fn project(&self, point: DVec3) -> Projection {
        let beyond = point.abs() - self.half;
        let axis = beyond.max_position();
        let face = AXES[axis] * 1f64.copysign(point[axis]);
        if beyond[axis] <= 0.0 {
            return Projection { point: point - beyond[axis] * face, normal: face, distance: beyond[axis] };
        }
        let nearest = point.clamp(-self.half, self.half);
        let away = point - nearest;
        Projection { point: nearest, normal: direction_or(away, face), distance: away.length() }
    }

    fn to_mesh(&self, _options: &Tessellation) -> TriMesh {
        let corner = |i: usize| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            self.half * DVec3::new(sign(1), sign(2), sign(4))
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        TriMesh {
            vertices: (0..8).map(corner).collect(),
            triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        }
    }
}
