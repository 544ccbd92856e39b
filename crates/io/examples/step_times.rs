//! Processor time per step of library scenes and robot files, phase by phase, on one thread, for machines too busy to trust a
//! clock: `cargo run --release -p drystone-io --example step_times -- [solver=S] [steps=N] [threads=N] [OPTION=VALUE…] WHAT…` with
//! OPTION one of the solver and WHAT a scene of the library (`pile,count=8000`) or a robot file (`humanoid.xml`). Phases are by the clock and so only shares.

use std::path::Path;

use drystone::Simulation;
use drystone::solve::Phase;
use drystone_io::import::{ImportOptions, read};
use drystone_scenes::make;

type Failure = Box<dyn std::error::Error>;

struct Settings {
    solver: String,
    options: Vec<(String, serde_json::Value)>,
    steps: Option<u64>,
    threads: usize,
}

/// Milliseconds that all threads of this process have run.
fn milliseconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let ran = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
    ran.filter_map(|text| text.split_whitespace().next().and_then(|time| time.parse::<f64>().ok())).sum::<f64>() * 1e-6
}

fn main() -> Result<(), Failure> {
    let mut settings = Settings { solver: "vbd".into(), options: Vec::new(), steps: None, threads: 1 };
    for argument in std::env::args().skip(1) {
        let is_what = |key: &str| key.contains([',', '/']);
        match argument.split_once('=').filter(|(key, _)| !is_what(key)) {
            Some(("solver", name)) => (settings.solver, settings.options) = (name.into(), Vec::new()),
            Some(("steps", count)) => settings.steps = Some(count.parse()?),
            Some(("threads", count)) => settings.threads = count.parse()?,
            Some((key, value)) => {
                // What is no number and no flag is a word.
                let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
                settings.options.retain(|(known, _)| known != key);
                settings.options.push((key.into(), value));
            }
            None => run(&argument, &settings)?,
        }
    }
    Ok(())
}

fn run(what: &str, settings: &Settings) -> Result<(), Failure> {
    let (model, state, dt, steps) = match Path::new(what).is_file() {
        true => {
            let robot = read(Path::new(what), &ImportOptions::default())?;
            let state = robot.model.state();
            (robot.model, state, robot.dt.unwrap_or(1.0 / 240.0), 1000)
        }
        false => {
            let (name, rest) = what.split_once(',').unwrap_or((what, ""));
            let given: Vec<&str> = rest.split(',').filter(|text| !text.is_empty()).collect();
            let scene = make(name, &given)?;
            (scene.model.clone(), scene.model.state(), scene.settings.dt, scene.settings.steps())
        }
    };
    let steps = settings.steps.unwrap_or(steps);
    let mut builder = Simulation::builder(model).solver(&settings.solver).dt(dt).threads(settings.threads);
    for (key, value) in &settings.options {
        builder = builder.option(key, value.clone());
    }
    let mut sim = builder.build()?;
    let start: Vec<_> = state.body_q.iter().map(|pose| pose.translation).collect();
    let mut phases: Vec<(Phase, f64)> = Vec::new();
    let (mut iterations, mut overlap, mut gap) = (0u64, 0.0f64, 0.0f64);
    let began = milliseconds();
    let mut first = 0.0;
    for step in 0..steps {
        let report = sim.step()?;
        if step == 0 {
            first = milliseconds() - began;
        }
        iterations += u64::from(report.iterations);
        overlap = overlap.max(report.max_penetration.unwrap_or(0.0));
        gap = gap.max(report.max_joint_error.unwrap_or(0.0));
        for &(phase, seconds) in &report.time {
            match phases.iter_mut().find(|(known, _)| *known == phase) {
                Some((_, sum)) => *sum += seconds,
                None => phases.push((phase, seconds)),
            }
        }
    }
    let mean = (milliseconds() - began - first) / (steps - 1).max(1) as f64;
    let ends = sim.state().body_q.iter().zip(&start);
    let drift = ends.map(|(pose, start)| pose.translation.distance(*start)).fold(0.0, f64::max);
    println!(
        "{what}: {mean:.4} ms a step (first {first:.1} ms), {:.2} sweeps, overlap {overlap:.2e}, gap {gap:.2e}, drift {drift:.3e}, {:016x}",
        iterations as f64 / steps as f64,
        sim.state_hash()
    );
    let whole: f64 = phases.iter().map(|(_, seconds)| seconds).sum();
    let shares = phases.iter().map(|(phase, seconds)| format!("{phase:?} {:.1} %", 100.0 * seconds / whole));
    println!("    {}", shares.collect::<Vec<_>>().join(", "));
    Ok(())
}
