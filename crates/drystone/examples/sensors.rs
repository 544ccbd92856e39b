//! Sensors, a conveyor belt and an edit: `cargo run -p drystone --example sensors`.
//!
//! Boxes ride on a belt through a light barrier, which counts them and takes their speed, and fall into a bin, whose sensor
//! takes them out of the scene.

use drystone::SensorEvent;
use drystone::prelude::*;

const BELT_SPEED: f64 = 0.8;
const BARRIER: f64 = 0.02;
const HALF: f64 = 0.1;

/// Runs the line until all boxes are in the bin.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = ModelBuilder::new();
    let belt = ShapeDef::cuboid(DVec3::new(2.0, 0.5, 0.05)).at(DVec3::NEG_Z * 0.05);
    scene.add_shape(WORLD, belt.surface_velocity(DVec3::X * BELT_SPEED));
    let barrier = ShapeDef::cuboid(DVec3::new(BARRIER, 0.5, 0.01)).at(DVec3::new(1.0, 0.0, 0.1));
    let barrier = scene.add_shape(WORLD, barrier.sensor());
    let bin = ShapeDef::cuboid(DVec3::new(0.5, 0.5, 0.5)).at(DVec3::new(2.4, 0.0, -1.5));
    let bin = scene.add_shape(WORLD, bin.sensor());
    for k in 0..4 {
        let place = DVec3::new(-1.8 + 0.5 * f64::from(k), 0.0, HALF);
        scene.add_body(BodyDef::dynamic(format!("box {k}")).at(place).cuboid(DVec3::splat(HALF)));
    }
    let mut sim = Simulation::builder(scene.finalize()?).dt(1.0 / 120.0).build()?;

    let (mut entered, mut counted, mut binned) = (0.0, 0, 0);
    while binned < 4 && sim.time() < 20.0 {
        sim.step()?;
        let mut done = Vec::new();
        for event in sim.events() {
            match *event {
                Event::Sensor(SensorEvent::Begin { sensor, .. }) if sensor == barrier => entered = sim.time(),
                Event::Sensor(SensorEvent::End { sensor, .. }) if sensor == barrier => {
                    let speed = 2.0 * (HALF + BARRIER) / (sim.time() - entered);
                    counted += 1;
                    println!("box {counted} passed at {speed:.2} m/s");
                    assert!((speed / BELT_SPEED - 1.0).abs() < 0.05, "it rides at the speed of the belt");
                }
                Event::Sensor(SensorEvent::Begin { sensor, shape }) if sensor == bin => done.push(shape),
                _ => {}
            }
        }
        if !done.is_empty() {
            binned += done.len();
            let bodies: Vec<BodyId> = done.iter().map(|&shape| wearer(&sim, shape)).collect::<Result<_, _>>()?;
            sim.edit(|scene| bodies.iter().try_for_each(|&body| scene.remove_body(body)))?;
        }
    }
    println!("{counted} boxes counted, {binned} in the bin after {:.1} s", sim.time());
    assert_eq!((counted, binned, sim.model().body_count()), (4, 4, 0));
    Ok(())
}

/// The body that wears a shape.
fn wearer(sim: &Simulation, shape: ShapeId) -> Result<BodyId, Box<dyn std::error::Error>> {
    let body = sim.model().shape_body[sim.shape_index(shape)?];
    Ok(sim.body_id(body as usize))
}
