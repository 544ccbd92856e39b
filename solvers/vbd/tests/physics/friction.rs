//! Dry friction: what sticks, what slides, what is dragged along.

use drystone_model::{BodyDef, DVec3, ModelBuilder, ShapeDef, WORLD};

use crate::bench::Bench;

pub const G: f64 = 9.81;

fn incline(mu: f64, slope: f64, dt: f64) -> Bench {
    Bench::new(&box_on_slope(mu, slope), dt, 10)
}

/// A box on a plane, gravity tilted by `slope` radians.
pub fn box_on_slope(mu: f64, slope: f64) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(slope.sin(), 0.0, -slope.cos()) * G);
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(mu));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.1).cuboid(DVec3::new(0.25, 0.25, 0.1)).friction(mu));
    scene
}

#[test]
fn a_box_slides_if_and_only_if_the_slope_exceeds_friction() {
    for mu in [0.1, 0.3, 0.5, 0.8, 1.0f64] {
        let limit = mu.atan();
        let mut holds = incline(mu, limit - 0.25f64.to_radians(), 1.0 / 60.0);
        holds.run(0.5);
        let before = holds.pose(0).translation;
        holds.run(9.5);
        let creep = (holds.pose(0).translation - before).length();
        let slope = limit + 0.25f64.to_radians();
        let mut slides = incline(mu, slope, 1.0 / 60.0);
        slides.run(2.0);
        let way = slides.pose(0).translation.x;
        // Half of a t², and of one step more: velocities come before places.
        let want = 0.5 * G * (slope.sin() - mu * slope.cos()) * 2.0 * (2.0 + 1.0 / 60.0);
        eprintln!("µ = {mu}: creeps {:.1e} mm in 9.5 s, slides {way:.4} m, theory {want:.4}", 1e3 * creep);
        assert!(creep < 1e-7, "µ = {mu}: {creep}");
        assert!((way / want - 1.0).abs() < 1e-3, "µ = {mu}: {way} instead of {want}");
    }
}

#[test]
fn a_sliding_box_stops_where_it_should() {
    let (mu, v) = (0.5, 3.0);
    let mut bench = incline(mu, 0.0, 1.0 / 240.0);
    bench.state.body_qd[0].linear = DVec3::X * v;
    bench.run(1.0);
    // Velocities come before places: the way is half a step shorter.
    let (way, want) = (bench.pose(0).translation.x, v * v / (2.0 * mu * G) - 0.5 * v / 240.0);
    eprintln!("sliding box: {way:.4} m, theory {want:.4}");
    assert!((way / want - 1.0).abs() < 1e-3, "{way} instead of {want}");
    assert!(bench.state.body_qd[0].linear.length() < 1e-6);
}

#[test]
fn a_row_of_cubes_slides_as_one() {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(0.5));
    for i in 0..6 {
        let cube = BodyDef::dynamic(format!("cube-{i}")).at(DVec3::new(0.5 * f64::from(i), 0.0, 0.25));
        scene.add_body(cube.cuboid(DVec3::splat(0.25)).friction(0.5).velocity(DVec3::X * 3.0));
    }
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
    bench.run(1.5);
    // Backward Euler stops a step early: v²/2µg less v h / 2.
    let want = 9.0 / G - 0.5 * 3.0 / 60.0;
    for i in 0..6 {
        let way = bench.pose(i).translation.x - 0.5 * i as f64;
        assert!((way / want - 1.0).abs() < 0.02, "cube {i}: {way} instead of {want}");
    }
}

#[test]
fn a_conveyor_carries_a_box_up_to_its_speed() {
    let mut scene = ModelBuilder::new();
    let belt = BodyDef::kinematic("belt").at(DVec3::Z * -0.5).velocity(DVec3::X);
    scene.add_body(belt.cuboid(DVec3::new(20.0, 1.0, 0.5)).friction(0.4));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.1).cuboid(DVec3::splat(0.1)).friction(0.4));
    let mut bench = Bench::new(&scene, 1.0 / 240.0, 10);
    bench.run(0.1);
    let v = bench.state.body_qd[1].linear.x;
    assert!((v / (0.4 * G * 0.1) - 1.0).abs() < 0.02, "it speeds up at µg: {v}");
    bench.run(1.0);
    assert!((bench.state.body_qd[1].linear.x - 1.0).abs() < 1e-6, "{:?}", bench.state.body_qd[1]);
}

#[test]
fn a_turntable_carries_a_box_until_it_turns_too_fast() {
    // It slides off if and only if ω² r > µ g.
    for (share, stays) in [(0.9f64, true), (1.1, false)] {
        let (r, mu) = (0.6, 0.5);
        let omega = share * (mu * G / r).sqrt();
        let mut scene = ModelBuilder::new();
        let table = BodyDef::kinematic("table").at(DVec3::Z * -0.1).spin(DVec3::Z * omega);
        scene.add_body(table.shape(ShapeDef::cylinder(2.0, 0.1).friction(mu)));
        let cube = BodyDef::dynamic("box").at(DVec3::new(r, 0.0, 0.02)).cuboid(DVec3::new(0.04, 0.04, 0.02));
        let ride = cube.friction(mu).velocity(DVec3::Y * omega * r).spin(DVec3::Z * omega);
        scene.add_body(ride);
        let mut bench = Bench::new(&scene, 1.0 / 240.0, 10);
        bench.run(2.0);
        let now = bench.pose(1).translation.truncate().length();
        eprintln!("turntable at {share} of the limit: radius {now:.4} from {r}");
        assert_eq!((now / r - 1.0).abs() < 0.03, stays, "{now}");
    }
}
