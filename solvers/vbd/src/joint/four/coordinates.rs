//! Coordinates of the joints of islands side by side, and what their bodies are pulled by.

use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Vectors, Wide3, WideMatrix, WideSym, WideTurn};
use drystone_model::Pose;
use drystone_solve::joint::WideTurns;

use super::super::Joints;
use super::super::island::NO_NODE;
use super::FourIslands;
use super::load::{BodyLanes, Turns, set3, turn_of, vector_of};

/// Puts a matrix into memory by columns.
#[inline(always)]
fn store_columns<L: Lanes>(matrix: WideMatrix<L>) -> [Vectors; 3] {
    let [x, y, z] = matrix.0;
    [x.store(), y.store(), z.store()]
}

impl FourIslands {
    /// Coordinates of all joints where the bodies are.
    #[inline(always)]
    pub(super) fn take_coordinates<L: Lanes>(&mut self, lanes: L, joints: &[&Joints; 4]) {
        for joint in 0..self.joint.len() {
            let [parent, child] = self.shape.pattern.ends[joint];
            let own = &self.joint[joint];
            let (mut at, mut turn) = (own.held_at, own.held_turn);
            if parent != NO_NODE {
                (at[0], turn[0]) = (self.body[parent as usize].at, self.body[parent as usize].turn);
            }
            if child != NO_NODE {
                (at[1], turn[1]) = (self.body[child as usize].at, self.body[child as usize].turn);
            }
            let (at0, at1) = (Wide3::load(lanes, &at[0]), Wide3::load(lanes, &at[1]));
            let (turn0, turn1) = (WideTurn::load(lanes, &turn[0]), WideTurn::load(lanes, &turn[1]));
            let own = &mut self.joint[joint];
            let origin0 = at0 + turn0.rotate(Wide3::load(lanes, &own.anchor[0]));
            let origin1 = at1 + turn1.rotate(Wide3::load(lanes, &own.anchor[1]));
            let offset = origin1 - origin0;
            let frame = turn0.mul(WideTurn::load(lanes, &own.basis[0]));
            own.direction = store_columns(frame.columns());
            let pattern = self.shape.pattern.joints[joint];
            if pattern.distance {
                let (origin0, origin1) = (origin0.store(), origin1.store());
                for lane in 0..4 {
                    let geometry = &joints[lane].geometry[self.joints[joint][lane] as usize];
                    let pose = |origin: &Vectors, turn| Pose::from_parts(vector_of(origin, lane), turn_of(turn, lane));
                    let direction = geometry.directions(&pose(&origin0, &turn[0]), &pose(&origin1, &turn[1]));
                    (0..3).for_each(|k| set3(&mut own.direction[k], lane, direction.col(k).to_array()));
                }
            }
            for k in 0..3 {
                own.value[k] = Wide3::load(lanes, &own.direction[k]).dot(offset).store();
            }
            own.lever = [(origin1 - at0).store(), (origin1 - at1).store()];
            if pattern.turns {
                let far = turn1.mul(WideTurn::load(lanes, &own.basis[1]));
                let turns = WideTurns::between(lanes, pattern.kind, frame, far, &own.hint);
                for k in 0..3 {
                    (own.value[3 + k], own.row[k]) = (turns.value[k].store(), turns.row[k].store());
                }
                if let Some(beyond) = turns.beyond() {
                    self.take_turns(joints, joint, beyond, &turn);
                }
            }
        }
    }

    /// Rotations of a joint in the lanes `beyond` zero, one by one.
    fn take_turns(&mut self, joints: &[&Joints; 4], joint: usize, beyond: F64x4, turn: &[Turns; 2]) {
        let own = &mut self.joint[joint];
        for lane in 0..4 {
            if beyond[lane] > 0.0 {
                let (joints, joint) = (joints[lane], self.joints[joint][lane] as usize);
                let rotations = [turn_of(&turn[0], lane), turn_of(&turn[1], lane)];
                let turns = joints.geometry[joint].turns(rotations, joints.hint[joint]);
                for k in 0..3 {
                    own.value[3 + k][lane] = turns.value[k];
                    set3(&mut own.row[k], lane, turns.row[k].to_array());
                }
            }
        }
    }

