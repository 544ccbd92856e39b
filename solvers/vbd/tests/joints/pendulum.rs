//! Swinging rods against the elliptic integral.

use std::f64::consts::{FRAC_PI_2, PI};

use drystone_model::{BodyDef, DQuat, DVec3, JointDef, ModelBuilder, WORLD};

use crate::bench::Bench;

const G: f64 = 9.81;

/// A thin box of one metre that swings about the end at the origin, released at `angle` from below.
fn pendulum(angle: f64, dt: f64) -> Bench {
    let mut scene = ModelBuilder::new();
    let turn = DQuat::from_rotation_y(FRAC_PI_2 - angle);
    let rod = BodyDef::dynamic("rod").at(turn * DVec3::X * 0.5).rotated(turn);
    let rod = scene.add_body(rod.cuboid(DVec3::new(0.5, 0.02, 0.02)).mass(1.0));
    scene.add_joint(JointDef::revolute(WORLD, rod, DVec3::ZERO, DVec3::Y));
    Bench::new(&scene, dt, 5)
}

/// Arithmetic-geometric mean.
fn agm(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// Period of the rod: 2π √(I/(m g d)) / agm(1, cos(θ/2)).
fn theory(angle: f64) -> f64 {
    let inertia = (1.0 + 0.04 * 0.04) / 12.0 + 0.25;
    2.0 * PI * (inertia / (G * 0.5)).sqrt() / agm(1.0, (0.5 * angle).cos())
}

/// From release to the second passage through the lowest point are three quarters of a period.
fn period(bench: &mut Bench) -> f64 {
    let mut passages = Vec::new();
    let mut last = bench.pose(0).translation.x;
    while passages.len() < 2 {
        bench.step();
        let x = bench.pose(0).translation.x;
        if x * last < 0.0 {
            passages.push(bench.state.time - bench.dt * x / (x - last));
        }
        last = x;
    }
    passages[1] / 0.75
}

#[test]
fn periods_at_ten_and_sixty_degrees() {
    for degrees in [10.0f64, 60.0] {
        let angle = degrees.to_radians();
        let mut bench = pendulum(angle, 1.0 / 240.0);
        let error = period(&mut bench) / theory(angle) - 1.0;
        eprintln!("pendulum at {degrees}°: period off by {:.3} %", 100.0 * error);
        assert!(error.abs() < 3e-4, "{degrees}°: {error}");
    }
}

#[test]
fn the_error_of_the_period_falls_with_the_step() {
    let angle = 60f64.to_radians();
    let error = |dt: f64| (period(&mut pendulum(angle, dt)) / theory(angle) - 1.0).abs();
    let [coarse, fine] = [240.0, 960.0].map(|rate| error(1.0 / rate));
    eprintln!("period off by {coarse:.1e} at 240 Hz, {fine:.1e} at 960 Hz");
    assert!(fine < 0.1 * coarse, "{fine} {coarse}");
}
