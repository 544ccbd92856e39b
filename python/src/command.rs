//! The command line.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Does what `drystone ARGUMENTS…` does, the name of the program first, and returns its exit code. For a process that is this
/// command and nothing else: Ctrl-C is caught from then on.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| drystone_cli::run(arguments))
}
