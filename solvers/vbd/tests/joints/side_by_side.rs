//! Joint islands of one structure are solved in the lanes of registers: each moves as if it were alone.

use drystone_model::{Axis, BodyDef, DVec3, Drive, JointDef, ModelBuilder, Pose};

use crate::bench::Bench;

const DT: f64 = 1.0 / 60.0;
/// Figures: two fours and a rest.
const COUNT: usize = 10;
/// Bodies of a figure.
const BODIES: usize = 5;

/// A figure that falls: limbs on a ball joint, on hinges with a stop, friction and a drive, one that follows another where it is
/// `geared`. Its number tells how heavy and how fast it is, and whether there is a ground for it to strike.
fn figure(scene: &mut ModelBuilder, number: usize, geared: bool) {
    scene.begin_world(DVec3::Z * -9.81);
    if number % 3 == 1 {
        scene.ground();
    }
    let at = DVec3::new(0.0, 0.0, 0.7);
    let limb =
        |name: &str, at: DVec3| BodyDef::dynamic(format!("{name} {number}")).at(at).cuboid(DVec3::new(0.2, 0.05, 0.04));
    let spin = DVec3::new(0.3, 1.0, -0.2) * number as f64;
    let trunk = scene.add_body(limb("trunk", at).spin(spin).mass(1.0 + 0.1 * number as f64));
    let arm = scene.add_body(limb("arm", at + DVec3::X * 0.45));
    let hand = scene.add_body(limb("hand", at + DVec3::X * 0.9));
    let leg = scene.add_body(limb("leg", at - DVec3::X * 0.45));
    let foot = scene.add_body(limb("foot", at - DVec3::X * 0.9));
    scene.add_joint(JointDef::ball(trunk, arm, at + DVec3::X * 0.225));
    let hinge = |a, b, x: f64| JointDef::revolute(a, b, at + DVec3::X * x, DVec3::Y);
    scene.add_joint(hinge(arm, hand, 0.675).limit(Axis::AngX, -0.3, 0.4));
    let led = scene.add_joint(hinge(trunk, leg, -0.225).friction(Axis::AngX, 0.05));
    let last = hinge(leg, foot, -0.675);
    scene.add_joint(match geared {
        true => last.follow(Axis::AngX, led, Axis::AngX, -0.5, 0.0),
        false => last.drive(Axis::AngX, Drive::position(0.5, 3.0, 0.1)),
    });
    scene.end_world();
}

fn ends(numbers: impl Iterator<Item = usize>, geared: bool, threads: usize) -> Vec<Pose> {
    let mut scene = ModelBuilder::new();
    numbers.for_each(|number| figure(&mut scene, number, geared));
    let mut bench = Bench::new(&scene, DT, 5);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| bench.run(0.75));
    let [gap, angle] = bench.joint_error();
    assert!(gap < 1e-5 && angle < 1e-5, "{gap} m, {angle}");
    bench.state.body_q
}

#[test]
fn each_moves_as_if_it_were_alone() {
    for geared in [false, true] {
        let together = ends(0..COUNT, geared, 1);
        assert_eq!(together, ends(0..COUNT, geared, 3), "on three threads");
        let turned = ends((0..COUNT).rev(), geared, 1);
        for number in 0..COUNT {
            let own = &together[BODIES * number..][..BODIES];
            assert_eq!(own, &turned[BODIES * (COUNT - 1 - number)..][..BODIES], "figure {number} in another lane");
            assert_eq!(own, ends(std::iter::once(number), geared, 1), "figure {number} alone");
        }
        let moved = (together[BODIES].translation - together[0].translation).length();
        assert!(moved > 1e-3, "figures do the same: {moved} m");
    }
}
