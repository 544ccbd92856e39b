//! `cargo xtask view`: the viewer in a real browser, driven by trusted events.

mod alone;
mod budget;
mod cloth;
mod driver;
mod engine;
mod eyes;
mod hands;
mod keep;
mod looks;
mod measure;
mod page;
mod pictures;
mod time;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::process::{cargo, root, run};
use crate::web::{have, install_packages, node};
use page::Tools;

/// A case: its name and what it does.
type Case = (&'static str, fn(&Tools) -> Result<(), String>);

const CASES: [Case; 15] = [
    ("ready, no complaint, nobody else asked", hands::starts_clean),
    ("keys change what the engine reports", hands::keys),
    ("camera turns, moves, zooms, fits and follows", hands::camera),
    ("a drag holds the body that the ray meets", hands::drag),
    ("a drag leads cloth by a particle", cloth::drag),
    ("balls, pushes, deleting, freezing", hands::edits),
    ("every control shows in the next report", hands::controls),
    ("scrubbing ends with the bits of an uninterrupted run", time::scrubbing),
    ("the engine dies and comes back", time::restart),
    ("picture, film, recording, checkpoint and log are kept", keep::keep),
    ("silhouettes of the rasteriser, bodies of the rays", eyes::silhouettes),
    ("everything that can be shown is shown", eyes::shown),
    ("two solvers side by side", eyes::side_by_side),
    ("light, dark, phone, zoom: usable by everybody", looks::looks),
    ("a picture costs what it may", budget::pictures),
];

/// Runs the tests of the page: those of its parts under Node, then the cases whose names contain a word given.
pub fn view(words: &[String]) -> Result<(), String> {
    match words {
        [first, words @ ..] if first == "--pictures" => return pictures::pictures(&tools()?, words),
        [first, words @ ..] if first == "--measure" => return measure::sizes(&tools()?, words),
        [first, words @ ..] if first == "--stalled" => return measure::stalled(&tools()?, words),
        _ => {}
    }
    install_packages()?;
    let tests = fs::read_dir(root().join("web/test")).map_err(|error| format!("web/test: {error}"))?;
    let tests = tests.flatten().map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(".test.mjs"));
    run(Command::new(node()?).args(["--test", "--test-reporter=dot"]).args(tests))?;
    let tools = tools()?;
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut failed = Vec::new();
    for (name, case) in CASES.into_iter().filter(|(name, _)| chosen(name)) {
        let start = Instant::now();
        let done = case(&tools);
        println!(
            "xtask: {} {name} ({:.1} s)",
            if done.is_ok() { "good" } else { "FAILED" },
            start.elapsed().as_secs_f64()
        );
        if let Err(why) = done {
            println!("       {why}");
            failed.push(name);
        }
    }
    println!("xtask: pictures are in {}", tools.pictures.display());
    if failed.is_empty() { Ok(()) } else { Err(format!("the viewer fails: {}", failed.join("; "))) }
}

/// Opens what the book shows of the viewer without a server, from the folder of `cargo xtask demo`.
pub fn embedded(folder: &Path) -> Result<(), String> {
    alone::embedded(&tools()?, folder)
}

/// The command in its release build, and the browser with its driver.
fn tools() -> Result<Tools, String> {
    run(cargo().args(["build", "--release", "--locked", "-p", "drystone-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let drystone = target.join("release").join(format!("drystone{}", std::env::consts::EXE_SUFFIX));
    let pictures = root().join("target/view");
    fs::create_dir_all(&pictures).map_err(|error| format!("{}: {error}", pictures.display()))?;
    let packages = ["chromium", "chromium-driver"];
    Ok(Tools { drystone, chromium: have("chromium", &packages)?, driver: have("chromedriver", &packages)?, pictures })
}
