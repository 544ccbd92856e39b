//! Convex hulls with polygonal faces.

use drystone_kernels::elementary::{log2, powi};
use std::collections::BTreeSet;

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::weld::weld_targets;
use crate::{Aabb, TriMesh};

mod merge;
mod quickhull;
mod topology;

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
    /// Where the plane of every face lies along its normal \[m\]: `normal · x = offset`.
    pub face_offset: Vec<f64>,
    /// Unique edges as vertex pairs.
    pub edges: Vec<[u32; 2]>,
    /// The two faces at every edge: first the one in which the edge runs as listed, then its neighbour.
    pub edge_face: Vec<[u32; 2]>,
    /// Neighbours of all vertices along edges, concatenated.
    pub vertex_neighbor: Vec<u32>,
    /// Where the neighbours of every vertex start in `vertex_neighbor`; one more entry than vertices.
    pub vertex_neighbor_start: Vec<u32>,
    /// Centre of volume \[m\].
    pub centroid: DVec3,
}

/// Why no hull could be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HullError {
    /// Too few points to enclose a volume.
    #[error("hull: {0} points given, but at least 4 are needed to enclose a volume")]
    TooFewPoints(usize),
    /// A coordinate is NaN or infinite.
    #[error("hull: point {index} is {point}; every coordinate must be finite")]
    NotFinite {
        /// Index of the point.
        index: usize,
        /// The point.
        point: DVec3,
    },
    /// The points do not enclose a volume.
    #[error(
        "hull: the points are {what} (thickness {thickness:e} m over an extent of {extent:e} m); give the shape some thickness, or use a box or a thickened mesh"
    )]
    Flat {
        /// "coincident", "collinear" or "coplanar".
        what: &'static str,
        /// How far the points leave the point, line or plane \[m\].
        thickness: f64,
        /// Largest side of their bounding box \[m\].
        extent: f64,
    },
    /// The arrays of a hull that was not built by [`Hull::from_points`] do not fit together.
    #[error("hull: {0}; build it with Hull::from_points")]
    Inconsistent(&'static str),
}

impl HullError {
    /// With lengths multiplied by both factors.
    fn scaled(self, scale: f64, rest: f64) -> Self {
        match self {
            Self::Flat { what, thickness, extent } => {
                Self::Flat { what, thickness: thickness * scale * rest, extent: extent * scale * rest }
            }
            other => other,
        }
    }
}

/// Points this close to a plane count as on it, relative to the extent of the hull: wide enough for
/// coordinates that went through `f32` and a rotation, far below any contact tolerance.
pub const COPLANAR_TOLERANCE: f64 = 1e-7;

/// Hulls thinner than this, relative to their extent, are refused: their faces could not be told apart.
pub const FLAT_TOLERANCE: f64 = 10.0 * COPLANAR_TOLERANCE;

impl Hull {
    /// The convex hull of `points` \[m\], in any order, duplicates and inner points allowed. Coplanar triangles
    /// are merged into polygons; vertices keep the order of the input.
    ///
    /// ```
    /// use drystone_geometry::{DVec3, Hull};
    /// let corners: Vec<_> = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    /// let cube = Hull::from_points(&corners)?;
    /// assert_eq!((cube.vertices.len(), cube.edges.len(), cube.face_count()), (8, 12, 6));
    /// assert!(cube.face(0).len() == 4);
    /// # Ok::<(), drystone_geometry::HullError>(())
    /// ```
    pub fn from_points(points: &[DVec3]) -> Result<Self, HullError> {
        quickhull::check_finite(points)?;
        let (points, [scale, rest]) = scaled_to_unit(points);
        let in_metres = |fault: HullError| fault.scaled(scale, rest);
        let mut triangles = quickhull::triangulate(&points).map_err(in_metres)?;
        let points = match without_near_duplicates(&points, &triangles) {
            Some(corners) => {
                triangles = quickhull::triangulate(&corners).map_err(in_metres)?;
                corners
            }
            None => points,
        };
        let extent = Aabb::from_points(points.iter().copied()).extent().max_element();
        let loops = merge::merge_coplanar(&points, &triangles, COPLANAR_TOLERANCE * extent);
        let merged = topology::assemble(&points, &loops);
        // Merging is a convenience; if tolerances tie a knot somewhere, the plain triangles are always a valid hull.
        let hull = merged.filter(topology::is_closed).or_else(|| topology::assemble(&points, &as_loops(&triangles)));
        let mut hull = hull.ok_or(HullError::Inconsistent("the faces do not close"))?;
        hull.vertices.iter_mut().for_each(|v| *v = *v * scale * rest);
        hull.face_offset.iter_mut().for_each(|d| *d = *d * scale * rest);
        hull.centroid = hull.centroid * scale * rest;
        Ok(hull)
    }

