//! How a scene is meant to be run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};

use super::either::{self, Forms};

/// How a scene is meant to be run. What is not given is left to the solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SceneSettings {
    /// Solver: "vbd", "abd", "jacobi" or "structured".
    pub solver: Option<String>,
    /// Time step [s].
    pub dt: Option<f64>,
    /// Time to simulate [s].
    pub seconds: Option<f64>,
    /// Solver iterations per step.
    pub iterations: Option<u32>,
    /// Further options of the solver by name, as `--option` takes them.
    pub options: BTreeMap<String, OptionValue>,
    /// From where to look at the scene.
    pub camera: Option<CameraHint>,
}

/// An option of a solver: a number, true or false, or a string.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// A number.
    Number(f64),
    /// True or false.
    Bool(bool),
    /// A string.
    Text(String),
}

impl Forms for OptionValue {
    const EXPECTED: &'static str = "a number, true or false, or a string";

    fn from_number(value: f64) -> Option<Self> {
        Some(Self::Number(value))
    }

    fn from_bool(value: bool) -> Option<Self> {
        Some(Self::Bool(value))
    }

    fn from_text(value: &str) -> Option<Self> {
        Some(Self::Text(value.to_owned()))
    }
}

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        either::read(deserializer)
    }
}

impl From<&OptionValue> for serde_json::Value {
    /// Whole numbers become integers, as options that count things expect.
    fn from(value: &OptionValue) -> Self {
        match value {
            OptionValue::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => (*value as i64).into(),
            OptionValue::Number(value) => (*value).into(),
            OptionValue::Bool(value) => (*value).into(),
            OptionValue::Text(value) => value.as_str().into(),
        }
    }
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

/// From where to look at a scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CameraHint {
    /// Where the eye is [m].
    pub eye: [f64; 3],
    /// What it looks at [m].
    pub target: [f64; 3],
    /// Vertical angle of view in degrees.
    pub fov_degrees: Option<f64>,
}
