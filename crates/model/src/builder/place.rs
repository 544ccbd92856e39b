//! Where a thing is, said the same way for everything that has a pose.

/// Gives a definition with a field `pose` the methods `at`, `rotated` and `pose`; `$of` says of which frame, in
/// which frame.
macro_rules! pose_methods {
    ($of:literal) => {
        #[doc = concat!("Sets the position of ", $of, " \\[m\\].")]
        pub fn at(mut self, position: drystone_geometry::DVec3) -> Self {
            self.pose.translation = position;
            self
        }

        #[doc = concat!("Sets the rotation of ", $of, ".")]
        pub fn rotated(mut self, rotation: drystone_geometry::DQuat) -> Self {
            self.pose.rotation = rotation;
            self
        }

        #[doc = concat!("Sets the pose of ", $of, " \\[m\\].")]
        pub fn pose(mut self, pose: drystone_geometry::Pose) -> Self {
            self.pose = pose;
            self
        }
    };
}

pub(super) use pose_methods;
