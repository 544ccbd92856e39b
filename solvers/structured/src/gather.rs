//! Parts that a run begins with scattered.

use drystone_model::{BodyKind, Control, JointKind, Model, State, Twist};

use super::mechanism::{Assembling, AssemblyOptions, MechanismError};
use super::solver::Structured;
use drystone_solve::solver::StepError;

impl Structured {
    /// Puts parts together that lie further apart than they are large before the first step is taken; bodies keep their velocities. True
    /// if there were any. A step on its own follows the joints as they lie, which from there leads nowhere.
    pub(super) fn gather(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        dt: f64,
    ) -> Result<bool, StepError> {
        if !(0..model.joint_count()).any(|joint| is_scattered(model, state, control, joint)) {
            return Ok(false);
        }
        self.floating.begin(model, state, control, dt);
        let velocity: Vec<Twist> = state.body_qd.clone();
        let options = AssemblyOptions { tolerance: self.options().tolerance, ..AssemblyOptions::default() };
        let done = Assembling::new(model, control, options).run(state);
        state.body_qd = velocity;
        done.map(|_| true).map_err(|error: MechanismError| StepError::Failed {
            solver: "structured",
            time: state.time,
            reason: error.to_string(),
        })
    }
}

/// Whether a joint that acts is open by more than half its reach.
fn is_scattered(model: &Model, state: &State, control: &Control, joint: usize) -> bool {
    let ends = [model.joint_parent[joint], model.joint_child[joint]];
    let moves = |body: u32| {
        let kind = model.body_kind.get(body as usize);
        kind == Some(&BodyKind::Dynamic) && !state.body_quarantined[body as usize]
    };
    let rigid = !model.joint_kind[joint].only_measures()
        && !matches!(model.joint_kind[joint], JointKind::Rod | JointKind::Free)
        && model.joint_stiffness[joint][0].is_infinite();
    if !rigid || !control.joint_enabled[joint] || !state.joint_intact[joint] || !ends.into_iter().any(moves) {
        return false;
    }
    let frames = [model.joint_frame_parent[joint], model.joint_frame_child[joint]];
    let reach = |side: usize| {
        let centre = model.body_com.get(ends[side] as usize).copied().unwrap_or_default();
        (frames[side].translation - centre).length()
    };
    model.joint_error(state, joint as u32).linear > 0.5 * (reach(0) + reach(1))
}
