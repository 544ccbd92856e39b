//! A substep, phase by phase, as `docs/architecture.md` names them.

use drystone_collide::Collide;
use drystone_model::{Contacts, Control, Model, State};
use drystone_solve::clock::Clock;
use drystone_solve::report::Phase;

use super::Vbd;

impl Vbd {
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
