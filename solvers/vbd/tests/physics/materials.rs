//! What surfaces are made of: stiffness, damping, torsional and rolling friction, and readable forces.

use drystone_model::{BodyDef, DVec3, Material, ModelBuilder, ShapeDef, WORLD};
use drystone_vbd::ContactReading;

use crate::bench::Bench;

const G: f64 = 9.81;

/// A floor and a body of one shape, both of one material.
fn on_floor(shape: ShapeDef, height: f64, mass: f64, material: Material, dt: f64) -> (ModelBuilder, Bench) {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).material(material));
    scene.add_body(BodyDef::dynamic("body").at(DVec3::Z * height).shape(shape.material(material)).mass(mass));
    let bench = Bench::new(&scene, dt, 10);
    (scene, bench)
}

#[test]
fn a_soft_floor_sinks_by_load_over_stiffness() {
    // Two equal surfaces in series halve the stiffness; a ball touches at one point.
    for stiffness in [2.0e3, 2.0e4, 2.0e6] {
        let material = Material { stiffness, damping: 50.0, ..Material::default() };
        let (_, mut bench) = on_floor(ShapeDef::sphere(0.1), 0.1, 3.0, material, 1.0 / 60.0);
        bench.run(4.0);
        let sink = 0.1 - bench.pose(0).translation.z;
        let want = 3.0 * G / (0.5 * stiffness);
        eprintln!("K = {stiffness:.0e}: sinks {sink:.4e} m, theory {want:.4e}");
        assert!((sink / want - 1.0).abs() < 1e-4, "{sink} instead of {want}");
    }
}

#[test]
fn damping_takes_from_a_bounce_what_theory_says() {
    // Damped on the way in only: it leaves with exp(−ζ/√(1−ζ²) acos ζ) of the speed it came with.
    for zeta in [0.0, 0.1, 0.3f64] {
        let (stiffness, mass) = (1000.0, 1.0f64);
        let critical = 2.0 * (stiffness * mass).sqrt();
        let material = Material { stiffness: 2.0 * stiffness, damping: zeta * critical, ..Material::default() };
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).material(material));
        let ball = BodyDef::dynamic("ball").at(DVec3::Z * 0.101).shape(ShapeDef::sphere(0.1).material(material));
        scene.add_body(ball.mass(mass).velocity(DVec3::Z * -1.0));
        let mut bench = Bench::new(&scene, 1.0e-4, 10);
        bench.run(0.15);
        let rebound = bench.state.body_qd[0].linear.z;
        let want = (-zeta / (1.0 - zeta * zeta).sqrt() * zeta.acos()).exp();
        eprintln!("ζ = {zeta}: leaves with {rebound:.4}, theory {want:.4}");
        assert!((rebound / want - 1.0).abs() < 0.01, "{rebound} instead of {want}");
    }
}

#[test]
fn torsional_friction_slows_a_spinning_ball_at_the_analytic_rate() {
    // Torque radius · m g against 2/5 m r².
    let material = Material { friction_torsional: 0.004, ..Material::default() };
    let (_, mut bench) = on_floor(ShapeDef::sphere(0.1), 0.1, 3.0, material, 1.0 / 60.0);
    bench.state.body_qd[0].angular = DVec3::Z * 20.0;
    bench.run(0.5);
    let (early, rate) = (bench.state.body_qd[0].angular.z, 0.004 * G / (0.4 * 0.01));
    bench.run(1.0);
    let late = bench.state.body_qd[0].angular.z;
    eprintln!("spinning ball: {:.5} rad/s², theory {rate:.5}", early - late);
    assert!(((early - late) / rate - 1.0).abs() < 1e-5, "{} instead of {rate}", early - late);
    bench.run(1.5);
    assert!(bench.state.body_qd[0].angular.length() < 1e-6, "it stops and does not turn back");
}

