//! Collisions: restitution, momentum, energy.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, DVec3, Model, ModelBuilder, ShapeDef, State, WORLD};

use crate::bench::Bench;

/// Balls of one kilogram and radius 0.1 in a row along x without gravity, the first at 1 m/s.
fn cradle(places: &[f64], restitution: f64, friction: f64, iterations: u32) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    for (i, &x) in places.iter().enumerate() {
        let ball = BodyDef::dynamic(format!("ball-{i}")).at(DVec3::new(x, 0.0, 0.0)).sphere(0.1).mass(1.0);
        let speed = if i == 0 { DVec3::X } else { DVec3::ZERO };
        scene.add_body(ball.restitution(restitution).friction(friction).velocity(speed));
    }
    // A ball at rest must know its neighbours before the blow arrives: as far as it may carry it in a step.
    let mut bench = Bench::new(&scene, 1.0 / 60.0, iterations);
    bench.collide = Collide::new(&bench.model, CollideOptions { margin: 0.02 });
    bench
}

/// Largest deviation of the momentum, relative to `scale`, and largest gain of kinetic energy relative
/// to that at the start, over some seconds.
fn drift(bench: &mut Bench, seconds: f64, scale: f64) -> [f64; 2] {
    let start = bench.model.momentum(&bench.state);
    let energy = bench.model.energy(&bench.state).kinetic;
    let mut worst = [0.0f64; 2];
    for _ in 0..(seconds / bench.dt).round() as usize {
        bench.step();
        let now = bench.model.momentum(&bench.state);
        let off = (now.linear - start.linear).length().max((now.angular - start.angular).length());
        worst[0] = worst[0].max(off / scale);
        worst[1] = worst[1].max(bench.model.energy(&bench.state).kinetic / energy - 1.0);
    }
    worst
}

fn speeds(model: &Model, state: &State) -> Vec<f64> {
    (0..model.body_count()).map(|body| state.body_qd[body].linear.x).collect()
}

#[test]
fn a_cradle_hands_the_blow_to_the_last_ball() {
    // Touching, and a hair apart, with the blow falling anywhere within a step.
    for places in [[0.0, 0.505, 0.705, 0.905, 1.105], [0.0, 0.5123, 0.7124, 0.9125, 1.1126]] {
        let mut bench = cradle(&places, 1.0, 0.0, 10);
        let [momentum, gain] = drift(&mut bench, 1.0, 1.0);
        let v = speeds(&bench.model, &bench.state);
        eprintln!("cradle: speeds {v:?}, momentum off {momentum:.1e}, energy gain {gain:.1e}");
        assert!((v[4] - 1.0).abs() < 1e-6, "{v:?}");
        assert!(v[..4].iter().all(|v| v.abs() < 1e-6), "{v:?}");
        assert!(momentum < 1e-14 && gain < 1e-13, "{momentum} {gain}");
        // Nothing is lost on the way: the first ball's run-up, then the last one's run, one second together.
        let run: f64 = (0..5).map(|ball| bench.pose(ball).translation.x - places[ball]).sum();
        assert!((run - 1.0).abs() < 1e-6, "{run}");
    }
}

#[test]
fn two_balls_strike_and_two_leave() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    for (i, x) in [0.0, 0.2, 0.5, 0.7, 0.9].into_iter().enumerate() {
        let speed = if i < 2 { DVec3::X } else { DVec3::ZERO };
        let ball = BodyDef::dynamic(format!("ball-{i}")).at(DVec3::X * x).sphere(0.1).mass(1.0);
        scene.add_body(ball.restitution(1.0).friction(0.0).velocity(speed));
    }
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
    bench.run(0.5);
    let v = speeds(&bench.model, &bench.state);
    for (v, want) in v.iter().zip([0.0, 0.0, 0.0, 1.0, 1.0]) {
        assert!((v - want).abs() < 1e-6, "{v} instead of {want}");
    }
}

#[test]
fn a_ball_rebounds_to_e_squared_of_its_height() {
    for e in [0.5, 0.8, 1.0] {
        let mut scene = ModelBuilder::new();
        scene.ground();
        scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 1.1).sphere(0.1).mass(2.0).restitution(e));
        let mut bench = Bench::new(&scene, 1.0 / 480.0, 10);
        let (mut bounced, mut top) = (false, 0.0f64);
        for _ in 0..(0.45 * 480.0 * (1.0 + 2.0 * e)) as usize {
            bench.step();
            bounced |= bench.state.body_qd[0].linear.z > 0.0;
            if bounced {
                top = top.max(bench.pose(0).translation.z - 0.1);
            }
        }
        eprintln!("e = {e}: rebounds to {top:.4} m of {:.4}", e * e);
        assert!((top / (e * e) - 1.0).abs() < 1e-3, "e = {e}: {top}");
        assert!(top <= e * e, "no energy from nowhere: {top}");
    }
}

