//! The shapes a body can wear.

use std::sync::Arc;

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::hull::Hull;
use crate::mesh::TriMesh;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit};

mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod half_space;
mod heightfield;
mod hull;
mod mesh;
mod revolve;
mod solid;
mod sphere;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use heightfield::Heightfield;
pub use solid::{Projection, ShapeError, Solid, Tessellation};
pub use sphere::Sphere;

/// A collision shape in its own frame. Shapes with an axis have it along local +Z and are centred
/// on the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Ball about the origin.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// Box about the origin, aligned with the local axes.
    Box {
        /// Half extents along x, y, z \[m\].
        half: DVec3,
    },
    /// Segment along Z swept by a ball.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Half the length of the segment, caps not included \[m\].
        half_height: f64,
    },
    /// Right circular cylinder along Z.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Half the height \[m\].
        half_height: f64,
    },
    /// Right circular cone along Z: apex at `+half_height`, base disc at `-half_height`.
    Cone {
        /// Radius of the base \[m\].
        radius: f64,
        /// Half the height \[m\].
        half_height: f64,
    },
    /// Ellipsoid about the origin, aligned with the local axes.
    Ellipsoid {
        /// Semi-axes along x, y, z \[m\].
        radii: DVec3,
    },
    /// Convex polyhedron.
    Hull(Arc<Hull>),
    /// The solid half-space z ≤ 0. Only static bodies and the world may wear it.
    HalfSpace,
    /// Terrain. Only static and kinematic bodies and the world may wear it.
    Heightfield(Arc<Heightfield>),
    /// Closed triangle mesh (solid), possibly concave.
    Mesh(Arc<TriMesh>),
}

/// Runs an expression on the [`Solid`] behind a [`Shape`], without dynamic dispatch.
macro_rules! on_solid {
    ($shape:expr, $solid:ident => $body:expr) => {
        match $shape {
            Shape::Sphere { radius } => {
                let $solid = &Sphere { radius: *radius };
                $body
            }
            Shape::Box { half } => {
                let $solid = &Cuboid { half: *half };
                $body
            }
            Shape::Capsule { radius, half_height } => {
                let $solid = &Capsule { radius: *radius, half_height: *half_height };
                $body
            }
            Shape::Cylinder { radius, half_height } => {
                let $solid = &Cylinder { radius: *radius, half_height: *half_height };
                $body
            }
            Shape::Cone { radius, half_height } => {
                let $solid = &Cone { radius: *radius, half_height: *half_height };
                $body
            }
            Shape::Ellipsoid { radii } => {
                let $solid = &Ellipsoid { radii: *radii };
                $body
            }
            Shape::Hull(hull) => {
                let $solid = hull.as_ref();
                $body
            }
            Shape::HalfSpace => {
                let $solid = &HalfSpace;
                $body
            }
            Shape::Heightfield(field) => {
                let $solid = field.as_ref();
                $body
            }
            Shape::Mesh(mesh) => {
                let $solid = mesh.as_ref();
                $body
            }
        }
    };
}

impl Shape {
    /// A ball of `radius` \[m\].
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        Self::Sphere { radius }.validated()
    }

    /// A box with half extents `half` \[m\].
    pub fn cuboid(half: DVec3) -> Result<Self, ShapeError> {
        Self::Box { half }.validated()
    }

    /// A capsule: a segment of half length `half_height` along Z swept by a ball of `radius` \[m\].
    pub fn capsule(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        Self::Capsule { radius, half_height }.validated()
    }

    /// A cylinder along Z \[m\].
    pub fn cylinder(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        Self::Cylinder { radius, half_height }.validated()
    }

    /// A cone along Z, apex up \[m\].
    pub fn cone(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        Self::Cone { radius, half_height }.validated()
    }

    /// An ellipsoid with semi-axes `radii` \[m\].
    pub fn ellipsoid(radii: DVec3) -> Result<Self, ShapeError> {
        Self::Ellipsoid { radii }.validated()
    }

    /// The convex hull of `points` \[m\].
    pub fn hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        Ok(Self::Hull(Arc::new(Hull::from_points(points)?)))
    }

    /// Terrain from a grid of heights.
    pub fn heightfield(field: Heightfield) -> Result<Self, ShapeError> {
        Self::Heightfield(Arc::new(field)).validated()
    }

    /// A solid bounded by a closed, outward oriented mesh; see [`TriMesh::check`] for what is refused and
    /// which repair helps.
    pub fn mesh(mesh: TriMesh) -> Result<Self, ShapeError> {
        Self::Mesh(Arc::new(mesh)).validated()
    }

    fn validated(self) -> Result<Self, ShapeError> {
        self.validate()?;
        Ok(self)
    }

    /// Refuses sizes no solid can have, naming the number.
    pub fn validate(&self) -> Result<(), ShapeError> {
        on_solid!(self, solid => Solid::validate(solid))
    }

    /// Tight bounds of the shape placed at `pose`. Hulls and meshes look at every vertex.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        on_solid!(self, solid => solid.aabb(pose))
    }

    /// The point furthest along `direction`, both in the frame of the shape; see [`Solid::support`].
    #[inline]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        on_solid!(self, solid => solid.support(direction))
    }

    /// Volume \[m³\]; infinite for half-spaces and terrain.
    pub fn volume(&self) -> f64 {
        on_solid!(self, solid => solid.volume())
    }

    /// Mass properties at a uniform `density` \[kg/m³\], in the frame of the shape.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(ShapeError::BadDensity(density));
        }
        on_solid!(self, solid => Solid::mass_properties(solid, density))
    }

    /// Where a world-space `ray` first crosses the surface of the shape placed at `pose`, inwards or outwards:
    /// a ray that starts inside hits where it leaves. Meshes try every triangle; a mesh tree
    /// answers faster.
    pub fn cast_ray(&self, pose: &Pose, ray: &Ray, max_time: f64) -> Option<RayHit> {
        if !ray.is_valid() {
            return None;
        }
        let hit = on_solid!(self, solid => solid.cast_ray(&ray.into_frame(pose), max_time))?;
        Some(RayHit { time: hit.time, normal: pose.transform_vector(hit.normal) })
    }

    /// The surface point of the shape placed at `pose` nearest to the world-space `point` \[m\].
    pub fn project(&self, pose: &Pose, point: DVec3) -> Projection {
        let local = on_solid!(self, solid => solid.project(pose.inverse_transform_point(point)));
        Projection {
            point: pose.transform_point(local.point),
            normal: pose.transform_vector(local.normal),
            distance: local.distance,
        }
    }

    /// A triangle mesh of the surface, in the frame of the shape, for viewing and for solvers that work on meshes.
    /// Closed and outward oriented, except for half-spaces (a square) and terrain (the top surface).
    pub fn to_mesh(&self, options: &Tessellation) -> TriMesh {
        on_solid!(self, solid => solid.to_mesh(options))
    }

    /// True if the shape is convex (terrain and meshes never count as such).
    pub fn is_convex(&self) -> bool {
        !matches!(self, Self::Heightfield(_) | Self::Mesh(_))
    }
}
