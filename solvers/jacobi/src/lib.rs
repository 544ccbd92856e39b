//! `jacobi`: block Jacobi on joints at the velocity level, the plain, massively parallel baseline.
//! Equations: `docs/jacobi-theory.md`; options: `docs/jacobi.md`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod account;
mod bodies;
mod contacts;
mod device;
#[allow(clippy::duplicate_mod)]
mod double;
mod engine;
mod finish;
pub mod gpu;
mod islands;
mod joints;
pub mod layout;
mod momentum;
mod options;
mod readout;
mod schedule;
#[allow(clippy::duplicate_mod)]
mod single;
mod snapshot;
mod spec;
mod substep;
#[cfg(test)]
mod tests;

use drystone_collide::Collide;
use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_model::{Control, Model, ModelMap, Pose, State, Twist};

pub use drystone_solve::Precision;
pub use options::{Acceleration, JacobiOptions, Splitting, Stabilization};

use account::Accounts;
use bodies::{Body, BodyConstants};
use contacts::ContactRows;
use device::DeviceSweeper;
use drystone_solve::clock::Clock;
use drystone_solve::forces::{ContactForce, ForceLedger, JointForce, Untold};
use drystone_solve::joint::Wrench;
use drystone_solve::report::{Ending, Phase, Report};
use drystone_solve::solver::{Refusal, SnapshotError, Solver, StepError, Unsupported, from_bytes, to_bytes};
use engine::{Engine, Outcome, StepInput};
use islands::Islands;
use joints::{Joints, RowStep};
use layout::Layout;
use snapshot::Snapshot;
use spec::RowSpec;

const NAME: &str = "jacobi";

/// The block Jacobi solver.
#[derive(Debug)]
pub struct Jacobi {
    options: JacobiOptions,
    joint_count: usize,
    /// Whether a joint is nothing but a hard point constraint.
    is_point: Vec<bool>,
    /// How far every joint reaches, by which its errors are measured \[m\].
    joint_size: Vec<f64>,
    /// Whether any shape can meet another.
    collides: bool,
    constants: Vec<BodyConstants>,
    joints: Joints,
    contacts: ContactRows,
    rows: Vec<RowSpec>,
    bodies: Vec<Body>,
    /// Bodies at the end of the step.
    ends: Vec<Body>,
    effort: Vec<Wrench>,
    mass: Vec<f64>,
    islands: Islands,
    accounts: Accounts,
    /// Where the last step left every body, to see which were moved from outside; empty if nobody knows.
    left: Vec<(Pose, Twist)>,
    /// Impulses of all constraints on every body.
    wrench: Vec<Vec6>,
    /// What constraints added to the velocities.
    change: Vec<Vec6>,
    point_work: Vec<([u32; 2], f64)>,
    displacement: Vec<Vec6>,
    /// Angular momentum that moving bodies of floating islands to their places cost \[N·m·s\].
    lost: Vec<Vec3>,
    moves: Vec<bool>,
    active: Vec<bool>,
    layout: Layout,
    engine: Box<dyn Engine>,
    /// What runs the iterations in place of the CPU, if anything.
    device: Option<DeviceSweeper>,
    /// State at the start of a step on a device, to go back to when the device fails.
    before: Option<State>,
    /// Whether everything is one group because there have been contacts.
    whole: bool,
    /// Whether the groups must be found again.
    stale: bool,
    /// Multipliers of point constraints from a snapshot, to be put in place with the groups.
    pending: Option<Vec<[f64; 3]>>,
    /// Whether this is the last substep of a step, at the end of which the user's targets are met.
    last_substep: bool,
    /// Length of the last substep, by which multipliers scale \[s\].
    last_step: f64,
    broken: Vec<u32>,
    ledger: ForceLedger,
    /// Impulses of the point constraints of a substep, by joint \[N·s\].
    point_impulse: Vec<[f64; 3]>,
}

impl Jacobi {
    /// A solver for a model.
    pub fn new(model: &Model, options: JacobiOptions) -> Result<Self, Refusal> {
        options.check()?;
        Unsupported::particles(NAME, model)?;
        Unsupported::robot_joints(NAME, model)?;
        refuse_rolling_friction(model)?;
        let device = options.device.map(|choice| DeviceSweeper::open(choice, options.kernel_times)).transpose();
        let device = device.map_err(|error| Unsupported {
            solver: NAME,
            reason: error.to_string(),
            remedy: "or run it on the CPU, without a device".into(),
        })?;
        let engine: Box<dyn Engine> = match options.precision {
            Precision::Single => Box::new(single::Passes::default()),
            Precision::Double => Box::new(double::Passes::default()),
        };
        Ok(Self {
            options,
            joint_count: model.joint_count(),
            is_point: (0..model.joint_count()).map(|joint| layout::is_point(model, joint)).collect(),
            joint_size: (0..model.joint_count()).map(|joint| finish::joint_size(model, joint)).collect(),
            collides: (0..model.shape_count())
                .any(|shape| model.shape_group[shape] & model.shape_mask[shape] != 0 && model.is_solid(shape)),
            constants: (0..model.body_count()).map(|body| BodyConstants::of(model, body)).collect(),
            joints: Joints::new(model),
            contacts: ContactRows::default(),
            rows: Vec::new(),
            bodies: Vec::new(),
            ends: Vec::new(),
            effort: Vec::new(),
            mass: model.body_mass.clone(),
            islands: Islands::default(),
            accounts: Accounts::new(model.body_count()),
            left: Vec::new(),
            wrench: Vec::new(),
            change: Vec::new(),
            point_work: Vec::new(),
            displacement: Vec::new(),
            lost: Vec::new(),
            moves: vec![false; model.body_count()],
            active: vec![false; model.joint_count()],
            layout: Layout::default(),
            engine,
            // A device takes everything at once.
            whole: device.is_some(),
            device,
            before: None,
            stale: true,
            pending: None,
            last_substep: true,
            last_step: 0.0,
            broken: Vec::new(),
            ledger: ForceLedger::default(),
            point_impulse: Vec::new(),
        })
    }

