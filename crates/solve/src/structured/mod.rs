//! `structured`: accurate articulated dynamics. Trees of joints are solved in linear time, loops by Krylov
//! iterations on their Schur complement, errors are removed by projection and bounded by the user. Equations
//! and parameters: `docs/structured.md`.

mod block;
mod bodies;
mod dynamics;
mod forces;
mod laws;
mod mechanism;
mod options;
mod outer;
#[cfg(test)]
mod tests;

pub use block::{JointBlock, Level};
pub use bodies::{Bodies, Body};
pub use dynamics::Projection;
pub use mechanism::Mechanism;
pub use options::{Integrator, Krylov, Method, Stabilization, StructuredOptions};
