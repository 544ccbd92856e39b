//! All joint islands of a model: finding them, and stepping them side by side.

use drystone_model::ModelMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::island::{JointIsland, NO_NODE, SolveContext};
use super::net::Basis;
use super::{Axes, Joints};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::graph::forest::Forest;

/// Block products per body beyond which a component is not eliminated body by body: a square net of 25 × 25 still
/// is.
const PRODUCTS_PER_BODY: usize = 64;
/// Newton steps in the first sweep of a joint island that nothing touches, unless it settles before.
const NEWTON_STEPS: u32 = 8;
/// Most Newton steps in the last sweep: an impact that jolts a slack chain needs about thirty to close
/// its joints again; what has converged takes none of them.
const LAST_NEWTON_STEPS: u32 = 64;

/// Newton steps per time step of a wide net.
const NET_STEPS: u32 = 4;

/// What is remembered of a wide net.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NetMemory {
    joints: Vec<u32>,
    basis: Basis,
}

/// The joint islands of a model.
#[derive(Clone, Debug, Default)]
pub struct JointIslands {
    forest: Forest,
    pub(super) islands: Vec<JointIsland>,
    pairs: Vec<[u32; 2]>,
    pub(super) node: Vec<u32>,
    /// Island of every joint and its place among the joints there.
    home: Vec<[u32; 2]>,
    /// Memories of nets from a checkpoint, to be put back when the nets are found again.
    restored: Vec<NetMemory>,
    /// Whether a body belongs to a joint island.
    pub member: Vec<bool>,
    /// Whether it belongs to a wide net.
    pub in_net: Vec<bool>,
}

impl JointIslands {
    /// Finds the joint islands among the active joints; none with `whole` false, where joints are swept.
    pub fn rebuild(&mut self, joints: &Joints, moves: &[bool], whole: bool) {
        let world = moves.len() as u32;
        self.pairs.clear();
        self.pairs.extend((0..joints.count()).map(|joint| match whole && joints.active[joint] {
            true => joints.geometry[joint].body.map(|body| body as u32),
            false => [world, world],
        }));
        if whole {
            self.pairs.extend(joints.coupled_bodies());
        }
        self.forest.build(moves, &self.pairs);
        self.member.clear();
        self.member.resize(moves.len(), false);
        self.in_net.clear();
        self.in_net.resize(moves.len(), false);
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
        let mut coupled_of = vec![Vec::new(); self.forest.jointed_tree_count()];
        for pair in joints.couplings() {
            let home = |joint: usize| {
                joints.geometry[joint]
                    .body
                    .into_iter()
                    .find_map(|body| tree_of.get(body).filter(|&&tree| tree != usize::MAX))
            };
            if let Some(&tree) = home(pair[0])
                && whole
                && coupled_of[tree].last() != Some(&pair)
            {
                coupled_of[tree].push(pair);
            }
        }
        // What nets remember outlives a change elsewhere.
        let mut known = self.memories();
        known.append(&mut self.restored);
        self.islands.clear();
        self.home.clear();
        self.home.resize(joints.count(), [NO_NODE; 2]);
        for (tree, own) in joints_of.into_iter().enumerate() {
            let bodies = self.forest.tree(tree);
            let rows = |joint: u32| joints.rows(joint as usize).len();
            let place = |joint: usize| own.binary_search(&(joint as u32)).ok();
            let places = coupled_of[tree].iter().filter_map(|&[one, other]| Some([place(one)?, place(other)?]));
            let coupled: Vec<[usize; 2]> = places.collect();
            // Nets know of no bodies moving with others by a coupling: what is coupled is eliminated at almost any cost.
            let most = u32::MAX as usize / bodies.len().max(1);
            let limit = if coupled.is_empty() { PRODUCTS_PER_BODY } else { most };
            let mut island = JointIsland::new(bodies, own, &self.pairs, &self.node, rows, coupled, limit);
            if let Some(memory) = known.iter().find(|memory| memory.joints == island.joints)
                && let Some(net) = island.net_mut()
            {
                net.set_basis(&memory.basis);
            }
            for &body in bodies {
                (self.member[body as usize], self.in_net[body as usize]) = (true, island.is_net());
            }
            for (place, &joint) in island.joints.iter().enumerate() {
                self.home[joint as usize] = [self.islands.len() as u32, place as u32];
            }
            self.islands.push(island);
        }
    }

    /// A body of every joint island, and how far the last sweep moved its matter \[m\]; infinitely far where its equations are
    /// not solved yet.
    pub fn ways(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.islands.iter().map(|island| (island.bodies[0] as usize, island.way()))
    }

