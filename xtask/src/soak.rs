//! Random scenes under every solver: builds the program `soak` and hands it the arguments.

use crate::process::{cargo, run};

/// Runs the soak; `--help` lists what it takes.
pub fn soak(arguments: &[String]) -> Result<(), String> {
    run(cargo().args(["run", "--release", "--locked", "--quiet", "-p", "drystone-soak", "--"]).args(arguments))
}
