//! Between the model's types and the kernels'.

use drystone_kernels::double::math::{Quat, Sym3, Vec3};
use drystone_model::{DMat3, DQuat, DVec3};

/// Kernel vector.
#[inline(always)]
pub fn vec3(v: DVec3) -> Vec3 {
    Vec3 { x: v.x, y: v.y, z: v.z }
}

/// Model vector.
#[inline(always)]
pub fn to_dvec3(v: Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

/// Kernel quaternion.
#[inline(always)]
pub fn quat(q: DQuat) -> Quat {
    Quat { x: q.x, y: q.y, z: q.z, w: q.w }
}

/// Model quaternion.
#[inline(always)]
pub fn to_dquat(q: Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

/// Upper triangle of a symmetric matrix.
#[inline(always)]
pub fn sym3(m: DMat3) -> Sym3 {
    Sym3 {
        xx: m.x_axis.x,
        xy: 0.5 * (m.x_axis.y + m.y_axis.x),
        xz: 0.5 * (m.x_axis.z + m.z_axis.x),
        yy: m.y_axis.y,
        yz: 0.5 * (m.y_axis.z + m.z_axis.y),
        zz: m.z_axis.z,
    }
}
