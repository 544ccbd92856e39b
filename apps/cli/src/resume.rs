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
    /// What to type to go on.
    command: String,
    measures: Measures,
}

/// Takes a checkpoint of a run.
pub fn take(job: &Job, sim: &Simulation, measures: &Measures, path: &Path) -> Result<Checkpoint, Failure> {
    let extra = Extra {
        scene: job.name.clone(),
        set: job.set.clone(),
        options: serde_json::to_string(&job.options)?,
        command: command(path),
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
    let go_on = &extra.command;
    if extra.scene != job.name || extra.set != job.set {
        let given = |set: &[String]| set.iter().map(|text| format!(" --set {text}")).collect::<String>();
        let (was, set) = (&extra.scene, given(&extra.set));
        return Err(in_file(&format!(
            "the checkpoint is of `{was}{set}`, this run is of `{}{}`; go on with: {go_on}",
            job.name,
            given(&job.set)
        )));
    }
    let options: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&extra.options)?;
    if options != job.options {
        let were = if options.is_empty() { "no solver options" } else { "other solver options" };
        return Err(in_file(&format!("the run had {were}; go on with: {go_on}")));
    }
    if let Some(dt) = dt.filter(|dt| *dt != checkpoint.dt) {
        return Err(in_file(&format!("the run used --dt {}, not {dt}; leave --dt out", checkpoint.dt)));
    }
    sim.resume(&checkpoint).map_err(|error| in_file(&error))?;
    Ok(extra.measures)
}

/// The command that goes on from a checkpoint of this run: what was typed, from there.
pub fn command(checkpoint: &Path) -> String {
    command_of(std::env::args(), checkpoint)
}

fn command_of(typed: impl Iterator<Item = String>, checkpoint: &Path) -> String {
    let mut words = vec!["drystone".to_owned()];
    let mut typed = typed.skip(1);
    while let Some(word) = typed.next() {
        // A run that was itself resumed goes on from the newer checkpoint.
        if word == "--resume" {
            typed.next();
        } else if !word.starts_with("--resume=") {
            words.push(quoted(&word));
        }
    }
    words.extend(["--resume".to_owned(), quoted(&checkpoint.to_string_lossy())]);
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_repeats_every_option_and_replaces_the_checkpoint_it_came_from() {
        let typed = "target/drystone run pile --set count=3 --resume old --iterations 4 --resume=older --threads 2";
        let typed = typed.split(' ').map(str::to_owned).chain(["--report".into(), "it's mine.json".into()]);
        let expected = "drystone run pile --set count=3 --iterations 4 --threads 2 --report 'it'\\''s mine.json' \
                        --resume 'a b'";
        assert_eq!(command_of(typed, Path::new("a b")), expected);
    }
}
