//! Every test of the workspace with one command.

use crate::process::{cargo, run, succeeds};
use crate::setup::setup;

/// Sets up, runs unit and integration tests, then the examples in the documentation.
/// Both run even if the first fails, so that one run shows everything.
pub fn test(arguments: &[String]) -> Result<(), String> {
    setup();
    let tests = if succeeds(cargo().args(["nextest", "--version"])) {
        run(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]).args(arguments))
    } else {
        run(cargo().args(["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"]).args(arguments))
    };
    let examples = if arguments.is_empty() {
        run(cargo().args(["test", "--workspace", "--doc", "--no-fail-fast"]))
    } else {
        Ok(())
    };
    tests.and(examples)
}
