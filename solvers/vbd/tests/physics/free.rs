//! Bodies that nothing touches, and the second-order rule.

use drystone_model::{BodyDef, DMat3, DQuat, DVec3, JointDef, MassProperties, ModelBuilder, WORLD};
use drystone_vbd::{Integrator, VbdOptions};

use crate::bench::Bench;

fn free_body(inertia: DVec3, spin: DVec3, dt: f64) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let mass = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia: DMat3::from_diagonal(inertia) };
    scene.add_body(BodyDef::dynamic("top").mass_properties(mass).spin(spin));
    Bench::new(&scene, dt, 10)
}

#[test]
fn a_spinner_keeps_its_speed() {
    let mut bench = free_body(DVec3::new(1.0, 1.0, 2.0), DVec3::Z * 50.0, 1.0 / 60.0);
    bench.run(1.0);
    let off = bench.state.body_qd[0].angular.length() / 50.0 - 1.0;
    eprintln!("spinner: speed off by {off:.1e}");
    assert!(off.abs() < 1e-12, "{off}");
    // And it has turned by as much: 50 rad.
    let turned = bench.pose(0).rotation * DVec3::X;
    let off = (turned - DVec3::new(50f64.cos(), 50f64.sin(), 0.0)).length();
    assert!(off < 2e-5, "{turned}, off by {off}");
}

#[test]
fn tumbling_keeps_angular_momentum_and_energy() {
    let mut bench = free_body(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.1, 3.0, 0.2), 1.0 / 240.0);
    let (momentum, energy) = (bench.model.momentum(&bench.state).angular, bench.model.energy(&bench.state).kinetic);
    let mut flipped = false;
    let mut worst = [0.0f64; 2];
    for _ in 0..2400 {
        bench.step();
        let now = bench.model.momentum(&bench.state).angular;
        worst[0] = worst[0].max((now - momentum).length() / momentum.length());
        worst[1] = worst[1].max((bench.model.energy(&bench.state).kinetic / energy - 1.0).abs());
        flipped |= (bench.pose(0).rotation.inverse() * bench.state.body_qd[0].angular).y < 0.0;
    }
    eprintln!("tumbling: angular momentum off by {:.1e}, energy by {:.1e}", worst[0], worst[1]);
    assert!(flipped, "about the middle axis a body turns over");
    assert!(worst[0] < 1e-11 && worst[1] < 2e-9, "{worst:?}");
}

/// A rod of one metre that swings about its end from 60 degrees.
fn pendulum(integrator: Integrator) -> Bench {
    let mut scene = ModelBuilder::new();
    let turn = DQuat::from_rotation_y(30f64.to_radians());
    let rod = BodyDef::dynamic("rod").at(turn * DVec3::X * 0.5).rotated(turn);
    let rod = scene.add_body(rod.cuboid(DVec3::new(0.5, 0.02, 0.02)).mass(1.0));
    scene.add_joint(JointDef::revolute(WORLD, rod, DVec3::ZERO, DVec3::Y));
    Bench::with(&scene, 1.0 / 240.0, VbdOptions { integrator, ..VbdOptions::default() })
}

#[test]
fn the_second_order_rule_keeps_the_energy_of_a_pendulum() {
    let loss = |integrator| {
        let mut bench = pendulum(integrator);
        let start = bench.model.energy(&bench.state).total();
        let report = bench.run(10.0);
        // Against the energy of the swing: from the bottom, half a metre below the pivot.
        (start - report.kinetic_energy - report.potential_energy) / (start + 0.5 * 9.81)
    };
    let [first, second] = [Integrator::Bdf1, Integrator::SecondOrder].map(loss);
    eprintln!("pendulum, 10 s: loses {:.3} % by BDF1, {:.4} % by BDF2", 100.0 * first, 100.0 * second);
    assert!((0.0..1e-3).contains(&second), "{second}");
    assert!(first > 0.3, "the first order damps: {first}");
}

#[test]
fn the_second_order_rule_follows_a_parabola_and_lands_softly() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 5.25).cuboid(DVec3::splat(0.25)));
    let options = VbdOptions { integrator: Integrator::SecondOrder, ..VbdOptions::default() };
    let mut bench = Bench::with(&scene, 1.0 / 60.0, options);
    bench.run(0.9);
    let fallen = 5.25 - bench.pose(0).translation.z;
    let want = 0.5 * 9.81 * 0.81;
    assert!((fallen / want - 1.0).abs() < 1e-9, "{fallen} instead of {want}");
    let start = bench.model.energy(&bench.state).total();
    for _ in 0..120 {
        let report = bench.step();
        assert!(report.kinetic_energy + report.potential_energy < start * (1.0 + 1e-6));
    }
    let (height, speed) = (bench.pose(0).translation.z, bench.state.body_qd[0].linear.length());
    assert!((height - 0.25).abs() < 1e-5 && speed < 1e-5, "{height} m, {speed} m/s");
}
