//! Joints other than bare point constraints, as blocks of rows: locked translations together, locked
//! rotations together, and a row of its own for every stop, drive, friction and armature.

use std::collections::HashMap;
use std::ops::Range;

use drystone_model::{AxisMode, Control, DVec3, JointKind, Model, ModelMap, State, WORLD};

use super::bodies::{Body, body_or_world};
use super::layout::is_point;
use super::options::{JacobiOptions, Stabilization};
use super::spec::RowSpec;
use drystone_solve::joint::{Axes, JointGeometry, Placement, rod_constants};
use drystone_solve::linalg::block6::split;

/// What a block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Locked or elastic axes, solved together.
    Held { axes: [u8; 3], count: usize },
    /// Lower stop of an axis.
    Lower(u8),
    /// Upper stop.
    Upper(u8),
    /// Drive.
    Drive(u8),
    /// Spring and damper beside the drive.
    Spring(u8),
    /// Dry friction.
    Friction(u8),
    /// Rotor inertia.
    Armature(u8),
}

/// A joint and where its blocks are.
#[derive(Clone, Debug)]
struct Joint {
    index: u32,
    geometry: JointGeometry,
    /// First block; the next joint has the one behind the last.
    first: usize,
}

/// All joints that are no point constraints.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    joint: Vec<Joint>,
    role: Vec<Role>,
    /// Bodies of every block.
    pub body: Vec<[u32; 2]>,
    /// Multipliers of every block \[N·s or N·m·s\].
    pub impulse: Vec<[f64; 3]>,
}

/// What the rows of a step are made from.
#[derive(Clone, Copy, Debug)]
pub struct RowStep<'a> {
    /// The scene.
    pub model: &'a Model,
    /// Its state, for full turns.
    pub state: &'a State,
    /// What the user asks for.
    pub control: &'a Control,
    /// Bodies at the start.
    pub bodies: &'a [Body],
    /// What the user chose.
    pub options: &'a JacobiOptions,
    /// Step \[s\].
    pub h: f64,
    /// Factor on the multipliers at the start.
    pub warm_start: f64,
}

impl Joints {
    /// Reads the joints of a model.
    pub fn new(model: &Model) -> Self {
        let mut joints = Self::default();
        for joint in (0..model.joint_count()).filter(|&joint| !is_point(model, joint)) {
            let first = joints.role.len();
            roles(model, joint, &mut joints.role);
            if joints.role.len() == first {
                continue;
            }
            let ends = [model.joint_parent[joint], model.joint_child[joint]];
            joints.body.resize(joints.role.len(), ends);
            let geometry = JointGeometry::new(model, joint, model.body_count(), true);
            joints.joint.push(Joint { index: joint as u32, geometry, first });
        }
        joints.impulse = vec![[0.0; 3]; joints.role.len()];
        joints
    }

    /// Bodies of every block; the world twice for blocks of joints that do not act.
    pub fn acting_bodies(&self, active: &[bool]) -> Vec<[u32; 2]> {
        let of = |(joint, blocks): (&Joint, Range<usize>)| {
            let acts = active[joint.index as usize];
            blocks.map(move |block| if acts { self.body[block] } else { [WORLD; 2] })
        };
        self.each().flat_map(of).collect()
    }

    /// Appends the blocks of all joints; those of joints that do not act are empty.
    pub fn rows(&self, step: &RowStep, active: &[bool], out: &mut Vec<RowSpec>) {
        for (joint, blocks) in self.each() {
            let index = joint.index as usize;
            if !active[index] {
                out.extend(blocks.map(|block| RowSpec { body: self.body[block], ..RowSpec::default() }));
                continue;
            }
            let ends = self.body[joint.first].map(|body| body_or_world(step.bodies, body));
            let axes = axes(joint, step.state, ends.map(|end| placement(&end)));
            for block in blocks {
                let mut spec = self.spec(step, block, index, &axes, &ends);
                spec.impulse = self.impulse[block].map(|p| p * step.warm_start);
                add_led_ends(&mut spec, &ends);
                out.push(spec);
            }
        }
    }