    /// How the residual falls: `√Σ rᵀD⁻¹r` \[√J\] before the first iteration of a step from `state` and after
    /// each, with no safe steps in place of diverging ones. Contacts are left out; nothing moves.
    pub fn residual_history(&mut self, model: &Model, state: &State, control: &Control, dt: f64) -> Vec<f64> {
        self.load(model, state, control, dt, dt);
        self.group(model, state, control, false);
        let warm_start = self.warm_start(dt);
        let step = RowStep { model, state, control, bodies: &self.bodies, options: &self.options, h: dt, warm_start };
        self.rows.clear();
        self.joints.rows(&step, &self.active, &mut self.rows);
        let Self { engine, layout, bodies, rows, options, .. } = self;
        let joint_rows = rows.len();
        let input = StepInput { layout, bodies, rows, joint_rows, options, h: dt, warm_start, device: None };
        engine.prepare(&input);
        engine.trace(&input)
    }
}

impl Solver for Jacobi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        let mut clock = Clock::of_step(dt)?;
        self.keep_for_device(state);
        let substeps = self.substeps(model, state, dt);
        let h = dt / f64::from(substeps);
        let mut outcome = Outcome::default();
        self.ledger.begin(self.joint_count);
        self.notice_blows(state);
        for substep in (1..=substeps).rev() {
            self.last_substep = substep == 1;
            let each = self.substep(model, state, control, collide, h, f64::from(substep) * h, &mut clock);
            outcome = Outcome { diverging: outcome.diverging || each.diverging, ..each };
            self.check_device(state)?;
        }
        state.time += dt;
        state.step_count += 1;
        drystone_solve::joint::update_angles(model, state);
        self.ledger.end(dt);
        self.left.clear();
        self.left.extend(state.body_q.iter().copied().zip(state.body_qd.iter().copied()));
        clock.lap(Phase::Finish);
        let mut report = self.report(model, state);
        report.iterations = substeps * self.options.iterations;
        report.ending = match (outcome.diverging, report.unconverged.is_empty()) {
            (true, _) => Ending::Diverging,
            (false, false) => Ending::Slow,
            (false, true) => Ending::Fixed,
        };
        report.residual = Some(outcome.rate * h);
        report.growth_count = Some(collide.take_growth());
        clock.lap(Phase::Report);
        report.time = clock.laps;
        Ok(report)
    }

    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold> {
        self.ledger.take_contacts(out);
        Ok(())
    }

    fn read_joints(&self, model: &Model, _state: &State, out: &mut Vec<JointForce>) -> Result<(), Untold> {
        self.ledger.read_joints(model.joint_count(), out);
        Ok(())
    }

    fn device_name(&self) -> Option<String> {
        self.device.as_ref().map(DeviceSweeper::name)
    }

    fn snapshot(&self) -> Vec<u8> {
        to_bytes(&Snapshot::of(self))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        from_bytes::<Snapshot>(bytes)?.put_back(self)
    }

    fn edited(&self, model: &Model, map: &ModelMap) -> Result<Box<dyn Solver>, Refusal> {
        let mut next = Self::new(model, self.options.clone())?;
        Snapshot::of(self).edited(self, &next, map).put_back(&mut next).map_err(|error| Unsupported {
            solver: NAME,
            reason: error.to_string(),
            remedy: "build the simulation anew".into(),
        })?;
        next.ledger = self.ledger.edited(map);
        Ok(Box::new(next))
    }

    fn reset_world(&mut self, model: &Model, world: u32) {
        let lives = |joint: usize| model.body_world[model.joint_child[joint] as usize] == world;
        let mut impulses = vec![[0.0; 3]; self.joint_count];
        self.engine.impulses(&mut impulses);
        (0..self.joint_count).filter(|&joint| lives(joint)).for_each(|joint| impulses[joint] = [0.0; 3]);
        self.engine.set_impulses(&impulses);
        self.joints.forget(lives);
        self.contacts.forget(model, world);
        let reserves = self.accounts.reserve.iter_mut().zip(&model.body_world);
        reserves.filter(|(_, of)| **of == world).for_each(|(reserve, _)| *reserve = 0.0);
    }
}

/// Torsional and rolling friction have no rows here.
fn refuse_rolling_friction(model: &Model) -> Result<(), Unsupported> {
    let resists = |shape: &usize| {
        let material = &model.shape_material[*shape];
        model.shape_group[*shape] != 0
            && model.is_solid(*shape)
            && (material.friction_torsional > 0.0 || material.friction_rolling > 0.0)
    };
    match (0..model.shape_count()).find(resists) {
        None => Ok(()),
        Some(shape) => Err(Unsupported {
            solver: NAME,
            reason: format!("shape `{}` has torsional or rolling friction", model.shape_name[shape]),
            remedy: "set `friction_torsional` and `friction_rolling` to zero, or use the solver `vbd`".into(),
        }),
    }
}
