//! Trees that follow boxes which move from call to call.

use drystone_geometry::Aabb;
use drystone_geometry::bvh::{Bvh, MovingBox, MovingBvh};

/// A tree that has grown by this factor since it was built is built anew.
const LOOSE: f64 = 1.5;

/// A tree over numbered boxes that can be moved to new ones.
pub trait BoxTree: Default {
    /// What a box is.
    type Item;

    /// A tree over boxes.
    fn over(boxes: &[Self::Item]) -> Self;

    /// Moves the tree to as many other boxes.
    fn move_to(&mut self, boxes: &[Self::Item]);

    /// What a search costs, up to a factor.
    fn search_cost(&self) -> f64;
}

impl BoxTree for Bvh {
    type Item = Aabb;

    fn over(boxes: &[Aabb]) -> Self {
        Self::build(boxes)
    }

    fn move_to(&mut self, boxes: &[Aabb]) {
        self.refit(boxes);
    }

    fn search_cost(&self) -> f64 {
        self.cost()
    }
}

impl BoxTree for MovingBvh {
    type Item = MovingBox;

    fn over(boxes: &[MovingBox]) -> Self {
        Self::build(boxes)
    }

    fn move_to(&mut self, boxes: &[MovingBox]) {
        self.refit(boxes);
    }

    fn search_cost(&self) -> f64 {
        self.cost()
    }
}

/// A tree over numbered boxes that are others from call to call. Which boxes overlap what does not depend on how often it was
/// built anew; the order in which they are told does.
#[derive(Clone, Debug)]
pub struct FollowingTree<T: BoxTree = Bvh> {
    tree: T,
    /// Cost when it was built.
    built: f64,
    boxes: Vec<T::Item>,
}

impl<T: BoxTree> Default for FollowingTree<T> {
    fn default() -> Self {
        Self { tree: T::default(), built: 0.0, boxes: Vec::new() }
    }
}

impl<T: BoxTree> FollowingTree<T> {
    /// Moves the tree to new boxes, or builds it.
    pub fn fit(&mut self, boxes: impl Iterator<Item = T::Item>) {
        let before = self.boxes.len();
        self.boxes.clear();
        self.boxes.extend(boxes);
        if before == self.boxes.len() {
            self.tree.move_to(&self.boxes);
            if self.tree.search_cost() <= LOOSE * self.built {
                return;
            }
        }
        self.tree = T::over(&self.boxes);
        self.built = self.tree.search_cost();
    }

    /// The tree over the boxes of the last call.
    pub fn tree(&self) -> &T {
        &self.tree
    }

    /// The boxes of the last call.
    pub fn boxes(&self) -> &[T::Item] {
        &self.boxes
    }
}
