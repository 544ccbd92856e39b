//! What was recomputed, as a table and as JSON.

use comfy_table::{ContentArrangement, Table, presets};
use drystone::Recording;
use drystone::model::WORLD;
use serde_json::{Value, json};

use super::against::Agreement;
use super::frame::Frame;
use super::{Figures, Found};

/// The body of a shape by name, or the shape itself if it belongs to the world.
fn name(recording: &Recording, shape: usize) -> &str {
    let model = &recording.model;
    match model.shape_body[shape] {
        WORLD => &model.shape_name[shape],
        body => &model.body_name[body as usize],
    }
}

fn told(recording: &Recording, found: &Found) -> String {
    let [a, b] = found.overlap.shapes.map(|shape| name(recording, shape));
    let (frame, time) = (found.frame, recording.time[found.frame]);
    format!("`{a}` and `{b}` in frame {frame} (t = {time:.6} s)")
}

/// The figures as a table.
pub fn table(recording: &Recording, figures: &Figures, limit: Option<f64>, agreement: &[Agreement]) -> Table {
    let (first, last) = (&figures.frames[0], &figures.frames[figures.frames.len() - 1]);
    let energy = |frame: &Frame| frame.kinetic_energy + frame.potential_energy;
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let (bodies, joints) = (recording.model.body_count(), recording.model.joint_count());
    table.add_row(["recording", &format!("{} frames, {bodies} bodies, {joints} joints", recording.frame_count())]);
    overlap_rows(&mut table, recording, figures, limit);
    table.add_row(["joint error", &format!("{:.3e} m at most", figures.max_joint_error())]);
    table.add_row(["energy", &format!("{:.6e} J to {:.6e} J", energy(first), energy(last))]);
    table.add_row([
        "momentum",
        &format!("{:.3e} kg·m/s to {:.3e} kg·m/s", first.momentum.length(), last.momentum.length()),
    ]);
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

fn overlap_rows(table: &mut Table, recording: &Recording, figures: &Figures, limit: Option<f64>) {
    let measured = format!("in {} frames", figures.overlap.iter().flatten().count());
    let how = if figures.keeps_apart { ", by exact signs of all triangles" } else { "" };
    match figures.worst() {
        None => table.add_row(["penetration", &format!("none {measured}{how}")]),
        Some(worst) => table.add_row([
            "penetration",
            &format!("{:.3e} m at most, {} ({measured})", worst.overlap.depth, told(recording, &worst)),
        ]),
    };
    if let Some(start) = figures.overlap[0].filter(|depth| figures.keeps_apart && *depth > 0.0) {
        table.add_row(["as built", &format!("{start:.3e} m before the first step, which is not judged")]);
    }
    if let (Some(limit), Some(found)) = (limit, limit.and_then(|limit| figures.first_beyond(limit))) {
        table.add_row([
            "INTERSECTION",
            &format!("{} by {:.3e} m, more than {limit} m", told(recording, &found), found.overlap.depth),
        ]);
    }
    let swept = figures.passes.iter().flatten().count();
    if let Some((frame, shapes)) = figures.first_pass() {
        let [a, b] = shapes.map(|shape| name(recording, shape));
        table.add_row(["PASSED THROUGH", &format!("`{a}` and `{b}` between frames {} and {frame}", frame - 1)]);
    } else if swept > 0 {
        table.add_row(["between frames", &format!("nothing passes through anything, {swept} times")]);
    }
    if figures.unmeasured > 0 {
        table.add_row(["NOT MEASURED", &format!("overlaps of {} shapes without a surface", figures.unmeasured)]);
    }
}

/// The figures for other programs.
pub fn json(recording: &Recording, figures: &Figures, limit: Option<f64>, agreement: &[Agreement]) -> Value {
    let series = |value: &dyn Fn(&Frame) -> Value| figures.frames.iter().map(value).collect::<Vec<_>>();
    let found = |found: Found| {
        json!({
            "frame": found.frame,
            "time": recording.time[found.frame],
            "bodies": found.overlap.shapes.map(|shape| name(recording, shape)),
            "shapes": found.overlap.shapes,
            "depth": found.overlap.depth,
            "places": found.overlap.count,
        })
    };
    let passed = |(frame, shapes): (usize, [usize; 2])| json!({"frame": frame, "bodies": shapes.map(|shape| name(recording, shape)), "shapes": shapes});
    json!({
        "frames": recording.frame_count(),
        "max_penetration": figures.max_overlap(),
        "max_overlap_allowed": limit,
        "deepest": figures.worst().map(found),
        "first_intersection": limit.and_then(|limit| figures.first_beyond(limit)).map(found),
        "frames_searched_for_intersections": figures.overlap.iter().flatten().count(),
        "max_joint_error": figures.max_joint_error(),
        "first_pass": figures.first_pass().map(passed),
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
