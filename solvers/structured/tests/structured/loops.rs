//! Closed loops.

use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
use drystone_structured::{Integrator, Krylov, Method, StructuredOptions};

use crate::bench::Bench;

/// A four-bar linkage in the x–z plane, hinges about y: redundant in space.
fn four_bar(options: StructuredOptions) -> Bench {
    let mut scene = ModelBuilder::new();
    let corner = [DVec3::ZERO, DVec3::new(0.2, 0.0, 0.5), DVec3::new(1.0, 0.0, 0.8), DVec3::new(1.1, 0.0, 0.0)];
    let mut bars = Vec::new();
    for (i, pair) in corner.windows(2).enumerate() {
        let along = pair[1] - pair[0];
        let turn = drystone_model::DQuat::from_rotation_arc(DVec3::X, along.normalize());
        let half = DVec3::new(0.5 * along.length(), 0.03, 0.03);
        let def = BodyDef::dynamic(format!("bar {i}")).at(0.5 * (pair[0] + pair[1])).rotated(turn).cuboid(half);
        bars.push(scene.add_body(def));
    }
    scene.add_joint(JointDef::revolute(WORLD, bars[0], corner[0], DVec3::Y));
    scene.add_joint(JointDef::revolute(bars[0], bars[1], corner[1], DVec3::Y));
    scene.add_joint(JointDef::revolute(bars[1], bars[2], corner[2], DVec3::Y));
    scene.add_joint(JointDef::revolute(WORLD, bars[2], corner[3], DVec3::Y));
    Bench::new(&scene, options, 1e-3)
}

#[test]
fn a_redundant_four_bar_stays_closed_and_keeps_its_energy() {
    let mut ends = Vec::new();
    for method in [Method::StructuredDense, Method::StructuredIterative, Method::FullDense] {
        for integrator in [Integrator::Variational, Integrator::Rk4] {
            let mut bench = four_bar(StructuredOptions { method, integrator, ..Default::default() });
            let start = bench.energy();
            let scale = 9.81 * bench.model.body_mass.iter().sum::<f64>();
            let mut worst: f64 = 0.0;
            for _ in 0..1000 {
                let report = bench.step();
                worst = worst.max(report.max_joint_error.unwrap()).max(report.max_joint_angle_error.unwrap());
            }
            assert!(worst < 1e-9, "{method:?} {integrator:?}: {worst:e}");
            assert!((bench.energy() - start).abs() < 1e-4 * scale, "{method:?} {integrator:?}");
            let moved = (bench.state.body_q[1].translation - bench.model.body_q[1].translation).length();
            assert!(moved > 0.05, "{method:?} {integrator:?}: it must swing, and moved {moved}");
            ends.push((integrator, bench.state.body_q[1].translation));
        }
    }
    for (integrator, end) in &ends[2..] {
        let same = ends.iter().find(|(other, _)| other == integrator).unwrap().1;
        assert!((*end - same).length() < 1e-6, "{integrator:?} {end} {same}");
    }
}

#[test]
fn every_krylov_method_closes_a_ring() {
    for krylov in [Krylov::Minres, Krylov::Cg, Krylov::Bicg] {
        let mut scene = ModelBuilder::new();
        let count = 12;
        let at = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / count as f64;
            DVec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let bodies: Vec<_> =
            (0..count).map(|i| scene.add_body(BodyDef::dynamic(format!("{i}")).at(at(i)).sphere(0.05))).collect();
        for i in 0..count {
            let next = (i + 1) % count;
            scene.add_joint(JointDef::ball(bodies[i], bodies[next], 0.5 * (at(i) + at(next))));
        }
        scene.add_joint(JointDef::ball(WORLD, bodies[0], at(0)));
        let options = StructuredOptions { krylov, method: Method::StructuredIterative, ..Default::default() };
        let mut bench = Bench::new(&scene, options, 2e-3);
        let report = bench.run(0.5);
        assert!(report.max_joint_error.unwrap() < 1e-9, "{krylov:?} {report:?}");
        assert!(report.iterations > 0);
    }
}

/// Forty legs on one crank, each a coupler and a rocker to the world: 120 rows of loops that all meet in the crank.
fn legs(options: StructuredOptions) -> Bench {
    let mut scene = ModelBuilder::new();
    let crank = scene.add_body(BodyDef::dynamic("crank").cuboid(DVec3::new(0.2, 2.0, 0.05)));
    scene.add_joint(JointDef::revolute(WORLD, crank, DVec3::ZERO, DVec3::Y));
    for leg in 0..40 {
        let (side, turn) = (0.1 * f64::from(leg) - 2.0, 0.157 * f64::from(leg));
        let corner = [
            DVec3::new(0.2 * turn.cos(), side, 0.2 * turn.sin()),
            DVec3::new(0.8, side, 0.9 + 0.1 * turn.cos()),
            DVec3::new(1.2, side, 0.0),
        ];
        let bars = [0, 1].map(|k| {
            let along = corner[k + 1] - corner[k];
            let turn = drystone_model::DQuat::from_rotation_arc(DVec3::X, along.normalize());
            let half = DVec3::new(0.5 * along.length(), 0.01, 0.01);
            let name = format!("{leg} {k}");
            scene.add_body(BodyDef::dynamic(name).at(0.5 * (corner[k] + corner[k + 1])).rotated(turn).cuboid(half))
        });
        scene.add_joint(JointDef::revolute(crank, bars[0], corner[0], DVec3::Y));
        scene.add_joint(JointDef::ball(bars[0], bars[1], corner[1]));
        scene.add_joint(JointDef::ball(WORLD, bars[1], corner[2]));
    }
    scene.gravity(DVec3::ZERO);
    let mut bench = Bench::new(&scene, options, 1e-3);
    bench.state.body_qd[0].angular = DVec3::Y;
    bench
}

/// Joints as springs know of all legs at once; joint by joint iterations have to find out.
#[test]
fn legs_on_one_crank_take_few_iterations() {
    let [(few, ends), (many, same)] = [Method::Auto, Method::StructuredIterative].map(|method| {
        let mut bench = legs(StructuredOptions { method, ..Default::default() });
        let mut most = 0;
        for _ in 0..20 {
            let report = bench.step();
            assert_eq!(report.ending, drystone_solve::report::Ending::Converged, "{method:?} {report:?}");
            assert!(report.max_joint_error.unwrap() <= 1e-10, "{method:?} {report:?}");
            most = most.max(report.iterations);
        }
        (most, bench.state)
    });
    assert!(4 * few < many, "{few} against {many}");
    for (end, same) in ends.body_q.iter().zip(&same.body_q) {
        assert!((end.translation - same.translation).length() < 1e-8, "{} {}", end.translation, same.translation);
    }
}
