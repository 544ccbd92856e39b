//! Cloth, soft bodies and strings under the `vbd` solver, against theory.

mod attachments;
#[path = "../joints/bench.rs"]
#[allow(dead_code, reason = "shared with the joint tests, which measure more")]
mod bench;
mod coupling;
mod folds;
mod ground;
mod meeting;
mod motion;
mod sharp;
mod stage;
mod start;
mod wound;
