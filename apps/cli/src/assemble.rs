//! `drystone assemble`: closes the joints of a model whose parts lie apart.

use std::path::PathBuf;

use clap::Args;
use drystone::mechanism::{Assembling, Assembly, AssemblyOptions, AssemblyProgress, OpenJoint};
use drystone::model::{BodyId, Model, State};
use drystone_io::atomic::atomic_write;
use serde_json::json;

use crate::Outcome;
use crate::args::SceneOptions;
use crate::convert::{not_written, scene_text};
use crate::error::Failure;
use crate::print;
use crate::progress::Closing;
use crate::robot::RobotOptions;
use crate::source::{Job, scene_job};

/// Options of `drystone assemble`.
#[derive(Debug, Args)]
pub struct AssembleOptions {
    /// A scene of the library (`drystone scenes`), a scene file (.json5) or a robot file (.urdf, .xml, .usda, .usdc)
    pub scene: String,
    /// Set a parameter of the scene; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Threads; the result does not depend on them
    #[arg(long)]
    pub threads: Option<usize>,
    /// Write the assembled model as a scene file
    #[arg(long, value_name = "FILE.json5")]
    pub out: Option<PathBuf>,
    /// Leave this body where it is; may be given several times
    #[arg(long, value_name = "BODY")]
    pub keep: Vec<String>,
    /// Joint error that counts as closed in metres; angles count with the size of their joint
    #[arg(long, value_name = "METRES", default_value = "1e-9")]
    pub tolerance: f64,
    /// Most attempts; parts that end entangled are turned about and tried again
    #[arg(long, value_name = "N", default_value = "40")]
    pub attempts: u32,
    /// Seed of these turns
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Print what was reached as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub robot: RobotOptions,
}

/// Open joints that are listed; the rest is counted.
const LISTED: usize = 20;

/// Puts a model together, tells what stays open and writes what came of it.
pub fn assemble(options: &AssembleOptions) -> Result<Outcome, Failure> {
    check(options)?;
    let source = SceneOptions {
        scene: options.scene.clone(),
        set: options.set.clone(),
        robot: options.robot.clone(),
        ..SceneOptions::default()
    };
    let job = scene_job(&source)?;
    let kept = kept_bodies(&job.model, &options.keep)?;
    let chosen = AssemblyOptions {
        tolerance: options.tolerance,
        max_attempts: options.attempts,
        seed: options.seed,
        ..AssemblyOptions::default()
    };
    let control = job.model.control();
    let mut state = job.model.state();
    let mut shown = Closing::new(options.tolerance, options.quiet || options.json);
    let watch = |now: AssemblyProgress| shown.step(now.attempt, now.step, now.error);
    let assembling = Assembling::new(&job.model, &control, chosen).keep(&kept).watch(watch);
    let work = || assembling.run(&mut state);
    let done = match options.threads {
        Some(threads) => in_pool(threads, work)?,
        None => work(),
    }
    .map_err(Failure::new)?;
    shown.finish();
    let moved = moved(&job.model, &state);
    write(options, &job, state)?;
    tell(options, &job, &done, moved)?;
    Ok(if done.is_closed() { Outcome::Good } else { Outcome::ClaimFailed })
}

fn check(options: &AssembleOptions) -> Result<(), Failure> {
    if !(options.tolerance.is_finite() && options.tolerance > 0.0) {
        let given = options.tolerance;
        return Err(Failure::new(format!("--tolerance must be a positive number of metres, got {given}")));
    }
    if options.attempts == 0 {
        return Err(Failure::new("--attempts must be at least 1"));
    }
    let written = options.out.as_ref().and_then(|out| out.extension()).and_then(|extension| extension.to_str());
    match (&options.out, written.map(str::to_ascii_lowercase).as_deref()) {
        (None, _) | (_, Some("json5" | "json")) => Ok(()),
        (Some(out), _) => Err(Failure::new(format!(
            "--out {}: scene files are .json5; `drystone convert` writes other formats from there",
            out.display()
        ))),
    }
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    if threads == 0 {
        return Err(Failure::new("--threads must be at least 1; leave it out to use all processors"));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(|error| Failure::new(format!("--threads {threads}: {error}")))?.install(work))
}

fn kept_bodies(model: &Model, names: &[String]) -> Result<Vec<BodyId>, Failure> {
    let found = |name: &String| {
        model.body_named(name).ok_or_else(|| {
            let some: Vec<&str> = model.body_name.iter().take(8).map(String::as_str).collect();
            let more = if model.body_count() > some.len() { ", …" } else { "" };
            Failure::new(format!("--keep {name}: there is no such body; there are: {}{more}", some.join(", ")))
        })
    };
    names.iter().map(found).collect()
}

/// The longest way of a body \[m\].
fn moved(model: &Model, state: &State) -> f64 {
    let ways = model.body_q.iter().zip(&state.body_q).map(|(a, b)| (a.translation - b.translation).length());
    ways.fold(0.0, f64::max)
}

fn write(options: &AssembleOptions, job: &Job, state: State) -> Result<(), Failure> {
    let Some(out) = &options.out else { return Ok(()) };
    let mut model = job.model.clone();
    (model.body_q, model.body_qd, model.joint_angle) = (state.body_q, state.body_qd, state.joint_angle);
    let text = scene_text(job, &model)?;
    atomic_write(out, |file| std::io::Write::write_all(file, text.as_bytes()))?;
    Ok(())
}

fn tell(options: &AssembleOptions, job: &Job, done: &Assembly, moved: f64) -> Result<(), Failure> {
    if options.json {
        print::line(serde_json::to_string_pretty(&as_json(options, done, moved))?);
        return Ok(());
    }
    if options.quiet {
        return Ok(());
    }
    if options.out.is_some() {
        not_written(job);
    }
    let joints = job.model.joint_count();
    let verdict = if done.is_closed() { "closed" } else { "open" };
    print::line(format!(
        "{verdict}: {joints} joints, largest error {:.1e} m, {} attempts, {} steps, {} loop iterations; bodies moved by up to {moved:.3} m",
        done.error, done.attempts, done.steps, done.iterations
    ));
    for open in done.open.iter().take(LISTED) {
        print::line(format!("  {} {open}", if open.elastic { "stretched" } else { "open" }));
    }
    if done.open.len() > LISTED {
        print::line(format!("  and {} more", done.open.len() - LISTED));
    }
    if let Some(out) = &options.out {
        print::line(format!("wrote {}", out.display()));
    }
    Ok(())
}

fn as_json(options: &AssembleOptions, done: &Assembly, moved: f64) -> serde_json::Value {
    let open = |open: &OpenJoint| {
        json!({
            "joint": open.name, "gap": open.gap, "angle": open.angle, "elastic": open.elastic, "error": open.error,
            "past_limit": open.stop.map(|stop| json!({ "axis": format!("{:?}", stop.axis), "by": stop.by })),
        })
    };
    json!({
        "closed": done.is_closed(), "error": done.error, "tolerance": options.tolerance, "attempts": done.attempts,
        "steps": done.steps, "iterations": done.iterations, "moved": moved,
        "open": done.open.iter().map(open).collect::<Vec<_>>(),
    })
}
