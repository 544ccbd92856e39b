//! `drystone check`: figures of a run recomputed from its recording alone, by code that shares
//! nothing with the engine's collision and solvers but exact predicates and box trees.

mod against;
mod convex;
mod frame;
mod overlap;
mod place;
mod scene;
mod show;
mod soft;
mod surface;
mod swept;

use drystone::Recording;
use drystone_io::recording::read_recording;
use rayon::prelude::*;

use crate::Outcome;
use crate::args::CheckOptions;
use crate::error::Failure;
use frame::Frame;
use overlap::{Overlap, Shapes};
use scene::Scene;
use soft::{SoftFrame, Sunk};

/// Frames measured one after the other by one thread; pairs that stay as they are are measured once in these.
const RUN: usize = 16;

/// Frames in which overlaps are measured, unless told otherwise, of recordings in which they are allowed.
const SAMPLE: usize = 120;

/// What was recomputed.
pub struct Figures {
    /// Energies, momenta and joint gaps of every frame.
    frames: Vec<Frame>,
    /// What particles do, of the frames they were looked at in; `None` without particles.
    soft: Vec<Option<SoftFrame>>,
    /// Deepest overlap \[m\], of the frames it was measured in.
    pub overlap: Vec<Option<f64>>,
    /// What overlaps or touches, of the same frames.
    overlaps: Vec<Option<Vec<Overlap>>>,
    /// Pairs of shapes that meet on the way from the frame before and overlap at neither end, where that was looked for.
    passes: Vec<Option<Vec<[usize; 2]>>>,
    /// Shapes whose overlaps are not measured.
    pub unmeasured: usize,
    /// First frame with a number that is not finite.
    broken: Option<usize>,
    /// Whether the recording is of a solver that keeps surfaces apart.
    keeps_apart: bool,
}

/// An overlap with its frame.
pub struct Found<'a> {
    frame: usize,
    overlap: &'a Overlap,
}

/// Checks a recording.
pub fn check(options: &CheckOptions) -> Result<Outcome, Failure> {
    let recording = read_recording(&options.recording)?;
    if recording.frame_count() == 0 {
        return Err(Failure::new(format!("`{}` has no frames", options.recording.display())));
    }
    if let Some(limit) = options.max_overlap.filter(|limit| limit.is_nan() || *limit < 0.0) {
        return Err(Failure::new(format!("--max-overlap must be a length of at least 0 m, got {limit}")));
    }
    let report = options.against.as_deref().map(against::read).transpose()?;
    // Who keeps surfaces apart claims that no two of them share a point.
    let limit = options.max_overlap.or((!recording.body_affine.is_empty()).then_some(0.0));
    let frames = options.frames.unwrap_or(if limit.is_some() { 0 } else { SAMPLE });
    let mut figures = recompute(&recording, frames, options.swept);
    figures.look_at_particles(&recording, options.frames.unwrap_or(0));
    let agreement = match &report {
        Some(report) => against::compare(&figures, &recording, report)?,
        None => Vec::new(),
    };
    if options.json {
        let shown = show::json(&recording, &figures, limit, options.max_crossings, &agreement);
        println!("{}", serde_json::to_string_pretty(&shown)?);
    } else {
        println!("{}", show::table(&recording, &figures, limit, options.max_crossings, &agreement));
    }
    let good = figures.broken.is_none()
        && limit.is_none_or(|limit| figures.first_beyond(limit).is_none() && figures.unmeasured == 0)
        && figures.first_pass().is_none()
        && limit.is_none_or(|limit| figures.first_sunk(limit).is_none())
        && figures.first_crossing(options.max_crossings).is_none()
        && agreement.iter().all(|figure| figure.agrees);
    Ok(if good { Outcome::Good } else { Outcome::ClaimFailed })
}

/// Recomputes the figures of a recording, overlaps in about so many frames (0: in all); `swept` also looks between frames.
pub fn recompute(recording: &Recording, overlap_frames: usize, swept: bool) -> Figures {
    let count = recording.frame_count();
    let finite = |frame: usize| is_finite(recording, frame);
    let chosen = |frame: usize| is_chosen(count, overlap_frames, frame) && finite(frame);
    let scene = Scene::new(recording);
    let shapes = Shapes::new(recording, &scene);
    let overlaps = in_runs(count, |frames| {
        let mut sweep = shapes.sweep();
        frames.map(|frame| chosen(frame).then(|| sweep.measure(frame))).collect()
    });
    let passes = in_runs(count, |frames| {
        let mut sweep = shapes.sweep();
        let pass = |frame: usize| {
            let looked = swept && frame > 0 && finite(frame) && finite(frame - 1);
            looked.then(|| {
                let ends = [sweep.measure(frame - 1), sweep.measure(frame)];
                swept::passes(&shapes, frame, [&ends[0], &ends[1]])
            })
        };
        frames.map(pass).collect()
    });
    let deepest = |found: &Vec<Overlap>| found.iter().map(|overlap| overlap.depth).fold(0.0, f64::max);
    Figures {
        frames: (0..count).map(|frame| Frame::measure(recording, frame)).collect(),
        soft: vec![None; count],
        overlap: overlaps.iter().map(|found| found.as_ref().map(deepest)).collect(),
        overlaps,
        passes,
        unmeasured: shapes.unmeasured(),
        broken: (0..count).find(|&frame| !finite(frame)),
        keeps_apart: shapes.affine(),
    }
}

