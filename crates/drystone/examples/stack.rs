//! A stack that is built, pushed and cleared away while it runs: `cargo run --example stack`.

use drystone::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const HALF: f64 = 0.25;

/// Builds the stack, takes one out of it and pushes it.
pub fn main() -> Outcome {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut sim = Simulation::new(scene.finalize()?)?;

    // A block every quarter of a second, each a little above the one before.
    let mut stack = Vec::new();
    for level in 0..8 {
        let center = DVec3::Z * (HALF + 2.0 * HALF * f64::from(level) + 0.01);
        let block = BodyDef::dynamic(format!("block {level}")).at(center).cuboid(DVec3::splat(HALF)).mass(2.0);
        stack.push(sim.edit(|scene| scene.add_body(block))?);
        sim.run(15, |_| ())?;
    }
    let (force, _) = sim.contact_force(BodyId::WORLD)?;
    println!("{} blocks press the ground with {:.1} N", stack.len(), -force.z);
    assert!((-force.z - 8.0 * 2.0 * 9.81).abs() < 0.5);

    // One from the middle: those above come down by its height.
    let (middle, top) = (stack.remove(4), stack[stack.len() - 1]);
    let before = sim.pose(top)?.translation.z;
    sim.edit(|scene| scene.remove_body(middle))?;
    sim.run(60, |_| ())?;
    let fell = before - sim.pose(top)?.translation.z;
    println!("the top came down by {fell:.3} m");
    assert!((fell - 2.0 * HALF).abs() < 0.02);
    println!("and who asks for the one that left is told: {}", sim.pose(middle).unwrap_err());

    // A blow at the top, and the rest stands.
    sim.apply_impulse_at(top, DVec3::X * 6.0, sim.pose(top)?.translation + DVec3::Z * 0.1)?;
    sim.run(120, |_| ())?;
    let standing = |body: &&BodyId| sim.pose(**body).is_ok_and(|pose| pose.translation.x.abs() < HALF);
    let left = stack.iter().filter(standing).count();
    println!("{left} of {} are still on the stack", stack.len());
    assert!(left >= 4);
    Ok(())
}