    /// Position errors of all blocks at the given places of the bodies, into `out`; of each joint no more than `most` of its
    /// size, and no larger angle.
    pub fn errors(&self, step: &RowStep, active: &[bool], size: &[f64], most: f64, out: &mut [RowSpec]) {
        for (joint, blocks) in self.each().filter(|(joint, _)| active[joint.index as usize]) {
            let ends = self.body[joint.first].map(|body| body_or_world(step.bodies, body));
            let axes = axes(joint, step.state, ends.map(|end| placement(&end)));
            let limit = [most * size[joint.index as usize], most];
            for block in blocks {
                let error = self.spec(step, block, joint.index as usize, &axes, &ends).error;
                out[block].error = self.role[block].limited(error, limit);
            }
        }
    }

    /// Takes the multipliers back from the rows.
    pub fn remember(&mut self, rows: &[RowSpec]) {
        self.impulse.iter_mut().zip(rows).for_each(|(impulse, row)| *impulse = row.impulse);
    }

    /// Multipliers of every block after an edit that led here from other joints.
    pub fn carry_impulses(&self, from: &Self, map: &ModelMap) -> Vec<[f64; 3]> {
        let mut impulse = self.impulse.clone();
        let old: HashMap<u32, usize> =
            from.joint.iter().enumerate().map(|(place, joint)| (joint.index, place)).collect();
        for (place, joint) in self.joint.iter().enumerate() {
            let before = map.loaded_joint(joint.index as usize).and_then(|before| old.get(&(before as u32)));
            if let Some(&before) = before {
                for (now, was) in self.blocks(place).zip(from.blocks(before)) {
                    impulse[now] = from.impulse[was];
                }
            }
        }
        impulse
    }

    /// Forgets the multipliers of joints that are chosen.
    pub fn forget(&mut self, chosen: impl Fn(usize) -> bool) {
        for joint in 0..self.joint.len() {
            if chosen(self.joint[joint].index as usize) {
                let blocks = self.blocks(joint);
                self.impulse[blocks].fill([0.0; 3]);
            }
        }
    }

    /// Impulses along the translations and about the rotations of every joint: index, both lengths.
    pub fn loads(&self) -> impl Iterator<Item = (u32, [f64; 2])> + '_ {
        self.each().map(|(joint, blocks)| {
            let mut along = [0.0; 6];
            for block in blocks {
                self.role[block].add_to(&self.impulse[block], &mut along);
            }
            let length = |part: &[f64]| part.iter().map(|p| p * p).sum::<f64>().sqrt();
            (joint.index, [length(&along[..3]), length(&along[3..])])
        })
    }

    /// Errors of the hard rows of every joint that acts: its index, translation \[m\] and rotation \[rad\].
    pub fn hard_errors<'a>(
        &'a self,
        model: &'a Model,
        state: &'a State,
        bodies: &'a [Body],
        active: &'a [bool],
    ) -> impl Iterator<Item = (u32, [f64; 2])> + 'a {
        self.each().filter(|(joint, _)| active[joint.index as usize]).map(move |(joint, blocks)| {
            let ends = self.body[joint.first].map(|body| body_or_world(bodies, body));
            let axes = axes(joint, state, ends.map(|end| placement(&end)));
            let mut square = [0.0; 2];
            for block in blocks {
                self.role[block].add_errors(model, joint.index as usize, &axes, &mut square);
            }
            (joint.index, square.map(f64::sqrt))
        })
    }

    /// Joints of the model with their blocks.
    pub fn blocks_by_joint(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        self.each().map(|(joint, blocks)| (joint.index as usize, blocks))
    }

    fn blocks(&self, joint: usize) -> Range<usize> {
        let end = self.joint.get(joint + 1).map_or(self.role.len(), |next| next.first);
        self.joint[joint].first..end
    }

    fn each(&self) -> impl Iterator<Item = (&Joint, Range<usize>)> {
        (0..self.joint.len()).map(|joint| (&self.joint[joint], self.blocks(joint)))
    }

    fn spec(&self, step: &RowStep, block: usize, joint: usize, axes: &Axes, ends: &[Body; 2]) -> RowSpec {
        let mut spec = RowSpec { body: self.body[block], coupled: false, ..RowSpec::default() };
        match self.role[block] {
            Role::Held { axes: held, count } => {
                spec.coupled = true;
                spec.projects = false;
                held[..count].iter().for_each(|&axis| hold(&mut spec, step, joint, axes, axis as usize));
            }
            Role::Lower(axis) => stop(&mut spec, step, joint, axes, axis as usize, 1.0),
            Role::Upper(axis) => stop(&mut spec, step, joint, axes, axis as usize, -1.0),
            Role::Drive(axis) => drive(&mut spec, step, joint, axes, axis as usize),
            Role::Spring(axis) => {
                let (axis, of) = (axis as usize, &step.model.joint_spring[joint][axis as usize]);
                push_row(&mut spec, axes, axis, 1.0);
                (spec.softness[0], spec.bias[0]) = spring(of.stiffness, of.damping, axes.value[axis] - of.rest, step.h);
                spec.projects = false;
            }
            Role::Friction(axis) => {
                let axis = axis as usize;
                let effort = step.h * step.model.joint_friction[joint][axis];
                push_row(&mut spec, axes, axis, 1.0);
                (spec.lower[0], spec.upper[0], spec.projects) = (-effort, effort, false);
            }
            Role::Armature(axis) => {
                let axis = axis as usize;
                push_row(&mut spec, axes, axis, 1.0);
                spec.softness[0] = 1.0 / step.model.joint_armature[joint][axis];
                spec.bias[0] = -rate(axes, axis, ends);
                spec.projects = false;
            }
        }
        spec
    }
}

