//! A point constraint in the device's main memory.

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::{multiplier_step, point_rate};
use drystone_kernels::single::math::{Sym3, Vec3, Vec6};

use super::memory::*;

/// What stays the same through the iterations: levers on both bodies, inverse block, bias.
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
pub(super) struct Point {
    pub r0: Vec3,
    pub r1: Vec3,
    pub inverse: Sym3,
    pub bias: Vec3,
}

/// Without position errors to take back the bias is zero and not fetched.
#[cube]
pub(super) fn load_point(from: &Array<f32>, first: u32, stride: u32, #[comptime] biased: bool) -> Point {
    let mut bias = zero3();
    if biased {
        bias = load_vec3(from, first + 12u32 * stride, stride);
    }
    Point {
        r0: load_vec3(from, first, stride),
        r1: load_vec3(from, first + 3u32 * stride, stride),
        inverse: load_sym3(from, first + 6u32 * stride, stride),
        bias,
    }
}

#[cube]
pub(super) fn store_point(to: &mut Array<f32>, first: u32, stride: u32, point: Point) {
    store_vec3(to, first, stride, point.r0);
    store_vec3(to, first + 3u32 * stride, stride, point.r1);
    store_sym3(to, first + 6u32 * stride, stride, point.inverse);
    store_vec3(to, first + 12u32 * stride, stride, point.bias);
}

/// The multiplier after a step at the velocities of both ends.
#[cube]
pub(super) fn stepped(point: Point, p: Vec3, v0: Vec6, v1: Vec6, relaxation: f32) -> Vec3 {
    multiplier_step(p, point.inverse, point_rate(v0, v1, point.r0, point.r1), point.bias, relaxation)
}
