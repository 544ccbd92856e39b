//! The solver contract, and the parts solvers share.
#![forbid(unsafe_code)]

pub mod clock;
pub mod convert;
pub mod parts;
pub mod precision;
pub mod report;
pub mod solver;

pub use precision::Precision;
pub use report::{Ending, Phase, Report};
pub use solver::{SnapshotError, Solver, StepError, Unsupported};
