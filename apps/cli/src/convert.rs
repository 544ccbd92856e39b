//! `drystone convert`: a robot or a scene as a file of another format.

use std::path::Path;

use drystone::model::Model;
use drystone_io::atomic::atomic_write;
use drystone_io::scene_file::{self, CameraHint, OptionValue, SceneSettings};

use crate::Outcome;
use crate::args::ConvertOptions;
use crate::error::Failure;
use crate::print;
use crate::source::{Job, scene_job};

/// Writes the model of a scene as a scene file, as MJCF or as URDF.
pub fn convert(options: &ConvertOptions) -> Result<Outcome, Failure> {
    check_options(options)?;
    let mut job = scene_job(&options.source)?;
    let extension = options.out.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let text = match extension.to_ascii_lowercase().as_str() {
        "json5" | "json" => scene_text(&job, &job.model)?,
        "xml" | "mjcf" => drystone_io::mjcf::export_mjcf(&job.model).map_err(Failure::new)?,
        "urdf" => {
            let urdf = drystone_io::urdf::export_urdf(&job.model, &title(&job.name)).map_err(Failure::new)?;
            job.notes.extend(urdf.notes);
            urdf.text
        }
        other => {
            return Err(Failure::new(format!(
                "`{}`: cannot write `.{other}`; scene files are .json5, MJCF is .xml, URDF is .urdf",
                options.out.display()
            )));
        }
    };
    atomic_write(&options.out, |file| std::io::Write::write_all(file, text.as_bytes()))?;
    if !options.quiet {
        not_written(&job);
        print::line(format!("wrote {}", options.out.display()));
    }
    Ok(Outcome::Good)
}

/// Refuses options that would change nothing in what is written.
fn check_options(options: &ConvertOptions) -> Result<(), Failure> {
    let (source, out) = (&options.source, options.out.display());
    let scene_file = options
        .out
        .extension()
        .is_some_and(|extension| ["json5", "json"].iter().any(|known| extension.eq_ignore_ascii_case(known)));
    let given = [
        ("steps", source.steps.is_some()),
        ("seconds", source.seconds.is_some()),
        ("threads", source.threads.is_some()),
        ("dt", source.dt.is_some() && !scene_file),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((name, _)) => {
            let text = format!("`--{name}` changes nothing in `{out}`: leave it out, and give it to `drystone run`");
            Err(Failure::new(text))
        }
        None => Ok(()),
    }
}

/// A model as a scene file to be run as the job is.
pub fn scene_text(job: &Job, model: &Model) -> Result<String, Failure> {
    let solver = (job.solver != drystone::DEFAULT_SOLVER).then(|| job.solver.clone());
    let camera = job.view.eye.zip(job.view.target).map(|(eye, target)| CameraHint {
        eye: eye.to_array(),
        target: target.to_array(),
        fov_degrees: Some(job.view.opening.to_degrees()),
    });
    let settings = SceneSettings {
        solver,
        dt: Some(job.dt),
        seconds: Some(job.own_seconds),
        iterations: None,
        options: job.options.iter().filter_map(|(key, value)| Some((key.clone(), option_value(value)?))).collect(),
        camera,
    };
    scene_file::export(model, &title(&job.name), settings).map_err(Failure::new)
}

/// Tells what a file says and what is written of it does not.
pub fn not_written(job: &Job) {
    job.notes.iter().for_each(|note| eprintln!("note: {note}"));
    if !job.motions.is_empty() {
        eprintln!(
            "note: `{}` moves targets by key frames (`motions`), which are not written; copy them over",
            job.name
        );
    }
}

/// An option of a solver as scene files have it. They hold nothing but numbers, truth values and strings.
fn option_value(value: &serde_json::Value) -> Option<OptionValue> {
    match value {
        serde_json::Value::Bool(value) => Some(OptionValue::Bool(*value)),
        serde_json::Value::String(value) => Some(OptionValue::Text(value.clone())),
        other => other.as_f64().map(OptionValue::Number),
    }
}

/// A scene's name, or that of its file without folder and extension.
fn title(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
