//! Indexed triangle meshes: integrals, checks and repairs.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::{Aabb, MassProperties};

mod check;
mod components;
mod crease;
mod intersect;
mod moments;
mod repair;
mod shell;
mod tree;

pub use check::MeshFault;
pub use moments::SolidMoments;
pub use tree::MeshTree;

/// An indexed triangle mesh; triangles wind counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriMesh {
    /// Vertex positions in the frame of the shape \[m\].
    pub vertices: Vec<DVec3>,
    /// Vertex indices of every triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl TriMesh {
    /// A mesh from its parts, checked: closed, manifold, outward oriented, nothing degenerate.
    pub fn solid(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshFault> {
        let mesh = Self { vertices, triangles };
        mesh.check()?;
        Ok(mesh)
    }

    /// Corner positions of a triangle \[m\].
    #[inline]
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Corner positions of all triangles \[m\].
    pub fn all_corners(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + Clone + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }

    /// Unit normal of a triangle, counter-clockwise side; zero if it has no area.
    pub fn normal(&self, triangle: usize) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// Bounds of all vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_points(self.vertices.iter().copied())
    }

    /// Total area of all triangles \[m²\].
    pub fn area(&self) -> f64 {
        self.all_corners().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
    }

    /// Mass properties of the enclosed solid at a uniform `density` \[kg/m³\]; refuses meshes that enclose nothing.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MeshFault> {
        self.check()?;
        Ok(self.solid_moments().mass_properties(density))
    }

    /// Unique undirected edges, smaller index first, in ascending order.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let mut edges: Vec<[u32; 2]> =
            self.triangles.iter().flat_map(sides).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}
