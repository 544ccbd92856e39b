//! What MuJoCo and Pinocchio say about trees: installs them into a virtual environment, writes the models, keeps their answers.

use std::process::Command;

use crate::process::{cargo, root, run};
use crate::python::environment;

/// What the committed answers were made with.
const PACKAGES: &[&str] = &["mujoco==4.0.0", "pin==4.1.0"];

/// Asks again, and holds us to the answers. With `--write` they replace the committed ones.
pub fn inverse(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--write") {
        return Err(format!("`inverse` takes `--write` only, not `{unknown}`"));
    }
    let python = environment("inverse-venv", PACKAGES)?;
    let models = root().join("target/inverse/models");
    let mut write = cargo();
    write.args(["run", "--quiet", "-p", "drystone-tests", "--example", "inverse_models", "--"]);
    run(write.arg(&models))?;
    let kept = root().join("tests/fixtures/inverse");
    let answers = if arguments.is_empty() { root().join("target/inverse/answers") } else { kept.clone() };
    let mut ask = Command::new(python);
    run(ask.arg(root().join("tools/ask_inverse.py")).arg(&models).arg(&answers))?;
    let mut test = cargo();
    test.args(["test", "--quiet", "-p", "drystone-tests", "--test", "inverse_answers"]);
    run(test.env("DRYSTONE_INVERSE_ANSWERS", &answers))
}
