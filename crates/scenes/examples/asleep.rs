//! What a pile costs once it sleeps: `cargo run --release -p drystone-scenes --example asleep -- [COUNT] [SECONDS]`.
//!
//! Cubes fall into a pit with `sleeping = true` until everything sleeps or the seconds are over; what sways then is put to sleep.
//! The step before that is timed, one in which everything sleeps taken in full, and those without work: on one thread, the least of many.

use std::time::Instant;

use drystone::Simulation;
use drystone::model::BodyKind;
use drystone::vbd::VbdOptions;
use drystone_scenes::make;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().map_or(Ok(8000), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(60.0), |text| text.parse())?;
    let scene = make("pile", &[&format!("count={count}")])?;
    let dt = scene.settings.dt;
    let options = VbdOptions { sleeping: true, iterations: 5, ..Default::default() };
    let mut sim = Simulation::builder(scene.model).solver(options).dt(dt).threads(1).build()?;
    while !sim.report().still && sim.time() < seconds {
        sim.step()?;
        if sim.report().asleep > 0 && ((sim.time() / dt).round() as u64).is_multiple_of(60) {
            println!("{:6.1} s: {} of {count} asleep", sim.time(), sim.report().asleep);
        }
    }
    println!("{:6.1} s: {} of {count} asleep, still: {}", sim.time(), sim.report().asleep, sim.report().still);
    let (mut swaying, mut full, mut quiet) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..20 {
        swaying = swaying.min(timed(&mut sim)?);
    }
    let phases = sim.report().time.iter().map(|(phase, seconds)| format!("{phase:?} {:.3}", 1e3 * seconds));
    println!(
        "a step with {} awake {swaying:.3} ms: {}",
        count - sim.report().asleep,
        phases.collect::<Vec<_>>().join(", ")
    );
    for body in (0..sim.model().body_count())
        .filter(|&body| sim.model().body_kind[body] == BodyKind::Dynamic)
        .collect::<Vec<_>>()
    {
        sim.put_to_sleep(sim.body_id(body))?;
    }
    let checkpoint = sim.checkpoint();
    for _ in 0..10 {
        // Resuming makes the next step a full one.
        sim.resume(&checkpoint)?;
        full = full.min(timed(&mut sim)?);
        for _ in 0..20 {
            quiet = quiet.min(timed(&mut sim)?);
        }
    }
    println!("a step in full {full:.3} ms, one without work {quiet:.3} ms");
    Ok(())
}

/// Milliseconds of a step.
fn timed(sim: &mut Simulation) -> Result<f64, Box<dyn std::error::Error>> {
    let start = Instant::now();
    sim.step()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}
