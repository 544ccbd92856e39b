//! What a user may choose.

use drystone_device::DeviceChoice;
use drystone_solve::ranges::{Ranges, above};
use drystone_solve::{BadOption, Precision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::particles::ParticleOptions;

/// How contact and joint multipliers and penalties are governed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Augmented Lagrangian with penalties scaled by the load a contact carries. No unit-bearing knob.
    #[default]
    LoadScaled,
    /// The published augmented vertex block descent, with its ramp β and its start stiffness.
    Avbd,
    /// Compliant augmented Lagrangian: penalties from the masses alone, material stiffness exact.
    Compliant,
}

/// How velocities follow from positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Second order with [`Method::LoadScaled`], first order with the published methods, as published.
    #[default]
    Auto,
    /// First-order backward differences everywhere: robust, damps what swings.
    Bdf1,
    /// Second order for islands of bodies that nothing touches and no stop holds: what swings keeps its energy. First order
    /// for all others.
    #[serde(alias = "bdf2")]
    SecondOrder,
}

/// Parameters of the published method; they carry units and want tuning to the masses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AvbdOptions {
    /// Share of the inherited constraint error that is left alone in a step \[1\].
    pub alpha: f64,
    /// The same for joints; null takes `alpha`.
    pub joint_alpha: Option<f64>,
    /// The same for hard contacts; null takes `alpha`.
    pub contact_alpha: Option<f64>,
    /// Growth of a penalty per metre of violation and iteration \[N/m²\]; 0 keeps it at its largest from the start.
    pub beta_linear: f64,
    /// Growth of the penalty of a joint's rotation per radian of violation and iteration \[N·m/rad²\]; 0 as above.
    pub beta_angular: f64,
    /// Share of penalties and multipliers kept from step to step \[1\].
    pub gamma: f64,
    /// Penalty a new contact starts with \[N/m\].
    pub contact_k_start: f64,
    /// Penalty the translations of a joint start with \[N/m\].
    pub joint_k_start_linear: f64,
    /// Penalty the rotations of a joint start with \[N·m/rad\].
    pub joint_k_start_angular: f64,
    /// Largest penalty of hard contacts and joints \[N/m or N·m/rad\]; the attributes `vbd.k_max_linear` and
    /// `vbd.k_max_angular` of a joint come before it. Soft ones have their own stiffness.
    pub k_max: f64,
    /// Whether multipliers and penalties of contacts are kept from step to step.
    pub contact_history: bool,
    /// Whether bodies are swept one after the other on one thread, the last of the model first, as the demonstrations of the
    /// authors do, instead of colour by colour. A rope held by its first link then closes better.
    pub one_by_one: bool,
}

impl Default for AvbdOptions {
    fn default() -> Self {
        Self {
            alpha: 0.95,
            joint_alpha: None,
            contact_alpha: None,
            beta_linear: 1.0e5,
            beta_angular: 1.0e3,
            gamma: 0.99,
            contact_k_start: 1.0e2,
            joint_k_start_linear: 1.0e2,
            joint_k_start_angular: 1.0e1,
            k_max: 1.0e12,
            contact_history: true,
            one_by_one: false,
        }
    }
}

