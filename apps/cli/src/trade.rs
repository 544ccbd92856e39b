//! `drystone run --budget` and `--tolerance`: the level of work that is worth it, found by trial before the run.

use std::time::Instant;

use drystone::model::DVec3;
use drystone::trade::{Choice, Level, Trial, Wish, choose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::args::RunOptions;
use crate::error::Failure;
use crate::live_run::simulation;
use crate::run::check_threads;
use crate::source::Job;

/// Steps of a trial, where the run has as many.
const TRIAL_STEPS: u64 = 30;

/// What `--budget` or `--tolerance` asked for and got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Trade {
    /// Time per step that was asked for \[s\].
    pub budget: Option<f64>,
    /// Error that was asked for \[m\].
    pub tolerance: Option<f64>,
    /// Whether the level taken kept to that in its trial; if not, it is the one that came nearest.
    pub met: bool,
    /// Error of the level at the end of its trial: the largest distance of a body from where it is with twice the pieces and joints
    /// closed to 1e-10 m, and the largest gap of a joint, together \[m\].
    pub error: f64,
    /// Wall-clock time of a step that nine of ten steps of the trial kept within \[s\].
    pub seconds: f64,
    /// Steps of a trial, from the start of the scene.
    pub trial_steps: u64,
    /// Pieces that every step is cut into at least.
    pub min_pieces: u32,
    /// Joint error at which projections stop \[m\], and joint rate at which iterations over loops do \[m/s\].
    pub joint_tolerance: f64,
    /// Steps of the run that took longer than the budget.
    pub steps_over_budget: Option<u64>,
    /// What to give instead to have the same run to the bit, on any machine.
    pub repeat: String,
}

/// Chooses a level if the user asked for one, and puts it among the options of the job.
pub fn settle(job: &mut Job, options: &RunOptions) -> Result<Option<Trade>, Failure> {
    let Some((wish, word)) = wish(options)? else { return Ok(None) };
    if job.solver != "structured" {
        let solver = &job.solver;
        return Err(Failure::new(format!(
            "{word}: the solver `{solver}` does not trade error against time by itself; give --solver structured, or set its work with \
             --iterations or --option"
        )));
    }
    let own = ["min_pieces", "tolerance", "velocity_tolerance"].into_iter().find(|key| job.options.contains_key(*key));
    if let Some(own) = own {
        return Err(Failure::new(format!(
            "{word} chooses the option `{own}`, which is given already; leave one of them out"
        )));
    }
    let threads = options.source.threads.map(check_threads).transpose()?;
    let steps = job.steps.min(TRIAL_STEPS);
    let choice = choose(wish, |level| trial(job, level, steps, threads))?;
    let Some(choice) = choice else {
        return Err(Failure::new(format!(
            "{word}: no level of work takes the scene through its first {steps} steps; run without it to see why"
        )));
    };
    let trade = Trade::of(wish, &choice, steps);
    let level = choice.rung.level.options();
    job.options.extend(level.into_iter().map(|(key, value)| (key.to_owned(), value)));
    Ok(Some(trade))
}

/// What was asked for, and how.
fn wish(options: &RunOptions) -> Result<Option<(Wish, String)>, Failure> {
    if let Some(text) = &options.budget {
        let seconds = seconds(text).ok_or_else(|| {
            Failure::new(format!("--budget must be a time per step such as 8ms, 500us or 0.1s, got `{text}`"))
        })?;
        return Ok(Some((Wish::Budget(seconds), format!("--budget {text}"))));
    }
    let Some(metres) = options.tolerance else { return Ok(None) };
    if !(metres.is_finite() && metres > 0.0) {
        return Err(Failure::new(format!("--tolerance must be a positive number of metres, got {metres}")));
    }
    Ok(Some((Wish::Tolerance(metres), format!("--tolerance {metres}"))))
}

/// A time with its unit.
fn seconds(text: &str) -> Option<f64> {
    let units = [("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let (number, unit) = units.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, size)))?;
    let number: f64 = number.trim().parse().ok()?;
    (number.is_finite() && number > 0.0).then_some(number * unit)
}

/// The first steps of a scene at a level; none if it fails.
fn trial(job: &Job, level: Level, steps: u64, threads: Option<usize>) -> Result<Option<Trial>, Failure> {
    let mut options = job.options.clone();
    options.extend(level.options().into_iter().map(|(key, value)| (key.to_owned(), value)));
    let mut sim = simulation(job, &job.solver, &options, threads)?;
    let (mut times, mut gap) = (Vec::new(), 0.0f64);
    for step in 0..steps {
        let (time, dt) = (sim.time(), sim.dt());
        job.motions.apply(time, dt, sim.control_mut());
        let start = Instant::now();
        if sim.step().is_err() || !sim.report().quarantined.is_empty() {
            return Ok(None);
        }
        // The first step also prepares what the others go on from.
        if step > 0 || steps == 1 {
            times.push(start.elapsed().as_secs_f64());
        }
        gap = gap.max(sim.report().max_joint_error.unwrap_or(0.0));
    }
    let (model, state) = (sim.model(), sim.state());
    let centre = |body: usize| -> DVec3 { state.body_q[body].transform_point(model.body_com[body]) };
    Ok(Some(Trial::new(times, (0..model.body_count()).map(centre).collect(), gap)))
}

impl Trade {
    fn of(wish: Wish, choice: &Choice, trial_steps: u64) -> Self {
        let (budget, tolerance) = match wish {
            Wish::Budget(seconds) => (Some(seconds), None),
            Wish::Tolerance(metres) => (None, Some(metres)),
        };
        let rung = &choice.rung;
        let repeat: Vec<String> =
            rung.level.options().iter().map(|(key, value)| format!("--option {key}={value}")).collect();
        Self {
            budget,
            tolerance,
            met: choice.met,
            error: rung.error,
            seconds: rung.seconds,
            trial_steps,
            min_pieces: rung.level.pieces,
            joint_tolerance: rung.level.tolerance,
            steps_over_budget: None,
            repeat: repeat.join(" "),
        }
    }

    /// Counts the steps of the run, the first apart, that took longer than the budget.
    pub fn count(mut self, seconds: &[f64]) -> Self {
        self.steps_over_budget =
            self.budget.map(|budget| seconds.iter().skip(1).filter(|time| **time > budget).count() as u64);
        self
    }

    /// In a few lines, for the table a run ends with.
    pub fn told(&self) -> String {
        let asked = match (self.budget, self.tolerance) {
            (Some(seconds), _) => format!("{:.3} ms per step", 1e3 * seconds),
            (_, metres) => format!("an error of {:.1e} m", metres.unwrap_or(f64::NAN)),
        };
        let word = if self.met { "asked for" } else { "NOT REACHED, nearest to what was asked for" };
        let over = self.steps_over_budget.map_or(String::new(), |steps| format!("; {steps} steps took longer"));
        format!(
            "error {:.1e} m and {:.3} ms per step in a trial of {} steps ({word}: {asked}){over}; \
             for the same bits again give {} instead",
            self.error,
            1e3 * self.seconds,
            self.trial_steps,
            self.repeat
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(seconds("8ms"), Some(8e-3));
        assert_eq!(seconds("500us"), Some(500.0 * 1e-6));
        assert_eq!(seconds("0.5 s"), Some(0.5));
        for bad in ["8", "ms", "-1ms", "0s", "infs", "8 hours", ""] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}