impl Role {
    /// An error no larger than the limit of translations \[m\] or rotations \[rad\]. The way left to a stop is no error.
    fn limited(self, error: [f64; 3], limit: [f64; 2]) -> [f64; 3] {
        match self {
            Self::Held { axes, .. } => {
                DVec3::from_array(error).clamp_length_max(limit[usize::from(axes[0] >= 3)]).to_array()
            }
            Self::Lower(axis) | Self::Upper(axis) => error.map(|error| error.max(-limit[usize::from(axis >= 3)])),
            Self::Drive(_) | Self::Spring(_) | Self::Friction(_) | Self::Armature(_) => error,
        }
    }

    /// Adds the squared errors of hard rows to those of translations and rotations.
    fn add_errors(self, model: &Model, joint: usize, axes: &Axes, square: &mut [f64; 2]) {
        let mut add = |axis: usize, error: f64| square[usize::from(axis >= 3)] += error * error;
        match self {
            Self::Held { axes: held, count } => {
                for axis in held[..count].iter().map(|&axis| axis as usize) {
                    if constants(model, joint, axis).0.is_infinite() {
                        add(axis, held_value(model, joint, axes, axis));
                    }
                }
            }
            Self::Lower(axis) | Self::Upper(axis) => {
                let (sign, axis) = (if matches!(self, Self::Lower(_)) { 1.0 } else { -1.0 }, axis as usize);
                let (slack, stiffness, _) = slack(model, joint, axes, axis, sign);
                if stiffness.is_infinite() {
                    add(axis, slack.min(0.0));
                }
            }
            Self::Drive(_) | Self::Spring(_) | Self::Friction(_) | Self::Armature(_) => {}
        }
    }

    /// Adds the multipliers of a block to those along the six axes.
    fn add_to(self, impulse: &[f64; 3], along: &mut [f64; 6]) {
        match self {
            Self::Held { axes, count } => {
                axes[..count].iter().zip(impulse).for_each(|(&axis, p)| along[axis as usize] += p);
            }
            Self::Upper(axis) => along[axis as usize] -= impulse[0],
            Self::Lower(axis)
            | Self::Drive(axis)
            | Self::Spring(axis)
            | Self::Friction(axis)
            | Self::Armature(axis) => {
                along[axis as usize] += impulse[0];
            }
        }
    }
}

