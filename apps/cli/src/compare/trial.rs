//! One solver's run in a comparison.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use drystone::model::{DVec3, Model, Pose, WORLD};
use drystone::solve::Phase;
use drystone::{BuildError, Recording, SolverError};
use drystone_scenes::{Measures, Verdict};

use super::contender::Contender;
use crate::check::recompute;
use crate::error::Failure;
use crate::frames::Frames;
use crate::live_run::{LiveRun, simulation};
use crate::progress::Progress;
use crate::report::Series;
use crate::source::Job;

/// Frames kept of a run, about: enough for films and for agreement, few enough for large scenes.
const FRAMES: u64 = 120;
/// Frames in which overlaps are measured.
const OVERLAP_FRAMES: usize = 60;
/// A body this many times farther away than free flight could take it shows that the solver lost the scene.
const ABSURD: f64 = 10.0;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All steps were taken.
    Finished,
    /// The time allowed for it was up.
    OutOfTime,
    /// Bodies are where nothing could have taken them, or stopped being finite.
    FlewApart,
    /// The solver gave up.
    Failed(String),
}

/// A solver that does not take the scene.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Who refuses.
    pub label: String,
    /// Why.
    pub reason: String,
    /// What would work.
    pub remedy: String,
}

/// What a run was like.
pub struct Trial {
    /// Who ran.
    pub contender: Contender,
    /// How it ended.
    pub end: End,
    /// Figures of every step.
    pub series: Series,
    /// Seconds in every phase, step by step.
    pub phases: Vec<(Phase, Vec<f64>)>,
    /// Frames of the run, the first being the start.
    pub recording: Recording,
    /// Deepest overlap \[m\] at some times \[s\], measured on the recording.
    pub overlap: Vec<[f64; 2]>,
    /// Shapes whose overlaps could not be measured.
    pub unmeasured: usize,
    /// Extremes.
    pub measures: Measures,
    /// Whether the scene's claim held, if the run went to its end.
    pub verdict: Option<Verdict>,
    /// The graphics card it ran on, in words; nothing for the processor.
    pub device: Option<String>,
    /// Time step \[s\].
    pub dt: f64,
    /// Seconds spent in steps.
    pub wall: f64,
}

/// Limits of a comparison that hold for every run.
pub struct Limits<'a> {
    /// Seconds a run may take; the step under way when they are up is still finished.
    pub budget: f64,
    /// Threads.
    pub threads: Option<usize>,
    /// Print nothing.
    pub quiet: bool,
    /// Raised when the user wants to stop.
    pub stop: &'a AtomicBool,
}

/// Runs a scene under a solver.
pub fn run(job: &Job, contender: &Contender, limits: &Limits) -> Result<Result<Trial, Refusal>, Failure> {
    let sim = match simulation(job, &contender.solver, &contender.options, limits.threads) {
        Ok(sim) => sim,
        Err(BuildError::Solver(SolverError::Unsupported(refusal))) => {
            let label = contender.label.clone();
            return Ok(Err(Refusal { label, reason: refusal.reason, remedy: refusal.remedy }));
        }
        Err(error) => return Err(error.into()),
    };
    let every = job.steps.div_ceil(FRAMES).max(1);
    let recording = Recording::new(&job.model).every(every);
    let live = LiveRun::new(sim, Measures::new(&job.model, job.probe()), Frames::Memory(recording))?;
    let mut live = live.with_motions(&job.motions);
    let (end, phases) = advance(&mut live, job, contender, limits);
    Ok(Ok(Trial::new(contender.clone(), job, live, end, phases)))
}

fn advance(live: &mut LiveRun, job: &Job, contender: &Contender, limits: &Limits) -> (End, Vec<(Phase, Vec<f64>)>) {
    let mut progress = Progress::new(&contender.label, 0, job.steps, job.model.body_count(), limits.quiet);
    let farthest = farthest(&job.model, job.dt * job.steps as f64);
    let start = Instant::now();
    let mut phases = Vec::new();
    let mut end = End::Finished;
    for step in 0..job.steps {
        if limits.stop.load(Ordering::Relaxed) || start.elapsed().as_secs_f64() > limits.budget {
            end = End::OutOfTime;
            break;
        }
        if let Err(error) = live.step(job.probe()) {
            end = End::Failed(error.to_string());
            break;
        }
        note_phases(&mut phases, step as usize, &live.sim.report().time);
        progress.step(step + 1);
        if live.measures.quarantined > 0 || live.measures.end_moved > ABSURD * farthest {
            end = End::FlewApart;
            break;
        }
    }
    progress.finish();
    (end, phases)
}

