//! Which nodes a coarser level keeps: far enough from each other, near enough to all others.

use drystone_geometry::DVec3;

use crate::mesh::Mesh;

/// A node is near another within this many times the mean length of its edges: on a square grid its eight neighbours, whatever
/// diagonals the mesh has.
const NEAR: f64 = 1.5;

/// Nodes of a level, those that move first, and who is tied to whom.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// Those that move.
    pub free: usize,
    /// Where they were at rest \[m\].
    pub rest: Vec<DVec3>,
    /// Nodes that share an element, or at coarser levels a finer node.
    pub tied: Vec<Vec<u32>>,
    /// The same by edges of the mesh alone: folds reach over an edge.
    pub edges: Vec<Vec<u32>>,
    /// The order to choose in: along the mesh, so that what is regular stays regular.
    pub rank: Vec<u32>,
}

impl Nodes {
    /// The particles.
    pub fn of(mesh: &Mesh) -> Self {
        let rank = mesh.model.clone();
        let (tied, edges) = (mesh.neighbours.clone(), mesh.edges.clone());
        Self { free: mesh.free, rest: mesh.rest.clone(), tied, edges, rank }
    }

    /// Nodes within reach of every node, over at most two edges.
    pub fn near(&self) -> Vec<Vec<u32>> {
        let mean = |node: usize| {
            let edges = &self.edges[node];
            let sum: f64 = edges.iter().map(|&other| self.rest[node].distance(self.rest[other as usize])).sum();
            if edges.is_empty() { 0.0 } else { sum / edges.len() as f64 }
        };
        let spacing: Vec<f64> = (0..self.rest.len()).map(mean).collect();
        let within = |node: usize| {
            let once = self.edges[node].iter();
            let twice = self.edges[node].iter().flat_map(|&other| &self.edges[other as usize]);
            let mut list: Vec<u32> = once.chain(twice).copied().filter(|&other| other as usize != node).collect();
            list.sort_unstable();
            list.dedup();
            list.retain(|&other| {
                let reach = NEAR * spacing[node].max(spacing[other as usize]);
                self.rest[node].distance(self.rest[other as usize]) < reach
            });
            list
        };
        (0..self.rest.len()).map(within).collect()
    }

    /// Which nodes are kept: no two near each other, and every other near one.
    pub fn kept(&self, near: &[Vec<u32>]) -> Vec<bool> {
        let mut order: Vec<u32> = (0..self.rest.len() as u32).collect();
        order.sort_by_key(|&node| self.rank[node as usize]);
        let mut kept = vec![false; self.rest.len()];
        for node in order {
            let free_of = near[node as usize].iter().all(|&other| !kept[other as usize]);
            kept[node as usize] = free_of;
        }
        kept
    }
}
