//! What turns fast, or is pulled by joints, does not end a step deep in the ground.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder};

use crate::bench::Bench;

/// Deepest overlap now, by a search that remembers nothing \[m\].
fn deepest(bench: &Bench) -> f64 {
    let mut still = bench.state.clone();
    still.body_qd.iter_mut().for_each(|twist| *twist = Default::default());
    let mut collide = Collide::new(&bench.model, CollideOptions::default());
    collide.detect(&bench.model, &still, 1e-6);
    collide.contacts.point_gap.iter().fold(0.0, |deepest: f64, gap| deepest.max(-gap))
}

/// Boxes that turn by up to 1.7 rad in a step, on smooth ground.
#[test]
fn a_box_that_spins_fast_stays_above_the_ground() {
    for spin in [10.0, 25.0, 50.0] {
        let mut scene = ModelBuilder::new();
        scene.ground();
        let body = BodyDef::dynamic("box").cuboid(DVec3::new(0.4, 0.2, 0.3)).density(1000.0).friction(0.0);
        scene.add_body(body.at(DVec3::Z * 0.6).spin(DVec3::new(spin, 0.3 * spin, 0.1)));
        let mut bench = Bench::new(&scene, 1.0 / 30.0, 5);
        let energy = bench.model.energy(&bench.state).total();
        let [mut depth, mut gain] = [0.0f64; 2];
        for _ in 0..90 {
            bench.step();
            depth = depth.max(deepest(&bench));
            gain = gain.max(bench.model.energy(&bench.state).total() / energy - 1.0);
        }
        eprintln!("spin {spin}: {:.1} mm deep, energy gain {gain:.1e}", 1e3 * depth);
        assert!(depth < 0.015, "spin {spin}: {depth} m");
        assert!(gain < 1e-6, "spin {spin}: {gain}");
    }
}

/// A heavy and a light body on a long fixed joint hit the ground at one sweep.
#[test]
fn a_thrown_mechanism_does_not_pass_through_the_ground() {
    for ratio in [1.0, 1000.0] {
        let mut scene = ModelBuilder::new();
        scene.ground();
        let throw = DVec3::new(20.0, 0.0, -60.0);
        let ball = |name: &str, x: f64, density: f64| {
            let body = BodyDef::dynamic(name).sphere(0.2).density(density).at(DVec3::new(x, 0.0, 2.0 + 0.3 * x));
            body.velocity(throw).spin(DVec3::Y * 10.0)
        };
        let bodies = [0, 1, 2].map(|i| {
            scene.add_body(ball(&format!("b{i}"), f64::from(i), [1000.0, ratio * 1000.0, 1000.0][i as usize]))
        });
        scene.add_joint(JointDef::ball(bodies[0], bodies[1], DVec3::new(0.5, 0.0, 2.15)));
        scene.add_joint(JointDef::fixed(bodies[1], bodies[2], DVec3::new(1.5, 0.0, 2.45)));
        let mut bench = Bench::new(&scene, 1.0 / 30.0, 1);
        let (mut lowest, mut under) = (f64::INFINITY, 0);
        for _ in 0..60 {
            bench.step();
            let now = bench.state.body_q.iter().fold(f64::INFINITY, |low, pose| low.min(pose.translation.z));
            lowest = lowest.min(now);
            // Joints may pull a body into ground that was too far away to be seen when the step began; the next step sees it.
            under = if now < 0.1 { under + 1 } else { 0 };
            assert!(under < 2, "mass ratio {ratio}: a centre at {now} m, in the second step");
        }
        eprintln!("mass ratio {ratio}: lowest centre at {lowest:.3} m");
    }
}
