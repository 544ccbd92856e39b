//! Stops, drives, friction and rotors of joints.

use drystone_model::{Axis, BodyDef, BodyId, DVec3, Drive, JointDef, JointId, Limit, ModelBuilder, WORLD};
use drystone_structured::{Integrator, StructuredOptions};

use crate::bench::Bench;

/// A bar on a hinge about y at the origin, level along +x, with something done to its hinge.
fn hinged(change: impl Fn(JointDef) -> JointDef) -> (ModelBuilder, BodyId, JointId) {
    let mut scene = ModelBuilder::new();
    let bar = scene.add_body(BodyDef::dynamic("bar").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.05, 0.05)).mass(2.0));
    let hinge = scene.add_joint(change(JointDef::revolute(WORLD, bar, DVec3::ZERO, DVec3::Y)));
    (scene, bar, hinge)
}

fn angle(bench: &Bench) -> f64 {
    bench.model.joint_coordinates(&bench.state, 0)[3]
}

#[test]
fn a_hard_stop_holds_and_carries_the_load() {
    let (scene, _, hinge) = hinged(|joint| joint.limit(Axis::AngX, -0.3, 0.3));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 240.0);
    bench.run(2.0);
    assert!((angle(&bench).abs() - 0.3).abs() < 1e-5, "{}", angle(&bench));
    let force = bench.solver.joint_force(&bench.model, hinge, bench.dt).unwrap();
    let load = 2.0 * 9.81 * 0.5 * 0.3f64.cos();
    assert!((force[3].abs() - load).abs() < 1e-3 * load, "{force:?} {load}");
}

#[test]
fn a_soft_stop_gives_by_load_over_stiffness() {
    let stop = Limit { lower: -0.2, upper: 0.2, stiffness: 200.0, damping: 20.0 };
    let (scene, _, _) = hinged(|joint| joint.soft_limit(Axis::AngX, stop));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 240.0);
    bench.run(5.0);
    let q = angle(&bench).abs();
    let load = 2.0 * 9.81 * 0.5 * q.cos();
    assert!((q - 0.2 - load / 200.0).abs() < 1e-4, "{q}");
}

#[test]
fn drives_reach_their_balance_and_saturate() {
    let (scene, _, _) = hinged(|joint| joint.drive(Axis::AngX, Drive::position(0.0, 400.0, 40.0)));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 240.0);
    bench.run(5.0);
    let q = angle(&bench);
    assert!((q.abs() - 2.0 * 9.81 * 0.5 * q.cos() / 400.0).abs() < 1e-6, "{q}");
    let (scene, _, hinge) = hinged(|joint| joint.drive(Axis::AngX, Drive::position(0.0, 4e4, 4e3).max_effort(5.0)));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 240.0);
    bench.run(0.1);
    let force = bench.solver.joint_force(&bench.model, hinge, bench.dt).unwrap();
    assert!((force[3].abs() - 5.0).abs() < 1e-9, "{force:?}");
    assert!(angle(&bench).abs() > 0.01);
}

#[test]
fn dry_friction_holds_below_its_effort_and_brakes_above() {
    let (scene, _, _) = hinged(|joint| joint.friction(Axis::AngX, 12.0));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 240.0);
    bench.run(1.0);
    assert!(angle(&bench).abs() < 1e-9, "{}", angle(&bench));
    let (scene, _, _) = hinged(|joint| joint.friction(Axis::AngX, 4.0));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 2400.0);
    bench.run(0.1);
    let inertia = 2.0 / 3.0 * (0.25 + 0.05 * 0.05) + 2.0 * 0.25;
    let expected = 0.5 * (2.0 * 9.81 * 0.5 - 4.0) / inertia * 0.01;
    assert!((angle(&bench).abs() / expected - 1.0).abs() < 1e-2, "{} {expected}", angle(&bench));
}

#[test]
fn a_rotor_slows_the_fall() {
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        let (scene, _, _) = hinged(|joint| joint.armature(Axis::AngX, 1.5));
        let mut bench = Bench::new(&scene, StructuredOptions { integrator, ..Default::default() }, 1e-4);
        bench.run(0.05);
        let inertia = 2.0 / 3.0 * (0.25 + 0.05 * 0.05) + 2.0 * 0.25 + 1.5;
        let expected = 0.5 * 2.0 * 9.81 * 0.5 / inertia * 0.0025;
        assert!((angle(&bench).abs() / expected - 1.0).abs() < 5e-3, "{integrator:?} {} {expected}", angle(&bench));
    }
}

#[test]
fn a_joint_breaks_at_its_load() {
    let (scene, _, _) = hinged(|joint| joint.break_at(30.0, f64::INFINITY));
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 1e-3);
    let mut broken = Vec::new();
    for _ in 0..1000 {
        broken.extend(bench.step().broken);
    }
    assert_eq!(broken, [JointId(0)]);
    assert!(bench.state.body_q[0].translation.z < -1.0);
}

#[test]
fn a_kinematic_crank_takes_its_bar_along() {
    let mut scene = ModelBuilder::new();
    let crank = scene.add_body(BodyDef::kinematic("crank").sphere(0.1).spin(DVec3::Z * 2.0));
    let bar = scene.add_body(BodyDef::dynamic("bar").at(DVec3::X).sphere(0.1));
    scene.add_joint(JointDef::fixed(crank, bar, DVec3::X * 0.5));
    for integrator in [Integrator::Variational, Integrator::Euler, Integrator::Rk4] {
        let mut bench = Bench::new(&scene, StructuredOptions { integrator, ..Default::default() }, 1e-3);
        let report = bench.run(0.5);
        let at = bench.state.body_q[1].translation;
        assert!((at - DVec3::new(1f64.cos(), 1f64.sin(), 0.0)).length() < 1e-6, "{integrator:?} {at}");
        assert!(report.max_joint_error.unwrap() < 1e-8);
    }
}
