//! What robots ask of joints beside hinges with limits: cones, round and elliptic, bounds of a whole turn, springs of ball joints and
//! largest rates, against answers on paper, by every solver that has them.

use drystone::Simulation;
use drystone::model::{Axis, BodyDef, DMat3, DQuat, DVec3, Drive, JointDef, MassProperties, Model, Spring, WORLD};

fn mass(mass: f64, moment: f64) -> MassProperties {
    MassProperties { mass, com: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(moment)) }
}

/// Solvers and the options that choose between their ways.
const WAYS: [(&str, &[(&str, &str)]); 5] = [
    ("vbd", &[]),
    ("structured", &[]),
    ("structured", &[("integrator", "rk4")]),
    ("structured", &[("integrator", "euler")]),
    ("structured", &[("method", "full_dense")]),
];

fn built(model: Model, (solver, options): (&str, &[(&str, &str)]), dt: f64) -> Simulation {
    let start = Simulation::builder(model).solver(solver).dt(dt);
    options.iter().fold(start, |sim, (name, value)| sim.option(name, *value)).build().unwrap()
}

/// A wheel of 0.5 kg·m² on a ball joint at its centre, damped, with a joint that bounds its turn.
fn gimbal(bound: impl Fn(drystone::model::BodyId) -> JointDef) -> Model {
    let mut scene = drystone::new_model();
    scene.gravity(DVec3::ZERO);
    let wheel = scene.add_body(BodyDef::dynamic("wheel").mass_properties(mass(1.0, 0.5)).damping(0.0, 4.0));
    scene.add_joint(JointDef::ball(WORLD, wheel, DVec3::ZERO));
    scene.add_joint(bound(wheel));
    scene.finalize().unwrap()
}

/// Turned by a torque about any axis, it comes to rest at the bound of the whole angle, about that axis.
#[test]
fn a_turn_ends_at_its_bound_about_any_axis() {
    for (way, axis) in WAYS.into_iter().flat_map(|way| [DVec3::X, DVec3::new(0.6, 0.0, -0.8)].map(|axis| (way, axis))) {
        let mut sim = built(gimbal(|wheel| JointDef::turn_limit(WORLD, wheel, 0.7)), way, 0.01);
        for _ in 0..400 {
            sim.apply_torque(drystone::model::BodyId(0), axis * 3.0).unwrap();
            sim.step().unwrap();
        }
        let turn = sim.state().body_q[0].rotation.to_scaled_axis();
        assert!((turn - axis * 0.7).length() < 1e-5, "{way:?}: turned by {turn} about {axis}");
    }
}

/// Tilted towards y, z and between, the axis stops on the ellipse; turns about it are free.
#[test]
fn a_tilt_ends_on_the_ellipse() {
    let half = [0.3, 0.9];
    for (way, toward) in
        WAYS.into_iter().flat_map(|way| [0.0, 0.4, 1.0, std::f64::consts::FRAC_PI_2].map(|at| (way, at)))
    {
        let mut sim = built(gimbal(|wheel| JointDef::elliptic_cone(WORLD, wheel, DQuat::IDENTITY, half)), way, 0.01);
        // Tilting x towards y is a turn about z, towards z one about −y.
        let torque = DVec3::new(0.0, -toward.sin(), toward.cos()) * 3.0;
        for _ in 0..600 {
            sim.apply_torque(drystone::model::BodyId(0), torque).unwrap();
            sim.step().unwrap();
        }
        let axis = sim.state().body_q[0].rotation * DVec3::X;
        let tilt = axis.x.acos();
        let u = DVec3::new(0.0, axis.y, axis.z).normalize() * tilt;
        let on = (u.y / half[0]).powi(2) + (u.z / half[1]).powi(2);
        assert!((on - 1.0).abs() < 1e-4, "{way:?}, {toward}: {u} is {on} of the way");
        if toward == 0.0 || toward > 1.5 {
            let wanted = if toward == 0.0 { half[0] } else { half[1] };
            assert!((tilt - wanted).abs() < 1e-5, "{way:?}: tilted by {tilt}");
        }
        // About the axis itself nothing stops it.
        let before = sim.state().body_q[0].rotation;
        for _ in 0..100 {
            sim.apply_torque(drystone::model::BodyId(0), axis * 2.0).unwrap();
            sim.step().unwrap();
        }
        let turned = (before.inverse() * sim.state().body_q[0].rotation).to_axis_angle().1;
        assert!(turned > 0.2, "{way:?}: {turned}");
    }
}

