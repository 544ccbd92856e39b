//! One substep from the forces of the user to the multipliers that the next one starts from.

use drystone_collide::Collide;
use drystone_kernels::double::math::Vec6;
use drystone_model::{Control, Model, State};
use drystone_solve::clock::Clock;
use drystone_solve::joint::{JointGeometry, Wrench};
use drystone_solve::report::Phase;
use drystone_solve::solver::StepError;
use rayon::prelude::*;

use super::account::Solved;
use super::bodies::{self, Body, Source};
use super::device::DeviceSweeper;
use super::engine::{Outcome, StepInput};
use super::joints::RowStep;
use super::layout::{Layout, Topology};
use super::{Jacobi, NAME};

/// Bodies per task.
const CHUNK: usize = 256;
/// Largest turn of a jointed body in a substep where their number is automatic \[rad\]. Necklaces of forty beads
/// then hold to a tenth of a bead.
const MOST_TURN: f64 = 0.03;
/// Fewest automatic substeps: iterations in short steps do more than in long ones.
const LEAST_SUBSTEPS: u32 = 8;
/// Most automatic substeps.
const MOST_SUBSTEPS: u32 = 64;

impl Jacobi {
    pub(super) fn substep(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        h: f64,
        left: f64,
        clock: &mut Clock,
    ) -> Outcome {
        self.push_efforts(model, state, control);
        clock.lap(Phase::Control);
        self.load(model, state, control, h, left);
        clock.lap(Phase::Predict);
        if self.collides {
            clock.detect(collide, model, state, h);
        }
        self.group(model, state, control, collide.contacts.point_count() > 0);
        clock.lap(Phase::Graph);
        let warm_start = self.warm_start(h);
        self.describe_rows(model, state, control, collide, h, warm_start);
        let outcome = self.solve(h, warm_start, clock);
        self.book_forces(model, &collide.contacts);
        self.finish(model, state, control, h);
        self.last_step = h;
        clock.lap(Phase::Finish);
        self.device.iter().for_each(|device| device.book(clock, Phase::Finish));
        outcome
    }

    pub(super) fn load(&mut self, model: &Model, state: &State, control: &Control, h: f64, left: f64) {
        let Self { constants, effort, bodies, .. } = self;
        bodies::load(&Source { model, constants, state, control, effort, h, left }, bodies);
    }

    /// Wrenches of efforts along the axes of joints.
    fn push_efforts(&mut self, model: &Model, state: &State, control: &Control) {
        self.effort.clear();
        for joint in 0..model.joint_count() {
            let effort = &control.joint_f[joint];
            if *effort == [0.0; 6] || !control.joint_enabled[joint] || !state.joint_intact[joint] {
                continue;
            }
            self.effort.resize(model.body_count(), Wrench::default());
            let geometry = JointGeometry::new(model, joint, model.body_count(), true);
            let wrenches = geometry.effort(model, state, joint, effort);
            for (wrench, body) in wrenches.into_iter().zip([model.joint_parent[joint], model.joint_child[joint]]) {
                if let Some(sum) = self.effort.get_mut(body as usize) {
                    sum.0 += wrench.0;
                    sum.1 += wrench.1;
                }
            }
        }
    }

    /// Finds the groups again if bodies or joints came or went, or contacts appeared.
    pub(super) fn group(&mut self, model: &Model, state: &State, control: &Control, touching: bool) {
        self.whole |= touching;
        self.stale |= self.whole && self.layout.group.len() > 1;
        for (moves, body) in self.moves.iter_mut().zip(&self.bodies) {
            self.stale |= std::mem::replace(moves, body.moves) != body.moves;
        }
        for joint in 0..model.joint_count() {
            let acts = self.acts(model, state, control, joint);
            if std::mem::replace(&mut self.active[joint], acts) != acts {
                self.stale = true;
                if !acts {
                    self.joints.forget(|other| other == joint);
                }
            }
        }
        if self.stale {
            let rows = self.joints.acting_bodies(&self.active);
            let (moves, active, whole) = (&self.moves, &self.active, self.whole);
            let topology = Topology { model, moves, active, rows: &rows, whole };
            self.layout = Layout::new(&topology);
            self.engine.rebuild(model, &self.layout);
            self.stale = false;
        }
        if let Some(impulses) = self.pending.take() {
            self.engine.set_impulses(&impulses);
        }
    }

    /// Whether a joint acts: enabled, unbroken, with an end that moves, none of its bodies taken out.
    fn acts(&self, model: &Model, state: &State, control: &Control, joint: usize) -> bool {
        let ends = [model.joint_parent[joint], model.joint_child[joint]];
        let is = |flag: &[bool], body: u32| flag.get(body as usize).copied().unwrap_or(false);
        control.joint_enabled[joint]
            && state.joint_intact[joint]
            && ends.iter().any(|&body| is(&self.moves, body))
            && !ends.iter().any(|&body| is(&state.body_quarantined, body))
    }

