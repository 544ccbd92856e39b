//! Where a shape is in a step.

use drystone_geometry::{DMat3, DVec3, Pose};

/// A rigid placement with the rotation as a matrix: collision turns many more vectors than it
/// composes poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub rotation: DMat3,
    pub position: DVec3,
}

impl Placement {
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, position: DVec3::ZERO };

    pub fn new(pose: &Pose) -> Self {
        Self { rotation: DMat3::from_quat(pose.rotation), position: pose.translation }
    }

    pub fn point(&self, local: DVec3) -> DVec3 {
        self.rotation * local + self.position
    }

    pub fn vector(&self, local: DVec3) -> DVec3 {
        self.rotation * local
    }

    pub fn local_point(&self, world: DVec3) -> DVec3 {
        self.local_vector(world - self.position)
    }

    pub fn local_vector(&self, world: DVec3) -> DVec3 {
        let r = &self.rotation;
        DVec3::new(r.x_axis.dot(world), r.y_axis.dot(world), r.z_axis.dot(world))
    }
}
