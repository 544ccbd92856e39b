//! Frames from what users have at hand: an anchor and an axis.

use drystone_geometry::{DMat3, DQuat, DVec3, Pose};

use crate::validate::numbers::UNIT_TOLERANCE;

/// A quaternion that no validation passes: what a direction of no length gives.
const NO_ROTATION: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

/// The shortest rotation that takes the unit vector `from` to the direction of `to`.
/// A direction without length gives the zero quaternion, which `finalize` refuses by name.
pub(crate) fn arc(from: DVec3, to: DVec3) -> DQuat {
    to.try_normalize().map_or(NO_ROTATION, |to| DQuat::from_rotation_arc(from, to).normalize())
}

/// The rotation whose x axis is `x` and whose y axis is the part of `y` across it.
pub(crate) fn from_xy(x: DVec3, y: DVec3) -> DQuat {
    let frame = x.try_normalize().and_then(|x| {
        let y = y.reject_from_normalized(x).try_normalize()?;
        Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))))
    });
    frame.map_or(NO_ROTATION, DQuat::normalize)
}

/// The pose with its rotation brought to unit length, if it was meant to have it; validation sees
/// the others as they are. One of unit length to rounding stays as it is: a model written to a file
/// and read back must be the same to the last bit.
pub(crate) fn tidy(mut pose: Pose) -> Pose {
    let error = (pose.rotation.length() - 1.0).abs();
    if error > 4.0 * f64::EPSILON && error <= UNIT_TOLERANCE {
        pose.rotation = pose.rotation.normalize();
    }
    pose
}
