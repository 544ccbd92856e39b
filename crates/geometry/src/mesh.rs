//! Indexed triangle meshes.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// An indexed triangle mesh; triangles wind counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriMesh {
    /// Vertex positions in the frame of the shape \[m\].
    pub vertices: Vec<DVec3>,
    /// Vertex indices of every triangle.
    pub triangles: Vec<[u32; 3]>,
}
