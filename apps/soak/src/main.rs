//! The program behind `cargo xtask soak`.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use drystone_io::scene_file::{SceneSettings, export};
use drystone_soak::args::Args;
use drystone_soak::table::{table, worst};
use drystone_soak::trial::Outcome;
use drystone_soak::work::work;

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.write {
        Some(folder) => write_scenes(&args, folder).map(|()| true),
        None => soak(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("soak: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether no run had a fault that is not forgiven.
fn soak(args: &Args) -> Result<bool, String> {
    let outcomes = work(args)?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&outcomes).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("{}", table(&outcomes));
    print!("{}", worst(&outcomes));
    let forgiven = |outcome: &Outcome| outcome.faults.iter().all(|fault| args.forgive.contains(fault));
    Ok(outcomes.iter().all(forgiven))
}

fn write_scenes(args: &Args, folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for source in args.sources() {
        let case = source.case(args.seconds)?;
        let settings = SceneSettings { dt: Some(case.dt), seconds: Some(case.seconds), ..SceneSettings::default() };
        let text = export(&case.model, &case.name, settings).map_err(|fault| fault.to_string())?;
        let path = folder.join(format!("{}.json5", case.name));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
