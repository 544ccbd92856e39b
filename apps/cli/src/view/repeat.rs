//! `drystone view --repeat`: a log run again.

use std::path::Path;

use drystone_live::{Log, Start};

use super::{refused, start_of};
use crate::Outcome;
use crate::args::SceneOptions;
use crate::error::Failure;
use crate::print;
use crate::robot::RobotOptions;
use crate::source::scene_job;

/// Runs a log to its end and says whether the bits are the same.
pub fn repeat(file: &Path, threads: Option<usize>, robot: &RobotOptions) -> Result<Outcome, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let log = Log::parse(&text).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let start = if log.is_of_library() {
        Start { threads, ..Start::library(log.scene(), log.parameters()).map_err(refused)? }
    } else {
        let source = SceneOptions { scene: log.scene().to_owned(), robot: robot.clone(), ..SceneOptions::default() };
        start_of(scene_job(&source)?, threads)
    };
    let done = log.repeat(start).map_err(refused)?;
    if done.is_same() {
        print::line(format!("step {}: the same bits, {}", done.step, done.hash));
        return Ok(Outcome::Good);
    }
    print::line(format!("step {}: other bits, {}; the log has {}", done.step, done.hash, done.expected));
    Ok(Outcome::ClaimFailed)
}
