//! Joints between affine bodies. A joint sees the rigid motion of its bodies, centre of mass and the rotation nearest
//! to A, so that its coordinates are those every solver uses; what it holds is held exactly (rows of Newton's
//! system with multipliers, closed again after every step), what drives, stops or brakes it is an energy.

use drystone_kernels::elementary::powi;
use std::collections::HashMap;

use drystone_model::{AxisMode, Control, DMat3, DQuat, DVec3, JointKind, Limit, Model, ModelMap, State};

use super::affine::{Affine, Vec12, cross_matrix};
use super::axis_energy::Law;
use super::bodies::Bodies;
use drystone_geometry::mass::symmetric_eigen;
use drystone_solve::forces::{ForceLedger, JointLoads, JointWrench};
use drystone_solve::joint::geometric_stiffness_psd;
use drystone_solve::joint::{Axes, HeldAxis, JointGeometry, Placement, Wrench, held_axes, rod_constants};
use drystone_solve::linalg::block6::{spatial, split};

/// Stiffness of a hard stop relative to the one at which the bodies stop within its reach in a step.
const STOP_STIFFNESS: f64 = 100.0;

/// Share of the reach of a stop that a joint found at it, or beyond, is given at the start of a step.
const STOP_START: f64 = 0.1;

/// A joint and what it holds.
#[derive(Clone, Debug)]
struct Joint {
    index: usize,
    geometry: JointGeometry,
    held: Vec<HeldAxis>,
    /// Lever that makes an angle of the joint a length \[m\].
    arm: f64,
}

/// One direction in the coordinates of two bodies: what a joint acts along.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Slots of the bodies, the smaller first.
    pub slot: [u32; 2],
    /// Derivatives by their coordinates.
    pub by: [Vec12; 2],
    /// How much of it there is: the error of a row, the slope of an energy.
    pub value: f64,
    /// Weight of its square in Newton's matrix.
    pub curvature: f64,
}

/// The error of a held coordinate, by rigid motions (linear, angular) of its bodies, the smaller slot first.
#[derive(Clone, Copy, Debug)]
pub struct RigidRow {
    pub slot: [u32; 2],
    pub by: [[f64; 6]; 2],
    pub value: f64,
    /// What rounding does to it.
    pub rounding: f64,
}

impl RigidRow {
    /// One of its bodies that is among some.
    pub fn body(&self, some: &[bool]) -> usize {
        let [a, b] = self.slot.map(|slot| slot as usize);
        if some[a] { a } else { b }
    }
}

/// A law and the coordinate it acts along.
#[derive(Clone, Copy, Debug)]
struct Acting {
    joint: usize,
    axis: usize,
    law: Law,
}

/// The joints of a model and what they do in a step.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    list: Vec<Joint>,
    /// Joints of the list that act in this step.
    active: Vec<usize>,
    acting: Vec<Acting>,
    /// Unwrapped angles at the start of the step \[rad\].
    hint: Vec<DVec3>,
    /// Slip of every axis that dry friction has not given way to \[m or rad\].
    slip: Vec<[f64; 6]>,
    /// Joints of the list whose rows and pushes were filled last.
    looked_at: Vec<usize>,
    /// Force with which every joint pulls at the point it holds, as the gradient of an energy \[N\].
    pull: Vec<DVec3>,
    /// Multipliers of the rows as last solved for \[N or N·m\].
    multiplier: Vec<[f64; 6]>,
    /// Rows that must vanish.
    pub rows: Vec<Term>,
    /// Rounding of the value of every row, in its unit.
    pub rounding: Vec<f64>,
    /// Energies along free axes, as slopes and curvatures.
    pub pushes: Vec<Term>,
    /// Active joints whose bodies take first-order steps: at a stop or about to be, or with a rotor.
    rough: Vec<usize>,
}

