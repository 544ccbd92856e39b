//! Convex polyhedra: boxes, hulls and triangles seen alike.

use drystone_geometry::{DVec3, Hull};

/// A convex polyhedron in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Poly<'a> {
    pub vertices: &'a [DVec3],
    pub face_start: &'a [u32],
    pub face_vertex: &'a [u32],
    pub face_normal: &'a [DVec3],
    pub edges: &'a [[u32; 2]],
    /// The face in which the edge runs as listed, and its neighbour.
    pub edge_face: &'a [[u32; 2]],
}

const BOX_FACE_START: [u32; 7] = [0, 4, 8, 12, 16, 20, 24];
/// Vertex `i` has x, y, z positive where bits 0, 1, 2 of `i` are set; faces −x, +x, −y, +y, −z, +z.
const BOX_FACE_VERTEX: [u32; 24] = [0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6];
const BOX_FACE_NORMAL: [DVec3; 6] = [DVec3::NEG_X, DVec3::X, DVec3::NEG_Y, DVec3::Y, DVec3::NEG_Z, DVec3::Z];
const BOX_EDGE: [[u32; 2]; 12] =
    [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];
const BOX_EDGE_FACE: [[u32; 2]; 12] =
    [[2, 4], [4, 3], [5, 2], [3, 5], [4, 0], [1, 4], [0, 5], [5, 1], [0, 2], [2, 1], [3, 0], [1, 3]];

/// The corners of a box.
pub(crate) fn box_vertices(half: DVec3) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(sign(1), sign(2), sign(4))
    })
}

/// A box as a polyhedron over its corners.
pub(crate) fn box_poly(vertices: &[DVec3; 8]) -> Poly<'_> {
    Poly {
        vertices,
        face_start: &BOX_FACE_START,
        face_vertex: &BOX_FACE_VERTEX,
        face_normal: &BOX_FACE_NORMAL,
        edges: &BOX_EDGE,
        edge_face: &BOX_EDGE_FACE,
    }
}

/// A hull as a polyhedron.
pub(crate) fn hull_poly(hull: &Hull) -> Poly<'_> {
    Poly {
        vertices: &hull.vertices,
        face_start: &hull.face_start,
        face_vertex: &hull.face_vertex,
        face_normal: &hull.face_normal,
        edges: &hull.edges,
        edge_face: &hull.edge_face,
    }
}

impl Poly<'_> {
    pub fn face(&self, face: usize) -> &[u32] {
        &self.face_vertex[self.face_start[face] as usize..self.face_start[face + 1] as usize]
    }

    pub fn support(&self, direction: DVec3) -> DVec3 {
        self.vertices[self.support_index(direction)]
    }

    pub fn support_index(&self, direction: DVec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, vertex) in self.vertices.iter().enumerate() {
            let value = vertex.dot(direction);
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    }

    /// The face that looks most along `direction`.
    pub fn face_along(&self, direction: DVec3) -> usize {
        self.face_most_along(direction, |_| true)
    }

    /// The face that looks most along `direction`, of those that reach as far along it as the polyhedron does, up to
    /// `slack` \[m\]. The face that looks most along it of all need not: it may lie behind a sharp ridge.
    pub fn foremost_face(&self, direction: DVec3, slack: f64) -> usize {
        let height = |v: u32| self.vertices[v as usize].dot(direction);
        let top = self.support_index(direction) as u32;
        let reaches = |face: usize| self.face(face).iter().any(|&v| height(v) >= height(top) - slack);
        let face = self.face_along(direction);
        if reaches(face) { face } else { self.face_most_along(direction, |face| self.face(face).contains(&top)) }
    }

    fn face_most_along(&self, direction: DVec3, of: impl Fn(usize) -> bool) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, normal) in self.face_normal.iter().enumerate() {
            let value = normal.dot(direction);
            if value > best.1 && of(i) {
                best = (i, value);
            }
        }
        best.0
    }
}

/// A well mixed 32-bit name of three numbers.
pub(crate) fn hash3(a: u32, b: u32, c: u32) -> u32 {
    let mut h = 0x9e37_79b9_u32;
    for word in [a, b, c] {
        h = (h ^ word).wrapping_mul(0x85eb_ca6b);
        h ^= h >> 15;
    }
    h
}
