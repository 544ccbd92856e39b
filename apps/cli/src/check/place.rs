//! Where bodies and surfaces are in a frame.

use drystone::Recording;
use drystone::geometry::{Aabb, DMat3, DVec3, Pose};

/// What rounding does to a point that is taken to the frame of a body, relative to its coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Where a body is: rigid, or stretched and sheared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    linear: DMat3,
    offset: DVec3,
}

impl Place {
    /// The world itself.
    pub const WORLD: Self = Self { linear: DMat3::IDENTITY, offset: DVec3::ZERO };

    fn of_pose(pose: &Pose) -> Self {
        Self { linear: DMat3::from_quat(pose.rotation), offset: pose.translation }
    }

    fn of_rows(q: &[f64; 12]) -> Self {
        let column = |c: usize| DVec3::new(q[c], q[4 + c], q[8 + c]);
        Self { linear: DMat3::from_cols(column(0), column(1), column(2)), offset: column(3) }
    }

    /// A point of the body in the world \[m\].
    pub fn point(&self, v: DVec3) -> DVec3 {
        self.linear * v + self.offset
    }

    /// A point of the world in the body \[m\].
    pub fn to_rest(self, x: DVec3) -> DVec3 {
        self.linear.inverse() * (x - self.offset)
    }

    /// What of the body a box of the world can cover, as a box in its frame.
    pub fn box_to_rest(&self, region: &Aabb) -> Aabb {
        let inverse = self.linear.inverse();
        let (center, half) = (region.center(), 0.5 * region.extent());
        let rounding = ROUNDING * (center.abs() + self.offset.abs() + half).max_element();
        let wide = DMat3::from_cols(inverse.x_axis.abs(), inverse.y_axis.abs(), inverse.z_axis.abs());
        Aabb::from_center_half(inverse * (center - self.offset), wide * (half + DVec3::splat(rounding)))
    }
}

/// Where all bodies are in a frame: as deformed, if that was recorded.
pub fn places(recording: &Recording, frame: usize) -> Vec<Place> {
    match recording.affine(frame) {
        [] => recording.poses(frame).iter().map(Place::of_pose).collect(),
        rows => rows.iter().map(Place::of_rows).collect(),
    }
}

/// Where all bodies are a share of the way from a frame to the next: straight, turning evenly.
pub fn places_between(recording: &Recording, frame: usize, share: f64) -> Vec<Place> {
    let next = places(recording, frame + 1);
    if !recording.affine(frame).is_empty() {
        let mix = |(a, b): (&Place, &Place)| Place {
            linear: a.linear * (1.0 - share) + b.linear * share,
            offset: a.offset.lerp(b.offset, share),
        };
        return places(recording, frame).iter().zip(&next).map(mix).collect();
    }
    let mix = |(a, b): (&Pose, &Pose)| {
        let turned = a.rotation.slerp(b.rotation, share);
        Place::of_pose(&Pose::from_parts(a.translation.lerp(b.translation, share), turned))
    };
    recording.poses(frame).iter().zip(recording.poses(frame + 1)).map(mix).collect()
}

/// Largest turn of a body from a frame to the next \[rad\]; 0 where bodies are affine, whose way is straight.
pub fn largest_turn(recording: &Recording, frame: usize) -> f64 {
    if !recording.affine(frame).is_empty() {
        return 0.0;
    }
    let pairs = recording.poses(frame).iter().zip(recording.poses(frame + 1));
    pairs.map(|(a, b)| a.rotation.angle_between(b.rotation)).fold(0.0, f64::max)
}
