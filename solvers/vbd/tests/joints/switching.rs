//! Efforts, forces read back, breaking, switching on and off, hard and soft at run time, kinematic
//! bodies.

use drystone_model::{BodyDef, BodyId, DQuat, DVec3, JointDef, JointId, ModelBuilder, Pose, WORLD};
use drystone_solve::Solver;
use drystone_vbd::{JointMode, JointSlot};

use crate::bench::Bench;

const DT: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

/// A box of 2 kg held by a joint at the origin.
fn held(joint: impl Fn(BodyId) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let body = BodyDef::dynamic("box").at(DVec3::X * 0.5).cuboid(DVec3::splat(0.1)).mass(2.0);
    let body = scene.add_body(body);
    scene.add_joint(joint(body));
    Bench::new(&scene, DT, 5)
}

#[test]
fn efforts_act_equally_and_oppositely() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let one = scene.add_body(BodyDef::dynamic("one").cuboid(DVec3::splat(0.1)).mass(1.0));
    let other = scene.add_body(BodyDef::dynamic("other").at(DVec3::X).cuboid(DVec3::splat(0.1)).mass(3.0));
    scene.add_joint(JointDef::prismatic(one, other, DVec3::X * 0.4, DVec3::X));
    let mut bench = Bench::new(&scene, DT, 5);
    bench.control.joint_f[0][0] = 6.0;
    bench.run(1.0);
    let speed = [0, 1].map(|body| bench.state.body_qd[body].linear.x);
    assert!((speed[0] + 6.0).abs() < 1e-9 && (speed[1] - 2.0).abs() < 1e-9, "{speed:?}");
}

#[test]
fn a_torque_about_a_hinge_turns_both_ends() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let one = scene.add_body(BodyDef::dynamic("one").sphere(0.2).mass(1.0));
    let other = scene.add_body(BodyDef::dynamic("other").sphere(0.2).mass(1.0));
    scene.add_joint(JointDef::revolute(one, other, DVec3::ZERO, DVec3::new(1.0, 2.0, -1.0)));
    let mut bench = Bench::new(&scene, DT, 5);
    bench.control.joint_f[0][3] = 0.01;
    bench.run(1.0);
    let expected = DVec3::new(1.0, 2.0, -1.0).normalize() * (0.01 / (0.4 * 0.04));
    let [one, other] = [0, 1].map(|body| bench.state.body_qd[body].angular);
    assert!((one + expected).length() < 1e-6 && (other - expected).length() < 1e-6, "{one} {other}");
}

#[test]
fn a_weld_holds_against_a_torque_and_stays_at_rest() {
    let mut bench = held(|body| JointDef::fixed(BodyId(WORLD), body, DVec3::ZERO));
    bench.control.body_f[0] = (DVec3::ZERO, DVec3::new(3.0, -20.0, 5.0));
    bench.run(0.5);
    let spin = bench.state.body_qd[0].angular.length();
    assert!(spin < 1e-9 && bench.joint_error()[1] < 1e-6, "spin {spin}");
    let force = bench.solver.joint_force(JointId(0)).unwrap();
    assert!((force[3] + 3.0).abs() < 1e-4 && (force[5] + 5.0).abs() < 1e-4, "{force:?}");
}

#[test]
fn forces_of_a_weld_are_the_weight_and_its_moment() {
    let mut bench = held(|body| JointDef::fixed(BodyId(WORLD), body, DVec3::ZERO));
    bench.run(0.5);
    let force = bench.solver.joint_force(JointId(0)).unwrap();
    let expected = [0.0, 0.0, 2.0 * G, 0.0, -2.0 * G * 0.5, 0.0];
    for (value, expected) in force.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-4, "{force:?}");
    }
    let error = bench.solver.joint_force(JointId(7)).unwrap_err();
    assert_eq!(error.to_string(), "joint #7 does not exist; the model has 1, counted from 0");
}

