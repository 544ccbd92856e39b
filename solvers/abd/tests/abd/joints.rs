//! Joints of affine bodies: what is held is held to rounding, what drives, stops and brakes does what it means.

use drystone_abd::{Abd, AbdOptions};
use drystone_model::{Axis, BodyDef, BodyId, DQuat, DVec3, Drive, JointDef, ModelBuilder, RodStiffness, WORLD};
use drystone_solve::Ending;

use crate::bench::Bench;

const DT: f64 = 0.01;
const G: f64 = 9.81;
const ANCHOR: DVec3 = DVec3::new(0.3, -0.2, 0.1);
const AXIS: DVec3 = DVec3::new(1.0, -0.5, 0.7);

/// Runs a joint to the world and one between bodies for half a second: every step converges, locked axes are held to
/// 1e-10, free ones move.
fn check(name: &str, free: &[Axis], joint: impl Fn(BodyId, BodyId) -> JointDef) {
    for between in [false, true] {
        let mut scene = ModelBuilder::new();
        let mut parent = BodyId(WORLD);
        if between {
            parent = scene.add_body(BodyDef::dynamic("base").cuboid(DVec3::splat(0.1)).mass(1.0));
        }
        let child = BodyDef::dynamic("child").at(DVec3::new(0.8, 0.1, 0.3)).cuboid(DVec3::new(0.2, 0.1, 0.15));
        let child = scene.add_body(child.mass(2.0).spin(DVec3::new(3.0, 2.0, -4.0)));
        scene.add_joint(joint(parent, child));
        if between {
            scene.add_joint(JointDef::fixed(BodyId(WORLD), parent, DVec3::ZERO));
        }
        let mut bench = Bench::new(&scene, DT);
        let mut travel = [0.0f64; 6];
        for _ in 0..50 {
            let report = bench.step();
            assert_eq!(report.ending, Ending::Converged, "{name}");
            let (gap, angle) = (report.max_joint_error.unwrap(), report.max_joint_angle_error.unwrap());
            assert!(gap < 1e-10 && angle < 1e-10, "{name}, between bodies: {between}: gap {gap:e}, angle {angle:e}");
            let q = bench.model.joint_coordinates(&bench.state, 0);
            (0..6).for_each(|k| travel[k] = travel[k].max(q[k].abs()));
        }
        for &axis in free {
            assert!(travel[axis as usize] > 0.01, "{name}: {axis:?} moved by {}", travel[axis as usize]);
        }
    }
}

#[test]
fn every_kind_holds_what_it_locks_and_frees_what_it_does_not() {
    use Axis::{AngX, AngY, AngZ, LinX, LinY, LinZ};
    check("fixed", &[], |a, b| JointDef::fixed(a, b, ANCHOR));
    check("ball", &[AngX, AngY, AngZ], |a, b| JointDef::ball(a, b, ANCHOR));
    check("revolute", &[AngX], |a, b| JointDef::revolute(a, b, ANCHOR, AXIS));
    check("prismatic", &[LinX], |a, b| JointDef::prismatic(a, b, ANCHOR, AXIS));
    check("cylindrical", &[LinX, AngX], |a, b| JointDef::cylindrical(a, b, ANCHOR, AXIS));
    check("planar", &[LinY, LinZ, AngX], |a, b| JointDef::planar(a, b, ANCHOR, AXIS));
    check("universal", &[AngX, AngY], |a, b| JointDef::d6(a, b, ANCHOR, DQuat::IDENTITY, &[AngX, AngY]));
}

/// Two bodies on a ball joint, spinning in free space, keep both momenta to round-off at any step.
#[test]
fn joints_keep_momentum() {
    for dt in [DT, 0.25 * DT] {
        let drift = angular_drift(dt);
        assert!(drift < 1e-12, "{drift} at {dt} s");
    }
}

fn angular_drift(dt: f64) -> f64 {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let half = DVec3::new(0.5, 0.1, 0.1);
    let a = scene.add_body(BodyDef::dynamic("a").cuboid(half).velocity(DVec3::new(0.3, 0.0, 0.1)));
    let spin = DVec3::new(1.0, 2.0, 3.0);
    let arm = DVec3::X * 0.5;
    let b = BodyDef::dynamic("b").at(2.0 * arm).cuboid(half).spin(spin);
    let b = scene.add_body(b.velocity(DVec3::new(0.3, 0.0, 0.1) + spin.cross(arm)));
    scene.add_joint(JointDef::ball(a, b, arm));
    let mut bench = Bench::new(&scene, dt);
    let first = bench.step();
    let last = bench.run(2.0);
    let off = |a: [f64; 3], b: [f64; 3]| (DVec3::from_array(a) - DVec3::from_array(b)).length();
    assert!(off(first.momentum, last.momentum) < 1e-9, "{:?} {:?}", first.momentum, last.momentum);
    assert!(last.kinetic_energy <= first.kinetic_energy);
    off(first.angular_momentum, last.angular_momentum) / DVec3::from_array(first.angular_momentum).length()
}

