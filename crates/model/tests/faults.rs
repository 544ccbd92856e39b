//! Every fault is found, named and comes with a way out; and all of them at once.

use std::sync::Arc;

use drystone_model::geometry::Heightfield;
use drystone_model::{
    Axis, BodyDef, BodyId, DMat3, DQuat, DVec3, Drive, Entity, JointDef, JointKind, Limit, MassProperties, Material,
    ModelBuilder, Pose, RodStiffness, Shape, ShapeDef, ShapeId, TriMesh, WORLD,
};

fn ball(name: &str) -> BodyDef {
    BodyDef::dynamic(name).sphere(1.0)
}

fn given(mass: f64, inertia: DMat3) -> BodyDef {
    BodyDef::dynamic("a").mass_properties(MassProperties { mass, com: DVec3::ZERO, inertia })
}

fn diagonal(x: f64, y: f64, z: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(x, y, z))
}

/// Builds a scene and expects exactly one fault, about the given entity and field.
#[track_caller]
fn expect(entity: Entity, field: &str, problem: &str, build: impl FnOnce(&mut ModelBuilder)) {
    let mut scene = ModelBuilder::new();
    build(&mut scene);
    let error = scene.finalize().expect_err(problem);
    let [fault] = &error.faults[..] else { panic!("expected one fault, got {error}") };
    assert_eq!((fault.entity, fault.field), (entity, field), "{fault}");
    assert!(fault.problem.contains(problem), "`{problem}` not in `{fault}`");
    assert!(!fault.remedy.is_empty());
}

fn body(field: &str, problem: &str, def: BodyDef) {
    expect(Entity::Body, field, problem, |scene| {
        scene.add_body(def);
    });
}

fn shape(field: &str, problem: &str, def: ShapeDef) {
    expect(Entity::Shape, field, problem, |scene| {
        scene.add_shape(WORLD, def);
    });
}

fn joint(field: &str, problem: &str, def: impl FnOnce(BodyId, BodyId) -> JointDef) {
    expect(Entity::Joint, field, problem, |scene| {
        let (a, b) = (scene.add_body(ball("a")), scene.add_body(ball("b").at(DVec3::X)));
        scene.add_joint(def(a, b));
    });
}

fn hinge(a: BodyId, b: BodyId) -> JointDef {
    JointDef::revolute(a, b, DVec3::ZERO, DVec3::Y)
}

#[test]
fn bodies() {
    body("q", "NaN is not a number", ball("a").at(DVec3::new(0.0, f64::NAN, 0.0)));
    body("q", "not of a sensible size", ball("a").at(DVec3::new(1e40, 0.0, 0.0)));
    body("q", "has no direction", ball("a").rotated(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)));
    body("q", "has length 2", ball("a").rotated(DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)));
    body("q", "has length NaN", ball("a").rotated(DQuat::from_xyzw(0.0, 0.0, f64::NAN, 1.0)));
    body("qd", "inf is not of a sensible size", ball("a").velocity(DVec3::INFINITY));
    body("qd", "NaN", ball("a").spin(DVec3::NAN));
    body("qd", "static body has a velocity", BodyDef::fixed("a").sphere(1.0).velocity(DVec3::X));
    body("mass", "needs a mass", BodyDef::dynamic("a"));
    body("mass", "needs a mass", ball("a").density(0.0));
    body("mass", "-1 is not positive", ball("a").mass(-1.0));
    body("mass", "NaN", ball("a").mass(f64::NAN));
    body("mass", "-2 is not positive", given(-2.0, DMat3::IDENTITY));
    body("inertia", "not all positive", given(1.0, DMat3::ZERO));
    body("inertia", "not all positive", given(1.0, diagonal(1.0, 1.0, -1.0)));
    body("inertia", "not all positive", BodyDef::dynamic("a").mass(1.0));
    body("inertia", "triangle inequality", given(1.0, diagonal(1.0, 1.0, 2.1)));
    body("inertia", "not symmetric", given(1.0, DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::new(0.1, 0.0, 1.0))));
    body("inertia", "NaN", given(1.0, diagonal(1.0, f64::NAN, 1.0)));
    body("mass", "half-space", BodyDef::fixed("a").shape(ShapeDef::new(Shape::HalfSpace)).mass(1.0));
    let off_centre = MassProperties { mass: 1.0, com: DVec3::NAN, inertia: DMat3::IDENTITY };
    body("com", "NaN", BodyDef::dynamic("a").mass_properties(off_centre));
    expect(Entity::Body, "name", "body #0 has the same name", |scene| {
        scene.add_body(ball("twin"));
        scene.add_body(ball("twin").at(DVec3::X * 5.0));
    });
    expect(Entity::World, "gravity", "NaN", |scene| {
        scene.gravity(DVec3::NAN);
    });
}

