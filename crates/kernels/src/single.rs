//! Kernels in `f32`.

/// The scalar of this module.
pub type Real = f32;

#[path = "contact.rs"]
pub mod contact;
#[path = "jacobi.rs"]
pub mod jacobi;
#[path = "math/mod.rs"]
pub mod math;
#[path = "rotation.rs"]
pub mod rotation;
#[path = "rows.rs"]
pub mod rows;