/// Sizes of a step that joints need.
#[derive(Clone, Copy, Debug)]
pub struct JointScale {
    /// Time step \[s\].
    pub h: f64,
    /// d̂ \[m\].
    pub contact_distance: f64,
    /// Slip at which friction has its full size \[m\].
    pub edge: f64,
}

impl Joints {
    pub fn new(model: &Model, radius: &[f64]) -> Self {
        let world = model.body_count();
        let list = (0..model.joint_count()).map(|index| {
            let mut held = Vec::new();
            held_axes(model, index, &mut held);
            let geometry = JointGeometry::new(model, index, world, true);
            let bodies = geometry.body.iter().filter(|&&body| body != world).map(|&body| radius[body]);
            let arm = bodies.fold(geometry.size(), f64::max);
            Joint { index, geometry, held, arm: if arm > 0.0 { arm } else { 1.0 } }
        });
        let list: Vec<Joint> = list.filter(|joint| model.joint_kind[joint.index] != JointKind::Free).collect();
        Self { hint: vec![DVec3::ZERO; list.len()], slip: vec![[0.0; 6]; list.len()], list, ..Self::default() }
    }

    /// Wrenches on the bodies of the efforts the user asks for.
    pub fn add_efforts(&self, model: &Model, state: &State, control: &Control, out: &mut [Wrench]) {
        for joint in &self.list {
            let effort = &control.joint_f[joint.index];
            if *effort == [0.0; 6] || !acts(state, control, joint.index) {
                continue;
            }
            let wrenches = joint.geometry.effort(model, state, joint.index, effort);
            for (wrench, body) in wrenches.into_iter().zip(joint.geometry.body) {
                if let Some(total) = out.get_mut(body) {
                    total.0 += wrench.0;
                    total.1 += wrench.1;
                }
            }
        }
    }

    /// Reads what the user asks of the joints in a step that starts at `bodies.start`.
    pub fn aim(&mut self, model: &Model, state: &State, control: &Control, bodies: &Bodies, scale: JointScale) {
        self.active.clear();
        self.acting.clear();
        self.rough.clear();
        for (k, joint) in self.list.iter().enumerate() {
            self.hint[k] = DVec3::from_array(state.joint_angle[joint.index]);
            if acts(state, control, joint.index) && joint.geometry.body.iter().any(|&slot| bodies.moves[slot]) {
                self.active.push(k);
            }
        }
        self.pull.clear();
        self.pull.resize(self.list.len(), DVec3::ZERO);
        self.multiplier.clear();
        self.multiplier.resize(self.list.len(), [0.0; 6]);
        for &k in &self.active {
            let joint = &self.list[k];
            let rates = model.joint_rates(state, joint.index);
            let start = joint.axes(&bodies.start, self.hint[k]);
            for axis in (0..6).filter(|&axis| !joint.held.iter().any(|held| usize::from(held.axis) == axis)) {
                let (from, rate, slip) = (start.value[axis], rates[axis], self.slip[k][axis]);
                let along = Along { model, control, joint: joint.index, axis, from, rate, slip };
                let inertia = || bodies.effective_mass(&joint.term(&start, &bodies.start, axis));
                let unit = if axis < 3 { 1.0 } else { 1.0 / joint.arm };
                if along.is_rough(scale, unit) {
                    self.rough.push(k);
                }
                along.laws(scale, unit, inertia, |law| self.acting.push(Acting { joint: k, axis, law }));
            }
        }
    }

