//! From body poses and velocities to joint coordinates and rates.

use drystone_geometry::{DQuat, DVec3, Pose};

use super::joined;
use crate::joint::AxisMode;
use crate::model::Model;
use crate::state::State;

impl Model {
    /// The six coordinates of a joint \[m\], \[rad\]. Angles are on the branch nearest to
    /// [`State::joint_angle`], so full turns count when [`Model::update_joint_angles`] is called
    /// at least once per half turn (a simulation does so every step).
    pub fn joint_coordinates(&self, state: &State, joint: usize) -> [f64; 6] {
        let (parent, child) = self.joint_frames(state, joint);
        let relative = parent.inv_mul(&child);
        let hint = DVec3::from_array(state.joint_angle[joint]);
        joined(relative.translation, self.joint_chart(joint).angles(relative.rotation, hint))
    }

    /// The rates of the six coordinates of a joint \[m/s\], \[rad/s\]. Where intrinsic x-y-z angles
    /// have their first and last axis aligned (second angle ±90°) their rates are not finite.
    pub fn joint_rates(&self, state: &State, joint: usize) -> [f64; 6] {
        let (parent, child) = self.joint_frames(state, joint);
        let (parent_body, child_body) = (self.joint_parent[joint], self.joint_child[joint]);
        let (parent_twist, child_twist) =
            (self.body_velocity(state, parent_body), self.body_velocity(state, child_body));
        // Both velocities at the child frame's origin: what is left is motion relative to the parent.
        let point = child.translation;
        let relative = child_twist.at(self.body_centre(state, child_body), point)
            - parent_twist.at(self.body_centre(state, parent_body), point);
        let to_parent = parent.rotation.inverse();
        let spin = to_parent * (child_twist.angular - parent_twist.angular);
        let chart = self.joint_chart(joint);
        let angles = chart.angles(to_parent * child.rotation, DVec3::from_array(state.joint_angle[joint]));
        joined(to_parent * relative, chart.rates(angles, spin))
    }

    /// Brings [`State::joint_angle`] up to date with the poses, counting full turns. Joints that
    /// cannot turn, and those of bodies whose pose is not finite, keep their angles.
    pub fn update_joint_angles(&self, state: &mut State) {
        for joint in 0..self.joint_count() {
            state.joint_angle[joint] = self.next_joint_angle(&state.body_q, joint, state.joint_angle[joint]);
        }
    }

    /// What [`Model::update_joint_angles`] makes of the angles of one joint, for solvers that go through the
    /// joints in parallel.
    pub fn next_joint_angle(&self, body_q: &[Pose], joint: usize, angle: [f64; 3]) -> [f64; 3] {
        if self.joint_axis[joint][3..].iter().all(|mode| *mode == AxisMode::Locked) {
            return angle;
        }
        let turned = self.relative_rotation(body_q, joint);
        let next = self.joint_chart(joint).turns(turned, DVec3::from_array(angle));
        if next.is_finite() { next.to_array() } else { angle }
    }

    /// Rotation of the child joint frame in the parent joint frame.
    fn relative_rotation(&self, body_q: &[Pose], joint: usize) -> DQuat {
        let rotation = |body: u32, frame: &Pose| match body_q.get(body as usize) {
            Some(pose) => pose.rotation * frame.rotation,
            None => frame.rotation,
        };
        let parent = rotation(self.joint_parent[joint], &self.joint_frame_parent[joint]);
        let child = rotation(self.joint_child[joint], &self.joint_frame_child[joint]);
        parent.conjugate() * child
    }
}
