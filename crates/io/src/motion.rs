//! Key frames of bodies.

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};

/// Motion of one body, one key per entry of [`key_frames`].
pub(crate) struct Track {
    /// Positions \[m\].
    pub(crate) translation: Vec<DVec3>,
    /// Orientations; neighbours lie on the same side, so that blending takes the short way.
    pub(crate) rotation: Vec<DQuat>,
}

/// Frames whose times rise, as single-precision seconds since the first: what animation formats need.
pub(crate) fn key_frames(recording: &Recording) -> Vec<(usize, f32)> {
    let mut keys: Vec<(usize, f32)> = Vec::new();
    let start = recording.time.first().copied().unwrap_or(0.0);
    for (frame, time) in recording.time.iter().enumerate() {
        let seconds = (time - start) as f32;
        if keys.last().is_none_or(|&(_, before)| seconds > before) {
            keys.push((frame, seconds));
        }
    }
    keys
}

impl Track {
    /// Motion of a body, or `None` if it rests. Where the pose is not finite the last good one stays.
    pub(crate) fn of(recording: &Recording, body: usize, keys: &[(usize, f32)]) -> Option<Self> {
        let mut last = recording.model.body_q[body];
        let mut track = Self { translation: Vec::new(), rotation: Vec::new() };
        for &(frame, _) in keys {
            last = next(last, recording.poses(frame)[body]);
            track.translation.push(last.translation);
            track.rotation.push(last.rotation);
        }
        let moves =
            track.translation.windows(2).any(|w| w[0] != w[1]) || track.rotation.windows(2).any(|w| w[0] != w[1]);
        moves.then_some(track)
    }
}

/// A pose after another one: finite, and with the quaternion of the nearer sign.
fn next(last: Pose, pose: Pose) -> Pose {
    if !pose.translation.is_finite() || !pose.rotation.is_finite() {
        return last;
    }
    let rotation = if last.rotation.dot(pose.rotation) < 0.0 { -pose.rotation } else { pose.rotation };
    Pose::from_parts(pose.translation, rotation.normalize())
}

/// Where a body is at the first frame, or in the model if there is none.
pub(crate) fn first_pose(recording: &Recording, body: usize) -> Pose {
    let start = recording.model.body_q[body];
    if recording.frame_count() == 0 { start } else { next(start, recording.poses(0)[body]) }
}
