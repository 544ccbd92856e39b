//! Blocks of rows as the solver describes them to the passes, in double precision.

use drystone_model::{DVec3, WORLD};

/// Up to three rows between two bodies: rate = linear·(v₁ − v₀) + angular₁·ω₁ + angular₀·ω₀.
#[derive(Clone, Copy, Debug)]
pub struct RowSpec {
    /// Bodies of the model, or [`WORLD`].
    pub body: [u32; 2],
    /// Rows in use.
    pub count: usize,
    /// Linear directions on the second body.
    pub linear: [DVec3; 3],
    /// Angular directions on either body.
    pub angular: [[DVec3; 3]; 2],
    /// Inverse effective mass of an implicit spring; zero is hard \[1/kg or 1/(kg·m²)\].
    pub softness: [f64; 3],
    /// Velocities the rows want besides zero, negated \[m/s or rad/s\].
    pub bias: [f64; 3],
    /// Part of the first bias that asks for a bounce \[m/s\].
    pub bounce: f64,
    /// Position errors of hard rows, for the projection \[m or rad\].
    pub error: [f64; 3],
    /// Smallest multipliers \[N·s or N·m·s\].
    pub lower: [f64; 3],
    /// Largest multipliers.
    pub upper: [f64; 3],
    /// Friction coefficient of a contact; negative for other rows.
    pub friction: f64,
    /// Whether the rows are equalities, solved together.
    pub coupled: bool,
    /// Whether position errors of the rows are taken back by the projection.
    pub projects: bool,
    /// Multipliers: the start of the solve, then its result \[N·s or N·m·s\].
    pub impulse: [f64; 3],
}

impl Default for RowSpec {
    fn default() -> Self {
        Self {
            body: [WORLD; 2],
            count: 0,
            linear: [DVec3::ZERO; 3],
            angular: [[DVec3::ZERO; 3]; 2],
            softness: [0.0; 3],
            bias: [0.0; 3],
            bounce: 0.0,
            error: [0.0; 3],
            lower: [f64::NEG_INFINITY; 3],
            upper: [f64::INFINITY; 3],
            friction: -1.0,
            coupled: true,
            projects: true,
            impulse: [0.0; 3],
        }
    }
}

impl RowSpec {
    /// Whether any multiplier has bounds.
    pub fn bounded(&self) -> bool {
        let rows = 0..self.count;
        self.friction >= 0.0 || rows.into_iter().any(|row| self.lower[row].is_finite() || self.upper[row].is_finite())
    }
}
