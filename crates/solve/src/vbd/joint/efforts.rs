//! Efforts of the user along the axes of joints.

use drystone_model::{Control, DVec3, Model, State};

use super::Joints;

/// Force at the centre of mass and torque \[N\], \[N·m\].
pub type Wrench = (DVec3, DVec3);

impl Joints {
    /// Wrenches on the bodies from [`Control::joint_f`] at the poses of the state, equal and opposite
    /// on parent and child: forces along the translation axes act at the origin of the child frame,
    /// torques along the axes the angles turn about (for ball, rod, distance and free joints the axes
    /// of the parent joint frame).
    pub fn efforts(&self, model: &Model, state: &State, control: &Control, out: &mut Vec<Wrench>) {
        out.clear();
        out.resize(model.body_count() + 1, (DVec3::ZERO, DVec3::ZERO));
        for joint in 0..self.count() {
            let effort = control.joint_f[joint];
            if effort == [0.0; 6] || !control.joint_enabled[joint] || !state.joint_intact[joint] {
                continue;
            }
            let (parent, child) = model.joint_frames(state, joint);
            let geometry = &self.geometry[joint];
            let hint = DVec3::from_array(state.joint_angle[joint]);
            let force = geometry.directions(&parent, &child) * DVec3::new(effort[0], effort[1], effort[2]);
            let turning = DVec3::new(effort[3], effort[4], effort[5]);
            let torque = parent.rotation * geometry.torque(parent.rotation.inverse() * child.rotation, hint, turning);
            let ends = [model.joint_parent[joint], model.joint_child[joint]];
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let lever = child.translation - model.body_centre(state, ends[side]);
                let wrench = &mut out[geometry.body[side]];
                wrench.0 += force * sign;
                wrench.1 += (torque + lever.cross(force)) * sign;
            }
        }
    }
}
