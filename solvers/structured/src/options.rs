//! What a user may choose.

use drystone_solve::BadOption;
use drystone_solve::ranges::{Ranges, above};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the linear systems are solved: the four methods of the comparison, and the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Trees by elimination; loops densely while they are few, iteratively beyond
    /// [`StructuredOptions::dense_rows`]; contacts and bounded forces by Newton's method on the bodies.
    #[default]
    Auto,
    /// All joints in one dense matrix: (a + l)³.
    FullDense,
    /// All joints by Krylov iterations: (a + l)² for a chain.
    FullIterative,
    /// Trees by elimination, loops in a dense Schur complement: a + al + l³.
    StructuredDense,
    /// Trees by elimination, loops by Krylov iterations: a + al + l².
    StructuredIterative,
}

/// The Krylov iteration for loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Krylov {
    /// Minimal residuals: redundant rows converge, contradictory ones end at least squares.
    #[default]
    Minres,
    /// Conjugate gradients.
    Cg,
    /// Biconjugate gradients, as in the slides; without preconditioner.
    Bicg,
}

/// How a step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Second order, symplectic, time-reversible: constraints at both ends of the step.
    #[default]
    Variational,
    /// First order, semi-implicit: forces, velocities, positions, then projection.
    Euler,
    /// Fourth order Runge–Kutta, then projection.
    Rk4,
}

/// What keeps the joints closed in the long run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stabilization {
    /// Velocities and positions are projected onto the constraints.
    #[default]
    Projection,
    /// g̈ = −α g − β ġ, for comparison.
    Baumgarte,
    /// Nothing, for comparison: joints drift.
    None,
}

/// Options of the `structured` solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StructuredOptions {
    /// How the linear systems are solved.
    pub method: Method,
    /// The iteration for loops.
    pub krylov: Krylov,
    /// How a step is taken.
    pub integrator: Integrator,
    /// What keeps the joints closed.
    pub stabilization: Stabilization,
    /// Joint error the position projection stops at \[m\]; angles count with the size of their joint.
    pub tolerance: f64,
    /// Joint rate the loop iterations stop at \[m/s\].
    pub velocity_tolerance: f64,
    /// Most Krylov iterations per linear system.
    pub max_iterations: u32,
    /// Most position projections per step; 1 trades accuracy for a fixed cost.
    pub max_projections: u32,
    /// Pieces every step is cut into at least: twice as many take twice the time, and end four times nearer to the true motion while it is smooth.
    pub min_pieces: u32,
    /// Most pieces a step is cut into when joints pull so hard that it does not resolve how bodies swing
    /// under them, or bodies in touch turn so far that they end in each other.
    pub max_pieces: u32,
    /// Whether models of nothing but chains of plain ball joints bring the angles of these joints (`State::joint_angle`) up to date
    /// in every step. Nothing in the solver reads them; without, `Model::joint_coordinates` still answers, but full turns are not counted.
    pub ball_angles: bool,
    /// Loop and contact rows up to which [`Method::Auto`] solves them densely.
    pub dense_rows: u32,
    /// Frequency of Baumgarte's feedback \[1/s\]: α = ω², β = 2ω.
    pub baumgarte_frequency: f64,
    /// Overlap of contacts and stops that is left alone \[m\]; contacts are solved to a thousandth of it per step.
    pub contact_tolerance: f64,
    /// Most passes of the friction iteration.
    pub friction_passes: u32,
    /// Change of a friction bound, relative to the largest, at which its passes end \[1\].
    pub friction_tolerance: f64,
}

impl Default for StructuredOptions {
    fn default() -> Self {
        Self {
            method: Method::default(),
            krylov: Krylov::default(),
            integrator: Integrator::default(),
            stabilization: Stabilization::default(),
            tolerance: 1.0e-10,
            velocity_tolerance: 1.0e-10,
            max_iterations: 1000,
            max_projections: 10,
            min_pieces: 1,
            max_pieces: 256,
            ball_angles: true,
            dense_rows: 96,
            baumgarte_frequency: 20.0,
            contact_tolerance: 1.0e-6,
            friction_passes: 24,
            friction_tolerance: 1.0e-6,
        }
    }
}

impl StructuredOptions {
    /// Whether every option lies in its range.
    pub(super) fn check(&self) -> Result<(), BadOption> {
        Ranges::of("structured")
            .number("tolerance", self.tolerance, above(0.0))
            .number("velocity_tolerance", self.velocity_tolerance, above(0.0))
            .number("max_iterations", self.max_iterations, 1..)
            .number("max_projections", self.max_projections, 1..)
            .number("min_pieces", self.min_pieces, 1..)
            .number("max_pieces", self.max_pieces, self.min_pieces..)
            .number("baumgarte_frequency", self.baumgarte_frequency, above(0.0))
            .number("contact_tolerance", self.contact_tolerance, 0.0..)
            .number("friction_passes", self.friction_passes, 1..)
            .number("friction_tolerance", self.friction_tolerance, 0.0..)
            .result()
    }
}
