//! Initial poses from initial joint coordinates.

use std::f64::consts::{FRAC_PI_2, TAU};

use drystone_model::{BodyDef, DVec3, JointDef, JointKind, ModelBuilder, Pose, WORLD};

/// Two arms of unit length, given by frames alone, as robot descriptions do.
fn two_arms(angles: [f64; 2]) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    let tip = Pose::from_translation(DVec3::Y);
    let mut parent = WORLD.into();
    for (index, angle) in angles.into_iter().enumerate() {
        let arm = scene.add_body(BodyDef::dynamic("").sphere(0.1));
        let base = if index == 0 { Pose::IDENTITY } else { tip };
        let hinge = JointDef::new(JointKind::Revolute, parent, arm).frames(base, Pose::IDENTITY);
        scene.add_joint(hinge.coordinates([0.0, 0.0, 0.0, angle, 0.0, 0.0]));
        parent = arm;
    }
    // A hand welded on by frames that already fit keeps its place relative to the arm.
    let hand = scene.add_body(BodyDef::dynamic("hand").at(DVec3::new(0.0, 1.0, 0.5)).sphere(0.1));
    scene.add_joint(JointDef::fixed(parent, hand, DVec3::Y));
    scene
}

#[test]
fn bodies_are_placed_by_coordinates_and_carry_what_hangs_on_them() {
    let model = two_arms([FRAC_PI_2, FRAC_PI_2]).finalize().unwrap();
    // About x: y → z, then z → −y.
    assert!(model.body_q[1].translation.distance(DVec3::Z) < 1e-15);
    assert!(model.body_q[1].transform_vector(DVec3::Y).distance(-DVec3::Y) < 1e-15);
    // In the frame of the second arm, which stood at the origin, the hand was at (0, 1, 0.5).
    let wanted = model.body_q[1].transform_point(DVec3::new(0.0, 1.0, 0.5));
    assert!(model.body_q[2].translation.distance(wanted) < 1e-15);
}

#[test]
fn several_turns_at_the_start_are_kept() {
    let angle = 3.0 * TAU + 1.0;
    let model = two_arms([angle, -angle]).finalize().unwrap();
    let state = model.state();
    assert!((model.joint_coordinates(&state, 0)[3] - angle).abs() < 1e-12);
    assert!((model.joint_coordinates(&state, 1)[3] + angle).abs() < 1e-12);
}

#[test]
fn bodies_without_given_coordinates_stay_exactly_where_they_were() {
    let mut scene = ModelBuilder::new();
    let pose = Pose::new(DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.0, 0.5, 0.25));
    let left = scene.add_body(BodyDef::dynamic("left").pose(pose).sphere(0.1));
    let right = scene.add_body(BodyDef::dynamic("right").pose(pose).sphere(0.1));
    scene.add_joint(JointDef::ball(WORLD, left, DVec3::ZERO));
    scene.add_joint(JointDef::ball(WORLD, right, DVec3::ZERO).coordinates([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    let model = scene.finalize().unwrap();
    assert_eq!(model.body_q[0].translation, pose.translation);
    assert!(model.body_q[1].translation.distance(pose.translation) > 0.1);
}

#[test]
fn slightly_long_quaternions_are_brought_to_unit_length() {
    let mut scene = ModelBuilder::new();
    let mut pose = Pose::new(DVec3::X, DVec3::new(1.0, 0.5, 0.25));
    pose.rotation *= 1.0 + 5e-7;
    let a = scene.add_body(BodyDef::dynamic("a").pose(pose).sphere(0.1));
    scene.add_joint(JointDef::revolute(WORLD, a, DVec3::ONE, DVec3::Y));
    let model = scene.finalize().unwrap();
    assert!((model.body_q[0].rotation.length() - 1.0).abs() < 1e-15);
    assert!((model.joint_frame_child[0].rotation.length() - 1.0).abs() < 1e-15);
}

#[test]
fn initial_rates_set_the_whole_chain_moving() {
    let mut scene = ModelBuilder::new();
    let mut parent = WORLD.into();
    for link in 0..3 {
        let at = DVec3::X * (f64::from(link) + 0.5);
        let body = scene.add_body(BodyDef::dynamic("").at(at).sphere(0.1));
        let hinge = JointDef::revolute(parent, body, DVec3::X * f64::from(link), DVec3::Z);
        scene.add_joint(if link == 2 { hinge } else { hinge.rates([0.0, 0.0, 0.0, 2.0, 0.0, 0.0]) });
        parent = body;
    }
    let model = scene.finalize().unwrap();
    // Angular velocities add up along the chain; the last link is carried by the second.
    let spins = [2.0, 4.0, 4.0];
    let speeds = [1.0, 2.0 + 2.0, 2.0 + 4.0 * 1.5];
    for link in 0..3 {
        assert!(model.body_qd[link].angular.distance(DVec3::Z * spins[link]) < 1e-14);
        assert!(model.body_qd[link].linear.distance(DVec3::Y * speeds[link]) < 1e-14);
    }
}
