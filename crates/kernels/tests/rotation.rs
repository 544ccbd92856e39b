//! The free rotation of bodies that turn slowly.

use drystone_kernels::double::math::{Quat, Sym3, Vec3};
use drystone_kernels::double::rotation::{
    SLOW_TURN, exp, exp_near, free_rotation, log_near, slow_rotation, world_inertia,
};
use drystone_kernels::single;

/// Below its limit the short way agrees with the long one to round-off, and keeps momentum and energy to it.
#[test]
fn slow_rotation_is_free_rotation_where_turns_are_small() {
    let inertia = Sym3 { xx: 1.0, yy: 40.0, zz: 38.0, xy: 0.2, xz: -0.1, yz: 3.0 };
    let inverse = inertia.cholesky().inverse();
    let start: Quat = exp(Vec3::new(0.7, -1.1, 0.4));
    let h = 1.0 / 60.0;
    for share in [0.99, 0.1, 0.0] {
        let spin = Vec3::new(0.6, 0.64, -0.48).scale(share * SLOW_TURN / h);
        let (slow, free) = (
            slow_rotation(start, spin, inertia, inverse, h),
            free_rotation(start, spin, Vec3::default(), inertia, inverse, h),
        );
        let [turn, spun] = [slow.rotation.sub(free.rotation), slow.angular_velocity.sub(free.angular_velocity)];
        let before = world_inertia(start, inertia).mul(spin);
        let after = world_inertia(exp(slow.rotation).mul(start), inertia).mul(slow.angular_velocity);
        let gain = after.dot(slow.angular_velocity) - before.dot(spin);
        let lost = after.sub(before).length() / before.length().max(1e-300);
        let gain = gain / before.dot(spin).max(1e-300);
        eprintln!(
            "{share}: turn {:.1e}, spin {:.1e}, momentum {lost:.1e}, energy {gain:.1e}",
            turn.length(),
            spun.length()
        );
        assert!(turn.length() <= 1e-14, "{share}: {}", turn.length());
        assert!(spun.length() <= 1e-12 * spin.length(), "{share}: {}", spun.length());
        assert!(lost <= 1e-14 && gain.abs() <= 1e-14, "{share}: {lost} {gain}");
    }
}

/// The series agree with the functions they stand for, and with each other, on both sides of where they end.
#[test]
fn the_series_near_the_identity_are_the_functions() {
    for k in 0..2000 {
        let angle = 0.001 * f64::from(k);
        let axis = Vec3::new(2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0);
        let v = axis.scale(angle);
        let (series, exact) = (exp_near(v), exp(v));
        let off = [series.x - exact.x, series.y - exact.y, series.z - exact.z, series.w - exact.w];
        assert!(off.into_iter().all(|x| x.abs() < 2e-9), "{angle}: {off:?}");
        let back = log_near(exact).sub(v).length();
        assert!(back < 6e-8 * angle.max(1e-3), "{angle}: {back:e}");
        let single = single::math::Vec3::new(v.x as f32, v.y as f32, v.z as f32);
        let there = single::rotation::log_near(single::rotation::exp_near(single)).sub(single).length();
        assert!(f64::from(there) < 4e-7 * angle.max(1e-3), "{angle}: {there:e}");
    }
}
