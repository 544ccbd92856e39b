//! Connected parts of a mesh, and fans of triangles around a vertex.

use super::TriMesh;
use super::check::Side;
use crate::Aabb;

/// Disjoint sets; the representative of a set is its smallest member.
pub(super) struct Sets(Vec<u32>);

impl Sets {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    pub(super) fn find(&mut self, mut x: u32) -> u32 {
        while self.0[x as usize] != x {
            let grandparent = self.0[self.0[x as usize] as usize];
            self.0[x as usize] = grandparent;
            x = grandparent;
        }
        x
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

impl TriMesh {
    /// Triangles joined through edges, each list ascending, lists in order of their first triangle.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let mut sets = Sets::new(self.triangles.len());
        for group in self.sides_by_edge().chunk_by(|a, b| a.edge == b.edge) {
            group.iter().skip(1).for_each(|side| sets.join(group[0].triangle as u32, side.triangle as u32));
        }
        let mut slot = vec![usize::MAX; self.triangles.len()];
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for t in 0..self.triangles.len() as u32 {
            let root = sets.find(t) as usize;
            if slot[root] == usize::MAX {
                slot[root] = parts.len();
                parts.push(Vec::new());
            }
            parts[slot[root]].push(t);
        }
        parts
    }

    /// The mesh of some of the triangles, on the same vertices.
    pub(super) fn part(&self, triangles: &[u32]) -> Self {
        let triangles = triangles.iter().map(|&t| self.triangles[t as usize]).collect();
        Self { vertices: self.vertices.clone(), triangles }
    }

    /// Around how many of the other `parts` each of them is nested, whichever way they are oriented.
    pub(super) fn nesting_depths(&self, parts: &[Vec<u32>]) -> Vec<usize> {
        if parts.len() == 1 {
            return vec![0];
        }
        let meshes: Vec<Self> = parts.iter().map(|p| self.part(p)).collect();
        let bounds: Vec<Aabb> = meshes.iter().map(|m| Aabb::from_points(m.all_corners().flatten())).collect();
        let point = |mesh: &Self| mesh.vertices[mesh.triangles[0][0] as usize];
        let holds = |outer: usize, inner: usize| {
            let p = point(&meshes[inner]);
            outer != inner && bounds[outer].contains_point(p) && meshes[outer].winding_number(p).abs() > 0.5
        };
        (0..parts.len()).map(|i| (0..parts.len()).filter(|&j| holds(j, i)).count()).collect()
    }

    /// Corners (3 · triangle + k) at the same vertex, joined if their triangles share an edge there.
    pub(super) fn fans(&self, sides: &[Side]) -> Sets {
        let mut sets = Sets::new(3 * self.triangles.len());
        let corner = |triangle: usize, vertex: u32| {
            let k = self.triangles[triangle].iter().position(|&v| v == vertex).unwrap_or(0);
            (3 * triangle + k) as u32
        };
        for group in sides.chunk_by(|a, b| a.edge == b.edge) {
            for side in &group[1..] {
                for vertex in side.edge {
                    sets.join(corner(group[0].triangle, vertex), corner(side.triangle, vertex));
                }
            }
        }
        sets
    }
}
