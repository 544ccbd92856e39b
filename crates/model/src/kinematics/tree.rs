//! Which joints place which bodies: a spanning forest over the joints, and the loops left over.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::joint::JointKind;
use crate::model::{BodyKind, Model, WORLD};

/// A joint that places a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeJoint {
    /// The joint.
    pub joint: u32,
    /// The body already placed, or [`WORLD`].
    pub from: u32,
    /// The body it places.
    pub to: u32,
    /// Whether the body it places is the parent of the joint.
    pub reversed: bool,
}

/// A spanning forest of the joints of a model. Roots are the world, static and kinematic bodies,
/// then the lowest body without a parent of every floating group. Distance joints never place a
/// body; free joints place the roots of floating groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JointTree {
    /// Joints in an order that places every body after the one it hangs from.
    pub order: Vec<TreeJoint>,
    /// Joints that close loops, in index order.
    pub loops: Vec<u32>,
}

impl Model {
    /// The spanning forest of the joints; depends on the model alone, and on the order of joints.
    pub fn joint_tree(&self) -> JointTree {
        let mut search = Search::new(self);
        search.spread(WORLD);
        for body in 0..self.body_count() as u32 {
            if self.body_kind[body as usize] != BodyKind::Dynamic {
                search.root(body);
            }
        }
        search.drain();
        for joint in self.joints_of_kind(JointKind::Free) {
            search.cross(joint, self.joint_parent[joint as usize]);
            search.drain();
        }
        for floating in [true, false] {
            for body in 0..self.body_count() as u32 {
                if !(floating && search.is_child[body as usize]) {
                    search.root(body);
                    search.drain();
                }
            }
        }
        search.finish()
    }

    fn joints_of_kind(&self, kind: JointKind) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.joint_kind).filter(move |(_, have)| **have == kind).map(|(joint, _)| joint)
    }
}

/// Breadth-first search over the joints.
struct Search<'a> {
    model: &'a Model,
    /// Joints of every body, in index order; the last entry is the world's.
    incident: Vec<Vec<u32>>,
    is_child: Vec<bool>,
    placed: Vec<bool>,
    used: Vec<bool>,
    queue: VecDeque<u32>,
    order: Vec<TreeJoint>,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model) -> Self {
        let bodies = model.body_count();
        let mut incident = vec![Vec::new(); bodies + 1];
        let mut is_child = vec![false; bodies];
        for joint in 0..model.joint_count() {
            if model.joint_kind[joint].only_measures() || model.joint_kind[joint] == JointKind::Free {
                continue;
            }
            let (parent, child) = (model.joint_parent[joint], model.joint_child[joint]);
            incident[(parent as usize).min(bodies)].push(joint as u32);
            incident[child as usize].push(joint as u32);
            is_child[child as usize] = true;
        }
        let used = vec![false; model.joint_count()];
        Self { model, incident, is_child, placed: vec![false; bodies], used, queue: VecDeque::new(), order: Vec::new() }
    }

    fn is_placed(&self, body: u32) -> bool {
        body == WORLD || self.placed[body as usize]
    }

    fn root(&mut self, body: u32) {
        if !self.placed[body as usize] {
            self.placed[body as usize] = true;
            self.queue.push_back(body);
        }
    }

    fn drain(&mut self) {
        while let Some(body) = self.queue.pop_front() {
            self.spread(body);
        }
    }

    fn spread(&mut self, body: u32) {
        let slot = (body as usize).min(self.placed.len());
        for joint in std::mem::take(&mut self.incident[slot]) {
            self.cross(joint, body);
        }
    }

    /// Places the far body of a joint, unless it is placed already.
    fn cross(&mut self, joint: u32, from: u32) {
        let (parent, child) = (self.model.joint_parent[joint as usize], self.model.joint_child[joint as usize]);
        let reversed = from == child;
        let to = if reversed { parent } else { child };
        if self.is_placed(to) || !self.is_placed(from) {
            return;
        }
        self.used[joint as usize] = true;
        self.order.push(TreeJoint { joint, from, to, reversed });
        self.root(to);
    }

    fn finish(self) -> JointTree {
        let loops = (0u32..)
            .zip(&self.used)
            .filter(|(joint, used)| !**used && self.model.joint_kind[*joint as usize] != JointKind::Free)
            .map(|(joint, _)| joint)
            .collect();
        JointTree { order: self.order, loops }
    }
}
