//! Fuzzing without further tools: libFuzzer comes with the crate `libfuzzer-sys`, and the compiler
//! flags below are those that cargo-fuzz would give. The code has no `unsafe`, so no sanitizer is used.

use std::fs;
use std::process::Command;

use crate::process::{cargo, root, run};

/// The readers, each with a folder of files to start from.
const TARGETS: [(&str, Option<&str>); 14] = [
    ("scene", Some("scenes")),
    ("urdf", Some("tests/fixtures/robots")),
    ("mjcf", Some("tests/fixtures/robots")),
    ("usd", Some("tests/fixtures/usd")),
    ("usdc", Some("tests/fixtures/usd")),
    ("obj", None),
    ("stl", None),
    ("ply", None),
    ("gltf", None),
    ("dae", Some("fuzz/seeds/dae")),
    ("msh", Some("fuzz/seeds/msh")),
    ("height", Some("fuzz/seeds/height")),
    ("recording", Some("fuzz/seeds/recording")),
    ("request", Some("tests/fixtures/requests")),
];

/// Counts which code each input reaches, which is what leads the search.
const FLAGS: [&str; 8] = [
    "--cfg fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions",
    "-Ccodegen-units=1",
];

/// Seconds per target unless told otherwise.
const SECONDS: u32 = 600;

/// Fuzzes the readers named, or all of them, for so many seconds each.
pub fn fuzz(arguments: &[String]) -> Result<(), String> {
    let (numbers, names): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|word| word.parse::<u32>().is_ok());
    let seconds = numbers.first().and_then(|word| word.parse().ok()).unwrap_or(SECONDS);
    if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|(target, _)| target != **name)) {
        let known: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        return Err(format!("there is no fuzz target `{unknown}`; there are {}", known.join(", ")));
    }
    let fuzz = root().join("fuzz");
    let triple = host()?;
    // An explicit target keeps the flags away from build scripts.
    let build = ["build", "--release", "--target", &triple, "--target-dir", "target"];
    run(cargo().current_dir(&fuzz).args(build).env("RUSTFLAGS", FLAGS.join(" ")))?;
    for (target, seeds) in TARGETS.iter().filter(|(target, _)| names.is_empty() || names.iter().any(|n| n == target)) {
        let (corpus, artifacts) = (fuzz.join("corpus").join(target), fuzz.join("artifacts").join(target));
        for folder in [&corpus, &artifacts] {
            fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        let program = fuzz.join("target").join(&triple).join("release").join(target);
        let mut command = Command::new(program);
        command.arg(&corpus).args(seeds.map(|folder| root().join(folder)));
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        command.args([format!("-max_total_time={seconds}").as_str(), "-timeout=10", "-rss_limit_mb=2048"]);
        run(&mut command)?;
    }
    Ok(())
}

/// The machine this compiler builds for.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc did not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say which machine it builds for".to_owned())
}
