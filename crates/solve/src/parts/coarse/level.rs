//! One level of the hierarchy: a block matrix over a graph of rigid bodies or groups of bodies.

use glamx::DVec3;
use rayon::prelude::*;

use super::aggregate::{NONE, aggregate};
use crate::parts::adjacency::Adjacency;
use crate::parts::coloring::{ColorOrder, Coloring};
use crate::parts::ldl::Ldl;
use crate::parts::matrix::{Mat, Mat6, Vec6};

/// Nodes per task of a colour; a node costs about 0.3 µs.
const TASK_NODES: usize = 64;

#[derive(Clone, Debug, Default)]
pub struct Level {
    pub position: Vec<DVec3>,
    pub edges: Vec<[u32; 2]>,
    pub diagonal: Vec<Mat6<f64>>,
    /// Per edge: rows of its first node, columns of its second.
    pub coupling: Vec<Mat6<f64>>,
    factor: Vec<Ldl<f64, 6>>,
    moves: Vec<bool>,
    adjacency: Adjacency,
    coloring: Coloring,
    /// Group of every node, the groups before stragglers joined, and each node's lever from the centre
    /// of its group.
    group: Vec<u32>,
    first_pass: Vec<u32>,
    lever: Vec<DVec3>,
    /// Number of nodes of the finer level in every node.
    members: Vec<f64>,
    /// Per edge the coarse edge it adds to, or [`NONE`] inside a group, and whether it runs the other way.
    coarse_edge: Vec<(u32, bool)>,
    pub x: Vec<Vec6<f64>>,
    pub r: Vec<Vec6<f64>>,
    work: Vec<Vec6<f64>>,
    moved: Vec<Vec6<f64>>,
}

impl Level {
    /// Prepares everything that depends on `position` and `edges` alone.
    pub fn set_structure(&mut self) {
        let count = self.position.len();
        self.moves.clear();
        self.moves.resize(count, true);
        self.adjacency.build(&self.moves, &self.edges);
        self.coloring.color(&self.moves, &self.edges, ColorOrder::Index);
        self.diagonal.clear();
        self.diagonal.resize(count, Mat6::ZERO);
        self.coupling.clear();
        self.coupling.resize(self.edges.len(), Mat6::ZERO);
        self.factor.resize(count, Ldl::default());
        self.x.resize(count, [0.0; 6]);
        self.r.resize(count, [0.0; 6]);
    }

    /// Groups the nodes and lays out the next level; says whether that made it clearly smaller.
    pub fn coarsen(&mut self, coarse: &mut Level) -> bool {
        let count = aggregate(&self.edges, &self.adjacency, &mut self.group, &mut self.first_pass);
        coarse.position.clear();
        coarse.position.resize(count, DVec3::ZERO);
        coarse.members.clear();
        coarse.members.resize(count, 0.0);
        let grouped = || self.group.iter().zip(&self.position).filter(|(group, _)| **group != NONE);
        for (&group, &position) in grouped() {
            coarse.position[group as usize] += position;
            coarse.members[group as usize] += 1.0;
        }
        coarse.position.iter_mut().zip(&coarse.members).for_each(|(position, members)| *position /= *members);
        let centre = |group: u32| coarse.position.get(group as usize).copied();
        self.lever.clear();
        let levers = self.group.iter().zip(&self.position);
        self.lever.extend(levers.map(|(&group, &position)| centre(group).map_or(DVec3::ZERO, |c| position - c)));
        self.merge_edges(&mut coarse.edges);
        coarse.set_structure();
        count * 4 < self.position.len() * 3
    }

    /// Finds the distinct pairs of groups that edges join, in ascending order.
    fn merge_edges(&mut self, coarse: &mut Vec<[u32; 2]>) {
        let pair = |edge: &[u32; 2]| edge.map(|node| self.group[node as usize]);
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        coarse.clear();
        coarse.extend(self.edges.iter().map(pair).filter(|[a, b]| a != b).map(sorted));
        coarse.sort_unstable();
        coarse.dedup();
        self.coarse_edge.clear();
        let found = self.edges.iter().map(pair).map(|groups| {
            let place = coarse.binary_search(&sorted(groups));
            (place.map_or(NONE, |place| place as u32), groups[0] > groups[1])
        });
        self.coarse_edge.extend(found);
    }

    /// Sets the blocks of the next level: what a group feels when its nodes move rigidly with it.
    pub fn restrict_blocks(&self, coarse: &mut Level) {
        coarse.diagonal.fill(Mat6::ZERO);
        coarse.coupling.fill(Mat6::ZERO);
        for node in (0..self.group.len()).filter(|&node| self.group[node] != NONE) {
            let block = moved_to(self.diagonal[node], self.lever[node], self.lever[node]);
            coarse.diagonal[self.group[node] as usize].add_scaled(1.0, &block);
        }
        for (edge, &[a, b]) in self.edges.iter().enumerate() {
            let block = moved_to(self.coupling[edge], self.lever[a as usize], self.lever[b as usize]);
            match self.coarse_edge[edge] {
                (NONE, _) => {
                    let diagonal = &mut coarse.diagonal[self.group[a as usize] as usize];
                    diagonal.add_scaled(1.0, &block);
                    diagonal.add_scaled(1.0, &block.transpose());
                }
                (to, false) => coarse.coupling[to as usize].add_scaled(1.0, &block),
                (to, true) => coarse.coupling[to as usize].add_scaled(1.0, &block.transpose()),
            }
        }
    }

