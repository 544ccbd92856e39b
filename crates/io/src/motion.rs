//! Key frames of bodies and particles.

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};
use drystone_picture::visual::{Skin, SkinKind};

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

/// Where all particles are at every key \[m\]. Where a number is not finite the last good place stays.
pub(crate) fn particle_tracks(recording: &Recording, keys: &[(usize, f32)]) -> Vec<Vec<DVec3>> {
    let mut last = recording.model.particle_q.clone();
    let mut at = |&(frame, _): &(usize, f32)| {
        for (last, &q) in last.iter_mut().zip(recording.particles(frame)) {
            *last = if q.is_finite() { q } else { *last };
        }
        last.clone()
    };
    keys.iter().map(&mut at).collect()
}

/// Where all particles are at the first frame, or in the model if there is none \[m\].
pub(crate) fn first_particles(recording: &Recording) -> Vec<DVec3> {
    let first: &[(usize, f32)] = if recording.frame_count() == 0 { &[] } else { &[(0, 0.0)] };
    particle_tracks(recording, first).pop().unwrap_or_else(|| recording.model.particle_q.clone())
}

/// What skins are called: by what they are and their number.
pub(crate) fn skin_name(skin: &Skin, number: usize) -> String {
    match skin.kind {
        SkinKind::Sheet(_) => format!("cloth_{number}"),
        SkinKind::Solid(_) => format!("soft_body_{number}"),
        SkinKind::String(..) => format!("string_{number}"),
        SkinKind::Ball(particle, _) => format!("particle_{particle}"),
    }
}
