//! Loads that are no weights: what presses holds as well without gravity, and nobody else feels it.

use drystone_model::{Axis, BodyDef, DVec3, Drive, JointDef, ModelBuilder, ShapeDef, WORLD};
use drystone_vbd::VbdOptions;

use crate::bench::Bench;

/// Two driven fingers that squeeze a cube of 0.2 m with 50 N each, from `apart` away on either side.
fn gripper(gravity: f64, apart: f64) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -gravity);
    scene.add_body(BodyDef::dynamic("cube").cuboid(DVec3::splat(0.1)).mass(1.0).friction(0.8));
    for side in [-1.0, 1.0] {
        let finger = BodyDef::dynamic(format!("finger {side}")).at(DVec3::X * (0.12 + apart) * side);
        let finger = scene.add_body(finger.cuboid(DVec3::new(0.02, 0.08, 0.08)).mass(0.5).friction(0.8));
        let drive = Drive { target_velocity: -0.5 * side, damping: 1.0e4, max_effort: 50.0, ..Drive::default() };
        scene.add_joint(JointDef::prismatic(WORLD, finger, DVec3::ZERO, DVec3::X).drive(Axis::LinX, drive));
    }
    scene
}

/// How far the fingers are sunk into the cube at the end of two seconds, and at most on the way \[m\].
fn sink(gravity: f64, apart: f64, substeps: Option<u32>, iterations: u32) -> [f64; 2] {
    let options = VbdOptions { substeps, iterations, ..VbdOptions::default() };
    let mut bench = Bench::with(&gripper(gravity, apart), 1.0 / 60.0, options);
    let mut deepest = [0.0f64; 2];
    for _ in 0..120 {
        bench.step();
        let between = bench.pose(2).translation.x - bench.pose(1).translation.x;
        deepest = [0.24 - between, deepest[1].max(0.24 - between)];
    }
    deepest
}

/// With the same work: left to itself, the solver takes two substeps of four sweeps and more for the fall of thin fingers, and
/// one where nothing falls.
#[test]
fn a_gripper_holds_without_gravity_as_with_it() {
    for iterations in [1, 2, 5, 10] {
        for substeps in [1, 2] {
            let [with, without] = [9.81, 0.0].map(|gravity| sink(gravity, 0.03, Some(substeps), iterations));
            let what = format!("{substeps} × {iterations} sweeps, at the end and on the way: {with:?} m with gravity");
            assert!(without[0] < with[0], "{what}, {without:?} m without");
            // On the way to round-off within a tenth; at 2 × 10 sweeps both sink by 0.15 mm.
            assert!(without[1] < 1.15 * with[1], "{what}, {without:?} m without");
        }
    }
}

/// What a cube may sink by without gravity when the sweeps are as chosen by default.
#[test]
fn a_gripper_without_gravity_lets_go_of_what_it_sank() {
    for (iterations, end, most) in
        [(1, 0.3e-3, 75e-3), (2, 0.12e-3, 34e-3), (5, 0.03e-3, 8.5e-3), (10, 0.002e-3, 0.45e-3)]
    {
        let sunk = sink(0.0, 0.03, None, iterations);
        assert!(sunk[0] < end && sunk[1] < most, "{iterations} sweeps: {sunk:?} m at the end and on the way");
    }
}

#[test]
fn a_gripper_that_starts_closed_holds_to_round_off() {
    for (gravity, iterations) in [(9.81, 2), (0.0, 2), (0.0, 10)] {
        let [end, most] = sink(gravity, 0.0, None, iterations);
        assert!(end < 1e-8 && most < 1e-7, "gravity {gravity}, {iterations} sweeps: {end} m, {most} m on the way");
    }
}

/// A stack of boxes that lean a little, and far away a body that a force drives.
fn stack_beside(thrust: f64) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z));
    for level in 0..6 {
        let at = DVec3::new(0.02 * f64::from(level), 0.0, 0.251 + 0.502 * f64::from(level));
        scene.add_body(BodyDef::dynamic(format!("box {level}")).at(at).cuboid(DVec3::splat(0.25)));
    }
    let rocket = scene.add_body(BodyDef::dynamic("rocket").at(DVec3::X * 100.0).cuboid(DVec3::splat(0.25)).mass(10.0));
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 5);
    bench.control.body_f[rocket.built_index()].0 = DVec3::Y * thrust;
    bench
}

#[test]
fn a_rocket_far_away_changes_no_bit_of_a_stack() {
    let [mut alone, mut beside] = [0.0, 5.0e4].map(stack_beside);
    for _ in 0..60 {
        alone.step();
        beside.step();
        assert_eq!(alone.state.body_q[..6], beside.state.body_q[..6]);
    }
    assert!(beside.pose(6).translation.y > 100.0, "the rocket flies");
}
