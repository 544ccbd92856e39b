use drystone_model::{Axis, BodyDef, DVec3, Drive, JointDef, JointId, Limit, ModelBuilder, Spring, WORLD};

use super::*;

fn arm(joint: impl Fn(drystone_model::BodyId) -> JointDef) -> Result<String, MjcfError> {
    let mut scene = ModelBuilder::new();
    let arm = scene.add_body(BodyDef::dynamic("arm \"1\" <a>").at(DVec3::X).sphere(0.1));
    scene.add_joint(joint(arm).named("hinge & co"));
    export_mjcf(&scene.finalize().unwrap())
}

#[test]
fn names_are_escaped_and_every_freedom_is_there() {
    let text = arm(|arm| JointDef::cylindrical(WORLD, arm, DVec3::ZERO, DVec3::Y)).unwrap();
    assert!(text.contains("name=\"arm &quot;1&quot; &lt;a&gt;\""), "{text}");
    let (slide, hinge) = (text.find("hinge &amp; co:LinX").unwrap(), text.find("hinge &amp; co:AngX").unwrap());
    assert!(slide < hinge, "slides come first, since they go along axes of the parent");
    assert_eq!(text.matches("<body").count(), text.matches("</body>").count());
}

#[test]
fn coordinates_and_rates_of_the_start_are_in_the_key_frame() {
    let text = arm(|arm| {
        let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y);
        hinge.coordinates([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]).rates([0.0, 0.0, 0.0, -2.0, 0.0, 0.0])
    });
    let text = text.unwrap();
    let value = |key: &str| -> f64 {
        let start = text.find(key).unwrap() + key.len();
        text[start..].split('"').next().unwrap().parse().unwrap()
    };
    assert!((value("qpos=\"") - 0.5).abs() < 1e-15 && (value("qvel=\"") + 2.0).abs() < 1e-15, "{text}");
}

#[test]
fn what_mjcf_cannot_say_is_refused_by_name() {
    let soft = arm(|arm| JointDef::ball(WORLD, arm, DVec3::ZERO).soft([1e3; 2], [0.0; 2])).unwrap_err();
    assert!(soft.to_string().contains("`hinge & co`") && soft.to_string().contains("springs"), "{soft}");
    let hinge = |change: &dyn Fn(JointDef) -> JointDef| {
        arm(|arm| change(JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y))).unwrap_err().to_string()
    };
    for (change, reason) in [
        (&(|hinge: JointDef| hinge.limit(Axis::AngX, 0.0, f64::INFINITY)) as &dyn Fn(JointDef) -> JointDef, "one side"),
        (&|hinge| hinge.limit(Axis::AngX, f64::NEG_INFINITY, 0.0), "one side"),
        (
            &|hinge| hinge.soft_limit(Axis::AngX, Limit { lower: 0.0, upper: 1.0, stiffness: 10.0, damping: 0.0 }),
            "limits are springs",
        ),
        (&|hinge| hinge.break_at(10.0, f64::INFINITY), "break"),
        (&|hinge| hinge.enabled(false), "switched off"),
        (
            &|hinge| hinge.drive(Axis::AngX, Drive { target_velocity: 1.0, ..Drive::position(0.0, 1.0, 1.0) }),
            "a place and a speed",
        ),
    ] {
        let error = hinge(change);
        assert!(error.contains("`hinge & co`") && error.contains(reason), "{error}");
    }
    let body = |def: BodyDef| {
        let mut scene = ModelBuilder::new();
        scene.add_body(def.sphere(0.1));
        export_mjcf(&scene.finalize().unwrap()).unwrap_err().to_string()
    };
    assert!(body(BodyDef::kinematic("led")).contains("body `led`"));
    assert!(body(BodyDef::dynamic("slow").damping(1.0, 0.0)).contains("damping of a body"));
    let drag = drystone_model::Drag { linear: [1.0; 6], ..Default::default() };
    assert!(body(BodyDef::dynamic("slow").drag(drag)).contains("drag of a body"));
    let ring = drystone_scenes::make("four-bar", &[] as &[&str]).unwrap().model;
    assert!(export_mjcf(&ring).unwrap_err().to_string().contains("loop"));
}

