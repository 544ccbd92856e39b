//! What the command keeps in a checkpoint besides the simulation: which run it is, and what has
//! been measured so far.

use std::path::Path;

use drystone::{Checkpoint, Simulation};
use drystone_scenes::Measures;
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::source::Job;

#[derive(Debug, Serialize, Deserialize)]
struct Extra {
    scene: String,
    set: Vec<String>,
    /// Solver options as JSON text: postcard cannot hold open-ended values.
    options: String,
    measures: Measures,
}

/// Takes a checkpoint of a run.
pub fn take(job: &Job, sim: &Simulation, measures: &Measures) -> Result<Checkpoint, Failure> {
    let extra = Extra {
        scene: job.name.clone(),
        set: job.set.clone(),
        options: serde_json::to_string(&job.options)?,
        measures: measures.clone(),
    };
    let mut checkpoint = sim.checkpoint();
    checkpoint.extra = postcard::to_stdvec(&extra).map_err(Failure::new)?;
    Ok(checkpoint)
}

/// Goes on from a checkpoint; returns what had been measured.
pub fn resume(path: &Path, job: &Job, sim: &mut Simulation, dt: Option<f64>) -> Result<Measures, Failure> {
    let in_file = |error: &dyn std::fmt::Display| Failure::new(format!("--resume {}: {error}", path.display()));
    let checkpoint = Checkpoint::read(path).map_err(|error| in_file(&error))?;
    let extra: Extra = postcard::from_bytes(&checkpoint.extra)
        .map_err(|_| in_file(&"this checkpoint was not written by `drystone run`; resume it from your own program"))?;
    if extra.scene != job.name || extra.set != job.set {
        let given = |set: &[String]| set.iter().map(|text| format!(" --set {text}")).collect::<String>();
        let (was, set) = (&extra.scene, given(&extra.set));
        return Err(in_file(&format!(
            "the checkpoint is of `{was}{set}`, this run is of `{}{}`",
            job.name,
            given(&job.set)
        )));
    }
    let options: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&extra.options)?;
    if options != job.options {
        return Err(in_file(&format!("the run used the solver options {}; give the same", extra.options)));
    }
    if let Some(dt) = dt.filter(|dt| *dt != checkpoint.dt) {
        return Err(in_file(&format!("the run used --dt {}, not {dt}; leave --dt out", checkpoint.dt)));
    }
    sim.resume(&checkpoint).map_err(|error| in_file(&error))?;
    Ok(extra.measures)
}
