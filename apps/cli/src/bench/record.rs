//! The files benchmarks are kept in.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::path::Path;
use std::process::Command;

use drystone_io::atomic::atomic_write;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::error::Failure;
use crate::report::Machine;

/// Figures with what they are figures of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchFile<R> {
    /// Where and with what they were made.
    pub facts: Facts,
    /// The figures.
    pub rows: Vec<R>,
}

/// Where and with what figures were made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// The machine.
    pub machine: Machine,
    /// Version of Drystone.
    pub version: String,
    /// The compiler of this program.
    pub rustc: String,
    /// The commit checked out where the command ran, with a + if there were changes.
    pub commit: Option<String>,
    /// Load of the machine at the start, over 1, 5 and 15 minutes.
    pub load: Option<String>,
    /// The command line.
    pub command: Vec<String>,
    /// Versions of other engines.
    #[serde(default)]
    pub engines: BTreeMap<String, String>,
}

impl Facts {
    /// Those of this moment.
    pub fn here() -> Self {
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        // The folder of the program is nobody's business.
        let arguments = std::env::args().skip(1);
        Self {
            machine: Machine::here(),
            version: env!("CARGO_PKG_VERSION").into(),
            rustc: env!("DRYSTONE_RUSTC").into(),
            commit: commit(),
            load: load.map(|text| text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")),
            command: std::iter::once("drystone".to_owned()).chain(arguments).collect(),
            engines: BTreeMap::new(),
        }
    }
}

/// What a document says above its tables.
impl Display for Facts {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let cpu = self.machine.cpu.as_deref().unwrap_or("unknown processor").replace("(R)", "");
        let threads = match self.machine.parallelism {
            1 => "1 thread".to_owned(),
            count => format!("{count} threads at once"),
        };
        write!(out, "{cpu}, {threads}, {}; {}", self.machine.os, self.rustc)?;
        if let Some(commit) = &self.commit {
            write!(out, "; commit {commit}")?;
        }
        if let Some(load) = &self.load {
            write!(out, "; load before {load}")?;
        }
        let engines: Vec<String> = self.engines.iter().map(|(name, version)| format!("{name} {version}")).collect();
        if !engines.is_empty() {
            write!(out, "; {}", engines.join(", "))?;
        }
        write!(out, ". Made by\n`{}`.", self.command.join(" "))
    }
}

fn commit() -> Option<String> {
    let git = |words: &[&str]| Command::new("git").args(words).output().ok().filter(|output| output.status.success());
    let hash = String::from_utf8(git(&["rev-parse", "--short=12", "HEAD"])?.stdout).ok()?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|out| !out.stdout.is_empty());
    Some(hash.trim().to_owned() + if changed { "+" } else { "" })
}

/// What a case took and what it reached.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Scene with its settings.
    pub scene: String,
    /// Solver by name.
    pub solver: String,
    /// `cpu` or `gpu`.
    pub backend: String,
    /// The graphics card, in words; nothing for the processor.
    #[serde(default)]
    pub device: Option<String>,
    /// Threads.
    pub threads: usize,
    /// Bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Contact points, on average over the timed steps.
    #[serde(deserialize_with = "number")]
    pub contacts: f64,
    /// Steps taken, those of the warm-up included.
    pub steps: u64,
    /// Steps the scene asks for; a run that took fewer was cut short and is not judged.
    pub steps_asked: u64,
    /// Least of the repeats \[ms per step\]; of each repeat its median step.
    #[serde(deserialize_with = "number")]
    pub ms_min: f64,
    /// Middle of the repeats \[ms per step\].
    #[serde(deserialize_with = "number")]
    pub ms_median: f64,
    /// How far the repeats lie apart, as a share of the least: the noise.
    #[serde(deserialize_with = "number")]
    pub spread: f64,
    /// Peak of the memory the scene and its simulation took \[bytes\], where the system tells.
    pub memory: Option<f64>,
    /// Milliseconds per step in every phase, of the fastest repeat.
    pub phases: BTreeMap<String, f64>,
    /// Deepest overlap \[m\]; NaN, and nothing in the file, where the solver measures none.
    #[serde(deserialize_with = "number")]
    pub penetration: f64,
    /// Largest distance of a body from its start, at the end \[m\].
    #[serde(deserialize_with = "number")]
    pub drift: f64,
    /// Largest joint gap \[m\]; NaN, and nothing in the file, where the solver measures none.
    #[serde(deserialize_with = "number")]
    pub joint_gap: f64,
    /// Largest gain of energy, relative to the fall.
    #[serde(deserialize_with = "number")]
    pub energy_gain: f64,
    /// Whether the scene's claim held; nothing where the run was cut short.
    pub passed: Option<bool>,
    /// The figures of the claim, or why there are none.
    pub measured: String,
}

impl Row {
    /// What is compared with what.
    pub fn key(&self) -> (String, String, String, usize) {
        (self.scene.clone(), self.solver.clone(), self.backend.clone(), self.threads)
    }
}

/// JSON has no infinity and no NaN; what has no value or blew up comes as nothing.
pub fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(from)?.unwrap_or(f64::NAN))
}

/// Reads a file.
pub fn read<R: DeserializeOwned>(path: &Path) -> Result<BenchFile<R>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::new(format!("{} is no result of `drystone bench`: {error}; write one with --out", path.display()))
    })
}

/// Writes the file and a table of its numbers and names as CSV beside it.
pub fn write<R: Serialize>(path: &Path, file: &BenchFile<R>) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(file)? + "\n";
    atomic_write(path, |out| std::io::Write::write_all(out, text.as_bytes()))?;
    let table = csv(&file.rows)?;
    atomic_write(&path.with_extension("csv"), |out| std::io::Write::write_all(out, table.as_bytes()))?;
    Ok(())
}

/// Columns are the fields of the rows; lists and tables in them are left to the JSON, and so are sentences.
fn csv<R: Serialize>(rows: &[R]) -> Result<String, Failure> {
    let mut lines = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let Value::Object(mut fields) = serde_json::to_value(row)? else { continue };
        fields.retain(|key, value| key != "measured" && !value.is_object() && !value.is_array());
        if index == 0 {
            lines.push(fields.keys().cloned().collect::<Vec<_>>().join(","));
        }
        lines.push(fields.values().map(cell).collect::<Vec<_>>().join(","));
    }
    Ok(lines.join("\n") + "\n")
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains([',', '"', '\n']) => format!("\"{}\"", text.replace('"', "\"\"")),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn csv_keeps_numbers_and_names_and_quotes_commas() {
        let rows = [
            json!({"scene": "pile:count=2,x=1", "ms": 1.5, "phases": {"a": 1.0}, "passed": null}),
            json!({"scene": "wall", "ms": 2.0, "phases": {}, "passed": true}),
        ];
        let text = csv(&rows).unwrap();
        assert_eq!(text, "ms,passed,scene\n1.5,,\"pile:count=2,x=1\"\n2.0,true,wall\n");
    }
}
