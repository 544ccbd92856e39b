//! Targets that change with time: key frames of drives and of kinematic bodies.

use drystone_geometry::Pose;
use drystone_model::Control;

/// Everything a scene file moves by key frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyFrames {
    /// Drives: joint, axis, and targets \[m or rad\] by time \[s\].
    pub(super) drives: Vec<(usize, usize, Track<f64>)>,
    /// Kinematic bodies, and their poses by time \[s\].
    pub(super) bodies: Vec<(usize, Track<Pose>)>,
}

/// Values at rising times \[s\]; never empty.
pub(super) type Track<T> = Vec<(f64, T)>;

impl KeyFrames {
    /// Whether nothing is moved.
    pub fn is_empty(&self) -> bool {
        self.drives.is_empty() && self.bodies.is_empty()
    }

    /// Sets the targets of the step from `time` to `time + dt` \[s\]. A drive aims at where it shall be at the end of the step,
    /// and at the rate that takes it there.
    pub fn apply(&self, time: f64, dt: f64, control: &mut Control) {
        let mix = |a: &f64, b: &f64, share: f64| a + (b - a) * share;
        for (joint, axis, track) in &self.drives {
            let [now, then] = [time, time + dt].map(|time| at(track, time, mix));
            control.joint_target[*joint][*axis] = then;
            control.joint_target_velocity[*joint][*axis] = (then - now) / dt;
        }
        for (body, track) in &self.bodies {
            control.body_target[*body] = Some(at(track, time + dt, between));
        }
    }
}

/// The value of a track at a time.
fn at<T: Copy>(track: &Track<T>, time: f64, mix: impl Fn(&T, &T, f64) -> T) -> T {
    let after = track.partition_point(|(key, _)| *key <= time);
    match (after.checked_sub(1).map(|before| &track[before]), track.get(after)) {
        (Some((start, a)), Some((end, b))) => mix(a, b, (time - start) / (end - start)),
        (Some((_, last)), None) => *last,
        (None, _) => track[0].1,
    }
}

/// A pose part of the way from one to another, turning evenly the short way round.
fn between(a: &Pose, b: &Pose, share: f64) -> Pose {
    Pose::from_parts(a.translation.lerp(b.translation, share), a.rotation.slerp(b.rotation, share))
}

#[cfg(test)]
mod tests {
    use drystone_geometry::{DQuat, DVec3};

    use super::*;

    #[test]
    fn targets_rest_before_and_after_and_move_evenly_in_between() {
        let keys = KeyFrames { drives: vec![(0, 3, vec![(1.0, 2.0), (3.0, -2.0)])], ..KeyFrames::default() };
        let mut control =
            Control { joint_target: vec![[9.0; 6]], joint_target_velocity: vec![[9.0; 6]], ..Control::default() };
        for (time, target, rate) in
            [(0.0, 2.0, 0.0), (1.0, 1.0, -2.0), (2.0, -1.0, -2.0), (2.75, -2.0, -1.0), (5.0, -2.0, 0.0)]
        {
            keys.apply(time, 0.5, &mut control);
            let found = (control.joint_target[0][3], control.joint_target_velocity[0][3]);
            assert_eq!(found, (target, rate), "at {time}");
        }
        assert_eq!(control.joint_target[0][0], 9.0, "other axes are left alone");
    }

    #[test]
    fn bodies_turn_evenly() {
        let end = Pose::from_parts(DVec3::X * 4.0, DQuat::from_rotation_z(2.0));
        let keys = KeyFrames { bodies: vec![(1, vec![(0.0, Pose::IDENTITY), (2.0, end)])], ..KeyFrames::default() };
        let mut control = Control { body_target: vec![None; 2], ..Control::default() };
        keys.apply(0.25, 0.25, &mut control);
        assert_eq!(control.body_target[0], None);
        let pose = control.body_target[1].unwrap();
        assert!((pose.translation - DVec3::X).length() < 1e-12);
        assert!((pose.rotation * DVec3::X - DQuat::from_rotation_z(0.5) * DVec3::X).length() < 1e-12);
        assert!((pose.rotation * DVec3::Z - DVec3::Z).length() < 1e-12);
    }
}
