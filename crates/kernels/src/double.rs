//! Kernels in `f64`.

/// The scalar of this module.
pub type Real = f64;

#[path = "contact.rs"]
pub mod contact;
#[path = "math/mod.rs"]
pub mod math;
#[path = "rotation.rs"]
pub mod rotation;
