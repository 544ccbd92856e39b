//! Random scenes, the same everywhere.

use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder};

/// A small generator: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.range(-size, size)))
    }
}

/// Bodies of sizes 1 : 100 on a grid, thrown about at up to 100 m/s, with any friction.
pub fn random_scene(seed: u64) -> ModelBuilder {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 77);
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
