//! `drystone bench`: what scenes cost and what that buys, on this machine; beside other engines; as they grow.

mod diff;
mod memory;
mod one;
pub mod options;
mod page;
mod peers;
mod record;
mod scaling;
mod set;
mod table;

use std::process::{Command, Stdio};

use indicatif::{ProgressBar, ProgressStyle};

use self::options::{BenchCommand, BenchOptions, SetOptions};
use self::page::Files;
use self::record::{BenchFile, Facts, Row};
use self::set::Case;
use crate::Outcome;
use crate::error::Failure;
use crate::print;

/// The section of a document with the set.
const SET: &str = "set";

/// Runs what was asked for.
pub fn bench(options: &BenchOptions) -> Result<Outcome, Failure> {
    match &options.command {
        None if options.set.peers => peers::peers(&options.set),
        None => measure_set(&options.set),
        Some(BenchCommand::Diff(options)) => diff::diff(options),
        Some(BenchCommand::Scaling(options)) => scaling::scaling(options),
        Some(BenchCommand::One(options)) => {
            print::line(serde_json::to_string(&one::measure(options)?)?);
            Ok(Outcome::Good)
        }
    }
}

/// Measures cases, each in a process of its own, so that memory is each case's own. What cannot be measured is said
/// and left out. The file is written after every case, so that a run that is cut short leaves what it has.
fn measure_all(cases: &[Case], effort: (u32, f64), files: &Files) -> Result<BenchFile<Row>, Failure> {
    if let Some(path) = &files.from {
        return record::read(path);
    }
    let mut file = BenchFile { facts: Facts::here(), rows: Vec::new() };
    let bar = Bar::new(cases.len(), files.quiet);
    for case in cases {
        bar.show(&format!("{} {} {}t", case.scene, case.solver, case.threads));
        match measure_apart(case, effort.0, effort.1) {
            Ok(row) => file.rows.push(row),
            Err(failure) => bar.say(&format!("{} by {}: {}", case.scene, case.solver, failure.0)),
        }
        if let Some(path) = &files.out {
            record::write(path, &file)?;
        }
    }
    bar.finish();
    Ok(file)
}

/// The set.
fn measure_set(options: &SetOptions) -> Result<Outcome, Failure> {
    options.files.check(SET)?;
    let cases = set::cases(options)?;
    let file = measure_all(&cases, (options.repeats, options.budget), &options.files)?;
    let (rows, noise) = (table::rows(&file.rows), table::noise(&file.rows));
    options.files.show(&file, &format!("{rows}\n{noise}"))?;
    options.files.section(SET, &format!("{}\n\n{rows}\n\n{noise}", file.facts))?;
    let failed = file.rows.iter().any(|row| row.passed == Some(false));
    let missing = options.files.from.is_none() && file.rows.len() < cases.len();
    Ok(if failed || missing { Outcome::ClaimFailed } else { Outcome::Good })
}

/// Measures a case in a process of its own.
fn measure_apart(case: &Case, repeats: u32, budget: f64) -> Result<Row, Failure> {
    let program =
        std::env::current_exe().map_err(|error| Failure::new(format!("cannot find this program: {error}")))?;
    let mut command = Command::new(program);
    command.args(["bench", "one", &case.scene, "--solver", &case.solver]);
    command.args(["--threads", &case.threads.to_string(), "--repeats", &repeats.to_string()]);
    command.args(["--budget", &budget.to_string()]);
    command.args(case.device.iter().flat_map(|device| ["--device".to_owned(), device.to_string()]));
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| Failure::new(format!("cannot start this program again: {error}")))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(message.trim().trim_start_matches("error: ")));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// How far a set is: a bar on a terminal, a line for every case elsewhere.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(total: usize, quiet: bool) -> Self {
        let bar = ProgressBar::new(total as u64);
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self((!quiet).then_some(bar))
    }

    /// Says what is measured next.
    fn show(&self, what: &str) {
        let Some(bar) = &self.0 else { return };
        if bar.is_hidden() {
            eprintln!("{}/{} {what}", bar.position() + 1, bar.length().unwrap_or(0));
        }
        bar.set_message(what.to_owned());
        bar.inc(1);
    }

    /// Says something that stays.
    fn say(&self, what: &str) {
        match &self.0 {
            Some(bar) if !bar.is_hidden() => bar.println(what),
            _ => eprintln!("{what}"),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
