//! A simulation that is measured while it goes.

use std::time::Instant;

use drystone::solve::Phase;
use drystone::{BuildError, Simulation};
use drystone_io::atomic::WriteError;
use drystone_io::scene_file::KeyFrames;
use drystone_scenes::{Measures, Probe, Run, Verdict};

use crate::error::Failure;
use crate::frames::Frames;
use crate::report::Series;
use crate::source::{Job, SolverOptions};

/// A run under way: the simulation and what was seen of it.
pub struct LiveRun {
    /// What is simulated.
    pub sim: Simulation,
    /// Extremes so far.
    pub measures: Measures,
    /// The frames.
    pub frames: Frames,
    /// Figures of every step.
    pub series: Series,
    /// Seconds spent in steps.
    pub wall: f64,
    /// Seconds of every phase of the first step, which also prepares what the others go on from.
    pub first_phases: Vec<(Phase, f64)>,
    motions: KeyFrames,
    joint_error: Vec<f64>,
}

/// Makes the simulation of a job under a solver with its options.
pub fn simulation(
    job: &Job,
    solver: &str,
    options: &SolverOptions,
    threads: Option<usize>,
) -> Result<Simulation, BuildError> {
    let mut builder = Simulation::builder(job.model.clone()).solver(solver).dt(job.dt);
    for (key, value) in options {
        builder = builder.option(key, value.clone());
    }
    if let Some(threads) = threads {
        builder = builder.threads(threads);
    }
    builder.build()
}

impl LiveRun {
    /// Starts at the state the simulation is in.
    pub fn new(sim: Simulation, measures: Measures, frames: Frames) -> Result<Self, WriteError> {
        let mut live = Self {
            sim,
            measures,
            frames,
            series: Series::default(),
            wall: 0.0,
            first_phases: Vec::new(),
            motions: KeyFrames::default(),
            joint_error: Vec::new(),
        };
        live.record()?;
        Ok(live)
    }

    /// Moves targets by key frames on the way.
    pub fn with_motions(mut self, motions: &KeyFrames) -> Self {
        self.motions.clone_from(motions);
        self
    }

    /// Takes a step, timed, and notes what it was like.
    pub fn step(&mut self, probe: Option<&Probe>) -> Result<(), Failure> {
        let (time, dt) = (self.sim.time(), self.sim.dt());
        self.motions.apply(time, dt, self.sim.control_mut());
        let start = Instant::now();
        if let Err(error) = self.sim.step() {
            // Bodies frozen before the step failed count, although the step does not.
            self.measures.quarantined += self.sim.report().quarantined.len();
            return Err(error.into());
        }
        let seconds = start.elapsed().as_secs_f64();
        self.wall += seconds;
        if self.series.time.is_empty() {
            self.first_phases.clone_from(&self.sim.report().time);
        }
        let (model, state, report) = (self.sim.model(), self.sim.state(), self.sim.report());
        self.measures.observe(model, state, report, probe);
        self.series.push(state.time, report, seconds);
        self.record()?;
        Ok(())
    }

    fn record(&mut self) -> Result<(), WriteError> {
        if !self.frames.wanted() {
            return Ok(());
        }
        let (model, state) = (self.sim.model(), self.sim.state());
        self.joint_error.clear();
        self.joint_error.extend((0..model.joint_count() as u32).map(|joint| model.joint_error(state, joint).linear));
        self.frames.push(state, &self.joint_error)
    }

    /// Whether the scene's claim held; `None` if it makes none or the run is too short to show it.
    pub fn judge(&self, job: &Job) -> Option<Verdict> {
        let check = job.check.as_ref().filter(|_| job.not_judged().is_none())?;
        let run = Run { model: self.sim.model(), state: self.sim.state(), measures: &self.measures, dt: self.sim.dt() };
        Some(check.judge(&run))
    }
}