    /// The bodies of the joints that act in this step.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.active.iter().map(|&k| self.list[k].geometry.body)
    }

    /// Their slots.
    pub fn slots(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.pairs().map(|pair| pair.map(|slot| slot as u32))
    }

    /// Bodies of active joints at a stop, about to be at one, or with a rotor.
    pub fn rough(&self) -> impl Iterator<Item = usize> + '_ {
        self.rough.iter().flat_map(|&k| self.list[k].geometry.body)
    }

    /// Whether a slot is held by a joint of this step.
    pub fn mark(&self, mut visit: impl FnMut(usize)) {
        self.active.iter().flat_map(|&k| self.list[k].geometry.body).for_each(&mut visit);
    }

    /// Fills rows and pushes at the placements `q` for joints of bodies that are looked at; `weight` times the mass behind a row is its
    /// weight in the matrix.
    pub fn linearize(&mut self, bodies: &Bodies, q: &[Affine], weight: f64, on: impl Fn(usize) -> bool) {
        let Self { list, active, looked_at, acting, hint, rows, rounding, pushes, pull, .. } = self;
        looked_at.clear();
        looked_at.extend(active.iter().filter(|&&k| list[k].geometry.body.iter().any(|&slot| on(slot))));
        // Newton's matrix has no block of a body that is left out: a row to it would hold the other one still.
        let whole = |slot: &usize| on(*slot) || !bodies.moves[*slot];
        debug_assert!(looked_at.iter().all(|&k| list[k].geometry.body.iter().all(whole)));
        rows.clear();
        rounding.clear();
        pushes.clear();
        let mut acting = acting.iter().peekable();
        for &k in looked_at.iter() {
            while acting.next_if(|acting| acting.joint < k).is_some() {}
            let joint = &list[k];
            let axes = joint.axes(q, hint[k]);
            for held in &joint.held {
                let mut term = joint.term(&axes, q, usize::from(held.axis));
                term.value -= held.at;
                term.curvature = weight * bodies.effective_mass(&term);
                rows.push(term);
                rounding.push(joint.rounding(q, held.axis));
            }
            while let Some(acting) = acting.next_if(|acting| acting.joint == k) {
                let mut term = joint.term(&axes, q, acting.axis);
                let law = acting.law.at(term.value);
                (term.value, term.curvature) = (law.slope, law.curvature);
                pushes.push(term);
            }
            joint.add_bends(&axes, q, pull[k], pushes);
        }
    }

    /// Errors of what is held at the placements `q`, of the joints of bodies that are wanted.
    pub fn rigid_rows(&self, q: &[Affine], wanted: &[bool], out: &mut Vec<RigidRow>) {
        out.clear();
        for &k in &self.active {
            let joint = &self.list[k];
            let slot = joint.geometry.body;
            if joint.held.is_empty() || !slot.iter().any(|&slot| wanted[slot]) {
                continue;
            }
            let axes = joint.axes(q, self.hint[k]);
            out.extend(joint.held.iter().map(|held| {
                let by = axes.jacobian[usize::from(held.axis)];
                let (slot, by) = if slot[0] > slot[1] { ([slot[1], slot[0]], [by[1], by[0]]) } else { (slot, by) };
                let value = axes.value[usize::from(held.axis)] - held.at;
                RigidRow { slot: slot.map(|slot| slot as u32), by, value, rounding: joint.rounding(q, held.axis) }
            }));
        }
    }

    /// Takes the forces of the joints over from a solution with these multipliers of the rows. They stiffen bodies
    /// against turning, as tension does a pendulum.
    pub fn note_forces(&mut self, multiplier: &[f64], q: &[Affine]) {
        let mut multiplier = multiplier.iter();
        for &k in &self.looked_at {
            let joint = &self.list[k];
            let axes = joint.axes(q, self.hint[k]);
            let of_joint = &mut self.multiplier[k];
            joint.held.iter().zip(&mut multiplier).for_each(|(held, force)| of_joint[usize::from(held.axis)] = *force);
            let held = joint.held.iter().map(|held| usize::from(held.axis)).map(|axis| (axis, &of_joint[axis]));
            let pull = &mut self.pull[k];
            *pull = held.filter(|(axis, _)| *axis < 3).map(|(axis, force)| axes.direction.col(axis) * *force).sum();
            let acting = self.acting.iter().filter(|acting| acting.joint == k && acting.axis < 3);
            *pull += acting
                .map(|acting| axes.direction.col(acting.axis) * acting.law.at(axes.value[acting.axis]).slope)
                .sum::<DVec3>();
        }
    }

    /// Books the impulses of a step of `h` seconds with the bodies as it left them.
    pub fn book(&self, bodies: &Bodies, h: f64, ledger: &mut ForceLedger, loads: &mut JointLoads) {
        loads.begin(ledger.joint.len());
        let q = &bodies.q;
        for &k in &self.active {
            let joint = &self.list[k];
            let axes = joint.axes(q, self.hint[k]);
            let held = joint.held.iter().map(|held| usize::from(held.axis));
            let slopes = held.map(|axis| (axis, self.multiplier[k][axis]));
            let acting = self.acting.iter().filter(|acting| acting.joint == k);
            let laws = acting.map(|acting| (acting.axis, acting.law.at(axes.value[acting.axis]).slope));
            let force = JointWrench::of_rows(slopes.chain(laws).map(|(axis, slope)| (slope, &axes.jacobian[axis])));
            let ends = joint.geometry.body;
            let second_order = ends.iter().any(|&slot| bodies.moves[slot] && bodies.step[slot] != h);
            let impulse = loads.impulse(joint.index, force, h, second_order);
            ledger.joint(joint.index, q[ends[1]].position, axes.lever[1], &impulse);
        }
    }

    /// Remembers what dry friction holds at the end of a step, so that what sticks does not creep.
    pub fn keep(&mut self, q: &[Affine]) {
        self.slip.fill([0.0; 6]);
        for acting in &self.acting {
            if let Law::Friction { from, edge, .. } = acting.law {
                let axes = self.list[acting.joint].axes(q, self.hint[acting.joint]);
                self.slip[acting.joint][acting.axis] = (axes.value[acting.axis] - from).clamp(-edge, edge);
            }
        }
    }

    /// What must be remembered from step to step.
    pub fn memory(&self) -> &Vec<[f64; 6]> {
        &self.slip
    }

    /// Goes on after an edit that led here from other joints.
    pub fn carry_slip(&mut self, from: &Self, map: &ModelMap) {
        let old: HashMap<usize, usize> =
            from.list.iter().enumerate().map(|(place, joint)| (joint.index, place)).collect();
        for (joint, slip) in self.list.iter().zip(&mut self.slip) {
            let before = map.loaded_joint(joint.index).and_then(|before| old.get(&before));
            *slip = before.map_or([0.0; 6], |&before| from.slip[before]);
        }
    }

    /// Goes on from what was remembered; refuses what belongs to another model.
    pub fn recall(&mut self, slip: Vec<[f64; 6]>) -> Result<(), String> {
        if slip.len() != self.list.len() {
            return Err(format!("it is of {} joints, not of {}", slip.len(), self.list.len()));
        }
        self.slip = slip;
        Ok(())
    }

    /// Forgets the slip of joints.
    pub fn forget(&mut self, moved: impl Fn(usize) -> bool) {
        let joints = self.list.iter().zip(&mut self.slip);
        joints
            .filter(|(joint, _)| joint.geometry.body.iter().any(|&b| moved(b)))
            .for_each(|(_, slip)| *slip = [0.0; 6]);
    }

    /// Energies of drives, stops and friction of joints of bodies that are looked at, each with these bodies \[J\].
    pub fn energies(&self, q: &[Affine], on: impl Fn(usize) -> bool, mut add: impl FnMut([usize; 2], f64)) {
        let mut last = None;
        for acting in &self.acting {
            let joint = &self.list[acting.joint];
            if !joint.geometry.body.iter().any(|&slot| on(slot)) {
                continue;
            }
            if last.is_none_or(|(joint, _)| joint != acting.joint) {
                last = Some((acting.joint, joint.axes(q, self.hint[acting.joint])));
            }
            if let Some((_, axes)) = &last {
                add(joint.geometry.body, acting.law.at(axes.value[acting.axis]).value);
            }
        }
    }

    /// Largest error of a row over its rounding.
    pub fn openness(&self) -> f64 {
        self.rows.iter().zip(&self.rounding).map(|(row, rounding)| row.value.abs() / rounding).fold(0.0, f64::max)
    }
}

