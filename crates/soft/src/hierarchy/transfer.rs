//! Between a level and the next coarser one.

use std::collections::BTreeSet;

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;

use super::coarsen::Nodes;
use super::interpolate::weights;
use crate::matrix::Matrix;
use crate::mesh::by_color;

/// A level that keeps more than this part of its nodes is not worth its work.
const WORTH: f64 = 0.7;

/// Weights from coarse nodes to fine ones, the other way round, and the terms of the coarse matrix.
#[derive(Clone, Debug, Default)]
pub struct Transfer {
    down: Rows<(u32, f64)>,
    up: Rows<(u32, f64)>,
    terms: Rows<Term>,
}

/// Lists by row.
#[derive(Clone, Debug)]
struct Rows<T> {
    start: Vec<u32>,
    item: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { start: vec![0], item: Vec::new() }
    }
}

impl<T: Clone> Rows<T> {
    fn new(rows: &[Vec<T>]) -> Self {
        let mut start = vec![0];
        for row in rows {
            start.push(start[start.len() - 1] + row.len() as u32);
        }
        Self { start, item: rows.concat() }
    }

    fn row(&self, row: usize) -> &[T] {
        &self.item[self.start[row] as usize..self.start[row + 1] as usize]
    }
}

/// A fine entry of weight in a coarse one.
#[derive(Clone, Copy, Debug)]
struct Term {
    /// Entry of the fine matrix.
    entry: u32,
    /// Place in the row of the coarse one.
    place: u32,
    weight: f64,
}

/// The coarser level of a transfer.
#[derive(Clone, Debug)]
pub struct Coarser {
    pub nodes: Nodes,
    pub matrix: Matrix,
    pub colors: Vec<u32>,
}

/// The way to a coarser level; none if it would hardly be smaller.
pub fn build(nodes: &Nodes, fine: &Matrix) -> Option<(Transfer, Coarser)> {
    let near = nodes.near();
    let kept = nodes.kept(&near);
    let follows: Vec<Vec<(u32, f64)>> = (0..nodes.rest.len()).map(|node| weights(nodes, &near, &kept, node)).collect();
    let chosen: Vec<u32> = (0..nodes.rest.len() as u32).filter(|&node| kept[node as usize]).collect();
    let free = chosen.iter().filter(|&&node| (node as usize) < nodes.free).count();
    if free as f64 > WORTH * nodes.free as f64 {
        return None;
    }
    // Coarse nodes by their place among those kept, then by colour.
    let mut place = vec![u32::MAX; nodes.rest.len()];
    for (at, &node) in (0..).zip(&chosen) {
        place[node as usize] = at;
    }
    let follows: Vec<Vec<(u32, f64)>> =
        follows.iter().map(|row| row.iter().map(|&(node, weight)| (place[node as usize], weight)).collect()).collect();
    let tied = ties(&nodes.tied, &follows, chosen.len());
    let edges = ties(&nodes.edges, &follows, chosen.len());
    let moves: Vec<bool> = chosen.iter().map(|&node| (node as usize) < nodes.free).collect();
    let (order, free, colors) = by_color(&moves, &tied);
    let mut renamed = vec![0; order.len()];
    for (at, &node) in (0..).zip(&order) {
        renamed[node as usize] = at;
    }
    let name = |node: &u32| renamed[*node as usize];
    let renamed_lists = |lists: &[BTreeSet<u32>]| -> Vec<Vec<u32>> {
        let list = |&at: &u32| lists[at as usize].iter().map(name).collect::<BTreeSet<u32>>().into_iter().collect();
        order.iter().map(list).collect()
    };
    let of_kept = |at: &u32| chosen[*at as usize] as usize;
    let coarse = Nodes {
        free,
        rest: order.iter().map(|at| nodes.rest[of_kept(at)]).collect(),
        rank: order.iter().map(|at| nodes.rank[of_kept(at)]).collect(),
        tied: renamed_lists(&tied),
        edges: renamed_lists(&edges),
    };
    // Nodes that do not move carry nothing.
    let down: Vec<Vec<(u32, f64)>> = follows[..nodes.free]
        .iter()
        .map(|row| row.iter().map(|(at, weight)| (name(at), *weight)).filter(|&(at, _)| (at as usize) < free).collect())
        .collect();
    let only_free = |list: &Vec<u32>| list.iter().copied().filter(|&node| (node as usize) < free).collect();
    let pattern: Vec<Vec<u32>> = coarse.tied[..free].iter().map(only_free).collect();
    let matrix = Matrix::new(&pattern);
    Some((Transfer::new(&down, free, fine, &matrix), Coarser { nodes: coarse, matrix, colors }))
}

/// Coarse nodes whose fine nodes are the same or tied.
fn ties(fine: &[Vec<u32>], follows: &[Vec<(u32, f64)>], count: usize) -> Vec<BTreeSet<u32>> {
    let mut sets = vec![BTreeSet::new(); count];
    for (node, tied) in fine.iter().enumerate() {
        for &other in tied.iter().chain(&[node as u32]) {
            for &(a, _) in &follows[node] {
                for &(b, _) in follows[other as usize].iter().filter(|&&(b, _)| b != a) {
                    sets[a as usize].insert(b);
                    sets[b as usize].insert(a);
                }
            }
        }
    }
    sets
}

impl Transfer {
    fn new(down: &[Vec<(u32, f64)>], coarse: usize, fine: &Matrix, matrix: &Matrix) -> Self {
        let mut up = vec![Vec::new(); coarse];
        for (node, row) in (0..).zip(down) {
            for &(at, weight) in row {
                up[at as usize].push((node, weight));
            }
        }
        let terms = |row: usize| {
            let mut terms = Vec::new();
            for &(node, weight) in &up[row] {
                for entry in fine.row(node as usize) {
                    // Blocks below the diagonal are those above it.
                    let columns = down[fine.column[entry] as usize].iter();
                    for &(column, other) in columns.filter(|&&(column, _)| column as usize >= row) {
                        let place = matrix.place(row, column).expect("ties cover what fine entries reach");
                        terms.push(Term { entry: entry as u32, place: place as u32, weight: weight * other });
                    }
                }
            }
            terms
        };
        let terms: Vec<Vec<Term>> = (0..coarse).map(terms).collect();
        Self { down: Rows::new(down), up: Rows::new(&up), terms: Rows::new(&terms) }
    }

    /// `coarse = Pᵀ fine P`.
    pub fn galerkin(&self, fine: &Matrix, coarse: &mut Matrix) {
        let Matrix { start, value, .. } = coarse;
        parallel::by_row(start, value, &|row, blocks| {
            blocks.fill(DMat3::ZERO);
            for term in self.terms.row(row) {
                blocks[term.place as usize] += fine.value[term.entry as usize] * term.weight;
            }
        });
        coarse.mirror();
    }

    /// `b = Pᵀ r`.
    pub fn restrict(&self, r: &[DVec3], b: &mut [DVec3]) {
        parallel::each(b, |row, b| {
            *b = self.up.row(row).iter().map(|&(node, weight)| weight * r[node as usize]).sum();
        });
    }

    /// `x += P y`.
    pub fn prolong(&self, y: &[DVec3], x: &mut [DVec3]) {
        parallel::each(x, |row, x| {
            *x += self.down.row(row).iter().map(|&(node, weight)| weight * y[node as usize]).sum::<DVec3>();
        });
    }
}
