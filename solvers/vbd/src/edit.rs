//! Going on after an edit of the model.

use drystone_kernels::double::math::Vec6;
use drystone_model::{Model, ModelMap};
use drystone_solve::solver::Refusal;

use super::Vbd;

impl Vbd {
    /// A solver for an edited model with what this one remembers. Worlds that are under way stay so: what is new in them
    /// gets no startup passes, it starts without loads as what falls onto a pile does.
    pub(super) fn carried_over(&self, model: &Model, map: &ModelMap) -> Result<Self, Refusal> {
        let mut next = Self::new(model, self.options.clone())?;
        for (now, started) in next.started.iter_mut().enumerate() {
            *started = self.started.get(now).copied().unwrap_or(false);
        }
        for body in 0..model.body_count() {
            let Some(before) = map.body.before(body) else { continue };
            next.bodies.last_acceleration[body] = self.bodies.last_acceleration[before];
            next.bodies.left_velocity[body] = self.bodies.left_velocity[before];
            // A rule of two steps needs both of them undisturbed.
            next.before[body] = self.before[before].filter(|_| !map.disturbed[body]);
            next.jumped[body] = self.jumped[before];
            if map.disturbed[body] {
                next.bodies.last_acceleration[body] = Vec6::default();
            }
        }
        next.contact_cache = map.carry_points(&self.contact_cache);
        self.carry_joints(map, &mut next);
        next.joint_islands.restore(self.joint_islands.memories_after(map));
        next.sleep = self.sleep.edited(map);
        self.carry_particles(&mut next, map);
        next.ledger = self.ledger.edited(map);
        next.loads = self.loads.edited(map);
        Ok(next)
    }

    fn carry_joints(&self, map: &ModelMap, next: &mut Self) {
        for joint in 0..next.joints.count() {
            let Some(before) = map.loaded_joint(joint) else { continue };
            next.joints.active[joint] = self.joints.active[before];
            next.joints.mode[joint] = self.joints.mode[before];
            for (row, old) in next.joints.rows_mut(joint).iter_mut().zip(self.joints.rows(before)) {
                (row.lambda, row.force, row.working) = (old.lambda, old.force, old.working);
            }
        }
    }
}
