//! Contacts against theory.

use drystone_model::{BodyDef, DVec3, ModelBuilder, ShapeDef, WORLD};
use drystone_solve::Ending;

use crate::bench::Bench;

const G: f64 = 9.81;

/// A box on a plane, gravity tilted by `slope` radians.
fn incline(mu: f64, slope: f64) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(slope.sin(), 0.0, -slope.cos()) * G);
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(mu));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.1).cuboid(DVec3::new(0.25, 0.25, 0.1)).friction(mu));
    Bench::new(&scene)
}

#[test]
fn a_box_slides_if_and_only_if_the_slope_exceeds_friction() {
    for mu in [0.2, 0.5, 0.8_f64] {
        let limit = mu.atan();
        let mut holds = incline(mu, limit - 0.01);
        holds.run(2.0);
        let creep = holds.state.body_q[0].translation.x;
        assert!(creep.abs() < 1e-3, "µ = {mu}: {creep}");
        let slope = limit + 0.02;
        let mut slides = incline(mu, slope);
        slides.run(2.0);
        let way = slides.state.body_q[0].translation.x;
        let want = 0.5 * G * (slope.sin() - mu * slope.cos()) * 4.0;
        assert!((way / want - 1.0).abs() < 0.05, "µ = {mu}: {way} instead of {want}");
    }
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).restitution(0.8));
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 1.1).sphere(0.1).restitution(0.8));
    let mut bench = Bench::new(&scene);
    let mut heights = Vec::new();
    let mut rising = false;
    for _ in 0..120 {
        bench.step();
        let (height, speed) = (bench.state.body_q[0].translation.z - 0.1, bench.state.body_qd[0].linear.z);
        if rising && speed <= 0.0 {
            heights.push(height);
        }
        rising = speed > 0.0;
    }
    assert!((heights[0] - 0.64).abs() < 0.03, "{heights:?}");
}

#[test]
fn a_stack_stands_and_weighs_what_it_should() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for index in 0..5 {
        let at = DVec3::Z * (0.5 + f64::from(index));
        scene.add_body(BodyDef::dynamic(format!("{index}")).at(at).cuboid(DVec3::splat(0.5)).mass(2.0));
    }
    let mut bench = Bench::new(&scene);
    let report = bench.run(3.0);
    assert!(report.max_penetration.unwrap() < 2e-3, "{}", report.max_penetration.unwrap());
    assert!(report.kinetic_energy < 1e-4, "{}", report.kinetic_energy);
    let top = bench.state.body_q[4].translation;
    assert!((top - DVec3::Z * 4.5).length() < 5e-3, "{top}");
}

/// Two boxes collide in free space: momentum is kept to the precision of the passes.
#[test]
fn collisions_keep_momentum() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let half = DVec3::new(0.5, 0.4, 0.3);
    scene.add_body(BodyDef::dynamic("a").cuboid(half).mass(1.0).velocity(DVec3::X * 3.0));
    scene.add_body(BodyDef::dynamic("b").at(DVec3::new(1.4, 0.3, 0.1)).cuboid(half).mass(3.0));
    let mut bench = Bench::new(&scene);
    let before = bench.model.momentum(&bench.state);
    let reports: Vec<_> = (0..60).map(|_| bench.step()).collect();
    assert!(reports.iter().any(|report| report.contact_count > 0));
    let after = bench.model.momentum(&bench.state);
    assert!((after.linear - before.linear).length() < 1e-5, "{after:?}");
    assert!((after.angular - before.angular).length() < 1e-2 * before.linear.length(), "{after:?}");
    assert!(bench.state.body_qd[1].linear.x > 0.1);
}

/// Overlapping starts are pushed apart without being shot apart.
#[test]
fn overlaps_are_taken_back_gently() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    scene.add_body(BodyDef::dynamic("a").sphere(0.5));
    scene.add_body(BodyDef::dynamic("b").at(DVec3::X * 0.8).sphere(0.5));
    let mut bench = Bench::new(&scene);
    let report = bench.run(2.0);
    assert!(report.max_penetration.unwrap() < 1e-3, "{}", report.max_penetration.unwrap());
    assert!(report.kinetic_energy < 1e-6, "{}", report.kinetic_energy);
    assert_eq!(report.ending, Ending::Fixed);
}
