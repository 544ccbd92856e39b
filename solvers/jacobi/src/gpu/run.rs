//! A run of strings of beads from the first frame to the last on the device.

use std::time::Instant;

use cubecl::prelude::*;
use drystone_device::{Device, DeviceError, Gpu, Job, Phases};

use super::engine::PointEngine;
use super::necklace::necklaces;
use super::reference::largest_gap;
use super::system::{PointState, StepOptions};

/// Steps taken in one launch where nobody looks at them in between.
const STEPS_PER_LAUNCH: u64 = 8;
/// Numbers of a bead in a frame of a recording: pose and velocity.
const NUMBERS: usize = 13;

/// Strings of beads to be run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NecklaceRun {
    /// Strings.
    pub chains: usize,
    /// Beads on a string.
    pub beads: usize,
    /// How a step is taken.
    pub step: StepOptions,
    /// Steps in a frame.
    pub substeps: u32,
    /// Frames to take.
    pub frames: u64,
    /// Frames from one of the recording to the next, if there is to be one.
    pub every: Option<u64>,
    /// A recording that would grow beyond this many numbers drops every second frame and records half as
    /// often from then on.
    pub most_numbers: usize,
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFigures {
    /// How the device ran it, in words.
    pub execution: String,
    /// Seconds to build the system and take it to the device.
    pub build_seconds: f64,
    /// Seconds of all frames, recording included.
    pub run_seconds: f64,
    /// Largest gap of a joint at the end \[m\].
    pub largest_gap: f32,
    /// Frames of the run, if they were recorded.
    pub recording: Option<BeadRecording>,
}

impl NecklaceRun {
    /// Most beads that fit: positions of words on the device are 32 bits wide, and a bead has 13.
    pub const MOST_BEADS: usize = (u32::MAX as usize) / PointState::BODY_WORDS;

    /// Runs on `device`; `progress` hears the number of frames done now and then.
    pub fn run(self, device: &Device, progress: &mut dyn FnMut(u64)) -> Result<RunFigures, DeviceError> {
        device.run(Running { run: self, progress })
    }
}

struct Running<'a> {
    run: NecklaceRun,
    progress: &'a mut dyn FnMut(u64),
}

impl Job for Running<'_> {
    type Output = Result<RunFigures, DeviceError>;

    fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
        let Self { run, progress } = self;
        let start = Instant::now();
        let (system, mut state) = necklaces(run.chains, run.beads);
        let mut engine = PointEngine::new(gpu, &system);
        engine.upload(gpu, &state);
        gpu.sync()?;
        let build_seconds = start.elapsed().as_secs_f64();
        let mut recording = run.every.map(|every| BeadRecording::new(every.max(1), run.most_numbers));
        let substeps = run.substeps.max(1);
        let frame = f64::from(run.step.dt) * f64::from(substeps);
        let start = Instant::now();
        let mut done = 0;
        while done < run.frames {
            let to_record = recording.as_ref().map_or(u64::MAX, |recording| recording.every - done % recording.every);
            let at_once = (STEPS_PER_LAUNCH / u64::from(substeps)).max(1);
            let count = at_once.min(run.frames - done).min(to_record);
            engine.frames(gpu, &run.step, count as u32 * substeps, &mut Phases::default())?;
            gpu.sync()?;
            done += count;
            if let Some(recording) = recording.as_mut().filter(|recording| done.is_multiple_of(recording.every)) {
                engine.download(gpu, &mut state)?;
                recording.push(done, frame, &state);
            }
            progress(done);
        }
        let run_seconds = start.elapsed().as_secs_f64();
        engine.download(gpu, &mut state)?;
        let largest_gap = largest_gap(&system, &state);
        let execution = format!("{:?}", engine.execution());
        Ok(RunFigures { execution, build_seconds, run_seconds, largest_gap, recording })
    }
}

/// Poses and velocities of the beads in some frames.
#[derive(Clone, Debug, PartialEq)]
pub struct BeadRecording {
    /// Frames of the run from one to the next.
    pub every: u64,
    /// Frame of the run of every frame.
    pub step: Vec<u64>,
    /// Time of every frame \[s\].
    pub time: Vec<f64>,
    /// Per frame, for every bead: position \[m\], orientation (x, y, z, w), velocity \[m/s\], angular
    /// velocity \[rad/s\].
    pub frame: Vec<Vec<[f32; NUMBERS]>>,
    most_numbers: usize,
}

impl BeadRecording {
    fn new(every: u64, most_numbers: usize) -> Self {
        Self { every, step: Vec::new(), time: Vec::new(), frame: Vec::new(), most_numbers }
    }

    /// Adds a frame, after thinning the recording if it would get too large.
    fn push(&mut self, step: u64, dt: f64, state: &PointState) {
        let numbers = state.position.len() * NUMBERS;
        while !self.frame.is_empty() && (self.frame.len() + 1) * numbers > self.most_numbers {
            self.thin();
        }
        if step.is_multiple_of(self.every) {
            self.step.push(step);
            self.time.push(step as f64 * dt);
            self.frame.push((0..state.position.len()).map(|body| state.body_words(body)).collect());
        }
    }

    fn thin(&mut self) {
        self.every *= 2;
        let kept = |step: &u64| step.is_multiple_of(self.every);
        let keep: Vec<bool> = self.step.iter().map(kept).collect();
        let mut index = 0..keep.len();
        self.frame.retain(|_| index.next().is_some_and(|index| keep[index]));
        let mut index = 0..keep.len();
        self.time.retain(|_| index.next().is_some_and(|index| keep[index]));
        self.step.retain(kept);
    }
}
