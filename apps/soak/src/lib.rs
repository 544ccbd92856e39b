//! Random scenes and scene files under every solver, judged by what physics allows whatever the scene:
//! finite numbers, no energy from nothing, joints that hold or a report that says which do not, no body
//! through the ground or beyond what its energy reaches, momentum kept in free space.
//!
//! `cargo xtask soak` builds and calls the program `soak`; `docs/robustness.md` says what is judged and how.
#![forbid(unsafe_code)]

pub mod args;
pub mod case;
pub mod judge;
pub mod progress;
pub mod table;
pub mod trial;
pub mod watch;
pub mod work;

pub use case::Case;
pub use judge::{Fault, Limits};
pub use trial::{Outcome, Trial, run};
