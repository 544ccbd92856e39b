//! A tree of bounding boxes over numbered items.
//!
//! Built top down by the surface area heuristic, stored as one flat array in preorder (a node's left child follows it).
//! The tree and the order of all visits depend on the boxes alone.

use crate::{Aabb, Ray};

mod build;
mod moving;
mod pairs;

pub use moving::{MovingBox, MovingBvh, ever_overlap};

/// A tree of bounding boxes.
///
/// ```
/// use drystone_geometry::{Aabb, DVec3, bvh::Bvh};
/// let unit = |x: f64| Aabb::from_center_half(DVec3::X * x, DVec3::splat(0.6));
/// let tree = Bvh::build(&[unit(0.0), unit(5.0), unit(1.0)]);
/// let mut pairs = Vec::new();
/// tree.self_pairs(|i, j| pairs.push((i, j)));
/// assert_eq!(pairs, [(0, 2)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// An inner node (`count == 0`, `first` is its right child) or a run of leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    first: u32,
    count: u32,
}

/// An item with its own box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leaf {
    bounds: Aabb,
    item: u32,
}

/// Deep enough for any tree: the builder halves the items from depth 40 on, so 2³² items end at depth 72.
const STACK: usize = 80;

/// Nodes still to visit; lives on the program stack.
struct Pending {
    nodes: [u32; STACK],
    count: usize,
}

impl Pending {
    fn root() -> Self {
        Self { nodes: [0; STACK], count: 1 }
    }

    fn push(&mut self, node: u32) {
        self.nodes[self.count] = node;
        self.count += 1;
    }

    fn pop(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        Some(self.nodes[self.count])
    }
}

