//! Chains with heavy ends: the joints hold at few iterations, and no energy appears.

use std::f64::consts::PI;

use drystone_model::{BodyDef, BodyId, DVec3, JointDef, ModelBuilder, ShapeDef, WORLD};

use crate::bench::{Bench, swing};

const LINK: DVec3 = DVec3::new(0.1, 0.025, 0.025);

fn ghost(shape: ShapeDef) -> ShapeDef {
    shape.groups(0, 0)
}

/// Links of half a kilogram along x from the origin, pinned to the world; returns the last.
fn links(scene: &mut ModelBuilder, count: usize, start: DVec3) -> BodyId {
    let mut parent = BodyId(WORLD);
    for index in 0..count {
        let near = start + DVec3::X * (0.2 * index as f64);
        let body = BodyDef::dynamic(format!("link {index}")).at(near + DVec3::X * 0.1);
        let link = scene.add_body(body.shape(ghost(ShapeDef::cuboid(LINK))).mass(0.5));
        scene.add_joint(JointDef::ball(parent, link, near));
        parent = link;
    }
    parent
}

/// 50 links and a ball of `ratio` times the mass of a link.
fn heavy_chain(ratio: f64) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    let last = links(&mut scene, 50, DVec3::ZERO);
    let radius = (3.0 * 0.5 * ratio / (4.0 * PI * 1000.0)).cbrt();
    let ball = BodyDef::dynamic("ball").at(DVec3::X * (10.0 + radius));
    let ball = scene.add_body(ball.shape(ghost(ShapeDef::sphere(radius))).mass(0.5 * ratio));
    scene.add_joint(JointDef::ball(last, ball, DVec3::X * 10.0));
    scene
}

#[test]
fn a_ball_a_thousand_times_heavier_swings_at_two_iterations_and_more() {
    for iterations in [2, 3, 5, 10] {
        let result = swing(&mut Bench::new(&heavy_chain(1e3), 1.0 / 60.0, iterations), 5.0);
        eprintln!("S4 {iterations} iterations: {result:?}");
        assert!(result.gap < 5e-6 && result.gain < 1e-9, "{iterations} iterations: {result:?}");
        assert!(result.lost < 0.01, "{iterations} iterations: {result:?}");
    }
}

#[test]
fn a_ball_fifty_thousand_times_heavier_opens_no_joint_by_a_fifth_of_a_millimetre() {
    for iterations in [3, 5] {
        let result = swing(&mut Bench::new(&heavy_chain(5e4), 1.0 / 60.0, iterations), 5.0);
        eprintln!("50000:1 {iterations} iterations: {result:?}");
        assert!(result.gap < 2e-4 && result.gain < 1e-9, "{iterations} iterations: {result:?}");
        assert!(result.lost < 0.01, "{iterations} iterations: {result:?}");
    }
}

#[test]
fn a_necklace_stays_together_at_five_iterations() {
    let mut scene = ModelBuilder::new();
    for chain in 0..10 {
        let start = DVec3::Y * (0.3 * chain as f64);
        let mut parent = BodyId(WORLD);
        for index in 0..40 {
            let near = start + DVec3::X * (0.1 * index as f64);
            let body = BodyDef::dynamic(format!("bead {chain} {index}")).at(near + DVec3::X * 0.05);
            let bead = scene.add_body(body.shape(ghost(ShapeDef::sphere(0.05))).mass(0.001));
            scene.add_joint(JointDef::ball(parent, bead, near));
            parent = bead;
        }
    }
    let result = swing(&mut Bench::new(&scene, 1.0 / 60.0, 5), 5.0);
    eprintln!("necklace: {result:?}");
    assert!(result.gap < 5e-6 && result.gain < 1e-9, "{result:?}");
}

/// 15 links that swing a 500 kg box into a stack of four boxes at the lowest point.
fn wrecking_ball() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let pivot = DVec3::Z * 4.0;
    let last = links(&mut scene, 15, pivot);
    let half = 0.5 * (500.0f64 / 1000.0).cbrt();
    let end = pivot + DVec3::X * 3.0;
    let wrecker = BodyDef::dynamic("wrecker").at(end + DVec3::X * half);
    let wrecker = scene.add_body(wrecker.shape(ShapeDef::cuboid(DVec3::splat(half))).mass(500.0));
    scene.add_joint(JointDef::ball(last, wrecker, end));
    for level in 0..4 {
        let place = DVec3::new(-1.0, 0.0, 0.25 + 0.5 * level as f64);
        scene.add_body(BodyDef::dynamic(format!("box {level}")).at(place).cuboid(DVec3::splat(0.25)));
    }
    scene
}

#[test]
fn a_heavy_box_on_a_chain_breaks_a_stack_but_not_its_chain() {
    for iterations in [5, 10] {
        let mut bench = Bench::new(&wrecking_ball(), 1.0 / 60.0, iterations);
        let result = swing(&mut bench, 4.0);
        let top = bench.pose(19).translation;
        eprintln!("wrecking {iterations} iterations: {result:?}, top box at {top}");
        assert!(result.gap < 2e-5 && result.gain < 1e-9, "{iterations} iterations: {result:?}");
        let moved = (top - DVec3::new(-1.0, 0.0, 1.75)).length();
        assert!(moved > 0.2, "the stack was not hit: {top}");
    }
}