/// A hinged bar falls from the horizontal and reaches the bottom with the speed of its energy, to second order.
#[test]
fn a_pendulum_trades_height_for_speed() {
    let swing = |dt: f64| {
        let mut scene = ModelBuilder::new();
        let bar = scene.add_body(BodyDef::dynamic("bar").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.05, 0.05)));
        scene.add_joint(JointDef::revolute(WORLD, bar, DVec3::ZERO, DVec3::Y));
        let mut bench = Bench::new(&scene, dt);
        let mut fastest = 0.0f64;
        for _ in 0..(0.8 / dt) as usize {
            bench.step();
            fastest = fastest.max(bench.state.body_qd[0].angular.length());
        }
        let inertia = (1.0 + 0.01) / 12.0 + 0.25;
        fastest / (2.0 * G * 0.5 / inertia).sqrt() - 1.0
    };
    // What is lost falls with the square of the step.
    let (coarse, fine) = (swing(0.01), swing(0.0025));
    assert!((-0.01..0.0).contains(&coarse) && (0.04..0.08).contains(&(fine / coarse)), "{coarse} {fine}");
}

/// A four-bar linkage of hinges: planar loops say many things twice.
#[test]
fn a_closed_loop_with_redundant_rows_stays_closed() {
    let mut scene = ModelBuilder::new();
    let points = [DVec3::ZERO, DVec3::Z * 0.5, DVec3::new(1.0, 0.0, 0.8), DVec3::X * 1.2];
    let mut parent = BodyId(WORLD);
    for k in 0..3 {
        let (near, far) = (points[k], points[k + 1]);
        let turn = DQuat::from_rotation_arc(DVec3::X, (far - near).normalize());
        let half = DVec3::new(0.4 * (far - near).length(), 0.03, 0.03);
        let bar =
            scene.add_body(BodyDef::dynamic(format!("bar {k}")).at(0.5 * (near + far)).rotated(turn).cuboid(half));
        let joint = JointDef::revolute(parent, bar, near, DVec3::Y);
        scene.add_joint(if k == 0 { joint.drive(Axis::AngX, Drive::velocity(6.0, 1e4)) } else { joint });
        parent = bar;
    }
    scene.add_joint(JointDef::revolute(WORLD, parent, points[3], DVec3::Y));
    let mut bench = Bench::new(&scene, DT);
    for _ in 0..150 {
        let report = bench.step();
        assert_eq!(report.ending, Ending::Converged);
        assert!(report.max_joint_error.unwrap() < 1e-10, "{:e}", report.max_joint_error.unwrap());
    }
    let turned = bench.state.joint_angle[0][0];
    assert!((turned / (6.0 * 1.5) - 1.0).abs() < 0.02, "{turned}");
}

/// A box of 2 kg on a vertical slider.
fn slider(joint: impl Fn(JointDef) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::splat(0.1)).mass(2.0));
    scene.add_joint(joint(JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Z)));
    Bench::new(&scene, DT)
}

/// A wheel without weight.
fn wheel(joint: impl Fn(JointDef) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let wheel = scene.add_body(BodyDef::dynamic("wheel").cuboid(DVec3::new(0.5, 0.05, 0.05)).mass(2.0));
    scene.add_joint(joint(JointDef::revolute(WORLD, wheel, DVec3::ZERO, DVec3::NEG_Y)));
    Bench::new(&scene, DT)
}

/// Inertia of the wheel about its hinge \[kg·m²\].
const INERTIA: f64 = 2.0 * (1.0 + 0.01) / 12.0;

fn coordinate(bench: &Bench, axis: Axis) -> f64 {
    bench.model.joint_coordinates(&bench.state, 0)[axis as usize]
}

#[test]
fn drives_reach_what_they_are_told() {
    let mut bench = slider(|joint| joint.drive(Axis::LinX, Drive::position(0.3, 500.0, 100.0)));
    bench.run(3.0);
    let q = coordinate(&bench, Axis::LinX);
    assert!((500.0 * (0.3 - q) / (2.0 * G) - 1.0).abs() < 1e-4, "q = {q}");
    let mut bench = wheel(|joint| joint.drive(Axis::AngX, Drive::velocity(3.0, 50.0)));
    bench.run(1.0);
    let spin = bench.state.body_qd[0].angular;
    assert!((spin + DVec3::Y * 3.0).length() < 1e-6, "{spin}");
    let capped = Drive::position(100.0, 1e6, 1e3).max_effort(5.0);
    let mut bench = wheel(|joint| joint.drive(Axis::AngX, capped));
    bench.run(1.0);
    let spin = -bench.state.body_qd[0].angular.y;
    assert!((spin * INERTIA / 5.0 - 1.0).abs() < 1e-3, "{spin}");
}

