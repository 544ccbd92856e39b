//! The shapes a body can wear.

use std::sync::Arc;

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::mesh::TriMesh;

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

/// A convex polyhedron with polygonal faces; faces wind counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hull {
    /// Vertices in the frame of the shape \[m\].
    pub vertices: Vec<DVec3>,
    /// Vertex indices of all faces, concatenated.
    pub face_vertex: Vec<u32>,
    /// Where every face starts in `face_vertex`; one more entry than faces.
    pub face_start: Vec<u32>,
    /// Outward unit normal of every face.
    pub face_normal: Vec<DVec3>,
    /// Unique edges as vertex pairs.
    pub edges: Vec<[u32; 2]>,
}

/// A regular grid of heights over the local XY plane, centred on the origin, solid below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heightfield {
    /// Number of samples along x.
    pub columns: usize,
    /// Number of samples along y.
    pub rows: usize,
    /// Distance between neighbouring samples along x and y \[m\].
    pub spacing: [f64; 2],
    /// Heights along z, row by row: `heights[row * columns + column]` \[m\].
    pub heights: Vec<f64>,
}
