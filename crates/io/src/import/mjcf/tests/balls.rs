//! Ball and free joints with springs, ranges, dampers and rotors, and what pulls at sites and along lines. Their forces are held
//! against MuJoCo's in `tests/tests/robots.rs`.

use super::*;
use drystone_model::{Axis, Cone, JointKind};

#[test]
fn the_range_of_a_ball_bounds_its_whole_angle_beside_it() {
    let model =
        good(&ball("<joint name=\"j\" type=\"ball\" pos=\"0 0 0.2\" range=\"0 40\" stiffness=\"3\"/>", "")).model;
    assert_eq!(model.joint_kind, [JointKind::Ball, JointKind::Cone]);
    assert_eq!(model.joint_name, ["j", "j/range"]);
    near(model.axis_limit(1, Axis::AngX as usize).upper, 40f64.to_radians());
    assert_eq!(model.joint_cone(1), Some(Cone::Turn));
    assert_eq!(model.joint_frame_child[1], model.joint_frame_child[0]);
    assert!(model.joint_spring[0][3..].iter().all(|spring| spring.stiffness == 3.0 && spring.rest == 0.0));
}

#[test]
fn a_ball_at_what_stands_is_damped_and_others_are_refused() {
    let text = "<worldbody><body name=\"shelf\"><body name=\"a\"><joint type=\"ball\" damping=\"2\"/><geom size=\"0.1\"/>INNER</body></body></worldbody>";
    let model = good(&text.replace("INNER", "")).model;
    assert_eq!(model.body_drag[0][0].linear, [0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
    let inner = "<body name=\"b\"><joint type=\"ball\" damping=\"1\"/><geom size=\"0.1\"/></body>";
    assert!(shown(&text.replace("INNER", inner)).contains("between bodies that move"));
}

/// A rotor a of a free joint beside a mass m: it falls by m g / (m + a), and turns as if it had a more of inertia.
#[test]
fn the_rotor_of_a_free_joint_is_mass_that_weighs_nothing() {
    let plain = good(&ball("<joint type=\"free\"/>", "")).model;
    let model = good(&ball("<joint type=\"free\" armature=\"2\"/>", "")).model;
    near(model.body_mass[0], plain.body_mass[0] + 2.0);
    near(model.body_mass[0] * model.body_gravity_scale[0], plain.body_mass[0]);
    near(model.body_inertia[0].x_axis.x, plain.body_inertia[0].x_axis.x + 2.0);
    let aside =
        "<worldbody><body><joint type=\"free\" armature=\"2\"/><geom size=\"0.1\" pos=\"0.1 0 0\"/></body></worldbody>";
    assert!(shown(aside).contains("centre of mass elsewhere"));
    assert!(good(&format!("<option gravity=\"0 0 0\"/>{aside}")).model.body_mass[0] > 2.0, "nothing weighs");
}

#[test]
fn what_pulls_at_sites_and_lines_must_be_applied_in_every_step() {
    let body = "<worldbody><site name=\"w\"/><body name=\"b\" pos=\"0 0 1\"><freejoint/><geom size=\"0.1\"/><site name=\"s\"/></body></worldbody>";
    let line = "<tendon><spatial name=\"t\"><site site=\"w\"/><site site=\"s\"/></spatial></tendon>";
    let robot = good(&format!(
        "{body}{line}<actuator><motor tendon=\"t\" gear=\"3\"/><motor site=\"s\" gear=\"0 0 2 0 1 0\"/></actuator>"
    ));
    assert!(robot.needs_every_step() && robot.dt == Some(0.002));
    let (state, mut control) = (robot.model.state(), robot.model.control());
    assert!(robot.apply(&[1.0, 1.0], &mut control).is_err());
    control.body_f[0].0.x = 7.0;
    robot.apply_over(&[0.5, 4.0], &state, 0.01, &mut [0.0; 2], &mut control).unwrap();
    let (force, torque) = control.body_f[0];
    // The line pushes its end away from the world, up; the thrust is 2 · 4 along the site.
    assert!(
        (force - DVec3::Z * (1.5 + 8.0)).length() < 1e-12 && (torque - DVec3::Y * 4.0).length() < 1e-12,
        "{force} {torque}"
    );
    let around = line.replace("<site site=\"s\"/>", "<geom geom=\"g\"/><site site=\"s\"/>");
    let text = format!(
        "{}{around}<actuator><motor tendon=\"t\"/></actuator>",
        body.replace("<geom size", "<geom name=\"g\" size")
    );
    assert!(shown(&text).contains("around geoms"));
    assert!(shown(&format!("{body}<actuator><motor site=\"x\"/></actuator>")).contains("there is no site `x`"));
    assert!(shown(&format!("{body}<actuator><motor site=\"s\" refsite=\"w\"/></actuator>")).contains("at a refsite"));
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12 * expected.abs().max(1.0), "{found}, {expected}");
}
