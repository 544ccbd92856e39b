//! `jacobi`: block Jacobi on joints at the velocity level, the plain, massively parallel baseline.
//! Equations and parameters: `docs/jacobi.md`.
#![forbid(unsafe_code)]

mod bodies;
mod contacts;
#[allow(clippy::duplicate_mod)]
mod double;
mod engine;
mod finish;
mod joints;
pub mod layout;
mod options;
mod schedule;
#[allow(clippy::duplicate_mod)]
mod single;
mod snapshot;
mod spec;
#[cfg(test)]
mod tests;

use drystone_collide::Collide;
use drystone_kernels::double::math::Vec6;
use drystone_model::{Control, Model, State};

pub use options::{Acceleration, JacobiOptions, Precision, Splitting, Stabilization};

use bodies::{Body, BodyConstants, Source};
use contacts::ContactRows;
use drystone_solve::clock::Clock;
use drystone_solve::parts::joint::{JointGeometry, Wrench};
use drystone_solve::report::{Ending, Phase, Report};
use drystone_solve::solver::{SnapshotError, Solver, StepError, Unsupported};
use engine::{Engine, Outcome, StepInput};
use joints::{Joints, RowStep};
use layout::{Layout, Topology};
use snapshot::Snapshot;
use spec::RowSpec;

const NAME: &str = "jacobi";
/// Largest turn of a jointed body in a substep where their number is automatic \[rad\]. Necklaces of forty beads
/// then hold to a tenth of a bead.
const MOST_TURN: f64 = 0.03;
/// Fewest automatic substeps: iterations in short steps do more than in long ones.
const LEAST_SUBSTEPS: u32 = 8;
/// Most automatic substeps.
const MOST_SUBSTEPS: u32 = 64;

/// The block Jacobi solver.
#[derive(Debug)]
pub struct Jacobi {
    options: JacobiOptions,
    joint_count: usize,
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
    /// What constraints added to the velocities.
    change: Vec<Vec6>,
    displacement: Vec<Vec6>,
    moves: Vec<bool>,
    active: Vec<bool>,
    layout: Layout,
    engine: Box<dyn Engine>,
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
}

