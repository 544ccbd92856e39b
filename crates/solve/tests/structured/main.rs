//! What the structured solver promises, scene by scene.

mod bench;
mod contacts;
mod energy;
mod joints;
mod loops;
