//! Contacts of the published method (`method = "avbd"`) against what its formulas say.

use drystone_model::{BodyDef, DVec3, Material, ModelBuilder, ShapeDef, WORLD};
use drystone_vbd::{AvbdOptions, Method, VbdOptions};

use crate::bench::Bench;

const G: f64 = 9.81;
const DT: f64 = 1.0 / 60.0;

fn published(iterations: u32, avbd: AvbdOptions) -> VbdOptions {
    VbdOptions { iterations, method: Method::Avbd, avbd, ..VbdOptions::default() }
}

/// A box of one kilogram on a floor of the same material.
fn on_floor(material: Material, options: VbdOptions) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z).material(material));
    let shape = ShapeDef::cuboid(DVec3::splat(0.1)).material(material);
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.1).shape(shape).mass(1.0));
    Bench::with(&scene, DT, options)
}

/// Force of the floor on the box \[N\].
fn held(bench: &Bench) -> f64 {
    bench.solver.contact_forces().map(|reading| reading.force.z.abs()).sum()
}

/// Two equal surfaces in series halve the stiffness, and a box stands on four points.
#[test]
fn a_box_sinks_into_a_soft_floor_by_its_weight_over_the_stiffness() {
    for stiffness in [2e3, 2e4] {
        for beta_linear in [0.0, 1e6] {
            let material = Material { stiffness, damping: 20.0, ..Material::default() };
            let options = published(20, AvbdOptions { beta_linear, ..AvbdOptions::default() });
            let mut bench = on_floor(material, options);
            bench.run(6.0);
            let (sink, want) = (0.1 - bench.pose(0).translation.z, G / (4.0 * 0.5 * stiffness));
            assert!((sink / want - 1.0).abs() < 0.01, "K {stiffness}, β {beta_linear}: {sink} instead of {want}");
            assert!((held(&bench) / G - 1.0).abs() < 0.01, "{}", held(&bench));
        }
    }
}

/// Without history a hard contact starts every step without multiplier, so that its force after one sweep is k (C − α C₀):
/// at rest, where C = C₀, the box hangs as deep as carries its weight with the share 1 − α.
#[test]
fn without_history_a_hard_contact_is_a_spring_of_the_share_it_corrects() {
    let (k, alpha) = (1e4, 0.9);
    let avbd = AvbdOptions {
        beta_linear: 0.0,
        k_max: k,
        contact_alpha: Some(alpha),
        contact_history: false,
        ..AvbdOptions::default()
    };
    let mut bench = on_floor(Material::default(), published(1, avbd));
    bench.run(20.0);
    let (sink, want) = (0.1 - bench.pose(0).translation.z, G / (4.0 * k * (1.0 - alpha)));
    assert!((sink / want - 1.0).abs() < 0.02, "{sink} instead of {want}");
    // With history the multiplier takes the weight over.
    let mut kept = on_floor(Material::default(), published(1, AvbdOptions { contact_history: true, ..avbd }));
    kept.run(20.0);
    let sink = 0.1 - kept.pose(0).translation.z;
    assert!(sink < 0.5 * want, "{sink}");
}

/// Friction of soft and of hard contacts holds up to μ N and slides with the rest of the force beyond.
#[test]
fn friction_holds_inside_its_cone_and_slides_beyond() {
    for stiffness in [4e3, f64::INFINITY] {
        let damping = if stiffness.is_finite() { 40.0 } else { 0.0 };
        let friction = Material { friction_static: 0.5, friction_dynamic: 0.5, ..Material::default() };
        let material = Material { stiffness, damping, ..friction };
        let beta_linear = if stiffness.is_finite() { 0.0 } else { 1e5 };
        let avbd = AvbdOptions { beta_linear, ..AvbdOptions::default() };
        for (share, moves) in [(0.8, false), (1.5, true)] {
            let mut bench = on_floor(material, published(20, avbd));
            bench.run(1.0);
            let start = bench.pose(0).translation.x;
            bench.control.body_f[0].0 = DVec3::X * (share * 0.5 * G);
            bench.run(1.0);
            let went = bench.pose(0).translation.x - start;
            let free = 0.5 * (share - 1.0) * 0.5 * G;
            match moves {
                true => assert!((went / free - 1.0).abs() < 0.05, "K {stiffness}: {went} instead of {free}"),
                false => assert!(went.abs() < 3e-3, "K {stiffness}: it slips by {went}"),
            }
        }
    }
}

/// What makes the default method robust is no part of the published ones unless asked for.
#[test]
fn nothing_is_added_to_the_published_method_unless_asked_for() {
    // A thin card would get two substeps by the default method; one is published.
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("card").at(DVec3::Z * 0.01).cuboid(DVec3::new(0.2, 0.2, 0.01)));
    let sweeps = |options: VbdOptions| Bench::with(&scene, DT, options).step().iterations;
    let plain = published(10, AvbdOptions::default());
    assert_eq!(sweeps(plain.clone()), 10);
    assert_eq!(sweeps(VbdOptions { substeps: Some(3), ..plain.clone() }), 30);
    assert!(sweeps(VbdOptions { substeps: Some(0), iterations: 4, ..plain.clone() }) > 4, "chosen on request");
    // The first step of a tower knows no loads: it sinks, unless startup passes are asked for.
    let mut tower = ModelBuilder::new();
    tower.ground();
    for k in 0..6 {
        let at = DVec3::Z * (0.1 + 0.2 * f64::from(k));
        tower.add_body(BodyDef::dynamic(format!("box {k}")).at(at).cuboid(DVec3::splat(0.1)));
    }
    let sink = |options: VbdOptions| {
        let mut bench = Bench::with(&tower, DT, options);
        bench.step();
        1.1 - bench.pose(5).translation.z
    };
    let started = VbdOptions { startup_passes: Some(60), ..plain.clone() };
    assert!(sink(plain) > 3.0 * sink(started).abs());
}

/// At a fixed stiffness below m/h² (here 3600 N/m) a box that is pushed holds, and slides as far as steps of the first order have it.
#[test]
fn friction_is_right_at_a_fixed_stiffness_below_the_mass_over_the_square_of_the_step() {
    let material = Material { friction_static: 0.5, friction_dynamic: 0.5, ..Material::default() };
    for k_max in [3e2, 1e3, 3e3] {
        let avbd = AvbdOptions { beta_linear: 0.0, k_max, ..AvbdOptions::default() };
        let went = [0.8, 1.5].map(|share| {
            let mut bench = on_floor(material, published(20, avbd));
            bench.run(1.0);
            let start = bench.pose(0).translation.x;
            bench.control.body_f[0].0 = DVec3::X * (share * 0.5 * G);
            bench.run(1.0);
            bench.pose(0).translation.x - start
        });
        let slide = 0.5 * 0.5 * 0.5 * G * (1.0 + DT);
        assert!(went[0].abs() < 2e-4, "k {k_max}: it slips by {}", went[0]);
        assert!((went[1] / slide - 1.0).abs() < 1e-3, "k {k_max}: {} instead of {slide}", went[1]);
    }
}
