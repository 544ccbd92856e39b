//! Piles of boxes: what stands, what falls, what is thrown.

use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder, ShapeDef, WORLD};

use drystone_vbd::VbdOptions;

use crate::bench::Bench;

const HALF: f64 = 0.25;

pub fn tower(masses: &[f64]) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for (i, &mass) in masses.iter().enumerate() {
        let place = DVec3::Z * (HALF + 2.0 * HALF * i as f64);
        scene.add_body(BodyDef::dynamic(format!("box-{i}")).at(place).cuboid(DVec3::splat(HALF)).mass(mass));
    }
    scene
}

/// Farthest any body is from where it was built \[m\].
pub fn drift(bench: &Bench) -> f64 {
    (0..bench.model.body_count())
        .map(|body| (bench.pose(body).translation - bench.model.body_q[body].translation).length())
        .fold(0.0, f64::max)
}

#[test]
fn ten_boxes_stand() {
    let mut bench = Bench::new(&tower(&[1.0; 10]), 1.0 / 60.0, 10);
    let mut deepest = 0.0f64;
    for _ in 0..600 {
        deepest = deepest.max(bench.step().max_penetration.unwrap());
    }
    let moved = drift(&bench);
    eprintln!("ten boxes, 10 s: penetration {:.3} mm, drift {:.3} mm", 1e3 * deepest, 1e3 * moved);
    assert!(deepest < 1e-9 && moved < 1e-9, "{deepest} {moved}");
}

#[test]
fn a_fresh_tower_does_not_sink_before_its_foot_knows_of_its_top() {
    let mut bench = Bench::new(&tower(&[1.0; 60]), 1.0 / 60.0, 3);
    bench.run(0.5);
    let moved = drift(&bench);
    eprintln!("sixty boxes, 3 sweeps, half a second: drift {:.4} mm", 1e3 * moved);
    assert!(moved < 1e-6, "{moved}");
}

#[test]
fn a_tower_at_rest_needs_one_sweep_and_a_falling_one_beside_it_its_own() {
    let mut scene = tower(&[1.0; 10]);
    let mut alone = Bench::new(&scene, 1.0 / 60.0, 10);
    alone.run(1.0);
    assert_eq!(alone.step().iterations, 1);
    scene.add_body(BodyDef::dynamic("low").at(DVec3::new(5.0, 0.0, 9.0)).cuboid(DVec3::splat(HALF)));
    scene.add_body(BodyDef::dynamic("high").at(DVec3::new(5.1, 0.0, 11.0)).cuboid(DVec3::splat(HALF)));
    let mut beside = Bench::new(&scene, 1.0 / 60.0, 10);
    let most = (0..120).map(|_| beside.step().iterations).max().unwrap();
    assert!(most > 3, "the boxes that land need {most}");
    alone.run(1.0 - 1.0 / 60.0);
    for body in 0..10 {
        assert_eq!(alone.pose(body), beside.pose(body), "and the tower does not notice");
    }
    let all = VbdOptions { tolerance: 0.0, ..VbdOptions::default() };
    assert_eq!(Bench::with(&tower(&[1.0; 3]), 1.0 / 60.0, all).run(1.0).iterations, 10);
}

#[test]
fn a_thousand_times_heavier_box_on_top_stands() {
    let mut bench = Bench::new(&tower(&[1.0, 1.0, 1.0, 1.0, 1000.0]), 1.0 / 60.0, 10);
    bench.run(3.0);
    let moved = drift(&bench);
    eprintln!("1000:1 on top: drift {moved:.1e} m");
    assert!(moved < 1e-9, "{moved}");
}

/// Five bricks, each shifted over the one below by the harmonic overhang times `share`.
fn overhang(share: f64) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut x = 0.0;
    for i in 0..5u32 {
        let place = DVec3::new(x, 0.0, 0.1 + 0.2 * f64::from(i));
        scene.add_body(BodyDef::dynamic(format!("brick-{i}")).at(place).cuboid(DVec3::new(0.5, 0.25, 0.1)));
        // Half a length over the number of bricks above the joint.
        x += share * 0.5 / f64::from(4 - i.min(3));
    }
    Bench::new(&scene, 1.0 / 60.0, 10)
}