fn acts(state: &State, control: &Control, joint: usize) -> bool {
    control.joint_enabled[joint] && state.joint_intact[joint]
}

impl Joint {
    fn axes(&self, q: &[Affine], hint: DVec3) -> Axes {
        let place = |slot: usize| Placement {
            com: q[slot].position,
            rotation: DQuat::from_mat3(&q[slot].rotation()).normalize(),
        };
        self.geometry.axes(self.geometry.body.map(place), hint)
    }

    /// A coordinate with its derivatives by the twelve coordinates of either body.
    fn term(&self, axes: &Axes, q: &[Affine], axis: usize) -> Term {
        self.lifted(&axes.jacobian[axis], q, axes.value[axis], 0.0)
    }

    /// A direction in the motions of the rigid bodies as one in the coordinates.
    fn lifted(&self, row: &[[f64; 6]; 2], q: &[Affine], value: f64, curvature: f64) -> Term {
        let [a, b] = self.geometry.body;
        let (mut slot, mut by) = ([a as u32, b as u32], [lift(&q[a], &row[0]), lift(&q[b], &row[1])]);
        if slot[0] > slot[1] {
            slot.swap(0, 1);
            by.swap(0, 1);
        }
        Term { slot, by, value, curvature }
    }

    /// Adds the positive part of how the pull of the joint changes as its bodies turn.
    fn add_bends(&self, axes: &Axes, q: &[Affine], pull: DVec3, out: &mut Vec<Term>) {
        if pull == DVec3::ZERO {
            return;
        }
        for (side, pull) in [-pull, pull].into_iter().enumerate() {
            let (moments, directions) = symmetric_eigen(geometric_stiffness_psd(pull, axes.lever[side]));
            for k in (0..3).filter(|&k| moments[k] > 0.0) {
                let mut row = [[0.0; 6]; 2];
                row[side] = spatial(DVec3::ZERO, directions.col(k));
                out.push(self.lifted(&row, q, 0.0, moments[k]));
            }
        }
    }

