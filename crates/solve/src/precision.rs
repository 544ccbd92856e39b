//! Number types of iterations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number type of a solver's iterations. Poses and velocities of the state are `f64` in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}
