//! Between the model's types and the kernels'.

use drystone_geometry::{DMat3, DVec3};
use drystone_kernels::double::math::{Mat3, Sym3};

pub use drystone_solve::convert::{to_dvec3, vec3};

/// The matrix of three rows.
#[inline(always)]
pub fn mat3(m: Mat3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(m.r0.x, m.r1.x, m.r2.x),
        DVec3::new(m.r0.y, m.r1.y, m.r2.y),
        DVec3::new(m.r0.z, m.r1.z, m.r2.z),
    )
}

/// The whole of a symmetric matrix.
#[inline(always)]
pub fn symmetric(m: Sym3) -> DMat3 {
    DMat3::from_cols(DVec3::new(m.xx, m.xy, m.xz), DVec3::new(m.xy, m.yy, m.yz), DVec3::new(m.xz, m.yz, m.zz))
}

/// `s · a bᵀ`.
#[inline(always)]
pub fn outer(a: DVec3, b: DVec3, s: f64) -> DMat3 {
    DMat3::from_cols(a * (s * b.x), a * (s * b.y), a * (s * b.z))
}
