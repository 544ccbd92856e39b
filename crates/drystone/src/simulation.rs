//! A scene in motion: the model, its state, the collision pipeline and a solver, stepped together.

use std::sync::Arc;

use drystone_collide::Collide;
use drystone_model::{Control, Entity, Model, State, WorldId};
use drystone_solve::parallel::{alone, is_alone};
use drystone_solve::{Phase, Report, Solver, StepError};

use crate::advance::Pace;
use crate::builder::{BuildError, SimulationBuilder};
use crate::choice::SolverChoice;
use crate::events::{Event, EventLog};
use crate::forces::Forces;
use crate::ids::{Ids, RequestError};
use crate::quarantine;
use crate::query::QueryCache;
use crate::sensors::Sensors;
use crate::told::ToldForces;

/// A model being simulated. Owns everything a step needs; the same model and the same calls give
/// the same bits, whatever the number of threads.
///
/// One [`step`](Simulation::step) is: control → predict → bounds → pairs → contacts → warm start →
/// graph → iterate → finish → report → events. The solver does the middle part; [`Report::time`]
/// says what each took.
///
/// ```
/// use drystone::prelude::*;
/// let mut scene = ModelBuilder::new();
/// scene.gravity(DVec3::ZERO);
/// let puck = scene.add_body(BodyDef::dynamic("puck").sphere(0.1).mass(2.0));
/// let mut sim = Simulation::builder(scene.finalize()?).dt(0.01).build()?;
/// for _ in 0..100 {
///     sim.apply_force(puck, DVec3::X * 4.0)?; // N, for this step
///     sim.step()?;
/// }
/// assert!((sim.state().body_qd[0].linear.x - 2.0).abs() < 1e-9); // m/s after one second at 4 N / 2 kg
/// assert_eq!(sim.report().max_penetration, Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    /// Shared by the worlds of a batch until an edit.
    pub(crate) model: Arc<Model>,
    pub(crate) ids: Ids,
    /// The model the simulation was built with, once an edit has led away from it.
    pub(crate) base: Option<Arc<Model>>,
    pub(crate) state: State,
    pub(crate) control: Control,
    pub(crate) collide: Collide,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) dt: f64,
    pub(crate) pool: Option<rayon::ThreadPool>,
    pub(crate) forces: Forces,
    pub(crate) log: EventLog,
    /// Forces of the last step.
    pub(crate) told: ToldForces,
    pub(crate) report: Report,
    /// State at the start of the step: where to go back to when bodies turn non-finite.
    pub(crate) before: State,
    pub(crate) bad: Vec<u32>,
    pub(crate) phase_total: Vec<(Phase, f64)>,
    pub(crate) query: QueryCache,
    pub(crate) sensors: Sensors,
    /// What the solver was made from; none for one made by hand.
    pub(crate) choice: Option<SolverChoice>,
    pub(crate) pace: Pace,
}

impl Simulation {
    /// A simulation with the default solver and a time step of 1/60 s.
    pub fn new(model: Model) -> Result<Self, BuildError> {
        Self::builder(model).build()
    }

    /// Chooses solver, time step, threads and the rest before building.
    pub fn builder(model: Model) -> SimulationBuilder {
        SimulationBuilder::new(Arc::new(model))
    }

    /// Advances the scene by one time step. On error nothing has moved.
    ///
    /// Bodies whose numbers stop being finite are frozen at their last finite pose, named in the
    /// report and in the events, and the step is repeated without them. They stay frozen, and
    /// [`Simulation::report`] and [`Simulation::events`] name them, also when the step then fails.
    pub fn step(&mut self) -> Result<&Report, StepError> {
        if self.shares_work() { self.take_step() } else { alone(|| self.take_step()) }
    }

    fn take_step(&mut self) -> Result<&Report, StepError> {
        let quarantined = self.begin_step();
        let solved = self.solve();
        self.end_step(solved, quarantined)
    }

    /// Begins a step; returns bodies taken out because of what was asked for.
    pub(crate) fn begin_step(&mut self) -> Vec<u32> {
        self.log.clear();
        self.query.state_changed();
        self.forces.push_into(&mut self.control);
        self.forces.damp(&self.model, &self.state, &mut self.control, self.dt);
        self.forces.drag(&self.model, &self.state, &mut self.control, self.dt);
        let quarantined = self.take_out_bad_input();
        copy_state(&mut self.before, &self.state);
        quarantined
    }

    /// Ends a step that the solver has taken.
    pub(crate) fn end_step(
        &mut self,
        solved: Result<Report, StepError>,
        mut quarantined: Vec<u32>,
    ) -> Result<&Report, StepError> {
        let solved = self.repeat_until_finite(solved, &mut quarantined);
        self.forces.pop_from(&mut self.control);
        quarantined.sort_unstable();
        quarantined.dedup();
        match solved {
            Ok(report) => {
                self.report = Report { quarantined: self.body_ids(&quarantined), ..self.named_by_id(report) };
                self.note_events();
                self.add_times();
                Ok(&self.report)
            }
            Err(error) => {
                let quarantined = self.body_ids(&quarantined);
                self.report = Report { quarantined, ..Report::of_motion(&self.model, &self.state) };
                self.log.quarantined(&self.report.quarantined);
                self.told.clear();
                Err(error)
            }
        }
    }

    /// Takes `count` steps and calls `each` after every one of them.
    pub fn run(&mut self, count: u64, mut each: impl FnMut(&Self)) -> Result<(), StepError> {
        for _ in 0..count {
            self.step()?;
            each(self);
        }
        Ok(())
    }

