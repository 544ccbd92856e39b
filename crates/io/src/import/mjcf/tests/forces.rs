//! Chains of joints, media, tendons, height fields and actuators with a state.

use std::f64::consts::{FRAC_PI_2, PI};

use drystone_geometry::Shape;
use drystone_model::{Axis, DVec3, JointId, Spring};

use super::{ball, good, limit, shown};

#[test]
fn joints_that_are_not_one_hang_in_a_chain_that_moves_as_the_file_says() {
    // A slide that turns with a hinge, and a hinge through another point that turns with both.
    let joints = "<joint axis=\"0 0 1\"/><joint type=\"slide\" axis=\"1 0 0\"/><joint axis=\"0 1 0\" pos=\"0.5 0 0\"/>";
    let robot = good(&ball(joints, ""));
    let state = robot.state_at(&[FRAC_PI_2, 2.0, FRAC_PI_2], &[0.0; 3]).unwrap();
    let body = robot.model.body_named("b").unwrap().built_index();
    // The anchor goes to (2.5, 0, 0) turned by the first hinge, (0, 2.5, 0); the origin hangs below it by the third.
    assert!((state.body_q[body].translation - DVec3::new(0.0, 2.5, 0.5)).length() < 1e-15, "{:?}", state.body_q[body]);
    assert!((state.body_q[body].rotation * DVec3::X + DVec3::Z).length() < 1e-15);
    assert!((robot.model.body_mass.iter().sum::<f64>() - 4000.0 / 3.0 * PI * 1e-3).abs() < 1e-12, "no mass is lost");
    assert!(
        robot.model.body_mass[..body].iter().all(|mass| *mass > 0.0 && *mass < 0.002 * robot.model.body_mass[body])
    );
    assert!(robot.notes.iter().any(|note| note.message.contains("chain")));
    for joints in [
        "<joint axis=\"0 1 0\"/><joint axis=\"1 1 0\"/>",
        "<joint axis=\"0 1 0\"/><joint axis=\"1 0 0\" pos=\"0 0 1\"/>",
        "<joint type=\"slide\"/><joint type=\"slide\" axis=\"1 0 1\"/>",
        "<joint type=\"ball\"/><joint/>",
    ] {
        assert_eq!(good(&ball(joints, "")).model.body_count(), 2, "{joints}");
    }
    assert!(shown(&ball("<freejoint/><joint/>", "")).contains("beside others"));
}

#[test]
fn a_body_does_not_meet_what_holds_its_chain() {
    let text = "<worldbody><body><freejoint/><geom size=\"1\"/><body><joint axis=\"0 1 0\"/><joint pos=\"1 0 0\"/>\
                <geom size=\"1\"/></body></body></worldbody>";
    let model = good(text).model;
    assert_eq!(model.shape_filter, [(0, 1)], "parent and child");
    let free = good(&text.replace("<worldbody>", "<option><flag filterparent=\"disable\"/></option><worldbody>")).model;
    assert!(free.shape_filter.is_empty());
}

/// MuJoCo 4.0.1 about the same text: the inverse of the mass matrix, not its diagonal, is what counts.
#[test]
fn springs_and_dampers_by_their_swing_come_from_the_inertia_of_the_whole_robot() {
    let text = "<worldbody><body><joint name=\"a\" axis=\"0 1 0\" pos=\"0 0 .1\" armature=\".1\"/><geom size=\".1\"/>\
        <body pos=\".3 0 0\"><joint name=\"s\" type=\"slide\" axis=\"1 0 0\" springdamper=\"0.2 0.7\"/>\
        <geom size=\".05 .1\" type=\"capsule\"/><body pos=\"0 .4 0\">\
        <joint name=\"b\" type=\"hinge\" axis=\"1 0 0\" springdamper=\"0.3 2\"/><geom size=\".07\"/></body></body></body></worldbody>\
        <actuator><position joint=\"a\" kp=\"5\" dampratio=\"0.8\" gear=\"2\"/><position joint=\"b\" kp=\"5\" dampratio=\"0.8\"/></actuator>";
    let model = good(text).model;
    let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-6, "{found} for {expected}");
    near(model.joint_spring[1][0].stiffness, 168.1237);
    near(model.joint_spring[1][0].damping, 32.9522452);
    near(model.joint_spring[2][3].stiffness, 0.007822333);
    near(model.joint_spring[2][3].damping, 0.0187735992);
    near(model.joint_drive[0][3].damping, 4.0 * 1.2562846);
    near(model.joint_drive[2][3].damping, 0.18985603);
}

