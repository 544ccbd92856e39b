//! `drystone run`: simulate, record, judge.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drystone::Simulation;
use drystone_scenes::Measures;

use crate::Outcome;
use crate::args::RunOptions;
use crate::error::Failure;
use crate::frames::Frames;
use crate::live_run::{LiveRun, simulation};
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::report::{self, RunReport};
use crate::source::{Job, load};
use crate::{print, resume, summary, trade};

/// Runs a scene.
pub fn run(options: &RunOptions) -> Result<Outcome, Failure> {
    let outputs = Outputs::plan(options)?;
    #[cfg(any(feature = "cuda", feature = "vulkan"))]
    if crate::beads::suits(options) {
        return crate::beads::run(options);
    }
    let mut job = load(options)?;
    let trade = trade::settle(&mut job, options)?;
    let mut live = start(&job, options, &outputs)?;
    job.notes.iter().filter(|_| !options.quiet).for_each(|note| eprintln!("note: {note}"));
    if let Some(remark) = outputs.remark(&job.model, job.steps).filter(|_| !options.quiet) {
        eprintln!("{remark}");
    }
    let ended = advance(&mut live, &job, options);
    // A step that fails is no reason to lose the steps before it.
    let stopped = *ended.as_ref().unwrap_or(&true);
    let mut report = finish(&mut live, &job, stopped);
    report.trade = trade.map(|trade| trade.count(&report.series.seconds));
    let (pictures, quiet) = (options.view.pictures(job.view), options.quiet || options.json);
    let mut written = outputs.write(&mut live.frames, &report, &pictures, quiet)?;
    written.extend(write_checkpoint(&mut live, &job, options)?);
    tell(options, &report, &written)?;
    ended?;
    if stopped {
        if let (Frames::Disk(stream), Some(_)) = (&mut live.frames, &options.checkpoint) {
            stream.keep();
        }
        tell_how_to_resume(options, &report);
        return Ok(Outcome::Stopped);
    }
    let passed = report.verdict.as_ref().is_none_or(|verdict| verdict.passed);
    Ok(if passed { Outcome::Good } else { Outcome::ClaimFailed })
}

fn start(job: &Job, options: &RunOptions, outputs: &Outputs) -> Result<LiveRun, Failure> {
    let threads = options.source.threads.map(check_threads).transpose()?;
    let mut sim = simulation(job, &job.solver, &job.options, threads)?;
    let measures = match &options.resume {
        Some(path) => resume::resume(path, job, &mut sim, options.source.dt)?,
        None => Measures::new(&job.model, job.probe()),
    };
    check_not_over(job, &sim, options)?;
    let frames = outputs.frames(&job.model, job.steps, options.resume.as_ref().map(|_| sim.time()))?;
    Ok(LiveRun::new(sim, measures, frames)?.with_motions(&job.motions))
}

/// Refuses a checkpoint at or past the end: a run of no steps would only overwrite what the finished one left.
fn check_not_over(job: &Job, sim: &Simulation, options: &RunOptions) -> Result<(), Failure> {
    let (done, end) = (sim.state().step_count, job.steps);
    match &options.resume {
        Some(path) if done >= end => Err(Failure::new(format!(
            "--resume {}: the checkpoint is at step {done} and the run ends at step {end}, so nothing is left to do; \
             give --steps or --seconds of the whole run to go further",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Steps until the end or until the user stops it; returns whether the user did.
fn advance(live: &mut LiveRun, job: &Job, options: &RunOptions) -> Result<bool, Failure> {
    let stop = watch_for_stop();
    let done = |live: &LiveRun| live.sim.state().step_count;
    let bodies = job.model.body_count();
    let mut progress = Progress::new(&job.name, done(live), job.steps, bodies, options.quiet || options.json);
    while done(live) < job.steps {
        if stop.load(Ordering::Relaxed) {
            progress.finish();
            return Ok(true);
        }
        live.step(job.probe())?;
        if options.checkpoint_every.is_some_and(|every| done(live).is_multiple_of(every)) {
            write_checkpoint(live, job, options)?;
        }
        progress.step(done(live));
    }
    progress.finish();
    Ok(false)
}

/// A stopped run has not shown its claim yet, so it is not judged.
fn finish(live: &mut LiveRun, job: &Job, stopped: bool) -> RunReport {
    let verdict = if stopped { None } else { live.judge(job) };
    report::make(job, live, verdict)
}

fn write_checkpoint(live: &mut LiveRun, job: &Job, options: &RunOptions) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = &options.checkpoint else { return Ok(None) };
    // The frames up to the checkpoint must be there when a run goes on from it.
    live.frames.flush()?;
    resume::take(job, &live.sim, &live.measures, path)?.write(path)?;
    Ok(Some(path.clone()))
}

/// More threads than this only slow a machine down.
const MOST_THREADS: usize = 1024;

/// The number of threads, if a machine can have so many.
pub fn check_threads(threads: usize) -> Result<usize, Failure> {
    if (1..=MOST_THREADS).contains(&threads) {
        return Ok(threads);
    }
    Err(Failure::new(format!("--threads must be from 1 to {MOST_THREADS}, got {threads}")))
}

/// A flag that Ctrl-C raises; a second Ctrl-C ends the process at once.
pub fn watch_for_stop() -> Arc<AtomicBool> {
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
            eprintln!("stopped after step {}; go on with: {}", report.steps, resume::command(path));
        }
        None => eprintln!("stopped after step {}; give --checkpoint FILE to be able to go on", report.steps),
    }
}
