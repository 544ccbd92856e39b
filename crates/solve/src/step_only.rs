//! A solver for tests that is nothing but its step.

use drystone_collide::Collide;
use drystone_model::{Control, Model, State};

use crate::forces::{ContactForce, ForceLedger, JointForce, Untold};
use crate::report::Report;
use crate::solver::{SnapshotError, Solver, StepError};

/// Steps by the function it holds. Tells no forces and remembers nothing.
pub struct StepOnly<F>(pub F);

impl<F> Solver for StepOnly<F>
where
    F: FnMut(&Model, &mut State, &mut Collide, f64) -> Result<Report, StepError> + Send + Sync,
{
    fn name(&self) -> &'static str {
        "step-only"
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        _control: &Control,
        collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        (self.0)(model, state, collide, dt)
    }

    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold> {
        ForceLedger::default().take_contacts(out);
        Ok(())
    }

    fn read_joints(&self, model: &Model, _state: &State, out: &mut Vec<JointForce>) -> Result<(), Untold> {
        ForceLedger::default().read_joints(model.joint_count(), out);
        Ok(())
    }

    fn snapshot(&self) -> Vec<u8> {
        Vec::new()
    }

    fn restore(&mut self, _bytes: &[u8]) -> Result<(), SnapshotError> {
        Ok(())
    }

    fn reset_world(&mut self, _model: &Model, _world: u32) {}
}
