//! One scene under one solver.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use drystone::{Simulation, solvers};
use serde::Serialize;

use crate::case::Case;
use crate::judge::{Fault, Limits};
use crate::watch::{Figures, Watch};

/// A solver and its number of sweeps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Trial {
    /// The solver by name.
    pub solver: String,
    /// Its iterations; `None` leaves them to the solver.
    pub sweeps: Option<u32>,
}

/// What became of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The scene.
    pub scene: String,
    /// The solver and its sweeps.
    #[serde(flatten)]
    pub trial: Trial,
    /// Why the solver does not take the scene.
    pub refused: Option<String>,
    /// What a step that failed or panicked said.
    pub message: Option<String>,
    /// Promises broken.
    pub faults: Vec<Fault>,
    /// What was measured.
    pub figures: Figures,
    /// Steps taken.
    pub steps: u64,
    /// State hash at the end.
    pub hash: u64,
    /// Time it took \[s\].
    pub wall: f64,
    /// The words after `cargo xtask soak` that do it again.
    pub repeat: String,
}

/// Runs a case to its end, to its first fault that ends it, or to its time limit.
pub fn run(case: &Case, trial: &Trial, limits: &Limits, time_limit: Duration) -> Outcome {
    let sweeps = trial.sweeps.map_or(String::new(), |sweeps| format!(" --sweeps {sweeps}"));
    let mut outcome = Outcome {
        scene: case.name.clone(),
        trial: trial.clone(),
        refused: None,
        message: None,
        faults: Vec::new(),
        figures: Figures::default(),
        steps: 0,
        hash: 0,
        wall: 0.0,
        repeat: format!("{} --solvers {}{sweeps}", case.repeat, trial.solver),
    };
    let start = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| attempt(case, trial, limits, time_limit, &mut outcome)));
    if let Err(panic) = done {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        outcome.message = Some(text.unwrap_or("panic").to_owned());
        outcome.faults.push(Fault::Panic);
    }
    outcome.wall = start.elapsed().as_secs_f64();
    outcome
}

fn attempt(case: &Case, trial: &Trial, limits: &Limits, time_limit: Duration, outcome: &mut Outcome) {
    let mut sim = match simulation(case, trial) {
        Ok(sim) => sim,
        Err(reason) => {
            outcome.refused = Some(reason);
            return;
        }
    };
    let (start, gap_limit) = (Instant::now(), Limits::gap(trial.sweeps));
    let mut watch = Watch::new(&case.model);
    let mut ended = None;
    for _ in 0..(case.seconds / case.dt).round() as u64 {
        if let Err(error) = sim.step() {
            outcome.message = Some(error.to_string());
            ended = Some(Fault::Failed);
        } else {
            outcome.steps += 1;
            watch.observe(sim.model(), sim.state(), sim.report(), gap_limit);
            if start.elapsed() > time_limit {
                ended = Some(Fault::Slow);
            }
        }
        if ended.is_some() || !watch.is_finite() {
            break;
        }
    }
    outcome.hash = sim.state_hash();
    outcome.figures = watch.finish(sim.model(), sim.state());
    outcome.faults = limits.judge(&outcome.figures);
    outcome.faults.extend(ended);
}

/// On one thread: scenes run side by side instead.
fn simulation(case: &Case, trial: &Trial) -> Result<Simulation, String> {
    let mut builder = Simulation::builder(case.model.clone()).solver(&trial.solver).dt(case.dt).threads(1);
    let entry = solvers().iter().find(|entry| entry.name == trial.solver);
    if let (Some(sweeps), Some(option)) = (trial.sweeps, entry.and_then(|entry| entry.iterations)) {
        builder = builder.option(option, sweeps);
    }
    builder.build().map_err(|error| error.to_string())
}