    fn take_out_bad_input(&mut self) -> Vec<u32> {
        quarantine::find_bad_input(&self.state, &self.control, &mut self.bad);
        for &body in &self.bad {
            // `before` still holds the end of the last step, so the pose there was finite.
            let last = self.before.body_q[body as usize];
            quarantine::freeze(&mut self.state, &mut self.control, body, &last);
        }
        self.forget_worlds_of_bad();
        self.bad.clone()
    }

    /// Takes bodies that stopped being finite out and repeats the step without them. Every repetition takes at least one more
    /// out, so this ends.
    fn repeat_until_finite(
        &mut self,
        mut solved: Result<Report, StepError>,
        quarantined: &mut Vec<u32>,
    ) -> Result<Report, StepError> {
        loop {
            let report = solved?;
            self.check_hook()?;
            quarantine::hold(&mut self.state, &self.before);
            quarantine::find_bad_state(&self.state, &mut self.bad);
            if self.bad.is_empty() {
                return Ok(report);
            }
            copy_state(&mut self.state, &self.before);
            for &body in &self.bad {
                let last = self.before.body_q[body as usize];
                quarantine::freeze(&mut self.state, &mut self.control, body, &last);
            }
            self.forget_worlds_of_bad();
            quarantined.extend_from_slice(&self.bad);
            copy_state(&mut self.before, &self.state);
            solved = self.solve();
        }
    }

    /// Whether a step is work enough for several threads.
    pub(crate) fn shares_work(&self) -> bool {
        self.solver.shares_work(&self.model, self.report.contact_count)
    }

    fn solve(&mut self) -> Result<Report, StepError> {
        let Self { model, state, control, collide, solver, dt, pool, .. } = self;
        let mut step = || solver.step(model, state, control, collide, *dt);
        match pool {
            _ if is_alone() => step(),
            Some(pool) => pool.install(step),
            // Once on a thread of the pool, loops need not call it one by one.
            None => rayon::scope(|_| step()),
        }
    }

    /// Multipliers that met a non-finite number cannot be trusted; the solver starts those worlds afresh.
    fn forget_worlds_of_bad(&mut self) {
        let mut worlds: Vec<u32> = self.bad.iter().map(|&body| self.model.body_world[body as usize]).collect();
        worlds.dedup();
        for world in worlds {
            self.solver.reset_world(&self.model, world);
            self.collide.reset_world(world);
        }
    }

    fn note_events(&mut self) {
        if !self.report.still {
            self.told.take(self.solver.as_mut(), &self.collide.contacts, &self.ids, self.dt);
            self.log.contacts(self.told.pushes());
        }
        self.note_sensors();
        self.log.joints(&self.before, &self.state, &self.ids);
        self.log.quarantined(&self.report.quarantined);
    }

    fn add_times(&mut self) {
        for &(phase, seconds) in &self.report.time {
            match self.phase_total.iter_mut().find(|(known, _)| *known == phase) {
                Some((_, total)) => *total += seconds,
                None => self.phase_total.push((phase, seconds)),
            }
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where everything is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Where everything is, to be changed. After moving bodies by hand call
    /// [`Simulation::reset_history`], or the solver will warm start from where they were.
    pub fn state_mut(&mut self) -> &mut State {
        self.query.state_changed();
        &mut self.state
    }

    /// What is asked for in every step: drive targets, efforts, standing forces, kinematic targets.
    pub fn control_mut(&mut self) -> &mut Control {
        &mut self.control
    }

    /// What is asked for in every step.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The collision pipeline, with the contacts of the last step.
    pub fn collide(&self) -> &Collide {
        &self.collide
    }

    /// The solver.
    pub fn solver(&self) -> &dyn Solver {
        self.solver.as_ref()
    }

    /// Time step \[s\].
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Simulated time \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// What the last step said about itself, bodies and joints by id.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What happened in the last step.
    pub fn events(&self) -> &[Event] {
        &self.log.events
    }

    /// Seconds spent in every phase since the start.
    pub fn phase_total(&self) -> &[(Phase, f64)] {
        &self.phase_total
    }

    /// A number that is the same if and only if (up to chance) the state is the same bit for bit.
    pub fn state_hash(&self) -> u64 {
        self.state.hash()
    }

    /// Puts everything in a world back to where the model has it, and forgets its history: it starts. Under `vbd` it then
    /// moves as a fresh one bit for bit and the other worlds do not notice; the other solvers share decisions between
    /// worlds (how often a step is cut, how far a Newton step goes), so that this holds when all worlds are reset.
    pub fn reset_world(&mut self, world: WorldId) -> Result<(), RequestError> {
        let (world, next) = (world.0, self.model.world_count() as u32);
        if world >= next {
            return Err(RequestError::Unknown { entity: Entity::World, id: world, next });
        }
        self.query.state_changed();
        crate::reset::reset_world(&self.model, &mut self.state, &mut self.control, world);
        self.solver.reset_world(&self.model, world);
        self.collide.reset_world(world);
        Ok(())
    }

    /// Makes the solver forget the history of every world, as after teleporting bodies.
    pub fn reset_history(&mut self) {
        for world in 0..self.model.world_count() as u32 {
            self.solver.reset_world(&self.model, world);
            self.collide.reset_world(world);
        }
    }
}

/// Copies field by field so that the buffers of `to` are kept; a derived clone would allocate.
pub(crate) fn copy_state(to: &mut State, from: &State) {
    to.time = from.time;
    to.step_count = from.step_count;
    to.body_q.clone_from(&from.body_q);
    to.body_qd.clone_from(&from.body_qd);
    to.body_affine.clone_from(&from.body_affine);
    to.particle_q.clone_from(&from.particle_q);
    to.particle_qd.clone_from(&from.particle_qd);
    to.joint_angle.clone_from(&from.joint_angle);
    to.joint_intact.clone_from(&from.joint_intact);
    to.body_quarantined.clone_from(&from.body_quarantined);
}
