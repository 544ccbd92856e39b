//! Vectors and matrices in arrays of the device. Arrays are component-major: component `c` of item `i`
//! lies at `c · stride + i`, so that neighbouring units read neighbouring words.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};

/// Vectors and symmetric matrices in one sort of memory: the device's own and that of a workgroup have types that
/// kernels cannot be generic over without naming them at every call.
macro_rules! memory {
    ($memory:ident, $load_vec3:ident, $store_vec3:ident, $load_sym3:ident, $store_sym3:ident) => {
        #[cube]
        pub(super) fn $load_vec3(from: &$memory<f32>, first: u32, stride: u32) -> Vec3 {
            Vec3 {
                x: from[first as usize],
                y: from[(first + stride) as usize],
                z: from[(first + 2u32 * stride) as usize],
            }
        }

        #[cube]
        pub(super) fn $store_vec3(to: &mut $memory<f32>, first: u32, stride: u32, v: Vec3) {
            to[first as usize] = v.x;
            to[(first + stride) as usize] = v.y;
            to[(first + 2u32 * stride) as usize] = v.z;
        }

        #[cube]
        pub(super) fn $load_sym3(from: &$memory<f32>, first: u32, stride: u32) -> Sym3 {
            Sym3 {
                xx: from[first as usize],
                xy: from[(first + stride) as usize],
                xz: from[(first + 2u32 * stride) as usize],
                yy: from[(first + 3u32 * stride) as usize],
                yz: from[(first + 4u32 * stride) as usize],
                zz: from[(first + 5u32 * stride) as usize],
            }
        }

        #[cube]
        pub(super) fn $store_sym3(to: &mut $memory<f32>, first: u32, stride: u32, m: Sym3) {
            to[first as usize] = m.xx;
            to[(first + stride) as usize] = m.xy;
            to[(first + 2u32 * stride) as usize] = m.xz;
            to[(first + 3u32 * stride) as usize] = m.yy;
            to[(first + 4u32 * stride) as usize] = m.yz;
            to[(first + 5u32 * stride) as usize] = m.zz;
        }
    };
}

memory!(Array, load_vec3, store_vec3, load_sym3, store_sym3);
memory!(SharedMemory, shared_vec3, share_vec3, shared_sym3, share_sym3);

#[cube]
pub(super) fn load_vec6(from: &Array<f32>, first: u32, stride: u32) -> Vec6 {
    Vec6 { l: load_vec3(from, first, stride), a: load_vec3(from, first + 3u32 * stride, stride) }
}

#[cube]
pub(super) fn store_vec6(to: &mut Array<f32>, first: u32, stride: u32, v: Vec6) {
    store_vec3(to, first, stride, v.l);
    store_vec3(to, first + 3u32 * stride, stride, v.a);
}

#[cube]
pub(super) fn load_quat(from: &Array<f32>, first: u32, stride: u32) -> Quat {
    Quat {
        x: from[first as usize],
        y: from[(first + stride) as usize],
        z: from[(first + 2u32 * stride) as usize],
        w: from[(first + 3u32 * stride) as usize],
    }
}

#[cube]
pub(super) fn store_quat(to: &mut Array<f32>, first: u32, stride: u32, q: Quat) {
    to[first as usize] = q.x;
    to[(first + stride) as usize] = q.y;
    to[(first + 2u32 * stride) as usize] = q.z;
    to[(first + 3u32 * stride) as usize] = q.w;
}

#[cube]
pub(super) fn zero3() -> Vec3 {
    Vec3 { x: 0.0f32, y: 0.0f32, z: 0.0f32 }
}

#[cube]
pub(super) fn zero6() -> Vec6 {
    Vec6 { l: zero3(), a: zero3() }
}

/// What bodies of a kind have in common; see [`super::system::BodyKind::words`].
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
pub(super) struct Kind {
    pub inverse_mass: f32,
    pub gravity: Vec3,
    pub inertia: Sym3,
    pub inverse_inertia: Sym3,
}

/// Words per body kind.
pub(super) const KIND_WORDS: u32 = 16;

#[cube]
pub(super) fn load_kind(kinds: &Array<f32>, kind: u32) -> Kind {
    let first = kind * KIND_WORDS;
    Kind {
        inverse_mass: kinds[first as usize],
        gravity: load_vec3(kinds, first + 1u32, 1u32),
        inertia: load_sym3(kinds, first + 4u32, 1u32),
        inverse_inertia: load_sym3(kinds, first + 10u32, 1u32),
    }
}

/// An anchor in the frame of its body \[m\].
#[cube]
pub(super) fn load_anchor(anchors: &Array<f32>, anchor: u32) -> Vec3 {
    load_vec3(anchors, anchor * 3u32, 1u32)
}