    /// What rounding does to a coordinate, with some to spare.
    fn rounding(&self, q: &[Affine], axis: u8) -> f64 {
        let far = self.geometry.body.iter().map(|&slot| q[slot].position.length()).fold(self.geometry.size(), f64::max);
        64.0 * f64::EPSILON * if axis < 3 { far.max(self.arm) } else { 1.0 }
    }
}

/// A derivative by motions of the nearest rigid body (linear, angular) as one by the coordinates. With A = R S the
/// rotation changes by R (tr S − S)⁻¹ times the axial vector of Rᵀ δA − (Rᵀ δA)ᵀ.
fn lift(q: &Affine, by: &[f64; 6]) -> Vec12 {
    let (linear, angular) = split(by);
    let rotation = q.rotation();
    let stretch = rotation.transpose() * q.linear;
    let trace = stretch.x_axis.x + stretch.y_axis.y + stretch.z_axis.z;
    let inner = DMat3::from_diagonal(DVec3::splat(trace)) - 0.5 * (stretch + stretch.transpose());
    let axial = inner.inverse() * (rotation.transpose() * angular);
    Affine { linear: rotation * cross_matrix(axial), position: linear }.to_array()
}

/// An axis of a joint at the start of a step.
struct Along<'a> {
    model: &'a Model,
    control: &'a Control,
    joint: usize,
    axis: usize,
    from: f64,
    rate: f64,
    slip: f64,
}