/// The blocks a joint needs.
fn roles(model: &Model, joint: usize, out: &mut Vec<Role>) {
    match model.joint_kind[joint] {
        JointKind::Free => return,
        JointKind::Distance => {
            let [least, most] = model.joint_distance[joint];
            if least == most {
                out.push(Role::Held { axes: [0; 3], count: 1 });
            } else {
                out.extend((least > 0.0).then_some(Role::Lower(0)));
                out.extend(most.is_finite().then_some(Role::Upper(0)));
                driven(model, joint, 0, out);
            }
            return;
        }
        _ => {}
    }
    for part in [0..3, 3..6] {
        let (mut axes, mut count) = ([0; 3], 0);
        for axis in part.clone().filter(|&axis| is_held(model, joint, axis)) {
            axes[count] = axis as u8;
            count += 1;
        }
        out.extend((count > 0).then_some(Role::Held { axes, count }));
    }
    for axis in 0..6 {
        if model.joint_rod[joint].is_none() && model.joint_axis[joint][axis] == AxisMode::Free {
            free_axis(model, joint, axis, out);
        }
    }
}

fn is_held(model: &Model, joint: usize, axis: usize) -> bool {
    let (stiffness, damping) = constants(model, joint, axis);
    (model.joint_rod[joint].is_some() || model.joint_axis[joint][axis] == AxisMode::Locked)
        && (stiffness > 0.0 || damping > 0.0)
}

/// Stiffness and damping of a held axis.
fn constants(model: &Model, joint: usize, axis: usize) -> (f64, f64) {
    let part = usize::from(axis >= 3);
    match model.joint_rod[joint] {
        Some(_) => rod_constants(model, joint, axis),
        None => (model.joint_stiffness[joint][part], model.joint_damping[joint][part]),
    }
}

fn free_axis(model: &Model, joint: usize, axis: usize, out: &mut Vec<Role>) {
    let limit = &model.joint_limit[joint][axis];
    let at = axis as u8;
    out.extend(limit.lower.is_finite().then_some(Role::Lower(at)));
    out.extend(limit.upper.is_finite().then_some(Role::Upper(at)));
    driven(model, joint, axis, out);
}

/// What acts along an axis beside its stops.
fn driven(model: &Model, joint: usize, axis: usize, out: &mut Vec<Role>) {
    let (drive, at) = (&model.joint_drive[joint][axis], axis as u8);
    out.extend(drive.acts().then_some(Role::Drive(at)));
    out.extend(model.joint_spring[joint][axis].acts().then_some(Role::Spring(at)));
    out.extend((model.joint_friction[joint][axis] > 0.0).then_some(Role::Friction(at)));
    out.extend((model.joint_armature[joint][axis] > 0.0).then_some(Role::Armature(at)));
}

fn placement(body: &Body) -> Placement {
    Placement { com: body.centre, rotation: body.rotation }
}

fn axes(joint: &Joint, state: &State, placement: [Placement; 2]) -> Axes {
    joint.geometry.axes(placement, DVec3::from_array(state.joint_angle[joint.index as usize]))
}

/// Appends the row of an axis and returns its place.
fn push_row(spec: &mut RowSpec, axes: &Axes, axis: usize, sign: f64) -> usize {
    let row = spec.count;
    let [(_, angular0), (linear, angular1)] = axes.jacobian[axis].each_ref().map(split);
    spec.linear[row] = linear * sign;
    spec.angular[0][row] = angular0 * sign;
    spec.angular[1][row] = angular1 * sign;
    spec.count += 1;
    row
}

fn rate(axes: &Axes, axis: usize, ends: &[Body; 2]) -> f64 {
    let of = |side: usize| {
        let (linear, angular) = split(&axes.jacobian[axis][side]);
        linear.dot(ends[side].velocity.linear) + angular.dot(ends[side].velocity.angular)
    };
    of(0) + of(1)
}

