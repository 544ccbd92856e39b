//! Rigid placements.

/// A rigid placement: `x_world = rotation * x_local + translation`.
///
/// `translation` is in metres; `rotation` is a unit quaternion stored (x, y, z, w).
pub type Pose = glamx::DPose3;
