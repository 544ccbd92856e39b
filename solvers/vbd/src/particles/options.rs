//! What a user may choose about particles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a sweep moves particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParticleMethod {
    /// All together: a linear system by multigrid, and multipliers for what is stiff.
    #[default]
    Multigrid,
    /// One after the other, as published, with Chebyshev's acceleration: stiff cloth then needs many sweeps. To compare with.
    Vbd,
}

/// How cloth, soft bodies and strings are solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParticleOptions {
    /// How a sweep moves particles.
    pub method: ParticleMethod,
    /// Estimate of the share of the error that a sweep of the method `vbd` leaves, from 0, which does not accelerate, to below 1.
    pub chebyshev: f64,
    /// Linearisations of the elements per substep.
    pub sweeps: u32,
    /// Multigrid cycles per linearisation.
    pub cycles: u32,
    /// Whether particles may meet shapes that have a restitution, which then acts between bodies alone. Without it such scenes are refused.
    pub inelastic: bool,
    /// Whether particles with a radius keep apart from each other.
    pub self_contact: bool,
    /// Whether corners and edges of boxes, hulls and meshes meet triangles and edges between particles, so that they do not poke through
    /// where these are coarse. Otherwise particles alone meet shapes. A body of a thousand times the mass of a sheet that falls on it dips in by
    /// centimetres for a step or two.
    pub edges_and_faces: bool,
    /// Coefficient of friction of particles that have none of their own; with a shape, the geometric mean counts.
    pub friction: f64,
}

impl Default for ParticleOptions {
    fn default() -> Self {
        Self {
            method: ParticleMethod::Multigrid,
            chebyshev: 0.0,
            sweeps: 3,
            cycles: 2,
            inelastic: false,
            self_contact: true,
            edges_and_faces: false,
            friction: 0.6,
        }
    }
}
