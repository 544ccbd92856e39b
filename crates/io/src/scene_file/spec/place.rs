//! Where things are.

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess};
use serde::{Deserialize, Serialize};

use drystone_geometry::{DQuat, DVec3, Pose};

use super::either::{self, Forms};

/// A rotation: a unit quaternion [x, y, z, w], or { axis, degrees } or { axis, radians }.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Rotation {
    /// A unit quaternion [x, y, z, w].
    Quaternion([f64; 4]),
    /// A turn about an axis.
    AxisAngle(AxisAngle),
}

/// A turn about an axis by the right-hand rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisAngle {
    /// Direction of the axis; its length does not matter.
    pub axis: [f64; 3],
    /// Angle in degrees.
    #[serde(default)]
    pub degrees: f64,
    /// Angle in radians, added to the degrees.
    #[serde(default)]
    pub radians: f64,
}

impl Forms for Rotation {
    const EXPECTED: &'static str = "a quaternion [x, y, z, w] or { axis: [x, y, z], degrees: … }";

    fn from_list<'de, A: SeqAccess<'de>>(list: SeqAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        Some(either::array(list).map(Self::Quaternion))
    }

    fn from_object<'de, A: MapAccess<'de>>(map: MapAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        Some(AxisAngle::deserialize(map).map(Self::AxisAngle))
    }
}

impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        either::read(deserializer)
    }
}

impl Rotation {
    /// The quaternion. An axis without length gives the zero quaternion, which validation refuses.
    pub fn quaternion(&self) -> DQuat {
        match *self {
            Self::Quaternion(xyzw) => DQuat::from_array(xyzw),
            Self::AxisAngle(AxisAngle { axis, degrees, radians }) => {
                DVec3::from_array(axis).try_normalize().map_or(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |axis| {
                    DQuat::from_axis_angle(axis, degrees.to_radians() + radians)
                })
            }
        }
    }
}

/// A frame: where its origin is and how it is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FrameSpec {
    /// Origin [m]; [0, 0, 0] if not given.
    pub position: Option<[f64; 3]>,
    /// Rotation; none if not given.
    pub rotation: Option<Rotation>,
}

impl FrameSpec {
    /// The pose.
    pub fn pose(&self) -> Pose {
        pose(self.position, self.rotation)
    }

    /// The shortest way to write a pose.
    pub fn from_pose(pose: &Pose) -> Self {
        let (position, rotation) = parts(pose);
        Self { position, rotation }
    }
}

/// A pose from optional parts.
pub fn pose(position: Option<[f64; 3]>, rotation: Option<Rotation>) -> Pose {
    let rotation = rotation.map_or(DQuat::IDENTITY, |rotation| rotation.quaternion());
    Pose::from_parts(DVec3::from_array(position.unwrap_or_default()), rotation)
}

/// The parts of a pose that are not what is assumed without them.
pub fn parts(pose: &Pose) -> (Option<[f64; 3]>, Option<Rotation>) {
    let position = pose.translation.to_array();
    let quaternion = pose.rotation.to_array();
    // By bits: −0 must come back as −0 for a model to hash the same.
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    (
        (!same(&position, &[0.0; 3])).then_some(position),
        (!same(&quaternion, &[0.0, 0.0, 0.0, 1.0])).then_some(Rotation::Quaternion(quaternion)),
    )
}
