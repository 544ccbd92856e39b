//! The whole rigid step on a GPU: state, contacts and loads stay there from step to step, and the host reads what it asks for.
//! How it is built: `docs/gpu-inside.md`.
// Kernels call only what `#[cube]` takes, and `is_multiple_of` is not among it; both sides of `&&` are worked out there.
#![allow(clippy::manual_is_multiple_of, clippy::assign_op_pattern, clippy::manual_clamp, clippy::collapsible_if)]
#![allow(missing_docs)]

mod colors;
mod dual;
mod engine;
mod graph;
mod islands;
mod layout;
mod lift;
mod measure;
mod motion;
mod rows;
mod scene;
mod sweep;
mod tables;
#[cfg(test)]
mod tests;
mod totals;
mod transfer;
mod whole;

pub use scene::scene;
