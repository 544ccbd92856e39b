//! Drystone beside Rapier and Box3D: the same scenes, the same evaluator, one run.
//!
//! ```text
//! peers [SCENE…] [--engines a,b] [--steps N] [--repeats N] [--out STEM]
//! peers collision [--count N] [--steps N] [--frames N] [--repeats N]
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "box3d")]
mod box3d;
mod clock;
mod collision;
mod duel;
mod engine;
mod evaluate;
mod rapier;
mod report;

use std::path::PathBuf;
use std::str::FromStr;

use duel::{Plan, duel};
use engine::{Config, Fault};
use report::Machine;

/// What is run when no scene is named: quality first, then throughput.
const SCENES: &[&str] = &[
    "pyramid",
    "wall",
    "mass-ratio",
    "mass-ratio:flat=true",
    "chain",
    "necklace",
    "card-house",
    "incline:angle=26.5",
    "incline:angle=26.75",
    "arch",
    "pile:count=2000",
    "large-pyramid",
    "joint-grid",
    "keva",
    "pile:count=8000",
];

fn main() -> Result<(), Fault> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "collision") {
        let count = option(&mut words, "--count")?.unwrap_or(8000);
        let steps = option(&mut words, "--steps")?.unwrap_or(300);
        let frames = option(&mut words, "--frames")?.unwrap_or(40);
        let repeats = option(&mut words, "--repeats")?.unwrap_or(3);
        return collision::collision(count, steps, frames, repeats);
    }
    let engines: Option<String> = option(&mut words, "--engines")?;
    let configs = match engines {
        Some(list) => list.split(',').map(Config::parse).collect::<Result<_, _>>()?,
        None => Config::DEFAULT.to_vec(),
    };
    let steps = option(&mut words, "--steps")?;
    let repeats = option(&mut words, "--repeats")?.unwrap_or(1usize).max(1);
    let out: Option<PathBuf> = option(&mut words, "--out")?;
    if let Some(stray) = words.iter().find(|word| word.starts_with('-')) {
        return Err(format!("`{stray}` is no option; there are --engines, --steps, --repeats and --out").into());
    }
    let scenes = if words.is_empty() { SCENES.iter().map(|&name| name.to_owned()).collect() } else { words };
    compare(scenes, steps, repeats, &configs, out)
}

fn compare(
    scenes: Vec<String>,
    steps: Option<u64>,
    repeats: usize,
    configs: &[Config],
    out: Option<PathBuf>,
) -> Result<(), Fault> {
    let mut machine = Machine::look();
    println!("{} · {} cores · load {} · {:?}", machine.cpu, machine.cores, machine.load_before, machine.versions);
    let mut rows = Vec::new();
    for scene in scenes {
        let new = duel(&Plan { scene, steps, repeats, configs: configs.to_vec() })?;
        report::print(&new);
        rows.extend(new);
        // After every scene, so that a run that is cut short leaves what it has.
        machine.load_after = report::load();
        if let Some(stem) = &out {
            report::write(stem, &machine, &rows)?;
        }
    }
    Ok(())
}

/// Takes `--name value` out of the words.
fn option<T: FromStr>(words: &mut Vec<String>, name: &str) -> Result<Option<T>, String> {
    let Some(place) = words.iter().position(|word| word == name) else { return Ok(None) };
    if place + 1 >= words.len() {
        return Err(format!("{name} needs a value"));
    }
    let value = words.remove(place + 1);
    words.remove(place);
    value.parse().map(Some).map_err(|_| format!("{name} cannot be `{value}`"))
}
