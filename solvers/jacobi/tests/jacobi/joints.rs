//! Every kind of joint, and what acts along its axes.

use drystone_model::{Axis, BodyDef, DQuat, DVec3, Drive, JointDef, JointId, ModelBuilder, Pose, WORLD};

use crate::bench::Bench;

const G: f64 = 9.81;

/// Two boxes, the first hung from the world by the joint under test, the second from the first.
fn pair(joint: impl Fn(u32, u32, DVec3) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let half = DVec3::new(0.3, 0.1, 0.1);
    let a = scene.add_body(BodyDef::dynamic("a").at(DVec3::X * 0.4).cuboid(half));
    let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::X * 1.2).cuboid(half));
    scene.add_joint(joint(WORLD, a.0, DVec3::ZERO));
    scene.add_joint(joint(a.0, b.0, DVec3::X * 0.8));
    Bench::new(&scene)
}

/// Locked axes stay shut for a second of falling and swinging, whatever the joint.
#[test]
fn every_joint_holds_what_it_locks() {
    let axis = DVec3::new(0.2, 1.0, 0.3).normalize();
    let across = axis.any_orthonormal_vector();
    let free = [Axis::LinY, Axis::AngX, Axis::AngZ];
    let kinds: [(&str, Box<dyn Fn(u32, u32, DVec3) -> JointDef>); 9] = [
        ("fixed", Box::new(JointDef::fixed)),
        ("ball", Box::new(JointDef::ball)),
        ("revolute", Box::new(move |a, b, at| JointDef::revolute(a, b, at, axis))),
        ("prismatic", Box::new(move |a, b, at| JointDef::prismatic(a, b, at, axis))),
        ("cylindrical", Box::new(move |a, b, at| JointDef::cylindrical(a, b, at, axis))),
        ("planar", Box::new(move |a, b, at| JointDef::planar(a, b, at, axis))),
        ("universal", Box::new(move |a, b, at| JointDef::universal(a, b, at, axis, across))),
        ("distance", Box::new(|a, b, at| JointDef::distance(a, b, at, at + DVec3::X * 0.1, [0.1, 0.1]))),
        ("d6", Box::new(move |a, b, at| JointDef::d6(a, b, at, DQuat::IDENTITY, &free))),
    ];
    for (name, joint) in kinds {
        let mut bench = pair(joint);
        let mut worst = [0.0_f64; 2];
        for _ in 0..60 {
            let report = bench.step();
            worst =
                [worst[0].max(report.max_joint_error.unwrap()), worst[1].max(report.max_joint_angle_error.unwrap())];
        }
        assert!(worst[0] < 3e-3 && worst[1] < 3e-3, "{name}: {worst:?}");
    }
}

/// A box of 2 kg on a vertical slider.
fn slider(joint: impl Fn(JointDef) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::splat(0.1)).mass(2.0));
    scene.add_joint(joint(JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Z)));
    Bench::new(&scene)
}

#[test]
fn a_position_drive_rests_where_its_spring_carries_the_load() {
    let mut bench = slider(|joint| joint.drive(Axis::LinX, Drive::position(0.3, 500.0, 100.0)));
    bench.run(5.0);
    let q = bench.coordinates(0)[0];
    assert!((500.0 * (0.3 - q) / (2.0 * G) - 1.0).abs() < 1e-3, "{q}");
}

#[test]
fn a_drive_pushes_no_harder_than_it_may() {
    let mut bench = slider(|joint| joint.drive(Axis::LinX, Drive::velocity(1.0, 1e6).max_effort(2.0 * 2.0 * G)));
    bench.run(0.05);
    // Twice the weight: up at one g until the target speed.
    let speed = bench.state.body_qd[0].linear.z;
    assert!((speed - 0.05 * G).abs() < 1e-3, "{speed}");
    bench.run(1.0);
    assert!((bench.state.body_qd[0].linear.z - 1.0).abs() < 1e-3);
}

#[test]
fn stops_hold_and_friction_holds_up_to_its_effort() {
    let mut bench = slider(|joint| joint.limit(Axis::LinX, -0.2, 0.1));
    let report = bench.run(1.0);
    assert!((bench.coordinates(0)[0] + 0.2).abs() < 1e-4, "{}", bench.coordinates(0)[0]);
    assert!(report.max_joint_error.unwrap() < 1e-4);
    let mut holds = slider(|joint| joint.friction(Axis::LinX, 2.0 * G * 1.05));
    holds.run(1.0);
    assert!(holds.coordinates(0)[0].abs() < 1e-6, "{}", holds.coordinates(0)[0]);
    let mut slides = slider(|joint| joint.friction(Axis::LinX, 2.0 * G * 0.5));
    slides.run(1.0);
    let expected = -0.5 * 0.5 * G;
    assert!((slides.coordinates(0)[0] / expected - 1.0).abs() < 0.02, "{}", slides.coordinates(0)[0]);
}

#[test]
fn armature_adds_its_inertia() {
    let mut bench = slider(|joint| joint.armature(Axis::LinX, 2.0));
    bench.run(0.5);
    let speed = bench.state.body_qd[0].linear.z;
    assert!((speed + 0.25 * G).abs() < 1e-4, "half the acceleration of free fall: {speed}");
}

/// A kinematic end takes the body along, to the target it was given.
#[test]
fn bodies_follow_what_the_user_moves() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let hand = scene.add_body(BodyDef::kinematic("hand").sphere(0.1));
    let load = scene.add_body(BodyDef::dynamic("load").at(DVec3::X).sphere(0.1));
    scene.add_joint(JointDef::fixed(hand, load, DVec3::X * 0.5));
    let mut bench = Bench::new(&scene);
    for step in 1..=60 {
        let up = f64::from(step) / 60.0;
        bench.control.body_target[0] = Some(Pose::from_parts(DVec3::Z * up, DQuat::from_rotation_z(up)));
        bench.step();
    }
    assert!((bench.state.body_q[0].translation - DVec3::Z).length() < 1e-12);
    let expected = DVec3::Z + DQuat::from_rotation_z(1.0) * DVec3::X;
    let error = (bench.state.body_q[1].translation - expected).length();
    assert!(error < 1e-3, "{error}");
}

#[test]
fn overloaded_joints_break_and_are_named() {
    let mut scene = ModelBuilder::new();
    let mut parent = WORLD;
    for index in 0..3 {
        let at = DVec3::NEG_Z * (index as f64 + 0.5);
        let body = scene.add_body(BodyDef::dynamic(format!("{index}")).at(at).sphere(0.1).mass(1.0));
        let joint = JointDef::ball(parent, body, at + DVec3::Z * 0.5);
        // The second bears less than what hangs on it.
        scene.add_joint(if index == 1 { joint.break_at(1.5 * G, f64::INFINITY) } else { joint });
        parent = body.0;
    }
    let mut bench = Bench::new(&scene);
    let broken: Vec<JointId> = (0..30).flat_map(|_| bench.step().broken).collect();
    assert_eq!(broken, [JointId(1)]);
    assert!(bench.state.body_q[2].translation.z < -2.6, "falls");
    assert!((bench.state.body_q[0].translation.z + 0.5).abs() < 1e-3, "stays");
}

#[test]
fn efforts_along_axes_act() {
    let mut bench = slider(|joint| joint);
    bench.control.joint_f[0][0] = 3.0 * 2.0 * G;
    bench.run(0.5);
    let speed = bench.state.body_qd[0].linear.z;
    assert!((speed - 2.0 * 0.5 * G).abs() < 1e-4, "{speed}");
}
