//! World-steps per second of many worlds of a robot file, stepped as Python's batches are: `cargo run --release -p drystone-io
//! --example batch_steps -- [worlds=N] [steps=N] [warm=N] [threads=N] [OPTION=VALUE…] FILE…`. The steps counted follow `warm`
//! others. Prints what overlaps and gapes worst as well, so that time is not won by a worse result.

use std::path::Path;
use std::time::Instant;

use drystone::{Batch, SolverChoice};
use drystone_io::import::{ImportOptions, read};

type Failure = Box<dyn std::error::Error>;

struct Settings {
    worlds: usize,
    steps: u64,
    warm: u64,
    threads: usize,
    solver: SolverChoice,
}

fn main() -> Result<(), Failure> {
    let mut settings = Settings { worlds: 64, steps: 100, warm: 0, threads: 1, solver: "vbd".into() };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("worlds", count)) => settings.worlds = count.parse()?,
            Some(("steps", count)) => settings.steps = count.parse()?,
            Some(("warm", count)) => settings.warm = count.parse()?,
            Some(("threads", count)) => settings.threads = count.parse()?,
            Some(("solver", name)) => settings.solver = name.into(),
            Some((key, value)) => {
                let value: serde_json::Value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
                settings.solver.set(key, value);
            }
            None => run(&argument, &settings)?,
        }
    }
    Ok(())
}

fn run(file: &str, settings: &Settings) -> Result<(), Failure> {
    let &Settings { worlds, steps, warm, threads, .. } = settings;
    let robot = read(Path::new(file), &ImportOptions::default())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut batch = pool.install(|| Batch::new(&robot.model, worlds, &settings.solver, robot.dt.unwrap_or(0.003)))?;
    let mut take = |count: u64| {
        let (mut overlap, mut gap, mut sweeps) = (0.0f64, 0.0f64, 0u64);
        let mut seconds = 0.0;
        for _ in 0..count {
            let began = Instant::now();
            let failures = pool.install(|| batch.step(None, 1));
            assert!(failures.is_empty(), "a world failed: {failures:?}");
            seconds += began.elapsed().as_secs_f64();
            for world in 0..worlds {
                let report = batch.world(world).report();
                overlap = overlap.max(report.max_penetration.unwrap_or(0.0));
                gap = gap.max(report.max_joint_error.unwrap_or(0.0));
                sweeps += u64::from(report.iterations);
            }
        }
        (seconds, overlap, gap, sweeps)
    };
    take(warm);
    let (seconds, overlap, gap, sweeps) = take(steps);
    let done = (worlds as u64 * steps) as f64;
    let energy = batch.world(0).report().kinetic_energy;
    println!(
        "{worlds} worlds: {:.0} world-steps/s, {:.2} sweeps, overlap {overlap:.2e}, gap {gap:.2e}, energy {energy:?}, {:016x} {:016x}",
        done / seconds,
        sweeps as f64 / done,
        batch.world(0).state_hash(),
        batch.world(worlds - 1).state_hash(),
    );
    Ok(())
}
