//! Hysteresis in bending, and rods that close or branch.

use std::f64::consts::TAU;

use drystone_model::{
    Axis, BodyDef, DVec3, Drive, JointDef, JointId, ModelBuilder, RodDef, RodMaterial, RodStiffness, WORLD,
};
use drystone_vbd::Vbd;

use crate::bench::Bench;

/// A body on a rod joint that a hinge bends to and fro by `largest`; area of the second loop.
fn loop_area(largest: f64, tau: f64, eps_max: f64, bend: f64) -> f64 {
    let mut scene = ModelBuilder::new();
    Vbd::declare_attributes(&mut scene);
    scene.gravity(DVec3::ZERO);
    let body = scene.add_body(BodyDef::dynamic("end").sphere(0.1).mass(1.0));
    let stiffness = RodStiffness {
        stretch: f64::INFINITY,
        shear: f64::INFINITY,
        bend,
        twist: bend,
        damping_linear: 0.0,
        damping_angular: 0.0,
    };
    let rod = scene.add_joint(JointDef::rod(WORLD, body, DVec3::ZERO, DVec3::Z, stiffness));
    let hinge = JointDef::revolute(WORLD, body, DVec3::ZERO, DVec3::X);
    scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.0, 1e6 * bend, 0.0)));
    scene.set_attribute("vbd.dahl_eps_max", rod, eps_max);
    scene.set_attribute("vbd.dahl_tau", rod, tau);
    let steps = 400;
    let mut bench = Bench::new(&scene, 1e-2, 3);
    let (mut area, mut last) = (0.0, [0.0; 2]);
    for step in 0..2 * steps {
        bench.control.joint_target[1][3] = largest * (TAU * f64::from(step) / f64::from(steps)).sin();
        bench.step();
        let now = [bench.coordinates(0)[3], -bench.solver.joint_force(JointId(0)).unwrap()[3]];
        if step >= steps {
            area += 0.5 * (now[1] + last[1]) * (now[0] - last[0]);
        }
        last = now;
    }
    area
}

#[test]
fn the_area_of_a_bending_loop_has_its_closed_form() {
    let (bend, eps_max) = (3.0, 0.2);
    for (largest, tau) in [(0.4, 0.1), (0.2, 0.3)] {
        let area = loop_area(largest, tau, eps_max, bend);
        let expected = 4.0 * bend * eps_max * (largest - tau * (largest / tau).tanh());
        eprintln!("Dahl loop {largest} rad, tau {tau}: {area:.5} J, closed form {expected:.5} J");
        assert!((area / expected - 1.0).abs() < 0.01, "{area} J instead of {expected} J");
    }
    assert!(loop_area(0.4, 0.1, 0.0, bend).abs() < 1e-9);
}

#[test]
fn closed_rods_and_graphs_fall_and_hold_together() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let stiff = RodMaterial { young: 1e7, ..RodMaterial::default() };
    let ring: Vec<DVec3> = (0..24)
        .map(|index| TAU * f64::from(index) / 24.0)
        .map(|angle| DVec3::new(0.3 * angle.cos(), 0.3 * angle.sin(), 0.3))
        .collect();
    scene.add_rod(RodDef::new(ring, 0.01, stiff).closed());
    let nodes: Vec<DVec3> =
        [[0.0, 0.0], [0.3, 0.0], [0.3, 0.3], [0.0, 0.3], [0.5, 0.5]].map(|[x, y]| DVec3::new(x + 1.0, y, 0.4)).to_vec();
    let edges = [[0, 1], [1, 2], [2, 3], [3, 0], [2, 4]];
    scene.add_rod_graph("graph", &nodes, &edges, 0.01, stiff);
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 5);
    let report = bench.run(2.0);
    let [gap, _] = bench.joint_error();
    eprintln!("closed rods: gap {gap:.1e} m, {:.1e} J", report.kinetic_energy);
    assert!(gap < 1e-4, "gap {gap}");
    assert!(report.kinetic_energy < 0.01, "{} J", report.kinetic_energy);
    assert!(bench.state.body_q.iter().all(|pose| pose.translation.z > 0.0 && pose.translation.z < 0.2));
}
