//! Robot files of other projects: imported, counted, and held against MuJoCo and Pinocchio.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, root, run};
use crate::python::environment;

/// What gives the answers.
const ORACLES: [&str; 2] = ["mujoco-core==4.0.1", "pin==4.1.0"];
/// Where the files come from.
const PACKAGES: [&str; 8] = [
    "gymnasium==1.4.0",
    "brax==0.14.2",
    "mujoco-warp==4.0.0",
    "newton==1.7.0",
    "gymnasium-robotics==1.4.2",
    "dm_control==1.0.50",
    "example-robot-data==6.0.0",
    "pybullet==3.2.7",
];
/// The robots whose answers are kept.
const KEPT: [&str; 5] = ["walker.xml", "cart.xml", "fish.xml", "balls.xml", "arm.urdf"];

/// Imports, counts and compares; with `--write` replaces the kept answers instead.
pub fn robots(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--write") {
        return Err(format!("`robots` takes `--write` only, not `{unknown}`"));
    }
    let python = environment("robots-venv", &ORACLES)?;
    if !arguments.is_empty() {
        let fixtures = root().join("tests/fixtures/robots");
        return KEPT.iter().try_for_each(|robot| run(answers(&python, &fixtures).arg(fixtures.join(robot))));
    }
    let folder = root().join("target/robots");
    fetch(&python, &folder)?;
    let mut count = cargo();
    count.args(["run", "--quiet", "-p", "drystone-io", "--example", "import_corpus", "--"]);
    run(count.arg(folder.join("files")))?;
    let mut files = Vec::new();
    gather(&folder.join("files"), &mut files);
    files.sort();
    let told = folder.join("answers");
    let _ = fs::remove_dir_all(&told);
    run(answers(&python, &told).args(files))?;
    let mut compare = cargo();
    compare.args(["run", "--quiet", "-p", "drystone-tests", "--example", "robots", "--"]);
    run(compare.arg(told))
}

fn answers(python: &Path, out: &Path) -> Command {
    let mut command = Command::new(python);
    command.arg(root().join("tools/robot_answers.py")).arg(out);
    command
}

/// Fetches the packages and unpacks them, each once.
fn fetch(python: &Path, folder: &Path) -> Result<(), String> {
    for package in PACKAGES {
        let files = folder.join("files").join(package);
        if files.exists() {
            continue;
        }
        let wheels = folder.join("wheels").join(package);
        let mut download = Command::new(python);
        download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"]);
        run(download.arg(&wheels).arg(package))?;
        let wheel = wheels.read_dir().map_err(|error| format!("{}: {error}", wheels.display()))?;
        let wheel = wheel.flatten().next().ok_or_else(|| format!("no wheel of {package}"))?.path();
        run(Command::new(python).args(["-m", "zipfile", "-e"]).arg(wheel).arg(&files))?;
    }
    Ok(())
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let mjcf =
            || fs::read_to_string(&path).is_ok_and(|text| text.contains("<mujoco") && !text.contains("<mujocoinclude"));
        match extension {
            _ if path.is_dir() => gather(&path, files),
            "urdf" => files.push(path),
            "xml" if mjcf() => files.push(path),
            _ => {}
        }
    }
}
