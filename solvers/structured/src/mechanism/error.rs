//! Why a question about a mechanism has no answer.

use thiserror::Error;

use crate::linalg::SingularBlock;

/// Why a question about a mechanism has no answer.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MechanismError {
    /// The equations of a tree are singular.
    #[error("the equations of the mechanism have no unique solution: {0}")]
    Singular(#[from] SingularBlock),
    /// An axis to be driven cannot move, or moves only with the others.
    #[error(
        "axis {axis} of joint `{joint}` cannot be driven on its own: it is held, or follows from the axes before it; \
         leave it out"
    )]
    Dependent {
        /// Name of the joint.
        joint: String,
        /// The axis.
        axis: String,
    },
    /// The search did not get there.
    #[error("{what} got no closer than {reached:e} of {asked:e} in {steps} steps; {remedy}")]
    NotConverged {
        /// What was looked for.
        what: &'static str,
        /// What was reached, in the unit of what was asked for.
        reached: f64,
        /// What was asked for.
        asked: f64,
        /// Steps taken.
        steps: u32,
        /// What may help.
        remedy: &'static str,
    },
}
