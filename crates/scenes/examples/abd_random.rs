//! What `abd` takes on random scenes without restitution, scene by scene on one thread, in processor time.
//!
//! `cargo run --release -p drystone-scenes --example abd_random -- [seed=1] [scenes=20] [seconds=3] [limit=SECONDS] [count=N] [speed=V]
//! [joints=BOOL] [free=BOOL] [dt=S] [option.KEY=VALUE]…`. Each line has the median and the longest step, iterations per step and the most, how many steps
//! ended `slow` or `stuck`, the deepest intersection by exact signs, and the hash of the end; then the same of all steps together. Past the limit of processor time a scene
//! ends after the step it is in. Exit code 1 if any step intersects, fails or is stuck.

use drystone::Simulation;
use drystone::solve::{Ending, Phase};
use drystone_scenes::RandomScene;

type Failure = Box<dyn std::error::Error>;

/// What the arguments ask for.
struct Job {
    seed: u32,
    scenes: u32,
    seconds: f64,
    limit: f64,
    changes: Vec<(String, String)>,
    options: Vec<(String, serde_json::Value)>,
}

/// What a scene took.
#[derive(Default)]
struct Figures {
    /// Processor time of every step \[ms\].
    step: Vec<f64>,
    iterations: u64,
    most_iterations: u32,
    slow: usize,
    stuck: usize,
    deepest: f64,
    phase: Vec<(Phase, f64)>,
}

impl Figures {
    fn add(&mut self, other: &Self) {
        self.step.extend(&other.step);
        self.iterations += other.iterations;
        self.most_iterations = self.most_iterations.max(other.most_iterations);
        self.slow += other.slow;
        self.stuck += other.stuck;
        self.deepest = self.deepest.max(other.deepest);
        other.phase.iter().for_each(|&(phase, seconds)| self.book(phase, seconds));
    }

    fn book(&mut self, phase: Phase, seconds: f64) {
        match self.phase.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, total)) => *total += seconds,
            None => self.phase.push((phase, seconds)),
        }
    }

    fn line(&self) -> String {
        let mut sorted = self.step.clone();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len().max(1) as f64;
        format!(
            "{:4} steps, ms: median {:8.3}, mean {:8.3}, most {:9.2}; iterations {:6.1}, most {:4}; slow {}, stuck {}; deepest {:e}",
            sorted.len(),
            sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN),
            sorted.iter().sum::<f64>() / count,
            sorted.last().copied().unwrap_or(f64::NAN),
            self.iterations as f64 / count,
            self.most_iterations,
            self.slow,
            self.stuck,
            self.deepest
        )
    }

    fn phases(&self) -> String {
        let total: f64 = self.phase.iter().map(|(_, seconds)| seconds).sum();
        let shares = self.phase.iter().map(|(phase, seconds)| format!("{phase:?} {:.1} %", 100.0 * seconds / total));
        shares.collect::<Vec<_>>().join(", ")
    }
}

fn job() -> Result<Job, Failure> {
    let mut job = Job { seed: 1, scenes: 20, seconds: 3.0, limit: f64::INFINITY, changes: vec![], options: vec![] };
    for arg in std::env::args().skip(1) {
        let (key, value) = arg.split_once('=').ok_or("arguments are key=value")?;
        match key {
            "seed" => job.seed = value.parse()?,
            "scenes" => job.scenes = value.parse()?,
            "seconds" => job.seconds = value.parse()?,
            "limit" => job.limit = value.parse()?,
            "count" | "speed" | "joints" | "free" | "dt" => job.changes.push((key.to_owned(), value.to_owned())),
            _ => {
                let key = key.strip_prefix("option.").ok_or_else(|| format!("unknown: {arg}"))?;
                job.options.push((key.to_owned(), serde_json::from_str(value)?));
            }
        }
    }
    Ok(job)
}

/// Processor time of this program so far \[s\].
fn processor_time() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let of = |path: std::path::PathBuf| std::fs::read_to_string(path.join("schedstat")).ok();
    let nanoseconds = tasks.flatten().filter_map(|task| of(task.path())?.split(' ').next()?.parse::<f64>().ok());
    1e-9 * nanoseconds.sum::<f64>()
}

fn scene(job: &Job, seed: u32) -> Result<RandomScene, Failure> {
    let mut random = RandomScene::of_seed(seed);
    (random.bouncy, random.crowded) = (false, false);
    for (key, value) in &job.changes {
        match key.as_str() {
            "count" => random.count = value.parse()?,
            "speed" => random.speed = value.parse()?,
            "joints" => random.joints = value.parse()?,
            "free" => random.free = value.parse()?,
            _ => random.dt = value.parse()?,
        }
    }
    Ok(random)
}

fn run(job: &Job, random: &RandomScene) -> Result<(Figures, u64), Failure> {
    let mut builder = Simulation::builder(random.build()?.finalize()?).solver("abd").dt(random.dt).threads(1);
    for (key, value) in &job.options {
        builder = builder.option(key, value.clone());
    }
    let mut sim = builder.build()?;
    let (mut figures, begin) = (Figures::default(), processor_time());
    for _ in 0..(job.seconds / random.dt).round() as u64 {
        let before = processor_time();
        if before - begin > job.limit {
            break;
        }
        let report = sim.step()?.clone();
        figures.step.push(1e3 * (processor_time() - before).max(0.0));
        figures.iterations += u64::from(report.iterations);
        figures.most_iterations = figures.most_iterations.max(report.iterations);
        figures.slow += usize::from(report.ending == Ending::Slow);
        figures.stuck += usize::from(report.ending == Ending::Stuck);
        figures.deepest = figures.deepest.max(report.max_penetration.unwrap_or(f64::INFINITY));
        report.time.iter().for_each(|&(phase, seconds)| figures.book(phase, seconds));
    }
    Ok((figures, sim.state_hash()))
}

fn main() -> Result<(), Failure> {
    let (job, mut all, mut bad) = (job()?, Figures::default(), 0);
    for seed in job.seed..job.seed + job.scenes {
        let random = scene(&job, seed)?;
        let what = format!(
            "{seed:4}: {:2} bodies, {:3} m/s, 1/{:3.0} s{}{}",
            random.count,
            random.speed,
            1.0 / random.dt,
            if random.joints { ", joints" } else { "" },
            if random.free { ", free" } else { "" }
        );
        match run(&job, &random) {
            Ok((figures, hash)) => {
                println!("{what:42} {} {hash:016x}", figures.line());
                all.add(&figures);
            }
            Err(error) => {
                println!("{what}: {error}");
                bad += 1;
            }
        }
    }
    println!("all: {}\n     {}", all.line(), all.phases());
    if bad > 0 || all.stuck > 0 || all.deepest > 0.0 {
        std::process::exit(1);
    }
    Ok(())
}
