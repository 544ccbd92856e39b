//! A model says what the builder was told.

use drystone_model::{
    Axis, BodyDef, BodyId, DMat3, DQuat, DVec3, JointDef, MassProperties, ModelBuilder, Pose, ShapeDef, WORLD,
};

fn close(a: DVec3, b: DVec3) -> bool {
    (a - b).length() <= 1e-12 * (1.0 + b.length())
}

#[test]
fn mass_of_two_boxes_follows_steiner() {
    let mut scene = ModelBuilder::new();
    let half = DVec3::new(0.1, 0.2, 0.3);
    let body = BodyDef::dynamic("dumbbell")
        .shape(ShapeDef::cuboid(half).at(DVec3::X))
        .shape(ShapeDef::cuboid(half).at(-DVec3::X).density(3000.0));
    scene.add_body(body);
    let model = scene.finalize().unwrap();
    let unit = 8.0 * half.element_product() * 1000.0;
    assert!((model.body_mass[0] / (4.0 * unit) - 1.0).abs() < 1e-14);
    assert!(close(model.body_com[0], DVec3::X * -0.5));
    // About the common centre: own moments of both, and 3/4 m d² with d = 2 for the reduced mass.
    let about_x = 4.0 * unit * (0.2f64.powi(2) + 0.3f64.powi(2)) / 3.0;
    let about_y = 4.0 * unit * (0.1f64.powi(2) + 0.3f64.powi(2)) / 3.0 + 0.75 * unit * 4.0;
    assert!((model.body_inertia[0].x_axis.x / about_x - 1.0).abs() < 1e-12);
    assert!((model.body_inertia[0].y_axis.y / about_y - 1.0).abs() < 1e-12);
}

#[test]
fn given_total_mass_scales_the_inertia() {
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::dynamic("ball").sphere(2.0).mass(5.0));
    let model = scene.finalize().unwrap();
    assert_eq!(model.body_mass[0], 5.0);
    assert!((model.body_inertia[0].z_axis.z - 0.4 * 5.0 * 4.0).abs() < 1e-12);
}

#[test]
fn given_mass_properties_are_kept() {
    let mut scene = ModelBuilder::new();
    let given = MassProperties { mass: 2.0, com: DVec3::Y, inertia: DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5)) };
    scene.add_body(BodyDef::dynamic("given").sphere(2.0).mass_properties(given));
    let model = scene.finalize().unwrap();
    assert_eq!((model.body_mass[0], model.body_com[0], model.body_inertia[0]), (2.0, DVec3::Y, given.inertia));
}

#[test]
fn anchored_frames_coincide_at_the_initial_poses() {
    let mut scene = ModelBuilder::new();
    let pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.3, -0.4, 0.5));
    let a = scene.add_body(BodyDef::dynamic("a").pose(pose).sphere(0.1));
    let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::Y).rotated(DQuat::from_rotation_x(1.0)).sphere(0.1));
    let (anchor, axis) = (DVec3::new(0.5, 0.5, 0.5), DVec3::new(1.0, 1.0, 0.0));
    scene.add_joint(JointDef::revolute(a, b, anchor, axis));
    let model = scene.finalize().unwrap();
    let parent = model.body_q[0] * model.joint_frame_parent[0];
    let child = model.body_q[1] * model.joint_frame_child[0];
    assert!(close(parent.translation, anchor) && close(child.translation, anchor));
    assert!(close(parent.rotation * DVec3::X, axis.normalize()));
    assert!((parent.rotation.dot(child.rotation).abs() - 1.0).abs() < 1e-14);
}

#[test]
fn jointed_bodies_do_not_collide_unless_asked() {
    let mut scene = ModelBuilder::new();
    let ground = scene.ground();
    let ids: Vec<BodyId> = (0..4)
        .map(|i| scene.add_body(BodyDef::dynamic("").at(DVec3::X * f64::from(i)).sphere(0.1).sphere(0.2)))
        .collect();
    scene.add_joint(JointDef::ball(ids[0], ids[1], DVec3::ZERO));
    scene.add_joint(JointDef::ball(ids[1], ids[2], DVec3::ZERO).collide(true));
    scene.add_joint(JointDef::ball(WORLD, ids[3], DVec3::ZERO));
    scene.filter_shapes(ground, scene.body_shapes(ids[3])[0]);
    let model = scene.finalize().unwrap();
    assert_eq!(model.shape_filter, [(0, 7), (1, 3), (1, 4), (2, 3), (2, 4)]);
    assert_eq!(model.body_name, ["body_0", "body_1", "body_2", "body_3"]);
}

#[test]
fn state_and_control_have_the_size_of_the_model() {
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("a").sphere(0.1).velocity(DVec3::X).spin(DVec3::Z));
    let drive = drystone_model::Drive::position(0.5, 10.0, 1.0).max_effort(3.0);
    scene.add_joint(JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Z).drive(Axis::LinX, drive));
    let model = scene.finalize().unwrap();
    let (state, control) = (model.state(), model.control());
    assert_eq!(state.body_qd[0].linear, DVec3::X);
    assert_eq!(state.body_qd[0].angular, DVec3::Z);
    assert_eq!((state.joint_intact.len(), state.joint_angle.len(), state.body_quarantined.len()), (1, 1, 1));
    assert_eq!(control.joint_target[0], [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((control.body_f.len(), control.joint_f.len(), control.body_target.len()), (1, 1, 1));
}
