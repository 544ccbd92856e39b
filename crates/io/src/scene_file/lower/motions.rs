//! Key frames: who moves, and whether the keys say where.

use drystone_geometry::{DVec3, Pose};

use super::super::json5::Step;
use super::super::keys::{KeyFrames, Track};
use super::super::spec::{KeySpec, MotionSpec};
use super::joints::axis;
use super::shapes::below;
use super::{Lowering, Path};
use drystone_model::{BodyId, BodyKind, Drive, nearest};

impl Lowering<'_> {
    pub fn key_frames(&mut self) -> KeyFrames {
        let spec = self.spec;
        let mut frames = KeyFrames::default();
        for (k, motion) in spec.motions.iter().enumerate() {
            let path = vec![Step::Key("motions"), Step::Index(k)];
            match (&motion.joint, &motion.body) {
                (Some(joint), None) => frames.drives.extend(self.drive_track(motion, joint, &path)),
                (None, Some(body)) => frames.bodies.extend(self.body_track(motion, body, &path)),
                _ => self.fault(&path, "it is not clear what moves", "give either `joint` or `body`"),
            }
        }
        frames
    }

    fn drive_track(&mut self, motion: &MotionSpec, name: &str, path: &Path) -> Option<(usize, usize, Track<f64>)> {
        let target = |key: &KeySpec| key.target.filter(|_| key.position.is_none() && key.rotation.is_none());
        let track = self.track(motion, path, target, "a key of a joint has a `time` and a `target`");
        let joint = self.joint_at(name, &below(path, Step::Key("joint")))?;
        let driven: Vec<usize> = self.driven_axes(joint);
        let wanted = motion.axis.map(|name| axis(name) as usize);
        match (wanted, driven.as_slice()) {
            (Some(wanted), axes) if axes.contains(&wanted) => Some((joint, wanted, track?)),
            (None, &[only]) => Some((joint, only, track?)),
            (None, [_, _, ..]) => {
                self.fault(path, format!("joint `{name}` drives more than one axis"), "say which by `axis`");
                None
            }
            _ => {
                let help = "give the joint a `drive` with a `stiffness` or a `damping`";
                self.fault(path, format!("joint `{name}` has no drive there that could follow"), help);
                None
            }
        }
    }

    fn body_track(&mut self, motion: &MotionSpec, name: &str, path: &Path) -> Option<(usize, Track<Pose>)> {
        let body = self.body_at(name, &below(path, Step::Key("body")))?.built_index();
        let kind = self.builder.body_mut(BodyId(body as u32)).map(|def| def.kind);
        if kind != Some(BodyKind::Kinematic) {
            let help = "make the body `kind: \"kinematic\"`, or drive a joint of it";
            self.fault(&below(path, Step::Key("body")), format!("body `{name}` is moved by forces, not by keys"), help);
            return None;
        }
        let start = self.body_pose[body];
        let placed = |key: &KeySpec| {
            let rotation = key.rotation.map_or(start.rotation, |rotation| rotation.quaternion());
            let pose = Pose::from_parts(key.position.map_or(start.translation, DVec3::from_array), rotation);
            (key.target.is_none() && pose.translation.is_finite() && pose.rotation.is_normalized()).then_some(pose)
        };
        let help = "a key of a body has a `time`, a `position` and a `rotation` that is not zero";
        Some((body, self.track(motion, path, placed, help)?))
    }

    /// The keys of a motion, by rising time.
    fn track<T>(
        &mut self,
        motion: &MotionSpec,
        path: &Path,
        value: impl Fn(&KeySpec) -> Option<T>,
        help: &str,
    ) -> Option<Track<T>> {
        let mut track: Track<T> = Vec::new();
        if motion.keys.is_empty() {
            self.fault(path, "there are no keys", "give `keys: [{ time: 0, … }, { time: 1, … }]`");
            return None;
        }
        for (k, key) in motion.keys.iter().enumerate() {
            let path = below(&below(path, Step::Key("keys")), Step::Index(k));
            if !key.time.is_finite() || track.last().is_some_and(|(before, _)| *before >= key.time) {
                let message = format!("the time {} does not come after the one before", key.time);
                self.fault(&below(&path, Step::Key("time")), message, "list keys by rising time, in seconds");
                return None;
            }
            match value(key) {
                Some(value) => track.push((key.time, value)),
                None => {
                    self.fault(&path, "this key does not say where it shall be", help);
                    return None;
                }
            }
        }
        Some(track)
    }

    pub(super) fn joint_at(&mut self, name: &str, path: &Path) -> Option<usize> {
        let spec = self.spec;
        let named = |(index, path): (usize, &Path)| match path[..] {
            [Step::Key("joints"), Step::Index(k)] => {
                Some((index, spec.joints[k].name.clone().unwrap_or_else(|| format!("joint_{index}"))))
            }
            _ => None,
        };
        let own = self.origins.joint.iter().enumerate().filter_map(named);
        let known: Vec<(usize, String)> = own.chain(self.joint_included.iter().cloned()).collect();
        if let Some((index, _)) = known.iter().find(|(_, known)| known == name) {
            return Some(*index);
        }
        // A joint that is there but faulty has been told already.
        if self.lost.names(name) || spec.joints.iter().any(|joint| joint.name.as_deref() == Some(name)) {
            return None;
        }
        let help = match nearest(name, known.iter().map(|(_, name)| name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name one of `joints`".to_owned(),
        };
        self.fault(path, format!("there is no joint `{name}`"), help);
        None
    }

    /// The axes of a joint that a drive acts on.
    fn driven_axes(&self, joint: usize) -> Vec<usize> {
        let acts = |drive: &Drive| drive.stiffness > 0.0 || drive.damping > 0.0;
        let drives = self.joint_drives.get(&joint).copied().unwrap_or_default();
        (0..6).filter(|&axis| acts(&drives[axis])).collect()
    }
}
