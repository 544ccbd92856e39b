//! `drystone run necklace --backend gpu`: strings of beads that live on the device from the first frame
//! to the last. There is no model behind them, so that a hundred million fit. With options that need a model the
//! scene runs as any other.

use std::path::Path;

use drystone_device::open;
use drystone_io::atomic::atomic_write;
use drystone_io::npz::{Array, Data, NpzWriter};
use drystone_jacobi::gpu::{BeadRecording, NecklaceRun, RunFigures, StepOptions};
use drystone_scenes::{Parameter, Params};

use crate::Outcome;
use crate::args::{Backend, RunOptions};
use crate::error::Failure;
use crate::print;
use crate::progress::Progress;

/// The parameters of the scene `necklace`, with room for what only a device can run.
const PARAMETERS: &[Parameter] = &[
    Parameter::count("chains", 100, 1, 100_000_000, "strings"),
    Parameter::count("beads", 40, 1, 1_000_000, "beads on a string"),
];
/// Largest recording: a gigabyte of numbers.
const MOST_NUMBERS: usize = 1 << 27;
/// Simulated time unless another is asked for \[s\].
const SECONDS: f64 = 5.0;

/// Steps in a frame, and iterations, relaxation and share of the gaps taken back in each. One step of twenty
/// iterations per frame, as published, lets a string of 40 come apart by metres within seconds; these hold it to 3 mm
/// for ten, and cost eight times as much.
const SUBSTEPS: u32 = 16;
const ITERATIONS: u32 = 10;
const RELAXATION: f32 = 0.75;
const STABILIZATION: f32 = 0.2;
/// Longest strings whose gaps are taken back: on longer ones the iterations do not reach the other end, and what they
/// take back becomes motion (1,000 beads flew apart; without it they kept together to 5 mm for four seconds).
const SHORT: usize = 64;

/// Runs the necklaces.
pub fn run(options: &RunOptions) -> Result<Outcome, Failure> {
    let run = plan(options)?;
    let beads = run.chains * run.beads;
    let device = open(options.device)?;
    let mut progress = Progress::new("necklace", 0, run.frames, beads, options.quiet || options.json);
    let figures = run.run(&device, &mut |done| progress.step(done))?;
    progress.finish();
    if let (Some(path), Some(recording)) = (&options.record, &figures.recording) {
        write(path, recording)?;
    }
    tell(options, device.name(), &run, &figures)?;
    Ok(Outcome::Good)
}

fn plan(options: &RunOptions) -> Result<NecklaceRun, Failure> {
    let mut params = Params::new("necklace", PARAMETERS);
    for text in &options.source.set {
        params.set(text).map_err(Failure::new)?;
    }
    let (chains, beads) = (params.count("chains"), params.count("beads"));
    let most = NecklaceRun::MOST_BEADS;
    if chains.saturating_mul(beads) > most {
        return Err(Failure::new(format!("{chains} strings of {beads} beads are too many; {most} beads fit a device")));
    }
    let dt = options.source.dt.unwrap_or(drystone::DEFAULT_DT);
    let seconds = options.source.seconds.unwrap_or(SECONDS);
    if !(dt.is_finite() && dt > 0.0 && seconds.is_finite() && seconds >= 0.0) {
        return Err(Failure::new(format!("--dt {dt} and --seconds {seconds} must be positive numbers of seconds")));
    }
    let step = StepOptions {
        dt: (dt / f64::from(SUBSTEPS)) as f32,
        iterations: options.iterations.unwrap_or(ITERATIONS),
        relaxation: RELAXATION,
        stabilization: if beads <= SHORT { STABILIZATION } else { 0.0 },
    };
    Ok(NecklaceRun {
        chains,
        beads,
        step,
        substeps: SUBSTEPS,
        frames: options.source.steps.unwrap_or((seconds / dt).round() as u64),
        every: options.record.is_some().then_some(options.every.unwrap_or(1)),
        most_numbers: MOST_NUMBERS,
    })
}

/// Whether a run is one of necklaces on the GPU that needs no model.
pub fn suits(options: &RunOptions) -> bool {
    let needs_model = options.solver.is_some()
        || !options.option.is_empty()
        || !options.export.is_empty()
        || options.report.is_some()
        || options.checkpoint.is_some()
        || options.resume.is_some();
    options.backend == Backend::Gpu && options.source.scene == "necklace" && !needs_model
}

/// Writes the arrays `time`, `body_q` and `body_qd` of a recording.
fn write(path: &Path, recording: &BeadRecording) -> Result<(), Failure> {
    let frames = recording.frame.len();
    let beads = recording.frame.first().map_or(0, Vec::len);
    let part = |first: usize, count: usize| {
        let words = recording.frame.iter().flatten().flat_map(|bead| &bead[first..first + count]);
        Array::new(&[frames, beads, count], Data::Float(words.map(|&word| f64::from(word)).collect()))
    };
    atomic_write(path, |file| {
        let mut npz = NpzWriter::new(file);
        npz.array("time", &Array::new(&[frames], Data::Float(recording.time.clone())))?;
        npz.array("body_q", &part(0, 7))?;
        npz.array("body_qd", &part(7, 6))?;
        npz.finish()
    })?;
    Ok(())
}

fn tell(options: &RunOptions, device: &str, run: &NecklaceRun, figures: &RunFigures) -> Result<(), Failure> {
    let beads = run.chains * run.beads;
    let rate = run.frames as f64 / figures.run_seconds;
    if options.json {
        let summary = serde_json::json!({
            "scene": "necklace",
            "beads": beads,
            "frames": run.frames,
            "device": device,
            "execution": figures.execution,
            "build_seconds": figures.build_seconds,
            "run_seconds": figures.run_seconds,
            "frames_per_second": rate,
            "beads_per_second": rate * beads as f64,
            "largest_gap": figures.largest_gap,
        });
        print::line(serde_json::to_string_pretty(&summary)?);
    } else if !options.quiet {
        print::line(format!("{beads} beads, {} frames on {device} ({})", run.frames, figures.execution));
        print::line(format!(
            "{rate:.1} frames/s, {:.3e} beads/s; built in {:.1} s; largest gap {:.2e} m",
            rate * beads as f64,
            figures.build_seconds,
            figures.largest_gap
        ));
        if let Some(path) = &options.record {
            print::line(format!("wrote {}", path.display()));
        }
    }
    Ok(())
}
