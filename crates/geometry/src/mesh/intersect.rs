//! Where two meshes cut through each other.

use super::TriMesh;
use crate::Aabb;
use crate::bvh::Bvh;
use crate::distance::triangle_triangle::intersect;

impl TriMesh {
    /// Calls `visit` with every pair of a triangle of this mesh and one of `other` that share a point; touching counts.
    /// Both meshes are taken to be in the same frame. The signs behind the answer are exact.
    ///
    /// Surfaces are compared, not solids: a mesh deep inside another does not touch it ([`TriMesh::winding_number`]
    /// tells). Indices must be in range ([`TriMesh::check_indices`]).
    pub fn for_intersections(&self, other: &Self, mut visit: impl FnMut(u32, u32)) {
        let tree = |mesh: &Self| Bvh::build(&mesh.all_corners().map(Aabb::from_points).collect::<Vec<_>>());
        tree(self).pairs_with(&tree(other), |a, b| {
            if intersect(self.corners(a as usize), other.corners(b as usize)) {
                visit(a, b);
            }
        });
    }

    /// The lowest-numbered pair of triangles that share a point, if any; see [`TriMesh::for_intersections`].
    ///
    /// ```
    /// use drystone_geometry::{DVec3, Shape, Tessellation};
    /// let cube = Shape::cuboid(DVec3::ONE)?.to_mesh(&Tessellation::default());
    /// let moved = |x: f64| {
    ///     let mut mesh = cube.clone();
    ///     mesh.vertices.iter_mut().for_each(|v| v.x += x);
    ///     mesh
    /// };
    /// assert!(cube.first_intersection(&moved(1.9)).is_some());
    /// assert!(cube.first_intersection(&moved(2.1)).is_none());
    /// # Ok::<(), drystone_geometry::ShapeError>(())
    /// ```
    pub fn first_intersection(&self, other: &Self) -> Option<(u32, u32)> {
        let mut first = None;
        self.for_intersections(other, |a, b| first = Some(first.map_or((a, b), |f: (u32, u32)| f.min((a, b)))));
        first
    }
}
