//! The end of a step: poses, velocities, what joints and contacts came to.

use drystone_kernels::double::jacobi::end_of_step;
use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_model::{BodyKind, Control, DQuat, DVec3, JointId, Model, Pose, State, Twist};
use rayon::prelude::*;

use super::Jacobi;
use super::bodies::{Body, BodyConstants, body_or_world, pose};
use super::engine::StepInput;
use super::islands::Islands;
use super::joints::RowStep;
use super::momentum::{Inertias, displace, give_back};
use super::options::Stabilization;
use drystone_solve::convert::{quat, to_dquat, to_dvec3};
use drystone_solve::report::Report;

/// Bodies or joints per task.
const CHUNK: usize = 256;
/// Largest error of a joint that is projected, as a share of its size \[1\] and as an angle \[rad\].
const MOST_PROJECTED: f64 = 0.1;
/// A joint is open from this share of its size on \[1\], or from this angle \[rad\].
const OPEN: f64 = 2.0e-4;

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

    /// Takes back a share of the position errors. Bodies keep their energy: their spin turns with them. Of a joint torn wide
    /// open only a part counts, as levers are those of the start: taken back whole, it would throw bodies about.
    fn project(&mut self, model: &Model, state: &mut State, control: &Control, h: f64) {
        let joint_rows = self.joints.body.len();
        let Self {
            engine,
            layout,
            bodies,
            ends,
            rows,
            joints,
            joint_size,
            contacts,
            options,
            active,
            displacement,
            device,
            mass,
            constants,
            islands,
            accounts,
            lost,
            ..
        } = self;
        let step = RowStep { model, state, control, bodies: ends, options, h, warm_start: 0.0 };
        joints.errors(&step, active, joint_size, MOST_PROJECTED, rows);
        contacts.errors(ends, bodies, &mut rows[joint_rows..]);
        let device = device.as_ref();
        let input = StepInput { layout, bodies, rows, joint_rows, options, h, warm_start: 0.0, device };
        let ends_of_step: &[Body] = ends;
        let most = |joint: usize| MOST_PROJECTED * joint_size[joint];
        let limited = |joint: u32| gap(model, ends_of_step, joint as usize).clamp_length_max(most(joint as usize));
        engine.project(&input, &limited, displacement);
        lost.clear();
        lost.resize(ends.len(), Vec3::default());
        let inertias = Inertias { mass, constants };
        let islands: &Islands = islands;
        let pieces = (ends.par_chunks_mut(CHUNK), lost.par_chunks_mut(CHUNK), displacement.par_chunks(CHUNK));
        pieces.into_par_iter().enumerate().for_each(|(chunk, (ends, lost, displacement))| {
            for (k, end) in ends.iter_mut().enumerate().filter(|(_, end)| end.moves) {
                let (body, before) = (chunk * CHUNK + k, *end);
                if displace(end, displacement[k]) && islands.floats(body) {
                    lost[k] = inertias.lost(body, &before, end);
                }
            }
        });
        give_back(ends, displacement, lost, &mut accounts.reserve, islands, &inertias);
        let ends: &[Body] = ends;
        let pieces = (state.body_q.par_chunks_mut(CHUNK), state.body_qd.par_chunks_mut(CHUNK), ends.par_chunks(CHUNK));
        pieces.into_par_iter().enumerate().for_each(|(chunk, (poses, twists, ends))| {
            for k in (0..ends.len()).filter(|&k| ends[k].moves) {
                poses[k] = pose(model, chunk * CHUNK + k, ends[k].centre, ends[k].rotation);
                twists[k] = ends[k].velocity;
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

    /// Energies, momenta, joint errors and overlaps after the step.
    pub(super) fn report(&mut self, model: &Model, state: &State) -> Report {
        let mut report = Report::of_motion(model, state);
        self.report_joints(model, state, &mut report);
        report.contact_count = self.contacts.point.len();
        let overlaps = self.contacts.point.iter().map(|point| -self.contacts.gap_at(point, &self.ends, &self.bodies));
        report.max_penetration = Some(overlaps.fold(0.0, f64::max));
        report.color_count = Some(self.layout.group.len() as u32);
        report.broken = self.broken.drain(..).map(JointId).collect();
        report
    }

    /// The largest errors, and the joints that are open.
    fn report_joints(&self, model: &Model, state: &State, report: &mut Report) {
        let Self { active, is_point, ends, joints, joint_size, .. } = self;
        let points = (0..is_point.len()).into_par_iter().with_min_len(CHUNK);
        let points = points.filter(|&joint| active[joint] && is_point[joint]);
        let points = points.map(|joint| (joint as u32, [gap(model, ends, joint).length(), 0.0]));
        let mut errors: Vec<(u32, [f64; 2])> = points.collect();
        errors.extend(joints.hard_errors(model, state, ends, active));
        // `max` would drop a NaN; one that is not a number is open, too.
        let largest = |part: usize| errors.iter().map(|(_, error)| error[part]).fold(0.0, f64::max);
        (report.max_joint_error, report.max_joint_angle_error) = (Some(largest(0)), Some(largest(1)));
        let is_open = |joint: u32, error: &[f64; 2]| {
            let (size, [gap, turn]) = (joint_size[joint as usize], error);
            !(*gap <= OPEN * size && *turn <= OPEN)
        };
        report.unconverged =
            errors.iter().filter(|(joint, error)| is_open(*joint, error)).map(|each| JointId(each.0)).collect();
        report.unconverged.sort_unstable();
    }
}

/// How far a joint reaches \[m\]: the longer of its levers, with the radius of gyration of the body behind it. What a joint
/// error is measured by, whatever the units of a scene.
pub(super) fn joint_size(model: &Model, joint: usize) -> f64 {
    let ends = [
        (model.joint_parent[joint], &model.joint_frame_parent[joint]),
        (model.joint_child[joint], &model.joint_frame_child[joint]),
    ];
    let reach = |(body, frame): (u32, &Pose)| match model.body_kind.get(body as usize) {
        Some(BodyKind::Dynamic) => {
            let (body, mass) = (body as usize, model.body_mass[body as usize]);
            let trace = (0..3).map(|axis| model.body_inertia[body].col(axis)[axis]).sum::<f64>();
            (frame.translation - model.body_com[body]).length() + (0.5 * trace / mass).sqrt()
        }
        _ => 0.0,
    };
    ends.into_iter().map(reach).fold(0.0, f64::max)
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
    let solved = start.free.add(change);
    let end = end_of_step(quat(start.rotation), solved, inertia, inverse, h);
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
pub(super) fn gap(model: &Model, bodies: &[Body], joint: usize) -> DVec3 {
    let place = |body: u32, frame: &Pose| {
        let at = body_or_world(bodies, body);
        let centre = model.body_com.get(body as usize).copied().unwrap_or(DVec3::ZERO);
        at.centre + at.rotation * (frame.translation - centre)
    };
    place(model.joint_child[joint], &model.joint_frame_child[joint])
        - place(model.joint_parent[joint], &model.joint_frame_parent[joint])
}
