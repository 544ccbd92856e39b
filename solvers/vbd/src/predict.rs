//! Phase `Predict`: rows of the joints, and where the bodies would go without contacts and joints.

use drystone_model::{Contacts, Control, Model, State};

use super::Vbd;
use super::impact::ImpactStep;
use super::{island_scales, rolling_friction};
use drystone_solve::parallel;

impl Vbd {
    /// Joint rows, scales of the islands, inertial targets, restitution, and the torques of rolling friction.
    pub(super) fn predict(&mut self, model: &Model, state: &State, control: &Control, contacts: &Contacts, h: f64) {
        let (ramp, retention) = (self.ramp.as_ref(), self.method.joint_retention);
        self.joints.prepare(model, state, control, &self.bodies, ramp, retention, h);
        self.measure_islands(contacts);
        self.aim(model, state, h);
        let Self { bodies, islands, impacts, contact_cache, torques, .. } = self;
        impacts.resolve(&ImpactStep { contacts, islands, h }, bodies);
        rolling_friction::apply(contacts, contact_cache, bodies, torques, h);
    }

    /// Masses, forces and accelerations of the islands, by which loads and penalties are judged.
    fn measure_islands(&mut self, contacts: &Contacts) {
        let Self { island_scales, bodies, islands, joints, joint_islands, contact_cache: cache, .. } = self;
        let member = &joint_islands.member;
        island_scales.build(&island_scales::Scene { bodies, islands, joints, member, contacts, cache });
        let count = bodies.world();
        parallel::each(&mut bodies.reference[..count], |body, reference| {
            *reference = island_scales.of(islands.leader(body)).reference;
        });
    }
}
