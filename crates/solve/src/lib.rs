//! The solver contract, the parts solvers share, and the solvers themselves.
#![forbid(unsafe_code)]

pub mod abd;
mod clock;
mod convert;
pub mod jacobi;
pub mod mechanism;
pub mod parts;
pub mod report;
pub mod solver;
pub mod structured;
pub mod vbd;

pub use report::{Ending, Phase, Report};
pub use solver::{SnapshotError, Solver, StepError, Unsupported};
