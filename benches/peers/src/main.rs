//! Drystone beside Rapier and Box3D: the same scenes, the same evaluator, one run.
//!
//! ```text
//! peers [SCENE…] [--engines a,b] [--steps N] [--repeats N] [--limit SECONDS] [--python PROGRAM] [--out STEM]
//! peers collision [--count N] [--steps N] [--frames N] [--repeats N]
//! peers rays [--count N] [--rays N] [--steps N] [--repeats N]
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "box3d")]
mod box3d;
mod clock;
mod cloth;
mod collision;
mod config;
mod describe;
mod drystone_engine;
mod duel;
mod engine;
mod evaluate;
mod external;
mod rapier;
mod rays;
mod report;

use std::path::PathBuf;
use std::str::FromStr;

use config::Config;
use duel::{Plan, duel};
use engine::Fault;
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
    if words.first().is_some_and(|word| word == "rays") {
        let count = option(&mut words, "--count")?.unwrap_or(8000);
        let rays = option(&mut words, "--rays")?.unwrap_or(1000);
        let steps = option(&mut words, "--steps")?.unwrap_or(200);
        let repeats = option(&mut words, "--repeats")?.unwrap_or(20);
        return rays::rays(count, rays, steps, repeats);
    }
    let engines: Option<String> = option(&mut words, "--engines")?;
    let configs = match engines {
        Some(list) => list.split(',').map(Config::parse).collect::<Result<_, _>>()?,
        None => Config::DEFAULT.map(Config::parse).into_iter().collect::<Result<_, _>>()?,
    };
    let steps = option(&mut words, "--steps")?;
    let repeats = option(&mut words, "--repeats")?.unwrap_or(1usize).max(1);
    let limit = option(&mut words, "--limit")?.unwrap_or(f64::INFINITY);
    let python = option(&mut words, "--python")?.unwrap_or_else(|| PathBuf::from("python3"));
    let out: Option<PathBuf> = option(&mut words, "--out")?;
    if let Some(stray) = words.iter().find(|word| word.starts_with('-')) {
        return Err(format!(
            "`{stray}` is no option; there are --engines, --steps, --repeats, --limit, --python and --out"
        )
        .into());
    }
    let scenes = if words.is_empty() { SCENES.iter().map(|&name| name.to_owned()).collect() } else { words };
    let plan = Plan { scene: String::new(), steps, repeats, configs, limit, python };
    // Engines on one thread work on this one: handing a step to another and waiting for it takes longer than a small
    // scene.
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(|| compare(scenes, plan, out))
}

fn compare(scenes: Vec<String>, mut plan: Plan, out: Option<PathBuf>) -> Result<(), Fault> {
    let mut machine = Machine::look();
    println!("{} · {} cores · load {} · {:?}", machine.cpu, machine.cores, machine.load_before, machine.versions);
    let mut rows = Vec::new();
    for scene in scenes {
        plan.scene = scene;
        let new = duel(&plan)?;
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
