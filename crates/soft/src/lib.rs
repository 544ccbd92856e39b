//! Particles and the elements between them: cloth, soft bodies, strings.
//!
//! [`Mesh`] lays particles and elements out for the loops that read them. [`Elements`] holds what they push with. [`Soft`] moves
//! the particles by a step: elastic forces linearised where the particles are, and that system solved by conjugate gradients with
//! a multigrid cycle, again and again. Equations: `docs/soft-theory.md`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod air;
mod carrier;
mod conjugate;
pub mod contact_key;
mod convert;
mod elements;
mod groups;
mod guard;
mod hierarchy;
mod islands;
mod matrix;
mod meet;
mod memory;
mod mesh;
mod momentum;
mod nearness;
mod penalty;
mod relax;
mod step;
mod stops;
mod touch;

pub use air::Air;
pub use carrier::{Carrier, Carriers, at_lever, wrench};
pub use elements::Elements;
pub use guard::{Guard, Ways};
pub use hierarchy::Hierarchy;
pub use matrix::Matrix;
pub use memory::SoftMemory;
pub use mesh::Mesh;
pub use step::{Asked, Plain, Soft, SoftOptions, Sweep};
pub use touch::{Bond, Ground, Touch, TouchMemory, Touches};
