//! A step on the CPU, phase by phase, as `docs/architecture.md` names them.

use drystone_collide::Collide;
use drystone_model::{Contacts, Control, JointId, Model, State};
use drystone_solve::clock::Clock;
use drystone_solve::joint::update_angles;
use drystone_solve::parallel;
use drystone_solve::report::{Phase, Report};
use drystone_solve::solver::StepError;

use super::together::Flight;
use super::{Vbd, report};

impl Vbd {
    /// A step on the CPU.
    pub(super) fn host_step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        let mut clock = Clock::of_step(dt)?;
        if let Some(report) = self.quiet_step(model, state, control, collide, dt, &mut clock) {
            return Ok(report);
        }
        let mut flight = self.begin_step(model, state, dt, clock);
        for _ in 0..flight.substeps {
            let Flight { iterations, h, ref mut clock, .. } = flight;
            let (residual, done) = self.substep(model, state, control, collide, h, iterations, clock);
            flight.residual = residual;
            flight.sweeps += done;
        }
        Ok(self.end_step(model, state, collide, flight))
    }

    /// Whether its steps are not those that go side by side with others.
    pub(super) fn goes_alone(&self) -> bool {
        self.device.is_some() || self.particles.is_some() || self.ramp.is_some()
    }

    /// Begins a step in which something moves.
    pub(super) fn begin_step(&mut self, model: &Model, state: &State, dt: f64, clock: Clock) -> Flight {
        let (substeps, iterations) = self.substeps.split(self.method.substeps, self.options.iterations, model, dt);
        let h = dt / f64::from(substeps);
        self.ledger.begin(model.joint_count());
        self.told_later = (substeps == 1 && self.device.is_none()).then_some(h);
        self.account.begin(state, dt);
        if let Some(particles) = &mut self.particles {
            particles.begin_step();
        }
        Flight { clock, substeps, iterations, dt, h, residual: 0.0, sweeps: 0 }
    }

    /// Ends a step after its substeps.
    pub(super) fn end_step(
        &mut self,
        model: &Model,
        state: &mut State,
        collide: &mut Collide,
        flight: Flight,
    ) -> Report {
        let Flight { mut clock, dt, residual, sweeps, .. } = flight;
        self.account.end(state);
        state.time += dt;
        state.step_count += 1;
        self.ledger.end(dt);
        let mut report = report::measure(model, state, &self.rows, &self.bodies, collide.contacts.point_count());
        if let Some(particles) = &self.particles {
            particles.report(&mut report);
        }
        [report.max_joint_error, report.max_joint_angle_error] = self.joint_errors().map(Some);
        update_angles(model, state);
        report.iterations = sweeps;
        report.residual = Some(residual);
        report.asleep = self.sleep.count();
        report.broken = self.broken.drain(..).map(JointId).collect();
        let Self { joints, joint_islands, unconverged, .. } = self;
        let is_open = |joint| joint_islands.value(joint).is_some_and(|value| joints.left_open(joint, &value));
        parallel::choose(joints.count(), is_open, unconverged);
        self.unconverged.sort_unstable();
        self.unconverged.dedup();
        report.unconverged = self.unconverged.drain(..).map(JointId).collect();
        report.color_count = Some(self.coloring.color_count() as u32);
        report.growth_count = Some(collide.take_growth());
        self.note_quiet(model, state, collide, dt, &report);
        clock.lap(Phase::Report);
        report.time = clock.laps;
        report
    }

    /// Largest error of hard rows, translation and rotation \[m\], \[rad\].
    fn joint_errors(&self) -> [f64; 2] {
        let Self { joints, joint_islands, bodies, ramp, .. } = self;
        parallel::largest(joints.count(), |joint| match ramp {
            None => joint_islands.value(joint).map_or([0.0; 2], |value| joints.error(joint, &value)),
            Some(_) if joints.active[joint] => joints.error(joint, &joints.axes(joint, bodies).value),
            Some(_) => [0.0; 2],
        })
    }

    /// One substep of `h` seconds; returns the largest move of the last sweep \[m\] and the number of sweeps.
    pub(super) fn substep(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        h: f64,
        iterations: u32,
        clock: &mut Clock,
    ) -> (f64, u32) {
        self.begin_substep(model, state, control, collide, h, clock);
        let done = loop {
            self.warm_start(model, state, &collide.contacts, h);
            clock.lap(Phase::WarmStart);
            let done = self.iterate(iterations, h);
            clock.lap(Phase::Iterate);
            if self.end_pass(model, &collide.contacts) {
                break done;
            }
        };
        self.settle_particles(h);
        self.settle(h);
        self.project_joints();
        self.end_substep(model, state, &collide.contacts, h, clock);
        done
    }

    /// What comes before the iterations.
    pub(super) fn begin_substep(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        h: f64,
        clock: &mut Clock,
    ) {
        clock.detect(collide, model, state, h);
        let contacts = &collide.contacts;
        self.read_control(model, state, control, contacts, h);
        self.begin_particles(model, state, control, collide, h);
        clock.lap(Phase::Control);
        self.build_graph(contacts);
        clock.lap(Phase::Graph);
        self.predict(model, state, control, contacts, h);
        clock.lap(Phase::Predict);
        self.begin_passes(model, contacts, h);
    }

    /// What comes after them and after joints are closed.
    pub(super) fn end_substep(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &Contacts,
        h: f64,
        clock: &mut Clock,
    ) {
        self.finish(model, state, contacts, h);
        self.finish_particles(state);
        clock.lap(Phase::Finish);
        self.book_forces(contacts, h);
        self.account.add(&self.bodies, h);
    }
}
