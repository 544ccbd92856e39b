//! The `drystone` command.
//!
//! Exit codes: 0 good, 1 the scene's claim failed (or a check disagrees), 2 bad input, 130 stopped
//! by the user.
#![forbid(unsafe_code)]

mod args;
#[cfg(any(feature = "cuda", feature = "vulkan"))]
mod beads;
mod bench;
mod check;
mod compare;
mod convert;
#[cfg(test)]
mod documented;
mod error;
mod frames;
mod gallery;
mod live_run;
mod outputs;
mod print;
mod progress;
mod report;
mod resume;
mod robot;
mod run;
mod scenes;
mod schema;
mod source;
mod summary;
mod view;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Command};
use crate::error::Failure;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything held.
    Good,
    /// A claim did not hold.
    ClaimFailed,
    /// The user stopped it.
    Stopped,
}

fn main() -> ExitCode {
    // Clap reports bad options itself, with exit code 2.
    let arguments = Arguments::parse();
    match dispatch(arguments.command) {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::ClaimFailed) => ExitCode::from(1),
        Ok(Outcome::Stopped) => ExitCode::from(130),
        Err(failure) => {
            eprintln!("{}", failure.shown());
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Scenes(options) => scenes::list(&options),
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Compare(options) => compare::compare(&options),
        Command::Gallery(options) => gallery::gallery(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Convert(options) => convert::convert(&options),
        Command::Schema(options) => schema::print(&options),
        Command::Completions(options) => {
            let mut text = Vec::new();
            clap_complete::generate(options.shell, &mut Arguments::command(), "drystone", &mut text);
            print::line(String::from_utf8_lossy(&text).trim_end());
            Ok(Outcome::Good)
        }
    }
}
