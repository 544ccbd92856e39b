//! Vectors, symmetric matrices and the 6×6 block of a rigid body.

mod block6;
mod mat3;
mod quat;
mod sym3;
mod vec3;

pub use block6::{Block6, Vec6};
pub use mat3::Mat3;
pub use quat::Quat;
pub use sym3::{Cholesky3, PIVOT_FLOOR, Sym3};
pub use vec3::Vec3;
