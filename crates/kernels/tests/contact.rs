//! The contact law against its energies, by finite differences.

use drystone_kernels::double::contact::{ContactForce, contact_force};
use drystone_kernels::double::math::Vec3;

/// Multipliers 3 and (2, −1), penalties 40 and 25, friction coefficient 0.7.
fn law(gap: f64, slip: [f64; 2]) -> ContactForce {
    contact_force(gap, Vec3::new(slip[0], slip[1], 0.0), 3.0, Vec3::new(2.0, -1.0, 0.0), 40.0, 25.0, 0.7)
}

/// ½ max(0, λ − ρ c)² / ρ.
fn normal_energy(gap: f64) -> f64 {
    let pushed = (3.0 - 40.0 * gap).max(0.0);
    0.5 * pushed * pushed / 40.0
}

/// With t = λ_t − ρ_t s: ½ |t|² / ρ_t inside the cone of the normal force, and what goes on from there as a straight line outside.
fn friction_energy(cone: f64, slip: [f64; 2]) -> f64 {
    let trial = (2.0 - 25.0 * slip[0]).hypot(-1.0 - 25.0 * slip[1]);
    if trial <= cone { 0.5 * trial * trial / 25.0 } else { (cone * trial - 0.5 * cone * cone) / 25.0 }
}

#[test]
fn the_normal_force_is_minus_the_slope_of_its_energy() {
    let d = 1e-6;
    for gap in [-0.2, -0.01, 0.0, 0.05, 0.074, 0.0751, 0.3] {
        let slope = (normal_energy(gap + d) - normal_energy(gap - d)) / (2.0 * d);
        let force = law(gap, [0.0; 2]).normal;
        assert!((force + slope).abs() < 1e-6 * (1.0 + force), "{force} and {slope} at {gap}");
    }
}

#[test]
fn friction_is_minus_the_slope_of_its_energy_at_a_given_normal_force() {
    let d = 1e-6;
    for gap in [-0.2, 0.0, 0.07] {
        for slip in [[0.0, 0.0], [0.05, 0.02], [0.3, -0.4], [-1.0, 0.1]] {
            let at = law(gap, slip);
            let cone = 0.7 * at.normal;
            let slope = [0, 1].map(|axis| {
                let moved = |by: f64| {
                    let mut slip = slip;
                    slip[axis] += by;
                    friction_energy(cone, slip)
                };
                (moved(d) - moved(-d)) / (2.0 * d)
            });
            let off = (at.friction.x + slope[0]).hypot(at.friction.y + slope[1]);
            assert!(off < 1e-6 * (1.0 + cone), "{:?} and {slope:?} at {gap}, {slip:?}", at.friction);
            assert!(at.friction.length() <= cone * (1.0 + 1e-15));
        }
    }
}

/// The slope of the force is the stiffness that goes into the block of a body: ρ_n of what presses, and ρ_t where it sticks.
#[test]
fn the_slopes_of_the_forces_are_the_penalties_where_a_point_presses_and_sticks() {
    let d = 1e-6;
    let stuck = law(-0.2, [0.05, 0.02]);
    assert_eq!(stuck.stick, 1.0);
    let normal = (law(-0.2 + d, [0.05, 0.02]).normal - law(-0.2 - d, [0.05, 0.02]).normal) / (2.0 * d);
    let along = (law(-0.2, [0.05 + d, 0.02]).friction.x - law(-0.2, [0.05 - d, 0.02]).friction.x) / (2.0 * d);
    assert!((normal + 40.0).abs() < 1e-6 && (along + 25.0).abs() < 1e-6, "{normal}, {along}");
}

/// Turning slip and multipliers about the normal turns friction with them and nothing else.
#[test]
fn no_direction_across_the_normal_is_special() {
    let straight = contact_force(-0.1, Vec3::new(0.3, 0.1, 0.0), 3.0, Vec3::new(2.0, -1.0, 0.0), 40.0, 25.0, 0.7);
    for angle in [0.3_f64, 1.7, -2.9] {
        let turn = |v: Vec3| {
            let (s, c) = angle.sin_cos();
            Vec3::new(c * v.x - s * v.y, s * v.x + c * v.y, 0.0)
        };
        let (slip, friction) = (turn(Vec3::new(0.3, 0.1, 0.0)), turn(Vec3::new(2.0, -1.0, 0.0)));
        let turned = contact_force(-0.1, slip, 3.0, friction, 40.0, 25.0, 0.7);
        assert_eq!(turned.normal, straight.normal);
        assert!((turned.stick - straight.stick).abs() < 1e-15);
        assert!(turned.friction.sub(turn(straight.friction)).length() < 1e-13);
    }
}

/// An overlap pushes the bodies apart, and friction is against the slip.
#[test]
fn the_signs_are_right() {
    let plain = |gap, slip| contact_force(gap, slip, 0.0, Vec3::default(), 10.0, 10.0, 0.5);
    let pushed = plain(-0.1, Vec3::new(1.0, 0.0, 0.0));
    assert_eq!((pushed.normal, pushed.friction), (1.0, Vec3::new(-0.5, 0.0, 0.0)));
    let open = plain(0.1, Vec3::new(1.0, 0.0, 0.0));
    assert_eq!(open.normal, 0.0);
    assert!(open.friction.length() < 1e-290);
}
