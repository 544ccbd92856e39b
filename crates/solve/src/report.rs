//! What a step says about itself.

use serde::{Deserialize, Serialize};

/// The timed phases of a step, in order; the same names are used in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Targets and forces of the user.
    Control,
    /// Inertial targets and first guess.
    Predict,
    /// Bounding boxes.
    Bounds,
    /// Broad phase.
    Pairs,
    /// Narrow phase and matching.
    Contacts,
    /// Multipliers and penalties of the step before.
    WarmStart,
    /// Adjacency, colours, trees.
    Graph,
    /// The iterations.
    Iterate,
    /// Velocities.
    Finish,
    /// This report.
    Report,
}

/// What a step reached and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Iterations done.
    pub iterations: u32,
    /// Residual of the solver's own equations at the end, as a length \[m\]: the largest move the last
    /// iteration made.
    pub residual: f64,
    /// Number of contact points.
    pub contact_count: usize,
    /// Deepest overlap of two bodies after the step \[m\], by the contacts the solver used.
    pub max_penetration: f64,
    /// Largest joint gap after the step \[m\].
    pub max_joint_error: f64,
    /// Largest angular joint error after the step \[rad\].
    pub max_joint_angle_error: f64,
    /// Kinetic energy after the step \[J\].
    pub kinetic_energy: f64,
    /// Potential energy in gravity after the step, zero at the origin \[J\].
    pub potential_energy: f64,
    /// Linear momentum after the step \[kg·m/s\].
    pub momentum: [f64; 3],
    /// Angular momentum about the origin after the step \[kg·m²/s\].
    pub angular_momentum: [f64; 3],
    /// Colours, islands or blocks used.
    pub color_count: u32,
    /// How often a capacity had to grow in this step.
    pub growth_count: u32,
    /// Bodies quarantined in this step because their state stopped being finite.
    pub quarantined: Vec<u32>,
    /// Joints that broke in this step.
    pub broken: Vec<u32>,
    /// Bodies asleep.
    pub asleep: u32,
    /// Seconds spent in each phase.
    pub time: Vec<(Phase, f64)>,
}
