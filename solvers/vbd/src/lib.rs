//! `vbd`: augmented block descent. One body (six unknowns) at a time, coloured Gauss–Seidel, hard
//! contacts and joints by an augmented Lagrangian. Equations and parameters: `docs/vbd.md`.
#![forbid(unsafe_code)]

mod anchors;
mod bdf2;
mod bodies;
mod dual;
mod effective_mass;
mod first_loads;
mod guess;
mod history;
mod impact;
mod islands;
mod joint;
mod measure;
mod momentum;
mod options;
mod primal;
mod readout;
mod recipe;
mod resistance;
mod rows;
mod snapshot;
mod substeps;
mod warm_start;
mod wide;

use drystone_collide::Collide;
use drystone_kernels::double::math::Vec6;
use drystone_kernels::lanes;
use drystone_model::{BodyKind, Contacts, Control, Model, State, Twist, WORLD};
use rayon::prelude::*;

pub use joint::{JointMode, JointSlot, NoSuchJoint};
pub use options::{AvbdOptions, Integrator, Method, VbdOptions};
pub use readout::ContactReading;

use bdf2::StepBefore;
use bodies::Bodies;
use convert::to_dvec3;
use drystone_solve::clock::Clock;
use drystone_solve::convert;
use drystone_solve::parts::adjacency::Adjacency;
use drystone_solve::parts::coloring::{ColorOrder, Coloring};
use drystone_solve::report::{Phase, Report};
use drystone_solve::solver::{SnapshotError, Solver, StepError, Unsupported};
use dual::DualStep;
use history::PointMemory;
use impact::{ImpactStep, Impacts};
use islands::Islands;
use joint::{Joints, Mechanisms, Ramp, Swept};
use momentum::Group;
use primal::BodySteps;
use recipe::Recipe;
use rows::{Manifold, Rows};
use snapshot::Snapshot;
use substeps::Substeps;
use warm_start::WarmStart;

/// Colours smaller than this are swept by one thread; splitting them costs more than it saves.
const PARALLEL_COLOR: usize = 256;
/// Change of the loads, relative to all of them, from one rehearsal of the first step to the next that ends them.
const SETTLED: f64 = 1.0e-4;
/// Bodies per parallel task of a sweep.
const COLOR_CHUNK: usize = 64;
/// Manifolds per parallel task of the multiplier update.
const DUAL_CHUNK: usize = 256;

/// The augmented block descent solver.
#[derive(Debug)]
pub struct Vbd {
    options: VbdOptions,
    recipe: Recipe,
    bodies: Bodies,
    rows: Rows,
    memory: Vec<PointMemory>,
    next_memory: Vec<PointMemory>,
    adjacency: Adjacency,
    coloring: Coloring,
    joints: Joints,
    mechanisms: Mechanisms,
    swept: Swept,
    ramp: Option<Ramp>,
    sweeps: Vec<bool>,
    edges: Vec<[u32; 2]>,
    steps: Vec<Vec6>,
    disagreement: Vec<[f64; 2]>,
    acceleration: Vec<f64>,
    impacts: Impacts,
    islands: Islands,
    groups: Vec<Group>,
    before: Vec<Option<StepBefore>>,
    torques: Vec<[f64; 3]>,
    substeps: Substeps,
    started: bool,
    joints_changed: bool,
    broken: Vec<u32>,
}

impl Vbd {
    /// A solver for a model.
    pub fn new(model: &Model, options: VbdOptions) -> Result<Self, Unsupported> {
        Unsupported::particles("vbd", model)?;
        let mut bodies = Bodies::default();
        bodies.resize(model);
        let ramp = Ramp::of(options.method, &options.avbd);
        Ok(Self {
            recipe: Recipe::new(&options),
            options,
            bodies,
            rows: Rows::default(),
            memory: Vec::new(),
            next_memory: Vec::new(),
            adjacency: Adjacency::default(),
            coloring: Coloring::default(),
            joints: Joints::new(model, model.body_count()),
            mechanisms: Mechanisms::default(),
            swept: Swept::default(),
            ramp,
            sweeps: Vec::new(),
            edges: Vec::new(),
            steps: Vec::new(),
            disagreement: Vec::new(),
            acceleration: Vec::new(),
            impacts: Impacts::default(),
            islands: Islands::default(),
            groups: Vec::new(),
            before: vec![None; model.body_count()],
            torques: Vec::new(),
            substeps: Substeps::new(model),
            started: false,
            joints_changed: true,
            broken: Vec::new(),
        })
    }

