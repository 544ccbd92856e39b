//! The end of a step: poses, velocities, what joints and contacts came to.

use drystone_kernels::double::jacobi::end_of_step;
use drystone_kernels::double::math::Vec6;
use drystone_model::{BodyKind, Control, DQuat, DVec3, Model, Pose, State, Twist};
use rayon::prelude::*;

use super::Jacobi;
use super::bodies::{Body, BodyConstants, body_or_world, pose};
use super::engine::StepInput;
use super::joints::RowStep;
use super::options::Stabilization;
use drystone_solve::convert::{quat, to_dquat, to_dvec3};
use drystone_solve::report::Report;

/// Bodies or joints per task.
const CHUNK: usize = 256;

impl Jacobi {
    /// Moves the bodies, takes back position errors, breaks overloaded joints.
    pub(super) fn finish(&mut self, model: &Model, state: &mut State, control: &Control, h: f64) {
        self.move_bodies(model, state, control, h);
        if self.options.stabilization == Stabilization::Projection && self.options.projection_iterations > 0 {
            self.project(model, state, control, h);
        }
        self.break_overloaded(model, state, h);
    }

    fn move_bodies(&mut self, model: &Model, state: &mut State, control: &Control, h: f64) {
        let Self { bodies, ends, change, constants, last_substep, .. } = self;
        let last = *last_substep;
        let constants: &[BodyConstants] = constants;
        ends.resize(bodies.len(), Body::default());
        let pieces = (
            ends.par_chunks_mut(CHUNK),
            state.body_q.par_chunks_mut(CHUNK),
            state.body_qd.par_chunks_mut(CHUNK),
            bodies.par_chunks(CHUNK),
            change.par_chunks(CHUNK),
        );
        pieces.into_par_iter().enumerate().for_each(|(chunk, (ends, poses, twists, bodies, change))| {
            for k in 0..ends.len() {
                let body = chunk * CHUNK + k;
                ends[k] = end(model, control, &constants[body], body, &bodies[k], change[k], h, last);
                if bodies[k].moves || model.body_kind[body] == BodyKind::Kinematic {
                    poses[k] = pose(model, body, ends[k].centre, ends[k].rotation);
                    twists[k] = ends[k].velocity;
                }
            }
        });
    }

    fn project(&mut self, model: &Model, state: &mut State, control: &Control, h: f64) {
        let joint_rows = self.joints.body.len();
        let Self {
            engine, layout, bodies, ends, rows, joints, contacts, options, active, displacement, device, ..
        } = self;
        let step = RowStep { model, state, control, bodies: ends, options, h, warm_start: 0.0 };
        joints.errors(&step, active, rows);
        contacts.errors(ends, bodies, &mut rows[joint_rows..]);
        let device = device.as_ref();
        let input = StepInput { layout, bodies, rows, joint_rows, options, h, warm_start: 0.0, device };
        let ends_of_step: &[Body] = ends;
        engine.project(&input, &|joint| gap(model, ends_of_step, joint as usize), displacement);
        let pieces = (ends.par_chunks_mut(CHUNK), state.body_q.par_chunks_mut(CHUNK), displacement.par_chunks(CHUNK));
        pieces.into_par_iter().enumerate().for_each(|(chunk, (ends, poses, displacement))| {
            for k in 0..ends.len() {
                if ends[k].moves && displacement[k] != Vec6::default() {
                    let turn = DQuat::from_scaled_axis(to_dvec3(displacement[k].a));
                    ends[k].centre += to_dvec3(displacement[k].l);
                    ends[k].rotation = (turn * ends[k].rotation).normalize();
                    poses[k] = pose(model, chunk * CHUNK + k, ends[k].centre, ends[k].rotation);
                }
            }
        });
    }

