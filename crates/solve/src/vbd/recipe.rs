//! The numbers in which the methods differ; everything else is one algorithm.

use super::options::{Method, VbdOptions};

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

/// The constants of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// How penalties arise.
    pub penalty: Penalty,
    /// Share of inherited error left alone in a step.
    pub alpha: f64,
    /// Whether shallow overlaps are taken back at a slower, bounded rate.
    pub gentle_correction: bool,
    /// Share of the multiplier kept from step to step.
    pub retention: f64,
    /// Share of a multiplier update that is applied after each sweep but the last.
    pub dual_step: f64,
    /// Share of a body's step that is applied.
    pub relaxation: f64,
    /// Whether the first guess is scaled by how well the motion agrees with loaded contacts.
    pub compatible_guess: bool,
}

impl Recipe {
    /// The constants of the chosen method.
    pub fn new(options: &VbdOptions) -> Self {
        match options.method {
            // Dual step 0.6 and relaxation 0.9: full steps diverge on a 1000:1 stack and leave a
            // limit cycle of the colour order in pyramids.
            Method::LoadScaled => Self {
                penalty: Penalty::LoadScaled { factor: 2.0 },
                alpha: 0.95,
                gentle_correction: true,
                retention: 0.99,
                dual_step: 0.6,
                relaxation: 0.9,
                compatible_guess: true,
            },
            Method::Avbd => Self {
                penalty: Penalty::Ramp,
                alpha: options.avbd.alpha,
                gentle_correction: false,
                retention: options.avbd.alpha * options.avbd.gamma,
                dual_step: 1.0,
                relaxation: 1.0,
                compatible_guess: false,
            },
            Method::Compliant => Self {
                penalty: Penalty::Delassus,
                alpha: 0.0,
                gentle_correction: false,
                retention: 0.999,
                dual_step: 1.0,
                relaxation: 1.0,
                compatible_guess: false,
            },
        }
    }
}
