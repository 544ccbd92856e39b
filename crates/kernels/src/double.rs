//! Kernels in `f64`.

/// The scalar of this module.
pub type Real = f64;

/// What is added to both sides of a quotient so that nothing over nothing is one. Far below any quantity there is.
pub const TINY: Real = 1.0e-300;

/// Once around \[rad\].
pub const TAU: Real = std::f64::consts::TAU;

/// The elementary functions of `Real`.
mod libm {
    pub use ::libm::{atan2, cos, sin};
}

#[path = "contact.rs"]
pub mod contact;
#[path = "elements/mod.rs"]
pub mod elements;
#[path = "jacobi.rs"]
pub mod jacobi;
#[path = "math/mod.rs"]
pub mod math;
#[path = "real.rs"]
pub mod real;
#[path = "rotation.rs"]
pub mod rotation;
#[path = "rows.rs"]
pub mod rows;
