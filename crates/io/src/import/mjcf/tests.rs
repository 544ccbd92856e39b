//! The rules of the format, each with a number worked out by hand or given by MuJoCo 4.0.1.

mod balls;
mod forces;
mod made;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_6, PI};

use drystone_geometry::Shape;
use drystone_model::{Axis, BodyId, BodyKind, DVec3, JointId, JointKind, Model, Spring};

use super::super::{Action, ImportError, ImportOptions, Imported, parse_mjcf, read_mjcf};
use crate::atomic::tests::Folder;

fn parse(body: &str) -> Result<Imported, ImportError> {
    parse_mjcf(&format!("<mujoco>\n{body}\n</mujoco>"), "m.xml".as_ref(), &ImportOptions::default())
}

fn good(body: &str) -> Imported {
    parse(body).unwrap_or_else(|error| panic!("{error}"))
}

fn shown(body: &str) -> String {
    parse(body).unwrap_err().to_string()
}

/// A ball of a tenth of a metre with joints, and whatever stands beside the world.
fn ball(joints: &str, beside: &str) -> String {
    format!("{beside}<worldbody><body name=\"b\">{joints}<geom size=\"0.1\"/></body></worldbody>")
}

fn limit(model: &Model, axis: Axis) -> [f64; 2] {
    let limit = model.joint_limit[0][axis as usize];
    [limit.lower, limit.upper]
}

#[test]
fn angles_are_degrees_unless_said_and_lengths_are_metres() {
    let hinge = good(&ball("<joint range=\"-90 60\"/>", "")).model;
    assert_eq!(limit(&hinge, Axis::AngX), [-FRAC_PI_2, 60f64.to_radians()]);
    let radians = good(&ball("<joint range=\"-1 2\"/>", "<compiler angle=\"radian\"/>")).model;
    assert_eq!(limit(&radians, Axis::AngX), [-1.0, 2.0]);
    let slide = good(&ball("<joint type=\"slide\" range=\"-1 2\"/>", "")).model;
    assert_eq!(limit(&slide, Axis::LinX), [-1.0, 2.0]);
}

#[test]
fn euler_angles_turn_with_the_body_or_about_fixed_axes() {
    let turned = |sequence: &str, rotation: &str| {
        let text = format!(
            "<compiler eulerseq=\"{sequence}\"/><worldbody><body name=\"b\" {rotation}><freejoint/><geom size=\"1\"/></body></worldbody>"
        );
        good(&text).model.body_q[0].rotation
    };
    let euler = "euler=\"90 90 0\"";
    // About x, then the new y: z goes to x turned by the first, x. Fixed axes: z goes to −y, which y leaves alone.
    assert!((turned("xyz", euler) * DVec3::Z - DVec3::X).length() < 1e-15);
    assert!((turned("XYZ", euler) * DVec3::Z + DVec3::Y).length() < 1e-15);
    assert!((turned("xyz", "axisangle=\"0 0 2 90\"") * DVec3::X - DVec3::Y).length() < 1e-15);
    assert!((turned("xyz", "quat=\"1 0 0 1\"") * DVec3::X - DVec3::Y).length() < 1e-15);
    assert!((turned("xyz", "xyaxes=\"0 1 0 -3 7 0\"") * DVec3::Y + DVec3::X).length() < 1e-15);
    assert!((turned("xyz", "zaxis=\"0 2 0\"") * DVec3::Z - DVec3::Y).length() < 1e-15);
}

#[test]
fn a_range_limits_if_autolimits_is_on_and_must_be_explained_if_not() {
    let off = "<compiler autolimits=\"false\"/>";
    assert!(shown(&ball("<joint range=\"-90 90\"/>", off)).contains("`limited`"));
    let free = good(&ball("<joint range=\"-90 90\" limited=\"false\"/>", off)).model;
    assert_eq!(limit(&free, Axis::AngX), [f64::NEG_INFINITY, f64::INFINITY]);
}

#[test]
fn coordinates_count_from_ref_and_springs_from_zero() {
    let robot = good(&ball("<joint ref=\"90\" stiffness=\"2\" range=\"0 120\"/>", ""));
    let spring = robot.model.joint_spring[0][Axis::AngX as usize];
    // MuJoCo: at rest −π N·m.
    assert!((spring.stiffness * spring.rest + PI).abs() < 1e-15);
    let [lower, upper] = limit(&robot.model, Axis::AngX);
    assert!((lower + FRAC_PI_2).abs() < 1e-15 && (upper - FRAC_PI_6).abs() < 1e-15);
    let state = robot.state_at(&[FRAC_PI_2], &[0.0]).unwrap();
    assert!(state.body_q[0].rotation.x.abs() < 1e-15 && (state.body_q[0].rotation.w - 1.0).abs() < 1e-15);
}