    /// How the coordinates change along the direction.
    #[inline(always)]
    pub(super) fn take_rates<L: Lanes>(&mut self, lanes: L) {
        let zero = Simd4::splat(lanes, 0.0);
        let none = Wide3 { x: zero, y: zero, z: zero };
        for joint in 0..self.joint.len() {
            let own = &mut self.joint[joint];
            let (mut apart, mut turn) = (none, none);
            let [parent, child] = self.shape.pattern.ends[joint];
            if parent != NO_NODE {
                let [x, y, z, a, b, c] = &self.direction[parent as usize];
                let (v, w) = (Wide3::load(lanes, &[*x, *y, *z]), Wide3::load(lanes, &[*a, *b, *c]));
                apart = apart - v - w.cross(Wide3::load(lanes, &own.lever[0]));
                turn = turn - w;
            }
            if child != NO_NODE {
                let [x, y, z, a, b, c] = &self.direction[child as usize];
                let (v, w) = (Wide3::load(lanes, &[*x, *y, *z]), Wide3::load(lanes, &[*a, *b, *c]));
                apart = apart + v + w.cross(Wide3::load(lanes, &own.lever[1]));
                turn = turn + w;
            }
            for k in 0..3 {
                own.rate[k] = Wide3::load(lanes, &own.direction[k]).dot(apart).store();
                own.rate[3 + k] = Wide3::load(lanes, &own.row[k]).dot(turn).store();
            }
        }
    }
}

/// Force and torque of inertia on bodies where they are, and external torques; those that step by the second-order rule with the
/// inertia where they end.
#[inline(always)]
pub fn inertial_force<L: Lanes>(lanes: L, body: &BodyLanes) -> [Wide3<L>; 2] {
    let away = Wide3::load(lanes, &body.goal) - Wide3::load(lanes, &body.moved);
    let force = away.times(Simd4::load(lanes, &body.mass));
    let turn = WideTurn::load(lanes, &body.turn);
    let by_spin = Simd4::load(lanes, &body.by_spin);
    let some = by_spin.any_positive();
    let all = !(by_spin.like(0.5) - by_spin).any_positive();
    let mut torque = force;
    if !all {
        let left = WideTurn::load(lanes, &body.goal_turn).mul(turn.inverse()).log(lanes);
        torque = load_sym(lanes, &body.inertia).times(left);
    }
    if some {
        let axes = turn.columns();
        let per_step = Simd4::load(lanes, &body.per_step);
        let speed = Wide3::load(lanes, &body.resting) + Wide3::load(lanes, &body.turned).times(per_step);
        let momentum = axes.times(load_sym(lanes, &body.own).times(axes.transposed_times(speed)));
        let due = (Wide3::load(lanes, &body.spin) - momentum).times(per_step);
        torque = match all {
            true => due,
            false => choose(by_spin, due, torque),
        };
    }
    [force, torque + Wide3::load(lanes, &body.torque)]
}

/// The first where a number is above zero.
#[inline(always)]
pub fn choose<L: Lanes>(positive: Simd4<L>, a: Wide3<L>, b: Wide3<L>) -> Wide3<L> {
    Wide3 {
        x: positive.where_positive(a.x, b.x),
        y: positive.where_positive(a.y, b.y),
        z: positive.where_positive(a.z, b.z),
    }
}

/// A symmetric matrix from memory.
#[inline(always)]
pub fn load_sym<L: Lanes>(lanes: L, from: &[F64x4; 6]) -> WideSym<L> {
    let mut out = [Simd4::splat(lanes, 0.0); 6];
    for k in 0..6 {
        out[k] = Simd4::load(lanes, &from[k]);
    }
    WideSym(out)
}
