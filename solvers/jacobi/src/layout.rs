//! Who is joined to whom: the bodies and constraints of a model in groups that do not touch each other.
//! Rebuilt only when the topology changes: a joint switched off or broken, a body frozen.

use drystone_kernels::elementary::powi;
use drystone_solve::graph::union;
use std::collections::VecDeque;
use std::f64::consts::PI;

use drystone_model::{AxisMode, JointKind, Model, WORLD};

use drystone_solve::graph::csr::Csr;

use super::islands::holds;

/// Bodies in a group that is solved by one thread through all iterations. Its arrays, about 300 bytes per
/// body and joint in single precision, then stay in the second-level cache.
const GROUP_BODIES: usize = 512;

/// Where a body is: its group and its slot there. Bodies that do not move have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Group, or `u32::MAX`.
    pub group: u32,
    /// Slot in the group.
    pub slot: u32,
}

impl Place {
    /// Of what does not move.
    pub const NONE: Self = Self { group: u32::MAX, slot: u32::MAX };
}

/// A point constraint of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointJoint {
    /// Joint of the model.
    pub joint: u32,
    /// Bodies of the model, parent first, or [`WORLD`].
    pub body: [u32; 2],
    /// Slots of the bodies; an end that does not move has the slot behind the last body.
    pub slot: [u32; 2],
}

/// A block of constraint rows of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Index of the block in the solver's list.
    pub row: u32,
    /// Slots of its bodies; an end that does not move has the slot behind the last body.
    pub slot: [u32; 2],
}

/// Bodies and the constraints among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Bodies of the model, in order; the index is the slot.
    pub body: Vec<u32>,
    /// Point constraints, in order of the joints.
    pub point: Vec<PointJoint>,
    /// Other joints' blocks of rows, in order of the list.
    pub row: Vec<RowPlace>,
}

/// All groups.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The groups, by their first body.
    pub group: Vec<Group>,
    /// Where every body of the model is.
    pub place: Vec<Place>,
    /// The smallest body every body hangs together with by joints.
    pub root: Vec<u32>,
    /// Bodies that joints hold to what does not move.
    pub held: Vec<u32>,
}

/// What a layout is made from.
#[derive(Clone, Copy, Debug)]
pub struct Topology<'a> {
    /// The scene.
    pub model: &'a Model,
    /// Whether every body is an unknown.
    pub moves: &'a [bool],
    /// Whether every joint acts.
    pub active: &'a [bool],
    /// Bodies of every block of rows of the joints that are no point constraints, or [`WORLD`].
    pub rows: &'a [[u32; 2]],
    /// Whether everything shall be one group, as contacts between any two bodies need it.
    pub whole: bool,
}

/// Whether a joint is nothing but a hard point constraint.
pub fn is_point(model: &Model, joint: usize) -> bool {
    model.joint_kind[joint] == JointKind::Ball
        && model.joint_axis[joint][..3].iter().all(|mode| *mode == AxisMode::Locked)
        && model.joint_stiffness[joint][0].is_infinite()
        && (3..6).all(|axis| is_idle(model, joint, axis))
}

/// Whether nothing acts along an axis: it is free, without stop, drive, spring, friction or armature.
fn is_idle(model: &Model, joint: usize, axis: usize) -> bool {
    let (limit, drive) = (&model.joint_limit[joint][axis], &model.joint_drive[joint][axis]);
    model.joint_axis[joint][axis] == AxisMode::Free
        && limit.lower.is_infinite()
        && limit.upper.is_infinite()
        && !drive.acts()
        && !model.joint_spring[joint][axis].acts()
        && model.joint_friction[joint][axis] == 0.0
        && model.joint_armature[joint][axis] == 0.0
}

impl Group {
    /// Estimate of the ratio of the eigenvalues of D⁻¹A. The slowest mode of a chain of n links held at one end
    /// has a quarter wavelength of n links, which gives (4n/π)²; a body shared by d constraints moves d/2 times
    /// as slowly as one in a chain.
    pub fn condition(&self) -> f64 {
        let mut neighbours = Csr::default();
        let fixed = self.body.len();
        let edges = || self.point.iter().map(|point| point.slot).chain(self.row.iter().map(|row| row.slot));
        let ends = edges().flat_map(|[a, b]| [(a as usize, b), (b as usize, a)]);
        neighbours.build(fixed + 1, ends);
        let most = (0..fixed).map(|slot| neighbours.row(slot).len()).max().unwrap_or(0).max(2);
        let depth = depth(&neighbours) as f64;
        powi(4.0 * (depth + 1.0) / PI, 2) * 0.5 * most as f64
    }
}