#[test]
fn inertia_comes_from_geoms_only_where_none_is_given() {
    let body = |compiler: &str, inertial: &str| {
        let text = format!(
            "{compiler}<worldbody><body><freejoint/>{inertial}<geom type=\"box\" size=\"1 1 1\" contype=\"0\" conaffinity=\"0\"/></body></worldbody>"
        );
        good(&text).model
    };
    let inertial = "<inertial pos=\"0 0 1\" mass=\"3\" fullinertia=\"2 3 4 0.1 0.2 0.3\"/>";
    let geoms = body("", "");
    assert!((geoms.body_mass[0] - 8000.0).abs() < 1e-9 && geoms.shape_count() == 0, "geoms without contact weigh");
    let given = body("", inertial);
    assert_eq!((given.body_mass[0], given.body_com[0]), (3.0, DVec3::Z));
    let tensor = given.body_inertia[0].to_cols_array_2d();
    assert_eq!(tensor, [[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]]);
    assert!((body("<compiler inertiafromgeom=\"true\"/>", inertial).body_mass[0] - 8000.0).abs() < 1e-9);
    assert!((body("<compiler settotalmass=\"5\"/>", "").body_mass[0] - 5.0).abs() < 1e-14);
    let flat = "<inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"1 2 6\"/>";
    let text = format!("<worldbody><body><freejoint/>{flat}</body></worldbody>");
    assert!(shown(&text).contains("triangle inequality"));
    assert_eq!(body("<compiler balanceinertia=\"true\"/>", flat).body_inertia[0].diagonal(), DVec3::splat(3.0));
    assert_eq!(
        body("<compiler boundmass=\"9\" boundinertia=\"7\"/>", flat.replace('6', "3").as_str()).body_mass[0],
        9.0
    );
}

#[test]
fn a_body_without_mass_takes_that_of_what_is_welded_to_it() {
    let text = "<worldbody><body name=\"a\"><joint/><body name=\"b\" pos=\"1 0 0\"><geom size=\"0.1\" mass=\"2\"/><site name=\"tip\" pos=\"0 0 1\"/></body></body></worldbody>";
    let robot = good(text);
    assert_eq!((robot.model.body_name.as_slice(), robot.model.body_com[0]), (&["a".to_owned()][..], DVec3::X));
    assert_eq!(robot.frame("tip").unwrap().pose.translation, DVec3::new(1.0, 0.0, 1.0));
    assert_eq!(robot.frame("b").unwrap().body, BodyId(0));
    let text = "<worldbody><body name=\"a\"><joint/></body></worldbody>";
    let error = shown(text);
    assert!(error.starts_with("m.xml:2:") && error.contains("needs a mass"), "{error}");
}

#[test]
fn hinges_of_one_body_are_one_joint_with_the_third_turned_round_where_left_handed() {
    let joints = "<joint name=\"x\" axis=\"1 0 0\" pos=\"0 0 1\"/><joint name=\"z\" axis=\"0 0 1\" pos=\"0 0 1\"/><joint name=\"y\" axis=\"0 1 0\" pos=\"0 0 1\" range=\"-30 60\"/>";
    let robot = good(&ball(joints, ""));
    assert_eq!((robot.model.joint_count(), robot.model.joint_name[0].as_str()), (1, "x+z+y"));
    let [lower, upper] = limit(&robot.model, Axis::AngZ);
    assert!((lower + FRAC_PI_3).abs() < 1e-15 && (upper - FRAC_PI_6).abs() < 1e-15);
    // Turning about y by a right angle takes the centre from below the anchor to (−1, 0, 1).
    let state = robot.state_at(&[0.0, 0.0, FRAC_PI_2], &[0.0; 3]).unwrap();
    assert!((state.body_q[0].translation - DVec3::new(-1.0, 0.0, 1.0)).length() < 1e-15);
    // About x, then the turned z (to −y): the body's x goes to −y turned … by Rx(90°)·Rz(90°): x to z.
    let state = robot.state_at(&[FRAC_PI_2, FRAC_PI_2, 0.0], &[0.0; 3]).unwrap();
    assert!((state.body_q[0].rotation * DVec3::X - DVec3::Z).length() < 1e-15);
}

#[test]
fn slides_before_a_hinge_are_one_joint_and_others_are_refused() {
    let joints = "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 0 1\"/><joint axis=\"0 1 0\"/>";
    let robot = good(&ball(joints, ""));
    let state = robot.state_at(&[1.0, 2.0, FRAC_PI_2], &[0.5, 0.0, 3.0]).unwrap();
    assert!((state.body_q[0].translation - DVec3::new(1.0, 0.0, 2.0)).length() < 1e-15);
    assert!((state.body_q[0].rotation * DVec3::X + DVec3::Z).length() < 1e-15);
    assert!((state.body_qd[0].angular - DVec3::Y * 3.0).length() < 1e-14);
    assert!((state.body_qd[0].linear - DVec3::X * 0.5).length() < 1e-14);
}

