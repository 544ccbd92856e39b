//! What a user may choose.

use drystone_solve::BadOption;
use drystone_solve::ranges::{Ranges, above};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rigidity::Rigidity;

/// How velocities follow from positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// First-order backward differences everywhere: damps what swings.
    Bdf1,
    /// Second order for groups of bodies that nothing touches and no stop holds, first order for all others.
    #[default]
    #[serde(alias = "bdf2")]
    SecondOrder,
}

/// Options of the `abd` solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AbdOptions {
    /// Distance below which surfaces push each other apart, d̂ \[m\]; `None` chooses by `relative_distance`.
    pub contact_distance: Option<f64>,
    /// d̂ as a share of the mean size of the moving bodies, at most a fiftieth of the thinnest \[1\].
    pub relative_distance: f64,
    /// Distance that surfaces keep at least, on top of the margins of their shapes \[m\].
    pub min_separation: f64,
    /// Stiffness of the barrier relative to the one at which a body of its weight stops within d̂ in a step \[1\].
    pub barrier_stiffness: f64,
    /// Stiffness κ that keeps bodies rigid \[Pa\].
    pub stiffness: f64,
    /// Which potential keeps bodies rigid.
    pub rigidity: Rigidity,
    /// Slip below which friction has not yet its full size \[m/s\]; `None` chooses a fiftieth of d̂ per step.
    pub friction_velocity: Option<f64>,
    /// How often friction is brought up to date with the contact forces of the step, at most; 1 uses those of the
    /// step's start alone.
    pub friction_passes: u32,
    /// A step has converged when Newton's method would change no velocity by more \[m/s\]; `None` chooses a hundredth of
    /// d̂ per step.
    pub tolerance: Option<f64>,
    /// Most Newton iterations per step.
    pub max_iterations: u32,
    /// Whether what a step would run into, and friction that would turn round in it, is part of the model it is found by, in scenes
    /// without particles: about half the iterations, each of them dearer.
    pub foresight: bool,
    /// Flat pieces around a full circle of curved shapes; recordings show surfaces of 32.
    pub segments: usize,
    /// Order of the steps of groups of bodies that nothing touches.
    pub integrator: Integrator,
    /// Coefficient of friction of all particles; with a shape, the geometric mean counts \[1\].
    pub particle_friction: f64,
    /// Whether particles keep apart from each other, and not from bodies alone.
    pub self_contact: bool,
    /// Moves bodies that start out overlapping apart instead of refusing them. Ones that merely touch always are.
    pub separate: bool,
}

impl Default for AbdOptions {
    fn default() -> Self {
        Self {
            contact_distance: None,
            relative_distance: 2e-4,
            min_separation: 0.0,
            barrier_stiffness: 100.0,
            stiffness: 1e11,
            rigidity: Rigidity::default(),
            friction_velocity: None,
            friction_passes: 8,
            tolerance: None,
            max_iterations: 1000,
            foresight: false,
            segments: 32,
            integrator: Integrator::default(),
            particle_friction: 0.6,
            self_contact: true,
            separate: false,
        }
    }
}

impl AbdOptions {
    /// Whether every option lies in its range.
    pub(super) fn check(&self) -> Result<(), BadOption> {
        Ranges::of("abd")
            .optional("contact_distance", self.contact_distance, above(0.0))
            .number("relative_distance", self.relative_distance, above(0.0))
            .number("min_separation", self.min_separation, 0.0..)
            .number("barrier_stiffness", self.barrier_stiffness, above(0.0))
            .number("stiffness", self.stiffness, above(0.0))
            .optional("friction_velocity", self.friction_velocity, above(0.0))
            .number("friction_passes", self.friction_passes, 1..)
            .optional("tolerance", self.tolerance, above(0.0))
            .number("max_iterations", self.max_iterations, 1..)
            .number("particle_friction", self.particle_friction, 0.0..)
            .number("segments", self.segments, 3..)
            .result()
    }
}