#[test]
fn a_bouncing_ball_comes_to_rest() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 0.3).sphere(0.1).mass(2.0).restitution(0.5));
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
    let rise = (0..60).map(|_| (bench.step(), bench.state.body_qd[0].linear.z).1).fold(0.0, f64::max);
    assert!(rise > 0.8, "it bounces first: {rise} m/s");
    bench.run(2.0);
    let (height, speed) = (bench.pose(0).translation.z, bench.state.body_qd[0].linear.length());
    assert!((height - 0.1).abs() < 1e-5 && speed < 1e-6, "{height} m, {speed} m/s");
}

#[test]
fn a_box_dropped_flat_bounces_flat() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let cube = BodyDef::dynamic("box").at(DVec3::Z * 0.75).cuboid(DVec3::splat(0.25)).restitution(0.6);
    scene.add_body(cube);
    let mut bench = Bench::new(&scene, 1.0 / 240.0, 10);
    while bench.state.body_qd[0].linear.z <= 0.0 {
        bench.step();
    }
    let spin = bench.state.body_qd[0].angular.length();
    let v = bench.state.body_qd[0].linear.z;
    let fall = (2.0 * 9.81 * 0.5f64).sqrt();
    eprintln!("flat box: {v} of {}, spin {spin:.1e}", 0.6 * fall);
    assert!((v / (0.6 * fall) - 1.0).abs() < 0.03, "{v}");
    assert!(spin < 1e-3 * v / 0.25, "{spin}");
}

/// Two boxes that meet off centre without friction and gravity.
fn crash(restitution: f64, iterations: u32) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let surface = |def: BodyDef| def.friction(0.0).restitution(restitution);
    let left = BodyDef::dynamic("left").at(DVec3::new(-0.4, 0.0, 0.0)).cuboid(DVec3::splat(0.25)).mass(1.0);
    let right = BodyDef::dynamic("right").at(DVec3::new(0.4, 0.13, 0.05)).sphere(0.2).mass(3.0);
    scene.add_body(surface(left.velocity(DVec3::X * 2.0)));
    scene.add_body(surface(right.velocity(DVec3::X * -1.0)));
    Bench::new(&scene, 1.0 / 60.0, iterations)
}

#[test]
fn collisions_keep_momentum_and_gain_no_energy() {
    for restitution in [0.0, 0.7, 1.0] {
        let mut errors = Vec::new();
        for iterations in [5, 10, 20, 100] {
            let mut bench = crash(restitution, iterations);
            let [momentum, gain] = drift(&mut bench, 0.4, 2.0);
            let turned = bench.state.body_qd[0].angular.length();
            eprintln!(
                "crash e = {restitution}, {iterations} it: momentum {momentum:.1e}, gain {gain:.1e}, spin {turned:.3}"
            );
            assert!(gain < 1e-13, "{gain}");
            assert!(turned > 0.1, "the blow was off centre");
            errors.push(momentum);
        }
        assert!(errors.iter().all(|&error| error < 1e-14), "{errors:?}");
    }
}

#[test]
fn a_struck_row_without_restitution_keeps_its_momentum() {
    let mut errors = Vec::new();
    for iterations in [10, 200] {
        let mut bench = cradle(&[0.0, 0.5, 0.7, 0.9], 0.0, 0.0, iterations);
        let [momentum, gain] = drift(&mut bench, 0.6, 1.0);
        eprintln!("row of four, {iterations} it: momentum {momentum:.1e}, gain {gain:.1e}");
        assert!(gain < 1e-13, "{gain}");
        let v = speeds(&bench.model, &bench.state);
        assert!(v[3] > 0.2, "the blow reached the last: {v:?}");
        errors.push(momentum);
    }
    assert!(errors.iter().all(|&error| error < 1e-14), "{errors:?}");
}

#[test]
fn a_glancing_bounce_spins_a_ball_by_friction() {
    // Sliding to the end of the blow: Δω = 5/2 µ (1+e) v_n / r, against a rough floor.
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(0.1).restitution(0.5));
    let ball = BodyDef::dynamic("ball").at(DVec3::Z * 0.3).sphere(0.1).mass(1.0);
    scene.add_body(ball.friction(0.1).restitution(0.5).velocity(DVec3::new(5.0, 0.0, -2.0)));
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
    bench.run(0.3);
    let twist = bench.state.body_qd[0];
    assert!((twist.linear.z - 1.0).abs() < 1e-9, "{twist:?}");
    assert!((twist.linear.x - (5.0 - 0.1 * 3.0)).abs() < 1e-9, "{twist:?}");
    assert!((twist.angular.y - 2.5 * 0.1 * 3.0 / 0.1).abs() < 1e-9, "{twist:?}");
}
