//! What must not change the motion: units, mirrors, threads, neighbours.

use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder, ShapeDef, WORLD};

use crate::bench::Bench;

/// Tilted boxes and a ball that drop on each other. None lies flat on another: which of two parallel
/// faces bears the contact points is a toss, and the last bit may decide it.
fn heap(length: f64, mass: f64, mirror: f64) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -9.81 * length);
    scene.add_shape(WORLD, ShapeDef::plane(DVec3::ZERO, DVec3::Z));
    let at = |x: f64, y: f64, z: f64| DVec3::new(x, mirror * y, z) * length;
    let cube = |name: &str| BodyDef::dynamic(name).cuboid(DVec3::splat(0.25) * length);
    let tilt = |x: f64, y: f64, z: f64| {
        DQuat::from_rotation_x(x * mirror) * DQuat::from_rotation_y(y) * DQuat::from_rotation_z(z * mirror)
    };
    scene.add_body(cube("low").at(at(0.0, 0.0, 0.3)).rotated(tilt(0.05, 0.03, 0.2)).mass(1.0 * mass));
    scene.add_body(cube("high").at(at(0.05, 0.03, 0.9)).rotated(tilt(0.1, -0.06, 0.3)).mass(2.0 * mass));
    scene.add_body(cube("tilted").at(at(0.1, 0.05, 1.6)).rotated(tilt(0.2, 0.3, 0.1)).mass(0.5 * mass));
    let ball = BodyDef::dynamic("ball").sphere(0.2 * length).at(at(0.9, 0.1, 0.4)).mass(3.0 * mass);
    scene.add_body(ball.velocity(DVec3::new(-2.0, 0.0, 0.0) * length));
    scene
}

fn run(scene: &ModelBuilder) -> Bench {
    let mut bench = Bench::new(scene, 1.0 / 60.0, 10);
    bench.run(0.6);
    bench
}

fn places(bench: &Bench, scale: f64) -> Vec<DVec3> {
    (0..bench.model.body_count()).map(|body| bench.pose(body).translation / scale).collect()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

#[test]
fn masses_and_lengths_have_no_unit() {
    let plain = run(&heap(1.0, 1.0, 1.0));
    let binary = run(&heap(1.0, 1024.0, 1.0));
    assert_eq!(plain.state, binary.state, "a factor of 1024 in mass changes no bit");
    let heavy = farthest(&places(&plain, 1.0), &places(&run(&heap(1.0, 1000.0, 1.0)), 1.0));
    let large = farthest(&places(&plain, 1.0), &places(&run(&heap(100.0, 1.0, 1.0)), 100.0));
    eprintln!("masses × 1000: {heavy:.1e}, lengths and gravity × 100: {large:.1e}");
    assert!(heavy < 1e-13 && large < 1e-13, "{heavy} {large}");
}

#[test]
fn a_mirrored_scene_moves_as_its_mirror_image() {
    let plain = places(&run(&heap(1.0, 1.0, 1.0)), 1.0);
    let mirrored = places(&run(&heap(1.0, 1.0, -1.0)), 1.0);
    let image: Vec<_> = mirrored.iter().map(|p| DVec3::new(p.x, -p.y, p.z)).collect();
    let off = farthest(&plain, &image);
    eprintln!("mirror image: {off:.1e}");
    assert!(off < 1e-13, "{off}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // Enough bodies that colours are shared out.
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..1200 {
        let (x, y, z) = (f64::from(i % 20), f64::from(i / 20 % 20), f64::from(i / 400));
        let place = DVec3::new(0.6 * x + 0.05 * z, 0.6 * y, 0.26 + 0.52 * z);
        scene.add_body(BodyDef::dynamic(format!("box-{i}")).at(place).cuboid(DVec3::splat(0.25)));
    }
    let states = [1, 2, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut bench = Bench::new(&scene, 1.0 / 60.0, 5);
            bench.run(10.0 / 60.0);
            bench.state
        })
    });
    assert_eq!(states[0], states[1]);
    assert_eq!(states[0], states[2]);
}

#[test]
fn worlds_move_as_if_alone() {
    let moon = {
        let mut scene = heap(1.0, 1.0, 1.0);
        scene.gravity(DVec3::Z * -1.62);
        scene
    };
    let alone = places(&run(&moon), 1.0);
    let mut both = moon.clone();
    both.begin_world(DVec3::Z * -9.81);
    both.append(&heap(1.0, 1.0, 1.0), drystone_model::Pose::identity(), "earth-");
    both.end_world();
    let together = places(&run(&both), 1.0);
    assert_eq!(alone, together[..alone.len()], "the other world changes a bit");
}
