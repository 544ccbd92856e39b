//! Several worlds in one model, and attributes by name.

use drystone_model::{
    AttributeTarget, BodyDef, DQuat, DVec3, Entity, JointDef, ModelBuilder, ParticleDef, Pose, RodDef, RodMaterial,
    WORLD,
};

/// A pendulum over a ground with a spring and an attribute: one of everything that has indices.
fn pendulum() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -3.0);
    let ground = scene.ground();
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::new(0.5, 0.0, 2.0)).capsule(0.1, 0.2).spin(DVec3::Y));
    let bob = scene.add_body(BodyDef::dynamic("bob").at(DVec3::new(1.0, 0.0, 2.0)).sphere(0.2).sphere(0.1));
    let pivot = scene.add_joint(JointDef::revolute(WORLD, arm, DVec3::Z * 2.0, DVec3::Y));
    scene.add_joint(JointDef::ball(arm, bob, DVec3::new(1.0, 0.0, 2.0)));
    scene.filter_shapes(ground, scene.body_shapes(bob)[1]);
    scene.declare_attribute("demo.warmth", Entity::Joint, 20.0);
    scene.set_attribute("demo.warmth", pivot, 37.0);
    let a = scene.add_particle(ParticleDef::new(DVec3::ZERO, 1.0));
    let b = scene.add_particle(ParticleDef::new(DVec3::X, 1.0));
    scene.add_spring(a, b, 1.0, 0.0);
    scene
}

#[test]
fn copies_are_what_the_original_is_but_in_worlds_of_their_own() {
    let one = pendulum().finalize().unwrap();
    let mut scene = ModelBuilder::new();
    scene.replicate(&pendulum(), 3, DVec3::Y * 5.0);
    let many = scene.finalize().unwrap();
    assert_eq!(many.world_gravity, [DVec3::Z * -3.0; 3]);
    assert_eq!((many.body_count(), many.shape_count(), many.joint_count()), (6, 12, 6));
    for copy in 0..3u32 {
        let offset = DVec3::Y * 5.0 * f64::from(copy);
        for body in 0..2 {
            let at = 2 * copy as usize + body;
            assert_eq!(many.body_world[at], copy);
            assert_eq!(many.body_q[at].translation, one.body_q[body].translation + offset);
            assert_eq!(many.body_inertia[at], one.body_inertia[body]);
            assert_eq!(many.body_name[at], format!("world_{copy}/{}", one.body_name[body]));
        }
        let joint = 2 * copy as usize;
        assert_eq!(many.joint_parent[joint..joint + 2], [WORLD, 2 * copy]);
        assert_eq!(many.joint_child[joint..joint + 2], [2 * copy, 2 * copy + 1]);
        assert_eq!(many.attributes.joint["demo.warmth"][joint..joint + 2], [37.0, 20.0]);
        let shapes: Vec<(u32, u32)> = one.shape_filter.iter().map(|(a, b)| (a + 4 * copy, b + 4 * copy)).collect();
        assert!(shapes.iter().all(|pair| many.shape_filter.contains(pair)));
        assert_eq!(many.spring_particle[copy as usize], [2 * copy, 2 * copy + 1]);
        assert_eq!(many.particle_world[2 * copy as usize + 1], copy);
    }
    assert_eq!(many.shape_filter.len(), 3 * one.shape_filter.len());
    // Anchored to the world at its own place: no joint is open.
    let state = many.state();
    for joint in 0..many.joint_count() {
        assert!(many.joint_coordinates(&state, joint).iter().all(|coordinate| coordinate.abs() < 1e-14));
    }
}

#[test]
fn appending_turns_everything() {
    let turn = Pose::from_parts(DVec3::X * 7.0, DQuat::from_rotation_z(1.0));
    let mut scene = pendulum();
    assert_eq!(scene.append(&pendulum(), turn, "second/").0, 2);
    let model = scene.finalize().unwrap();
    let state = model.state();
    assert_eq!(model.world_count(), 1);
    assert_eq!(model.body_name[2], "second/arm");
    assert!((0..4).all(|joint| model.joint_coordinates(&state, joint).iter().all(|q| q.abs() < 1e-14)));
    assert!(state.body_qd[2].angular.distance(turn.rotation * DVec3::Y) < 1e-15);
    let ground = model.shape_pose[4];
    assert!(ground.translation.distance(DVec3::X * 7.0) < 1e-15);
}