#[test]
fn a_medium_and_dampers_of_free_joints_resist() {
    let body = |joint: &str| format!("<worldbody><body>{joint}<geom type=\"box\" size=\"1 2 3\"/></body></worldbody>");
    let sea = good(&format!("<option density=\"1000\" viscosity=\"0.1\"/>{}", body("<freejoint/>"))).model;
    let drag = &sea.body_drag[0][0];
    // A box resists as itself: ½ ρ times the area it shows, and Stokes' law for a ball of its mean side, four metres.
    assert!((drag.quadratic[0] - 0.5 * 1000.0 * 24.0).abs() < 1e-9, "{drag:?}");
    assert!((drag.linear[2] - 3.0 * PI * 4.0 * 0.1).abs() < 1e-12 && (drag.linear[5] - PI * 64.0 * 0.1).abs() < 1e-12);
    assert!((drag.quadratic[3] - 1000.0 * 2.0 * (256.0 + 1296.0) / 64.0).abs() < 1e-8);
    let damped = good(&body("<joint type=\"free\" damping=\"0.5\"/>")).model;
    assert_eq!(damped.body_drag[0][0].linear, [0.5; 6]);
    assert!(good(&body("<freejoint/>")).model.body_drag[0].is_empty());
    assert!(shown(&format!("<option density=\"1\" wind=\"1 0 0\"/>{}", body("<freejoint/>"))).contains("wind"));
    assert!(shown(&format!("<option density=\"-1\"/>{}", body("<freejoint/>"))).contains("negative"));
    let round = "<option density=\"1\"/><worldbody><body><freejoint/><geom size=\"1\" fluidshape=\"ellipsoid\"/></body></worldbody>";
    assert!(shown(round).contains("ellipsoids"));
}

/// Two fingers with a tendon over both.
fn fingers(beside: &str) -> String {
    format!(
        "<compiler angle=\"radian\"/><worldbody><body><joint name=\"a\" range=\"0 1\" ref=\"0.25\"/><geom size=\"0.1\"/></body>\
         <body><joint name=\"b\" range=\"0 2\"/><geom size=\"0.1\"/></body></worldbody>{beside}"
    )
}

