//! Elastic elements between particles: what they push with, and how that changes as particles move.
//!
//! Each element depends on its particles through a few vectors that are linear in them, as the columns of a deformation gradient
//! `F = Σ x_a b_aᵀ`. So one state is worked out per element, and it answers for every particle by its weights `b_a`: `force` is
//! minus the slope of the energy, `block` the 3×3 block of a symmetric matrix that is never negative and equals the second
//! derivative of the energy wherever that is positive.

pub mod bending;
pub mod membrane;
pub mod rubber_sheet;
pub mod spring;
pub mod tetrahedron;

mod sym2;

pub use sym2::Sym2;
