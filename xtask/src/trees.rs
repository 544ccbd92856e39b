//! `structured` beside MuJoCo on trees of 10 to 10,000 bodies: installs MuJoCo into a virtual environment, writes the trees, measures both.

use std::process::Command;

use crate::process::{cargo, root, run};
use crate::python::environment;

/// What the committed table was made with.
const PACKAGE: &str = "mujoco==4.0.0";

/// Measures trees of as many bodies as asked for, or of 10 to 10,000, and prints a table.
pub fn trees(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.iter().find(|argument| argument.parse::<usize>().is_err()) {
        return Err(format!("`trees` takes numbers of bodies, not `{unknown}`"));
    }
    let python = environment("mujoco-venv", &[PACKAGE])?;
    let folder = root().join("target/trees");
    let mut ours = cargo();
    ours.args(["run", "--quiet", "--release", "-p", "drystone-tests", "--example", "tree_times", "--"]);
    run(ours.arg(&folder).args(arguments))?;
    run(Command::new(python).arg(root().join("tools/tree_times.py")).arg(&folder))
}
