//! The questions every shape answers, and the words for the answers.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::mesh::MeshFault;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// What is wrong with a shape, or why it cannot answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length that must be positive and finite is not.
    #[error("{shape}: {name} must be positive and finite, but is {value}")]
    BadSize {
        /// Kind of shape.
        shape: &'static str,
        /// Name of the number.
        name: &'static str,
        /// Its value \[m\].
        value: f64,
    },
    /// The density is not positive and finite.
    #[error("density must be positive and finite, but is {0} kg/m³")]
    BadDensity(f64),
    /// The shape has no finite volume, so it has no mass.
    #[error("{shape} has no finite mass: use it on a static body or the world, or give the mass explicitly")]
    Unbounded {
        /// Kind of shape.
        shape: &'static str,
    },
    /// A height grid with missing or extra samples.
    #[error(
        "heightfield: {columns} columns × {rows} rows need {} heights and at least 2 × 2 samples, but there are {found}",
        columns * rows
    )]
    BadGrid {
        /// Samples along x.
        columns: usize,
        /// Samples along y.
        rows: usize,
        /// Number of heights given.
        found: usize,
    },
    /// A height that is not a finite number.
    #[error("heightfield: the height at column {column}, row {row} is {value}; every height must be finite")]
    BadHeight {
        /// Column of the sample.
        column: usize,
        /// Row of the sample.
        row: usize,
        /// Its value \[m\].
        value: f64,
    },
    /// The mesh is not a closed, outward oriented surface.
    #[error(transparent)]
    Mesh(#[from] MeshFault),
    /// The hull could not be built, or its data is inconsistent.
    #[error(transparent)]
    Hull(#[from] crate::hull::HullError),
}

/// How finely curved surfaces are cut into triangles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tessellation {
    /// Flat pieces around a full circle (at least 3); vertices lie on the true surface.
    pub segments: usize,
    /// Half the side of the square that stands for a half-space \[m\].
    pub extent: f64,
}

impl Default for Tessellation {
    fn default() -> Self {
        Self { segments: 32, extent: 100.0 }
    }
}

/// The nearest surface point to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Nearest point of the surface \[m\].
    pub point: DVec3,
    /// Outward unit normal there: the gradient of the signed distance.
    pub normal: DVec3,
    /// Signed distance from the surface \[m\]: negative inside the solid.
    pub distance: f64,
}

/// The questions every shape answers, in its own frame. [`crate::Shape`] answers them under a pose.
pub trait Solid {
    /// Refuses sizes no solid can have, naming the number.
    fn validate(&self) -> Result<(), ShapeError>;

    /// Tight bounds of the solid placed at `pose`.
    fn aabb(&self, pose: &Pose) -> Aabb;

    /// The point of the solid furthest along `direction` (any length; for a zero direction, some point of the
    /// surface). Concave shapes answer for their convex hull. Coordinates are infinite where the shape is.
    fn support(&self, direction: DVec3) -> DVec3;

    /// Volume \[m³\]; infinite for shapes without bounds.
    fn volume(&self) -> f64;

    /// Mass properties at a uniform `density` \[kg/m³\], assumed positive and finite.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError>;

    /// The first crossing of the surface, inwards or outwards, at `0 ≤ time ≤ max_time`.
    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit>;

    /// The nearest surface point to `point` \[m\].
    fn project(&self, point: DVec3) -> Projection;

    /// A triangle mesh of the surface.
    fn to_mesh(&self, options: &Tessellation) -> TriMesh;
}

/// Refuses a length that is not positive and finite.
pub(super) fn positive(shape: &'static str, name: &'static str, value: f64) -> Result<(), ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ShapeError::BadSize { shape, name, value }) }
}

/// Bounds of a convex solid that is symmetric about its origin, from its support points along the world axes.
pub(super) fn symmetric_aabb(solid: &impl Solid, pose: &Pose) -> Aabb {
    let reach = |axis: DVec3| {
        let local = pose.inverse_transform_vector(axis);
        solid.support(local).dot(local)
    };
    Aabb::from_center_half(pose.translation, DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z)))
}

/// A unit vector along `v`, or `fallback` if `v` has no direction.
pub(super) fn direction_or(v: DVec3, fallback: DVec3) -> DVec3 {
    // Scaling by the largest component first keeps tiny vectors from underflowing.
    let scale = v.abs().max_element();
    if scale > 0.0 && scale.is_finite() { (v / scale).normalize() } else { fallback }
}
