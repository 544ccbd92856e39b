//! Joint coordinates to body poses and velocities, and back.
//!
//! A joint's first three coordinates are the offset of the child frame's origin in the parent joint
//! frame \[m\]; the last three its rotation \[rad\], written as [`Chart::of`] says: the turn about the
//! one free axis, intrinsic x-y-z angles for two or three, a rotation vector for ball, rod and free
//! joints. Coordinates of locked axes are the joint's error.

mod drift;
mod forward;
mod readout;
pub mod rotation;
mod tree;

pub use forward::{CoordinateError, LoopError};
pub use rotation::Chart;
pub use tree::{JointTree, TreeJoint};

use drystone_geometry::{DVec3, Pose};

use crate::model::{Model, WORLD};
use crate::state::{State, Twist};

/// Offset and rotation of six coordinates.
fn halves(coordinates: &[f64; 6]) -> (DVec3, DVec3) {
    let [x, y, z, a, b, c] = *coordinates;
    (DVec3::new(x, y, z), DVec3::new(a, b, c))
}

/// Six coordinates of an offset and a rotation.
fn joined(offset: DVec3, angles: DVec3) -> [f64; 6] {
    [offset.x, offset.y, offset.z, angles.x, angles.y, angles.z]
}

impl Model {
    /// The chart of a joint's rotation.
    pub fn joint_chart(&self, joint: usize) -> Chart {
        Chart::of(self.joint_kind[joint], &self.joint_axis[joint])
    }

    /// Pose of a body in a state; the identity for [`WORLD`].
    pub fn body_pose(&self, state: &State, body: u32) -> Pose {
        if body == WORLD { Pose::IDENTITY } else { state.body_q[body as usize] }
    }

    /// Centre of mass of a body in the world frame \[m\]; the origin for [`WORLD`].
    pub fn body_centre(&self, state: &State, body: u32) -> DVec3 {
        if body == WORLD {
            DVec3::ZERO
        } else {
            state.body_q[body as usize].transform_point(self.body_com[body as usize])
        }
    }

    /// Velocity of a body in a state; zero for [`WORLD`].
    pub fn body_velocity(&self, state: &State, body: u32) -> Twist {
        if body == WORLD { Twist::default() } else { state.body_qd[body as usize] }
    }

    /// The joint frames of a joint in the world frame: on the parent, on the child.
    pub fn joint_frames(&self, state: &State, joint: usize) -> (Pose, Pose) {
        (
            self.body_pose(state, self.joint_parent[joint]) * self.joint_frame_parent[joint],
            self.body_pose(state, self.joint_child[joint]) * self.joint_frame_child[joint],
        )
    }
}