    /// Breaks the joints whose force or torque exceeds what they bear.
    fn break_overloaded(&mut self, model: &Model, state: &mut State, h: f64) {
        let breakable = |joint: usize| model.joint_break[joint] != [f64::INFINITY; 2];
        if !(0..self.joint_count).any(breakable) {
            return;
        }
        let mut impulses = vec![[0.0; 3]; self.joint_count];
        self.engine.impulses(&mut impulses);
        let points = impulses.iter().enumerate().map(|(joint, p)| (joint as u32, [DVec3::from(*p).length(), 0.0]));
        for (joint, [force, torque]) in points.chain(self.joints.loads()) {
            let index = joint as usize;
            let bears = model.joint_break[index];
            if self.active[index] && (force > bears[0] * h || torque > bears[1] * h) {
                state.joint_intact[index] = false;
                self.broken.push(joint);
            }
        }
    }

    /// Counts the turns of all joints.
    pub(super) fn update_joint_angles(&self, model: &Model, state: &mut State) {
        let State { body_q, joint_angle, .. } = state;
        joint_angle.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, angles)| {
            for (k, angle) in angles.iter_mut().enumerate() {
                *angle = model.next_joint_angle(body_q, chunk * CHUNK + k, *angle);
            }
        });
    }

    /// Energies, momenta, joint errors and overlaps after the step.
    pub(super) fn report(&mut self, model: &Model, state: &State) -> Report {
        let mut report = Report::of_motion(model, state);
        let gaps = (0..self.joint_count).into_par_iter().with_min_len(CHUNK);
        let largest = gaps.filter(|&joint| self.active[joint] && self.is_point[joint]);
        let point = largest.map(|joint| gap(model, &self.ends, joint).length()).reduce(|| 0.0, f64::max);
        let [linear, angular] = self.joints.largest_error(model, state, &self.ends, &self.active);
        report.max_joint_error = Some(point.max(linear));
        report.max_joint_angle_error = Some(angular);
        report.contact_count = self.contacts.point.len();
        let overlaps = self.contacts.point.iter().map(|point| -self.contacts.gap_at(point, &self.ends, &self.bodies));
        report.max_penetration = Some(overlaps.fold(0.0, f64::max));
        report.color_count = Some(self.layout.group.len() as u32);
        report.broken = std::mem::take(&mut self.broken);
        report
    }
}

/// Where a body ends.
fn end(
    model: &Model,
    control: &Control,
    constants: &BodyConstants,
    body: usize,
    start: &Body,
    change: Vec6,
    h: f64,
    last: bool,
) -> Body {
    if !start.moves {
        let turn = DQuat::from_scaled_axis(start.velocity.angular * h);
        let (centre, rotation) = match control.body_target[body] {
            Some(goal) if last && model.body_kind[body] == BodyKind::Kinematic => target(model, body, &goal),
            _ => (start.centre + start.velocity.linear * h, (turn * start.rotation).normalize()),
        };
        return Body { centre, rotation, ..*start };
    }
    let (inertia, inverse) = (constants.inertia, constants.inverse_inertia);
    let solved = start.free.velocity.add(change);
    let end = end_of_step(quat(start.rotation), start.free, solved, inertia, inverse, h);
    Body {
        centre: start.centre + to_dvec3(end.displacement),
        rotation: to_dquat(end.orientation),
        velocity: Twist { linear: to_dvec3(end.velocity.l), angular: to_dvec3(end.velocity.a) },
        ..*start
    }
}

fn target(model: &Model, body: usize, goal: &Pose) -> (DVec3, DQuat) {
    (goal.transform_point(model.body_com[body]), goal.rotation)
}

/// Offset from the parent's anchor of a joint to the child's, world frame \[m\].
fn gap(model: &Model, bodies: &[Body], joint: usize) -> DVec3 {
    let place = |body: u32, frame: &Pose| {
        let at = body_or_world(bodies, body);
        let centre = model.body_com.get(body as usize).copied().unwrap_or(DVec3::ZERO);
        at.centre + at.rotation * (frame.translation - centre)
    };
    place(model.joint_child[joint], &model.joint_frame_child[joint])
        - place(model.joint_parent[joint], &model.joint_frame_parent[joint])
}