/// A cone between two floating bodies takes no momentum, and no energy once it is passed by neither.
#[test]
fn cones_keep_momentum() {
    let mut scene = drystone::new_model();
    scene.gravity(DVec3::ZERO);
    let one = scene.add_body(BodyDef::dynamic("one").mass_properties(mass(1.0, 0.1)));
    let other = scene.add_body(
        BodyDef::dynamic("other").at(DVec3::X).mass_properties(mass(2.0, 0.2)).spin(DVec3::new(0.4, 1.0, 2.0)),
    );
    scene.add_joint(JointDef::ball(one, other, DVec3::X * 0.5));
    scene.add_joint(JointDef::elliptic_cone(one, other, DQuat::from_rotation_z(0.3), [0.2, 0.4]));
    let model = scene.finalize().unwrap();
    for way in WAYS {
        let mut sim = built(model.clone(), way, 0.005);
        sim.step().unwrap();
        let start = sim.model().momentum(sim.state());
        for _ in 0..400 {
            sim.step().unwrap();
        }
        let end = sim.model().momentum(sim.state());
        let bound = if way.0 == "vbd" { 1e-7 } else { 1e-6 };
        assert!((end.linear - start.linear).length() < bound, "{way:?}: {start:?}, {end:?}");
        assert!((end.angular - start.angular).length() < bound, "{way:?}: {start:?}, {end:?}");
        let read = sim.model().joint_cone(1).unwrap();
        let frames = sim.model().joint_frames(sim.state(), 1);
        let value = read.read(frames.0.rotation.inverse() * frames.1.rotation, DVec3::ZERO, DVec3::ZERO).value;
        assert!(value < 0.4 + 1e-4, "{way:?}: {value}");
    }
}

/// Equal springs along the rotation vector of a ball pull back by stiffness times angle about its own axis: it swings as a torsion
/// pendulum does, whatever the axis and however far.
#[test]
fn springs_of_a_ball_swing_as_a_torsion_pendulum() {
    let (stiffness, moment) = (2.0, 0.5);
    for way in WAYS {
        let mut scene = drystone::new_model();
        scene.gravity(DVec3::ZERO);
        let axis = DVec3::new(2.0, -1.0, 2.0) / 3.0;
        let start = DQuat::from_axis_angle(axis, 1.2);
        let body = scene.add_body(BodyDef::dynamic("wheel").mass_properties(mass(1.0, moment)));
        let mut ball = JointDef::ball(WORLD, body, DVec3::ZERO);
        ball.spring[3..].fill(Spring::towards(0.0, stiffness));
        scene.add_joint(ball);
        let mut sim = built(scene.finalize().unwrap(), way, 0.002);
        sim.state_mut().body_q[0].rotation = start;
        let omega = (stiffness / moment).sqrt();
        // A quarter and a half of a period.
        for (share, wanted) in [(0.25, 0.0), (0.25, -1.2)] {
            let steps = (share * std::f64::consts::TAU / omega / 0.002).round() as u64;
            sim.run(steps, |_| ()).unwrap();
            let turn = sim.state().body_q[0].rotation.to_scaled_axis();
            let off = (turn - axis * wanted).length();
            assert!(off < 0.01, "{way:?}: {turn}, {wanted} about {axis}");
        }
    }
}