fn is_finite(recording: &Recording, frame: usize) -> bool {
    recording.poses(frame).iter().all(|q| q.translation.is_finite() && q.rotation.is_finite())
        && recording.affine(frame).as_flattened().iter().all(|x| x.is_finite())
        && recording.particles(frame).iter().all(|q| q.is_finite())
}

/// Whether a frame is among about so many (0: all), evenly spread. The last one counts most, so the selection ends with it.
fn is_chosen(count: usize, about: usize, frame: usize) -> bool {
    let every = if about == 0 { 1 } else { count.div_ceil(about) };
    (count - 1 - frame).is_multiple_of(every)
}

/// Frames cut into runs of consecutive ones, each by a thread.
fn in_runs<T: Send>(count: usize, run: impl Fn(std::ops::Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
    let starts: Vec<usize> = (0..count).step_by(RUN).collect();
    let runs: Vec<Vec<T>> = starts.par_iter().map(|&start| run(start..(start + RUN).min(count))).collect();
    runs.into_iter().flatten().collect()
}

impl Figures {
    /// Looks at the particles in about so many frames (0: in all). How deep they are in shapes counts among the overlaps of frames
    /// for which these were measured.
    pub fn look_at_particles(&mut self, recording: &Recording, about: usize) {
        let count = recording.frame_count();
        let scene = Scene::new(recording);
        let shapes = Shapes::new(recording, &scene);
        let looked = |frame: usize| is_chosen(count, about, frame) && is_finite(recording, frame);
        let look = |frame: usize| if looked(frame) { SoftFrame::measure(&shapes, frame) } else { None };
        self.soft = (0..count).into_par_iter().map(look).collect();
        for (overlap, soft) in self.overlap.iter_mut().zip(&self.soft) {
            if let (Some(overlap), Some(sunk)) = (overlap, soft.as_ref().and_then(|soft| soft.deepest)) {
                *overlap = overlap.max(sunk.depth);
            }
        }
    }

    /// The first frame in which more triangles of cloth cross than allowed, and how many. The scene as it was built answers for itself.
    fn first_crossing(&self, allowed: usize) -> Option<(usize, &[[u32; 2]])> {
        let frames = self.soft.iter().enumerate().skip(1);
        let crossings = frames.filter_map(|(frame, soft)| Some((frame, &soft.as_ref()?.crossings[..])));
        crossings.into_iter().find(|(_, crossings)| crossings.len() > allowed)
    }

    /// The first frame with a particle deeper in a shape than `limit` \[m\].
    fn first_sunk(&self, limit: f64) -> Option<(usize, Sunk)> {
        self.sunk().find(|(_, sunk)| sunk.depth > limit)
    }

    /// The deepest particle of every frame in which one is in a shape.
    fn sunk(&self) -> impl Iterator<Item = (usize, Sunk)> + '_ {
        self.soft.iter().enumerate().filter_map(|(frame, soft)| Some((frame, soft.as_ref()?.deepest?)))
    }

    fn deepest_particle(&self) -> Option<(usize, Sunk)> {
        // Of equal ones the first.
        self.sunk().reduce(|worst, found| if found.1.depth > worst.1.depth { found } else { worst })
    }

    fn max_overlap(&self) -> f64 {
        self.overlap.iter().flatten().copied().fold(0.0, f64::max)
    }

    /// All overlaps of frames that are judged. The first frame of a solver that keeps surfaces apart is the scene as it was
    /// built, where bodies may touch; it answers for the others.
    fn judged(&self) -> impl Iterator<Item = Found<'_>> {
        let from = usize::from(self.keeps_apart && self.overlaps.len() > 1);
        let frames = self.overlaps.iter().enumerate().skip(from);
        frames.flat_map(|(frame, found)| found.iter().flatten().map(move |overlap| Found { frame, overlap }))
    }

    /// The first frame with an overlap deeper than `limit` \[m\], and the deepest of that frame. Where surfaces are kept
    /// apart and none is allowed, touching counts.
    fn first_beyond(&self, limit: f64) -> Option<Found<'_>> {
        let touching = self.keeps_apart && limit == 0.0;
        let beyond = |found: &Found| found.overlap.depth > limit || touching;
        let first = self.judged().find(beyond)?.frame;
        self.judged().filter(|found| found.frame == first).max_by(|a, b| a.overlap.depth.total_cmp(&b.overlap.depth))
    }

    /// The deepest overlap of all frames that are judged.
    fn worst(&self) -> Option<Found<'_>> {
        let deep = self.judged().filter(|found| found.overlap.depth > 0.0);
        // Of equal ones the first.
        deep.reduce(|worst, found| if found.overlap.depth > worst.overlap.depth { found } else { worst })
    }

    /// First frame on the way to which something passes through something else.
    fn first_pass(&self) -> Option<(usize, [usize; 2])> {
        self.passes.iter().enumerate().find_map(|(frame, passes)| Some((frame, *passes.as_ref()?.first()?)))
    }

    fn max_joint_error(&self) -> f64 {
        self.frames.iter().map(|frame| frame.joint_error).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests;
