//! `structured`: accurate articulated dynamics. Trees of joints are solved in linear time, loops by Krylov
//! iterations on their Schur complement, errors are removed by projection and bounded by the user. Equations
//! and parameters: `docs/structured.md`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod augmented;
mod axis_laws;
mod block;
mod bodies;
mod bounce;
mod bounded_rows;
mod chain;
mod contact;
mod coupling;
mod dynamics;
mod forces;
mod free_rotation;
mod friction;
mod gather;
mod linalg;
mod loops;
pub mod mechanism;
mod moreau;
mod options;
#[cfg(test)]
mod qp_tests;
mod reduced;
mod rk4;
mod slips;
mod solver;
mod sprung;
mod substeps;
mod system;
#[cfg(test)]
mod tests;
mod turns;
mod variational;
mod wide;

pub use block::{JointBlock, Level};
pub use bodies::{Bodies, Body};
pub use dynamics::Projection;
pub use options::{Integrator, Krylov, Method, Stabilization, StructuredOptions};
pub use solver::Structured;
pub use system::ConstraintSystem;
