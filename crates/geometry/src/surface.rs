//! Triangle surfaces of shapes, for drawing, for recordings and for solvers that work on meshes.

use crate::{Shape, TriMesh};

pub use crate::shape::Tessellation as Detail;

/// The boundary of a shape as triangles, in the frame of the shape: [`Shape::to_mesh`] as a function.
pub fn surface(shape: &Shape, detail: &Detail) -> TriMesh {
    shape.to_mesh(detail)
}
