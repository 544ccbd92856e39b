//! `drystone compare`: the same scene under several solvers, side by side.

mod agreement;
mod conclusion;
mod contender;
mod convergence;
mod page;
mod table;
mod trial;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use drystone_io::atomic::atomic_write;

use crate::Outcome;
use crate::args::{Backend, CompareOptions};
use crate::error::Failure;
use crate::gpu::{check_gpu_build, solvers_on_gpu};
use crate::outputs::{check_folder, same_file};
use crate::print;
use crate::run::{check_threads, watch_for_stop};
use crate::source::{Job, scene_job};
use contender::Contender;
use convergence::Curve;
use trial::{Limits, Refusal, Trial};

/// Everything a comparison found out.
pub struct Comparison<'a> {
    /// What was typed.
    pub options: &'a CompareOptions,
    /// The scene.
    pub job: Job,
    /// Runs, in the order asked for.
    pub trials: Vec<Trial>,
    /// Solvers that do not take the scene.
    pub refusals: Vec<Refusal>,
    /// Short runs at several iteration counts.
    pub curves: Vec<Curve>,
}

/// Compares solvers on a scene.
pub fn compare(options: &CompareOptions) -> Result<Outcome, Failure> {
    let mut job = scene_job(&options.source)?;
    job.view = options.view.chosen(job.view);
    let out = page_path(options)?;
    let contenders = contenders(options, &job)?;
    if !(options.budget.is_finite() && options.budget > 0.0) {
        return Err(Failure::new(format!("--budget must be a positive number of seconds, got {}", options.budget)));
    }
    let stop = watch_for_stop();
    let limits = Limits {
        budget: options.budget,
        threads: options.source.threads.map(check_threads).transpose()?,
        quiet: options.quiet || options.json,
        stop: &stop,
    };
    let (mut trials, mut refusals) = (Vec::new(), Vec::new());
    for contender in &contenders {
        match trial::run(&job, contender, &limits)? {
            Ok(trial) => trials.push(trial),
            Err(refusal) => refusals.push(refusal),
        }
    }
    let curves = convergence::curves(&job, &trials, &limits)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Outcome::Stopped);
    }
    let comparison = Comparison { options, job, trials, refusals, curves };
    if comparison.trials.is_empty() {
        return Err(Failure::new(format!("no solver takes this scene:\n{}", table::refusals(&comparison.refusals))));
    }
    let html = page::html(&comparison)?;
    atomic_write(&out, |file| file.write_all(html.as_bytes()))?;
    tell(&comparison, &out)?;
    Ok(Outcome::Good)
}

/// Who takes part.
fn contenders(options: &CompareOptions, job: &Job) -> Result<Vec<Contender>, Failure> {
    let device = options.device;
    match (&options.solvers, options.backend) {
        (Some(list), Backend::Cpu) => Contender::list(list, job),
        (None, Backend::Cpu) => Contender::all(job),
        (Some(list), Backend::Gpu) => {
            Contender::list(list, job)?.into_iter().map(|contender| contender.on_gpu(device)).collect()
        }
        (None, Backend::Gpu) => {
            check_gpu_build(device)?;
            let beside = solvers_on_gpu().map(|name| format!("{name}:device={device},{name}"));
            Contender::list(&beside.collect::<Vec<_>>().join(","), job)
        }
    }
}

/// Where the page goes.
fn page_path(options: &CompareOptions) -> Result<PathBuf, Failure> {
    let scene = Path::new(&options.source.scene);
    let path = options.out.clone().unwrap_or_else(|| {
        let name = scene.file_stem().unwrap_or(scene.as_os_str()).to_string_lossy();
        PathBuf::from(format!("compare-{name}.html"))
    });
    check_folder(&path)?;
    if same_file(&path, scene) {
        return Err(Failure::new(format!("`{}` is the scene itself; give --out another name", path.display())));
    }
    Ok(path)
}

fn tell(comparison: &Comparison, out: &Path) -> Result<(), Failure> {
    if comparison.options.json {
        print::line(serde_json::to_string_pretty(&table::json(comparison, out))?);
    } else if !comparison.options.quiet {
        print::line(conclusion::sentence(comparison));
        print::line(table::table(comparison));
        for remark in table::remarks(comparison) {
            print::line(remark);
        }
        print::line(format!("wrote {}", out.display()));
    }
    Ok(())
}
