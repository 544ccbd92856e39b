//! What makes a mesh unfit to bound a solid.

use glamx::DVec3;

use super::TriMesh;
use crate::Aabb;

/// Why a mesh does not bound a solid, where, and which repair helps.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshFault {
    /// No triangles.
    #[error("mesh: there are no triangles")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("mesh: vertex {vertex} is {position}; every coordinate must be finite")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
        /// Its position.
        position: DVec3,
    },
    /// A triangle refers to a vertex that is not there.
    #[error("mesh: triangle {triangle} refers to vertex {vertex}, but there are only {count} vertices")]
    BadIndex {
        /// Index of the triangle.
        triangle: usize,
        /// The missing vertex.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A triangle without area.
    #[error("mesh: triangle {triangle} has no area; weld the mesh (TriMesh::welded), which drops such triangles")]
    Degenerate {
        /// Index of the triangle.
        triangle: usize,
    },
    /// An edge with a triangle on one side only.
    #[error(
        "mesh: it is open: edge {}–{} of triangle {triangle} has no neighbour ({open_edges} open edges in all); \
         weld it if vertices are duplicated along seams (TriMesh::welded), or give the surface a thickness \
         (TriMesh::thickened)", edge[0], edge[1]
    )]
    Open {
        /// Vertices of the first open edge.
        edge: [u32; 2],
        /// The triangle it belongs to.
        triangle: usize,
        /// Number of open edges.
        open_edges: usize,
    },
    /// An edge with more than two triangles.
    #[error(
        "mesh: edge {}–{} belongs to {count} triangles; a surface has two at every edge: separate the parts that \
         touch there", edge[0], edge[1]
    )]
    NonManifoldEdge {
        /// Vertices of the edge.
        edge: [u32; 2],
        /// How many triangles share it.
        count: usize,
    },
    /// Parts of the surface touch in a single vertex.
    #[error("mesh: at vertex {vertex} separate parts of the surface touch; split it (TriMesh::split_at_pinches)")]
    NonManifoldVertex {
        /// The vertex.
        vertex: u32,
    },
    /// Neighbouring triangles wind in opposite senses.
    #[error(
        "mesh: triangles {} and {} run along edge {}–{} in the same sense, so one of them is flipped; orient the mesh \
         (TriMesh::oriented)", triangles[0], triangles[1], edge[0], edge[1]
    )]
    Winding {
        /// Vertices of the edge.
        edge: [u32; 2],
        /// The two triangles.
        triangles: [usize; 2],
    },
    /// A closed part of the surface faces the wrong way.
    #[error(
        "mesh: the part with triangle {triangle} is inside out (its volume is {volume:e} m³); orient the mesh (TriMesh::oriented)"
    )]
    InsideOut {
        /// A triangle of the part.
        triangle: usize,
        /// Its signed volume \[m³\].
        volume: f64,
    },
    /// Neighbours cannot be made to agree.
    #[error(
        "mesh: the surface has one side only (neighbours along edge {}–{} cannot agree), so it bounds nothing; cut it, \
         or give it a thickness part by part (TriMesh::thickened)", edge[0], edge[1]
    )]
    OneSided {
        /// Vertices of an edge where the senses clash.
        edge: [u32; 2],
    },
    /// A closed part without volume.
    #[error(
        "mesh: the part with triangle {triangle} encloses no volume; keep one of its sheets and thicken it (TriMesh::thickened)"
    )]
    NoVolume {
        /// A triangle of the part.
        triangle: usize,
    },
    /// The thickness of a shell is not positive and finite.
    #[error("mesh: a shell needs a positive, finite thickness, but {0} m was given")]
    BadThickness(f64),
}

/// A triangle whose height is below this fraction of its longest side has no area: the rounding of coordinates.
const NO_AREA: f64 = 64.0 * f64::EPSILON;

/// A closed part thinner than this fraction of its size encloses nothing: the rounding of its volume.
const NO_VOLUME: f64 = 1e-13;

