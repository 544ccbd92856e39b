//! Random scenes, the same everywhere.

use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder};

use drystone_random::Random;

/// Bodies of sizes 1 : 100 on a grid, thrown about at up to 100 m/s, with any friction.
pub fn random_scene(seed: u64) -> ModelBuilder {
    let mut random = Random::new(seed);
    let friction = random.range(0.0, 1.0);
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..8 {
        let size = 0.5 * 0.01_f64.powf(random.range(0.0, 1.0));
        let place = DVec3::new(f64::from(i % 2), f64::from(i / 2 % 2), 1.0 + 1.2 * f64::from(i / 4)) * 2.0;
        let body = BodyDef::dynamic(format!("body {i}")).at(place + random.vector(0.05));
        let body = body.rotated(DQuat::from_scaled_axis(random.vector(2.0)));
        let speed = 10.0_f64.powf(random.range(0.0, 2.0));
        let body = body.velocity(random.vector(speed)).spin(random.vector(10.0));
        let shaped = match i % 3 {
            0 => body.cuboid(DVec3::new(size, size * random.range(0.2, 1.0), size * random.range(0.2, 1.0))),
            1 => body.sphere(size),
            _ => body.capsule(0.4 * size, 0.6 * size),
        };
        scene.add_body(shaped.friction(friction));
    }
    scene
}
