//! What the tests of this crate share.

use drystone_device::{Device, open_from_environment};
use drystone_kernels::single::math::Vec3;
pub use drystone_random::Random;

/// Without a device the tests fail and say what to install.
pub fn device() -> Device {
    open_from_environment().unwrap_or_else(|error| panic!("{error}"))
}

/// Three numbers from −1 to 1.
pub fn vector(random: &mut Random) -> Vec3 {
    let mut number = || random.signed() as f32;
    Vec3::new(number(), number(), number())
}
