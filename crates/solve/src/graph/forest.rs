//! A spanning forest of the joint graph, laid out for elimination from the leaves to the roots.
//!
//! The world is no unknown, so joints to it make no loop among unknowns: a bridge held at both ends
//! is one tree. Each connected set of bodies is one tree. Its root is its first body that is jointed
//! to the world (or to a static or kinematic body), else its first body; from there breadth first, in
//! joint order. Everything follows from body and joint indices alone.

use super::adjacency::{Adjacency, Incidence};
use super::{couples, is_unknown};

/// Slot of a body that is in no tree, and parent of a root.
pub const NONE: u32 = u32::MAX;

/// Trees of bodies. A body's place in its tree is its *slot*: trees lie one after the other, inside a
/// tree every parent comes before its children, so running through the slots backwards eliminates
/// leaves first. Trees held together by joints come first, free bodies without any joint last.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    slot_body: Vec<u32>,
    slot_parent: Vec<u32>,
    slot_joint: Vec<Option<Incidence>>,
    body_slot: Vec<u32>,
    tree_start: Vec<u32>,
    jointed_tree_count: usize,
    loop_joints: Vec<u32>,
    extra_anchors: Vec<u32>,
    adjacency: Adjacency,
}

impl Forest {
    /// Rebuilds from the joints' body pairs. A joint without an end that moves (write the world
    /// twice for a disabled one) plays no part, nor does one from a body to itself. Linear time,
    /// allocation-free once grown.
    pub fn build(&mut self, moves: &[bool], joints: &[[u32; 2]]) {
        self.adjacency.build(moves, joints);
        self.slot_body.clear();
        self.slot_parent.clear();
        self.slot_joint.clear();
        self.tree_start.clear();
        self.body_slot.clear();
        self.body_slot.resize(moves.len(), NONE);

        for body in 0..moves.len() {
            if let Some(anchor) = self.anchor_of(moves, joints, body) {
                self.grow(joints, body, Some(anchor));
            }
        }
        for body in 0..moves.len() {
            if self.adjacency.degree(body) > 0 {
                self.grow(joints, body, None);
            }
        }
        self.jointed_tree_count = self.tree_start.len();
        for body in (0..moves.len()).filter(|&body| moves[body]) {
            self.grow(joints, body, None);
        }
        self.tree_start.push(self.slot_body.len() as u32);
        self.list_remaining(moves, joints);
    }

    /// The first joint of a body to something that does not move.
    fn anchor_of(&self, moves: &[bool], joints: &[[u32; 2]], body: usize) -> Option<Incidence> {
        self.adjacency.of(body).find(|joint| !is_unknown(moves, far_body(joints, *joint)))
    }

    /// Adds the tree that contains `root`, unless it is there already.
    fn grow(&mut self, joints: &[[u32; 2]], root: usize, anchor: Option<Incidence>) {
        if self.body_slot[root] != NONE {
            return;
        }
        let mut next = self.slot_body.len();
        self.tree_start.push(next as u32);
        self.append(root as u32, NONE, anchor);
        while next < self.slot_body.len() {
            let body = self.slot_body[next] as usize;
            for k in 0..self.adjacency.degree(body) {
                let joint = self.adjacency.get(body, k);
                let child = far_body(joints, joint);
                // Of the bodies without a slot, those that do not move have no joints listed.
                if self.body_slot.get(child as usize) == Some(&NONE) && self.adjacency.degree(child as usize) > 0 {
                    self.append(child, next as u32, Some(joint.opposite()));
                }
            }
            next += 1;
        }
    }

    fn append(&mut self, body: u32, parent: u32, joint: Option<Incidence>) {
        self.body_slot[body as usize] = self.slot_body.len() as u32;
        self.slot_body.push(body);
        self.slot_parent.push(parent);
        self.slot_joint.push(joint);
    }

    /// The joints that no slot hangs by.
    fn list_remaining(&mut self, moves: &[bool], joints: &[[u32; 2]]) {
        self.loop_joints.clear();
        self.extra_anchors.clear();
        for (index, &[a, b]) in joints.iter().enumerate() {
            let held_by = |body: u32| {
                let slot = self.body_slot.get(body as usize).copied().unwrap_or(NONE);
                let joint = self.slot_joint.get(slot as usize).copied().flatten();
                joint.is_some_and(|joint| joint.constraint() == index)
            };
            if held_by(a) || held_by(b) || a == b {
                continue;
            }
            if couples(moves, [a, b]) {
                self.loop_joints.push(index as u32);
            } else if is_unknown(moves, a) || is_unknown(moves, b) {
                self.extra_anchors.push(index as u32);
            }
        }
    }

    /// Number of slots: bodies that move.
    pub fn slot_count(&self) -> usize {
        self.slot_body.len()
    }

    /// Body in every slot.
    pub fn bodies(&self) -> &[u32] {
        &self.slot_body
    }

    /// Parent slot of every slot, always smaller; [`NONE`] at roots.
    pub fn parents(&self) -> &[u32] {
        &self.slot_parent
    }

    /// For every slot the joint it hangs by and which end of it the slot's body is: to the parent
    /// slot's body, at a root to the world if the tree is anchored.
    pub fn joints(&self) -> &[Option<Incidence>] {
        &self.slot_joint
    }

    /// Slot of every body, [`NONE`] for those that do not move.
    pub fn slots(&self) -> &[u32] {
        &self.body_slot
    }

    /// Number of trees, free single bodies included.
    pub fn tree_count(&self) -> usize {
        self.tree_start.len().saturating_sub(1)
    }