#[test]
fn a_flat_plate_passes_the_triangle_inequality() {
    let mut scene = ModelBuilder::new();
    scene.add_body(given(1.0, diagonal(1.0, 1.0, 2.0)));
    assert!(scene.finalize().is_ok());
}

#[test]
fn shapes() {
    shape("geometry", "radius must be positive", ShapeDef::sphere(0.0));
    shape("geometry", "radius must be positive", ShapeDef::sphere(f64::NAN));
    shape("geometry", "must be positive", ShapeDef::cuboid(DVec3::new(1.0, -1.0, 1.0)));
    shape("geometry", "must be positive", ShapeDef::cylinder(1.0, -1.0));
    shape("geometry", "must be positive", ShapeDef::cone(-1.0, 1.0));
    shape("geometry", "must be positive", ShapeDef::ellipsoid(DVec3::ZERO));
    shape("geometry", "not of a sensible size", ShapeDef::sphere(1e40));
    shape("pose", "has no direction", ShapeDef::plane(DVec3::ZERO, DVec3::ZERO));
    shape("pose", "NaN", ShapeDef::sphere(1.0).at(DVec3::NAN));
    shape("margin", "-0.1 is negative", ShapeDef::sphere(1.0).margin(-0.1));
    shape("material.density", "negative", ShapeDef::sphere(1.0).density(-1.0));
    shape("material.restitution", "not between 0 and 1", ShapeDef::sphere(1.0).restitution(1.5));
    shape("material.restitution", "not between 0 and 1", ShapeDef::sphere(1.0).restitution(f64::NAN));
    let slippery = Material { friction_static: -0.5, ..Material::default() };
    shape("material.friction_static", "negative", ShapeDef::sphere(1.0).material(slippery));
    let soft = Material { stiffness: 0.0, ..Material::default() };
    shape("material.stiffness", "fall through", ShapeDef::sphere(1.0).material(soft));
    let mesh = TriMesh { vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y], triangles: vec![[0, 1, 2]] };
    shape("geometry", "it is open", ShapeDef::mesh(mesh));
    let field = Heightfield { columns: 2, rows: 2, spacing: [1.0, 1.0], heights: vec![0.0; 3] };
    shape("geometry", "need 4 heights", ShapeDef::heightfield(field));
    expect(Entity::Shape, "body", "body 7 does not exist", |scene| {
        scene.add_shape(7, ShapeDef::sphere(1.0));
    });
    expect(Entity::Shape, "name", "same name", |scene| {
        scene.add_shape(WORLD, ShapeDef::sphere(1.0).named("s"));
        scene.add_shape(WORLD, ShapeDef::sphere(1.0).named("s"));
    });
    expect(Entity::Shape, "filter", "0 and 5 cannot", |scene| {
        let ground = scene.ground();
        scene.filter_shapes(ShapeId(5), ground);
    });
    expect(Entity::Shape, "geometry", "half-space cannot be worn by the moving body `a`", |scene| {
        scene.add_body(ball("a").shape(ShapeDef::new(Shape::HalfSpace).density(0.0)));
    });
    let field = Arc::new(Heightfield { columns: 2, rows: 2, spacing: [1.0, 1.0], heights: vec![0.0; 4] });
    expect(Entity::Shape, "geometry", "heightfield cannot be worn by the dynamic body `a`", |scene| {
        scene.add_body(BodyDef::dynamic("a").shape(ShapeDef::heightfield(field.clone())));
    });
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::kinematic("tray").shape(ShapeDef::heightfield(field)));
    assert!(scene.finalize().is_ok());
}