#[test]
fn torque_and_armature_accelerate_by_the_inertia_they_meet() {
    let mut bench = wheel(|joint| joint.armature(Axis::AngX, 0.5));
    bench.control.joint_f[0][Axis::AngX as usize] = 2.0;
    bench.run(1.0);
    let spin = -bench.state.body_qd[0].angular.y;
    assert!((spin * (INERTIA + 0.5) / 2.0 - 1.0).abs() < 1e-3, "{spin}");
}

#[test]
fn stops_are_never_passed() {
    let mut bench = slider(|joint| joint.limit(Axis::LinX, -0.2, 0.1));
    for _ in 0..100 {
        bench.step();
        assert!(coordinate(&bench, Axis::LinX) > -0.2);
    }
    let q = coordinate(&bench, Axis::LinX);
    assert!((q + 0.2).abs() < bench.solver.contact_distance(), "rests at {q}");
    let mut bench = wheel(|joint| joint.limit(Axis::AngX, -0.5, 0.7));
    bench.control.joint_f[0][Axis::AngX as usize] = 2.0;
    for _ in 0..100 {
        bench.step();
        assert!(coordinate(&bench, Axis::AngX) < 0.7);
    }
    assert!(coordinate(&bench, Axis::AngX) > 0.699);
}

#[test]
fn dry_friction_holds_below_its_threshold_and_slides_above() {
    let weight = 2.0 * G;
    let mut bench = slider(|joint| joint.friction(Axis::LinX, 1.01 * weight));
    bench.run(2.0);
    let creep = coordinate(&bench, Axis::LinX);
    assert!(creep.abs() < 1e-5, "crept by {creep}");
    let mut bench = slider(|joint| joint.friction(Axis::LinX, 0.8 * weight));
    bench.run(1.0);
    let speed = -bench.state.body_qd[0].linear.z;
    assert!((speed / (0.2 * G) - 1.0).abs() < 1e-3, "speed {speed}");
}

/// A joint on a kinematic body follows it, and contact and joints work together.
#[test]
fn a_crane_lifts_a_crate() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let hook = scene.add_body(BodyDef::kinematic("hook").at(DVec3::Z * 2.0).cuboid(DVec3::splat(0.1)));
    let rope = BodyDef::dynamic("rope").at(DVec3::Z * 1.5).cuboid(DVec3::new(0.03, 0.03, 0.45));
    let rope = scene.add_body(rope);
    let load = scene.add_body(BodyDef::dynamic("load").at(DVec3::Z * 0.751).cuboid(DVec3::splat(0.25)));
    let crate_ = scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.25).cuboid(DVec3::splat(0.25)));
    scene.add_joint(JointDef::ball(hook, rope, DVec3::Z * 2.0));
    scene.add_joint(JointDef::ball(rope, load, DVec3::Z));
    scene.add_joint(JointDef::fixed(load, crate_, DVec3::Z * 0.5));
    let mut bench = Bench::new(&scene, DT);
    bench.state.body_qd[0].linear = DVec3::Z * 0.5;
    for _ in 0..100 {
        let report = bench.step();
        assert_eq!(report.ending, Ending::Converged);
        assert!(report.max_joint_error.unwrap() < 1e-8, "{:e}", report.max_joint_error.unwrap());
    }
    let height = bench.state.body_q[3].translation.z;
    assert!((height - 0.75).abs() < 0.01, "{height}");
}

/// An elastic rod held at one end bends down and swings about its rest.
#[test]
fn rods_and_soft_locks_are_springs() {
    let stiffness = 400.0;
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::splat(0.1)).mass(2.0));
    let rod = RodStiffness {
        stretch: stiffness,
        shear: 1e5,
        bend: 1e4,
        twist: 1e4,
        damping_linear: 40.0,
        damping_angular: 100.0,
    };
    scene.add_joint(JointDef::rod(WORLD, body, DVec3::ZERO, DVec3::Z, rod));
    let mut bench = Bench::new(&scene, DT);
    bench.run(3.0);
    let sag = -bench.state.body_q[0].translation.z;
    assert!((sag * stiffness / (2.0 * G) - 1.0).abs() < 1e-3, "{sag}");
}

#[test]
fn what_a_joint_cannot_do_is_refused_by_name() {
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::splat(0.1)));
    scene.add_joint(JointDef::ball(WORLD, body, DVec3::ZERO).named("neck").break_at(10.0, 10.0));
    let error = Abd::new(&scene.finalize().unwrap(), AbdOptions::default()).unwrap_err().to_string();
    assert!(error.contains("neck") && error.contains("breaking load"), "{error}");
}