    fn substep(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        h: f64,
        iterations: u32,
        clock: &mut Clock,
    ) -> f64 {
        self.joints.efforts(model, state, control, &mut self.bodies.effort);
        self.bodies.predict(model, state, control, h);
        self.reference_acceleration(model);
        self.bodies.note_jolts(model, &self.acceleration, h);
        let changed = self.joints.refresh_active(state, control, &self.bodies);
        if changed || self.joints_changed {
            self.mechanisms.rebuild(&mut self.joints, &self.bodies.moves, self.ramp.is_none());
            self.swept.rebuild(&self.joints, &self.bodies.moves, self.ramp.is_some());
            self.joints_changed = false;
        }
        self.joints.decay(self.recipe.joint_retention);
        self.joints.prepare(model, state, control, &self.bodies, self.ramp.as_ref(), h);
        clock.lap(Phase::Predict);
        collide.detect(model, state, h);
        clock.lap(Phase::Contacts);
        self.group(&collide.contacts);
        if self.options.integrator == Integrator::Bdf2 {
            self.aim_second_order(model, state, h);
        }
        let impact = ImpactStep { model, contacts: &collide.contacts, acceleration: &self.acceleration, h };
        self.impacts.resolve(&impact, &mut self.bodies);
        resistance::resist(&collide.contacts, &self.memory, &mut self.bodies, &mut self.torques, h);
        let mut residual = 0.0;
        let rehearsals = if self.started { 0 } else { self.options.startup_passes };
        if rehearsals > 0 {
            first_loads::guess(model, &self.bodies, &collide.contacts, h, &mut self.memory);
        }
        for _ in 0..=rehearsals {
            self.warm_start(model, state, collide, h, rehearsals > 0);
            clock.lap(Phase::WarmStart);
            self.graph();
            clock.lap(Phase::Graph);
            residual = self.iterate(iterations);
            clock.lap(Phase::Iterate);
            self.remember();
            if self.load_change() <= SETTLED {
                break;
            }
        }
        self.started = true;
        momentum::restore(&mut self.bodies, &self.islands, &mut self.groups);
        self.finish(model, state, h);
        self.joints.break_overloaded(model, state, &mut self.broken);
        clock.lap(Phase::Finish);
        residual
    }

    /// Acceleration that external forces would give each world as a whole: what turns a load into
    /// the mass it stands for.
    fn reference_acceleration(&mut self, model: &Model) {
        self.acceleration.clear();
        self.acceleration.resize(model.world_count(), 0.0);
        let mut mass = vec![0.0; model.world_count()];
        for body in 0..model.body_count() {
            if self.bodies.moves[body] {
                let world = model.body_world[body] as usize;
                self.acceleration[world] += model.body_mass[body] * self.bodies.acceleration[body].length();
                mass[world] += model.body_mass[body];
            }
        }
        for (a, m) in self.acceleration.iter_mut().zip(mass) {
            *a = if m > 0.0 { *a / m } else { 0.0 };
        }
    }

    /// Groups the bodies by contacts and joints.
    fn group(&mut self, contacts: &Contacts) {
        let world = self.bodies.world() as u32;
        let slot = |body: u32| if body == WORLD { world } else { body };
        let touching = (0..contacts.manifold_count())
            .map(|m| [slot(contacts.manifold_body0[m]), slot(contacts.manifold_body1[m])]);
        let joints = &self.joints;
        let tied = (0..joints.count())
            .filter(|&joint| joints.active[joint])
            .map(|joint| joints.geometry[joint].body.map(|body| body as u32));
        self.islands.build(&self.bodies.moves, touching, tied);
    }

    /// Aims by the second-order rule all bodies that may.
    fn aim_second_order(&mut self, model: &Model, state: &State, h: f64) {
        for body in 0..model.body_count() {
            if let Some(before) = self.before[body]
                && self.bodies.moves[body]
                && !self.islands.touched(body)
                && before.leads_to(state, body, h)
            {
                self.bodies.aim_second_order(model, body, &before);
            }
        }
    }