#[test]
fn fixed_tendons_are_gears_ranges_and_couplings() {
    let tendon = |attributes: &str, terms: &[(&str, f64)], beside: &str| {
        let terms: String =
            terms.iter().map(|(joint, coef)| format!("<joint joint=\"{joint}\" coef=\"{coef}\"/>")).collect();
        fingers(&format!("<tendon><fixed name=\"t\" {attributes}>{terms}</fixed></tendon>{beside}"))
    };
    // One joint: its range, over the weight; the coordinate of the model counts from ref.
    let single = good(&tendon("range=\"-1 0.2\"", &[("a", -0.5)], "")).model;
    assert_eq!(limit(&single, Axis::AngX), [-0.25, 0.75], "the narrower bounds are those of the joint");
    let single = good(&tendon("range=\"-0.3 -0.1\"", &[("a", -0.5)], "")).model;
    assert!(
        (limit(&single, Axis::AngX)[0] + 0.05).abs() < 1e-15 && (limit(&single, Axis::AngX)[1] - 0.35).abs() < 1e-15
    );
    // What pulls along the tendon of one joint is its own, by the square of the weight; length 0 is at 0.25 below where it is drawn.
    let pulled = "stiffness=\"8\" damping=\"4\" frictionloss=\"2\" armature=\"0.4\" springlength=\"0\"";
    let single = good(&tendon(pulled, &[("a", -0.5)], "")).model;
    assert_eq!(single.joint_spring[0][3], Spring { rest: -0.25, stiffness: 2.0, damping: 1.0 });
    assert_eq!((single.joint_friction[0][3], single.joint_armature[0][3]), (1.0, 0.1));
    // 2 a − b within ±0.5: a = b / 2 ± 0.25, from ref on.
    let two = good(&tendon("range=\"-0.5 0.5\"", &[("a", 2.0), ("b", -1.0)], ""));
    let follow = two.model.joint_follow[0][3].unwrap();
    assert_eq!((follow.joint, follow.ratio, follow.offset, follow.play), (JointId(1), 0.5, -0.25, [-0.25, 0.25]));
    assert!(two.notes.iter().any(|note| note.message.contains("hard")));
    // Never reached by joints within their own ranges.
    assert_eq!(good(&tendon("range=\"-1 9\"", &[("a", 2.0), ("b", 1.0)], "")).model.joint_follow, [[None; 6]; 2]);
    let held = "<equality><tendon tendon1=\"t\"/></equality>";
    let follow = good(&tendon("", &[("a", -0.5), ("b", 0.5)], held)).model.joint_follow[0][3].unwrap();
    assert_eq!((follow.ratio, follow.offset, follow.play), (1.0, 0.0, [0.0; 2]));
    // A motor pulls both, by gear and weight.
    let pull = "<actuator><motor tendon=\"t\" gear=\"3\" ctrlrange=\"-1 1\"/></actuator>";
    let robot = good(&tendon("actuatorfrcrange=\"-4 2\"", &[("a", 2.0), ("b", -1.0)], pull));
    let mut control = robot.model.control();
    for _ in 0..2 {
        robot.apply(&[0.5], &mut control).unwrap();
        assert_eq!([control.joint_f[0][3], control.joint_f[1][3]], [3.0, -1.5]);
    }
    robot.apply(&[9.0], &mut control).unwrap();
    assert_eq!([control.joint_f[0][3], control.joint_f[1][3]], [6.0, -3.0], "the control counts as 1");
    // MuJoCo: no more than 2 N before the gear.
    let robot = good(&tendon("actuatorfrcrange=\"-4 2\"", &[("a", 2.0), ("b", -1.0)], &pull.replace("-1 1", "-9 9")));
    robot.apply(&[9.0], &mut control).unwrap();
    assert_eq!([control.joint_f[0][3], control.joint_f[1][3]], [12.0, -6.0]);
    // On one joint it is a servo with a gear.
    let servo = "<actuator><position tendon=\"t\" kp=\"10\"/></actuator>";
    assert_eq!(good(&tendon("", &[("b", -2.0)], servo)).model.joint_drive[1][3].stiffness, 40.0);
    // On two it looks at both: 10 (u − (2 a − b)) − 3 (2 a − b)', at most 4, times the weights.
    let servo_over_two = servo.replace("kp", "kv=\"3\" forcerange=\"-4 4\" kp");
    let robot = good(&tendon("", &[("a", 2.0), ("b", -1.0)], &servo_over_two));
    assert!(robot.needs_every_step() && robot.apply(&[1.0], &mut control).is_err());
    assert!(robot.notes.iter().any(|note| note.message.contains("in every step")));
    assert_eq!(robot.dt, Some(0.002), "MuJoCo's own step");
    let state = robot.state_at(&[0.5, 0.3], &[0.1, 0.4]).unwrap();
    for (target, force) in [(0.9, 2.6), (2.0, 4.0)] {
        let mut control = robot.model.control();
        robot.apply_over(&[target], &state, 0.01, &mut [0.0], &mut control).unwrap();
        let [a, b] = [control.joint_f[0][3], control.joint_f[1][3]];
        assert!((a - 2.0 * force).abs() < 1e-12 && (b + force).abs() < 1e-12, "{a}, {b}");
    }
    // ½ 3 (2 (a + 0.25) − b − 1.5)² pulls b to 2 a − 1 with 3, damped.
    let soft =
        good(&tendon("stiffness=\"3\" damping=\"0.2\" springlength=\"1.5\"", &[("b", -1.0), ("a", 2.0)], "")).model;
    let follow = soft.joint_follow[1][3].unwrap();
    assert_eq!((follow.joint.built_index(), follow.ratio, follow.offset), (0, 2.0, -1.0));
    assert_eq!((follow.stiffness, follow.damping, follow.play), (3.0, 0.2, [0.0; 2]));
    for (attributes, terms, beside, why) in [
        ("frictionloss=\"1\"", &[("a", 1.0), ("b", 1.0)][..], "", "tendons that pull"),
        ("stiffness=\"1\" springlength=\"0 1\"", &[("a", 1.0), ("b", 1.0)], "", "tendons that pull"),
        ("", &[("a", 1.0), ("b", 1.0)], &servo.replace("kp", "dampratio=\"1\" kp"), "`dampratio` over several"),
        ("", &[("c", 1.0)], "", "no hinge or slide `c`"),
        ("", &[("a", 1.0)], held, "only two joints"),
        ("", &[("a", 1.0)], "<equality><tendon tendon1=\"t\" tendon2=\"t\"/></equality>", "that follow others"),
        ("", &[("a", 1.0)], "<actuator><motor tendon=\"u\"/></actuator>", "no tendon `u`"),
    ] {
        let error = shown(&tendon(attributes, terms, beside));
        assert!(error.contains(why), "{error}");
    }
}

