//! A user's say in contacts.

use std::sync::Arc;

use drystone_collide::ContactHook;
use drystone_solve::{Solver, StepError, Unsupported};

use crate::Simulation;
use crate::simulation::copy_state;

impl Simulation {
    /// Gives code of the user a say in contacts from the next step on: which pairs may touch, and what friction, restitution,
    /// surface velocity and points their contacts have. `None` takes it away. It is called on one thread in a fixed order,
    /// so that runs are the same for any number of threads; checkpoints do not hold it.
    ///
    /// Refused, with nothing changed, if the solver finds its contacts by itself (`abd`).
    ///
    /// ```
    /// use drystone::prelude::*;
    /// use drystone::{ContactHook, ContactPatch};
    /// use std::sync::Arc;
    /// struct Ice;
    /// impl ContactHook for Ice {
    ///     fn modify(&self, contact: &mut ContactPatch) {
    ///         contact.material.set_friction(0.0);
    ///     }
    /// }
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// let puck = BodyDef::dynamic("puck").at(DVec3::Z * 0.1).cuboid(DVec3::splat(0.1)).velocity(DVec3::X);
    /// let puck = scene.add_body(puck);
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.set_contact_hook(Some(Arc::new(Ice)))?;
    /// sim.run(60, |_| ())?;
    /// assert!((sim.velocity(puck)?.linear.x - 1.0).abs() < 1e-9);
    /// sim.set_contact_hook(None)?;
    /// sim.run(60, |_| ())?;
    /// assert!(sim.velocity(puck)?.linear.x.abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_contact_hook(&mut self, hook: Option<Arc<dyn ContactHook>>) -> Result<(), Unsupported> {
        if hook.is_some() {
            refuse_hook(self.solver.as_ref())?;
        }
        self.collide.set_hook(hook);
        self.name_for_hook();
        Ok(())
    }

    /// Tells the hook by which ids the user knows shapes and bodies.
    pub(crate) fn name_for_hook(&mut self) {
        if !self.ids.are_fresh() {
            self.collide.name_for_hook(self.ids.shape.all(), self.ids.body.all());
        }
    }

    /// Takes the step back if the hook set what no contact can have.
    pub(crate) fn check_hook(&mut self) -> Result<(), StepError> {
        let Some(reason) = self.collide.take_hook_fault() else { return Ok(()) };
        let (solver, time) = (self.solver.name(), self.before.time);
        copy_state(&mut self.state, &self.before);
        self.reset_history();
        Err(StepError::Failed { solver, time, reason })
    }
}

/// Refuses a hook that a solver would not heed.
pub(crate) fn refuse_hook(solver: &dyn Solver) -> Result<(), Unsupported> {
    if solver.honours_hooks() {
        return Ok(());
    }
    let reason = "it finds its contacts by itself, and a contact hook would have no say in them".into();
    Err(Unsupported { solver: solver.name(), reason, remedy: "use `vbd`, `jacobi` or `structured`".into() })
}
