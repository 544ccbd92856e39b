//! Bodies, joints and rows of islands, put into the lanes.

use drystone_kernels::double::math::{Quat, Sym3, Vec3};
use drystone_kernels::double::rotation;
use drystone_kernels::lanes::{F64x4, Vectors};
use drystone_model::{DQuat, DVec3};

use super::super::island::{NO_NODE, SolveContext, inertial_motion};
use super::super::{JointGeometry, Joints, Placement};
use super::{Around, FourIslands};
use crate::bodies::Bodies;
use crate::convert::quat;

/// Turns in memory.
pub type Turns = [F64x4; 4];

/// Bodies at one node of the islands.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyLanes {
    /// Mass over the squared step.
    pub mass: F64x4,
    /// World inertia at the start over the squared step.
    pub inertia: [F64x4; 6],
    /// Displacement that they are pulled to, and the orientation.
    pub goal: Vectors,
    pub goal_turn: Turns,
    /// External torque.
    pub torque: Vectors,
    /// Where they are at the start of the step.
    pub com: Vectors,
    pub start: Turns,
    /// Inertia in their own axes.
    pub own: [F64x4; 6],
    /// Spin angular momentum without constraints at the end of the step, for those that step by the second-order rule.
    pub spin: Vectors,
    /// One for these, zero for others.
    pub by_spin: F64x4,
    /// Angular velocity without a turn, and its change per turn.
    pub resting: Vectors,
    pub per_step: F64x4,
    /// Radius of gyration.
    pub radius: F64x4,
    /// Where they are now, and the displacement that means.
    pub at: Vectors,
    pub turn: Turns,
    pub moved: Vectors,
    pub turned: Vectors,
}

/// Joints at one place of the islands.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointLanes {
    /// Origins and orientations of their frames on both bodies.
    pub anchor: [Vectors; 2],
    pub basis: [Turns; 2],
    /// Ends that are no unknowns.
    pub held_at: [Vectors; 2],
    pub held_turn: [Turns; 2],
    /// Angles at the start of the step.
    pub hint: Vectors,
    /// Coordinates, and how they change along the direction.
    pub value: [F64x4; 6],
    pub rate: [F64x4; 6],
    /// Directions of the translations, levers on both bodies, rows of the rotations.
    pub direction: [Vectors; 3],
    pub lever: [Vectors; 2],
    pub row: [Vectors; 3],
}

/// Rows at one place of the islands.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowLanes {
    pub k: F64x4,
    pub reference: F64x4,
    pub lambda: F64x4,
    pub lower: F64x4,
    pub upper: F64x4,
    /// Stiffness of its damping.
    pub viscous: F64x4,
    pub start: F64x4,
    /// Force as last solved for.
    pub force: F64x4,
    /// Coordinate here per coordinate at the other end of a coupling.
    pub factor: F64x4,
    /// Ones where the force is bounded, zeros elsewhere.
    pub bounds: F64x4,
    /// Whether any force is bounded.
    pub bounded: bool,
}

pub fn set3(into: &mut Vectors, lane: usize, v: [f64; 3]) {
    [into[0][lane], into[1][lane], into[2][lane]] = v;
}

pub fn set_turn(into: &mut Turns, lane: usize, q: DQuat) {
    [into[0][lane], into[1][lane], into[2][lane], into[3][lane]] = [q.x, q.y, q.z, q.w];
}

pub fn turn_of(from: &Turns, lane: usize) -> DQuat {
    DQuat::from_xyzw(from[0][lane], from[1][lane], from[2][lane], from[3][lane])
}

pub fn vector_of(from: &Vectors, lane: usize) -> DVec3 {
    DVec3::new(from[0][lane], from[1][lane], from[2][lane])
}

