//! Trees that follow boxes which move.

use drystone_geometry::Aabb;
use drystone_geometry::bvh::Bvh;

/// A tree that has grown by this factor since it was built is built anew.
const LOOSE: f64 = 1.5;

/// A tree over numbered boxes that move from call to call. Which boxes overlap what does not depend on how often it was
/// built anew; the order in which they are told does.
#[derive(Clone, Debug, Default)]
pub struct FollowingTree {
    tree: Bvh,
    /// Cost when it was built.
    built: f64,
    boxes: Vec<Aabb>,
}

impl FollowingTree {
    /// Moves the tree to new boxes, or builds it.
    pub fn fit(&mut self, boxes: impl Iterator<Item = Aabb>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        if self.tree.len() == self.boxes.len() {
            self.tree.refit(&self.boxes);
            if self.tree.cost() <= LOOSE * self.built {
                return;
            }
        }
        self.tree = Bvh::build(&self.boxes);
        self.built = self.tree.cost();
    }

    /// The tree over the boxes of the last call.
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The boxes of the last call.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
}
