//! The viewer without a server: the page and the engine as WebAssembly in a folder that any web server can give away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process::{cargo, root, run};
use crate::view;
use crate::wasm::{TARGET, have_target, without_names};
use crate::web::{FILES, KEPT, node};

/// Steps of each run compared, twice: the second half is timed, in four parts of which the quickest counts.
const STEPS: &str = "20";
const SCENES: [&str; 10] = [
    "pyramid",
    "card-house",
    "chain",
    "double-pendulum",
    "domino",
    "four-bar",
    "gyroscope",
    "newton-cradle",
    "pendulum",
    "wrecking-ball",
];
const SOLVERS: [&str; 4] = ["vbd", "jacobi", "structured", "abd"];
/// Solvers refuse some of these scenes by what they are made for; so many runs must be left.
const LEAST: usize = 24;

/// What the page may do: itself, and the module beside it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; \
                      worker-src 'self'; img-src blob: data:; base-uri 'none'; form-action 'none'";

/// Builds `target/demo`; with `--check` also runs ten scenes in it under Node, holds this machine's build to the same bits, and
/// opens in Chromium what the book shows of it.
pub fn demo(arguments: &[String]) -> Result<(), String> {
    let check = match arguments {
        [] => false,
        [word] if word == "--check" => true,
        _ => return Err("`demo` takes `--check` only".into()),
    };
    let folder = root().join("target/demo");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let size = put_engine(&folder)?;
    put_page(&folder)?;
    println!("xtask: {} holds the page and {} kB of engine", folder.display(), size / 1000);
    if !check {
        return Ok(());
    }
    compare(&folder)?;
    view::embedded(&folder)
}

fn put_engine(folder: &Path) -> Result<usize, String> {
    have_target()?;
    run(cargo().args(["build", "--release", "--locked", "-p", "drystone-demo", "--target", TARGET]))?;
    let built = target().join(TARGET).join("release/drystone_demo.wasm");
    let bytes = fs::read(&built).map_err(|error| format!("{}: {error}", built.display()))?;
    let bytes = without_names(&bytes).ok_or_else(|| format!("{}: not a module of WebAssembly", built.display()))?;
    fs::write(folder.join("engine.wasm"), &bytes).map_err(|error| format!("engine.wasm: {error}"))?;
    Ok(bytes.len())
}

fn put_page(folder: &Path) -> Result<(), String> {
    for name in FILES {
        let bytes = fs::read(root().join(KEPT).join(name)).map_err(|error| format!("{KEPT}/{name}: {error}"))?;
        let bytes = if name == "index.html" { alone(&String::from_utf8_lossy(&bytes)).into_bytes() } else { bytes };
        fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// The page for a folder without an engine behind it.
fn alone(page: &str) -> String {
    let policy =
        format!("<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    page.replace("<html lang=\"en\">", "<html lang=\"en\" data-engine=\"wasm\">")
        .replace("<meta charset=\"utf-8\">", &policy)
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Logs of runs in the module must repeat here to the same bits.
fn compare(folder: &Path) -> Result<(), String> {
    let logs = root().join("target/demo-logs");
    fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    run(cargo().args(["build", "--release", "--locked", "-p", "drystone-cli"]))?;
    let drystone = target().join("release").join(format!("drystone{}", std::env::consts::EXE_SUFFIX));
    let runs = SCENES.iter().flat_map(|scene| SOLVERS.map(|solver| format!("{scene}/{solver}")));
    let script = root().join("web/test/repeat.mjs");
    let output =
        Command::new(node()?).arg(script).arg(folder.join("engine.wasm")).arg(&logs).arg(STEPS).args(runs).output();
    let output = output.map_err(|error| format!("node did not start: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("the module failed under Node: {said}{}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut same = 0;
    for line in said.lines() {
        let mut words = line.split(' ');
        let (Some(scene), Some(solver), Some(third)) = (words.next(), words.next(), words.next()) else { continue };
        if third == "refused:" {
            println!("       {line}");
            continue;
        }
        let log = logs.join(format!("{scene}-{solver}.jsonl"));
        let again = Command::new(&drystone).args(["view", "--repeat"]).arg(&log).output();
        let again = again.map_err(|error| format!("{} did not start: {error}", drystone.display()))?;
        let words = String::from_utf8_lossy(&again.stdout);
        if !again.status.success() {
            return Err(format!("{scene} under {solver}: {words}{}", String::from_utf8_lossy(&again.stderr)));
        }
        let native = milliseconds_here(&drystone, &logs, scene, solver)?;
        println!("       {scene} {solver}: {} ({third} ms a step in the module, {native:.3} here)", words.trim());
        same += 1;
    }
    if same < LEAST {
        return Err(format!("{same} runs only could be compared, {LEAST} should be"));
    }
    println!("xtask: {same} runs end with the same bits in the module and here");
    Ok(())
}

/// A step of this machine's build on one thread, the least mean of three runs \[ms\].
fn milliseconds_here(drystone: &Path, folder: &Path, scene: &str, solver: &str) -> Result<f64, String> {
    let report = folder.join("report.json");
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let mut command = Command::new(drystone);
        command.args(["run", scene, "--solver", solver, "--steps", "40", "--threads", "1", "--quiet", "--report"]);
        let output = command.arg(&report).output().map_err(|error| format!("drystone did not start: {error}"))?;
        let text = fs::read_to_string(&report).map_err(|error| format!("{}: {error}", report.display()))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", report.display()))?;
        let each = value["seconds_per_step"].as_f64();
        let said = String::from_utf8_lossy(&output.stderr);
        least = least.min(each.ok_or_else(|| format!("{scene} under {solver}: no time is told: {said}"))?);
    }
    Ok(1e3 * least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_alone_knows_it_and_may_run_the_engine() {
        let kept = fs::read_to_string(root().join(KEPT).join("index.html")).unwrap();
        let page = alone(&kept);
        assert!(page.contains("data-engine=\"wasm\"") && page.contains("'wasm-unsafe-eval'"));
    }
}