fn three(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn set_sym(into: &mut [F64x4; 6], lane: usize, m: Sym3) {
    [into[0][lane], into[1][lane], into[2][lane]] = [m.xx, m.xy, m.xz];
    [into[3][lane], into[4][lane], into[5][lane]] = [m.yy, m.yz, m.zz];
}

fn identity() -> Turns {
    [[0.0; 4], [0.0; 4], [0.0; 4], [1.0; 4]]
}

impl FourIslands {
    /// Everything that a Newton step needs.
    pub(super) fn load(&mut self, around: &Around) {
        for node in 0..self.bodies.len() {
            let mut lanes = BodyLanes::default();
            for lane in 0..4 {
                load_body(&mut lanes, lane, &around[lane], self.bodies[node][lane] as usize);
            }
            self.body[node] = lanes;
        }
        let places = around.map(|context| (context.joints, context.bodies));
        self.load_held(&places);
        self.load_hints(&places);
        let joints = around.map(|context| context.joints);
        for joint in 0..self.joints.len() {
            for row in self.shape.pattern.rows_of(joint) {
                self.load_row(&joints, joint, row);
            }
        }
        for lane in 0..4 {
            let inertial = |node: &[u32; 4]| inertial_motion(around[lane].bodies, node[lane] as usize);
            self.progress[lane].inertial = self.bodies.iter().map(inertial).fold(0.0, f64::max);
        }
        self.loaded = true;
    }

    fn load_row(&mut self, joints: &[&Joints; 4], joint: usize, row: usize) {
        let index = row - self.shape.pattern.row_start[joint] as usize;
        let mut lanes = RowLanes::default();
        for lane in 0..4 {
            let row = &joints[lane].rows(self.joints[joint][lane] as usize)[index];
            (lanes.k[lane], lanes.reference[lane], lanes.lambda[lane]) = (row.k, row.reference, row.lambda);
            (lanes.lower[lane], lanes.upper[lane]) = (row.lower, row.upper);
            (lanes.viscous[lane], lanes.start[lane]) = (row.k * row.viscous, row.start);
            lanes.force[lane] = row.force;
            lanes.factor[lane] = row.partner.map_or(0.0, |partner| partner.factor);
            lanes.bounds[lane] = f64::from(u8::from(row.bounded()));
            lanes.bounded |= row.bounded();
        }
        self.row[row] = lanes;
    }

    /// Where coupled rows are at rest, which changes with the other ends.
    pub(super) fn load_references(&mut self, around: &Around) {
        for joint in 0..self.joints.len() {
            for row in self.shape.pattern.rows_of(joint).filter(|&row| self.shape.pattern.rows[row].partner.is_some()) {
                let index = row - self.shape.pattern.row_start[joint] as usize;
                for lane in 0..4 {
                    let own = around[lane].joints.rows(self.joints[joint][lane] as usize);
                    self.row[row].reference[lane] = own[index].reference;
                }
            }
        }
    }

    /// What of the joints in a lane never changes.
    pub(super) fn load_frames(&mut self, lane: usize, geometry: &[JointGeometry]) {
        for (lanes, joints) in self.joint.iter_mut().zip(&self.joints) {
            let geometry = &geometry[joints[lane] as usize];
            for side in 0..2 {
                set3(&mut lanes.anchor[side], lane, geometry.anchor[side].to_array());
                set_turn(&mut lanes.basis[side], lane, geometry.basis[side]);
            }
        }
    }

    /// The ends that are no unknowns.
    pub(super) fn load_held(&mut self, places: &[(&Joints, &Bodies); 4]) {
        for (joint, ends) in self.shape.pattern.ends.iter().enumerate() {
            for side in (0..2).filter(|&side| ends[side] == NO_NODE) {
                for lane in 0..4 {
                    let (joints, bodies) = places[lane];
                    let geometry = &joints.geometry[self.joints[joint][lane] as usize];
                    let Placement { com, rotation } = bodies.placement[geometry.body[side]];
                    set3(&mut self.joint[joint].held_at[side], lane, com.to_array());
                    set_turn(&mut self.joint[joint].held_turn[side], lane, rotation);
                }
            }
        }
    }

    /// Angles at the start of the step.
    pub(super) fn load_hints(&mut self, places: &[(&Joints, &Bodies); 4]) {
        let turns = self.shape.pattern.joints.iter().map(|joint| joint.turns);
        for ((lanes, own), _) in self.joint.iter_mut().zip(&self.joints).zip(turns).filter(|(_, turns)| *turns) {
            for lane in 0..4 {
                set3(&mut lanes.hint, lane, places[lane].0.hint[own[lane] as usize].to_array());
            }
        }
    }

    /// Where the bodies are.
    pub(super) fn load_places(&mut self, places: &[(&Joints, &Bodies); 4]) {
        for (lanes, own) in self.body.iter_mut().zip(&self.bodies) {
            for lane in 0..4 {
                load_place(lanes, lane, places[lane].1, own[lane] as usize);
            }
        }
    }
}

fn load_place(lanes: &mut BodyLanes, lane: usize, bodies: &Bodies, body: usize) {
    let Placement { com, rotation } = bodies.placement[body];
    set3(&mut lanes.at, lane, com.to_array());
    set_turn(&mut lanes.turn, lane, rotation);
    let delta = bodies.delta[body];
    set3(&mut lanes.moved, lane, three(delta.l));
    set3(&mut lanes.turned, lane, three(delta.a));
}

fn load_body(lanes: &mut BodyLanes, lane: usize, context: &SolveContext, body: usize) {
    let bodies = context.bodies;
    load_place(lanes, lane, bodies, body);
    lanes.mass[lane] = bodies.mass[body];
    set_sym(&mut lanes.inertia, lane, bodies.inertia[body]);
    lanes.radius[lane] = bodies.gyration_radius(body);
    set3(&mut lanes.com, lane, bodies.com[body].to_array());
    set_turn(&mut lanes.start, lane, bodies.start_rotation[body]);
    let goal = context.near.map_or(bodies.target[body], |near| near[body]);
    set3(&mut lanes.goal, lane, three(goal.l));
    if context.near.is_none() {
        set3(&mut lanes.torque, lane, three(bodies.torque[body]));
        if let Some(spin) = bodies.spin[body] {
            lanes.by_spin[lane] = 1.0;
            set3(&mut lanes.spin, lane, three(spin));
            set_sym(&mut lanes.own, lane, bodies.own_inertia[body][0]);
            lanes.per_step[lane] = 1.0 / bodies.step[body];
            let resting = bodies.target_velocity[body].a.add_scaled(goal.a, -lanes.per_step[lane]);
            set3(&mut lanes.resting, lane, three(resting));
            return;
        }
    }
    let Quat { x, y, z, w } = rotation::exp(goal.a).mul(quat(bodies.start_rotation[body]));
    set_turn(&mut lanes.goal_turn, lane, DQuat::from_xyzw(x, y, z, w));
}

impl JointLanes {
    /// Nothing known yet.
    pub fn new() -> Self {
        let (basis, held_turn) = ([identity(); 2], [identity(); 2]);
        Self { basis, held_turn, ..Self::default() }
    }
}