/// Options of the `vbd` solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct VbdOptions {
    /// Most sweeps over all bodies per substep; with automatic substeps, per step.
    pub iterations: u32,
    /// Move of a sweep, as a share of the fall h² a of a step, below which an island (bodies connected by contacts and joints) needs no more
    /// sweeps; zero does them all. Islands with joints need a Newton step that has converged as well.
    pub tolerance: f64,
    /// Newton steps per step that islands with joints in contact share among their sweeps, at least one in each; what is left open is
    /// closed in the last.
    pub newton_steps: u32,
    /// Substeps per step, each with its own collision detection. Zero chooses: one, or as many as
    /// the thinnest body needs for the fall of a substep to stay small against it. Null is zero with
    /// [`Method::LoadScaled`], one with the published methods.
    pub substeps: Option<u32>,
    /// How multipliers and penalties are governed.
    pub method: Method,
    /// How velocities follow from positions.
    pub integrator: Integrator,
    /// Number type of the sweeps over contacts. Single precision is what hardware without `f64` would do; it is here to
    /// see what that costs in accuracy, and is not faster.
    pub precision: Precision,
    /// Most startup passes over the first step of a world, to find the loads a freshly built scene rests on. Null is 60 with
    /// [`Method::LoadScaled`], none with the published methods.
    pub startup_passes: Option<u32>,
    /// Whether floating islands get back the momentum that unconverged sweeps leave behind. Null is yes with
    /// [`Method::LoadScaled`], no with the published methods.
    pub momentum_repair: Option<bool>,
    /// Whether islands of bodies that have come to rest are left out of the work until something disturbs them.
    pub sleeping: bool,
    /// How cloth, soft bodies and strings are solved.
    pub particles: ParticleOptions,
    /// Parameters of [`Method::Avbd`].
    pub avbd: AvbdOptions,
    /// GPU that the scene lives on, in single precision whatever `precision` says; null is the CPU. Rigid bodies without joints in one
    /// world, see `docs/gpu.md`. Needs a build with the feature `gpu`.
    #[schemars(with = "Option<String>")]
    pub device: Option<DeviceChoice>,
    /// Whether contact forces come back from the device after every step of a simulation, and with them events; large scenes that nobody asks
    /// run faster without.
    pub device_contacts: bool,
}

impl Default for VbdOptions {
    fn default() -> Self {
        Self {
            iterations: 10,
            tolerance: 1.0e-5,
            newton_steps: 8,
            substeps: None,
            method: Method::default(),
            integrator: Integrator::default(),
            precision: Precision::Double,
            startup_passes: None,
            momentum_repair: None,
            sleeping: false,
            particles: ParticleOptions::default(),
            avbd: AvbdOptions::default(),
            device: None,
            device_contacts: true,
        }
    }
}

impl VbdOptions {
    /// Whether islands that nothing touches take second-order steps.
    pub(super) fn second_order(&self) -> bool {
        match self.integrator {
            Integrator::Auto => self.method == Method::LoadScaled,
            Integrator::Bdf1 => false,
            Integrator::SecondOrder => true,
        }
    }

    /// Whether every option lies in its range.
    pub(super) fn check(&self) -> Result<(), BadOption> {
        let avbd = &self.avbd;
        Ranges::of("vbd")
            .number("iterations", self.iterations, 1..)
            .number("newton_steps", self.newton_steps, 1..)
            .number("particles.sweeps", self.particles.sweeps, 1..)
            .number("particles.cycles", self.particles.cycles, 1..)
            .number("particles.friction", self.particles.friction, 0.0..)
            .number("particles.chebyshev", self.particles.chebyshev, 0.0..1.0)
            .number("tolerance", self.tolerance, 0.0..)
            .number("avbd.alpha", avbd.alpha, 0.0..=1.0)
            .optional("avbd.joint_alpha", avbd.joint_alpha, 0.0..=1.0)
            .optional("avbd.contact_alpha", avbd.contact_alpha, 0.0..=1.0)
            .number("avbd.beta_linear", avbd.beta_linear, 0.0..)
            .number("avbd.beta_angular", avbd.beta_angular, 0.0..)
            .number("avbd.gamma", avbd.gamma, 0.0..=1.0)
            .number("avbd.k_max", avbd.k_max, above(0.0))
            .number("avbd.contact_k_start", avbd.contact_k_start, 0.0..=avbd.k_max)
            .number("avbd.joint_k_start_linear", avbd.joint_k_start_linear, 0.0..=avbd.k_max)
            .number("avbd.joint_k_start_angular", avbd.joint_k_start_angular, 0.0..=avbd.k_max)
            .result()
    }
}