#[test]
fn free_joints_take_defaults_only_as_joints() {
    let defaults = "<default><joint damping=\"1\"/></default>";
    assert_eq!(good(&ball("<freejoint name=\"f\"/>", defaults)).model.joint_kind[0], JointKind::Free);
    assert_eq!(good(&ball("<joint type=\"free\"/>", defaults)).model.body_drag[0].len(), 1);
    assert!(good(&ball("<freejoint/>", defaults)).model.body_drag[0].is_empty());
    assert!(shown(&ball("<joint type=\"free\" frictionloss=\"1\"/>", "")).contains("`frictionloss` of a free joint"));
    let nested = "<worldbody><body><geom size=\"1\"/><body><freejoint/><geom size=\"1\"/></body></body></worldbody>";
    assert!(shown(nested).contains("bodies of the world only"));
}

#[test]
fn classes_beat_childclasses_beat_main() {
    let defaults = "<default><joint damping=\"1\"/><default class=\"a\"><joint damping=\"2\"/><default class=\"b\"><joint stiffness=\"5\"/></default></default></default>";
    let damping = |attributes: &str, class: &str| {
        let text =
            format!("{defaults}<worldbody><body {attributes}><joint {class}/><geom size=\"0.1\"/></body></worldbody>");
        let spring = good(&text).model.joint_spring[0][3];
        (spring.damping, spring.stiffness)
    };
    assert_eq!(damping("", ""), (1.0, 0.0));
    assert_eq!(damping("childclass=\"a\"", ""), (2.0, 0.0));
    assert_eq!(damping("childclass=\"a\"", "class=\"b\""), (2.0, 5.0));
    assert_eq!(damping("childclass=\"a\"", "class=\"main\""), (1.0, 0.0));
    assert!(shown(&ball("<joint class=\"aa\"/>", defaults)).contains("there is no class `aa`"));
}

#[test]
fn actuators_of_all_kinds_share_one_set_of_defaults() {
    let drive = |defaults: &str, actuator: &str| {
        let text =
            ball("<joint name=\"j\"/>", &format!("<default>{defaults}</default><actuator>{actuator}</actuator>"));
        let drive = good(&text).model.joint_drive[0][3];
        (drive.stiffness, drive.damping)
    };
    // MuJoCo: kp 1 and gear 3.
    assert_eq!(drive("<position kp=\"50\"/><motor gear=\"3\"/>", "<position joint=\"j\"/>"), (9.0, 0.0));
    assert_eq!(drive("<position kp=\"50\" kv=\"4\"/>", "<position joint=\"j\" kp=\"3\"/>"), (3.0, 4.0));
    assert_eq!(drive("<position kp=\"50\" kv=\"4\"/>", "<velocity joint=\"j\"/>"), (0.0, 1.0));
    assert_eq!(drive("<velocity kv=\"4\"/>", "<position joint=\"j\" kp=\"2\"/>"), (2.0, 0.0));
    assert_eq!(
        drive("<general gainprm=\"9\" biastype=\"affine\" biasprm=\"0 -9 -2\"/>", "<position joint=\"j\"/>"),
        (9.0, 2.0)
    );
    assert_eq!(drive("<position kp=\"50\" kv=\"4\"/>", "<general joint=\"j\"/>"), (50.0, 4.0));
}

/// The effort of one actuator on a hinge at an angle and a speed of the file.
fn effort(joint: &str, actuator: &str, [control, angle, speed]: [f64; 3]) -> f64 {
    let text = ball(
        &format!("<joint name=\"j\" {joint}/>"),
        &format!("<compiler angle=\"radian\"/><actuator>{actuator}</actuator>"),
    );
    let robot = good(&text);
    let state = robot.state_at(&[angle], &[speed]).unwrap();
    let mut out = robot.model.control();
    robot.apply(&[control], &mut out).unwrap();
    let drive = robot.model.joint_drive[0][3];
    let (x, rate) = (robot.model.joint_coordinates(&state, 0)[3], robot.model.joint_rates(&state, 0)[3]);
    let pull =
        drive.stiffness * (out.joint_target[0][3] - x) + drive.damping * (out.joint_target_velocity[0][3] - rate);
    let spring = robot.model.joint_spring[0][3];
    let passive = spring.stiffness * (spring.rest - x) - spring.damping * rate;
    pull.clamp(-drive.max_effort, drive.max_effort) + passive + out.joint_f[0][3]
}

