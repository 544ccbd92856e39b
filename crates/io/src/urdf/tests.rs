use drystone_model::{BodyDef, DQuat, Drive, JointDef, MassProperties, ModelBuilder, ShapeDef, Spring, Twist};

use super::*;
use crate::import::{Base, ImportOptions, Imported, parse_urdf};

fn read(text: &str) -> Imported {
    let options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
    parse_urdf(text, "m.urdf".as_ref(), &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// An arm of every kind of joint that URDF has, turned every way, on a floating trunk and on the world.
fn robot() -> Model {
    let mut scene = ModelBuilder::new();
    let skew =
        |k: f64| DQuat::from_rotation_z(0.7 * k) * DQuat::from_rotation_y(1.3 - k) * DQuat::from_rotation_x(0.4 + k);
    let tensor = DMat3::from_cols_array(&[0.3, 0.02, -0.01, 0.02, 0.25, 0.03, -0.01, 0.03, 0.4]);
    let link = |name: &str, k: f64| {
        let mass = MassProperties { mass: 1.0 + k, com: DVec3::new(0.1, -0.2, 0.05 * k), inertia: tensor };
        let shape = match name.len() % 4 {
            0 => ShapeDef::cuboid(DVec3::new(0.1, 0.2, 0.3)),
            1 => ShapeDef::cylinder(0.1, 0.2),
            2 => ShapeDef::capsule(0.1, 0.2),
            _ => ShapeDef::sphere(0.15),
        };
        let shape = shape.pose(Pose::from_parts(DVec3::new(0.05, 0.0, 0.1), skew(k)));
        let pose = Pose::from_parts(DVec3::new(k, 0.3 * k, 1.0 + k), skew(0.2 * k));
        BodyDef { pose, ..BodyDef::dynamic(name).mass_properties(mass).shape(shape) }
    };
    let trunk = scene.add_body(link("trunk", 1.0));
    scene.add_joint(JointDef::free_floating(trunk).named("root"));
    let upper = scene.add_body(link("upper", 2.0));
    let hinge = JointDef::revolute(trunk, upper, DVec3::new(1.5, 0.5, 2.4), DVec3::new(1.0, 2.0, -1.0)).named("hinge");
    let damped = Spring::damper(0.3);
    scene.add_joint(hinge.limit(Axis::AngX, -0.5, 1.5).spring(Axis::AngX, damped).friction(Axis::AngX, 0.1));
    let fore = scene.add_body(link("fore", 3.0));
    scene.add_joint(JointDef::revolute(upper, fore, DVec3::new(2.4, 0.8, 3.3), DVec3::Z).named("wheel"));
    let tool = scene.add_body(link("the tool", 4.0));
    let slide = JointDef::prismatic(fore, tool, DVec3::new(3.4, 1.1, 4.3), DVec3::NEG_Z).named("slide & co");
    scene.add_joint(slide.limit(Axis::LinX, -0.1, 0.2));
    let puck = scene.add_body(link("puck", 5.0));
    scene.add_joint(JointDef::planar(WORLD, puck, DVec3::new(5.0, 1.0, 6.0), DVec3::Y).named("table"));
    scene.finalize().unwrap()
}

/// Masses, places and freedoms come back, and what is written of what was read is what was written.
#[test]
fn what_is_written_comes_back() {
    let model = robot();
    let written = export_urdf(&model, "all").unwrap();
    assert_eq!(written.notes, Vec::<String>::new());
    let back = read(&written.text).model;
    assert_eq!(back.body_count(), model.body_count());
    let (state, state_back) = (model.state(), back.state());
    for body in 0..model.body_count() {
        let other = back.body_named(&model.body_name[body]).unwrap().built_index();
        let place = |model: &Model, state, body: usize| model.body_centre(state, body as u32);
        let away = place(&model, &state, body) - place(&back, &state_back, other);
        assert!(away.length() < 1e-14, "{}: {away}", model.body_name[body]);
        assert_eq!(model.body_mass[body], back.body_mass[other]);
        let turned = model.body_inertia_world(&state, body) - back.body_inertia_world(&state_back, other);
        assert!(turned.to_cols_array().iter().all(|entry| entry.abs() < 1e-14), "{}", model.body_name[body]);
    }
    for joint in 0..model.joint_count() {
        let other = back.joint_named(&model.joint_name[joint]).unwrap().built_index();
        assert_eq!(
            (model.joint_axis[joint], model.joint_limit[joint]),
            (back.joint_axis[other], back.joint_limit[other])
        );
        let damping = |model: &Model, joint: usize| model.joint_spring[joint].map(|spring| spring.damping);
        assert_eq!(damping(&model, joint), damping(&back, other));
        assert_eq!(model.joint_friction[joint], back.joint_friction[other]);
        let axis = |model: &Model, state, joint| model.joint_frames(state, joint).0.rotation * DVec3::X;
        let turned = axis(&model, &state, joint) - axis(&back, &state_back, other);
        let free = model.joint_kind[joint] == JointKind::Free;
        assert!(free || turned.length() < 1e-14, "{}: {turned}", model.joint_name[joint]);
    }
    let again = read(&export_urdf(&back, "all").unwrap().text).model;
    let apart = |one: &Pose, two: &Pose| {
        (one.translation - two.translation).length() + one.rotation.angle_between(two.rotation)
    };
    assert_eq!(again.body_name, back.body_name);
    assert!(again.body_q.iter().zip(&back.body_q).all(|(one, two)| apart(one, two) < 1e-7));
}

/// Moved alike, both have the same energy: frames, axes and inertias agree in motion too.
#[test]
fn what_comes_back_moves_alike() {
    let model = robot();
    let imported = read(&export_urdf(&model, "all").unwrap().text);
    let [positions, velocities] = imported.widths();
    // The trunk as it is, everything else at its zero, with rates of its own.
    let (mut q, mut v) = (vec![0.0; positions], vec![0.0; velocities]);
    imported.coordinates(&imported.model.state(), &mut q, &mut v);
    let rate = |name: &str| match name {
        "hinge" => 0.7,
        "wheel" => -1.1,
        "slide & co" => 0.4,
        _ => 0.0,
    };
    let mut at = 0;
    for joint in &imported.joints {
        let width = joint.coordinate.widths()[1];
        if width == 1 {
            v[at] = rate(&joint.name);
        }
        at += width;
    }
    let theirs = imported.state_at(&q, &v).unwrap();
    let mut state = model.state();
    for step in &model.joint_tree().order {
        let joint = step.joint as usize;
        let (parent, child) = (model.joint_parent[joint], model.joint_child[joint]);
        let (frame, _) = model.joint_frames(&state, joint);
        let along = frame.rotation * DVec3::X * rate(&model.joint_name[joint]);
        let (slide, turn) =
            if model.joint_kind[joint] == JointKind::Prismatic { (along, DVec3::ZERO) } else { (DVec3::ZERO, along) };
        let from = model.body_velocity(&state, parent);
        let centre = if parent == WORLD { DVec3::ZERO } else { model.body_centre(&state, parent) };
        let (origin, angular) = (from.at(centre, frame.translation) + slide, from.angular + turn);
        let linear = origin + angular.cross(model.body_centre(&state, child) - frame.translation);
        state.body_qd[child as usize] = Twist { linear, angular };
    }
    let (one, two) = (model.energy(&state).kinetic, imported.model.energy(&theirs).kinetic);
    assert!(one > 1.0 && (one - two).abs() < 1e-13 * one, "{one} {two}");
}

#[test]
fn what_urdf_cannot_say_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut ModelBuilder)| {
        let mut scene = ModelBuilder::new();
        change(&mut scene);
        export_urdf(&scene.finalize().unwrap(), "m").unwrap_err().to_string()
    };
    let arm = |scene: &mut ModelBuilder| scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1));
    let hinged = |change: &dyn Fn(JointDef) -> JointDef| {
        refused(&|scene| {
            let arm = arm(scene);
            let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y).named("hinge");
            scene.add_joint(change(hinge));
        })
    };
    assert!(hinged(&|hinge| hinge.drive(Axis::AngX, Drive::position(0.0, 1.0, 1.0))).contains("no springs"));
    assert!(hinged(&|hinge| hinge.armature(Axis::AngX, 1.0)).contains("rotor"));
    assert!(hinged(&|hinge| hinge.limit(Axis::AngX, 0.0, f64::INFINITY)).contains("one side"));
    assert!(hinged(&|hinge| hinge.break_at(1.0, 1.0)).contains("`hinge`"));
    let ball = refused(&|scene| {
        let arm = arm(scene);
        scene.add_joint(JointDef::ball(WORLD, arm, DVec3::ZERO));
    });
    assert!(ball.contains("in a row"), "{ball}");
    let cone = refused(&|scene| {
        scene.add_body(BodyDef::dynamic("hat").shape(ShapeDef::cone(0.1, 0.1).named("tip")));
    });
    assert!(cone.contains("shape `tip`"), "{cone}");
}

#[test]
fn ground_and_start_are_noted() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let arm = scene.add_body(BodyDef::dynamic("world").at(DVec3::X).sphere(0.1));
    let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y).named("hinge");
    scene.add_joint(hinge.coordinates([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]));
    let written = export_urdf(&scene.finalize().unwrap(), "m").unwrap();
    assert_eq!(written.notes.len(), 2, "{:?}", written.notes);
    assert_eq!(read(&written.text).model.body_name, ["world"]);
}
