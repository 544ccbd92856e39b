//! `drystone convert`: a robot or a scene as a file of another format.

use std::path::Path;

use drystone_io::atomic::atomic_write;
use drystone_io::scene_file::{self, SceneSettings};

use crate::Outcome;
use crate::args::ConvertOptions;
use crate::error::Failure;
use crate::print;
use crate::source::scene_job;

/// Writes the model of a scene as a scene file or as MJCF.
pub fn convert(options: &ConvertOptions) -> Result<Outcome, Failure> {
    let job = scene_job(&options.source)?;
    let extension = options.out.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let text = match extension.to_ascii_lowercase().as_str() {
        "json5" | "json" => {
            let solver = (job.solver != drystone::DEFAULT_SOLVER).then(|| job.solver.clone());
            let settings =
                SceneSettings { solver, dt: Some(job.dt), seconds: Some(job.own_seconds), ..SceneSettings::default() };
            scene_file::export(&job.model, &title(&job.name), settings).map_err(Failure::new)?
        }
        "xml" | "mjcf" => drystone_io::mjcf::export_mjcf(&job.model).map_err(Failure::new)?,
        other => {
            return Err(Failure::new(format!(
                "`{}`: cannot write `.{other}`; scene files are .json5, MJCF is .xml",
                options.out.display()
            )));
        }
    };
    atomic_write(&options.out, |file| std::io::Write::write_all(file, text.as_bytes()))?;
    if !options.quiet {
        job.notes.iter().for_each(|note| eprintln!("note: {note}"));
        print::line(format!("wrote {}", options.out.display()));
    }
    Ok(Outcome::Good)
}

/// A scene's name, or that of its file without folder and extension.
fn title(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
