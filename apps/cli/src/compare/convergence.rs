//! What more iterations buy: short runs at several iteration counts.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::agreement::{centers, rms_distance};
use super::contender::Contender;
use super::trial::{Limits, Trial};
use crate::error::Failure;
use crate::frames::Frames;
use crate::live_run::{LiveRun, simulation};
use crate::progress::Progress;
use crate::source::Job;
use drystone::model::DVec3;
use drystone_scenes::Measures;

/// The counts, and the one that stands for the limit of many.
const COUNTS: [u32; 7] = [1, 2, 5, 10, 20, 50, 100];
const LIMIT: u32 = 400;
/// Simulated time of a short run \[s\]: long enough to fall and to settle, too short for chaos.
const SECONDS: f64 = 0.5;

/// What a short run showed.
#[derive(Clone, Debug)]
pub struct Point {
    /// Iterations asked for; `None` for a solver that has none to choose.
    pub asked: Option<u32>,
    /// Iterations per step, as done, on average.
    pub iterations: f64,
    /// Median wall-clock time of a step \[s\].
    pub seconds: f64,
    /// Largest overlap or joint gap at any time, by the solver's own account \[m\]; NaN if it has none.
    pub violation: f64,
    /// Distance of the bodies at the end from where the limit of many iterations puts them, root of the mean
    /// square \[m\]; `None` without such a limit.
    pub distance: Option<f64>,
}

/// The short runs of a solver.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Solver by name.
    pub solver: String,
    /// Iterations of the run the others are held against; 0 if there is none.
    pub limit: u32,
    /// By rising iterations.
    pub points: Vec<Point>,
}

/// Steps of the short runs.
pub fn steps(job: &Job) -> u64 {
    job.steps.min((SECONDS / job.dt).ceil() as u64)
}

/// Runs the solvers of the trials at several iteration counts, each solver once and within its budget.
pub fn curves(job: &Job, trials: &[Trial], limits: &Limits) -> Result<Vec<Curve>, Failure> {
    let mut curves: Vec<Curve> = Vec::new();
    for trial in trials {
        let solver = &trial.contender.solver;
        if curves.iter().any(|curve| curve.solver == *solver) {
            continue;
        }
        let curve = match trial.contender.with_iterations(1) {
            Some(_) => sweep(job, trial, limits)?,
            None => Curve { solver: solver.clone(), limit: 0, points: only_point(job, trial).into_iter().collect() },
        };
        curves.push(curve);
    }
    Ok(curves)
}

/// A solver without iterations to choose is one point, taken from its trial if that went far enough.
fn only_point(job: &Job, trial: &Trial) -> Option<Point> {
    let steps = steps(job) as usize;
    let series = &trial.series;
    let mut seconds = series.seconds.get(..steps)?.to_vec();
    let worst =
        |list: &[Option<f64>]| list[..steps].iter().copied().try_fold(0.0_f64, |most, now| Some(most.max(now?)));
    let violation = violation(worst(&series.penetration), worst(&series.joint_error));
    Some(Point { asked: None, iterations: f64::NAN, seconds: median(&mut seconds), violation, distance: None })
}

fn sweep(job: &Job, trial: &Trial, limits: &Limits) -> Result<Curve, Failure> {
    let start = Instant::now();
    let name = format!("{} against iterations", trial.contender.solver);
    let mut progress = Progress::new(&name, 0, COUNTS.len() as u64 + 1, job.model.body_count(), limits.quiet);
    let mut runs: Vec<(Point, Vec<DVec3>)> = Vec::new();
    for (done, count) in COUNTS.into_iter().chain([LIMIT]).enumerate() {
        // The next run costs at least as much as all before it together.
        let spent = start.elapsed().as_secs_f64();
        if limits.stop.load(Ordering::Relaxed) || 2.0 * spent > limits.budget {
            break;
        }
        if let Some(contender) = trial.contender.with_iterations(count) {
            runs.extend(short_run(job, &contender, count, limits)?);
        }
        progress.step(done as u64 + 1);
    }
    progress.finish();
    let mut limit = 0;
    if let Some((last, ends)) = runs.pop() {
        limit = last.asked.unwrap_or(0);
        for (point, own) in &mut runs {
            point.distance = Some(rms_distance(own, &ends));
        }
        if runs.is_empty() {
            runs.push((last, ends));
        }
    }
    Ok(Curve { solver: trial.contender.solver.clone(), limit, points: runs.into_iter().map(|(p, _)| p).collect() })
}

/// One short run; `None` if it lost bodies or the solver gave up.
fn short_run(
    job: &Job,
    contender: &Contender,
    count: u32,
    limits: &Limits,
) -> Result<Option<(Point, Vec<DVec3>)>, Failure> {
    let sim = simulation(job, &contender.solver, &contender.options, limits.threads)?;
    let mut live = LiveRun::new(sim, Measures::new(&job.model, None), Frames::None)?.with_motions(&job.motions);
    let mut iterations = 0.0;
    let steps = steps(job);
    for _ in 0..steps {
        if live.step(None).is_err() || live.measures.quarantined > 0 {
            return Ok(None);
        }
        iterations += f64::from(live.sim.report().iterations);
    }
    let point = Point {
        asked: Some(count),
        iterations: iterations / steps.max(1) as f64,
        seconds: median(&mut live.series.seconds),
        violation: violation(live.measures.max_penetration, live.measures.max_joint_error),
        distance: None,
    };
    Ok(Some((point, centers(&job.model, &live.sim.state().body_q))))
}

/// The larger of overlap and joint gap \[m\]; NaN if either was not measured.
fn violation(overlap: Option<f64>, gap: Option<f64>) -> f64 {
    overlap.zip(gap).map_or(f64::NAN, |(overlap, gap)| overlap.max(gap))
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