impl Along<'_> {
    /// All laws along the axis. `unit` turns lengths into the unit of the coordinate.
    fn laws(&self, scale: JointScale, unit: f64, inertia: impl Fn() -> f64, mut push: impl FnMut(Law)) {
        let (model, joint, axis, h) = (self.model, self.joint, self.axis, scale.h);
        if let Some((at, stiffness, damping)) = self.elasticity() {
            self.spring(at, 0.0, stiffness, damping, f64::INFINITY, h, &mut push);
        }
        if model.joint_axis[joint][axis] != AxisMode::Free {
            return;
        }
        let drive = &model.joint_drive[joint][axis];
        let (target, rate) = (self.control.joint_target[joint][axis], self.control.joint_target_velocity[joint][axis]);
        self.spring(target, rate, drive.stiffness, drive.damping, drive.max_effort, h, &mut push);
        let spring = &model.joint_spring[joint][axis];
        self.spring(spring.rest, 0.0, spring.stiffness, spring.damping, f64::INFINITY, h, &mut push);
        let armature = model.joint_armature[joint][axis];
        if armature > 0.0 {
            let slope = armature / (h * h);
            push(Law::Spring { bias: slope * (self.from + h * self.rate), slope, cap: f64::INFINITY });
        }
        let load = model.joint_friction[joint][axis];
        if load > 0.0 {
            push(Law::Friction { from: self.from - self.slip, load, edge: scale.edge * unit });
        }
        self.stops(scale, unit, inertia, &mut push);
    }

    /// Whether the axis carries a rotor, or a stop is within reach of the motion of two steps.
    fn is_rough(&self, scale: JointScale, unit: f64) -> bool {
        let (model, joint, axis) = (self.model, self.joint, self.axis);
        if model.joint_axis[joint][axis] != AxisMode::Free {
            return false;
        }
        let (limit, ahead) = (&model.joint_limit[joint][axis], self.from + 2.0 * scale.h * self.rate);
        let near = 2.0 * scale.contact_distance * unit;
        model.joint_armature[joint][axis] > 0.0
            || self.from.max(ahead) >= limit.upper - near
            || self.from.min(ahead) <= limit.lower + near
    }

    fn spring(&self, at: f64, rate: f64, k: f64, d: f64, cap: f64, h: f64, push: &mut impl FnMut(Law)) {
        let slope = k + d / h;
        if slope > 0.0 {
            push(Law::Spring { bias: k * at + d * (rate + self.from / h), slope, cap });
        }
    }

    /// Stiffness and damping of an axis that is locked softly or belongs to a rod, and where it rests.
    fn elasticity(&self) -> Option<(f64, f64, f64)> {
        let (model, joint, axis) = (self.model, self.joint, self.axis);
        if model.joint_rod[joint].is_some() {
            let (stiffness, damping) = rod_constants(model, joint, axis);
            return Some((0.0, stiffness, damping));
        }
        let angular = usize::from(axis >= 3);
        let locked = model.joint_axis[joint][axis] == AxisMode::Locked;
        locked.then(|| (0.0, model.joint_stiffness[joint][angular], model.joint_damping[joint][angular]))
    }

    fn stops(&self, scale: JointScale, unit: f64, inertia: impl Fn() -> f64, push: &mut impl FnMut(Law)) {
        let (model, joint, axis) = (self.model, self.joint, self.axis);
        let Limit { lower, upper, stiffness, .. } = model.joint_limit[joint][axis];
        for (sign, limit) in [(-1.0, lower), (1.0, upper)] {
            if !limit.is_finite() {
                continue;
            }
            if stiffness.is_finite() {
                push(Law::Cushion { limit, sign, stiffness });
                continue;
            }
            // A stop narrower than two reaches on either side would push from both at once.
            let room = upper - lower;
            let d_hat = if room.is_finite() {
                (scale.contact_distance * unit).min(0.25 * room)
            } else {
                scale.contact_distance * unit
            };
            let beyond = sign * self.from >= sign * limit;
            let limit = if beyond { self.from + sign * STOP_START * d_hat } else { limit };
            let stiffness = STOP_STIFFNESS * inertia() * powi(d_hat / scale.h, 2);
            push(Law::Stop { limit, sign, d_hat, stiffness });
        }
    }
}
