//! Top-down construction by the binned surface area heuristic.

use glamx::DVec3;

use super::{Bvh, Leaf, Node};
use crate::Aabb;

/// Runs up to this long are not split further.
const LEAF_SIZE: usize = 4;
/// Places tried for a split.
const BINS: usize = 16;
/// From this depth on, splits halve the items, which bounds the depth of the tree.
const MAX_UNEVEN_DEPTH: usize = 40;

impl Bvh {
    /// Builds a tree over boxes; item i is `bounds[i]`. Boxes may be infinite or empty.
    pub fn build(bounds: &[Aabb]) -> Self {
        let mut tree = Self::default();
        tree.rebuild(bounds);
        tree
    }

    /// Builds anew in place, reusing memory.
    pub fn rebuild(&mut self, bounds: &[Aabb]) {
        self.nodes.clear();
        self.leaves.clear();
        self.leaves.extend(bounds.iter().zip(0..).map(|(&bounds, item)| Leaf { bounds, item }));
        if !bounds.is_empty() {
            self.split(0, bounds.len(), 0);
        }
    }

    /// Makes the subtree over `leaves[start..end]`.
    fn split(&mut self, start: usize, end: usize, depth: usize) {
        let leaves = &mut self.leaves[start..end];
        let bounds = leaves.iter().fold(Aabb::EMPTY, |b, leaf| b.union(leaf.bounds));
        if leaves.len() <= LEAF_SIZE {
            self.nodes.push(Node { bounds, first: start as u32, count: (end - start) as u32 });
            return;
        }
        let plane = if depth < MAX_UNEVEN_DEPTH { best_plane(leaves) } else { None };
        let left = match plane {
            Some(plane) => partition(leaves, &plane),
            None => halve(leaves),
        };
        let middle = start + left;
        let index = self.nodes.len();
        self.nodes.push(Node { bounds, first: 0, count: 0 });
        self.split(start, middle, depth + 1);
        self.nodes[index].first = self.nodes.len() as u32;
        self.split(middle, end, depth + 1);
    }
}

/// The middle of a box; the origin stands for boxes without one (empty or infinite on both sides).
fn center(leaf: &Leaf) -> DVec3 {
    let center = leaf.bounds.center();
    if center.is_finite() { center } else { DVec3::ZERO }
}

/// A split between two bins along an axis.
struct Plane {
    axis: usize,
    origin: f64,
    bins_per_length: f64,
    bin: usize,
}

impl Plane {
    fn bin_of(&self, leaf: &Leaf) -> usize {
        (((center(leaf)[self.axis] - self.origin) * self.bins_per_length) as usize).min(BINS - 1)
    }

    fn is_left(&self, leaf: &Leaf) -> bool {
        self.bin_of(leaf) <= self.bin
    }
}

/// The cheapest split along the axis on which the centres spread most; `None` if they do not spread. Neither side is
/// ever empty: the first and the last bin hold the outermost centres.
fn best_plane(leaves: &[Leaf]) -> Option<Plane> {
    let centers = Aabb::from_points(leaves.iter().map(center));
    let axis = centers.extent().max_position();
    let spread = centers.extent()[axis];
    let bins_per_length = BINS as f64 / spread;
    if spread <= 0.0 || !bins_per_length.is_finite() {
        return None;
    }
    let mut plane = Plane { axis, origin: centers.min[axis], bins_per_length, bin: 0 };
    let mut bins = [(Aabb::EMPTY, 0usize); BINS];
    for leaf in leaves {
        let bin = &mut bins[plane.bin_of(leaf)];
        *bin = (bin.0.union(leaf.bounds), bin.1 + 1);
    }
    // Right sides first, so that one sweep from the left sees both.
    let mut right_cost = [0.0; BINS];
    let mut right = (Aabb::EMPTY, 0);
    for bin in (1..BINS).rev() {
        right = (right.0.union(bins[bin].0), right.1 + bins[bin].1);
        right_cost[bin - 1] = right.0.half_area() * right.1 as f64;
    }
    let (mut left, mut best) = ((Aabb::EMPTY, 0), f64::INFINITY);
    for bin in 0..BINS - 1 {
        left = (left.0.union(bins[bin].0), left.1 + bins[bin].1);
        let cost = left.0.half_area() * left.1 as f64 + right_cost[bin];
        if cost < best {
            (best, plane.bin) = (cost, bin);
        }
    }
    best.is_finite().then_some(plane)
}

/// Moves the leaves left of the plane to the front and returns their number.
fn partition(leaves: &mut [Leaf], plane: &Plane) -> usize {
    let mut left = 0;
    for i in 0..leaves.len() {
        if plane.is_left(&leaves[i]) {
            leaves.swap(left, i);
            left += 1;
        }
    }
    left
}

/// Splits at the median along the longest axis of the centres.
fn halve(leaves: &mut [Leaf]) -> usize {
    let axis = Aabb::from_points(leaves.iter().map(center)).extent().max_position();
    leaves.sort_unstable_by(|a, b| center(a)[axis].total_cmp(&center(b)[axis]).then(a.item.cmp(&b.item)));
    leaves.len() / 2
}
