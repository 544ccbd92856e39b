//! From what was typed to something that can be run.

use std::path::Path;

use drystone::model::Model;
use drystone_scenes::Check;

use crate::args::{Backend, RunOptions};
use crate::error::Failure;

/// A scene with all choices made: the user's where there are any, the scene's otherwise.
pub struct Job {
    /// What the scene is called.
    pub name: String,
    /// Parameters as given.
    pub set: Vec<String>,
    /// What there is.
    pub model: Model,
    /// What is claimed of it, if anything.
    pub check: Option<Check>,
    /// Solver by name.
    pub solver: String,
    /// Options of the solver.
    pub options: SolverOptions,
    /// Time step \[s\].
    pub dt: f64,
    /// Steps of the whole run.
    pub steps: u64,
}

/// Makes a job of the options.
pub fn load(options: &RunOptions) -> Result<Job, Failure> {
    if options.backend == Backend::Gpu {
        return Err(refuse_gpu(options));
    }
    let source = if names_file(&options.scene) { from_file(options)? } else { from_library(options)? };
    let dt = options.dt.unwrap_or(source.dt);
    if !(dt.is_finite() && dt > 0.0) {
        let own = source.dt;
        return Err(Failure::new(format!(
            "--dt must be a positive number of seconds, got {dt}; the scene's own is {own}"
        )));
    }
    let mut chosen = source.options;
    chosen.extend(solver_options(options)?);
    Ok(Job {
        name: options.scene.clone(),
        set: options.set.clone(),
        solver: options.solver.clone().unwrap_or(source.solver),
        options: chosen,
        dt,
        steps: step_count(options, source.seconds, dt)?,
        model: source.model,
        check: source.check,
    })
}

/// Why a scene cannot run on the GPU in this build.
fn refuse_gpu(options: &RunOptions) -> Failure {
    let (scene, device) = (&options.scene, options.device);
    if cfg!(feature = "vulkan") {
        return Failure::new(format!(
            "--backend gpu --device {device}: the GPU runs the scene `necklace` so far, not `{scene}`; \
             leave the option out to run on the CPU"
        ));
    }
    Failure::new(format!(
        "--backend gpu --device {device}: this build has no GPU backend; build with \
         `cargo build --release -p drystone-cli --features gpu`, or leave the option out to run on the CPU"
    ))
}

type SolverOptions = serde_json::Map<String, serde_json::Value>;

/// A scene before the user's choices.
struct Source {
    model: Model,
    check: Option<Check>,
    solver: String,
    options: SolverOptions,
    dt: f64,
    seconds: f64,
}

/// Library names have neither dots nor slashes, files nearly always do.
fn names_file(scene: &str) -> bool {
    drystone_scenes::find(scene).is_err() && (scene.contains(['.', '/', '\\']) || Path::new(scene).exists())
}

fn from_library(options: &RunOptions) -> Result<Source, Failure> {
    let scene = drystone_scenes::make(&options.scene, &options.set)?;
    Ok(Source {
        model: scene.model,
        check: Some(scene.check),
        solver: scene.settings.solver().to_owned(),
        options: SolverOptions::new(),
        dt: scene.settings.dt,
        seconds: scene.settings.seconds,
    })
}

/// Simulated time of a scene file that does not say \[s\].
const FILE_SECONDS: f64 = 5.0;

fn from_file(options: &RunOptions) -> Result<Source, Failure> {
    if let Some(set) = options.set.first() {
        let file = &options.scene;
        return Err(Failure::new(format!("--set {set}: scene files have no parameters; change `{file}` itself")));
    }
    let scene = drystone_io::scene_file::load(Path::new(&options.scene))?;
    let settings = scene.settings;
    let mut chosen = SolverOptions::new();
    for (key, value) in &settings.options {
        chosen.insert(key.clone(), serde_json::to_value(value)?);
    }
    chosen.extend(settings.iterations.map(|iterations| ("iterations".to_owned(), iterations.into())));
    Ok(Source {
        model: scene.model,
        check: None,
        solver: settings.solver.unwrap_or_else(|| drystone::DEFAULT_SOLVER.to_owned()),
        options: chosen,
        dt: settings.dt.unwrap_or(drystone::DEFAULT_DT),
        seconds: settings.seconds.unwrap_or(FILE_SECONDS),
    })
}

/// Runs longer than this are taken for a slip of the keyboard.
const MOST_STEPS: f64 = 1e9;

fn step_count(options: &RunOptions, seconds: f64, dt: f64) -> Result<u64, Failure> {
    let seconds = options.seconds.unwrap_or(seconds);
    if !(seconds.is_finite() && seconds >= 0.0) {
        return Err(Failure::new(format!("--seconds must be a number of seconds that is not negative, got {seconds}")));
    }
    let steps = options.steps.map_or((seconds / dt).round(), |steps| steps as f64);
    if steps > MOST_STEPS {
        return Err(Failure::new(format!(
            "this would be {steps:.1e} steps; at most {MOST_STEPS:.0e} are taken: shorten --seconds or raise --dt"
        )));
    }
    Ok(steps as u64)
}

fn solver_options(options: &RunOptions) -> Result<SolverOptions, Failure> {
    let mut chosen = SolverOptions::new();
    for text in &options.option {
        let Some((key, value)) = text.split_once('=') else {
            return Err(Failure::new(format!("--option `{text}` is not of the form key=value")));
        };
        // A bare word is a string: method=avbd rather than method="avbd".
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        chosen.insert(key.trim().to_owned(), value);
    }
    if let Some(iterations) = options.iterations {
        chosen.insert("iterations".to_owned(), iterations.into());
    }
    Ok(chosen)
}
