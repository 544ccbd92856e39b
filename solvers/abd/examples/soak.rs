//! Many random scenes, every frame searched for intersections: `cargo run --release -p drystone-abd --example soak --
//! [SCENES] [STEPS]`, 200 of each by default. Exit code 1 if a frame intersects, a step fails or a number is not finite.

#[path = "../tests/abd/random.rs"]
mod random;

use drystone_abd::{Abd, AbdOptions};
use drystone_collide::{Collide, CollideOptions};
use drystone_solve::{Ending, Solver};

/// What happened in the steps of a scene.
#[derive(Debug, Default)]
struct Tally {
    steps: usize,
    iterations: u64,
    slow: usize,
    stuck: usize,
    bad: usize,
    distortion: f64,
}

fn soak(seed: u64, steps: usize, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    let model = random::random_scene(seed).finalize()?;
    let mut solver = Abd::new(&model, AbdOptions { segments: 8, ..AbdOptions::default() })?;
    let mut collide = Collide::new(&model, CollideOptions::default());
    let (mut state, control) = (model.state(), model.control());
    for step in 0..steps {
        let report = solver.step(&model, &mut state, &control, &mut collide, 0.01)?;
        tally.steps += 1;
        tally.iterations += u64::from(report.iterations);
        tally.slow += usize::from(report.ending == Ending::Slow);
        tally.stuck += usize::from(report.ending == Ending::Stuck);
        tally.distortion = tally.distortion.max(solver.distortion());
        if let Some(found) = solver.intersections(&model, &state) {
            println!("seed {seed}, step {step}: {found}");
            tally.bad += 1;
        }
        if !report.kinetic_energy.is_finite() {
            println!("seed {seed}, step {step}: not finite");
            tally.bad += 1;
        }
    }
    Ok(())
}

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (scenes, steps) = (args.next().unwrap_or(200), args.next().unwrap_or(200));
    let mut tally = Tally::default();
    for seed in 0..scenes as u64 {
        if let Err(error) = soak(seed, steps, &mut tally) {
            println!("seed {seed}: {error}");
            tally.bad += 1;
        }
    }
    println!("{scenes} scenes: {tally:?}");
    if tally.bad > 0 {
        std::process::exit(1);
    }
}
