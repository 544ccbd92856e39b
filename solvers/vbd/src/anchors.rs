//! Where the surfaces of two bodies stick together.

use drystone_kernels::double::math::Vec3;
use drystone_model::{DMat3, DVec3, Pose};

use super::contact_cache::CachedPoint;
use super::convert::vec3;

/// Way of a contact over the surfaces, as a share of its lever, after which it gets new anchors.
pub const ROLLED: f64 = 0.01;

/// The frames of two bodies in contact.
pub struct Surfaces {
    rotation: [DMat3; 2],
    origin: [DVec3; 2],
}

/// Anchors of a point in the frames of the two bodies, and how far they are apart.
pub struct Anchored {
    /// The anchors \[m\].
    pub anchor: [DVec3; 2],
    /// From the first to the second, world axes \[m\].
    pub apart: Vec3,
}

impl Surfaces {
    /// From the poses of the bodies.
    pub fn new(pose: [Pose; 2]) -> Self {
        Self { rotation: pose.map(|pose| DMat3::from_quat(pose.rotation)), origin: pose.map(|pose| pose.translation) }
    }

    /// Anchors of a point that is `here` on the two surfaces. Where one body rolls on the other the place of contact
    /// wanders over both; material anchors left behind would pull the bodies back, so new ones are taken.
    /// `arm` is the squared distance of the point from the nearer moving body.
    pub fn anchor(&self, here: [DVec3; 2], arm: f64, old: Option<&CachedPoint>) -> Anchored {
        if let Some(old) = old.filter(|old| old.stuck) {
            let [first, second] = [0, 1].map(|side| self.rotation[side] * old.anchor[side] + self.origin[side]);
            if (here[0] - first).length_squared() <= ROLLED * ROLLED * arm {
                return Anchored { anchor: old.anchor, apart: vec3(second - first) };
            }
        }
        let anchor = [0, 1].map(|side| self.rotation[side].transpose() * (here[side] - self.origin[side]));
        Anchored { anchor, apart: vec3(here[1] - here[0]) }
    }
}
