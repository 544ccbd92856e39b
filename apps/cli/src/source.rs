//! From what was typed to something that can be run.

use drystone::model::Model;
use drystone_scenes::{Check, Scene};

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
    pub options: serde_json::Map<String, serde_json::Value>,
    /// Time step \[s\].
    pub dt: f64,
    /// Steps of the whole run.
    pub steps: u64,
}

/// Makes a job of the options.
pub fn load(options: &RunOptions) -> Result<Job, Failure> {
    if options.backend == Backend::Gpu {
        return Err(Failure::new(
            "--backend gpu: the GPU backend is not built yet; leave the option out to run on the CPU",
        ));
    }
    let scene = drystone_scenes::make(&options.scene, &options.set)?;
    let dt = time_step(options, &scene)?;
    Ok(Job {
        name: options.scene.clone(),
        set: options.set.clone(),
        solver: options.solver.clone().unwrap_or_else(|| scene.settings.solver.to_owned()),
        options: solver_options(options)?,
        dt,
        steps: step_count(options, scene.settings.seconds, dt)?,
        model: scene.model,
        check: Some(scene.check),
    })
}

fn time_step(options: &RunOptions, scene: &Scene) -> Result<f64, Failure> {
    let dt = options.dt.unwrap_or(scene.settings.dt);
    if dt.is_finite() && dt > 0.0 {
        return Ok(dt);
    }
    Err(Failure::new(format!(
        "--dt must be a positive number of seconds, got {dt}; the scene's own is {}",
        scene.settings.dt
    )))
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

fn solver_options(options: &RunOptions) -> Result<serde_json::Map<String, serde_json::Value>, Failure> {
    let mut chosen = serde_json::Map::new();
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