/// Most constraints on the shortest way from a body to one that is held, or to the first of its island.
/// The last slot stands for all that does not move.
fn depth(neighbours: &Csr) -> u32 {
    let fixed = neighbours.row_count() - 1;
    let mut distance = vec![u32::MAX; fixed + 1];
    let mut queue = VecDeque::new();
    let mut deepest = 0;
    for start in std::iter::once(fixed).chain(0..fixed) {
        if distance[start] != u32::MAX {
            continue;
        }
        distance[start] = 0;
        queue.push_back(start);
        while let Some(slot) = queue.pop_front() {
            deepest = deepest.max(distance[slot]);
            for &next in neighbours.row(slot) {
                if distance[next as usize] == u32::MAX {
                    distance[next as usize] = distance[slot] + 1;
                    queue.push_back(next as usize);
                }
            }
        }
    }
    deepest
}

impl Layout {
    /// Finds the groups.
    pub fn new(topology: &Topology) -> Self {
        let points = point_joints(topology);
        let place = vec![Place::NONE; topology.model.body_count()];
        let root = components(topology, &points);
        let mut layout = Self { group: Vec::new(), place, root: Vec::new(), held: Vec::new() };
        layout.gather_bodies(topology, &root);
        layout.root = root;
        let ends = points.iter().map(|point| point.1).chain(topology.rows.iter().copied());
        layout.held = ends.filter_map(|body| holds(&layout, body)).collect();
        layout.gather_constraints(topology, &points);
        layout
    }

    /// Small islands share a group until it is full; a large one has its own.
    fn gather_bodies(&mut self, topology: &Topology, root: &[u32]) {
        let mut islands = Csr::default();
        let moving = || (0..root.len()).filter(|&body| topology.moves[body]);
        islands.build(root.len(), moving().map(|body| (root[body] as usize, body as u32)));
        for island in islands.rows().filter(|island| !island.is_empty()) {
            let fits = |group: &Group| topology.whole || group.body.len() + island.len() <= GROUP_BODIES;
            if !self.group.last().is_some_and(fits) {
                self.group.push(Group::default());
            }
            let index = self.group.len() - 1;
            for &body in island {
                self.place[body as usize] = Place { group: index as u32, slot: self.group[index].body.len() as u32 };
                self.group[index].body.push(body);
            }
        }
    }

    fn gather_constraints(&mut self, topology: &Topology, points: &[(u32, [u32; 2])]) {
        for &(joint, body) in points {
            if let Some((group, slot)) = self.slots(body) {
                self.group[group].point.push(PointJoint { joint, body, slot });
            }
        }
        for (row, &body) in topology.rows.iter().enumerate() {
            if let Some((group, slot)) = self.slots(body) {
                self.group[group].row.push(RowPlace { row: row as u32, slot });
            }
        }
    }

    /// Whether a body is an unknown.
    pub fn moves(&self, body: u32) -> bool {
        self.place.get(body as usize).is_some_and(|place| *place != Place::NONE)
    }

    /// Group and slots of a constraint between two bodies; `None` if neither moves.
    pub fn slots(&self, body: [u32; 2]) -> Option<(usize, [u32; 2])> {
        let place = body.map(|body| self.place.get(body as usize).copied().unwrap_or(Place::NONE));
        let group = place.into_iter().find(|place| *place != Place::NONE)?.group as usize;
        let fixed = self.group[group].body.len() as u32;
        Some((group, place.map(|place| if place == Place::NONE { fixed } else { place.slot })))
    }
}

fn point_joints(topology: &Topology) -> Vec<(u32, [u32; 2])> {
    let model = topology.model;
    (0..model.joint_count())
        .filter(|&joint| topology.active[joint] && is_point(model, joint))
        .map(|joint| (joint as u32, [model.joint_parent[joint], model.joint_child[joint]]))
        .collect()
}

/// The smallest body each body hangs together with, by union–find.
fn components(topology: &Topology, points: &[(u32, [u32; 2])]) -> Vec<u32> {
    let mut root: Vec<u32> = (0..topology.moves.len() as u32).collect();
    let moves = |body: u32| body != WORLD && topology.moves[body as usize];
    let edges = points.iter().map(|point| point.1).chain(topology.rows.iter().copied());
    for [a, b] in edges.filter(|edge| edge.iter().all(|&body| moves(body))) {
        union::unite(&mut root, a, b);
    }
    union::flatten(&mut root);
    root
}