/// MuJoCo 4.0.1 about the same text: rays from above meet it at these heights.
#[test]
fn height_fields_are_scaled_and_begin_far_along_y() {
    let asset = |attributes: &str| {
        format!(
            "<asset><hfield name=\"t\" {attributes}/></asset><worldbody><geom type=\"hfield\" hfield=\"t\"/></worldbody>"
        )
    };
    let model = good(&asset("nrow=\"3\" ncol=\"2\" elevation=\"1 2 3 4 5 9\" size=\".6 .4 2 .1\"")).model;
    let Shape::Heightfield(terrain) = &model.shape_geometry[0] else { panic!("a height field") };
    assert_eq!((terrain.columns, terrain.rows, terrain.spacing), (2, 3, [1.2, 0.4]));
    assert_eq!(terrain.heights, [1.0, 2.0, 0.5, 0.75, 0.0, 0.25]);
    assert!(terrain.sample(0, 0).y < 0.0, "the last row of the file is at the lowest y");
    let flat = good(&asset("nrow=\"2\" ncol=\"2\" size=\"1 1 1 1\"")).model;
    assert!(matches!(&flat.shape_geometry[0], Shape::Heightfield(flat) if flat.heights == [0.0; 4]));
    for (attributes, why) in [
        ("file=\"a.png\" size=\"1 1 1 1\"", "cannot read the file"),
        ("nrow=\"1\" ncol=\"2\" size=\"1 1 1 1\"", "rows and columns"),
        ("nrow=\"2\" ncol=\"2\" size=\"1 1 1 1\" elevation=\"1 2 3\"", "has 3 heights"),
    ] {
        let error = shown(&asset(attributes));
        assert!(error.contains(why), "{error}");
    }
    assert!(shown("<worldbody><geom type=\"hfield\" hfield=\"u\"/></worldbody>").contains("no height field `u`"));
}

#[test]
fn filters_and_integrators_keep_a_state_that_acts_in_place_of_the_control() {
    let run = |actuator: &str, steps: usize| {
        let robot = good(&ball("<joint name=\"j\"/>", &format!("<actuator>{actuator}</actuator>")));
        let mut control = robot.model.control();
        assert!(robot.apply(&[1.0], &mut control).unwrap_err().to_string().contains("state of its own"));
        let mut activations = [0.0];
        for _ in 0..steps {
            robot.apply_over(&[5.0], &robot.model.state(), 0.01, &mut activations, &mut control).unwrap();
        }
        (control.joint_f[0][3] + 7.0 * control.joint_target[0][3], activations[0])
    };
    // The control counts as 2; what acts in a step is the activation at its start.
    let general = |more: &str| format!("<general joint=\"j\" gainprm=\"7\" ctrlrange=\"-2 2\" {more}/>");
    let near = |(force, activation): (f64, f64), [acts, then]: [f64; 2]| {
        assert!((force - 7.0 * acts).abs() < 1e-13 && (activation - then).abs() < 1e-13, "{force}, {activation}");
    };
    let euler = |steps: i32| 2.0 * (1.0 - (0..steps).fold(1.0, |left, _| 0.8 * left));
    near(run(&general("dyntype=\"filter\" dynprm=\"0.05\""), 3), [euler(2), euler(3)]);
    let exact = |steps: f64| 2.0 * (1.0 - drystone_kernels::elementary::exp(-0.2 * steps));
    near(run(&general("dyntype=\"filterexact\" dynprm=\"0.05\""), 3), [exact(2.0), exact(3.0)]);
    near(run(&general("dyntype=\"integrator\""), 3), [0.04, 0.06]);
    near(run(&general("dyntype=\"integrator\" actrange=\"-1 0.05\""), 3), [0.04, 0.05]);
    near(run("<position joint=\"j\" timeconst=\"0.05\" kp=\"7\" ctrlrange=\"-2 2\"/>", 3), [exact(2.0), exact(3.0)]);
}
