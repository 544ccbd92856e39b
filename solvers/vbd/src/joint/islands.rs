//! All joint islands of a model: finding them, and stepping them side by side.

use drystone_model::{DVec3, ModelMap};
use drystone_solve::parallel::Shared;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Joints;
use super::four::{FourIslands, Pattern, Reading, Shapes};
use super::island::{JointIsland, NO_NODE, SolveContext, Solver};
use super::net::{Basis, Net};
use super::pace::{NEWTON_STEPS, Pace};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::forces::JointWrench;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::graph::forest::Forest;
use drystone_solve::parallel;

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
    /// Those that are solved by elimination, side by side.
    pub(super) fours: Vec<FourIslands>,
    pairs: Vec<[u32; 2]>,
    pub(super) node: Vec<u32>,
    /// Island of every joint and its place among the joints there.
    home: Vec<[u32; 2]>,
    /// Coordinates at the end of a step by joint, where islands of several worlds took it side by side; empty where they did not.
    pub(super) kept: Vec<Reading>,
    /// Four, lane and node of every body.
    seat: Vec<[u32; 3]>,
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
        self.kept.clear();
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
        // What nets remember outlives a change elsewhere.
        let mut known = self.memories();
        known.append(&mut self.restored);
        self.islands.clear();
        self.home.clear();
        self.home.resize(joints.count(), [NO_NODE; 2]);
        self.fours.clear();
        let mut shapes = Shapes::default();
        for (tree, own) in joints_of.into_iter().enumerate() {
            let bodies = self.forest.tree(tree);
            let node = |body: u32| self.node.get(body as usize).copied().unwrap_or(NO_NODE);
            let ends: Vec<[u32; 2]> = own.iter().map(|&joint| self.pairs[joint as usize].map(node)).collect();
            let pattern = Pattern::new(joints, &own, bodies.len(), ends.clone());
            let row_start = pattern.row_start.clone();
            let number = self.islands.len() as u32;
            let solver = match shapes.put(pattern, number) {
                // Which four and lane it is follows once all are known.
                true => Solver::Lane { four: 0, lane: 0 },
                false => Solver::Net(Box::new(Net::new(bodies.len(), &ends, row_start.clone()))),
            };
            let mut island = JointIsland::new(bodies, own, ends, row_start, solver);
            if let Some(memory) = known.iter().find(|memory| memory.joints == island.joints)
                && let Some(net) = island.net_mut()
            {
                net.set_basis(&memory.basis);
            }
            for &body in bodies {
                (self.member[body as usize], self.in_net[body as usize]) = (true, island.is_net());
            }
            for (place, &joint) in island.joints.iter().enumerate() {
                self.home[joint as usize] = [number, place as u32];
            }
            self.islands.push(island);
        }
        for (shape, islands) in shapes.known {
            let Some(shape) = shape else { continue };
            for islands in islands.chunks(4) {
                for (lane, &island) in islands.iter().enumerate() {
                    let four = self.fours.len() as u32;
                    self.islands[island as usize].solver = Solver::Lane { four, lane: lane as u32 };
                }
                let parts = |island: u32| {
                    let island = &self.islands[island as usize];
                    (island.bodies.clone(), island.joints.clone())
                };
                self.fours.push(FourIslands::new(shape.clone(), &joints.geometry, islands, parts));
            }
        }
        self.seat.clear();
        self.seat.resize(moves.len(), NO_SEAT);
        for island in &self.islands {
            if let Solver::Lane { four, lane } = island.solver {
                for (node, &body) in island.bodies.iter().enumerate() {
                    self.seat[body as usize] = [four, lane, node as u32];
                }
            }
        }
    }

    /// A body of every joint island, and how far the last sweep moved its matter \[m\]; infinitely far where its equations are
    /// not solved yet.
    pub fn ways(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.islands.iter().map(|island| (island.bodies[0] as usize, self.way(island)))
    }

    /// Keeps the coordinates of all joints of an island as another four has them in a lane.
    pub(super) fn keep(&mut self, island: usize, four: &FourIslands, lane: usize) {
        self.kept.resize(self.home.len(), Reading::default());
        for (place, &joint) in self.islands[island].joints.iter().enumerate() {
            self.kept[joint as usize] = four.reading(place, lane);
        }
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

    /// How far the sweep moved the matter of an island; infinitely far where another Newton step would change something.
    fn way(&self, island: &JointIsland) -> f64 {
        let (converged, way) = match island.solver {
            Solver::Lane { four, lane } => {
                let progress = &self.fours[four as usize].progress[lane as usize];
                (progress.converged, progress.sweep_way)
            }
            Solver::Net(_) => (island.converged, island.sweep_way),
        };
        if converged { way } else { f64::INFINITY }
    }

    /// Coordinates of a joint at the end of the step; none if it does not act.
    pub fn value(&self, joint: usize) -> Option<[f64; 6]> {
        let &[island, place] = self.home.get(joint)?;
        let (island, place) = (self.islands.get(island as usize)?, place as usize);
        match island.solver {
            Solver::Lane { four, lane } => match self.kept.get(joint) {
                Some(kept) => Some(kept.value),
                None => Some(self.fours[four as usize].value(place, lane as usize)),
            },
            Solver::Net(_) => island.axes.get(place).map(|axes| axes.value),
        }
    }

    /// What a joint exerts at the end of the step, and the lever on its child; none if it does not act.
    pub fn wrench(&self, joint: usize, joints: &Joints) -> Option<(JointWrench, DVec3)> {
        let &[island, place] = self.home.get(joint)?;
        let (island, place) = (self.islands.get(island as usize)?, place as usize);
        match island.solver {
            Solver::Lane { four, lane } => {
                let forces = joints.rows(joint).iter().map(|row| (row.axis as usize, row.force));
                Some(match self.kept.get(joint) {
                    Some(kept) => kept.wrench(forces),
                    None => self.fours[four as usize].wrench(place, lane as usize, forces),
                })
            }
            Solver::Net(_) => island.axes.get(place).map(|axes| joints.wrench(joint, axes)),
        }
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

    /// Newton steps of every joint island in a sweep of this `pace`: all it needs where
    /// nothing touches it, a share of those of the step where contacts still change from sweep to sweep, and the
    /// rest in the last one. Only those with `active` bodies. Returns the squared largest translation of the last step \[m²\].
    pub fn step(
        &mut self,
        bodies: &mut Bodies,
        joints: &mut Joints,
        manifolds: &[Manifold],
        contacts: &Adjacency,
        active: &[bool],
        pace: Pace,
    ) -> f64 {
        let first = pace.iteration == 0;
        let Self { islands, fours, member, node, .. } = self;
        let context = SolveContext { bodies, joints, manifolds, contacts, member, node, near: None };
        islands.iter_mut().for_each(JointIsland::begin_sweep);
        // What nothing touches goes as far as it has to by itself.
        let alone = |four: &mut FourIslands| {
            four.begin_sweep(first);
            let [moves, touched] = four.survey(active, contacts);
            if four.coupled || touched.contains(&true) {
                return moves;
            }
            for newton in 0..NEWTON_STEPS {
                let due = [0, 1, 2, 3].map(|lane| moves[lane] && pace.untouched(newton, four.progress[lane].converged));
                if !due.contains(&true) {
                    break;
                }
                four.newton(&[context; 4], first && newton == 0, due);
            }
            [false; 4]
        };
        let left: Vec<[bool; 4]> = fours.par_iter_mut().shared(1).map(alone).collect();
        let mut moved = self.take_over(bodies, joints);
        let nets = self.islands.iter().any(JointIsland::is_net);
        if nets || left.iter().any(|moves| moves.contains(&true)) {
            moved = moved.max(self.step_together(bodies, joints, manifolds, contacts, active, &pace, &left));
        }
        moved
    }

    /// Takes over what went by itself; returns its squared largest translation \[m²\].
    fn take_over(&self, bodies: &mut Bodies, joints: &mut Joints) -> f64 {
        let Self { fours, islands, seat, home, .. } = self;
        let stepped = fours.iter().flat_map(|four| &four.progress).filter(|progress| progress.stepped);
        let Some(moved) = stepped.map(|progress| progress.moved).reduce(f64::max) else { return 0.0 };
        let Bodies { placement, delta, .. } = bodies;
        parallel::each2(placement, delta, |body, placement, delta| {
            let [four, lane, node] = seat[body].map(|place| place as usize);
            if let Some(four) = fours.get(four)
                && four.progress[lane].stepped
            {
                (*placement, *delta) = four.placed(node, lane);
            }
        });
        let Joints { row_start, rows, .. } = joints;
        parallel::by_row(row_start, rows, &|joint, rows| {
            let [island, place] = home[joint].map(|place| place as usize);
            if let Some(Solver::Lane { four, lane }) = islands.get(island).map(|island| &island.solver) {
                let (four, lane) = (&fours[*four as usize], *lane as usize);
                if four.progress[lane].stepped {
                    rows.iter_mut().zip(four.forces(place, lane)).for_each(|(row, force)| row.force = force);
                }
            }
        });
        moved
    }

    /// Newton steps of nets and of islands that contacts or couplings connect, one of all in turn.
    fn step_together(
        &mut self,
        bodies: &mut Bodies,
        joints: &mut Joints,
        manifolds: &[Manifold],
        contacts: &Adjacency,
        active: &[bool],
        pace: &Pace,
        left: &[[bool; 4]],
    ) -> f64 {
        let mut moved: f64 = 0.0;
        let first = pace.iteration == 0;
        for newton in 0..pace.most() {
            joints.refresh_couplings(bodies);
            let Self { islands, fours, member, node, .. } = self;
            let context = SolveContext { bodies, joints, manifolds, contacts, member, node, near: None };
            let four_step = |(four, left): (&mut FourIslands, &[bool; 4])| {
                let due = [0, 1, 2, 3].map(|lane| left[lane] && four.is_due(lane, newton, pace));
                if due.contains(&true) {
                    four.newton(&[context; 4], first && newton == 0, due);
                }
                due
            };
            let net_step = |island: &mut JointIsland| {
                let due = island.is_net()
                    && island.bodies.iter().any(|&body| active[body as usize])
                    && pace.net(newton, island.touched(contacts), island.converged);
                if due {
                    island.newton(&context);
                }
                due
            };
            let stepped: Vec<[bool; 4]> = fours.par_iter_mut().zip(left).shared(1).map(four_step).collect();
            let net_stepped: Vec<bool> = islands.iter_mut().map(net_step).collect();
            if !net_stepped.contains(&true) && !stepped.iter().flatten().any(|&stepped| stepped) {
                break;
            }
            moved = 0.0;
            for (four, stepped) in fours.iter().zip(stepped) {
                for lane in (0..four.count).filter(|&lane| stepped[lane]) {
                    moved = moved.max(four.progress[lane].moved);
                    four.apply(lane, bodies, joints);
                }
            }
            for (island, _) in islands.iter().zip(net_stepped).filter(|(_, stepped)| *stepped) {
                moved = moved.max(island.moved);
                island.apply(bodies, joints);
            }
        }
        moved
    }
}

/// No place in a lane.
const NO_SEAT: [u32; 3] = [u32::MAX; 3];
