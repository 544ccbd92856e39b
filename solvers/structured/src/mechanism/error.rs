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
    /// A joint follows another.
    #[error("joint `{joint}` follows another, which the derivatives of a step leave out; let it move by itself")]
    Coupled {
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
    /// The step depends on a contact in a way that has no derivative.
    #[error("the contact of `{}` with `{}` {edge}", bodies[0], bodies[1])]
    Contact {
        /// Names of the bodies.
        bodies: [String; 2],
        /// What is the matter with it.
        edge: ContactEdge,
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

/// Where a step has no derivative by a contact.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ContactEdge {
    /// It neither pushes nor parts.
    #[error("just touches: it pushes on one side of this state and is open on the other; move away from it")]
    JustTouches,
    /// It is about to slide, or just came to rest.
    #[error("is at the edge of its friction cone, between sticking and sliding; push more or less")]
    Cone,
    /// Rolling or torsional friction gives way.
    #[error(
        "turns against rolling or torsional friction that gives way, which these equations leave out; set its radius to zero"
    )]
    Spins,
    /// Restitution.
    #[error(
        "bounces, and a bounce comes or not; ask for the steps before and after it, or set its restitution to zero"
    )]
    Bounces,
    /// Other features come to touch.
    #[error("lies where other corners, edges or faces begin to touch; move away from there")]
    Features,
    /// An overlap was taken back.
    #[error(
        "overlaps by more than `contact_tolerance` at the end of the step, and bodies were moved apart; part them first, or ask for \
         shorter steps"
    )]
    Overlaps,
    /// The step is taken in pieces.
    #[error("turns a body so far that the step is taken in pieces; ask for shorter steps")]
    TurnsFar,
    /// Outer forces turn a group that nothing holds.
    #[error(
        "is of bodies that nothing holds and that outer forces push unevenly: what the engine adds for the way they act along is left \
         out of these equations; push all of them alike, or hold one"
    )]
    PushedUnevenly,
    /// Forces are not determined, and matter.
    #[error(
        "slides and shares its load with others in more than one way, so that friction is not determined; let the bodies touch in \
         fewer points"
    )]
    Undetermined,
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
