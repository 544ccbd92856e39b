//! Drives, limits, friction and armature against what they mean.

use std::f64::consts::TAU;

use drystone_model::{Axis, BodyDef, DVec3, Drive, JointDef, ModelBuilder, WORLD};

use crate::bench::Bench;

const DT: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

/// A box of 2 kg on a vertical slider.
fn slider(joint: impl Fn(JointDef) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::splat(0.1)).mass(2.0));
    scene.add_joint(joint(JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Z)));
    Bench::new(&scene, DT, 5)
}

/// An arm of 2 kg whose centre of mass is half a metre from a horizontal hinge.
fn arm(joint: impl Fn(JointDef) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let arm = BodyDef::dynamic("arm").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.05, 0.05)).mass(2.0);
    let arm = scene.add_body(arm);
    scene.add_joint(joint(JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::NEG_Y)));
    Bench::new(&scene, DT, 5)
}

/// The same body hinged at its centre of mass, without gravity.
fn wheel(joint: impl Fn(JointDef) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let wheel = scene.add_body(BodyDef::dynamic("wheel").cuboid(DVec3::new(0.5, 0.05, 0.05)).mass(2.0));
    scene.add_joint(joint(JointDef::revolute(WORLD, wheel, DVec3::ZERO, DVec3::NEG_Y)));
    Bench::new(&scene, DT, 5)
}

/// Inertia of the wheel about its hinge \[kg·m²\].
const WHEEL_INERTIA: f64 = 2.0 * (1.0 + 0.01) / 12.0;

#[test]
fn a_position_drive_rests_where_its_spring_carries_the_load() {
    let mut bench = slider(|joint| joint.drive(Axis::LinX, Drive::position(0.3, 500.0, 100.0)));
    bench.run(5.0);
    let q = bench.coordinates(0)[0];
    assert!((500.0 * (0.3 - q) / (2.0 * G) - 1.0).abs() < 1e-4, "q = {q}");

    let mut bench = arm(|joint| joint.drive(Axis::AngX, Drive::position(0.5, 60.0, 20.0)));
    bench.run(5.0);
    let q = bench.coordinates(0)[3];
    let moment = 2.0 * G * 0.5 * q.cos();
    assert!((60.0 * (0.5 - q) / moment - 1.0).abs() < 1e-3, "q = {q}");
}

#[test]
fn a_velocity_drive_keeps_its_rate() {
    let mut bench = wheel(|joint| joint.drive(Axis::AngX, Drive::velocity(3.0, 50.0)));
    bench.run(2.0);
    let spin = bench.state.body_qd[0].angular;
    assert!((spin + DVec3::Y * 3.0).length() < 1e-6, "{spin}");
    // Against gravity along a slider it lags by load over gain.
    let mut bench = slider(|joint| joint.drive(Axis::LinX, Drive::velocity(1.0, 400.0)));
    bench.run(2.0);
    let speed = bench.state.body_qd[0].linear.z;
    assert!((speed - (1.0 - 2.0 * G / 400.0)).abs() < 1e-6, "{speed}");
}

#[test]
fn an_effort_cap_is_all_a_drive_gives() {
    let drive = Drive::position(100.0, 1e6, 1e3).max_effort(5.0);
    let mut bench = wheel(|joint| joint.drive(Axis::AngX, drive));
    bench.run(1.0);
    let spin = -bench.state.body_qd[0].angular.y;
    assert!((spin * WHEEL_INERTIA / 5.0 - 1.0).abs() < 1e-3, "{spin}");
}

#[test]
fn hard_limits_hold() {
    let mut bench = slider(|joint| joint.limit(Axis::LinX, -0.2, 0.1));
    let mut lowest = 0.0f64;
    for _ in 0..180 {
        bench.step();
        lowest = lowest.min(bench.coordinates(0)[0]);
    }
    let q = bench.coordinates(0)[0];
    assert!((q + 0.2).abs() < 1e-6 && lowest > -0.2005, "rests at {q}, went to {lowest}");

    let mut bench = arm(|joint| joint.limit(Axis::AngX, -0.7, 0.7));
    let mut lowest = 0.0f64;
    for _ in 0..300 {
        bench.step();
        lowest = lowest.min(bench.coordinates(0)[3]);
    }
    let q = bench.coordinates(0)[3];
    assert!((q + 0.7).abs() < 1e-6 && lowest > -0.7005, "rests at {q}, went to {lowest}");
}

#[test]
fn a_drive_turns_ten_times() {
    let drive = Drive::position(10.0 * TAU, 40.0, 30.0).max_effort(20.0);
    let mut bench = wheel(|joint| joint.drive(Axis::AngX, drive));
    bench.run(15.0);
    let q = bench.coordinates(0)[3];
    assert!((q / (10.0 * TAU) - 1.0).abs() < 1e-3, "q = {q}");
}

#[test]
fn dry_friction_holds_below_its_threshold_and_slides_above() {
    let weight = 2.0 * G;
    let mut bench = slider(|joint| joint.friction(Axis::LinX, 1.01 * weight));
    bench.run(3.0);
    let creep = bench.coordinates(0)[0];
    assert!(creep.abs() < 1e-5, "crept by {creep}");
    let mut bench = slider(|joint| joint.friction(Axis::LinX, 0.8 * weight));
    bench.run(1.0);
    let speed = -bench.state.body_qd[0].linear.z;
    assert!((speed / (0.2 * G) - 1.0).abs() < 1e-3, "speed {speed}");

    // A spinning wheel is braked at a constant rate and stops for good.
    let mut bench = wheel(|joint| joint.friction(Axis::AngX, 0.2));
    bench.state.body_qd[0].angular = DVec3::NEG_Y * 3.0;
    bench.run(0.5);
    let spin = -bench.state.body_qd[0].angular.y;
    assert!((spin - (3.0 - 0.2 * 0.5 / WHEEL_INERTIA)).abs() < 1e-3, "spin {spin}");
    bench.run(4.0);
    let left = bench.state.body_qd[0].angular.length();
    assert!(left < 1e-9, "still turns at {left}");
}

#[test]
fn armature_adds_its_inertia() {
    let mut bench = slider(|joint| joint.armature(Axis::LinX, 6.0));
    bench.run(1.0);
    let speed = -bench.state.body_qd[0].linear.z;
    assert!((speed - G * 2.0 / 8.0).abs() < 1e-6, "speed {speed}");

    let mut bench = wheel(|joint| joint.armature(Axis::AngX, 3.0 * WHEEL_INERTIA));
    bench.control.joint_f[0][3] = 2.0;
    bench.run(1.0);
    let spin = -bench.state.body_qd[0].angular.y;
    assert!((spin * 4.0 * WHEEL_INERTIA / 2.0 - 1.0).abs() < 1e-3, "spin {spin}");
}
