//! `drystone run`: simulate, record, judge.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use drystone::{Recording, Simulation};
use drystone_scenes::{Measures, Run, Verdict};

use crate::Outcome;
use crate::args::RunOptions;
use crate::error::Failure;
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::report::{self, RunReport, Series};
use crate::source::{Job, load};
use crate::{print, resume, summary};

/// Runs a scene.
pub fn run(options: &RunOptions) -> Result<Outcome, Failure> {
    let outputs = Outputs::plan(options)?;
    #[cfg(feature = "vulkan")]
    if options.backend == crate::args::Backend::Gpu && options.scene == "necklace" {
        return crate::beads::run(options);
    }
    let job = load(options)?;
    let mut session = Session::start(&job, options, &outputs)?;
    let stopped = session.advance(&job, options)?;
    let report = session.finish(&job, stopped);
    let mut written = outputs.write(session.recording.as_ref(), &report, &options.view.pictures(job.view))?;
    written.extend(session.write_checkpoint(&job, options)?);
    tell(options, &report, &written)?;
    if stopped {
        tell_how_to_resume(options, &report);
        return Ok(Outcome::Stopped);
    }
    let passed = report.verdict.as_ref().is_none_or(|verdict| verdict.passed);
    Ok(if passed { Outcome::Good } else { Outcome::ClaimFailed })
}

/// A run under way.
struct Session {
    sim: Simulation,
    measures: Measures,
    recording: Option<Recording>,
    series: Series,
    wall: f64,
    joint_error: Vec<f64>,
}

impl Session {
    fn start(job: &Job, options: &RunOptions, outputs: &Outputs) -> Result<Self, Failure> {
        let mut builder = Simulation::builder(job.model.clone()).solver(&job.solver).dt(job.dt);
        for (key, value) in &job.options {
            builder = builder.option(key, value.clone());
        }
        if let Some(threads) = options.threads {
            builder = builder.threads(check_threads(threads)?);
        }
        let mut sim = builder.build()?;
        let probe = job.check.as_ref().and_then(|check| check.probe.as_ref());
        let measures = match &options.resume {
            Some(path) => resume::resume(path, job, &mut sim, options.dt)?,
            None => Measures::new(&job.model, probe),
        };
        let recording = outputs.recording(&job.model);
        let mut session =
            Self { sim, measures, recording, series: Series::default(), wall: 0.0, joint_error: Vec::new() };
        session.record();
        Ok(session)
    }

    /// Steps until the end or until the user stops it; returns whether the user did.
    fn advance(&mut self, job: &Job, options: &RunOptions) -> Result<bool, Failure> {
        let stop = watch_for_stop();
        let bodies = job.model.body_count();
        let mut progress =
            Progress::new(&job.name, self.sim.state().step_count, job.steps, bodies, options.quiet || options.json);
        let probe = job.check.as_ref().and_then(|check| check.probe.as_ref());
        while self.sim.state().step_count < job.steps {
            if stop.load(Ordering::Relaxed) {
                progress.finish();
                return Ok(true);
            }
            let start = Instant::now();
            self.sim.step()?;
            self.wall += start.elapsed().as_secs_f64();
            let (model, state, step_report) = (self.sim.model(), self.sim.state(), self.sim.report());
            self.measures.observe(model, state, step_report, probe);
            self.series.push(state.time, step_report);
            let done = state.step_count;
            self.record();
            if options.checkpoint_every.is_some_and(|every| done.is_multiple_of(every)) {
                self.write_checkpoint(job, options)?;
            }
            progress.step(done);
        }
        progress.finish();
        Ok(false)
    }

    fn record(&mut self) {
        let Some(recording) = &mut self.recording else { return };
        let (model, state) = (self.sim.model(), self.sim.state());
        self.joint_error.clear();
        self.joint_error.extend((0..model.joint_count() as u32).map(|joint| model.joint_error(state, joint).linear));
        recording.push(state, &self.joint_error);
    }

    /// A stopped run has not shown its claim yet, so it is not judged.
    fn finish(&mut self, job: &Job, stopped: bool) -> RunReport {
        let verdict = if stopped { None } else { self.judge(job) };
        let series = std::mem::take(&mut self.series);
        report::make(job, &self.sim, &self.measures, series, self.wall, verdict)
    }

    fn judge(&self, job: &Job) -> Option<Verdict> {
        let check = job.check.as_ref()?;
        let run = Run { model: self.sim.model(), state: self.sim.state(), measures: &self.measures, dt: self.sim.dt() };
        Some(check.judge(&run))
    }

    fn write_checkpoint(&self, job: &Job, options: &RunOptions) -> Result<Option<PathBuf>, Failure> {
        let Some(path) = &options.checkpoint else { return Ok(None) };
        resume::take(job, &self.sim, &self.measures)?.write(path)?;
        Ok(Some(path.clone()))
    }
}

/// More threads than this only slow a machine down.
const MOST_THREADS: usize = 1024;

fn check_threads(threads: usize) -> Result<usize, Failure> {
    if (1..=MOST_THREADS).contains(&threads) {
        return Ok(threads);
    }
    Err(Failure::new(format!("--threads must be from 1 to {MOST_THREADS}, got {threads}")))
}

/// A flag that Ctrl-C raises; a second Ctrl-C ends the process at once.
fn watch_for_stop() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = stop.clone();
    // Without a handler the run still works, it just cannot be stopped gently.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    stop
}

fn tell(options: &RunOptions, report: &RunReport, written: &[PathBuf]) -> Result<(), Failure> {
    if options.json {
        let mut short = serde_json::to_value(report)?;
        if let Some(fields) = short.as_object_mut() {
            fields.remove("series");
            fields.insert("written".into(), serde_json::to_value(written)?);
        }
        print::line(serde_json::to_string_pretty(&short)?);
    } else if !options.quiet {
        print::line(summary::table(report));
        for path in written {
            print::line(format!("wrote {}", path.display()));
        }
    }
    Ok(())
}

fn tell_how_to_resume(options: &RunOptions, report: &RunReport) {
    match &options.checkpoint {
        Some(path) => {
            let set: String = report.set.iter().map(|text| format!(" --set {text}")).collect();
            let path = path.display();
            eprintln!(
                "stopped after step {}; go on with: drystone run {}{set} --resume {path}",
                report.steps, report.scene
            );
        }
        None => eprintln!("stopped after step {}; give --checkpoint FILE to be able to go on", report.steps),
    }
}