    /// Drops what nets with a chosen body remember.
    pub fn forget(&mut self, chosen: impl Fn(usize) -> bool) {
        let held = |island: &JointIsland| island.bodies.iter().any(|&body| chosen(body as usize));
        self.islands.iter_mut().filter(|island| held(island)).for_each(JointIsland::forget);
    }

    /// The bodies of the joint island that a body belongs to, unless a joint holds it to something that does not move.
    pub fn floating_island_of(&self, body: usize) -> Option<&[u32]> {
        let node = self.node[body] as usize;
        let own = |island: &&JointIsland| island.bodies.get(node) == Some(&(body as u32));
        let island = self.islands.iter().find(own)?;
        (!island.is_supported()).then_some(&island.bodies)
    }

    /// Coordinates of a joint at the end of the step; none if it does not act.
    pub fn axes(&self, joint: usize) -> Option<&Axes> {
        let &[island, place] = self.home.get(joint)?;
        self.islands.get(island as usize)?.axes_at(place as usize)
    }

    /// A body of every wide net.
    pub fn nets(&self) -> impl Iterator<Item = usize> + '_ {
        self.islands.iter().filter(|island| island.is_net()).map(|island| island.bodies[0] as usize)
    }

    /// What the nets remember from step to step.
    pub fn memories(&self) -> Vec<NetMemory> {
        let nets = self.islands.iter().filter_map(|island| Some((island, island.basis()?)));
        nets.map(|(island, basis)| NetMemory { joints: island.joints.clone(), basis: basis.clone() }).collect()
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

    /// Puts memories back when the joint islands are found the next time.
    pub fn restore(&mut self, memories: Vec<NetMemory>) {
        self.restored = memories;
    }

    /// Newton steps of every joint island in the given one of `iterations` sweeps: all it needs where
    /// nothing touches it, a share of `newton_steps` where contacts still change from sweep to sweep, and the
    /// rest in the last one. Only those with `active` bodies. Returns the squared largest translation of the last step \[m²\].
    pub fn step(
        &mut self,
        bodies: &mut Bodies,
        joints: &mut Joints,
        manifolds: &[Manifold],
        contacts: &Adjacency,
        active: &[bool],
        (iteration, iterations): (u32, u32),
        newton_steps: u32,
    ) -> f64 {
        let steps_per_sweep = newton_steps.div_ceil(iterations);
        let last = iteration + 1 == iterations;
        let mut moved: f64 = 0.0;
        self.islands.iter_mut().for_each(JointIsland::begin_sweep);
        for newton in 0..if last { LAST_NEWTON_STEPS } else { NEWTON_STEPS.max(steps_per_sweep) } {
            joints.refresh_couplings(bodies);
            let context = SolveContext {
                bodies,
                joints,
                manifolds,
                contacts,
                member: &self.member,
                node: &self.node,
                near: None,
            };
            let due = |island: &JointIsland| match island.touched(contacts) {
                _ if !island.bodies.iter().any(|&body| active[body as usize]) => false,
                true if island.is_net() => newton == 0 && iteration.is_multiple_of(iterations.div_ceil(NET_STEPS)),
                false if island.is_net() => iteration == 0 && newton < NET_STEPS && (newton == 0 || !island.converged),
                true => newton == 0 || (!island.converged && (last || newton < steps_per_sweep)),
                false => newton < NEWTON_STEPS && ((iteration == 0 && newton == 0) || !island.converged),
            };
            let stepped = |island: &mut JointIsland| {
                let due = due(island);
                if due {
                    island.newton(&context, iteration == 0 && newton == 0);
                }
                due
            };
            let stepped: Vec<bool> = self.islands.par_iter_mut().with_min_len(4).map(stepped).collect();
            if !stepped.contains(&true) {
                break;
            }
            moved = 0.0;
            for (island, _) in self.islands.iter().zip(stepped).filter(|(_, stepped)| *stepped) {
                moved = moved.max(island.moved);
                apply(island, bodies, joints);
            }
        }
        moved
    }
}

pub(super) fn apply(island: &JointIsland, bodies: &mut Bodies, joints: &mut Joints) {
    for (&body, &(placement, delta)) in island.bodies.iter().zip(&island.placed) {
        bodies.placement[body as usize] = placement;
        bodies.delta[body as usize] = delta;
    }
    let mut forces = island.force.iter();
    for &joint in &island.joints {
        for (row, &force) in joints.rows_mut(joint as usize).iter_mut().zip(&mut forces) {
            row.force = force;
        }
    }
    if island.is_net() {
        joints.update_multipliers(&island.joints);
    }
}
