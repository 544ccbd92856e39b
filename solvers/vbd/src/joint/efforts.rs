//! Efforts of the user along the axes of joints.

use drystone_model::{Control, DVec3, Model, State};

use super::Joints;
use drystone_solve::joint::Wrench;
use drystone_solve::parallel;

impl Joints {
    /// Wrenches on the bodies from [`Control::joint_f`] at the poses of the state.
    pub fn efforts(&self, model: &Model, state: &State, control: &Control, out: &mut Vec<Wrench>) {
        out.resize(model.body_count() + 1, (DVec3::ZERO, DVec3::ZERO));
        parallel::each(out, |_, out| *out = (DVec3::ZERO, DVec3::ZERO));
        for joint in (0..self.count()).filter(|&joint| control.joint_f[joint] != [0.0; 6]) {
            if !control.joint_enabled[joint] || !state.joint_intact[joint] {
                continue;
            }
            let (geometry, effort) = (&self.geometry[joint], &control.joint_f[joint]);
            let wrenches = geometry.effort(model, state, joint, effort);
            for (wrench, body) in wrenches.into_iter().zip(geometry.body) {
                out[body].0 += wrench.0;
                out[body].1 += wrench.1;
            }
        }
    }
}
