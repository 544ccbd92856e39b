//! What the structured solver promises, scene by scene.

mod bench;
mod chains;
mod contacts;
mod couplings;
mod determinism;
mod energy;
mod joints;
mod loops;
mod reduced;
