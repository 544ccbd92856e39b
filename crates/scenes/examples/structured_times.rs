//! Processor time per step of `structured` on library scenes over their whole runs, on one thread:
//! `cargo run --release -p drystone-scenes --example structured_times -- [steps=N] [max_pieces=N] SCENE[,PARAMETER=VALUE]…`.

use drystone::Simulation;
use drystone::solve::Ending;
use drystone_scenes::make;

type Failure = Box<dyn std::error::Error>;

/// Milliseconds that all threads of this process have run: a busy machine spoils the clock.
fn milliseconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let ran = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
    ran.filter_map(|text| text.split_whitespace().next().and_then(|time| time.parse::<f64>().ok())).sum::<f64>() * 1e-6
}

fn main() -> Result<(), Failure> {
    let (mut most, mut pieces) = (u64::MAX, None);
    println!(
        "scene                     steps    mean  median    99 %   worst [ms]  at  not converged   overlap [m]  joints [m]"
    );
    for argument in std::env::args().skip(1) {
        if let Some(steps) = argument.strip_prefix("steps=") {
            most = steps.parse()?;
        } else if let Some(most) = argument.strip_prefix("max_pieces=") {
            pieces = Some(most.parse()?);
        } else {
            run(&argument, most, pieces)?;
        }
    }
    Ok(())
}

fn run(argument: &str, most: u64, pieces: Option<u32>) -> Result<(), Failure> {
    let (name, settings) = argument.split_once(',').unwrap_or((argument, ""));
    let settings: Vec<&str> = settings.split(',').filter(|text| !text.is_empty()).collect();
    let scene = make(name, &settings)?;
    let steps = scene.settings.steps().min(most);
    let mut builder = Simulation::builder(scene.model).solver("structured").dt(scene.settings.dt).threads(1);
    if let Some(pieces) = pieces {
        builder = builder.option("max_pieces", pieces);
    }
    let mut simulation = builder.build()?;
    let (mut times, mut failed, mut worst) = (Vec::new(), 0, [0.0f64; 2]);
    for _ in 0..steps {
        let start = milliseconds();
        let report = simulation.step()?;
        times.push(milliseconds() - start);
        failed += u32::from(report.ending != Ending::Converged);
        worst[0] = worst[0].max(report.max_penetration.unwrap_or(f64::NAN));
        worst[1] = worst[1].max(report.max_joint_error.unwrap_or(f64::NAN));
    }
    drop(simulation);
    // The thread of this run must be gone before the next is timed.
    std::thread::sleep(std::time::Duration::from_millis(100));
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let slowest = times.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(step, _)| step);
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (half, most, last) = (at(0.5), at(0.99), at(1.0));
    println!(
        "{argument:<25} {steps:>5} {mean:>7.2} {half:>7.2} {most:>7.2} {last:>7.2} {slowest:>5} {failed:>14} {:>13.1e} {:>11.1e}",
        worst[0], worst[1]
    );
    Ok(())
}