#[cfg(test)]
mod tests {
    use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder};

    use super::*;

    fn chains(chains: usize, beads: usize) -> Model {
        let mut scene = ModelBuilder::new();
        for chain in 0..chains {
            let mut parent = drystone_model::BodyId(WORLD);
            for bead in 0..beads {
                let place = DVec3::new(bead as f64, chain as f64, 0.0);
                let body = scene.add_body(BodyDef::dynamic(format!("{chain} {bead}")).at(place).sphere(0.1));
                scene.add_joint(JointDef::ball(parent, body, place - DVec3::X * 0.5));
                parent = body;
            }
        }
        scene.finalize().unwrap()
    }

    fn layout(model: &Model, moves: &[bool], active: &[bool], whole: bool) -> Layout {
        Layout::new(&Topology { model, moves, active, rows: &[], whole })
    }

    /// Every body and joint is somewhere exactly once, ends agree, and no joint leaves its group.
    fn holds(layout: &Layout, model: &Model, moves: &[bool], active: &[bool]) {
        let mut seen = vec![0; model.joint_count()];
        for (index, group) in layout.group.iter().enumerate() {
            for (slot, &body) in group.body.iter().enumerate() {
                assert_eq!(layout.place[body as usize], Place { group: index as u32, slot: slot as u32 });
            }
            for point in &group.point {
                seen[point.joint as usize] += 1;
                for (body, slot) in point.body.into_iter().zip(point.slot) {
                    let moving = body != WORLD && moves[body as usize];
                    assert_eq!(group.body.get(slot as usize), moving.then_some(&body));
                }
            }
        }
        let moving = moves.iter().filter(|moves| **moves).count();
        assert_eq!(layout.group.iter().map(|group| group.body.len()).sum::<usize>(), moving);
        for joint in 0..model.joint_count() {
            let ends = [model.joint_parent[joint], model.joint_child[joint]];
            let held = ends.iter().any(|&body| body != WORLD && moves[body as usize]);
            assert_eq!(seen[joint], usize::from(active[joint] && held), "joint {joint}");
        }
    }

    #[test]
    fn small_islands_share_groups_and_large_ones_have_their_own() {
        let model = chains(40, 40);
        let (moves, active) = (vec![true; 1600], vec![true; 1600]);
        let shared = layout(&model, &moves, &active, false);
        holds(&shared, &model, &moves, &active);
        assert_eq!(shared.group.len(), 4, "twelve chains of forty fit");
        let whole = layout(&model, &moves, &active, true);
        holds(&whole, &model, &moves, &active);
        assert_eq!(whole.group.len(), 1);
        let long = chains(3, 700);
        let (moves, active) = (vec![true; 2100], vec![true; 2100]);
        let long_layout = layout(&long, &moves, &active, false);
        holds(&long_layout, &long, &moves, &active);
        assert_eq!(long_layout.group.len(), 3);
    }

    #[test]
    fn what_does_not_move_or_act_separates() {
        let model = chains(2, 10);
        let (mut moves, mut active) = (vec![true; 20], vec![true; 20]);
        (moves[5], active[13], active[0]) = (false, false, false);
        (moves[0], moves[1]) = (false, false);
        let layout = layout(&model, &moves, &active, false);
        holds(&layout, &model, &moves, &active);
        assert_eq!(layout.place[5], Place::NONE);
    }

    #[test]
    fn the_depth_is_the_longest_way_from_what_is_held() {
        let model = chains(3, 10);
        let (mut moves, active) = (vec![true; 30], vec![true; 30]);
        let of = |moves: &[bool]| layout(&model, moves, &active, true).group[0].condition();
        assert_eq!(of(&moves), (4.0 * 11.0 / PI).powi(2));
        (moves[4], moves[14], moves[24]) = (false, false, false);
        assert_eq!(of(&moves), (4.0 * 6.0 / PI).powi(2), "five beads hang on the fixed one");
    }

    #[test]
    fn only_bare_hard_ball_joints_are_points() {
        let mut scene = ModelBuilder::new();
        let body = scene.add_body(BodyDef::dynamic("a").sphere(0.1));
        scene.add_joint(JointDef::ball(WORLD, body, DVec3::ZERO));
        scene.add_joint(JointDef::revolute(WORLD, body, DVec3::ZERO, DVec3::X));
        let mut model = scene.finalize().unwrap();
        assert!(is_point(&model, 0) && !is_point(&model, 1));
        model.joint_friction[0][4] = 1.0;
        assert!(!is_point(&model, 0));
    }
}
