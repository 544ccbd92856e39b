//! What changes with time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::joint::AxisName;
use super::place::Rotation;

/// Where a drive aims, or where a kinematic body is, at certain times. In between it moves evenly; before the first key and
/// after the last it rests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MotionSpec {
    /// The joint whose drive it is.
    pub joint: Option<String>,
    /// The driven axis of the joint; its only driven axis if not given.
    pub axis: Option<AxisName>,
    /// The kinematic body it is, instead of a joint.
    pub body: Option<String>,
    /// What happens when, by rising time.
    pub keys: Vec<KeySpec>,
}

/// Where something is at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeySpec {
    /// Simulated time [s].
    pub time: f64,
    /// Target of the drive [m or rad]; for joints.
    pub target: Option<f64>,
    /// Position of the body frame [m]; for bodies, the initial one if not given.
    pub position: Option<[f64; 3]>,
    /// Rotation of the body frame; for bodies, the initial one if not given.
    pub rotation: Option<Rotation>,
}