    fn warm_start(&mut self, model: &Model, state: &State, collide: &Collide, h: f64, rehearsal: bool) {
        WarmStart {
            model,
            state,
            bodies: &self.bodies,
            contacts: &collide.contacts,
            memory: &self.memory,
            recipe: &self.recipe,
            avbd: &self.options.avbd,
            rehearsal,
            h,
            acceleration: &self.acceleration,
        }
        .build(&mut self.rows, &mut self.next_memory);
        let first = !self.started;
        if self.recipe.compatible_guess {
            guess::compatible(&mut self.bodies, &self.rows, &mut self.disagreement, h);
        } else {
            guess::inertial(&mut self.bodies, h, first);
        }
        for body in 0..model.body_count() {
            let free = self.bodies.moves[body] && !self.mechanisms.member[body] && !self.swept.holds(body);
            if !free {
                self.bodies.place(body);
            }
        }
    }

    fn graph(&mut self) {
        self.edges.clear();
        self.edges.extend(self.rows.manifolds.iter().map(|m| m.body));
        self.adjacency.build(&self.bodies.moves, &self.edges);
        self.sweeps.clear();
        self.sweeps.extend((0..self.bodies.moves.len()).map(|b| self.bodies.moves[b] && !self.mechanisms.member[b]));
        self.edges.extend(self.swept.pairs());
        self.coloring.color(&self.sweeps, &self.edges, ColorOrder::default());
    }

    /// Change of the loads in the last pass over the step, relative to all of them.
    fn load_change(&self) -> f64 {
        let pairs = self.memory.iter().zip(&self.next_memory);
        let change: f64 = pairs.map(|(now, before)| now.force().sub(before.force()).length()).sum();
        let total: f64 = self.memory.iter().map(|point| point.force().length()).sum();
        if total > 0.0 { change / total } else { 0.0 }
    }

    fn iterate(&mut self, iterations: u32) -> f64 {
        let mut residual = 0.0;
        for iteration in 0..iterations {
            residual = self.sweep(iteration, iterations);
            self.update_duals();
            if let Some(ramp) = &self.ramp {
                self.swept.follow(&mut self.joints, &self.bodies, ramp);
            }
        }
        residual
    }

    fn sweep(&mut self, iteration: u32, iterations: u32) -> f64 {
        let relaxation = self.recipe.relaxation;
        let Self { bodies, joints, rows, adjacency, .. } = self;
        let mut residual: f64 =
            self.mechanisms.step(bodies, joints, &rows.manifolds, adjacency, (iteration, iterations));
        for color in 0..self.coloring.color_count() {
            let group = self.coloring.bodies(color);
            self.steps.resize(group.len(), Vec6::default());
            let (bodies, manifolds, contacts) = (&self.bodies, &self.rows.manifolds, &self.adjacency);
            let solve = |(group, steps)| {
                lanes::run(BodySteps { bodies, manifolds, contacts, group, relaxation, steps });
            };
            if self.swept.any() {
                let (swept, joints, members) = (&self.swept, &self.joints, &self.mechanisms.member);
                for (one, step) in group.chunks(1).zip(self.steps.chunks_mut(1)) {
                    let body = one[0] as usize;
                    match swept.holds(body) {
                        true => step[0] = swept.body_step(bodies, joints, manifolds, contacts, members, body),
                        false => solve((one, step)),
                    }
                }
            } else if group.len() >= PARALLEL_COLOR {
                group.par_chunks(COLOR_CHUNK).zip(self.steps.par_chunks_mut(COLOR_CHUNK)).for_each(solve);
            } else {
                solve((group, &mut self.steps));
            }
            for (&body, step) in group.iter().zip(&self.steps) {
                let body = body as usize;
                if self.swept.holds(body) {
                    self.bodies.advance(body, *step);
                } else {
                    self.bodies.delta[body] = self.bodies.delta[body].add(*step);
                }
                residual = residual.max(step.l.length_squared());
            }
        }
        residual.sqrt()
    }

