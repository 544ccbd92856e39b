//! A contact hook that makes platforms one-way: `cargo run -p drystone --example custom_hook`.
//!
//! Balls fly up through a platform and come to lie on it. When told to, it lets them fall through again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drystone::prelude::*;
use drystone::{ContactHook, ContactPatch};

/// Solid from above only. What it decides depends on what it is shown and on a switch, so that a run can be repeated.
struct OneWay {
    platform: ShapeId,
    open: AtomicBool,
}

impl ContactHook for OneWay {
    fn modify(&self, contact: &mut ContactPatch) {
        let Some(side) = contact.pair.side_of(self.platform) else { return };
        let up = contact.pair.pose(side).rotation * DVec3::Z;
        let from_above = contact.normal_out_of(side).dot(up) > 0.9;
        // Rising through it, or still deep inside: not on it yet.
        let rising = contact.points().iter().any(|point| contact.parting_speed(point) > 0.1);
        let inside = contact.points().iter().any(|point| point.gap < -0.05);
        if self.open.load(Ordering::Relaxed) || !from_above || rising || inside {
            contact.disable();
        }
    }
}

/// Throws balls up through the platform, waits, opens it.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let platform = scene.add_shape(WORLD, ShapeDef::cuboid(DVec3::new(2.0, 2.0, 0.05)).at(DVec3::Z * 2.0));
    let ball = |x: f64, z: f64, speed: f64| {
        BodyDef::dynamic(format!("ball at {x}")).at(DVec3::new(x, 0.0, z)).sphere(0.2).velocity(DVec3::Z * speed)
    };
    let thrown = scene.add_body(ball(-1.0, 0.5, 7.0)); // 2.5 m high
    let short = scene.add_body(ball(0.0, 0.5, 5.0)); // turns 1.27 m up, below the platform
    let dropped = scene.add_body(ball(1.0, 3.0, 0.0));
    let mut sim = Simulation::new(scene.finalize()?)?;
    let gate = Arc::new(OneWay { platform, open: AtomicBool::new(false) });
    sim.set_contact_hook(Some(gate.clone()))?;

    let height = |sim: &Simulation, body: BodyId| sim.pose(body).map(|pose| pose.translation.z);
    let mut highest: f64 = 0.0;
    for _ in 0..180 {
        sim.step()?;
        highest = highest.max(height(&sim, thrown)?);
    }
    println!("the thrown ball rose to {highest:.2} m and lies at {:.3} m", height(&sim, thrown)?);
    assert!(highest > 2.6, "it flies through the platform");
    let on_top = 2.0 + 0.05 + 0.2;
    assert!((height(&sim, thrown)? - on_top).abs() < 0.01 && (height(&sim, dropped)? - on_top).abs() < 0.01);
    assert!((height(&sim, short)? - 0.2).abs() < 0.01, "it never got there");

    gate.open.store(true, Ordering::Relaxed);
    sim.run(120, |_| ())?;
    println!("opened, it lets all balls fall: {:.3} m", height(&sim, thrown)?);
    for body in [thrown, short, dropped] {
        assert!((height(&sim, body)? - 0.2).abs() < 0.01);
    }
    Ok(())
}