    /// Number of trees with at least one joint; they come first.
    pub fn jointed_tree_count(&self) -> usize {
        self.jointed_tree_count
    }

    /// First slot of every tree, and the number of slots at the end.
    pub fn tree_starts(&self) -> &[u32] {
        &self.tree_start
    }

    /// Bodies of a tree, parents before children.
    pub fn tree(&self, tree: usize) -> &[u32] {
        &self.slot_body[self.tree_start[tree] as usize..self.tree_start[tree + 1] as usize]
    }

    /// Joints between two bodies of one tree that close a loop, ascending.
    pub fn loop_joints(&self) -> &[u32] {
        &self.loop_joints
    }

    /// Joints to the world beside the one that anchors the root, ascending. In terms of bodies alone
    /// they only add to diagonal blocks; with multipliers as unknowns they count as loops.
    pub fn extra_anchors(&self) -> &[u32] {
        &self.extra_anchors
    }
}

fn far_body(joints: &[[u32; 2]], joint: Incidence) -> u32 {
    joints[joint.constraint()][1 - joint.end()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;

    const WORLD: u32 = u32::MAX;

    fn forest(moves: &[bool], joints: &[[u32; 2]]) -> Forest {
        let mut forest = Forest::default();
        forest.build(moves, joints);
        forest
    }

    #[test]
    fn a_hanging_chain_is_rooted_at_its_anchor() {
        // World – 3 – 2 – 1 – 0, and body 4 alone.
        let f = forest(&[true; 5], &[[0, 1], [1, 2], [3, 2], [WORLD, 3]]);
        assert_eq!(f.bodies(), [3, 2, 1, 0, 4]);
        assert_eq!(f.parents(), [NONE, 0, 1, 2, NONE]);
        let held: Vec<_> = f.joints().iter().flatten().map(|j| (j.constraint(), j.end())).collect();
        assert_eq!(held, [(3, 1), (2, 1), (1, 0), (0, 0)]);
        assert_eq!((f.tree_count(), f.jointed_tree_count()), (2, 1));
        assert!(f.loop_joints().is_empty() && f.extra_anchors().is_empty());
    }

    #[test]
    fn a_bridge_is_one_tree_with_a_second_anchor() {
        let f = forest(&[false, true, true, true, false], &[[0, 1], [1, 2], [2, 3], [3, 4]]);
        assert_eq!(f.tree_count(), 1);
        assert_eq!(f.tree(0), [1, 2, 3]);
        assert_eq!(f.slots(), [NONE, 0, 1, 2, NONE]);
        assert_eq!((f.loop_joints(), f.extra_anchors()), (&[][..], &[3][..]));
    }

    #[test]
    fn loops_doubled_joints_and_void_joints() {
        let f = forest(&[true; 3], &[[0, 1], [1, 2], [2, 0], [0, 1], [WORLD, WORLD], [1, 1]]);
        assert_eq!(f.tree_count(), 1);
        assert_eq!(f.loop_joints(), [1, 3]);
        assert!(f.extra_anchors().is_empty());
    }

    #[test]
    fn random_graphs_span_every_component_once() {
        let mut random = Random::new(5);
        for size in [1, 5, 40, 200] {
            let moves: Vec<bool> = (0..size).map(|_| random.below(8) > 0).collect();
            let joints: Vec<_> =
                (0..size).map(|_| [random.below(size) as u32, random.below(size + 3) as u32]).collect();
            let f = forest(&moves, &joints);
            let label = components(&moves, &joints);
            assert_eq!(f.slot_count(), moves.iter().filter(|&&moves| moves).count());
            let mut held = vec![false; joints.len()];
            for (slot, (&body, &parent)) in f.bodies().iter().zip(f.parents()).enumerate() {
                assert_eq!(f.slots()[body as usize] as usize, slot);
                assert!(parent == NONE || (parent as usize) < slot);
                if let Some(joint) = f.joints()[slot] {
                    let ends = joints[joint.constraint()];
                    assert_eq!(ends[joint.end()], body);
                    let far = ends[1 - joint.end()];
                    assert!(if parent == NONE { !is_unknown(&moves, far) } else { far == f.bodies()[parent as usize] });
                    held[joint.constraint()] = true;
                }
            }
            for tree in 0..f.tree_count() {
                assert!(f.tree(tree).iter().all(|&b| label[b as usize] == label[f.tree(tree)[0] as usize]));
            }
            let roots = f.parents().iter().filter(|&&parent| parent == NONE).count();
            let distinct: std::collections::BTreeSet<_> = (0..size).filter(|&b| moves[b]).map(|b| label[b]).collect();
            assert_eq!((roots, f.tree_count()), (distinct.len(), distinct.len()));
            // Every joint with an unknown end is held by a slot or listed, never both.
            for (index, &[a, b]) in joints.iter().enumerate() {
                let listed = f.loop_joints().contains(&(index as u32)) as u32
                    + f.extra_anchors().contains(&(index as u32)) as u32
                    + held[index] as u32;
                let counts = a != b && (is_unknown(&moves, a) || is_unknown(&moves, b));
                assert_eq!(listed, counts as u32);
            }
        }
    }

    /// Smallest body index of the component, by relaxation.
    fn components(moves: &[bool], joints: &[[u32; 2]]) -> Vec<u32> {
        let mut label: Vec<u32> = (0..moves.len() as u32).collect();
        for _ in 0..moves.len() {
            for &[a, b] in joints.iter().filter(|&&joint| couples(moves, joint)) {
                let least = label[a as usize].min(label[b as usize]);
                label[a as usize] = least;
                label[b as usize] = least;
            }
        }
        label
    }
}