    /// A convex polyhedron from its corners \[m\] and faces, given as loops of corners counter-clockwise seen from
    /// outside. Normals, edges and neighbours follow; that it is convex is taken on trust.
    pub fn from_faces<F: AsRef<[u32]>>(vertices: &[DVec3], faces: &[F]) -> Result<Self, HullError> {
        quickhull::check_finite(vertices)?;
        let loops: Vec<Vec<u32>> = faces.iter().map(|f| f.as_ref().to_vec()).collect();
        if loops.iter().flatten().any(|&v| v as usize >= vertices.len()) {
            return Err(HullError::Inconsistent("a face refers to a vertex that is not there"));
        }
        if loops.iter().any(|l| l.len() < 3) {
            return Err(HullError::Inconsistent("a face has fewer than three corners"));
        }
        let hull = topology::assemble(vertices, &loops).filter(topology::is_closed);
        hull.ok_or(HullError::Inconsistent("its faces do not close to a polyhedron"))
    }

    /// Number of faces.
    pub fn face_count(&self) -> usize {
        self.face_normal.len()
    }

    /// Vertex indices of a face, counter-clockwise seen from outside.
    #[inline]
    pub fn face(&self, face: usize) -> &[u32] {
        &self.face_vertex[self.face_start[face] as usize..self.face_start[face + 1] as usize]
    }

    /// Corner positions of a face \[m\].
    pub fn face_corners(&self, face: usize) -> impl Iterator<Item = DVec3> + '_ {
        self.face(face).iter().map(|&v| self.vertices[v as usize])
    }

    /// Vertices joined to `vertex` by an edge.
    pub fn neighbors(&self, vertex: usize) -> &[u32] {
        let range = self.vertex_neighbor_start[vertex] as usize..self.vertex_neighbor_start[vertex + 1] as usize;
        &self.vertex_neighbor[range]
    }

    /// Index of the vertex furthest along `direction`; the first of equals.
    #[inline]
    pub fn support_vertex(&self, direction: DVec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices.iter().enumerate() {
            let along = v.dot(direction);
            if along > best.1 {
                best = (i, along);
            }
        }
        best.0
    }

    /// As [`Hull::support_vertex`], walking uphill along edges from `start`: faster for many vertices and a good
    /// guess. Among vertices equally far along, which one is found depends on the start.
    pub fn support_vertex_from(&self, direction: DVec3, start: usize) -> usize {
        let mut at = start.min(self.vertices.len() - 1);
        let mut height = self.vertices[at].dot(direction);
        loop {
            let mut next = (at, height);
            for &n in self.neighbors(at) {
                let along = self.vertices[n as usize].dot(direction);
                if along > next.1 {
                    next = (n as usize, along);
                }
            }
            if next.0 == at {
                return at;
            }
            (at, height) = next;
        }
    }

    /// The surface as triangles, faces cut into fans.
    pub fn triangulated(&self) -> TriMesh {
        let fan = |face: usize| {
            let corners = self.face(face);
            (1..corners.len() - 1).map(move |k| [corners[0], corners[k], corners[k + 1]])
        };
        TriMesh { vertices: self.vertices.clone(), triangles: (0..self.face_count()).flat_map(fan).collect() }
    }

    /// Refuses arrays that do not fit together (for hulls read from files).
    pub fn check(&self) -> Result<(), HullError> {
        if topology::is_consistent(self) && topology::is_closed(self) {
            Ok(())
        } else {
            Err(HullError::Inconsistent("its arrays do not describe a closed polyhedron"))
        }
    }
}

/// The corners of a hull, only the first of those closer than half the coplanarity tolerance: two corners that differ
/// by rounding would span faces without area. `None` if there are none so close.
fn without_near_duplicates(points: &[DVec3], triangles: &[[u32; 3]]) -> Option<Vec<DVec3>> {
    let used: BTreeSet<u32> = triangles.iter().flatten().copied().collect();
    let corners: Vec<DVec3> = used.iter().map(|&v| points[v as usize]).collect();
    let extent = Aabb::from_points(corners.iter().copied()).extent().max_element();
    let target = weld_targets(&corners, 0.5 * COPLANAR_TOLERANCE * extent);
    let kept: Vec<DVec3> =
        (0..).zip(target).filter(|(i, t)| i == t).map(|(i, _): (u32, _)| corners[i as usize]).collect();
    (kept.len() < corners.len()).then_some(kept)
}

fn as_loops(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    triangles.iter().map(|t| t.to_vec()).collect()
}

/// Divides by a power of two, exactly, so that cubes of coordinates neither overflow nor underflow. Also gives the
/// way back, as two factors because the power itself may be out of range.
fn scaled_to_unit(points: &[DVec3]) -> (Vec<DVec3>, [f64; 2]) {
    let largest = points.iter().map(|p| p.abs().max_element()).fold(f64::MIN_POSITIVE, f64::max);
    let exponent = log2(largest) as i32;
    let (half, rest) = (exponent / 2, exponent - exponent / 2);
    let (down, down_rest) = (powi(2f64, -half), powi(2f64, -rest));
    (points.iter().map(|p| *p * down * down_rest).collect(), [powi(2f64, half), powi(2f64, rest)])
}
