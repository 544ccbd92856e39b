//! Vectors and matrices in arrays of the device. Items lie one after the other, each with its words together: most are gathered by
//! index, and an item is then a few cache lines instead of many.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};

/// The vector whose first component is at `first`.
#[cube]
pub fn load3(from: &Array<f32>, first: u32) -> Vec3 {
    Vec3 { x: from[first as usize], y: from[(first + 1u32) as usize], z: from[(first + 2u32) as usize] }
}

/// Stores a vector with its first component at `first`.
#[cube]
pub fn store3(to: &mut Array<f32>, first: u32, v: Vec3) {
    to[first as usize] = v.x;
    to[(first + 1u32) as usize] = v.y;
    to[(first + 2u32) as usize] = v.z;
}

/// The quaternion whose first component is at `first`.
#[cube]
pub fn load_quat(from: &Array<f32>, first: u32) -> Quat {
    Quat {
        x: from[first as usize],
        y: from[(first + 1u32) as usize],
        z: from[(first + 2u32) as usize],
        w: from[(first + 3u32) as usize],
    }
}

/// Stores a quaternion with its first component at `first`.
#[cube]
pub fn store_quat(to: &mut Array<f32>, first: u32, q: Quat) {
    to[first as usize] = q.x;
    to[(first + 1u32) as usize] = q.y;
    to[(first + 2u32) as usize] = q.z;
    to[(first + 3u32) as usize] = q.w;
}

/// The six numbers of a symmetric matrix from `first` on.
#[cube]
pub fn load_sym3(from: &Array<f32>, first: u32) -> Sym3 {
    Sym3 {
        xx: from[first as usize],
        xy: from[(first + 1u32) as usize],
        xz: from[(first + 2u32) as usize],
        yy: from[(first + 3u32) as usize],
        yz: from[(first + 4u32) as usize],
        zz: from[(first + 5u32) as usize],
    }
}

/// Stores the six numbers of a symmetric matrix.
#[cube]
pub fn store_sym3(to: &mut Array<f32>, first: u32, m: Sym3) {
    to[first as usize] = m.xx;
    to[(first + 1u32) as usize] = m.xy;
    to[(first + 2u32) as usize] = m.xz;
    to[(first + 3u32) as usize] = m.yy;
    to[(first + 4u32) as usize] = m.yz;
    to[(first + 5u32) as usize] = m.zz;
}

/// A linear and an angular part from `first` on.
#[cube]
pub fn load6(from: &Array<f32>, first: u32) -> Vec6 {
    Vec6 { l: load3(from, first), a: load3(from, first + 3u32) }
}

/// Stores a linear and an angular part.
#[cube]
pub fn store6(to: &mut Array<f32>, first: u32, v: Vec6) {
    store3(to, first, v.l);
    store3(to, first + 3u32, v.a);
}

/// From cell `a` to cell `b`, cells of a metre \[m\]. Exact.
#[cube]
pub fn between_cells(a: &Array<i32>, first_a: u32, b: &Array<i32>, first_b: u32) -> Vec3 {
    Vec3 {
        x: (b[first_b as usize] - a[first_a as usize]) as f32,
        y: (b[(first_b + 1u32) as usize] - a[(first_a + 1u32) as usize]) as f32,
        z: (b[(first_b + 2u32) as usize] - a[(first_a + 2u32) as usize]) as f32,
    }
}
