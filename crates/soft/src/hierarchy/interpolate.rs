//! How a node follows those of the coarser level: by weights that keep every shift and every linear map of the rest shape, and so
//! every small turn.

use std::collections::BTreeSet;

use drystone_geometry::{DMat3, DVec3};

use super::coarsen::Nodes;
use crate::convert::outer;

/// A coarse node whose share is below this part of the largest is left out: on a grid the weights are then the bilinear ones.
const SMALL_SHARE: f64 = 0.15;
/// The same for nodes at the rim, which all their coarse nodes lie on one side of.
const SMALL_SHARE_AT_RIM: f64 = 0.005;
/// Largest weight of a node that is carried beyond its coarse nodes.
const MOST: f64 = 1.7;
/// What is added to the spread of coarse nodes, as a part of it, so that nodes in a plane or on a line have one too.
const SLIGHT: f64 = 1e-6;

/// The coarse nodes that node `node` follows, with weights.
pub fn weights(nodes: &Nodes, near: &[Vec<u32>], kept: &[bool], node: usize) -> Vec<(u32, f64)> {
    if kept[node] {
        return vec![(node as u32, 1.0)];
    }
    let chosen = |steps: u32, small: f64| {
        let offset = |&other: &u32| nodes.rest[other as usize] - nodes.rest[node];
        let share = |offset: DVec3| 1.0 / (offset.length_squared() * offset.length_squared());
        let candidates = candidates(near, kept, node, steps);
        let most = candidates.iter().map(|other| share(offset(other))).fold(0.0, f64::max);
        let all = candidates.iter().map(|other| (*other, offset(other), share(offset(other)) / most));
        all.filter(|&(.., share)| share >= small).collect::<Vec<_>>()
    };
    let near_ones = chosen(2, SMALL_SHARE);
    linear(&near_ones).or_else(|| linear(&chosen(3, SMALL_SHARE_AT_RIM))).unwrap_or_else(|| constant(&near_ones))
}

/// Coarse nodes within some steps.
fn candidates(near: &[Vec<u32>], kept: &[bool], node: usize, steps: u32) -> Vec<u32> {
    let mut reached = BTreeSet::from([node as u32]);
    for _ in 0..steps {
        let next: Vec<u32> = reached.iter().flat_map(|&at| &near[at as usize]).copied().collect();
        reached.extend(next);
    }
    reached.into_iter().filter(|&other| kept[other as usize]).collect()
}

/// Weights `share (a + g·d)` with `Σ w = 1` and `Σ w d = 0`; none if the node lies too far outside.
fn linear(chosen: &[(u32, DVec3, f64)]) -> Option<Vec<(u32, f64)>> {
    let mut whole = 0.0;
    let mut first = DVec3::ZERO;
    let mut second = DMat3::ZERO;
    for &(_, d, share) in chosen {
        whole += share;
        first += share * d;
        second += outer(d, d, share);
    }
    let slight = SLIGHT * (second.x_axis.x + second.y_axis.y + second.z_axis.z);
    second += DMat3::from_diagonal(DVec3::splat(slight));
    let tilt = second.inverse() * first;
    let left = whole - first.dot(tilt);
    let weights: Vec<(u32, f64)> =
        chosen.iter().map(|&(node, d, share)| (node, share * (1.0 - tilt.dot(d)) / left)).collect();
    let missed: DVec3 = weights.iter().zip(chosen).map(|(&(_, weight), &(_, d, _))| weight * d).sum();
    let reach = chosen.iter().map(|&(_, d, _)| d.length()).fold(f64::INFINITY, f64::min);
    let sound = weights.iter().all(|&(_, weight)| weight.abs() < MOST) && missed.length() < 0.1 * reach;
    sound.then_some(weights)
}

/// Weights by share alone.
fn constant(chosen: &[(u32, DVec3, f64)]) -> Vec<(u32, f64)> {
    let whole: f64 = chosen.iter().map(|&(.., share)| share).sum();
    chosen.iter().map(|&(node, _, share)| (node, share / whole)).collect()
}