/// A wheel driven by a torque gains speed as ever up to its largest rate and no further, either way; what holds it back is the torque.
#[test]
fn a_largest_rate_is_held() {
    for (way, sign) in WAYS.into_iter().flat_map(|way| [(way, 1.0), (way, -1.0)]) {
        let mut scene = drystone::new_model();
        scene.gravity(DVec3::ZERO);
        let wheel = scene.add_body(BodyDef::dynamic("wheel").mass_properties(mass(1.0, 0.5)));
        scene.add_joint(JointDef::revolute(WORLD, wheel, DVec3::ZERO, DVec3::Y).max_rate(Axis::AngX, 2.0));
        let mut sim = built(scene.finalize().unwrap(), way, 0.01);
        sim.control_mut().joint_f[0][3] = sign;
        let rate = |sim: &Simulation| sim.model().joint_rates(sim.state(), 0)[3];
        sim.run(50, |_| ()).unwrap();
        assert!((rate(&sim) - sign).abs() < 1e-3, "{way:?}: {}", rate(&sim));
        sim.run(150, |_| ()).unwrap();
        assert!((rate(&sim) - 2.0 * sign).abs() < 1e-4, "{way:?}: {}", rate(&sim));
    }
}

/// A servo far from its target moves there at the largest rate, and arrives.
#[test]
fn a_servo_moves_at_the_largest_rate() {
    for way in WAYS {
        let mut scene = drystone::new_model();
        scene.gravity(DVec3::ZERO);
        let slide = scene.add_body(BodyDef::dynamic("slide").mass_properties(mass(1.0, 0.5)));
        let joint = JointDef::prismatic(WORLD, slide, DVec3::ZERO, DVec3::X).max_rate(Axis::LinX, 0.5);
        scene.add_joint(joint.drive(Axis::LinX, Drive::position(1.0, 200.0, 30.0)));
        let mut sim = built(scene.finalize().unwrap(), way, 0.01);
        let at = |sim: &Simulation| sim.model().joint_coordinates(sim.state(), 0)[0];
        sim.run(20, |_| ()).unwrap();
        let before = at(&sim);
        sim.run(100, |_| ()).unwrap();
        assert!((at(&sim) - before - 0.5).abs() < 1e-5, "{way:?}: {} in a second", at(&sim) - before);
        sim.run(400, |_| ()).unwrap();
        assert!((at(&sim) - 1.0).abs() < 1e-5, "{way:?}: {}", at(&sim));
    }
}

/// Solvers without them say so, and models that mean nothing are refused.
#[test]
fn others_refuse_and_nonsense_is_named() {
    for solver in ["jacobi", "abd"] {
        let cone = gimbal(|wheel| JointDef::turn_limit(WORLD, wheel, 0.7));
        let error = Simulation::builder(cone).solver(solver).build().err().unwrap().to_string();
        assert!(error.contains("is a cone"), "{error}");
        let mut fast = drystone::new_model();
        let body = fast.add_body(BodyDef::dynamic("b").mass_properties(mass(1.0, 1.0)));
        fast.add_joint(JointDef::revolute(WORLD, body, DVec3::ZERO, DVec3::Y).max_rate(Axis::AngX, 2.0));
        let error = Simulation::builder(fast.finalize().unwrap()).solver(solver).build().err().unwrap().to_string();
        assert!(error.contains("largest rate"), "{error}");
    }
    let refused = |change: fn(&mut JointDef)| {
        let mut scene = drystone::new_model();
        let body = scene.add_body(BodyDef::dynamic("b").mass_properties(mass(1.0, 1.0)));
        scene.add_joint(JointDef::ball(WORLD, body, DVec3::ZERO));
        let mut cone = JointDef::turn_limit(WORLD, body, 0.7);
        change(&mut cone);
        scene.add_joint(cone);
        scene.finalize().unwrap_err().to_string()
    };
    assert!(refused(|cone| cone.limit[4] = cone.limit[3]).contains("and no others"));
    assert!(refused(|cone| cone.limit[3].lower = 0.0).contains("no bounds of a cone"));
    assert!(refused(|cone| cone.spring[3] = Spring::towards(0.0, 1.0)).contains("a cone has no drive, spring"));
    assert!(refused(|cone| cone.max_rate[3] = 1.0).contains("no rate that can be held"));
}
