//! Efforts of the user along the axes of joints.

use drystone_model::{DVec3, Model, State};

use super::axes::JointGeometry;

/// Force at the centre of mass and torque \[N\], \[N·m\].
pub type Wrench = (DVec3, DVec3);

impl JointGeometry {
    /// Wrenches on parent and child of efforts along the axes of a joint \[N\], \[N·m\] at the poses of the
    /// state, equal and opposite: forces along the translation axes act at the origin of the child frame,
    /// torques along the axes the angles turn about (for ball, rod, distance and free joints the axes of
    /// the parent joint frame).
    pub fn effort(&self, model: &Model, state: &State, joint: usize, effort: &[f64; 6]) -> [Wrench; 2] {
        let (parent, child) = model.joint_frames(state, joint);
        let hint = DVec3::from_array(state.joint_angle[joint]);
        let force = self.directions(&parent, &child) * DVec3::new(effort[0], effort[1], effort[2]);
        let turning = DVec3::new(effort[3], effort[4], effort[5]);
        let torque = parent.rotation * self.torque(parent.rotation.inverse() * child.rotation, hint, turning);
        let ends = [(model.joint_parent[joint], -1.0), (model.joint_child[joint], 1.0)];
        ends.map(|(body, sign)| {
            let lever = child.translation - model.body_centre(state, body);
            (force * sign, (torque + lever.cross(force)) * sign)
        })
    }
}
