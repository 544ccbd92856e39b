//! Glam must take its elementary functions from `libm`, as we do: the feature that says so stands in one line of a manifest.

use drystone_kernels::elementary::{atan2, sin_cos};
use glamx::{DQuat, DVec3};

#[test]
fn rotations_have_the_same_bits_on_every_machine() {
    for k in 1..2000 {
        let angle = 0.0031 * f64::from(k);
        let (sin, cos) = sin_cos(0.5 * angle);
        let turn = DQuat::from_rotation_x(angle);
        assert_eq!((turn.x, turn.w), (sin, cos), "{angle}");
        let around = DQuat::from_scaled_axis(DVec3::Z * angle);
        assert_eq!((around.z, around.w), (sin, cos), "{angle}");
        let (_, back) = DQuat::from_xyzw(0.0, 0.6 * sin, 0.8 * sin, cos).to_axis_angle();
        assert!((back - angle).abs() < 1e-12, "{back} {angle}");
        let direct = 2.0 * atan2(DVec3::new(0.0, 0.6 * sin, 0.8 * sin).length(), cos);
        assert_eq!(back, direct, "{angle}");
    }
}
