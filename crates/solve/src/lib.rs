//! The solver contract, and what solvers share: graphs of bodies, linear algebra, joints, the two-step rule.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod balance;
pub mod clock;
pub mod convert;
pub mod floating;
pub mod forces;
pub mod graph;
pub mod joint;
pub mod linalg;
pub mod precision;
pub mod ranges;
pub mod report;
pub mod solver;
#[cfg(any(test, feature = "testing"))]
pub mod step_only;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod two_step;
pub mod whole;

pub use balance::Balanced;
pub use drystone_parallel as parallel;
pub use forces::{
    ActingJoint, ContactForce, ContactKey, ForceLedger, JointForce, JointLoads, JointWrench, ParticlePush, Push, Untold,
};
pub use precision::Precision;
pub use ranges::BadOption;
pub use report::{Ending, Phase, Report};
pub use solver::{Refusal, SnapshotError, Solver, StepError, Unsupported};
