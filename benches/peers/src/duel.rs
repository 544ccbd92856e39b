//! The same scene in several engines at once.

use std::path::PathBuf;

use drystone::model::State;
use drystone_scenes::{Scene, parse};
use serde::Serialize;

use crate::clock::{Lap, Stopwatch, median};
use crate::config::Config;
use crate::engine::{Engine, Fault};
use crate::evaluate::Evaluator;

/// Engines take turns after so many steps: often enough to share the machine's good and bad moments, seldom enough to
/// keep their data in the cache.
const TURN: u64 = 10;
/// Frames of a run in which overlap is looked for.
const SAMPLES: u64 = 60;

/// What to run.
pub struct Plan {
    /// Scene by name, with settings: `pile:count=8000`.
    pub scene: String,
    /// Steps, if not as many as the scene asks for.
    pub steps: Option<u64>,
    /// How often to repeat everything for the sake of the times.
    pub repeats: usize,
    /// Engines.
    pub configs: Vec<Config>,
    /// Seconds after which an engine is not asked for further steps.
    pub limit: f64,
    /// Python, for the engines that need it.
    pub python: PathBuf,
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub scene: String,
    pub bodies: usize,
    pub joints: usize,
    /// Steps taken.
    pub steps: u64,
    /// Steps the scene asks for; an engine that took fewer ran out of time and is not judged.
    pub steps_asked: u64,
    pub engine: String,
    /// Version, of engines that are not in the lock file.
    pub version: Option<String>,
    pub threads: usize,
    /// Median over the steps of the least time over the repeats, on the processors, all threads together \[ms\].
    pub cpu_ms: f64,
    /// The same by the clock on the wall \[ms\].
    pub wall_ms: f64,
    /// The fastest step by the clock on the wall \[ms\].
    pub wall_ms_min: f64,
    /// Median processor time over the last third of the run, when piles are piles \[ms\].
    pub cpu_ms_late: f64,
    pub penetration_max: f64,
    pub penetration_end: f64,
    pub moved_max: f64,
    pub moved_end: f64,
    pub joint_gap_max: f64,
    pub energy_gain: f64,
    pub kinetic_energy_end: f64,
    /// Whether the scene's claim held; nothing where the run was cut short.
    pub passed: Option<bool>,
    pub measured: String,
    /// Share of every phase in the time of a step, in percent; empty where the engine does not say.
    pub phases: Vec<(String, f64)>,
}

struct Runner {
    config: Config,
    engine: Box<dyn Engine>,
    state: State,
    evaluator: Evaluator,
    times: Vec<Lap>,
    /// Seconds spent stepping.
    spent: f64,
}

/// Runs a plan and measures it.
pub fn duel(plan: &Plan) -> Result<Vec<Row>, Fault> {
    let scene = parse(&plan.scene)?;
    let steps = plan.steps.unwrap_or_else(|| scene.settings.steps());
    let mut least: Vec<Vec<Lap>> = vec![vec![Lap::NEVER; steps as usize]; plan.configs.len()];
    let mut rows = Vec::new();
    for repeat in 0..plan.repeats {
        let mut runners = start(plan, &scene, steps)?;
        race(&mut runners, &scene, steps, plan.limit)?;
        for (least, runner) in least.iter_mut().zip(&runners) {
            least.iter_mut().zip(&runner.times).for_each(|(least, lap)| *least = least.min(*lap));
        }
        if repeat + 1 == plan.repeats {
            rows = runners.iter().zip(&least).map(|(runner, least)| row(plan, &scene, runner, least)).collect();
        }
    }
    Ok(rows)
}

fn start(plan: &Plan, scene: &Scene, steps: u64) -> Result<Vec<Runner>, Fault> {
    let runner = |config: &Config| {
        Ok(Runner {
            config: config.clone(),
            engine: config.build(scene, &plan.python)?,
            state: scene.model.state(),
            evaluator: Evaluator::new(scene, steps, SAMPLES),
            times: Vec::with_capacity(steps as usize),
            spent: 0.0,
        })
    };
    plan.configs.iter().map(runner).collect()
}

fn race(runners: &mut [Runner], scene: &Scene, steps: u64, limit: f64) -> Result<(), Fault> {
    for turn in 0..steps.div_ceil(TURN) {
        for runner in runners.iter_mut() {
            for step in turn * TURN..steps.min((turn + 1) * TURN) {
                if runner.spent < limit {
                    runner.advance(scene, step)?;
                }
            }
        }
    }
    Ok(())
}

impl Runner {
    fn advance(&mut self, scene: &Scene, step: u64) -> Result<(), Fault> {
        let watch = Stopwatch::start();
        self.engine.step()?;
        let lap = watch.lap();
        self.spent += 1e-3 * lap.wall;
        self.times.push(self.engine.lap().unwrap_or(lap));
        self.engine.read(&mut self.state)?;
        self.state.time = (step + 1) as f64 * scene.settings.dt;
        self.evaluator.observe(scene, &self.state);
        Ok(())
    }
}

fn row(plan: &Plan, scene: &Scene, runner: &Runner, times: &[Lap]) -> Row {
    let (measures, verdict) = (&runner.evaluator.measures, runner.evaluator.verdict(scene, &runner.state));
    let times = &times[..runner.times.len()];
    let wall = || times.iter().map(|lap| lap.wall);
    let cpu: Vec<f64> = times.iter().map(|lap| lap.cpu).collect();
    let steps_asked = plan.steps.unwrap_or_else(|| scene.settings.steps());
    let done = measures.steps == steps_asked;
    let short = format!("{} of {steps_asked} steps in {:.0} s", measures.steps, plan.limit);
    Row {
        scene: plan.scene.clone(),
        bodies: scene.model.body_count(),
        joints: scene.model.joint_count(),
        steps: measures.steps,
        steps_asked,
        engine: runner.config.name(),
        version: runner.engine.version(),
        threads: runner.config.threads,
        cpu_ms_late: median(cpu[cpu.len() - cpu.len().div_ceil(3)..].to_vec()),
        cpu_ms: median(cpu),
        wall_ms: median(wall().collect()),
        wall_ms_min: wall().fold(f64::INFINITY, f64::min),
        penetration_max: measures.max_penetration.unwrap_or(f64::NAN),
        penetration_end: measures.end_penetration.unwrap_or(f64::NAN),
        moved_max: measures.max_moved,
        moved_end: measures.end_moved,
        joint_gap_max: measures.max_joint_error.unwrap_or(f64::NAN),
        energy_gain: measures.energy_gain(),
        kinetic_energy_end: measures.end_kinetic_energy,
        passed: done.then_some(verdict.passed),
        measured: if done { verdict.measured } else { short },
        phases: shares(runner.engine.phases()),
    }
}

fn shares(mut phases: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let all: f64 = phases.iter().map(|(_, seconds)| seconds).sum();
    phases.iter_mut().for_each(|(_, seconds)| *seconds = (1000.0 * *seconds / all).round() / 10.0);
    phases
}