#[test]
fn an_untouched_first_world_is_reused() {
    let mut scene = ModelBuilder::new();
    assert_eq!(scene.begin_world(DVec3::X).0, 0);
    assert_eq!(scene.begin_world(DVec3::Y).0, 1);
    scene.add_body(BodyDef::dynamic("ball").sphere(1.0));
    scene.end_world();
    scene.add_body(BodyDef::dynamic("other").sphere(1.0));
    let model = scene.finalize().unwrap();
    assert_eq!(model.world_gravity, [DVec3::X, DVec3::Y]);
    assert_eq!(model.body_world, [1, 0]);
}

#[test]
fn bodies_of_different_worlds_cannot_be_joined() {
    let mut scene = ModelBuilder::new();
    let here = scene.add_body(BodyDef::dynamic("here").sphere(1.0));
    scene.begin_world(DVec3::ZERO);
    let there = scene.add_body(BodyDef::dynamic("there").sphere(1.0));
    scene.add_joint(JointDef::ball(here, there, DVec3::ZERO).named("bridge"));
    let error = scene.finalize().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the model has 1 fault:\n  - joint `bridge` (#0), child: parent lives in world 0, child in world 1; \
         join bodies of the same world only"
    );
}

#[test]
fn attributes_are_filled_set_and_spell_checked() {
    let mut scene = ModelBuilder::new();
    scene.declare_attribute("vbd.dahl_eps_max", Entity::Joint, 0.0);
    scene.declare_attribute("vbd.dahl_tau", Entity::Joint, 1.0);
    scene.declare_attribute("vbd.weight", Entity::Body, 2.0);
    let points = (0..4).map(|i| DVec3::X * f64::from(i)).collect();
    let rod = scene.add_rod(RodDef::new(points, 0.1, RodMaterial::default()));
    scene.set_attribute("vbd.dahl_tau", rod.joints[1], 5.0);
    let model = scene.finalize().unwrap();
    assert_eq!(model.attributes.joint["vbd.dahl_tau"], [1.0, 5.0]);
    assert!(model.attributes.body.is_empty(), "nobody sets a weight");

    scene.set_attribute_default("vbd.weight", Entity::Body, 3.0);
    scene.set_attribute_default("mine.colour", Entity::Body, 0.25);
    let model = scene.finalize().unwrap();
    assert_eq!(model.attributes.body["vbd.weight"], [3.0; 3]);
    assert_eq!(model.attributes.body["mine.colour"], [0.25; 3]);

    scene.set_attribute_default("vbd.wait", Entity::Body, 3.0);
    scene.set_attribute_default("mine.shine", Entity::Shape, f64::NAN);
    scene.set_attribute("vbd.dahl_epsmax", rod.joints[0], 5.0);
    scene.set_attribute("vbd.dahl_tau", rod.bodies[0], 5.0);
    scene.set_attribute("something else", rod.joints[0], 5.0);
    scene.set_attribute("vbd.dahl_tau", AttributeTarget::Joint(9.into()), 5.0);
    scene.set_attribute("vbd.dahl_tau", rod.joints[0], f64::NAN);
    scene.declare_attribute("nameless", Entity::Body, 0.0);
    scene.declare_attribute("vbd.spin", Entity::Particle, 0.0);
    let error = scene.finalize().unwrap_err().to_string();
    for wanted in [
        "did you mean `vbd.dahl_eps_max`?",
        "attribute `vbd.dahl_tau` (#0), name: no solver declares it for a body; known are: nameless, vbd.weight",
        "attribute `vbd.wait` (#0), name: no solver declares it for a body; did you mean `vbd.weight`?",
        "attribute `mine.shine` (#0), value: it is not a number",
        "known are: vbd.dahl_eps_max, vbd.dahl_tau",
        "joint 9 does not exist",
        "it is not a number",
        "call it `solver.nameless`",
        "a particle carries no attributes",
    ] {
        assert!(error.contains(wanted), "`{wanted}` not in:\n{error}");
    }
}