#[test]
fn broken_geometry_on_a_dynamic_body_is_reported_once() {
    expect(Entity::Shape, "geometry", "radius must be positive", |scene| {
        scene.add_body(BodyDef::dynamic("a").sphere(-1.0));
    });
    expect(Entity::Shape, "material.density", "negative", |scene| {
        scene.add_body(ball("a").density(-1.0));
    });
}

#[test]
fn closed_meshes_may_move() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap().to_mesh(&Default::default());
    let cube = Arc::new(cube);
    let mut scene = ModelBuilder::new();
    for place in 0..3 {
        let density = 1.0 + f64::from(place);
        let shape = ShapeDef::mesh(cube.clone()).density(density);
        scene.add_body(BodyDef::dynamic("").at(DVec3::X * 5.0 * f64::from(place)).shape(shape));
    }
    let model = scene.finalize().unwrap();
    assert!(model.body_mass.iter().zip([8.0, 16.0, 24.0]).all(|(mass, wanted)| (mass / wanted - 1.0).abs() < 1e-14));
    assert!((model.body_inertia[2].x_axis.x / (24.0 * 2.0 / 3.0) - 1.0).abs() < 1e-13);
}

#[test]
fn joints() {
    joint("child", "joined to itself", |a, _| JointDef::ball(a, a, DVec3::ZERO));
    joint("child", "cannot be the world", |a, _| JointDef::ball(a, WORLD, DVec3::ZERO));
    joint("parent", "body 9 does not exist", |_, b| JointDef::ball(9, b, DVec3::ZERO));
    joint("child", "body 9 does not exist", |a, _| JointDef::ball(a, 9, DVec3::ZERO));
    joint("limit", "lower bound 1 is above upper bound -1", |a, b| hinge(a, b).limit(Axis::AngX, 1.0, -1.0));
    joint("limit", "not a number", |a, b| hinge(a, b).limit(Axis::AngX, f64::NAN, 1.0));
    joint("limit", "locked axis", |a, b| hinge(a, b).limit(Axis::LinX, -1.0, 1.0));
    joint("limit.damping", "negative", |a, b| {
        hinge(a, b).soft_limit(Axis::AngX, Limit { damping: -1.0, ..Limit::default() })
    });
    joint("drive", "locked axis", |a, b| hinge(a, b).drive(Axis::AngY, Drive::velocity(1.0, 1.0)));
    joint("drive.stiffness", "negative", |a, b| hinge(a, b).drive(Axis::AngX, Drive::position(1.0, -1.0, 0.0)));
    joint("drive.target", "NaN", |a, b| hinge(a, b).drive(Axis::AngX, Drive::position(f64::NAN, 1.0, 0.0)));
    joint("drive.max_effort", "negative", |a, b| {
        hinge(a, b).drive(Axis::AngX, Drive::velocity(1.0, 1.0).max_effort(-3.0))
    });
    joint("friction", "negative", |a, b| hinge(a, b).friction(Axis::AngX, -1.0));
    joint("armature", "NaN", |a, b| hinge(a, b).armature(Axis::AngX, f64::NAN));
    joint("stiffness", "negative", |a, b| hinge(a, b).soft([-1.0, 1.0], [0.0, 0.0]));
    joint("damping", "inf", |a, b| hinge(a, b).soft([1.0, 1.0], [f64::INFINITY, 0.0]));
    joint("break", "negative", |a, b| hinge(a, b).break_at(-1.0, 1.0));
    joint("distance", "smallest 2 is above largest 1", |a, b| {
        JointDef::distance(a, b, DVec3::ZERO, DVec3::X, [2.0, 1.0])
    });
    joint("rod", "needs its elastic constants", |a, b| JointDef::new(JointKind::Rod, a, b));
    joint("rod.bend", "negative", |a, b| {
        let bad = RodStiffness {
            stretch: 1.0,
            shear: 1.0,
            bend: -1.0,
            twist: 1.0,
            damping_linear: 0.0,
            damping_angular: 0.0,
        };
        JointDef::rod(a, b, DVec3::ZERO, DVec3::Z, bad)
    });
    joint("frame_child", "NaN", |a, b| hinge(a, b).frames(Pose::IDENTITY, Pose::from_translation(DVec3::NAN)));
    joint("coordinates", "not finite", |a, b| hinge(a, b).coordinates([0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0]));
    joint("rates", "not finite", |a, b| hinge(a, b).rates([0.0, 0.0, 0.0, f64::INFINITY, 0.0, 0.0]));
    joint("coordinates", "locked axis", |a, b| hinge(a, b).coordinates([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    expect(Entity::Joint, "child", "neither body is dynamic", |scene| {
        let a = scene.add_body(BodyDef::fixed("a"));
        scene.add_joint(JointDef::ball(WORLD, a, DVec3::ZERO));
    });
    expect(Entity::Joint, "coordinates", "closes a loop", |scene| {
        let a = scene.add_body(ball("a"));
        scene.add_joint(hinge(BodyId::WORLD, a));
        scene.add_joint(hinge(BodyId::WORLD, a).coordinates([0.0; 6]));
    });
}

#[test]
fn an_axis_without_length_is_noticed_on_both_sides() {
    let mut scene = ModelBuilder::new();
    let a = scene.add_body(ball("a"));
    scene.add_joint(JointDef::revolute(WORLD, a, DVec3::ZERO, DVec3::ZERO).named("pivot"));
    let faults = scene.finalize().unwrap_err().faults;
    assert_eq!(faults.iter().map(|fault| fault.field).collect::<Vec<_>>(), ["frame_parent", "frame_child"]);
    assert!(faults.iter().all(|fault| fault.name == "pivot" && fault.remedy.contains("axis")));
}

#[test]
fn all_faults_are_listed_at_once() {
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::dynamic("weightless"));
    scene.add_body(ball("flat").shape(ShapeDef::cuboid(DVec3::new(1.0, 1.0, 0.0))));
    scene.add_joint(JointDef::ball(0, 0, DVec3::ZERO).named("self"));
    let error = scene.finalize().unwrap_err();
    let text = error.to_string();
    assert_eq!(error.faults.len(), 3, "{text}");
    assert!(text.starts_with("the model has 3 faults:\n  - body `weightless` (#0), mass:"), "{text}");
    assert!(text.contains("joint `self` (#0), child: a body cannot be joined to itself; name two different bodies"));
}

#[test]
fn a_model_from_elsewhere_is_held_to_the_same_rules() {
    let mut scene = ModelBuilder::new();
    let a = scene.add_body(ball("a"));
    scene.add_joint(hinge(BodyId::WORLD, a));
    let model = scene.finalize().unwrap();
    assert!(model.validate().is_ok());
    let text = serde_json::to_string(&model.body_q).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Pose>>(&text).unwrap(), model.body_q);

    let mut shorter = model.clone();
    shorter.joint_limit.pop();
    shorter.attributes.body.insert("demo.x".into(), vec![]);
    let error = shorter.validate().unwrap_err().to_string();
    assert!(error.contains("joint_limit: 0 entries, but `joint_kind` has 1"), "{error}");
    assert!(error.contains("attribute `demo.x` (#0), value: 0 entries for 1"), "{error}");
    let mut nowhere = model;
    nowhere.joint_child[0] = 4;
    assert!(nowhere.validate().unwrap_err().to_string().contains("body 4 does not exist"));
}