#[test]
fn a_rolling_ball_stops_at_the_analytic_distance() {
    // Rolling: (1 + 2/5) m a r = radius · m g; distance v²/2a.
    let (radius, rolling, v) = (0.1, 0.004, 1.0f64);
    let material = Material { friction_rolling: rolling, ..Material::default() };
    let (_, mut bench) = on_floor(ShapeDef::sphere(radius), radius, 3.0, material, 1.0 / 240.0);
    bench.state.body_qd[0].linear = DVec3::X * v;
    bench.state.body_qd[0].angular = DVec3::Y * v / radius;
    let a = rolling * G / (1.4 * radius);
    bench.run(1.5 * v / a);
    let way = bench.pose(0).translation.x;
    let want = v * v / (2.0 * a);
    eprintln!("rolling ball: {way:.4} m, theory {want:.4}");
    assert!((way / want - 1.0).abs() < 0.003, "{way} instead of {want}");
    assert!(bench.state.body_qd[0].linear.length() < 1e-6, "it rests");
}

#[test]
fn a_ball_without_resistance_keeps_rolling() {
    let (_, mut bench) = on_floor(ShapeDef::sphere(0.1), 0.1, 3.0, Material::default(), 1.0 / 60.0);
    bench.state.body_qd[0].linear = DVec3::X;
    bench.state.body_qd[0].angular = DVec3::Y / 0.1;
    bench.run(2.0);
    let v = bench.state.body_qd[0].linear.x;
    eprintln!("rolling freely: {v}");
    assert!((v - 1.0).abs() < 1e-5, "{v}");
}

#[test]
fn rolling_friction_holds_a_ball_on_a_slope_up_to_its_limit() {
    // It rolls if and only if tan θ exceeds rolling / radius.
    for (slope, holds) in [(0.03f64, true), (0.05, false)] {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::new(slope.sin(), 0.0, -slope.cos()) * G);
        let material = Material { friction_rolling: 0.004, ..Material::default() };
        scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).material(material));
        scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 0.1).shape(ShapeDef::sphere(0.1).material(material)));
        let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
        bench.run(1.0);
        let before = bench.pose(0).translation.x;
        bench.run(1.0);
        let creep = bench.pose(0).translation.x - before;
        eprintln!("ball on slope {slope}: {creep:.2e} m in the second second");
        // Beyond the limit it rolls at 5/7 of what friction leaves of its weight.
        let rolls = 1.5 * (slope.sin() - 0.04 * slope.cos()) * G / 1.4;
        match holds {
            true => assert!(creep.abs() < 1e-6, "{creep}"),
            false => assert!((creep / rolls - 1.0).abs() < 0.1, "{creep} instead of {rolls}"),
        }
    }
}

/// Largest relative error of the force that carries each of five boxes, after three seconds.
fn worst_support(iterations: u32) -> f64 {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..5 {
        // Dropped by a hair each, so that the loads have to be found while the stack settles.
        let place = DVec3::Z * (0.25 + 0.501 * f64::from(i));
        scene.add_body(BodyDef::dynamic(format!("box-{i}")).at(place).cuboid(DVec3::splat(0.25)).mass(2.0));
    }
    let mut bench = Bench::new(&scene, 1.0 / 60.0, iterations);
    bench.run(3.0);
    let error = |i: u32| {
        let below = if i == 0 { WORLD } else { i - 1 };
        let support = |c: ContactReading| match c.body {
            [other, me] if me == i && other == below => c.force,
            [me, other] if me == i && other == below => -c.force,
            _ => DVec3::ZERO,
        };
        let load: DVec3 = bench.solver.contact_forces().map(support).sum();
        let want = 2.0 * G * f64::from(5 - i);
        (load - DVec3::Z * want).length() / want
    };
    (0..5).map(error).fold(0.0, f64::max)
}

#[test]
fn contact_forces_add_up_to_the_weight() {
    let errors = [10, 20, 40].map(worst_support);
    eprintln!("contact forces of a stack at 10, 20, 40 iterations: off by {errors:?}");
    assert!(errors.iter().all(|&error| error < 1e-9), "{errors:?}");
}
