//! All mechanisms of a model: which joints are solved directly, and stepping them side by side.

use drystone_model::ModelMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::mechanism::{Around, Mechanism, NO_NODE};
use super::net::Basis;
use super::{Axes, Joints};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::graph::forest::Forest;

/// Block products per body beyond which a component is not eliminated body by body: a square net of 25 × 25 still
/// is.
const PRODUCTS_PER_BODY: usize = 64;
/// Newton steps per time step that a mechanism is given at least, unless it settles before.
const NEWTON_STEPS: u32 = 8;
/// Most Newton steps in the last sweep: an impact that jolts a slack chain needs about thirty to close
/// its joints again; what has settled takes none of them.
const LAST_NEWTON_STEPS: u32 = 64;

/// Newton steps per time step of a wide net.
const NET_STEPS: u32 = 4;

/// What is remembered of a wide net.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NetMemory {
    joints: Vec<u32>,
    basis: Basis,
}

/// The mechanisms of a model.
#[derive(Clone, Debug, Default)]
pub struct Mechanisms {
    forest: Forest,
    pub(super) mechanisms: Vec<Mechanism>,
    pairs: Vec<[u32; 2]>,
    pub(super) node: Vec<u32>,
    /// Memories of nets from a checkpoint, to be put back when the nets are found again.
    restored: Vec<NetMemory>,
    /// Whether a body belongs to a directly solved mechanism.
    pub member: Vec<bool>,
}

impl Mechanisms {
    /// Finds the mechanisms among the active joints; none with `whole` false, where joints are swept.
    pub fn rebuild(&mut self, joints: &mut Joints, moves: &[bool], whole: bool) {
        let world = moves.len() as u32;
        self.pairs.clear();
        self.pairs.extend((0..joints.count()).map(|joint| match whole && joints.active[joint] {
            true => joints.geometry[joint].body.map(|body| body as u32),
            false => [world, world],
        }));
        self.forest.build(moves, &self.pairs);
        self.member.clear();
        self.member.resize(moves.len(), false);
        self.node.clear();
        self.node.resize(moves.len(), NO_NODE);
        let mut tree_of = vec![usize::MAX; moves.len()];
        for tree in 0..self.forest.jointed_tree_count() {
            for (node, &body) in self.forest.tree(tree).iter().enumerate() {
                (tree_of[body as usize], self.node[body as usize]) = (tree, node as u32);
            }
        }
        let mut joints_of = vec![Vec::new(); self.forest.jointed_tree_count()];
        for joint in 0..joints.count() {
            let tree =
                self.pairs[joint].iter().find_map(|&body| tree_of.get(body as usize).filter(|&&t| t != usize::MAX));
            if let Some(&tree) = tree {
                joints_of[tree].push(joint as u32);
            }
        }
        // What nets remember outlives a change elsewhere.
        let mut known = self.memories();
        known.append(&mut self.restored);
        self.mechanisms.clear();
        for (tree, own) in joints_of.into_iter().enumerate() {
            let bodies = self.forest.tree(tree);
            let rows = |joint: u32| joints.rows(joint as usize).len();
            let mut mechanism = Mechanism::new(bodies, own, &self.pairs, &self.node, rows, PRODUCTS_PER_BODY);
            if let Some(memory) = known.iter().find(|memory| memory.joints == mechanism.joints)
                && let Some(net) = mechanism.net_mut()
            {
                net.set_basis(&memory.basis);
            }
            bodies.iter().for_each(|&body| self.member[body as usize] = true);
            self.mechanisms.push(mechanism);
        }
    }

    /// Drops what nets with a chosen body remember.
    pub fn forget(&mut self, chosen: impl Fn(usize) -> bool) {
        let held = |mechanism: &Mechanism| mechanism.bodies.iter().any(|&body| chosen(body as usize));
        self.mechanisms.iter_mut().filter(|mechanism| held(mechanism)).for_each(Mechanism::forget);
    }

    /// The bodies of the mechanism that a body belongs to, unless a joint holds it to something that does not move.
    pub fn free_around(&self, body: usize) -> Option<&[u32]> {
        let node = self.node[body] as usize;
        let own = |mechanism: &&Mechanism| mechanism.bodies.get(node) == Some(&(body as u32));
        let mechanism = self.mechanisms.iter().find(own)?;
        (!mechanism.is_held()).then_some(&mechanism.bodies)
    }