/// How far a body can get on its own \[m\]: across the scene, with its first speed, falling freely.
fn farthest(model: &Model, seconds: f64) -> f64 {
    let from = model.body_q.first().map_or(DVec3::ZERO, |pose| pose.translation);
    let across = model.body_q.iter().map(|pose| (pose.translation - from).length()).fold(0.0, f64::max);
    let moving = (0..model.shape_count()).filter(|&shape| model.shape_body[shape] != WORLD);
    let size =
        moving.map(|shape| model.shape_geometry[shape].aabb(&Pose::IDENTITY).extent().length()).fold(0.0, f64::max);
    let speed = model.body_qd.iter().map(|twist| twist.linear.length()).fold(0.0, f64::max);
    let gravity = model.world_gravity.iter().map(|g| g.length()).fold(0.0, f64::max);
    2.0 * across + size + speed * seconds + 0.5 * gravity * seconds * seconds
}

fn note_phases(phases: &mut Vec<(Phase, Vec<f64>)>, step: usize, times: &[(Phase, f64)]) {
    for &(phase, seconds) in times {
        let at = phases.iter().position(|(known, _)| *known == phase).unwrap_or_else(|| {
            phases.push((phase, Vec::new()));
            phases.len() - 1
        });
        let list = &mut phases[at].1;
        list.resize(step + 1, 0.0);
        list[step] += seconds;
    }
}

impl Trial {
    fn new(contender: Contender, job: &Job, live: LiveRun, end: End, mut phases: Vec<(Phase, Vec<f64>)>) -> Self {
        let verdict = if end == End::Finished { live.judge(job) } else { None };
        let steps = live.series.time.len();
        phases.iter_mut().for_each(|(_, list)| list.resize(steps, 0.0));
        phases.sort_by_key(|(phase, _)| *phase);
        let device = live.sim.solver().device_name();
        let LiveRun { frames, measures, series, wall, .. } = live;
        let recording = frames.into_recording();
        let figures = recompute(&recording, OVERLAP_FRAMES, false);
        let overlap = recording.time.iter().zip(&figures.overlap).filter_map(|(time, depth)| Some([*time, (*depth)?]));
        Self {
            overlap: overlap.collect(),
            unmeasured: figures.unmeasured,
            contender,
            end,
            series,
            phases,
            recording,
            measures,
            verdict,
            device,
            dt: job.dt,
            wall,
        }
    }

    /// Simulated time it got to \[s\].
    pub fn reached(&self) -> f64 {
        self.series.time.last().copied().unwrap_or(0.0)
    }

    /// Deepest overlap \[m\]: measured where every shape can be, otherwise by the solver's own account, if it has one.
    pub fn max_penetration(&self) -> Option<f64> {
        match self.unmeasured {
            0 => Some(self.overlap.iter().map(|p| p[1]).fold(0.0, f64::max)),
            _ => self.measures.max_penetration,
        }
    }

    /// Wall-clock time of a step \[s\]: the least and the median.
    pub fn step_seconds(&self) -> [f64; 2] {
        let mut sorted = self.series.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        [sorted.first(), sorted.get(sorted.len() / 2)].map(|x| x.copied().unwrap_or(f64::NAN))
    }

    /// Simulated over wall-clock time.
    pub fn real_time_factor(&self) -> f64 {
        self.dt * self.series.time.len() as f64 / self.wall
    }

    /// Total energy after every step \[J\].
    pub fn energy(&self) -> Vec<f64> {
        self.series.kinetic_energy.iter().zip(&self.series.potential_energy).map(|(k, p)| k + p).collect()
    }

    /// How it ended, in two or three words; empty if it did as it should.
    pub fn short_remark(&self) -> String {
        let at = format!("at {:.2} s", self.reached());
        match &self.end {
            End::Finished => String::new(),
            End::OutOfTime => format!("stopped {at}"),
            End::FlewApart => format!("flew apart {at}"),
            End::Failed(_) => format!("gave up {at}"),
        }
    }

    /// What must be said about how it ended; empty if it did as it should.
    pub fn remark(&self) -> String {
        let at = format!("at t = {:.3} s", self.reached());
        match &self.end {
            End::Finished => String::new(),
            End::OutOfTime => format!("stopped after {:.0} s of computing {at}", self.wall),
            End::FlewApart => format!("flew apart {at}; the run was ended there"),
            End::Failed(why) => format!("gave up {at}: {why}"),
        }
    }
}