#[test]
fn joints_break_above_their_strength_and_not_below() {
    for (strength, breaks) in [(1.05, false), (0.95, true)] {
        let mut bench =
            held(|body| JointDef::ball(BodyId(WORLD), body, DVec3::X * 0.5).break_at(strength * 2.0 * G, 1.0));
        let broken = bench.step().broken;
        assert_eq!(broken, if breaks { vec![JointId(0)] } else { vec![] });
        bench.run(0.5);
        assert_eq!(bench.state.joint_intact[0], !breaks);
        assert_eq!(bench.pose(0).translation.z < -0.5, breaks);
        assert_eq!(bench.solver.joint_force(JointId(0)).unwrap()[2] == 0.0, breaks);
    }
    // A torque breaks it as well.
    let mut bench = held(|body| JointDef::fixed(BodyId(WORLD), body, DVec3::ZERO).break_at(1e3, 0.9 * G));
    bench.step();
    assert!(!bench.state.joint_intact[0]);
}

#[test]
fn switched_off_it_falls_and_switched_on_it_closes_without_a_bang() {
    let mut bench = held(|body| JointDef::ball(BodyId(WORLD), body, DVec3::X * 0.5));
    bench.run(0.2);
    assert!(bench.joint_error()[0] < 1e-6);
    bench.control.joint_enabled[0] = false;
    bench.run(0.2);
    let open = bench.joint_error()[0];
    assert!(open > 0.1, "{open}");
    bench.control.joint_enabled[0] = true;
    let mut fastest = 0.0f64;
    for _ in 0..120 {
        bench.step();
        fastest = fastest.max(bench.state.body_qd[0].linear.length());
    }
    let gap = bench.joint_error()[0];
    assert!(gap < 1e-6 && fastest < 2.5, "gap {gap}, fastest {fastest}");
}

#[test]
fn hard_and_soft_at_run_time() {
    let mut bench = held(|body| JointDef::ball(BodyId(WORLD), body, DVec3::X * 0.5));
    bench.run(0.2);
    let soft = JointMode::Soft { stiffness: 1e3, damping: 60.0 };
    bench.solver.set_joint_mode(JointId(0), JointSlot::Linear, soft).unwrap();
    bench.run(3.0);
    let sag = bench.joint_error()[0];
    assert!((sag * 1e3 / (2.0 * G) - 1.0).abs() < 1e-3, "sag {sag}");
    // The choice is part of what the solver remembers.
    let snapshot = bench.solver.snapshot();
    bench.solver.set_joint_mode(JointId(0), JointSlot::Linear, JointMode::Hard).unwrap();
    bench.run(2.0);
    assert!(bench.joint_error()[0] < 1e-6);
    bench.solver.restore(&snapshot).unwrap();
    bench.run(3.0);
    assert!((bench.joint_error()[0] - sag).abs() < 1e-6);
}

#[test]
fn a_kinematic_body_carries_what_is_welded_to_it() {
    let mut scene = ModelBuilder::new();
    let hand = scene.add_body(BodyDef::kinematic("hand").cuboid(DVec3::splat(0.1)));
    let tool = scene.add_body(BodyDef::dynamic("tool").at(DVec3::X * 0.5).cuboid(DVec3::splat(0.1)).mass(3.0));
    scene.add_joint(JointDef::fixed(hand, tool, DVec3::X * 0.2));
    let mut bench = Bench::new(&scene, DT, 5);
    for step in 1..=120 {
        let t = DT * f64::from(step);
        let turn = DQuat::from_rotation_y(0.5 * (3.0 * t).sin());
        bench.control.body_target[0] = Some(Pose::from_parts(DVec3::Z * (0.3 * (2.0 * t).sin()), turn));
        bench.step();
        let [gap, angle] = bench.joint_error();
        assert!(gap < 1e-6 && angle < 1e-6, "gap {gap}, angle {angle} at {t} s");
        let expected = bench.pose(0).transform_point(DVec3::X * 0.5);
        assert!((bench.pose(1).translation - expected).length() < 1e-5);
    }
}