    /// All joints that act, with their coordinates at the end of the step.
    pub fn measured(&self) -> impl Iterator<Item = (usize, &Axes)> {
        self.mechanisms.iter().flat_map(Mechanism::measured)
    }

    /// A body of every wide net.
    pub fn nets(&self) -> impl Iterator<Item = usize> + '_ {
        self.mechanisms.iter().filter(|mechanism| mechanism.is_net()).map(|mechanism| mechanism.bodies[0] as usize)
    }

    /// What the nets remember from step to step.
    pub fn memories(&self) -> Vec<NetMemory> {
        let nets = self.mechanisms.iter().filter_map(|mechanism| Some((mechanism, mechanism.basis()?)));
        nets.map(|(mechanism, basis)| NetMemory { joints: mechanism.joints.clone(), basis: basis.clone() }).collect()
    }

    /// What the nets that an edit left alone remember.
    pub fn memories_after(&self, map: &ModelMap) -> Vec<NetMemory> {
        let now = |&joint: &u32| map.joint.now(joint as usize).filter(|&now| !map.rejoined[now]).map(|now| now as u32);
        let moved = |memory: NetMemory| {
            let joints = memory.joints.iter().map(now).collect::<Option<Vec<u32>>>()?;
            Some(NetMemory { joints, ..memory })
        };
        self.memories().into_iter().filter_map(moved).collect()
    }

    /// Puts memories back when the mechanisms are found the next time.
    pub fn restore(&mut self, memories: Vec<NetMemory>) {
        self.restored = memories;
    }

    /// Newton steps of every mechanism in the given one of `iterations` sweeps: all it needs where
    /// nothing touches it, a share of them where contacts still change from sweep to sweep, and the
    /// rest in the last one. Only those with `active` bodies. Returns the squared largest translation of the last step \[m²\].
    pub fn step(
        &mut self,
        bodies: &mut Bodies,
        joints: &mut Joints,
        manifolds: &[Manifold],
        contacts: &Adjacency,
        active: &[bool],
        (iteration, iterations): (u32, u32),
    ) -> f64 {
        let share = NEWTON_STEPS.div_ceil(iterations);
        let last = iteration + 1 == iterations;
        let mut moved: f64 = 0.0;
        for newton in 0..if last { LAST_NEWTON_STEPS } else { NEWTON_STEPS } {
            let around =
                Around { bodies, joints, manifolds, contacts, member: &self.member, node: &self.node, near: None };
            let due = |mechanism: &Mechanism| match mechanism.touched(contacts) {
                _ if !mechanism.bodies.iter().any(|&body| active[body as usize]) => false,
                true if mechanism.is_net() => newton == 0 && iteration.is_multiple_of(iterations.div_ceil(NET_STEPS)),
                false if mechanism.is_net() => {
                    iteration == 0 && newton < NET_STEPS && (newton == 0 || !mechanism.settled)
                }
                true => newton < share || (last && !mechanism.settled),
                false => newton < NEWTON_STEPS && ((iteration == 0 && newton == 0) || !mechanism.settled),
            };
            let stepped = |mechanism: &mut Mechanism| {
                let due = due(mechanism);
                if due {
                    mechanism.newton(&around, iteration == 0 && newton == 0);
                }
                due
            };
            let stepped: Vec<bool> = self.mechanisms.par_iter_mut().with_min_len(4).map(stepped).collect();
            if !stepped.contains(&true) {
                break;
            }
            moved = 0.0;
            for (mechanism, _) in self.mechanisms.iter().zip(stepped).filter(|(_, stepped)| *stepped) {
                moved = moved.max(mechanism.moved);
                apply(mechanism, bodies, joints);
            }
        }
        moved
    }
}

pub(super) fn apply(mechanism: &Mechanism, bodies: &mut Bodies, joints: &mut Joints) {
    for (&body, &(placement, delta)) in mechanism.bodies.iter().zip(&mechanism.placed) {
        bodies.placement[body as usize] = placement;
        bodies.delta[body as usize] = delta;
    }
    let mut forces = mechanism.force.iter();
    for &joint in &mechanism.joints {
        for (row, &force) in joints.rows_mut(joint as usize).iter_mut().zip(&mut forces) {
            row.force = force;
        }
    }
    if mechanism.is_net() {
        joints.follow(&mechanism.joints);
    }
}
