//! Rods against the theory of beams and cables.

use std::f64::consts::{PI, TAU};

use drystone_model::{DVec3, JointDef, Material, ModelBuilder, RodDef, RodMaterial, WORLD};
use drystone_vbd::{Integrator, VbdOptions};

use crate::bench::Bench;

/// Long steps: backward Euler then settles in few of them, and what is at rest does not know the step.
const LONG_STEP: f64 = 0.1;

fn straight(count: usize, length: f64) -> Vec<DVec3> {
    (0..=count).map(|index| DVec3::X * (length * index as f64 / count as f64)).collect()
}

fn material(young: f64, shear: f64, damping: f64) -> RodMaterial {
    RodMaterial { young, shear: Some(shear), damping, surface: Material::default(), ..RodMaterial::default() }
}

/// Parameter a of the catenary of the given length between supports `span` apart.
fn catenary(length: f64, span: f64) -> f64 {
    let (mut low, mut high) = (span * 1e-3, span * 1e3);
    for _ in 0..200 {
        let a = (low * high).sqrt();
        // The length shrinks towards the span as a grows.
        if 2.0 * a * (0.5 * span / a).sinh() > length { low = a } else { high = a }
    }
    low
}

#[test]
fn a_cable_hangs_as_a_catenary() {
    let (count, length, span): (usize, f64, f64) = (60, 2.0, 1.4);
    // From a V of the same length.
    let depth = (0.25 * (length * length - span * span)).sqrt();
    let place = |s: f64| DVec3::new(span * (s - 0.5), 0.0, -depth * (1.0 - (2.0 * s - 1.0).abs()));
    let points: Vec<DVec3> = (0..=count).map(|index| place(index as f64 / count as f64)).collect();
    let mut scene = ModelBuilder::new();
    let thin = RodDef::new(points, 5e-4, material(1e7, 4e6, 0.0));
    let rod = scene.add_rod(thin.straight_at_rest());
    scene.add_joint(JointDef::ball(WORLD, rod.bodies[0], place(0.0)));
    scene.add_joint(JointDef::ball(WORLD, rod.bodies[count - 1], place(1.0)));
    // It has no damping of its own: what brings it to rest is the first-order rule.
    let still = VbdOptions { iterations: 5, integrator: Integrator::Bdf1, ..VbdOptions::default() };
    let mut bench = Bench::with(&scene, LONG_STEP, still);
    bench.run(30.0);
    let a = catenary(length, span);
    let top = a * (0.5 * span / a).cosh();
    let mut worst = 0.0f64;
    for (index, body) in rod.bodies.iter().enumerate() {
        let s = length * ((index as f64 + 0.5) / count as f64 - 0.5);
        let expected = DVec3::new(a * (s / a).asinh(), 0.0, (a * a + s * s).sqrt() - top);
        worst = worst.max(bench.pose(body.built_index()).translation.distance(expected));
    }
    eprintln!("catenary: off by {:.3} % of the length", 100.0 * worst / length);
    assert!(worst < 0.001 * length, "off by {worst} m");
}

#[test]
fn a_cantilever_bends_by_force_times_length_cubed_over_three_ei() {
    let (count, length, radius, young): (usize, f64, f64, f64) = (20, 1.0, 0.01, 1e9);
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let rod = scene.add_rod(RodDef::new(straight(count, length), radius, material(young, 4e8, 0.0)));
    scene.add_joint(JointDef::fixed(WORLD, rod.bodies[0], DVec3::ZERO));
    let mut bench = Bench::new(&scene, LONG_STEP, 5);
    let piece = length / count as f64;
    let stiffness = young * PI * radius.powi(4) / 4.0;
    // The first piece is clamped and the joint at its end stands for half of it.
    let free = length - 0.5 * piece;
    let force = 0.01 * 3.0 * stiffness / free.powi(3);
    let last = rod.bodies[count - 1].built_index();
    bench.control.body_f[last] = (DVec3::Z * force, DVec3::Y * (-0.5 * piece * force));
    bench.run(20.0);
    let tip = bench.pose(last).transform_point(DVec3::Z * (0.5 * piece)).z;
    let error = tip / (force * free.powi(3) / (3.0 * stiffness)) - 1.0;
    eprintln!("cantilever: off by {:.3} %", 100.0 * error);
    assert!(error.abs() < 0.01, "tip at {tip}");
}

#[test]
fn twist_grows_linearly_along_a_rod() {
    let (count, length, radius, shear): (usize, f64, f64, f64) = (24, 1.2, 0.01, 4e8);
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let rod = scene.add_rod(RodDef::new(straight(count, length), radius, material(1e9, shear, 0.0)));
    scene.add_joint(JointDef::fixed(WORLD, rod.bodies[0], DVec3::ZERO));
    let mut bench = Bench::new(&scene, LONG_STEP, 5);
    let torque = 2.0;
    bench.control.body_f[rod.bodies[count - 1].built_index()].1 = DVec3::X * torque;
    bench.run(20.0);
    let rate = torque / (shear * PI * radius.powi(4) / 2.0);
    let mut turned = 0.0;
    for (index, joint) in rod.joints.iter().enumerate() {
        let q = bench.coordinates(joint.built_index());
        turned += q[5];
        let expected = rate * length / count as f64 * (index + 1) as f64;
        assert!((turned / expected - 1.0).abs() < 1e-3, "joint {index}: {turned}, not {expected}");
        assert!(q[3].abs() < 1e-6 && q[4].abs() < 1e-6, "it bends: {q:?}");
    }
}

/// How far a ring of a rod that is straight at rest leaves its plane within 2.5 s, relative to its
/// radius, when twisted by `twist` and pushed a little.
fn out_of_plane(twist: f64, ratio: f64) -> f64 {
    let (count, radius) = (40, 0.16);
    let point = |index: usize| {
        let angle = TAU * index as f64 / count as f64;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
    };
    // A solid round rod has twist over bending stiffness 2 G/E.
    let rod = RodDef::new((0..count).map(point).collect(), 0.004, material(1e7, 0.5e7 / ratio, 0.0));
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let rod = scene.add_rod(rod.closed().straight_at_rest().twisted(twist));
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 3);
    for (index, body) in rod.bodies.iter().enumerate() {
        let angle = 2.0 * TAU * index as f64 / count as f64;
        bench.state.body_qd[body.built_index()].linear = DVec3::Z * (0.01 * radius * angle.cos());
    }
    let mut furthest = 0.0f64;
    for _ in 0..150 {
        bench.step();
        let heights = rod.bodies.iter().map(|body| bench.pose(body.built_index()).translation.z.abs());
        furthest = heights.fold(furthest, f64::max);
    }
    furthest / radius
}

#[test]
fn a_twisted_ring_buckles_above_the_threshold_of_michell_and_not_below() {
    for ratio in [1.0, 1.5] {
        // 2π √3 B/T, Michell 1889.
        let critical = TAU * 3f64.sqrt() * ratio;
        let [below, above] = [0.9, 1.1].map(|share| out_of_plane(share * critical, ratio));
        eprintln!("ring, B/T = {ratio}: out of plane {below:.4} of the radius below, {above:.4} above");
        assert!(below < 0.01 && above > 0.1, "B/T = {ratio}: below {below}, above {above}");
    }
}
