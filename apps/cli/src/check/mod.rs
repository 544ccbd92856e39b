//! `drystone check`: figures of a run recomputed from its recording alone, by code that shares
//! nothing with the engine's collision and solvers.

mod against;
mod convex;
mod frame;
mod intersect;
mod scene;

use comfy_table::{Table, presets};
use drystone::Recording;
use drystone_io::recording::read_recording;
use serde_json::json;

use crate::Outcome;
use crate::args::CheckOptions;
use crate::error::Failure;
use against::Agreement;
use frame::Frame;
use intersect::{Cut, Surfaces};
use scene::Scene;

/// What was recomputed.
pub struct Figures {
    /// Energies, momenta and joint gaps of every frame.
    frames: Vec<Frame>,
    /// Deepest overlap \[m\], of the frames it was measured in.
    pub overlap: Vec<Option<f64>>,
    /// What cuts through what, for recordings of affine bodies, in the frames it was looked for.
    cuts: Vec<Option<Vec<Cut>>>,
    /// What passes through what on the straight way from the frame before, in the frames it was looked for.
    passes: Vec<Option<Vec<Cut>>>,
    /// Shapes whose overlaps are not measured.
    pub unmeasured: usize,
    /// First frame with a number that is not finite.
    broken: Option<usize>,
}

/// Checks a recording.
pub fn check(options: &CheckOptions) -> Result<Outcome, Failure> {
    let recording = read_recording(&options.recording)?;
    if recording.frame_count() == 0 {
        return Err(Failure::new(format!("`{}` has no frames", options.recording.display())));
    }
    let report = options.against.as_deref().map(against::read).transpose()?;
    let figures = recompute(&recording, options.frames, options.swept);
    let agreement = match &report {
        Some(report) => against::compare(&figures, &recording, report)?,
        None => Vec::new(),
    };
    if options.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&recording, &figures, &agreement))?);
    } else {
        println!("{}", as_table(&recording, &figures, &agreement));
    }
    let good = figures.broken.is_none()
        && figures.first_cut().or(figures.first_pass()).is_none()
        && agreement.iter().all(|figure| figure.agrees);
    Ok(if good { Outcome::Good } else { Outcome::ClaimFailed })
}

/// Recomputes the figures of a recording, overlaps in about so many frames; `swept` also looks between frames.
pub fn recompute(recording: &Recording, overlap_frames: usize, swept: bool) -> Figures {
    let model = &recording.model;
    let count = recording.frame_count();
    let joints = model.joint_count();
    let intact = |frame: usize| recording.joint_intact.get(frame * joints..(frame + 1) * joints).unwrap_or(&[]);
    let measure = |frame: usize| Frame::measure(model, recording.poses(frame), recording.twists(frame), intact(frame));
    let scene = Scene::new(recording);
    let finite =
        |frame: usize| recording.poses(frame).iter().all(|q| q.translation.is_finite() && q.rotation.is_finite());
    // The last frame counts most, so the selection ends with it.
    let every = if overlap_frames == 0 { 1 } else { count.div_ceil(overlap_frames) };
    let chosen = |frame: usize| (count - 1 - frame).is_multiple_of(every) && finite(frame);
    let surfaces = (!recording.body_affine.is_empty()).then(|| Surfaces::new(recording, &scene));
    // The first frame is the scene as it was built, where bodies may touch; the solver answers for the others.
    let answered = |frame: usize| chosen(frame) && (frame > 0 || count == 1);
    let cuts = |frame: usize| surfaces.as_ref().filter(|_| answered(frame)).map(|surfaces| surfaces.cuts(frame));
    let passes = |frame: usize| {
        let looked = swept && frame > 1 && finite(frame) && finite(frame - 1);
        surfaces.as_ref().filter(|_| looked).map(|surfaces| surfaces.passes(frame))
    };
    Figures {
        passes: (0..count).map(passes).collect(),
        cuts: (0..count).map(cuts).collect(),
        frames: (0..count).map(measure).collect(),
        overlap: (0..count).map(|frame| chosen(frame).then(|| scene.deepest_overlap(recording.poses(frame)))).collect(),
        unmeasured: scene.unmeasured,
        broken: (0..count).find(|&frame| !finite(frame)),
    }
}

impl Figures {
    fn max_overlap(&self) -> f64 {
        self.overlap.iter().flatten().copied().fold(0.0, f64::max)
    }

    /// First frame in which surfaces cut through each other, and what does.
    fn first_cut(&self) -> Option<(usize, &Cut)> {
        first(&self.cuts)
    }

