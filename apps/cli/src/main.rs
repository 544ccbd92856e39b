//! The `drystone` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(drystone_cli::run(std::env::args_os()))
}
