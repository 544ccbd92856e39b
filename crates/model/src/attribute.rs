//! Solver-specific numbers on entities, by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Named per-entity numbers that a solver declared, such as `vbd.dahl_eps_max` on joints.
/// Keys are `solver.name`; each array has one entry per entity, filled with the declared default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attributes {
    /// One number per body for every declared name.
    pub body: BTreeMap<String, Vec<f64>>,
    /// One number per shape for every declared name.
    pub shape: BTreeMap<String, Vec<f64>>,
    /// One number per joint for every declared name.
    pub joint: BTreeMap<String, Vec<f64>>,
}
