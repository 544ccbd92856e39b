//! Phase `Control`: which bodies and joints take part in the step, from where, and under which forces of the user.

use drystone_model::{Contacts, Control, Model, State};

use super::Vbd;

impl Vbd {
    /// Wakes what the user or a contact disturbs, and reads where everything starts.
    pub(super) fn read_control(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        contacts: &Contacts,
        h: f64,
    ) {
        if self.options.sleeping {
            self.sleep.wake_by_user(model, state, control, &self.joints);
        }
        self.start(model, state, control, h);
        if self.options.sleeping && self.sleep.wake_by_contact(model, contacts, &self.bodies, h) {
            self.start(model, state, control, h);
        }
    }

    /// Poses, velocities and external forces of the bodies that are awake, and the joints that act on them.
    fn start(&mut self, model: &Model, state: &State, control: &Control, h: f64) {
        for body in 0..model.body_count() {
            self.bodies.asleep[body] = self.sleep.asleep(body);
        }
        self.joints.efforts(model, state, control, &mut self.bodies.effort);
        self.bodies.start(model, state, control, h);
        self.bodies.note_jolts(model, h);
        self.joints_changed |= self.joints.refresh_active(state, control, &self.bodies, &mut self.before);
    }
}