#[test]
fn an_overhang_falls_beyond_the_harmonic_limit_and_stands_within() {
    for (share, stands) in [(0.95, true), (1.05, false)] {
        let mut bench = overhang(share);
        bench.run(4.0);
        let moved = drift(&bench);
        eprintln!("overhang at {share} of the limit: moved {:.2} mm", 1e3 * moved);
        assert_eq!(moved < 1e-4, stands, "{moved}");
    }
}

#[test]
fn a_thrown_stack_flies_as_one() {
    let mut bench = Bench::new(&tower(&[1.0; 10]), 1.0 / 60.0, 10);
    bench.run(0.2);
    let before: Vec<_> = (0..10).map(|body| bench.pose(body).translation.z).collect();
    bench.state.body_qd.iter_mut().for_each(|twist| twist.linear = DVec3::Z * 5.0);
    bench.run(0.5);
    // Thirty steps of x += h v, v −= g h.
    let want = 5.0 * 0.5 - 9.81 * 30.0 * 31.0 / 2.0 / 3600.0;
    for (body, before) in before.into_iter().enumerate() {
        let rise = bench.pose(body).translation.z - before;
        assert!((rise / want - 1.0).abs() < 1e-3, "box {body}: {rise} instead of {want}");
    }
}

#[test]
fn without_gravity_a_stack_is_held_by_forces() {
    let mut scene = tower(&[1.0; 5]);
    scene.gravity(DVec3::ZERO);
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
    bench.control.body_f[4].0 = DVec3::Z * -50.0;
    // Pressed together it bears a push from the side that neither slides nor tips it.
    bench.control.body_f[2].0 = DVec3::X * 5.0;
    bench.run(3.0);
    let moved = drift(&bench);
    eprintln!("pressed stack without gravity: drift {:.3} mm", 1e3 * moved);
    assert!(moved < 1e-3, "{moved}");
}

#[test]
fn without_gravity_a_cluster_keeps_its_momentum() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    for i in 0..8i32 {
        let corner = DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - DVec3::splat(0.5);
        let inwards = -corner + DVec3::new(0.3, 0.2, 0.1);
        scene.add_body(BodyDef::dynamic(format!("box-{i}")).at(corner).cuboid(DVec3::splat(0.2)).velocity(inwards));
    }
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 10);
    let start = bench.model.momentum(&bench.state);
    let scale: f64 = (0..8).map(|body| bench.model.body_mass[body] * bench.model.body_qd[body].linear.length()).sum();
    let met = (0..90).map(|_| bench.step().contact_count).max();
    assert!(met >= Some(8), "they meet: {met:?} contacts");
    let off = (bench.model.momentum(&bench.state).linear - start.linear).length() / scale;
    eprintln!("cluster: momentum off by {off:.1e}");
    assert!(off < 1e-14, "{off}");
}

/// Two cards that lean against each other at 30 degrees from upright, edge on edge; `mu` under their feet.
/// Rough edges: the normal of two edges may be that of either face, 30 degrees off the push.
fn leaning_cards(mu: f64) -> Bench {
    let (half, thick, lean) = (0.5, 0.01, 30f64.to_radians());
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(mu * mu));
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let place =
            DVec3::new(side * (half * lean.sin() + thick * lean.cos()), 0.0, half * lean.cos() + thick * lean.sin());
        let card = BodyDef::dynamic(name).at(place).rotated(DQuat::from_rotation_y(-side * lean));
        scene.add_body(card.cuboid(DVec3::new(thick, 0.3, half)).friction(1.0));
    }
    Bench::new(&scene, 1.0 / 60.0, 10)
}

#[test]
fn leaning_cards_stand_if_and_only_if_friction_suffices() {
    // A foot carries the weight W of a card of length l and half thickness t and pushes outwards with
    // W (l/2 sin 30° − t cos 30°) / (l cos 30°) = 0.279 W.
    for (mu, stands) in [(0.26, false), (0.30, true)] {
        let mut bench = leaning_cards(mu);
        bench.run(4.0);
        let moved = drift(&bench);
        eprintln!("leaning cards, µ = {mu}: moved {:.2} mm", 1e3 * moved);
        assert_eq!(moved < 1e-4, stands, "µ = {mu}: {moved}");
    }
}