    pub fn factor(&mut self) {
        let blocks = self.factor.par_iter_mut().zip(&self.diagonal).with_min_len(TASK_NODES);
        blocks.for_each(|(factor, diagonal)| *factor = Ldl::semidefinite(diagonal));
    }

    /// One Gauss–Seidel sweep through the colours, first to last or last to first.
    pub fn sweep(&mut self, backward: bool) {
        for k in 0..self.coloring.color_count() {
            let color = if backward { self.coloring.color_count() - 1 - k } else { k };
            let nodes = self.coloring.bodies(color);
            let mut moved = std::mem::take(&mut self.work);
            let solved = nodes.par_iter().with_min_len(TASK_NODES).map(|&node| {
                let residual = self.residual_at(node as usize);
                let step = self.factor[node as usize].solve(&residual);
                std::array::from_fn(|i| self.x[node as usize][i] + step[i])
            });
            solved.collect_into_vec(&mut moved);
            self.work = moved;
            nodes.iter().zip(&self.work).for_each(|(&node, &x)| self.x[node as usize] = x);
        }
    }

    /// r − H x at a node.
    pub fn residual_at(&self, node: usize) -> Vec6<f64> {
        let mut residual = self.r[node];
        subtract(&mut residual, &self.diagonal[node].mul_vec(&self.x[node]));
        for k in 0..self.adjacency.degree(node) {
            let end = self.adjacency.get(node, k);
            let (block, other) = (&self.coupling[end.constraint()], &self.edges[end.constraint()]);
            let pull = match end.end() {
                0 => block.mul_vec(&self.x[other[1] as usize]),
                _ => block.transpose_mul_vec(&self.x[other[0] as usize]),
            };
            subtract(&mut residual, &pull);
        }
        residual
    }

    /// r − H x at every node, in `work`.
    fn residuals(&mut self) {
        let mut residuals = std::mem::take(&mut self.work);
        let nodes = (0..self.x.len()).into_par_iter().with_min_len(TASK_NODES);
        nodes.map(|node| self.residual_at(node)).collect_into_vec(&mut residuals);
        self.work = residuals;
    }

    /// Hands the residual to the next level, as force and torque on each group.
    pub fn restrict(&mut self, coarse: &mut Level) {
        self.residuals();
        coarse.r.fill([0.0; 6]);
        for node in (0..self.group.len()).filter(|&node| self.group[node] != NONE) {
            let moved = torque_about(self.work[node], self.lever[node]);
            let sum = &mut coarse.r[self.group[node] as usize];
            (0..6).for_each(|i| sum[i] += moved[i]);
        }
    }

    /// Takes `length` times the move just found, and the residual after it as the new right-hand side.
    pub fn keep_going(&mut self, length: f64) {
        self.x.as_flattened_mut().iter_mut().for_each(|x| *x *= length);
        self.residuals();
        self.moved.clone_from(&self.x);
        self.r.clone_from(&self.work);
    }

    /// Adds `length` times the move just found to the one before.
    pub fn finish_going(&mut self, length: f64) {
        let moves = self.x.as_flattened_mut().iter_mut().zip(self.moved.as_flattened());
        moves.for_each(|(x, moved)| *x = length * *x + moved);
    }

    /// Moves each node rigidly with its group.
    pub fn prolong(&mut self, coarse: &Level) {
        for node in (0..self.group.len()).filter(|&node| self.group[node] != NONE) {
            let [vx, vy, vz, wx, wy, wz] = coarse.x[self.group[node] as usize];
            let turn = DVec3::new(wx, wy, wz).cross(self.lever[node]);
            let moved = [vx + turn.x, vy + turn.y, vz + turn.z, wx, wy, wz];
            (0..6).for_each(|i| self.x[node][i] += moved[i]);
        }
    }
}

#[cfg(test)]
impl Level {
    /// Each node's block solved for itself.
    pub fn block_jacobi(&self, r: &[Vec6<f64>], x: &mut [Vec6<f64>]) {
        (0..r.len()).for_each(|node| x[node] = self.factor[node].solve(&r[node]));
    }
}

fn subtract(from: &mut Vec6<f64>, v: &Vec6<f64>) {
    (0..6).for_each(|i| from[i] -= v[i]);
}

/// A force and torque at the end of a lever, as force and torque at its start.
fn torque_about([fx, fy, fz, tx, ty, tz]: Vec6<f64>, lever: DVec3) -> Vec6<f64> {
    let moment = lever.cross(DVec3::new(fx, fy, fz));
    [fx, fy, fz, tx + moment.x, ty + moment.y, tz + moment.z]
}

/// Pᵀ H P', with P the rigid motion of a node at `row_lever` and P' of one at `column_lever`.
fn moved_to(block: Mat6<f64>, row_lever: DVec3, column_lever: DVec3) -> Mat6<f64> {
    let columns_moved = Mat(block.0.map(|row| torque_about(row, column_lever)));
    Mat(columns_moved.transpose().0.map(|column| torque_about(column, row_lever))).transpose()
}
