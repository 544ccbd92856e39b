//! The solver contract, and the parts solvers share.
#![forbid(unsafe_code)]

pub mod clock;
pub mod convert;
pub mod forces;
pub mod parts;
pub mod precision;
pub mod ranges;
pub mod report;
pub mod solver;

pub use forces::{ContactForce, ContactKey, ForceLedger, JointForce, JointLoads, Untold};
pub use precision::Precision;
pub use ranges::BadOption;
pub use report::{Ending, Phase, Report};
pub use solver::{Refusal, SnapshotError, Solver, StepError, Unsupported};