#[test]
fn servos_pull_by_gear_squared_from_ref_and_are_capped_before_the_gear() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
    let servo = "<position joint=\"j\" kp=\"10\" kv=\"2\" gear=\"3\"/>";
    // gear (kp (u − gear q) − kv gear q̇) = 3 (10 (0.5 − 0.6) − 2·3·0.1).
    near(effort("", servo, [0.5, 0.2, 0.1]), -4.8);
    near(effort("ref=\"1\"", servo, [0.5, 0.2, 0.1]), -4.8);
    // With the spring of the joint, which rests at springref: … + 4 (0.7 − 0.2) − 5·0.1.
    near(effort("ref=\"1\" stiffness=\"4\" springref=\"0.7\" damping=\"5\"", servo, [0.5, 0.2, 0.1]), -4.8 + 2.0 - 0.5);
    near(effort("", "<position joint=\"j\" kp=\"10\" gear=\"3\" forcerange=\"-1 1\"/>", [9.0, 0.0, 0.0]), 3.0);
    near(
        effort(
            "actuatorfrcrange=\"-2 2\"",
            "<position joint=\"j\" kp=\"10\" gear=\"3\" forcerange=\"-1 1\"/>",
            [9.0, 0.0, 0.0],
        ),
        2.0,
    );
    // The cap is the servo's alone: springs and dampers of the joint come on top.
    let capped = "<position joint=\"j\" kp=\"10\" gear=\"3\" forcerange=\"-1 1\"/>";
    near(effort("stiffness=\"4\" springref=\"0.7\" damping=\"5\"", capped, [9.0, 0.2, 0.1]), 3.0 + 2.0 - 0.5);
    near(effort("", "<velocity joint=\"j\" kv=\"10\" gear=\"3\"/>", [0.5, 0.2, 0.1]), 3.0 * 10.0 * (0.5 - 0.3));
    near(effort("damping=\"5\"", "<velocity joint=\"j\" kv=\"10\" gear=\"3\"/>", [0.5, 0.2, 0.1]), 6.0 - 0.5);
    near(effort("damping=\"5\"", "<motor joint=\"j\" gear=\"3\" ctrlrange=\"-1 1\"/>", [4.0, 0.2, 0.1]), 3.0 - 0.5);
    near(effort("", "<motor joint=\"j\" gear=\"3\" forcerange=\"-2 0.5\"/>", [4.0, 0.2, 0.1]), 1.5);
    near(effort("actuatorfrcrange=\"-1 1\"", "<motor joint=\"j\" gear=\"3\"/>", [4.0, 0.2, 0.1]), 1.0);
    let general = "<general joint=\"j\" biastype=\"affine\" gainprm=\"7\" biasprm=\"1 -10 -2\"/>";
    near(effort("", general, [0.5, 0.2, 0.1]), 7.0 * 0.5 + 1.0 - 10.0 * 0.2 - 2.0 * 0.1);
    // MuJoCo: the armature of the rotor counts by gear squared, as does its damping.
    let text = ball(
        "<joint name=\"j\"/>",
        "<actuator><motor joint=\"j\" gear=\"5\" armature=\"0.1\" damping=\"0.2\"/></actuator>",
    );
    let model = good(&text).model;
    near(model.joint_armature[0][3], 2.5);
    near(model.joint_spring[0][3].damping, 5.0);
    let text = ball(
        "<joint name=\"j\" range=\"-60 60\"/>",
        "<actuator><position joint=\"j\" inheritrange=\"0.5\"/></actuator>",
    );
    let range = good(&text).actuators[0].control_range.unwrap();
    near(range[1], FRAC_PI_6);
    assert!(matches!(good(&text).actuators[0].action, Action::Target { .. }));
}

#[test]
fn what_servos_cannot_say_is_refused_by_name() {
    let error = |joint: &str, actuator: &str| {
        shown(&ball(&format!("<joint name=\"j\" {joint}/>"), &format!("<actuator>{actuator}</actuator>")))
    };
    for (joint, actuator, why) in [
        ("", "<position joint=\"j\" forcerange=\"-1 2\"/>", "not symmetric"),
        ("", "<general joint=\"j\" dyntype=\"muscle\"/>", "`dyntype`"),
        ("", "<general joint=\"j\" dyntype=\"filter\" dynprm=\"0\"/>", "time constant"),
        ("", "<muscle joint=\"j\"/>", "its law cannot be said"),
        ("", "<motor tendon=\"t\"/>", "no tendon `t`"),
        ("", "<motor joint=\"k\"/>", "there is no joint `k`"),
        ("", "<position joint=\"j\"/><position joint=\"j\"/>", "two servos"),
        ("actuatorfrcrange=\"-1 1\"", "<motor joint=\"j\"/><motor joint=\"j\" gear=\"2\"/>", "together"),
        ("stiffness=\"1 2\"", "", "grows with the motion"),
        ("type=\"ball\" range=\"10 40\"", "", "bounds its whole angle"),
        ("type=\"ball\" armature=\"1\"", "", "`armature` of a ball"),
        ("type=\"ball\"", "<position joint=\"j\"/>", "a servo at a site or a ball"),
        ("type=\"free\"", "<motor joint=\"j\"/>", "actuators of free joints"),
    ] {
        let shown = error(joint, actuator);
        assert!(shown.contains(why), "{shown}");
    }
}

