//! The `drystone` command, as a library: [`run()`] takes what was typed and returns the exit code, so that a program in another
//! language can offer the same command.
//!
//! Exit codes: 0 good, 1 the scene's claim failed (or a check disagrees), 2 bad input, 130 stopped
//! by the user.
#![forbid(unsafe_code)]

mod args;
mod assemble;
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
mod gpu;
mod live_run;
mod outputs;
mod picture_options;
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
mod trade;
mod view;

use std::ffi::OsString;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Command};
use crate::error::Failure;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything held.
    Good,
    /// A claim did not hold.
    ClaimFailed,
    /// The user stopped it.
    Stopped,
}

/// Does what was typed, the name of the program first, and returns the exit code. Prints as a command does. Ctrl-C is caught
/// from the first command on that heeds it: for a process that is this command and nothing else.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(refusal) => {
            // A reader that has gone is no fault; help goes to standard output and is none either.
            let _ = refusal.print();
            return u8::try_from(refusal.exit_code()).unwrap_or(2);
        }
    };
    match dispatch(arguments.command) {
        Ok(Outcome::Good) => 0,
        Ok(Outcome::ClaimFailed) => 1,
        Ok(Outcome::Stopped) => 130,
        Err(failure) => {
            eprintln!("{}", failure.shown());
            2
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Scenes(options) => scenes::list(&options),
        Command::Run(options) => run::run(&options),
        Command::View(options) => view::view(&options),
        Command::Check(options) => check::check(&options),
        Command::Compare(options) => compare::compare(&options),
        Command::Gallery(options) => gallery::gallery(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Convert(options) => convert::convert(&options),
        Command::Assemble(options) => assemble::assemble(&options),
        Command::Sweep(options) => Err(Failure::new(format!(
            "`drystone sweep {}`: sweeps are part of the Python package, whose command has the same name; install it with \
             `pip install ./python` in a checkout",
            options.arguments.join(" ")
        ))),
        Command::Schema(options) => schema::print(&options),
        Command::Completions(options) => {
            let mut text = Vec::new();
            clap_complete::generate(options.shell, &mut Arguments::command(), "drystone", &mut text);
            print::line(String::from_utf8_lossy(&text).trim_end());
            Ok(Outcome::Good)
        }
    }
}
