//! Every test of the workspace with one command.

use crate::process::{cargo, run, succeeds};
use crate::python;
use crate::setup::setup;

/// The crates that use the GPU, and the features that make them do so. Their tests need a Vulkan driver
/// and fail without one; [`setup`] installs the software driver where it may.
const GPU: [&str; 10] = [
    "-p",
    "drystone-device",
    "-p",
    "drystone-collide",
    "-p",
    "drystone-jacobi",
    "-p",
    "drystone-vbd",
    "--features",
    "drystone-device/wgpu,drystone-collide/vulkan,drystone-jacobi/vulkan,drystone-vbd/vulkan",
];

/// The command on the GPU, which is tested by itself: what it says without a GPU backend is part of its other tests.
const GPU_COMMAND: [&str; 6] = ["-p", "drystone-cli", "--features", "drystone-cli/vulkan", "--test", "gpu"];

/// Sets up, runs unit and integration tests, those on the GPU, the examples in the documentation, then the Python package.
/// All run even if the first fails, so that one run shows everything.
pub fn test(arguments: &[String]) -> Result<(), String> {
    setup();
    let tests = if succeeds(cargo().args(["nextest", "--version"])) {
        run(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]).args(arguments))
    } else {
        run(cargo().args(["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"]).args(arguments))
    };
    let gpu = run(cargo().args(["test", "--lib", "--tests", "--no-fail-fast"]).args(GPU).args(arguments));
    if !arguments.is_empty() {
        return tests.and(gpu);
    }
    let command = run(cargo().args(["test", "--no-fail-fast"]).args(GPU_COMMAND));
    let examples = run(cargo().args(["test", "--workspace", "--doc", "--no-fail-fast"]));
    tests.and(gpu).and(command).and(examples).and(python::test())
}
