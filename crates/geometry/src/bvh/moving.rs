//! A tree of boxes that move evenly: which come to overlap on the way.

use super::{Bvh, Pending};
use crate::Aabb;

/// A box at the start and at the end of a way. What moves straight and evenly between the two stays within the box between them.
pub type MovingBox = [Aabb; 2];

/// A tree of boxes that move evenly from where they start to where they end, all at once.
///
/// ```
/// use drystone_geometry::{Aabb, DVec3, bvh::MovingBvh};
/// let at = |x: f64| Aabb::from_center_half(DVec3::X * x, DVec3::splat(0.1));
/// // Two go along together, the third comes the other way.
/// let mut tree = MovingBvh::build(&[[at(0.0), at(5.0)], [at(1.0), at(6.0)], [at(5.0), at(1.0)]]);
/// let mut met = Vec::new();
/// tree.overlaps(&[at(0.0), at(5.0)], |item| met.push(item));
/// assert_eq!(met, [0, 2]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovingBvh {
    /// Built over the whole ways; the other has its shape.
    start: Bvh,
    end: Bvh,
}

impl MovingBvh {
    /// Builds a tree over moving boxes; item i is `boxes[i]`.
    pub fn build(boxes: &[MovingBox]) -> Self {
        let whole: Vec<Aabb> = boxes.iter().map(|[start, end]| start.union(*end)).collect();
        let start = Bvh::build(&whole);
        let mut tree = Self { end: start.clone(), start };
        tree.refit(boxes);
        tree
    }

    /// Moves the boxes, as many as the tree was built from, and keeps the tree's shape.
    pub fn refit(&mut self, boxes: &[MovingBox]) {
        self.start.refit_by(|item| boxes[item][0]);
        self.end.refit_by(|item| boxes[item][1]);
    }

    /// How many nodes a random ray through the tree at the start visits, up to a factor.
    pub fn cost(&self) -> f64 {
        self.start.cost()
    }

    /// Calls `visit` with every item whose box overlaps that of `query` at some time.
    pub fn overlaps(&self, query: &MovingBox, mut visit: impl FnMut(u32)) {
        let mut pending = if self.start.is_empty() { return } else { Pending::root() };
        while let Some(node) = pending.pop() {
            if !ever_overlap(query, &[self.start.node(node).bounds, self.end.node(node).bounds]) {
                continue;
            }
            match self.start.children(node) {
                Some([left, right]) => {
                    pending.push(right);
                    pending.push(left);
                }
                None => {
                    let leaves = self.start.leaves_of(node).iter().zip(self.end.leaves_of(node));
                    let hit = leaves.filter(|(start, end)| ever_overlap(query, &[start.bounds, end.bounds]));
                    hit.for_each(|(start, _)| visit(start.item));
                }
            }
        }
    }
}

/// Whether two boxes that move evenly overlap at some time.
pub fn ever_overlap([a, a_end]: &MovingBox, [b, b_end]: &MovingBox) -> bool {
    let (mut from, mut until) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let room = [
            [b.max[axis] - a.min[axis], b_end.max[axis] - a_end.min[axis]],
            [a.max[axis] - b.min[axis], a_end.max[axis] - b_end.min[axis]],
        ];
        for [first, last] in room {
            match (first < 0.0, last < 0.0) {
                (true, true) => return false,
                (true, false) => from = from.max(first / (first - last)),
                (false, true) => until = until.min(first / (first - last)),
                (false, false) => {}
            }
        }
        if from > until {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;

    /// What boxes say at any time between, the test of the whole way says too; and where it says they meet, they do at a time that is
    /// found by looking closely.
    #[test]
    fn boxes_that_overlap_at_some_time_are_found_and_no_others() {
        let mut rng = Random::new(7);
        let (mut met, mut missed) = (0, 0);
        for _ in 0..2000 {
            let mut moving = || {
                let half = rng.vector(0.3).abs();
                [(); 2].map(|()| Aabb::from_center_half(rng.vector(1.0), half))
            };
            let (a, b) = (moving(), moving());
            let between = |moving: &MovingBox, t: f64| {
                Aabb::new(moving[0].min.lerp(moving[1].min, t), moving[0].max.lerp(moving[1].max, t))
            };
            let overlap = (0..=2000).map(|k| f64::from(k) / 2000.0).any(|t| between(&a, t).overlaps(&between(&b, t)));
            let said = ever_overlap(&a, &b);
            assert!(said || !overlap);
            met += u32::from(overlap);
            missed += u32::from(said && !overlap);
        }
        assert!((200..1800).contains(&met), "{met}");
        assert!(missed < 5, "{missed} meet for less than a step of the search");
    }
}
