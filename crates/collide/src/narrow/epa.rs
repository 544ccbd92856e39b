//! Depth of two overlapping convex shapes: the face of the Minkowski difference nearest to the origin,
//! found by growing a polytope from inside.

use drystone_geometry::DVec3;

use super::gjk::{PairSupport, Simplex, Vertex};

/// Buffers reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    horizon: Vec<[usize; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [usize; 3],
    normal: DVec3,
    offset: f64,
}

/// Growth below this part of the size ends the search.
const CONVERGED: f64 = 1e-10;
const MAX_VERTICES: usize = 96;

/// The direction from shape 0 to shape 1 along which they must be moved apart the least, starting from a
/// simplex that holds (or touches) the origin. `None` where the shapes are flat or merely touch.
pub(crate) fn deepest_direction(pair: &impl PairSupport, simplex: &Simplex, polytope: &mut Polytope) -> Option<DVec3> {
    polytope.start(pair, simplex)?;
    loop {
        let (index, face) = polytope.nearest()?;
        let vertex = pair.vertex(face.normal);
        let size = polytope.vertices.iter().fold(0.0_f64, |m, v| m.max(v.difference.length_squared())).sqrt();
        let growth = face.normal.dot(vertex.difference) - face.offset;
        if growth <= CONVERGED * size || polytope.vertices.len() >= MAX_VERTICES || !polytope.grow(index, vertex) {
            // Differences are shape 1 minus shape 0: moving shape 1 by −offset · normal separates them.
            return Some(-face.normal);
        }
    }
}

impl Polytope {
    /// Completes the simplex to a tetrahedron.
    fn start(&mut self, pair: &impl PairSupport, simplex: &Simplex) -> Option<()> {
        self.vertices.clear();
        self.faces.clear();
        for vertex in &simplex.vertices[..simplex.count] {
            self.add_if_independent(*vertex);
        }
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        while self.vertices.len() < 4 {
            let d = |i: usize| self.vertices[i].difference;
            let directions: [DVec3; 6] = match self.vertices.len() {
                0 | 1 => [axes[0], axes[1], axes[2], -axes[0], -axes[1], -axes[2]],
                2 => {
                    let line = d(1) - d(0);
                    let u = line.any_orthogonal_vector();
                    let v = line.cross(u).normalize_or_zero();
                    let u = u.normalize_or_zero();
                    [u, v, -u, -v, u + v, -u - v]
                }
                _ => {
                    let n = (d(1) - d(0)).cross(d(2) - d(0)).normalize_or_zero();
                    [n, -n, n, -n, n, -n]
                }
            };
            directions.into_iter().find(|&direction| {
                let vertex = pair.vertex(direction);
                self.add_if_independent(vertex)
            })?;
        }
        let d = |i: usize| self.vertices[i].difference;
        if (d(1) - d(0)).cross(d(2) - d(0)).dot(d(3) - d(0)) > 0.0 {
            self.vertices.swap(1, 2);
        }
        for corners in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]] {
            self.add_face(corners)?;
        }
        Some(())
    }

    fn add_if_independent(&mut self, vertex: Vertex) -> bool {
        let d = |i: usize| self.vertices[i].difference;
        let p = vertex.difference;
        let tiny = 1e-9;
        let independent = match self.vertices.len() {
            0 => true,
            1 => (p - d(0)).length() > tiny * (p.length() + d(0).length()),
            2 => {
                let line = d(1) - d(0);
                line.cross(p - d(0)).length() > tiny * line.length_squared().max((p - d(0)).length_squared())
            }
            _ => {
                let normal = (d(1) - d(0)).cross(d(2) - d(0));
                normal.dot(p - d(0)).abs() > tiny * normal.length() * (p - d(0)).length().max(normal.length().sqrt())
            }
        };
        if independent {
            self.vertices.push(vertex);
        }
        independent
    }

    fn add_face(&mut self, corners: [usize; 3]) -> Option<()> {
        let [a, b, c] = corners.map(|i| self.vertices[i].difference);
        let normal = (b - a).cross(c - a).try_normalize()?;
        self.faces.push(Face { corners, normal, offset: normal.dot(a) });
        Some(())
    }

    fn nearest(&self) -> Option<(usize, Face)> {
        let mut best: Option<(usize, Face)> = None;
        for (i, face) in self.faces.iter().enumerate() {
            if best.is_none_or(|(_, b)| face.offset < b.offset) {
                best = Some((i, *face));
            }
        }
        best
    }

    /// Replaces the faces that see a new vertex by a fan around it; false where that is degenerate.
    fn grow(&mut self, seed: usize, vertex: Vertex) -> bool {
        let new = self.vertices.len();
        self.vertices.push(vertex);
        self.horizon.clear();
        let mut seen = 0;
        let tiny = f64::EPSILON * 8.0 * vertex.difference.length();
        let mut i = 0;
        let seed_corners = self.faces[seed].corners;
        while i < self.faces.len() {
            let face = self.faces[i];
            let visible = face.corners == seed_corners || face.normal.dot(vertex.difference) > face.offset + tiny;
            if visible {
                seen += 1;
                let [a, b, c] = face.corners;
                for edge in [[a, b], [b, c], [c, a]] {
                    match self.horizon.iter().position(|&[p, q]| [q, p] == edge) {
                        Some(twin) => {
                            self.horizon.swap_remove(twin);
                        }
                        None => self.horizon.push(edge),
                    }
                }
                self.faces.swap_remove(i);
            } else {
                i += 1;
            }
        }
        // What is seen must be one patch: a disc of k triangles has at most k + 2 edges around it. Round-off
        // can tear it, and a torn polytope would grow without end.
        if self.horizon.len() > seen + 2 {
            return false;
        }
        let horizon = std::mem::take(&mut self.horizon);
        let closed = horizon.iter().all(|&[a, b]| self.add_face([a, b, new]).is_some());
        self.horizon = horizon;
        closed
    }
}
