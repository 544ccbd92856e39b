//! Tests over the scene library: behaviour (scene × solver), determinism, and documentation that
//! keeps up with the code. They live in `tests/tests`; this is what they share.
#![forbid(unsafe_code)]

pub mod differences;
pub mod inverse;
pub mod mujoco;
pub mod puppet;
pub mod reference;
pub mod robots;
pub mod runner;
pub mod table;
