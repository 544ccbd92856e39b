//! Never silent, never blown up: joints that stay open are named, and too few iterations cost accuracy, not energy.

use drystone_jacobi::JacobiOptions;
use drystone_model::{BodyDef, BodyId, DQuat, DVec3, JointDef, JointId, ModelBuilder, WORLD};
use drystone_random::Random;
use drystone_solve::{Ending, Precision};

use crate::bench::Bench;

/// Slabs of 1 : 1000 in mass at odd angles in a row, joined by joints of every hard kind far from their centres.
fn row(seed: u64) -> ModelBuilder {
    let mut random = Random::new(seed);
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let mut before: Option<BodyId> = None;
    for index in 0..8 {
        let place = DVec3::X * 1.3 * f64::from(index);
        let body = BodyDef::dynamic(format!("{index}")).at(place).rotated(DQuat::from_scaled_axis(random.vector(1.0)));
        let body = body.cuboid(DVec3::new(0.1, 0.2, 0.05)).mass(10.0_f64.powi(index % 4));
        let body = scene.add_body(body.velocity(30.0 * random.vector(1.0)).spin(20.0 * random.vector(1.0)));
        if let Some(parent) = before {
            let anchor = place - DVec3::X * 0.65;
            scene.add_joint(match index % 4 {
                0 => JointDef::ball(parent, body, anchor),
                1 => JointDef::revolute(parent, body, anchor, DVec3::Y),
                2 => JointDef::fixed(parent, body, anchor),
                _ => JointDef::prismatic(parent, body, anchor, DVec3::Z),
            });
        }
        before = Some(body);
    }
    scene
}

fn kinetic(bench: &Bench) -> f64 {
    bench.model.energy(&bench.state).kinetic
}

/// Impulses of the step before, wrong because everything was given other velocities, and too few iterations: the impulses
/// taken still add no energy. One in a million is round-off of single precision.
#[test]
fn impulses_add_no_energy_however_few_the_iterations() {
    for (precision, iterations) in [(Precision::Single, 1), (Precision::Double, 2), (Precision::Single, 10)] {
        for seed in 0..2 {
            let mut bench =
                Bench::with(&row(seed), JacobiOptions { iterations, precision, ..JacobiOptions::default() });
            let mut random = Random::new(seed + 100);
            let mut energy = kinetic(&bench);
            for step in 0..60 {
                if step % 10 == 5 {
                    // A blow from nowhere, which leaves the remembered impulses worth nothing.
                    bench.state.body_qd.iter_mut().for_each(|twist| twist.linear = 30.0 * random.vector(1.0));
                    energy = kinetic(&bench);
                }
                bench.step();
                // Free tumbling keeps the angular momentum exactly and the energy to second order of the turn.
                assert!(kinetic(&bench) <= 1.001 * energy, "{iterations}, {seed}: {} {energy}", kinetic(&bench));
                energy = energy.max(kinetic(&bench));
            }
        }
    }
}

/// Nothing holds the row: whatever its joints, its blows and the number of iterations, and also where joints are drawn
/// together, its momenta are what they were, to the round-off of double precision.
#[test]
fn what_nothing_holds_keeps_its_momenta() {
    for (precision, iterations) in [(Precision::Single, 1), (Precision::Double, 2), (Precision::Single, 10)] {
        for seed in 0..3 {
            let mut bench =
                Bench::with(&row(seed), JacobiOptions { iterations, precision, ..JacobiOptions::default() });
            bench.state.body_q[4].translation += DVec3::new(0.02, -0.01, 0.03);
            let start = bench.model.momentum(&bench.state);
            let mut open = 0.0_f64;
            for _ in 0..60 {
                open = open.max(bench.step().max_joint_error.unwrap());
            }
            let end = bench.model.momentum(&bench.state);
            let off = |a: DVec3, b: DVec3| (a - b).length() / b.length();
            let (linear, angular) = (off(end.linear, start.linear), off(end.angular, start.angular));
            assert!(linear < 1e-11 && angular < 1e-11, "{iterations}, {seed}: {linear:e} {angular:e}");
            assert!(open > 1e-3, "joints must open to be drawn together: {open}");
        }
    }
}

/// A joint torn open by metres in full motion is named, and is no source of energy.
#[test]
fn a_joint_torn_open_is_no_explosion() {
    let mut bench = Bench::new(&row(1));
    bench.run(0.2);
    bench.state.body_q[4].translation += DVec3::new(2.0, -7.0, 5.0);
    let energy = kinetic(&bench);
    for _ in 0..60 {
        let report = bench.step();
        assert!(kinetic(&bench) <= 1.001 * energy, "{} {energy}", kinetic(&bench));
        assert!(report.unconverged.contains(&JointId(3)) || report.max_joint_error.unwrap() < 1e-3, "{report:?}");
    }
}

/// Nearer by a fiftieth of its size in each of eight substeps, until it is closed.
#[test]
fn a_joint_torn_open_is_drawn_together() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let [a, b] = [-0.3, 0.3].map(|x| scene.add_body(BodyDef::dynamic("").at(DVec3::X * x).sphere(0.2)));
    scene.add_joint(JointDef::ball(a, b, DVec3::ZERO));
    let mut bench = Bench::new(&scene);
    bench.state.body_q[1].translation.x += 1.0;
    let report = bench.run(1.0);
    assert!(report.max_joint_error.unwrap() < 1e-6 && report.kinetic_energy < 1e-12, "{report:?}");
}

/// The report names the joints that are open, all of them, and no other.
#[test]
fn open_joints_are_named() {
    let mut said = 0;
    for seed in 0..4 {
        let mut bench = Bench::with(&row(seed), JacobiOptions { iterations: 2, ..JacobiOptions::default() });
        for _ in 0..30 {
            let report = bench.step();
            let gap = |joint: u32| bench.model.joint_error(&bench.state, joint);
            // Far on either side of the line, which lies at 0.2 mm per metre of the joint's size and 0.2 mrad.
            for joint in 0..bench.model.joint_count() as u32 {
                let (error, named) = (gap(joint), report.unconverged.contains(&JointId(joint)));
                assert!(named || (error.linear < 5e-4 && error.angular < 5e-4), "{joint} {error:?}");
                assert!(!named || error.linear > 5e-5 || error.angular > 5e-5, "{joint} {error:?}");
            }
            assert_eq!(report.ending == Ending::Slow, !report.unconverged.is_empty());
            said += report.unconverged.len();
        }
    }
    assert!(said > 0, "two iterations must leave joints open");
    let mut scene = ModelBuilder::new();
    let body = scene.add_body(BodyDef::dynamic("bob").at(DVec3::NEG_Z).sphere(0.1));
    scene.add_joint(JointDef::ball(WORLD, body, DVec3::ZERO));
    let report = Bench::new(&scene).run(1.0);
    assert_eq!((report.ending, report.unconverged.len()), (Ending::Fixed, 0));
}