    /// First frame on the way to which something passes through something else.
    fn first_pass(&self) -> Option<(usize, &Cut)> {
        first(&self.passes)
    }

    fn max_joint_error(&self) -> f64 {
        self.frames.iter().map(|frame| frame.joint_error).fold(0.0, f64::max)
    }
}

fn first(cuts: &[Option<Vec<Cut>>]) -> Option<(usize, &Cut)> {
    cuts.iter().enumerate().find_map(|(frame, cuts)| Some((frame, cuts.as_ref()?.first()?)))
}

fn as_table(recording: &Recording, figures: &Figures, agreement: &[Agreement]) -> Table {
    let (first, last) = (&figures.frames[0], &figures.frames[figures.frames.len() - 1]);
    let energy = |frame: &Frame| frame.kinetic_energy + frame.potential_energy;
    let measured = figures.overlap.iter().flatten().count();
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    let (bodies, joints) = (recording.model.body_count(), recording.model.joint_count());
    table.add_row(["recording", &format!("{} frames, {bodies} bodies, {joints} joints", recording.frame_count())]);
    table.add_row(["penetration", &format!("{:.3e} m at most, in {measured} frames", figures.max_overlap())]);
    table.add_row(["joint error", &format!("{:.3e} m at most", figures.max_joint_error())]);
    table.add_row(["energy", &format!("{:.6e} J to {:.6e} J", energy(first), energy(last))]);
    table.add_row([
        "momentum",
        &format!("{:.3e} kg·m/s to {:.3e} kg·m/s", first.momentum.length(), last.momentum.length()),
    ]);
    let searched = figures.cuts.iter().flatten().count();
    if let Some((frame, cut)) = figures.first_cut() {
        let [a, b] = cut.shapes.map(|shape| &recording.model.shape_name[shape]);
        table.add_row(["INTERSECTION", &format!("of `{a}` and `{b}` in frame {frame}, {} places", cut.count)]);
    } else if searched > 0 {
        table.add_row(["intersections", &format!("none, by exact signs of all triangles, in {searched} frames")]);
    }
    let swept = figures.passes.iter().flatten().count();
    if let Some((frame, cut)) = figures.first_pass() {
        let [a, b] = cut.shapes.map(|shape| &recording.model.shape_name[shape]);
        table.add_row(["PASSED THROUGH", &format!("`{a}` and `{b}` between frames {} and {frame}", frame - 1)]);
    } else if swept > 0 {
        table.add_row(["between frames", &format!("nothing passes through anything on straight ways, {swept} times")]);
    }
    if figures.unmeasured > 0 {
        table.add_row(["not measured", &format!("overlaps of {} concave or open shapes", figures.unmeasured)]);
    }
    if let Some(frame) = figures.broken {
        table.add_row(["NOT FINITE", &format!("from frame {frame} on, t = {} s", recording.time[frame])]);
    }
    for figure in agreement {
        let word = if figure.agrees { "agrees" } else { "DISAGREES" };
        table.add_row([
            figure.figure,
            &format!("{word} with the report: {:.1e} of {:.1e}", figure.difference, figure.bound),
        ]);
    }
    table
}

fn as_json(recording: &Recording, figures: &Figures, agreement: &[Agreement]) -> serde_json::Value {
    let series = |value: &dyn Fn(&Frame) -> serde_json::Value| figures.frames.iter().map(value).collect::<Vec<_>>();
    json!({
        "frames": recording.frame_count(),
        "max_penetration": figures.max_overlap(),
        "max_joint_error": figures.max_joint_error(),
        "first_intersection": figures.first_cut().map(|(frame, cut)| json!({"frame": frame, "shapes": cut.shapes})),
        "frames_searched_for_intersections": figures.cuts.iter().flatten().count(),
        "first_pass": figures.first_pass().map(|(frame, cut)| json!({"frame": frame, "shapes": cut.shapes})),
        "ways_searched": figures.passes.iter().flatten().count(),
        "shapes_not_measured": figures.unmeasured,
        "first_frame_not_finite": figures.broken,
        "agreement": agreement,
        "time": recording.time,
        "penetration": figures.overlap,
        "joint_error": series(&|frame| json!(frame.joint_error)),
        "kinetic_energy": series(&|frame| json!(frame.kinetic_energy)),
        "potential_energy": series(&|frame| json!(frame.potential_energy)),
        "momentum": series(&|frame| json!(frame.momentum.to_array())),
        "angular_momentum": series(&|frame| json!(frame.angular_momentum.to_array())),
    })
}
