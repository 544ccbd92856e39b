//! A body from the start of a frame to its end, whatever the strategy.

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::end_of_step;
use drystone_kernels::single::math::{Quat, Vec3, Vec6};
use drystone_kernels::single::rotation::exp;

use super::memory::*;

/// A body in motion.
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
pub(super) struct Motion {
    pub x: Vec3,
    pub q: Quat,
    pub v: Vec6,
}

#[cube]
pub(super) fn resting() -> Motion {
    Motion { x: zero3(), q: Quat { x: 0.0f32, y: 0.0f32, z: 0.0f32, w: 1.0f32 }, v: zero6() }
}

#[cube]
pub(super) fn load_motion(body: &Array<f32>, first: u32, stride: u32) -> Motion {
    Motion {
        x: load_vec3(body, first, stride),
        q: load_quat(body, first + 3u32 * stride, stride),
        v: load_vec6(body, first + 7u32 * stride, stride),
    }
}

#[cube]
pub(super) fn store_motion(body: &mut Array<f32>, first: u32, stride: u32, motion: Motion) {
    store_vec3(body, first, stride, motion.x);
    store_quat(body, first + 3u32 * stride, stride, motion.q);
    store_vec6(body, first + 7u32 * stride, stride, motion.v);
}

/// Velocity before constraints: nothing but gravity acts.
#[cube]
pub(super) fn unconstrained(kind: Kind, motion: Motion, dt: f32) -> Vec6 {
    Vec6 { l: motion.v.l.add_scaled(kind.gravity, dt), a: motion.v.a }
}

/// The body at the end of a frame. Round bodies feel no gyroscopic term.
#[cube]
pub(super) fn moved(kind: Kind, motion: Motion, solved: Vec6, dt: f32, #[comptime] round: bool) -> Motion {
    let mut end = Motion { x: motion.x.add_scaled(solved.l, dt), q: motion.q, v: solved };
    if round {
        end.q = exp(solved.a.scale(dt)).mul(motion.q).normalize();
    } else {
        let turned = end_of_step(motion.q, solved, kind.inertia, kind.inverse_inertia, dt);
        end.x = motion.x.add(turned.displacement);
        end.q = turned.orientation;
        end.v = turned.velocity;
    }
    end
}
