//! What there is to draw and from where, for those who draw it themselves.

use drystone::Recording;
use drystone::geometry::DVec3;

use crate::raster::{Camera, GROUND_FACTOR, View, add_floor};
use crate::visual::{Anchor, Extent, Visual, anchors, framed_balls, moving_balls};

/// The look of a recording, nothing cut away: parts with a ground below them, and a camera that sees all that moves.
#[derive(Clone, Debug)]
pub struct Look {
    /// Meshes and the parts that wear them; arms and pins of [`anchors`] come last.
    pub visual: Visual,
    /// Place and size of what moves.
    pub extent: Extent,
    /// Where everything fits in.
    pub camera: Camera,
    /// Unit vector against gravity.
    pub up: DVec3,
}

impl Look {
    /// The look of a recording from a view; `aspect` is width over height.
    pub fn of(recording: &Recording, view: &View, aspect: f64) -> Self {
        let gravity = recording.model.world_gravity.first().copied().unwrap_or(DVec3::NEG_Z);
        let up = (-gravity).normalize_or(DVec3::Z);
        let (balls, extent) = (moving_balls(recording), Extent::of(recording));
        let mut visual = Visual::new(recording, GROUND_FACTOR);
        if !visual.parts.iter().any(|part| part.ground) {
            add_floor(&mut visual, &balls, &extent, up);
        }
        let anchors = anchors(recording);
        let mut framed = framed_balls(recording, &balls, &[]);
        framed.extend(anchors.iter().map(Anchor::ball));
        visual.add_anchors(&anchors);
        Self { visual, extent, camera: Camera::framing(&framed, up, aspect, view), up }
    }
}

#[cfg(test)]
mod tests {
    use drystone::model::{BodyDef, ModelBuilder};

    use super::*;

    #[test]
    fn what_hangs_in_the_air_has_a_floor_and_is_in_sight() {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("ball").at(DVec3::new(3.0, 2.0, 7.0)).sphere(0.5));
        let recording = Recording { model: scene.finalize().unwrap(), ..Recording::default() };
        let look = Look::of(&recording, &View::default(), 16.0 / 9.0);
        let [ball, floor] = &look.visual.parts[..] else { panic!("a ball and a floor") };
        assert!(!ball.ground && floor.ground && floor.pose.translation.z < 6.5);
        let seen = look.camera.see(DVec3::new(3.0, 2.0, 7.0));
        assert!(seen.z > 0.0 && seen.truncate().length() < 1e-9, "in the middle: {seen}");
        assert_eq!(look.up, DVec3::Z);
    }
}