impl Jacobi {
    /// A solver for a model.
    pub fn new(model: &Model, options: JacobiOptions) -> Result<Self, Unsupported> {
        Unsupported::particles(NAME, model)?;
        refuse_rolling_friction(model)?;
        if let Some(fault) = options.fault() {
            return Err(Unsupported { solver: NAME, reason: fault, remedy: "change that option".into() });
        }
        let engine: Box<dyn Engine> = match options.precision {
            Precision::Single => Box::new(single::Passes::default()),
            Precision::Double => Box::new(double::Passes::default()),
        };
        Ok(Self {
            options,
            joint_count: model.joint_count(),
            collides: (0..model.shape_count()).any(|shape| model.shape_group[shape] & model.shape_mask[shape] != 0),
            constants: (0..model.body_count()).map(|body| BodyConstants::of(model, body)).collect(),
            joints: Joints::new(model),
            contacts: ContactRows::default(),
            rows: Vec::new(),
            bodies: Vec::new(),
            ends: Vec::new(),
            effort: Vec::new(),
            change: Vec::new(),
            displacement: Vec::new(),
            moves: vec![false; model.body_count()],
            active: vec![false; model.joint_count()],
            layout: Layout::default(),
            engine,
            whole: false,
            stale: true,
            pending: None,
            last_substep: true,
            last_step: 0.0,
            broken: Vec::new(),
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
        let input = StepInput { layout, bodies, rows, joint_rows: rows.len(), options, h: dt, warm_start };
        engine.prepare(&input);
        engine.trace(&input)
    }

    fn substep(
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
            collide.detect(model, state, h);
        }
        clock.lap(Phase::Contacts);
        self.group(model, state, control, collide.contacts.point_count() > 0);
        clock.lap(Phase::Graph);
        let warm_start = self.warm_start(h);
        self.describe_rows(model, state, control, collide, h, warm_start);
        let outcome = self.solve(h, warm_start, clock);
        self.finish(model, state, control, h);
        self.last_step = h;
        clock.lap(Phase::Finish);
        outcome
    }

    fn load(&mut self, model: &Model, state: &State, control: &Control, h: f64, left: f64) {
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
    fn group(&mut self, model: &Model, state: &State, control: &Control, touching: bool) {
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
    fn substeps(&self, model: &Model, state: &State, dt: f64) -> u32 {
        if self.options.substeps > 0 {
            return self.options.substeps;
        }
        let turns = |body: u32| state.body_qd.get(body as usize).map_or(0.0, |twist| twist.angular.length_squared());
        let ends = |joint: usize| turns(model.joint_parent[joint]).max(turns(model.joint_child[joint]));
        let fastest = (0..self.joint_count).map(ends).fold(0.0, f64::max).sqrt();
        (fastest * dt / MOST_TURN).ceil().clamp(f64::from(LEAST_SUBSTEPS), f64::from(MOST_SUBSTEPS)) as u32
    }

    /// Factor on the impulses of the step before: what the user keeps, for the length of this step.
    fn warm_start(&self, h: f64) -> f64 {
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

    fn solve(&mut self, h: f64, warm_start: f64, clock: &mut Clock) -> Outcome {
        let Self { engine, layout, bodies, rows, joints, options, change, .. } = self;
        let joint_rows = joints.body.len();
        let input = StepInput { layout, bodies, rows, joint_rows, options, h, warm_start };
        engine.prepare(&input);
        clock.lap(Phase::WarmStart);
        let outcome = engine.solve(&input);
        clock.lap(Phase::Iterate);
        engine.velocity_changes(layout, change);
        engine.row_impulses(rows);
        let (of_joints, of_contacts) = self.rows.split_at(joint_rows);
        self.joints.remember(of_joints);
        self.contacts.remember(of_contacts);
        outcome
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
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(StepError::BadTimeStep(dt));
        }
        let mut clock = Clock::new();
        let substeps = self.substeps(model, state, dt);
        let h = dt / f64::from(substeps);
        let mut outcome = Outcome::default();
        for substep in (1..=substeps).rev() {
            self.last_substep = substep == 1;
            let each = self.substep(model, state, control, collide, h, f64::from(substep) * h, &mut clock);
            outcome = Outcome { diverging: outcome.diverging || each.diverging, ..each };
        }
        state.time += dt;
        state.step_count += 1;
        self.update_joint_angles(model, state);
        clock.lap(Phase::Finish);
        let mut report = self.report(model, state);
        report.iterations = substeps * self.options.iterations;
        report.ending = if outcome.diverging { Ending::Diverging } else { Ending::Fixed };
        report.residual = outcome.rate * h;
        clock.lap(Phase::Report);
        report.time = clock.laps;
        Ok(report)
    }

    fn snapshot(&self) -> Vec<u8> {
        Snapshot::of(self).to_bytes()
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        Snapshot::from_bytes(bytes)?.put_back(self)
    }

    fn reset_world(&mut self, model: &Model, world: u32) {
        let lives = |joint: usize| model.body_world[model.joint_child[joint] as usize] == world;
        let mut impulses = vec![[0.0; 3]; self.joint_count];
        self.engine.impulses(&mut impulses);
        (0..self.joint_count).filter(|&joint| lives(joint)).for_each(|joint| impulses[joint] = [0.0; 3]);
        self.engine.set_impulses(&impulses);
        self.joints.forget(lives);
        self.contacts.forget(model, world);
    }
}

/// Torsional and rolling friction have no rows here.
fn refuse_rolling_friction(model: &Model) -> Result<(), Unsupported> {
    let resists = |shape: &usize| {
        let material = &model.shape_material[*shape];
        model.shape_group[*shape] != 0 && (material.friction_torsional > 0.0 || material.friction_rolling > 0.0)
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
