//! What the tree solvers share: which body sits in which slot, and running trees side by side.

use thiserror::Error;

use drystone_solve::graph::adjacency::Incidence;
use drystone_solve::graph::forest::{Forest, NONE};

/// Trees are run in one thread up to this many slots: below it, handing over costs more than a
/// factorisation (about 1 µs per slot).
const SEQUENTIAL_SLOTS: usize = 64;

/// A body's place in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSlot {
    /// The body.
    pub body: u32,
    /// Body of the parent slot; none at a root.
    pub parent: Option<u32>,
    /// The joint the body hangs by and which end of it the body is; at a root the anchor, if any.
    pub joint: Option<Incidence>,
}

/// A body's block had no full set of positive pivots when its turn came.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the block of body {body} has rank {rank} of 6 when its children are eliminated: give it mass and inertia")]
pub struct SingularBlock {
    /// The first such body in slot order.
    pub body: u32,
    /// Number of positive pivots.
    pub rank: usize,
}

/// Slots of the first trees of a forest.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeLayout {
    pub slots: Vec<TreeSlot>,
    /// Parent slot of every slot or [`NONE`].
    pub parents: Vec<u32>,
    /// First slot of every tree, and the number of slots.
    starts: Vec<u32>,
}

impl TreeLayout {
    pub fn set(&mut self, forest: &Forest, tree_count: usize) {
        let tree_count = tree_count.min(forest.tree_count());
        let count = forest.tree_starts()[tree_count] as usize;
        self.starts.clear();
        self.starts.extend_from_slice(&forest.tree_starts()[..=tree_count]);
        self.parents.clear();
        self.parents.extend_from_slice(&forest.parents()[..count]);
        self.slots.clear();
        self.slots.extend((0..count).map(|slot| TreeSlot {
            body: forest.bodies()[slot],
            parent: forest.bodies().get(forest.parents()[slot] as usize).copied(),
            joint: forest.joints()[slot],
        }));
    }

    /// Runs `work(first slot, slots of the tree)` for every tree, in parallel. Each tree is run by one
    /// thread from end to end, so the result does not depend on their number.
    pub fn for_each_tree<N: Send>(&self, nodes: &mut [N], work: impl Fn(usize, &mut [N]) + Sync) {
        run_trees(&self.starts, nodes, &work);
    }
}

fn run_trees<N: Send, F: Fn(usize, &mut [N]) + Sync>(starts: &[u32], nodes: &mut [N], work: &F) {
    let [first, .., last] = *starts else { return };
    let tree_count = starts.len() - 1;
    if tree_count == 1 {
        return work(first as usize, nodes);
    }
    // Halve by slots, not by trees: a crowd of small trees balances one large one.
    let middle = first + (last - first) / 2;
    let split = starts.partition_point(|&start| start < middle).clamp(1, tree_count - 1);
    let (left, right) = nodes.split_at_mut((starts[split] - first) as usize);
    if ((last - first) as usize) < SEQUENTIAL_SLOTS {
        run_trees(&starts[..=split], left, work);
        run_trees(&starts[split..], right, work);
    } else {
        rayon::join(|| run_trees(&starts[..=split], left, work), || run_trees(&starts[split..], right, work));
    }
}

/// Splits off a node from the parents before it. `parent` is the node's parent slot, `first` the
/// first slot of the tree.
pub(crate) fn with_parent<N>(nodes: &mut [N], local: usize, parent: u32, first: usize) -> (&mut N, Option<&mut N>) {
    let (before, from) = nodes.split_at_mut(local);
    let parent = (parent != NONE).then(|| &mut before[parent as usize - first]);
    (&mut from[0], parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_runs_once_with_its_own_slots() {
        // Trees of 1 to 30 bodies in chains.
        let mut joints = Vec::new();
        let mut count = 0u32;
        for size in (1..=30).rev() {
            joints.extend((1..size).map(|i| [count + i - 1, count + i]));
            count += size;
        }
        let mut forest = Forest::default();
        forest.build(&vec![true; count as usize], &joints);
        let mut layout = TreeLayout::default();
        layout.set(&forest, usize::MAX);
        let mut seen = vec![(0u32, 0usize); count as usize];
        layout.for_each_tree(&mut seen, |first, part| {
            part.iter_mut().for_each(|mark| *mark = (mark.0 + 1, first));
        });
        for tree in 0..forest.tree_count() {
            let (from, to) = (forest.tree_starts()[tree] as usize, forest.tree_starts()[tree + 1] as usize);
            assert!(seen[from..to].iter().all(|&mark| mark == (1, from)));
        }
        layout.set(&forest, forest.jointed_tree_count());
        assert_eq!(layout.slots.len(), count as usize - 1);
    }
}
