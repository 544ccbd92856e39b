//! What an engine took and what it reached.

use serde::{Deserialize, Serialize};

use super::Case;
use crate::bench::record::number;

/// A line of the table; field by field what `benches/peers` writes, and why there is nothing if so.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerRow {
    /// Scene with its settings.
    pub scene: String,
    /// Engine with its settings.
    pub engine: String,
    /// Version, where the engine tells.
    pub version: Option<String>,
    /// Threads.
    pub threads: usize,
    /// Bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Steps taken.
    pub steps: u64,
    /// Steps asked for.
    pub steps_asked: u64,
    /// Median step on the processors, all threads together \[ms\].
    #[serde(deserialize_with = "number")]
    pub cpu_ms: f64,
    /// The same over the last third of the run \[ms\].
    #[serde(deserialize_with = "number")]
    pub cpu_ms_late: f64,
    /// Median step by the clock on the wall \[ms\].
    #[serde(deserialize_with = "number")]
    pub wall_ms: f64,
    /// Fastest step by the clock on the wall \[ms\].
    #[serde(deserialize_with = "number")]
    pub wall_ms_min: f64,
    /// Deepest overlap of the run \[m\].
    #[serde(deserialize_with = "number")]
    pub penetration_max: f64,
    /// Deepest overlap at the end \[m\].
    #[serde(deserialize_with = "number")]
    pub penetration_end: f64,
    /// Largest distance of a body from its start \[m\].
    #[serde(deserialize_with = "number")]
    pub moved_max: f64,
    /// The same at the end \[m\].
    #[serde(deserialize_with = "number")]
    pub moved_end: f64,
    /// Largest joint gap of the run \[m\].
    #[serde(deserialize_with = "number")]
    pub joint_gap_max: f64,
    /// Largest gain of energy, relative to the fall.
    #[serde(deserialize_with = "number")]
    pub energy_gain: f64,
    /// Kinetic energy at the end \[J\].
    #[serde(deserialize_with = "number")]
    pub kinetic_energy_end: f64,
    /// Whether the scene's claim held; nothing where the run was cut short.
    pub passed: Option<bool>,
    /// The figures of the claim.
    pub measured: String,
    /// Share of every phase in percent, where the engine tells.
    #[serde(default)]
    pub phases: Vec<(String, f64)>,
    /// Why there are no figures.
    #[serde(default)]
    pub failure: Option<String>,
}

impl PeerRow {
    /// A row without figures.
    pub fn failed(case: &Case, reason: String) -> Self {
        let nan = f64::NAN;
        Self {
            scene: case.scene.clone(),
            engine: case.engine.clone(),
            version: None,
            threads: 1,
            bodies: 0,
            joints: 0,
            steps: 0,
            steps_asked: 0,
            cpu_ms: nan,
            cpu_ms_late: nan,
            wall_ms: nan,
            wall_ms_min: nan,
            penetration_max: nan,
            penetration_end: nan,
            moved_max: nan,
            moved_end: nan,
            joint_gap_max: nan,
            energy_gain: nan,
            kinetic_energy_end: nan,
            passed: None,
            measured: String::new(),
            phases: Vec::new(),
            failure: Some(reason),
        }
    }

    /// What is compared \[ms per step\]: on one thread the time on the processor, which a busy machine does not lengthen;
    /// on several the time on the wall, which is what they are there for.
    pub fn time(&self) -> f64 {
        if self.threads == 1 { self.cpu_ms } else { self.wall_ms }
    }
}