    /// Substeps of a step: as chosen, or so many that no jointed body turns far in one of them. Levers are those
    /// of the start of a substep, and joints open with the square of the turn.
    pub(super) fn substeps(&self, model: &Model, state: &State, dt: f64) -> u32 {
        if self.options.substeps > 0 {
            return self.options.substeps;
        }
        let turns = |body: u32| state.body_qd.get(body as usize).map_or(0.0, |twist| twist.angular.length_squared());
        let ends = |joint: usize| turns(model.joint_parent[joint]).max(turns(model.joint_child[joint]));
        let fastest = (0..self.joint_count).map(ends).fold(0.0, f64::max).sqrt();
        (fastest * dt / MOST_TURN).ceil().clamp(f64::from(LEAST_SUBSTEPS), f64::from(MOST_SUBSTEPS)) as u32
    }

    /// Factor on the impulses of the step before: what the user keeps, for the length of this step.
    pub(super) fn warm_start(&self, h: f64) -> f64 {
        if self.last_step > 0.0 { self.options.warm_start * h / self.last_step } else { 0.0 }
    }

    fn describe_rows(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        collide: &Collide,
        h: f64,
        warm_start: f64,
    ) {
        let step = RowStep { model, state, control, bodies: &self.bodies, options: &self.options, h, warm_start };
        self.rows.clear();
        self.joints.rows(&step, &self.active, &mut self.rows);
        self.contacts.rows(&step, &collide.contacts, &mut self.rows);
    }

    /// Keeps the state to go back to if the device fails.
    pub(super) fn keep_for_device(&mut self, state: &State) {
        if self.device.is_some() {
            self.before.get_or_insert_with(|| state.clone()).clone_from(state);
        }
    }

    /// Puts the state back and says why if the device failed.
    pub(super) fn check_device(&mut self, state: &mut State) -> Result<(), StepError> {
        let Some(fault) = self.device.as_ref().and_then(DeviceSweeper::take_fault) else { return Ok(()) };
        let time = self.before.as_ref().map_or(state.time, |before| before.time);
        self.before.iter().for_each(|before| state.clone_from(before));
        Err(StepError::Failed { solver: NAME, time, reason: fault.to_string() })
    }

    fn solve(&mut self, h: f64, warm_start: f64, clock: &mut Clock) -> Outcome {
        let Self { engine, layout, bodies, rows, joints, options, device, .. } = self;
        let joint_rows = joints.body.len();
        let device = device.as_ref();
        let input = StepInput { layout, bodies, rows, joint_rows, options, h, warm_start, device };
        engine.prepare(&input);
        clock.lap(Phase::WarmStart);
        let outcome = engine.solve(&input);
        clock.lap(Phase::Iterate);
        device.iter().for_each(|device| device.book(clock, Phase::Iterate));
        engine.row_impulses(rows);
        self.change_velocities();
        let (of_joints, of_contacts) = self.rows.split_at(joint_rows);
        self.joints.remember(of_joints);
        self.contacts.remember(of_contacts);
        outcome
    }

    /// Marks the bodies that somebody moved or pushed since the last step.
    pub(super) fn notice_blows(&mut self, state: &State) {
        let now = state.body_q.iter().zip(&state.body_qd);
        let blows = self.left.iter().zip(now).enumerate().filter(|(_, ((pose, twist), now))| (pose, twist) != *now);
        blows.for_each(|(body, _)| self.accounts.struck[body] = true);
    }

    /// What the impulses change of the velocities, and how much of them every island may take.
    fn change_velocities(&mut self) {
        let Self { engine, layout, bodies, rows, joints, constants, wrench, change, islands, accounts, .. } = self;
        engine.wrenches(layout, rows, wrench);
        change.resize(wrench.len(), Vec6::default());
        let bodies: &[Body] = bodies;
        let pieces = (change.par_chunks_mut(CHUNK), wrench.par_chunks(CHUNK), constants.par_chunks(CHUNK));
        pieces.into_par_iter().zip(bodies.par_chunks(CHUNK)).for_each(|((change, wrench, constants), bodies)| {
            for k in (0..change.len()).filter(|&k| bodies[k].moves) {
                change[k] = constants[k].velocity_change(bodies[k].rotation, wrench[k]);
            }
        });
        islands.find(layout, &rows[joints.body.len()..]);
        engine.point_work(&mut self.point_work);
        let solved = Solved { bodies, mass: &self.mass, layout, islands, rows, wrench, change };
        if accounts.settle(&solved, &self.point_work) {
            self.cut_impulses();
        }
    }

    /// Scales all impulses, and what they change, to the shares of their islands. What is not a number goes with a
    /// scale of zero.
    fn cut_impulses(&mut self) {
        let Self { engine, layout, rows, change, islands, accounts, .. } = self;
        let scale = |body: [u32; 2]| islands.of(layout, body).map_or(1.0, |leader| accounts.scale(leader));
        for row in rows.iter_mut() {
            let scale = scale(row.body);
            row.impulse = row.impulse.map(|p| if scale > 0.0 { p * scale } else { 0.0 });
        }
        for (body, change) in change.iter_mut().enumerate().filter(|(body, _)| layout.moves(*body as u32)) {
            let scale = accounts.scale(islands.leader(body));
            *change = if scale > 0.0 { change.scale(scale) } else { Vec6::default() };
        }
        engine.scale_points(&scale);
    }
}
