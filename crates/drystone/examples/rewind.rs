//! Checkpoints: go back in time, try again, go on elsewhere: `cargo run --example rewind`.

use drystone::prelude::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Plays one moment three times, and goes on from it elsewhere.
pub fn main() -> Outcome<()> {
    let model = lane()?;
    let mut sim = Simulation::new(model.clone())?;
    let ball = sim.body("ball").ok_or("no ball")?;
    sim.run(30, |_| ())?;

    // The same moment, played three times: which throw leaves fewest pins standing?
    let moment = sim.checkpoint();
    let mut best = (usize::MAX, 0.0);
    for aim in [-0.04, 0.0, 0.04] {
        sim.resume(&moment)?;
        sim.apply_impulse(ball, DVec3::new(20.0, 20.0 * aim, 0.0))?;
        sim.run(240, |_| ())?;
        let left = standing(&sim);
        println!("aimed {aim:+.2}: {left} pins stand");
        if left < best.0 {
            best = (left, aim);
        }
    }

    // A checkpoint is a file: another process goes on from it, bit for bit, with what was added since.
    sim.resume(&moment)?;
    let bumper = BodyDef::fixed("bumper").at(DVec3::new(3.0, 0.0, 0.5)).cuboid(DVec3::new(0.1, 1.0, 0.5));
    sim.edit(|scene| scene.add_body(bumper))?;
    sim.apply_impulse(ball, DVec3::new(20.0, 20.0 * best.1, 0.0))?;
    sim.run(60, |_| ())?;
    let path = std::env::temp_dir().join(format!("drystone-rewind-{}.ckpt", std::process::id()));
    sim.checkpoint().write(&path)?;
    sim.run(180, |_| ())?;

    let mut elsewhere = Simulation::new(model)?;
    elsewhere.resume(&Checkpoint::read(&path)?)?;
    std::fs::remove_file(&path)?;
    elsewhere.run(180, |_| ())?;
    assert_eq!(elsewhere.state_hash(), sim.state_hash());
    println!("with a bumper behind: {} pins stand, here and elsewhere", standing(&elsewhere));
    Ok(())
}

/// Ten pins in a triangle and a ball in front of them.
fn lane() -> Outcome<Model> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for row in 0..4 {
        for place in 0..=row {
            let at = DVec3::new(2.0 + 0.26 * f64::from(row), 0.3 * (f64::from(place) - 0.5 * f64::from(row)), 0.2);
            scene.add_body(
                BodyDef::dynamic(format!("pin {row} {place}")).at(at).shape(ShapeDef::cylinder(0.05, 0.2)).mass(1.5),
            );
        }
    }
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 0.11).sphere(0.11).mass(5.0));
    Ok(scene.finalize()?)
}

fn standing(sim: &Simulation) -> usize {
    let pins = sim.model().body_name.iter().zip(&sim.state().body_q).filter(|(name, _)| name.starts_with("pin"));
    pins.filter(|(_, pose)| (pose.rotation * DVec3::Z).z > 0.9).count()
}
