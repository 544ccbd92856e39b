//! Unit quaternions (x, y, z, w).

use super::super::Real;
use super::mat3::Mat3;
use super::vec3::Vec3;
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A quaternion; rotations are unit ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Quat {
    /// First imaginary part.
    pub x: Real,
    /// Second imaginary part.
    pub y: Real,
    /// Third imaginary part.
    pub z: Real,
    /// Real part.
    pub w: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Quat {
    /// The product `self ⊗ b`: first `b`, then `self`.
    #[inline(always)]
    pub fn mul(self, b: Quat) -> Quat {
        Quat {
            x: self.w * b.x + self.x * b.w + self.y * b.z - self.z * b.y,
            y: self.w * b.y - self.x * b.z + self.y * b.w + self.z * b.x,
            z: self.w * b.z + self.x * b.y - self.y * b.x + self.z * b.w,
            w: self.w * b.w - self.x * b.x - self.y * b.y - self.z * b.z,
        }
    }

    /// The inverse rotation.
    #[inline(always)]
    pub fn conjugate(self) -> Quat {
        Quat { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// Scales to unit length.
    #[inline(always)]
    pub fn normalize(self) -> Quat {
        let s = 1.0 / (self.x * self.x + self.y * self.y + self.z * self.z + self.w * self.w).sqrt();
        Quat { x: self.x * s, y: self.y * s, z: self.z * s, w: self.w * s }
    }

    /// Rotates a vector.
    #[inline(always)]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        let u = Vec3 { x: self.x, y: self.y, z: self.z };
        let t = u.cross(v).scale(2.0);
        v.add(t.scale(self.w)).add(u.cross(t))
    }

    /// The rotation matrix.
    #[inline(always)]
    pub fn matrix(self) -> Mat3 {
        let xx = self.x * self.x;
        let yy = self.y * self.y;
        let zz = self.z * self.z;
        let xy = self.x * self.y;
        let xz = self.x * self.z;
        let yz = self.y * self.z;
        let wx = self.w * self.x;
        let wy = self.w * self.y;
        let wz = self.w * self.z;
        Mat3 {
            r0: Vec3 { x: 1.0 - 2.0 * (yy + zz), y: 2.0 * (xy - wz), z: 2.0 * (xz + wy) },
            r1: Vec3 { x: 2.0 * (xy + wz), y: 1.0 - 2.0 * (xx + zz), z: 2.0 * (yz - wx) },
            r2: Vec3 { x: 2.0 * (xz - wy), y: 2.0 * (yz + wx), z: 1.0 - 2.0 * (xx + yy) },
        }
    }
}
