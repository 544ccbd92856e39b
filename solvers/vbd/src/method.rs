//! Constants in which the methods differ; everything else is one algorithm.

use super::options::{Method, VbdOptions};

/// Multiple of the carried mass that penalties of the own method are raised to.
pub const FACTOR: f64 = 2.0;
/// Share of inherited error that the own method leaves alone in a step.
pub const ALPHA: f64 = 0.95;
/// Share of a body's step that the own method applies. Full steps leave a limit cycle of the colour order in pyramids.
pub const RELAXATION: f64 = 0.9;

/// How penalties arise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Penalty {
    /// Inverse Delassus operator over h², raised to `factor` times the carried mass over h².
    LoadScaled {
        /// Multiple of the carried mass.
        factor: f64,
    },
    /// Inverse Delassus operator over h².
    Delassus,
    /// Starts low, grows with the violation, remembered from step to step.
    Ramp,
}

/// How large a share of the updates of its multipliers a point applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualGain {
    /// Share a new point begins with.
    pub first: f64,
    /// Largest share.
    pub largest: f64,
    /// Smallest share.
    pub smallest: f64,
    /// Growth after an update in the direction of the one before.
    pub grow: f64,
    /// Growth after an update that turned back.
    pub shrink: f64,
}

impl DualGain {
    /// Every update whole.
    const WHOLE: Self = Self { first: 1.0, largest: 1.0, smallest: 1.0, grow: 1.0, shrink: 1.0 };
    /// Measured on stacks, cards, falling dominoes and piles. At a fixed 0.6 the dominoes never converge,
    /// with however many sweeps; with a largest share of 1 they gain energy at ten.
    pub const CAREFUL: Self = Self { first: 0.5, largest: 0.8, smallest: 0.1, grow: 1.05, shrink: 0.7 };
}

/// The constants of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodConstants {
    /// How penalties arise.
    pub penalty: Penalty,
    /// Share of inherited error left alone in a step.
    pub alpha: f64,
    /// Whether shallow overlaps are taken back without giving the bodies a velocity.
    pub push_apart: bool,
    /// Whether contacts remember the step before.
    pub cache_contacts: bool,
    /// Share of the multiplier kept from step to step.
    pub retention: f64,
    /// Share of the multipliers of joints kept from step to step.
    pub joint_retention: f64,
    /// How large a share of the updates of its multipliers a point applies.
    pub gain: DualGain,
    /// Share of a body's step that is applied.
    pub relaxation: f64,
    /// Whether islands that no longer move are left out of further sweeps.
    pub drops_converged: bool,
    /// Substeps per step, zero to choose.
    pub substeps: u32,
    /// Most startup passes of the first step of a world.
    pub startup_passes: u32,
    /// Whether floating islands get back the momentum that sweeps leave behind.
    pub momentum_repair: bool,
    /// Whether bodies are swept one after the other, the last first.
    pub one_by_one: bool,
    /// Whether the first guess is scaled by how well the motion agrees with loaded contacts.
    pub compatible_guess: bool,
}

impl MethodConstants {
    /// The constants of the chosen method.
    pub fn new(options: &VbdOptions) -> Self {
        let own = options.method == Method::LoadScaled;
        let substeps = options.substeps.unwrap_or(if own { 0 } else { 1 });
        let startup_passes = options.startup_passes.unwrap_or(if own { 60 } else { 0 });
        let momentum_repair = options.momentum_repair.unwrap_or(own);
        let avbd = &options.avbd;
        let contact_alpha = avbd.contact_alpha.unwrap_or(avbd.alpha);
        let joint_alpha = avbd.joint_alpha.unwrap_or(avbd.alpha);
        match options.method {
            // Retention 1: a load forgotten is an overlap; at 0.999 a pyramid of twenty rows sinks by 1.3 mm in five seconds, at 1 by 5 µm.
            Method::LoadScaled => Self {
                penalty: Penalty::LoadScaled { factor: FACTOR },
                alpha: ALPHA,
                push_apart: true,
                cache_contacts: true,
                retention: 1.0,
                joint_retention: 0.99,
                gain: DualGain::CAREFUL,
                relaxation: RELAXATION,
                drops_converged: true,
                substeps,
                startup_passes,
                momentum_repair,
                one_by_one: false,
                compatible_guess: true,
            },
            Method::Avbd => Self {
                penalty: Penalty::Ramp,
                alpha: contact_alpha,
                push_apart: false,
                cache_contacts: avbd.contact_history,
                retention: contact_alpha * avbd.gamma,
                joint_retention: joint_alpha * avbd.gamma,
                gain: DualGain::WHOLE,
                relaxation: 1.0,
                drops_converged: false,
                substeps,
                startup_passes,
                momentum_repair,
                one_by_one: avbd.one_by_one,
                compatible_guess: false,
            },
            Method::Compliant => Self {
                penalty: Penalty::Delassus,
                alpha: 0.0,
                push_apart: false,
                cache_contacts: true,
                retention: 0.999,
                joint_retention: 0.999,
                gain: DualGain::WHOLE,
                relaxation: 1.0,
                drops_converged: false,
                substeps,
                startup_passes,
                momentum_repair,
                one_by_one: false,
                compatible_guess: false,
            },
        }
    }
}