/// How far a held axis is from where it is held \[m or rad\].
fn held_value(model: &Model, joint: usize, axes: &Axes, axis: usize) -> f64 {
    let distance = model.joint_kind[joint] == JointKind::Distance;
    axes.value[axis] - if distance { model.joint_distance[joint][0] } else { 0.0 }
}

/// Row of a locked axis, hard or elastic.
fn hold(spec: &mut RowSpec, step: &RowStep, joint: usize, axes: &Axes, axis: usize) {
    let row = push_row(spec, axes, axis, 1.0);
    let value = held_value(step.model, joint, axes, axis);
    let (stiffness, damping) = constants(step.model, joint, axis);
    if stiffness.is_infinite() {
        spec.error[row] = value;
        spec.projects = true;
        spec.bias[row] = correction(step, value);
    } else {
        (spec.softness[row], spec.bias[row]) = spring(stiffness, damping, value, step.h);
    }
}

/// Way left to a stop \[m or rad\], negative beyond it, with the stop's stiffness and damping; `sign` is 1
/// for the lower and −1 for the upper one.
fn slack(model: &Model, joint: usize, axes: &Axes, axis: usize, sign: f64) -> (f64, f64, f64) {
    let (bounds, stiffness, damping) = if model.joint_kind[joint] == JointKind::Distance {
        (model.joint_distance[joint], model.joint_stiffness[joint][0], model.joint_damping[joint][0])
    } else {
        let limit = &model.joint_limit[joint][axis];
        ([limit.lower, limit.upper], limit.stiffness, limit.damping)
    };
    let bound = if sign > 0.0 { bounds[0] } else { bounds[1] };
    (sign * (axes.value[axis] - bound), stiffness, damping)
}

/// Row of a stop; `sign` is 1 for the lower and −1 for the upper one.
fn stop(spec: &mut RowSpec, step: &RowStep, joint: usize, axes: &Axes, axis: usize, sign: f64) {
    let (slack, stiffness, damping) = slack(step.model, joint, axes, axis, sign);
    push_row(spec, axes, axis, sign);
    spec.lower[0] = 0.0;
    if stiffness.is_infinite() {
        spec.error[0] = slack;
        spec.bias[0] = if slack > 0.0 { slack / step.h } else { correction(step, slack) };
    } else {
        let damping = if slack < 0.0 { damping } else { 0.0 };
        (spec.softness[0], spec.bias[0]) = spring(stiffness, damping, slack, step.h);
        spec.projects = false;
    }
}

fn drive(spec: &mut RowSpec, step: &RowStep, joint: usize, axes: &Axes, axis: usize) {
    let drive = &step.model.joint_drive[joint][axis];
    let (target, speed) = (step.control.joint_target[joint][axis], step.control.joint_target_velocity[joint][axis]);
    push_row(spec, axes, axis, 1.0);
    let (softness, bias) = spring(drive.stiffness, drive.damping, axes.value[axis] - target, step.h);
    spec.softness[0] = softness;
    spec.bias[0] = bias - drive.damping * speed / (step.h * drive.stiffness + drive.damping);
    let effort = step.h * drive.max_effort;
    (spec.lower[0], spec.upper[0], spec.projects) = (-effort, effort, false);
}

/// Softness and bias of an implicit spring and damper stretched by `value`.
fn spring(stiffness: f64, damping: f64, value: f64, h: f64) -> (f64, f64) {
    let resistance = h * stiffness + damping;
    (1.0 / (h * resistance), stiffness * value / resistance)
}

/// The velocity that takes an error back, if that is how positions are stabilised.
fn correction(step: &RowStep, error: f64) -> f64 {
    if step.options.stabilization == Stabilization::Bias { step.options.correction * error / step.h } else { 0.0 }
}

/// Adds to the bias what ends contribute that are moved by the user.
pub fn add_led_ends(spec: &mut RowSpec, ends: &[Body; 2]) {
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        if ends[side].moves {
            continue;
        }
        let velocity = ends[side].velocity;
        for row in 0..spec.count {
            spec.bias[row] += sign * spec.linear[row].dot(velocity.linear);
            spec.bias[row] += spec.angular[side][row].dot(velocity.angular);
        }
    }
}