/// Springs, servos, their caps and targets, limits, rotors, friction and the share of gravity come back the same.
#[test]
fn what_is_written_reads_back_equal() {
    let mut scene = ModelBuilder::new();
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1).gravity_scale(0.25));
    let hand = scene.add_body(BodyDef::dynamic("hand").at(2.0 * DVec3::X).cuboid(DVec3::splat(0.1)));
    let spring = Spring { rest: 0.2, stiffness: 3.0, damping: 0.5 };
    let servo = Drive::position(0.7, 40.0, 2.0).max_effort(5.0);
    let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y).named("shoulder");
    scene.add_joint(hinge.spring(Axis::AngX, spring).drive(Axis::AngX, servo).limit(Axis::AngX, -1.0, 2.0));
    let slide = JointDef::prismatic(arm, hand, DVec3::X, DVec3::X).named("slide");
    let slide = slide.follow(Axis::LinX, JointId(0), Axis::AngX, -0.5, 0.125);
    scene.add_joint(
        slide.drive(Axis::LinX, Drive::velocity(0.3, 6.0)).friction(Axis::LinX, 0.1).armature(Axis::LinX, 0.4),
    );
    let model = scene.finalize().unwrap();
    let text = export_mjcf(&model).unwrap();
    let back = crate::import::parse_mjcf(&text, "back.xml".as_ref(), &Default::default()).unwrap();
    assert_eq!(back.model.body_gravity_scale, model.body_gravity_scale);
    assert_eq!(back.model.joint_spring, model.joint_spring);
    assert_eq!(back.model.joint_limit, model.joint_limit);
    assert_eq!(back.model.joint_follow, model.joint_follow);
    // With play it is the range of a tendon.
    let mut loose = model.clone();
    loose.joint_follow[1][0].as_mut().unwrap().play = [-0.25, 0.25];
    let text = export_mjcf(&loose).unwrap();
    let loose_back = crate::import::parse_mjcf(&text, "back.xml".as_ref(), &Default::default()).unwrap();
    assert_eq!(loose_back.model.joint_follow, loose.joint_follow);
    assert_eq!(back.model.joint_friction, model.joint_friction);
    assert_eq!(back.model.joint_armature, model.joint_armature);
    let mut control = back.model.control();
    back.apply(back.keys[0].controls.as_ref().unwrap(), &mut control).unwrap();
    assert_eq!((control.joint_target[0][3], control.joint_target_velocity[1][0]), (0.7, 0.3));
    for (drive, written) in back.model.joint_drive.iter().flatten().zip(model.joint_drive.iter().flatten()) {
        let gains = |drive: &Drive| (drive.stiffness, drive.damping, drive.max_effort);
        assert_eq!(gains(drive), gains(written));
    }
}

/// Springs and ranges of balls, and springs between two joints, come back the same.
#[test]
fn balls_and_springs_between_joints_read_back_equal() {
    let mut scene = ModelBuilder::new();
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1));
    let (left, right) =
        (scene.add_body(BodyDef::dynamic("l").sphere(0.1)), scene.add_body(BodyDef::dynamic("r").sphere(0.1)));
    let mut ball = JointDef::ball(WORLD, arm, DVec3::ZERO).named("shoulder");
    ball.spring[3..].fill(Spring::towards(0.0, 3.0));
    scene.add_joint(ball);
    let lead = scene.add_joint(JointDef::revolute(WORLD, left, DVec3::ZERO, DVec3::Y).named("lead"));
    let hinge = JointDef::revolute(WORLD, right, DVec3::ZERO, DVec3::Y).named("follower");
    let mut hinge = hinge.follow(Axis::AngX, lead, Axis::AngX, -2.0, -0.25);
    let follow = hinge.follow[3].as_mut().unwrap();
    (follow.stiffness, follow.damping) = (5.0, 0.5);
    scene.add_joint(hinge);
    scene.add_joint(JointDef::turn_limit(WORLD, arm, 0.75));
    let model = scene.finalize().unwrap();
    let text = export_mjcf(&model).unwrap();
    let back = crate::import::parse_mjcf(&text, "back.xml".as_ref(), &Default::default()).unwrap().model;
    assert_eq!(back.joint_kind, model.joint_kind);
    assert_eq!(back.joint_spring, model.joint_spring);
    assert_eq!(back.joint_follow, model.joint_follow);
    assert_eq!(back.axis_limit(3, 3), model.axis_limit(3, 3));
    let mut tilted = model.clone();
    tilted.joint_limit[3].swap(3, 4);
    assert!(export_mjcf(&tilted).unwrap_err().to_string().contains("loop"));
}
