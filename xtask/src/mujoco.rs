//! The comparison with MuJoCo: installs it into a virtual environment, writes the models, runs both.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, find_program, root, run};

/// What the committed answers were made with.
const PACKAGE: &str = "mujoco==4.0.0";

/// Compares; with `--write` also replaces the committed answers.
pub fn mujoco(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--write") {
        return Err(format!("`mujoco` takes `--write` only, not `{unknown}`"));
    }
    let python = environment()?;
    let models = root().join("target/mujoco");
    let mut write = cargo();
    write.args(["run", "--quiet", "-p", "drystone-tests", "--example", "mujoco_models", "--"]);
    run(write.arg(&models))?;
    let mut compare = Command::new(python);
    compare.arg(root().join("tools/compare_mujoco.py")).arg(&models).arg(root().join("tests/fixtures/mujoco"));
    run(compare.args(arguments))
}

/// The interpreter of a virtual environment that has MuJoCo.
fn environment() -> Result<PathBuf, String> {
    let folder = root().join("target/mujoco-venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let base = ["python3", "python"].into_iter().find_map(find_program);
        let base = base.ok_or("Python is needed for this comparison; install Python 3.10 or newer")?;
        run(Command::new(base).args(["-m", "venv"]).arg(&folder))?;
    }
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]))?;
    Ok(python)
}
