//! Bodies that nothing touches.

use drystone_abd::{AbdOptions, Integrator};
use drystone_model::{BodyDef, BodyId, DVec3, JointDef, ModelBuilder};

use crate::bench::Bench;

#[test]
fn what_falls_follows_its_parabola() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::new(1.0, 2.0, 30.0)).cuboid(DVec3::new(0.5, 0.3, 0.2)));
    let mut bench = Bench::new(&scene, 0.01);
    bench.run(1.0);
    let fall = 0.5 * 9.81;
    let off = bench.state.body_q[0].translation - DVec3::new(1.0, 2.0, 30.0 - fall);
    assert!(off.length() < 1e-11, "{off}");
}

/// Spin and tumbling keep their angular momentum to rounding, and a body set spinning about its middle axis
/// turns over.
#[test]
fn tumbling_keeps_angular_momentum_and_turns_over() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let plate = BodyDef::dynamic("plate").cuboid(DVec3::new(0.5, 0.3, 0.1)).spin(DVec3::new(0.01, 5.0, 0.02));
    scene.add_body(plate.velocity(DVec3::X));
    let mut bench = Bench::new(&scene, 0.01);
    let (start, energy) = (bench.model.momentum(&bench.state).angular, bench.model.energy(&bench.state).kinetic);
    let mut flips = 0;
    let mut before = 1.0;
    let mut off = [0.0_f64; 2];
    for _ in 0..1000 {
        bench.step();
        let momentum = bench.model.momentum(&bench.state).angular;
        off[0] = off[0].max((momentum - start).length() / start.length());
        off[1] = off[1].max((bench.model.energy(&bench.state).kinetic / energy - 1.0).abs());
        let about = (bench.state.body_q[0].rotation.inverse() * bench.state.body_qd[0].angular).y;
        flips += usize::from(about * before < 0.0);
        before = about;
    }
    eprintln!("tumbling 10 s: {flips} flips, angular momentum off by {:.1e}, energy by {:.1e}", off[0], off[1]);
    assert!(flips >= 2 && off[0] < 1e-9 && off[1] < 1e-3, "{flips} {off:?}");
    assert!(bench.solver.distortion() < 1e-12);
    assert!((bench.state.body_q[0].translation.x - 10.0).abs() < 1e-9);
}

/// A torque about a principal axis turns a body as it should: ω = τ t / I.
#[test]
fn forces_and_torques_accelerate() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    scene.add_body(BodyDef::dynamic("box").cuboid(DVec3::new(0.5, 0.3, 0.1)).mass(12.0));
    let mut bench = Bench::new(&scene, 0.01);
    bench.control.body_f[0] = (DVec3::new(0.0, 24.0, 0.0), DVec3::new(0.0, 0.0, 3.4));
    bench.run(1.0);
    // I = m (1² + 0.6²)/12 = 1.36.
    let twist = bench.state.body_qd[0];
    assert!((twist.linear - DVec3::new(0.0, 2.0, 0.0)).length() < 1e-10, "{twist:?}");
    assert!((twist.angular - DVec3::new(0.0, 0.0, 2.5)).length() < 1e-9, "{twist:?}");
}

/// A frictionless rod of one metre, released from the horizontal; the share of its height that it has lost, and the largest
/// rise of its energy above the start, over that of its height.
fn swing(rate: f64, seconds: f64, integrator: Integrator) -> [f64; 2] {
    let mut scene = ModelBuilder::new();
    let rod = BodyDef::dynamic("rod").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.02, 0.02)).mass(1.0);
    let rod = scene.add_body(rod);
    scene.add_joint(JointDef::revolute(BodyId::WORLD, rod, DVec3::ZERO, DVec3::Y));
    let mut bench = Bench::with(&scene, 1.0 / rate, AbdOptions { integrator, ..AbdOptions::default() });
    let (height, start) = (0.5 * 9.81, bench.model.energy(&bench.state).total());
    let (mut now, mut rise) = (start, 0.0f64);
    for _ in 0..(seconds * rate).round() as usize {
        bench.step();
        now = bench.model.energy(&bench.state).total();
        rise = rise.max(now - start);
    }
    [(start - now) / height, rise / height]
}

#[test]
fn a_rod_keeps_its_height_for_ten_seconds() {
    for (rate, most) in [(240.0, 0.01), (60.0, 0.03)] {
        let [lost, rise] = swing(rate, 10.0, Integrator::SecondOrder);
        eprintln!("{rate} Hz: loses {lost:.5} of its height, rises by {rise:.1e}");
        assert!(lost.abs() < most && rise < 1e-6, "{rate} Hz: {lost}, {rise}");
    }
    assert!(swing(60.0, 2.0, Integrator::Bdf1)[0] > 0.2, "first order on request");
}

/// A group that touches something in a step takes it by the first order: a ball on a string comes to rest at a wall, and the
/// wall pushes no energy into it.
#[test]
fn a_pendulum_that_meets_a_wall_gains_nothing() {
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::fixed("wall").at(DVec3::new(-0.21, 0.0, -1.0)).cuboid(DVec3::new(0.1, 1.0, 1.0)));
    let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::X).sphere(0.1).mass(1.0));
    scene.add_joint(JointDef::ball(BodyId::WORLD, ball, DVec3::ZERO));
    let mut bench = Bench::new(&scene, 1.0 / 60.0);
    let (start, mut fastest_back) = (bench.model.energy(&bench.state).total(), 0.0f64);
    for _ in 0..180 {
        bench.step();
        fastest_back = fastest_back.max(bench.state.body_qd[0].linear.x);
        assert!(bench.model.energy(&bench.state).total() < start + 1e-9);
    }
    assert!(fastest_back < 0.1, "it does not bounce: {fastest_back} m/s");
}
