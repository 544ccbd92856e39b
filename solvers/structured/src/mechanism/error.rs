//! Why a question about a mechanism has no answer.

use thiserror::Error;

use super::assembly::Assembly;
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
    /// Joints stay open.
    #[error("{}", still_open(assembly))]
    Open {
        /// What was reached.
        assembly: Assembly,
    },
    /// The step is not smooth.
    #[error(
        "joint `{joint}` has a limit that is reached, dry friction or a drive that can saturate: the step has no derivative by these \
         equations; leave that out"
    )]
    NotSmooth {
        /// Name of the joint.
        joint: String,
    },
    /// The step is too long.
    #[error(
        "a step of {dt} s turns bodies by {swing:.1} rad under the pull of their joints and is taken in pieces; ask for shorter steps"
    )]
    TooLong {
        /// Its duration \[s\].
        dt: f64,
        /// Turn of the fastest swing within it \[rad\].
        swing: f64,
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

/// Open joints that a message names.
const NAMED: usize = 5;

fn still_open(assembly: &Assembly) -> String {
    let open: Vec<_> = assembly.open.iter().filter(|open| !open.elastic).collect();
    let named: Vec<_> = open.iter().take(NAMED).map(ToString::to_string).collect();
    let more = if open.len() > NAMED { format!(", and {} more", open.len() - NAMED) } else { String::new() };
    format!(
        "joints stay open after {} attempts: {}{more}; they may contradict each other or parts that are kept in place, or \
         start nearer",
        assembly.attempts,
        named.join(", ")
    )
}