    fn update_duals(&mut self) {
        let (recipe, avbd, bodies) = (&self.recipe, &self.options.avbd, &self.bodies);
        let update = |(manifolds, courses)| lanes::run(DualStep { recipe, avbd, bodies, manifolds, courses });
        if self.rows.manifolds.len() >= 2 * DUAL_CHUNK {
            let chunks = self.rows.manifolds.par_chunks_mut(DUAL_CHUNK);
            chunks.zip(self.rows.courses.par_chunks_mut(DUAL_CHUNK)).for_each(update);
        } else {
            update((&mut self.rows.manifolds, &mut self.rows.courses));
        }
    }

    /// Hands the multipliers on to the next step.
    fn remember(&mut self) {
        let mut index = 0;
        for ((manifold, course), torque) in self.rows.manifolds.iter().zip(&self.rows.courses).zip(&self.torques) {
            for (lane, point) in manifold.points().enumerate() {
                let memory = &mut self.next_memory[index];
                let force = manifold.normal.scale(point.load).add(point.friction);
                memory.force = [force.x, force.y, force.z];
                memory.torque = *torque;
                memory.gain = course.gain[lane];
                memory.rho = [point.rho_n, point.rho_t];
                memory.stuck = point.load > 0.0 && point.friction.length() < point.mu * point.load * (1.0 - 1e-9);
                index += 1;
            }
        }
        std::mem::swap(&mut self.memory, &mut self.next_memory);
    }

    fn finish(&mut self, model: &Model, state: &mut State, h: f64) {
        for body in 0..model.body_count() {
            if self.bodies.moves[body] || model.body_kind[body] == BodyKind::Kinematic {
                let jointed = self.mechanisms.member[body] || self.swept.holds(body);
                let v = if jointed { self.bodies.final_velocity_exact(body) } else { self.bodies.final_velocity(body) };
                self.bodies.last_acceleration[body] = v.sub(self.bodies.velocity[body]).scale(1.0 / h);
                self.bodies.left_velocity[body] = v;
                state.body_q[body] = self.bodies.final_pose(model, body, state.body_q[body]);
                state.body_qd[body] = Twist { linear: to_dvec3(v.l), angular: to_dvec3(v.a) };
                let smooth = self.options.integrator == Integrator::Bdf2 && !self.islands.touched(body);
                self.before[body] = smooth.then(|| StepBefore::of(model, state, &self.bodies, body, h));
            }
        }
    }
}

impl Solver for Vbd {
    fn name(&self) -> &'static str {
        "vbd"
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
        let (substeps, iterations) = self.substeps.split(&self.options, model, dt);
        let h = dt / f64::from(substeps);
        let mut clock = Clock::new();
        let mut residual = 0.0;
        for _ in 0..substeps {
            residual = self.substep(model, state, control, collide, h, iterations, &mut clock);
        }
        state.time += dt;
        state.step_count += 1;
        let mut report = measure::report(model, state, &self.rows, &self.bodies);
        [report.max_joint_error, report.max_joint_angle_error] = self.joints.largest_error(&self.bodies);
        model.update_joint_angles(state);
        report.iterations = substeps * iterations;
        report.residual = residual;
        report.broken = std::mem::take(&mut self.broken);
        report.color_count = self.coloring.color_count() as u32;
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
        for body in (0..model.body_count()).filter(|&body| model.body_world[body] == world) {
            self.bodies.last_acceleration[body] = Vec6::default();
            self.before[body] = None;
        }
        for (manifold, start) in self.rows.manifolds.iter().zip(point_starts(&self.rows.manifolds)) {
            let slots = manifold.body.map(|slot| slot as usize);
            if slots.iter().any(|&slot| model.body_world.get(slot) == Some(&world)) {
                self.memory[start..start + manifold.count as usize].fill(PointMemory::default());
            }
        }
        self.joints.forget(|child| model.body_world[child] == world);
    }
}

/// Index of the first point of every manifold in the order of the contacts.
fn point_starts(manifolds: &[Manifold]) -> impl Iterator<Item = usize> + '_ {
    manifolds.iter().scan(0, |next, manifold| {
        let start = *next;
        *next += manifold.count as usize;
        Some(start)
    })
}
