//! `structured`: accurate articulated dynamics. Trees of joints are solved in linear time, loops by Krylov
//! iterations on their Schur complement, errors are removed by projection and bounded by the user. Equations
//! and parameters: `docs/structured.md`.
#![forbid(unsafe_code)]

mod block;
mod bodies;
mod chain;
mod contact;
mod drift;
mod dynamics;
mod forces;
mod friction;
mod instant;
mod laws;
mod linalg;
pub mod mechanism;
mod moreau;
mod options;
mod outer;
mod pieces;
#[cfg(test)]
mod qp_tests;
mod rk4;
mod solver;
mod stops;
#[cfg(test)]
mod tests;
mod variational;

pub use block::{JointBlock, Level};
pub use bodies::{Bodies, Body};
pub use dynamics::Projection;
pub use instant::Mechanism;
pub use options::{Integrator, Krylov, Method, Stabilization, StructuredOptions};
pub use solver::Structured;