impl Bvh {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds)
    }

    /// Moves the boxes to those of `bounds` (as many as the tree was built from) and keeps the tree's shape: cheap,
    /// and good as long as items stay near their old neighbours.
    pub fn refit(&mut self, bounds: &[Aabb]) {
        self.refit_by(|item| bounds.get(item).copied().unwrap_or(Aabb::EMPTY));
    }

    fn refit_by(&mut self, bounds: impl Fn(usize) -> Aabb) {
        for leaf in &mut self.leaves {
            leaf.bounds = bounds(leaf.item as usize);
        }
        // Children follow their parents, so backwards every child is ready before its parent.
        for i in (0..self.nodes.len()).rev() {
            self.nodes[i].bounds = match self.children(i as u32) {
                Some([left, right]) => self.node(left).bounds.union(self.node(right).bounds),
                None => self.leaves_of(i as u32).iter().fold(Aabb::EMPTY, |b, leaf| b.union(leaf.bounds)),
            };
        }
    }

    /// Calls `visit` with every item whose box overlaps `query`.
    pub fn overlaps(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        let mut pending = if self.is_empty() { return } else { Pending::root() };
        while let Some(node) = pending.pop() {
            if !self.node(node).bounds.overlaps(query) {
                continue;
            }
            match self.children(node) {
                Some([left, right]) => {
                    pending.push(right);
                    pending.push(left);
                }
                None => {
                    let hit = self.leaves_of(node).iter().filter(|leaf| leaf.bounds.overlaps(query));
                    hit.for_each(|leaf| visit(leaf.item));
                }
            }
        }
    }

    /// The item hit first by `ray`, and when. `hit_item` tells when the ray hits an item, if before the given time.
    /// Of items hit at the same time, the lowest number wins.
    pub fn cast_ray(
        &self,
        ray: &Ray,
        max_time: f64,
        hit_item: impl FnMut(u32, f64) -> Option<f64>,
    ) -> Option<(u32, f64)> {
        self.cast_box(ray, glamx::DVec3::ZERO, max_time, hit_item)
    }

    /// The same for a box that moves with its middle along the ray and reaches `half` to every side \[m\].
    pub fn cast_box(
        &self,
        ray: &Ray,
        half: glamx::DVec3,
        max_time: f64,
        mut hit_item: impl FnMut(u32, f64) -> Option<f64>,
    ) -> Option<(u32, f64)> {
        if self.is_empty() {
            return None;
        }
        let inverse = ray.direction.recip();
        let clip = |bounds: &Aabb, limit: f64| {
            bounds.grown_by(half).clip_ray(ray.origin, inverse, limit).map(|(entry, _)| entry)
        };
        let mut best: Option<(u32, f64)> = None;
        // Nodes still to visit, and when the ray enters their boxes.
        let mut pending = [(0, 0.0); STACK];
        let mut count = usize::from(clip(&self.nodes[0].bounds, max_time).is_some());
        while count > 0 {
            count -= 1;
            let (node, entry) = pending[count];
            let limit = best.map_or(max_time, |b| b.1);
            if entry > limit {
                continue;
            }
            if let Some(children) = self.children(node) {
                let [left, right] =
                    children.map(|child| clip(&self.node(child).bounds, limit).map(|entry| (child, entry)));
                // The nearer child first: its hit may rule the other out.
                let left_first = left.map(|l| l.1) <= right.map(|r| r.1);
                for child in if left_first { [right, left] } else { [left, right] }.into_iter().flatten() {
                    pending[count] = child;
                    count += 1;
                }
                continue;
            }
            for leaf in self.leaves_of(node) {
                let limit = best.map_or(max_time, |b| b.1);
                if clip(&leaf.bounds, limit).is_some()
                    && let Some(time) = hit_item(leaf.item, limit).filter(|t| *t <= limit)
                    && best.is_none_or(|b| (time, leaf.item) < (b.1, b.0))
                {
                    best = Some((leaf.item, time));
                }
            }
        }
        best
    }

    /// Calls `visit` with the items whose boxes are within `reach` \[m\] of `point`, the nearer parts of the tree
    /// first. `visit` returns how far to look from then on \[m\].
    pub fn visit_near(&self, point: glamx::DVec3, reach: f64, mut visit: impl FnMut(u32) -> f64) {
        self.walk_near(point, reach * reach, |item, limit| {
            let reach = visit(item);
            limit.min(reach * reach)
        });
    }

    /// Calls `visit` with the items whose boxes are within the square root of `limit` \[m²\] of `point`, the nearer parts of
    /// the tree first, and with the limit of the moment. `visit` returns the limit from then on.
    #[inline]
    fn walk_near(&self, point: glamx::DVec3, limit: f64, mut visit: impl FnMut(u32, f64) -> f64) {
        let mut limit = limit;
        let mut pending = if self.is_empty() { return } else { Pending::root() };
        let gap = |node: u32| self.node(node).bounds.distance_squared(point);
        while let Some(node) = pending.pop() {
            if gap(node) > limit {
                continue;
            }
            if let Some([left, right]) = self.children(node) {
                let far_first = gap(left) <= gap(right);
                pending.push(if far_first { right } else { left });
                pending.push(if far_first { left } else { right });
                continue;
            }
            for leaf in self.leaves_of(node) {
                if leaf.bounds.distance_squared(point) <= limit {
                    limit = visit(leaf.item, limit);
                }
            }
        }
    }

    /// How many nodes a random ray through the tree visits, up to a factor: the sum of the areas of all boxes over that
    /// of the root. Refitting lets it grow; a tree built anew is the better once it has.
    pub fn cost(&self) -> f64 {
        let whole = self.bounds().half_area();
        let all: f64 = self.nodes.iter().map(|node| node.bounds.half_area()).sum();
        if whole > 0.0 { all / whole } else { 0.0 }
    }

    /// The item nearest to `point` and its squared distance, among those nearer than the square root of
    /// `max_squared` \[m²\]. `distance_squared` measures the distance to an item, which must not be less than that to
    /// its box. Of items equally near, the lowest number wins.
    pub fn nearest(
        &self,
        point: glamx::DVec3,
        max_squared: f64,
        mut distance_squared: impl FnMut(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64)> = None;
        self.walk_near(point, max_squared, |item, limit| {
            let squared = distance_squared(item);
            if squared <= limit && best.is_none_or(|b| (squared, item) < (b.1, b.0)) {
                best = Some((item, squared));
                return squared;
            }
            limit
        });
        best
    }

    #[inline]
    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    #[inline]
    fn children(&self, index: u32) -> Option<[u32; 2]> {
        let node = self.node(index);
        (node.count == 0).then_some([index + 1, node.first])
    }

    #[inline]
    fn leaves_of(&self, index: u32) -> &[Leaf] {
        let node = self.node(index);
        &self.leaves[node.first as usize..(node.first + node.count) as usize]
    }
}
