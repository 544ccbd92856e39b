//! Vectors of single lanes; those of all lanes are in `drystone_kernels::lanes`.

use drystone_kernels::lanes::Vectors;
use drystone_model::DVec3;

/// The vector of a lane.
#[inline(always)]
pub fn vector(of: &Vectors, lane: usize) -> DVec3 {
    DVec3::new(of[0][lane], of[1][lane], of[2][lane])
}

/// Puts a vector into a lane.
#[inline(always)]
pub fn set_vector(of: &mut Vectors, lane: usize, v: DVec3) {
    [of[0][lane], of[1][lane], of[2][lane]] = v.to_array();
}