impl TriMesh {
    /// Checks that the mesh bounds a solid: indices in range, coordinates finite, no triangle without area, every
    /// edge shared by exactly two triangles that agree on its direction, no pinched vertices, outward orientation
    /// (cavities inside a part face inwards, as they should).
    ///
    /// ```
    /// use drystone_geometry::{DVec3, MeshFault, Shape, Tessellation};
    /// let mut mesh = Shape::cuboid(DVec3::ONE)?.to_mesh(&Tessellation::default());
    /// assert_eq!(mesh.check(), Ok(()));
    /// mesh.triangles.pop();
    /// assert!(matches!(mesh.check(), Err(MeshFault::Open { open_edges: 3, .. })));
    /// # Ok::<(), drystone_geometry::ShapeError>(())
    /// ```
    pub fn check(&self) -> Result<(), MeshFault> {
        self.check_indices()?;
        self.check_areas()?;
        self.check_edges()?;
        self.check_pinches()?;
        self.check_orientation()
    }

    /// Non-empty, finite, all indices in range.
    pub fn check_indices(&self) -> Result<(), MeshFault> {
        if self.triangles.is_empty() {
            return Err(MeshFault::Empty);
        }
        if let Some(vertex) = self.vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshFault::NotFinite { vertex, position: self.vertices[vertex] });
        }
        let count = self.vertices.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
                return Err(MeshFault::BadIndex { triangle, vertex, count });
            }
        }
        Ok(())
    }

    fn check_areas(&self) -> Result<(), MeshFault> {
        match self.all_corners().position(has_no_area) {
            Some(triangle) => Err(MeshFault::Degenerate { triangle }),
            None => Ok(()),
        }
    }

    fn check_edges(&self) -> Result<(), MeshFault> {
        let sides = self.sides_by_edge();
        let mut open: Option<(&Side, usize)> = None;
        for group in sides.chunk_by(|a, b| a.edge == b.edge) {
            match group {
                [side] => open = Some(open.map_or((side, 1), |(first, n)| (first, n + 1))),
                [a, b] if a.forward == b.forward => {
                    return Err(MeshFault::Winding { edge: a.edge, triangles: [a.triangle, b.triangle] });
                }
                [_, _] => {}
                more => return Err(MeshFault::NonManifoldEdge { edge: more[0].edge, count: more.len() }),
            }
        }
        match open {
            Some((side, open_edges)) => Err(MeshFault::Open { edge: side.edge, triangle: side.triangle, open_edges }),
            None => Ok(()),
        }
    }

    fn check_pinches(&self) -> Result<(), MeshFault> {
        let mut fans = self.fans(&self.sides_by_edge());
        let mut fan_of = vec![u32::MAX; self.vertices.len()];
        for (corner, &vertex) in self.triangles.iter().flatten().enumerate() {
            let fan = fans.find(corner as u32);
            let known = &mut fan_of[vertex as usize];
            if *known != u32::MAX && *known != fan {
                return Err(MeshFault::NonManifoldVertex { vertex });
            }
            *known = fan;
        }
        Ok(())
    }

    fn check_orientation(&self) -> Result<(), MeshFault> {
        let parts = self.components();
        let depths = self.nesting_depths(&parts);
        for (part, depth) in parts.iter().zip(depths) {
            let (mesh, triangle) = (self.part(part), part[0] as usize);
            let bounds = Aabb::from_points(mesh.all_corners().flatten());
            let volume = mesh.solid_moments().volume;
            if volume.abs() <= NO_VOLUME * mesh.area() * bounds.extent().length() {
                return Err(MeshFault::NoVolume { triangle });
            }
            if (volume < 0.0) == (depth % 2 == 0) {
                return Err(MeshFault::InsideOut { triangle, volume });
            }
        }
        Ok(())
    }

    /// All sides of all triangles, sides of the same edge next to each other, in a fixed order.
    pub(super) fn sides_by_edge(&self) -> Vec<Side> {
        let side = |triangle: usize, a: u32, b: u32| Side { edge: [a.min(b), a.max(b)], triangle, forward: a < b };
        let mut sides: Vec<Side> = self
            .triangles
            .iter()
            .enumerate()
            .flat_map(|(i, t)| [side(i, t[0], t[1]), side(i, t[1], t[2]), side(i, t[2], t[0])])
            .collect();
        sides.sort_unstable_by_key(|s| (s.edge, s.triangle));
        sides
    }
}

/// One side of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Its vertices, smaller index first.
    pub edge: [u32; 2],
    pub triangle: usize,
    /// True if the triangle runs from the smaller index to the larger.
    pub forward: bool,
}

/// True if the corners are on a line, to rounding.
pub(super) fn has_no_area([a, b, c]: [DVec3; 3]) -> bool {
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    let twice_area = ((b - a) / longest).cross((c - a) / longest).length();
    twice_area.is_nan() || twice_area <= NO_AREA
}