#[test]
fn two_geoms_meet_if_either_wants_to() {
    let geoms = [(1, 1), (2, 0), (0, 2), (4, 1), (0, 0)];
    let bodies: String = geoms
        .iter()
        .enumerate()
        .map(|(k, (own, meets))| {
            format!("<body name=\"b{k}\" pos=\"{k} 0 0\"><freejoint/><geom name=\"g{k}\" size=\"0.1\" contype=\"{own}\" conaffinity=\"{meets}\"/></body>")
        })
        .collect();
    let model = good(&format!("<worldbody>{bodies}</worldbody>")).model;
    assert_eq!(model.shape_count(), 4, "the last meets nobody");
    for a in 0..4 {
        for b in 0..4 {
            let ((own, meets), (other, affinity)) = (geoms[a], geoms[b]);
            let expected = own & affinity != 0 || other & meets != 0;
            let found =
                model.shape_group[a] & model.shape_mask[b] != 0 && model.shape_group[b] & model.shape_mask[a] != 0;
            assert_eq!(found, expected, "{a} and {b}");
        }
    }
    let pair = "<contact><pair geom1=\"g1\" geom2=\"g4\"/></contact>";
    let model = good(&format!("<worldbody>{bodies}</worldbody>{pair}")).model;
    let meet = |a: usize, b: usize| model.shape_group[a] & model.shape_mask[b] != 0;
    assert!(meet(1, 4) && meet(4, 1) && !meet(4, 0) && !meet(2, 4));
}

#[test]
fn parents_and_excluded_bodies_do_not_meet_unless_paired() {
    let chain = "<worldbody><geom name=\"w\" type=\"plane\" size=\"1 1 1\"/><body name=\"s\"><geom name=\"gs\" size=\"1\"/>\
        <body name=\"a\"><joint/><geom name=\"ga\" size=\"1\"/><body name=\"b\"><joint/><geom name=\"gb\" size=\"1\"/>\
        <body name=\"c\"><joint/><geom name=\"gc\" size=\"1\"/></body></body></body></body></worldbody>";
    let apart = |text: &str| {
        let model = good(&format!("{chain}{text}")).model;
        let name = |shape: u32| model.shape_name[shape as usize].clone();
        model.shape_filter.iter().map(|&(a, b)| name(a) + &name(b)).collect::<Vec<_>>()
    };
    // The body welded to the world meets its hinged child, a grandparent its grandchild.
    assert_eq!(apart(""), ["gagb", "gbgc"]);
    assert_eq!(apart("<contact><exclude body1=\"a\" body2=\"c\"/></contact>"), ["gagb", "gagc", "gbgc"]);
    assert_eq!(apart("<contact><exclude body1=\"s\" body2=\"a\"/></contact>"), ["gsga", "gagb", "gbgc"]);
    let both = "<contact><exclude body1=\"a\" body2=\"c\"/><pair geom1=\"gc\" geom2=\"ga\"/></contact>";
    assert_eq!(apart(both), ["gagb", "gbgc"]);
    assert_eq!(apart("<option><flag filterparent=\"disable\"/></option>"), Vec::<String>::new());
}

