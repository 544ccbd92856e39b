use drystone_model::{BodyDef, DVec3, Drive, JointDef, ModelBuilder, WORLD};

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
    let driven = |arm| {
        let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y);
        hinge.drive(drystone_model::Axis::AngX, Drive::velocity(1.0, 1.0))
    };
    assert!(arm(driven).unwrap_err().reason.contains("speed"));
    let ring = drystone_scenes::make("four-bar", &[] as &[&str]).unwrap().model;
    assert!(export_mjcf(&ring).unwrap_err().to_string().contains("loop"));
}
