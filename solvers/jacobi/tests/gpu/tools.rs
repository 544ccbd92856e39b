//! What the tests of this crate share.

use drystone_device::{Device, open_from_environment};
use drystone_kernels::single::math::Vec3;

/// Without a device the tests fail and say what to install.
pub fn device() -> Device {
    open_from_environment().unwrap_or_else(|error| panic!("{error}"))
}

/// Numbers from −1 to 1 that look random.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}
