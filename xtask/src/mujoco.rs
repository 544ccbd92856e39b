//! The comparison with MuJoCo: installs it into a virtual environment, writes the models, runs both.

use std::process::Command;

use crate::process::{cargo, root, run};
use crate::python::environment;

/// What the committed answers were made with.
const PACKAGE: &str = "mujoco==4.0.0";

/// Compares; with `--write` also replaces the committed answers.
pub fn mujoco(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--write") {
        return Err(format!("`mujoco` takes `--write` only, not `{unknown}`"));
    }
    let python = environment("mujoco-venv", &[PACKAGE])?;
    let models = root().join("target/mujoco");
    let mut write = cargo();
    write.args(["run", "--quiet", "-p", "drystone-tests", "--example", "mujoco_models", "--"]);
    run(write.arg(&models))?;
    let mut compare = Command::new(python);
    compare.arg(root().join("tools/compare_mujoco.py")).arg(&models).arg(root().join("tests/fixtures/mujoco"));
    run(compare.args(arguments))
}