#[test]
fn friction_counts_by_condim() {
    let material = |geom: &str| {
        let text = format!("<worldbody><body><freejoint/><geom size=\"1\" {geom}/></body></worldbody>");
        let material = good(&text).model.shape_material[0];
        [material.friction_static, material.friction_dynamic, material.friction_torsional, material.friction_rolling]
    };
    assert_eq!(material(""), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(material("friction=\"0.5 0.02 0.003\""), [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(material("friction=\"0.5 0.02 0.003\" condim=\"4\""), [0.5, 0.5, 0.02, 0.0]);
    assert_eq!(material("friction=\"0.5 0.02 0.003\" condim=\"6\""), [0.5, 0.5, 0.02, 0.003]);
    assert_eq!(material("friction=\"0.5\" condim=\"1\""), [0.0; 4]);
    let two = "<worldbody><geom size=\"1\" margin=\"0.01\"/><body><freejoint/><geom size=\"1\" friction=\"0.2\"/></body></worldbody>";
    let robot = good(two);
    assert!(robot.notes.iter().any(|note| note.message.contains("geometric mean")));
    assert_eq!(robot.model.shape_margin[0], 0.01);
}

#[test]
fn geoms_between_two_points_and_geoms_of_all_kinds() {
    let geom = |attributes: &str| {
        let model = good(&format!("<worldbody><geom {attributes}/></worldbody>")).model;
        (model.shape_geometry[0].clone(), model.shape_pose[0])
    };
    let (capsule, pose) = geom("type=\"capsule\" fromto=\"0 0 0 2 0 0\" size=\"0.1\"");
    assert_eq!(capsule, Shape::Capsule { radius: 0.1, half_height: 1.0 });
    // +Z from the second point to the first.
    assert!((pose.rotation * DVec3::Z + DVec3::X).length() < 1e-15 && pose.translation == DVec3::X);
    // MuJoCo: the second size is that of the first.
    let (box_, _) = geom("type=\"box\" fromto=\"0 0 0 2 0 0\" size=\"0.1 0.3\"");
    assert_eq!(box_, Shape::Box { half: DVec3::new(0.1, 0.1, 1.0) });
    assert_eq!(geom("type=\"ellipsoid\" size=\"1 2 3\"").0, Shape::Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) });
    assert_eq!(geom("type=\"plane\" size=\"0 0 1\"").0, Shape::HalfSpace);
    let moving = "<worldbody><body name=\"b\"><freejoint/><geom size=\"1\"/><geom type=\"plane\" size=\"1 1 1\"/></body></worldbody>";
    assert!(shown(moving).contains("half-space"));
    assert!(shown("<worldbody><geom type=\"box\" size=\"1\"/></worldbody>").contains("3 positive numbers"));
}

#[test]
fn meshes_collide_as_hulls_and_weigh_by_their_own_rule() {
    // A unit cube written out, mirrored in x; the hull stays a cube, the centre moves.
    let vertices = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
    let text = format!(
        "<asset><mesh name=\"c\" vertex=\"{vertices}\" scale=\"-2 1 1\"/></asset><worldbody><body><freejoint/><geom mesh=\"c\"/></body></worldbody>"
    );
    let model = good(&text).model;
    assert!((model.body_mass[0] - 2000.0).abs() < 1e-9, "{}", model.body_mass[0]);
    assert!((model.body_com[0] - DVec3::new(-1.0, 0.5, 0.5)).length() < 1e-12);
    // A box of 2 × 1 × 1: m/12 (b² + c²).
    let expected = DVec3::new(2.0, 5.0, 5.0) * (2000.0 / 12.0);
    assert!((model.body_inertia[0].diagonal() - expected).length() < 1e-9);
    assert!(matches!(&model.shape_geometry[0], Shape::Hull(hull) if hull.vertices.len() == 8));
    assert!(shown(&text.replace("mesh=\"c\"", "mesh=\"d\"")).contains("there is no mesh `d`"));
}

#[test]
fn connections_and_welds_are_joints_that_close_loops() {
    let two = "<worldbody><body name=\"a\"><freejoint/><geom size=\"0.1\"/></body><body name=\"b\" pos=\"1 0 0\"><freejoint/><geom size=\"0.1\"/></body><body name=\"m\" mocap=\"true\"/></worldbody>";
    let robot = good(&format!(
        "{two}<equality><connect body1=\"a\" body2=\"b\" anchor=\"0.25 0 0\"/><weld body1=\"a\" active=\"false\"/><weld name=\"w\" body1=\"m\" body2=\"b\" relpose=\"0 0 1 1 0 0 0\"/></equality>"
    ));
    let model = &robot.model;
    assert_eq!(model.joint_kind[2..], [JointKind::Ball, JointKind::Fixed, JointKind::Fixed]);
    assert_eq!(model.joint_frame_child[2].translation, DVec3::new(-0.75, 0.0, 0.0));
    assert_eq!(model.joint_enabled[2..], [true, false, true]);
    assert_eq!((model.body_kind[2], model.joint_frame_parent[4].translation), (BodyKind::Kinematic, DVec3::Z));
    assert!(model.shape_filter.is_empty(), "equalities keep nobody from touching");
    assert!(robot.notes.iter().any(|note| note.message.contains("soft")));
    let coupled = format!("{two}<equality><tendon tendon1=\"x\"/></equality>");
    assert!(shown(&coupled).contains("no fixed tendon has that name"));
}

#[test]
fn tendons_are_distances_or_nothing_or_refused() {
    let sites = "<worldbody><site name=\"s\"/><body><freejoint/><geom size=\"0.1\"/><site name=\"t\" pos=\"0 0 0.1\"/></body></worldbody>";
    let spatial = |attributes: &str| {
        format!("{sites}<tendon><spatial {attributes}><site site=\"s\"/><site site=\"t\"/></spatial></tendon>")
    };
    let kept = good(&spatial("range=\"0 2\""));
    assert_eq!((kept.model.joint_kind[1], kept.model.joint_distance[1]), (JointKind::Distance, [0.0, 2.0]));
    assert!(good(&spatial("")).notes.iter().any(|note| note.message.contains("does nothing")));
    // What pulls between two sites acts along their distance; the spring is slack at the length drawn unless told otherwise.
    let pulls =
        good(&spatial("stiffness=\"3\" damping=\"0.5\" frictionloss=\"0.2\" armature=\"0.1\" range=\"0 2\"")).model;
    assert_eq!((pulls.joint_kind[1], pulls.joint_distance[1]), (JointKind::Distance, [0.0, 2.0]));
    assert_eq!(pulls.joint_spring[1][0], Spring { rest: 0.1, stiffness: 3.0, damping: 0.5 });
    assert_eq!((pulls.joint_friction[1][0], pulls.joint_armature[1][0]), (0.2, 0.1));
    let told = good(&spatial("stiffness=\"3\" springlength=\"0.4\"")).model;
    assert_eq!((told.joint_spring[1][0].rest, told.joint_distance[1]), (0.4, [0.0, f64::INFINITY]));
    // Slack over a stretch: a soft stop at either end.
    let slack = good(&spatial("stiffness=\"3\" springlength=\"0.2 0.4\" damping=\"1\"")).model;
    assert_eq!((slack.joint_distance[1], slack.joint_stiffness[1][0]), ([0.2, 0.4], 3.0));
    assert_eq!(slack.joint_spring[1][0], Spring { rest: 0.2, stiffness: 0.0, damping: 1.0 });
    assert!(shown(&spatial("stiffness=\"3\" springlength=\"0.2 0.4\" range=\"0 2\"")).contains("tendons that pull"));
    assert!(shown(&spatial("stiffness=\"3\" springyield=\"1\"")).contains("yields"));
}

#[test]
fn gravity_its_compensation_and_the_step() {
    let text = "<option gravity=\"0 0 -1\" timestep=\"0.01\"/><worldbody><body gravcomp=\"0.75\"><freejoint/><geom size=\"1\"/></body></worldbody>";
    let robot = good(text);
    assert_eq!((robot.model.world_gravity[0], robot.dt), (DVec3::NEG_Z, Some(0.01)));
    assert_eq!(robot.model.body_gravity_scale[0], 0.25);
    let none = good(
        "<option><flag gravity=\"disable\" contact=\"disable\"/></option><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody>",
    );
    assert_eq!((none.model.world_gravity[0], none.model.shape_count()), (DVec3::ZERO, 0));
    let mixed = "<worldbody><body gravcomp=\"1\"><freejoint/><geom size=\"1\"/><body name=\"x\"><geom size=\"1\"/></body></body></worldbody>";
    assert!(shown(mixed).contains("share of gravity"));
}

#[test]
fn key_frames_are_in_the_order_of_the_joints() {
    let text = "<worldbody><body name=\"a\"><freejoint/><geom size=\"1\"/><body><joint name=\"j\" axis=\"0 1 0\"/><geom size=\"1\"/></body></body></worldbody>\
        <actuator><motor joint=\"j\"/></actuator><keyframe><key name=\"k\" qpos=\"0 0 2 1 0 0 0 0.5\" ctrl=\"3\"/></keyframe>";
    let robot = good(text);
    let key = &robot.keys[0];
    assert_eq!((key.name.as_str(), key.controls.as_deref(), robot.widths()), ("k", Some(&[3.0][..]), [8, 7]));
    let state = robot.state_at(key.positions.as_ref().unwrap(), &[0.0; 7]).unwrap();
    assert_eq!(state.body_q[0].translation, DVec3::Z * 2.0);
    assert!((state.body_q[1].rotation.y - 0.25f64.sin()).abs() < 1e-15);
    assert!(shown(&text.replace(" 0.5\"", "\"")).contains("`qpos` has 7 numbers, the model 8"));
}

#[test]
fn included_files_are_relative_to_the_main_one_and_come_in_once() {
    let folder = Folder::new("import-include");
    std::fs::create_dir_all(folder.0.join("parts")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).unwrap();
    write("parts/a.xml", "<mujocoinclude><include file=\"parts/b.xml\"/></mujocoinclude>");
    write("parts/b.xml", "<mujocoinclude><body><freejoint/><geom size=\"1\"/></body></mujocoinclude>");
    write("main.xml", "<mujoco><worldbody><include file=\"parts/a.xml\"/></worldbody></mujoco>");
    let read = |name: &str| read_mjcf(&folder.0.join(name), &ImportOptions::default());
    assert_eq!(read("main.xml").unwrap().model.body_count(), 1);
    write("parts/b.xml", "<mujocoinclude><body>\n<freejoint/><geom raduis=\"1\"/></body></mujocoinclude>");
    let error = read("main.xml").unwrap_err().to_string();
    assert!(error.contains("b.xml:2:") && error.contains("raduis"), "{error}");
    write("parts/b.xml", "<mujocoinclude><include file=\"parts/a.xml\"/></mujocoinclude>");
    assert!(read("main.xml").unwrap_err().to_string().contains("circle"));
    write("main.xml", "<mujoco><worldbody>\n<include file=\"no.xml\"/></worldbody></mujoco>");
    let error = read("main.xml").unwrap_err().to_string();
    assert!(error.contains("main.xml:2:") && error.contains("no.xml"), "{error}");
}

#[test]
fn what_is_unknown_is_named_with_what_was_meant() {
    let error = shown(&ball("<joint dampign=\"1\"/>", ""));
    assert!(
        error.contains("`joint` has no attribute `dampign`") && error.contains("did you mean `damping`?"),
        "{error}"
    );
    assert!(shown("<worldbody><boddy/></worldbody>").contains("did you mean `body`?"));
    assert!(shown(&ball("<joint type=\"hing\"/>", "")).contains("did you mean `hinge`?"));
    assert!(shown("<worldbody><composite type=\"grid\"/></worldbody>").contains("generated bodies"));
    assert!(good(&format!("<sensor><clock/></sensor>{}", ball("<joint/>", ""))).notes[0].message.contains("sensors"));
    assert!(shown(&ball("<joint damping=\"nan\"/>", "")).contains("not a finite number"));
}

#[test]
fn coordinates_are_those_the_robot_was_placed_by() {
    let robot = good(
        "<worldbody><body name=\"trunk\" pos=\"0 0 1\"><freejoint/><geom size=\"0.2\" pos=\"0.1 0 0\"/>
           <body name=\"arm\" pos=\"0.3 0.1 0\" euler=\"20 0 30\">
             <joint type=\"ball\" pos=\"0.02 0 0\"/><geom type=\"box\" size=\"0.2 0.05 0.03\" pos=\"0.2 0 0\"/>
             <body name=\"hand\" pos=\"0.4 0 0\">
               <joint axis=\"0 1 0\" ref=\"10\"/><joint axis=\"0 0 -1\"/><geom size=\"0.05\" pos=\"0.1 0 0\"/>
             </body></body></body></worldbody>",
    );
    let unit = |[w, x, y, z]: [f64; 4]| {
        let length = (w * w + x * x + y * y + z * z).sqrt();
        [w, x, y, z].map(|part| part / length)
    };
    let (free, ball) = (unit([0.7, 0.1, -0.5, 0.3]), unit([0.9, -0.2, 0.1, 0.4]));
    let positions = [&[0.5, -1.0, 2.0][..], &free, &ball, &[0.4, -0.3]].concat();
    let velocities: Vec<f64> = (0..11).map(|k| 0.3 * f64::from(k) - 1.2).collect();
    let state = robot.state_at(&positions, &velocities).unwrap();
    let (mut q, mut v) = (vec![0.0; positions.len()], vec![0.0; velocities.len()]);
    robot.coordinates(&state, &mut q, &mut v);
    for (told, given) in q.iter().zip(&positions).chain(v.iter().zip(&velocities)) {
        assert!((told - given).abs() < 1e-13, "{q:?} {v:?}");
    }
}

#[test]
fn joints_follow_others_from_where_the_file_draws_them() {
    let file = |equality: &str| {
        format!(
            "<compiler angle=\"radian\"/><worldbody><body><joint name=\"x\" ref=\"0.3\"/><geom size=\"0.1\"/></body>\
             <body><joint name=\"u\"/><joint name=\"v\" axis=\"1 0 0\"/><joint name=\"y\" axis=\"0 1 0\"/>\
             <geom size=\"0.1\"/></body></worldbody><equality>{equality}</equality>"
        )
    };
    // z, x, y is right-handed; the coordinate of the third hinge is that of the file.
    let robot = good(&file("<joint joint1=\"y\" joint2=\"x\" polycoef=\"0.1 2\"/>"));
    let follow = robot.model.joint_follow[1][Axis::AngZ as usize].unwrap();
    assert_eq!((follow.joint, follow.axis, follow.ratio, follow.offset), (JointId(0), Axis::AngX, 2.0, 0.1));
    assert!((robot.model.joint_coordinates(&robot.model.state(), 1)[5] - 0.1).abs() < 1e-15);
    assert!(robot.notes.iter().any(|note| note.message.contains("soft")));
    assert_eq!(good(&file("<joint joint1=\"y\" joint2=\"x\" active=\"false\"/>")).model.joint_follow[1], [None; 6]);
    for (equality, why) in [
        ("<joint joint1=\"y\" joint2=\"x\" polycoef=\"0 1 2\"/>", "curved"),
        ("<joint joint1=\"y\" polycoef=\"0.5\"/>", "held at one value"),
        ("<joint joint1=\"y\" joint2=\"w\"/>", "there is no joint `w`"),
        ("<joint joint1=\"y\" joint2=\"x\" gear=\"2\"/>", "no attribute `gear`"),
        ("<joint joint1=\"y\" joint2=\"x\"/><joint joint1=\"y\" joint2=\"u\"/>", "already"),
    ] {
        let error = shown(&file(equality));
        assert!(error.contains(why), "{error}");
    }
}
