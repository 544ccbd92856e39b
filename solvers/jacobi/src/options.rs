//! What a user may choose.

use drystone_device::DeviceChoice;
use drystone_solve::ranges::{Ranges, above};
use drystone_solve::{BadOption, Precision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NAME;

/// The diagonal the iteration divides by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Splitting {
    /// The diagonal blocks of the Delassus matrix: block Jacobi as in the textbook.
    Diagonal,
    /// Every body is split evenly among its constraints, each of which is solved between such light
    /// bodies; the velocities are averaged. Never diverges.
    #[default]
    Mass,
}

/// What is done with the sequence of iterates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Acceleration {
    /// Each iterate is the next one's start.
    None,
    /// Chebyshev semi-iteration; Nesterov's sequence where rows have bounds, for which it is sound.
    #[default]
    Chebyshev,
}

/// How position errors are taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stabilization {
    /// Not at all: joints drift.
    Off,
    /// As part of the velocity the constraints ask for.
    Bias,
    /// By moving the bodies after the step, without a change of their velocities.
    #[default]
    Projection,
}

/// Options of the `jacobi` solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JacobiOptions {
    /// Iterations per substep.
    pub iterations: u32,
    /// Substeps per step, each with its own collision detection. Zero chooses: eight, or as many as keep the turn
    /// of jointed bodies in a substep small.
    pub substeps: u32,
    /// Number type of the iterations.
    pub precision: Precision,
    /// The diagonal divided by.
    pub splitting: Splitting,
    /// Share γ of a Jacobi step that is taken; null chooses a value that cannot diverge. With Chebyshev
    /// acceleration a number replaces the one that follows from its interval.
    pub relaxation: Option<f64>,
    /// What is done with the sequence of iterates.
    pub acceleration: Acceleration,
    /// Ratio of the largest to the smallest eigenvalue that Chebyshev's interval spans; null chooses by
    /// the number of iterations.
    pub condition: Option<f64>,
    /// Share of the multipliers that is the start of the next step \[1\]; 0 starts afresh.
    pub warm_start: f64,
    /// How position errors are taken back.
    pub stabilization: Stabilization,
    /// Share of the position error taken back per step \[1\].
    pub correction: f64,
    /// Iterations of the projection.
    pub projection_iterations: u32,
    /// GPU that runs the iterations, in single precision; null runs them on the CPU. Needs a build with the feature
    /// `gpu`.
    #[schemars(with = "Option<String>")]
    pub device: Option<DeviceChoice>,
    /// Measures the kernels of the GPU one by one, for which the CPU waits after each.
    pub kernel_times: bool,
}

impl Default for JacobiOptions {
    fn default() -> Self {
        Self {
            iterations: 10,
            substeps: 0,
            precision: Precision::Single,
            splitting: Splitting::default(),
            relaxation: None,
            acceleration: Acceleration::default(),
            condition: None,
            warm_start: 1.0,
            stabilization: Stabilization::default(),
            correction: 0.2,
            projection_iterations: 10,
            device: None,
            kernel_times: false,
        }
    }
}

impl JacobiOptions {
    /// The plain method: twenty iterations of textbook block Jacobi, full steps, warm started, velocities only.
    pub fn baseline() -> Self {
        Self {
            iterations: 20,
            substeps: 1,
            splitting: Splitting::Diagonal,
            relaxation: Some(1.0),
            acceleration: Acceleration::None,
            stabilization: Stabilization::Off,
            ..Self::default()
        }
    }

    /// Whether every option lies in its range.
    pub(super) fn check(&self) -> Result<(), BadOption> {
        if self.device.is_some() && self.precision == Precision::Double {
            return Err(BadOption {
                solver: NAME,
                option: "precision",
                value: "double".into(),
                allowed: "single where `device` names a GPU".into(),
            });
        }
        Ranges::of(NAME)
            .number("iterations", self.iterations, 1..)
            .optional("relaxation", self.relaxation, above(0.0))
            .optional("condition", self.condition, above(1.0))
            .number("warm_start", self.warm_start, 0.0..=1.0)
            .number("correction", self.correction, 0.0..=1.0)
            .result()
    }
}
