//! Bodies that nothing touches.

use drystone_model::{BodyDef, DVec3, ModelBuilder};

use crate::bench::Bench;

/// Implicit Euler falls by g dt² n (n + 1) / 2, exactly.
#[test]
fn falling_is_that_of_implicit_euler() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::new(1.0, 2.0, 30.0)).cuboid(DVec3::new(0.5, 0.3, 0.2)));
    let mut bench = Bench::new(&scene, 0.01);
    bench.run(1.0);
    let fall = 9.81 * 1e-4 * 100.0 * 101.0 / 2.0;
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
