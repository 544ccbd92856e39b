//! What was recomputed, as a table and as JSON.

use comfy_table::{ContentArrangement, Table, presets};
use drystone::Recording;
use drystone::model::WORLD;
use serde_json::{Value, json};

use super::against::Agreement;
use super::frame::Frame;
use super::soft::{SoftFrame, Sunk};
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
pub fn table(
    recording: &Recording,
    figures: &Figures,
    limit: Option<f64>,
    crossings: usize,
    agreement: &[Agreement],
) -> Table {
    let (first, last) = (&figures.frames[0], &figures.frames[figures.frames.len() - 1]);
    let energy = |frame: &Frame| frame.kinetic_energy + frame.potential_energy;
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let (bodies, joints) = (recording.model.body_count(), recording.model.joint_count());
    let particles = match recording.model.particle_count() {
        0 => String::new(),
        count => format!(", {count} particles"),
    };
    let frames = recording.frame_count();
    table.add_row(["recording", &format!("{frames} frames, {bodies} bodies, {joints} joints{particles}")]);
    overlap_rows(&mut table, recording, figures, limit);
    particle_rows(&mut table, recording, figures, limit, crossings);
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

fn particle_rows(table: &mut Table, recording: &Recording, figures: &Figures, limit: Option<f64>, allowed: usize) {
    let looked: Vec<&SoftFrame> = figures.soft.iter().flatten().collect();
    if looked.is_empty() {
        return;
    }
    let place = |frame: usize| format!("frame {frame} (t = {:.6} s)", recording.time[frame]);
    let sunk = |(frame, sunk): (usize, Sunk)| {
        format!(
            "{:.3e} m, particle {} in `{}`, {}",
            sunk.depth,
            sunk.particle,
            name(recording, sunk.shape),
            place(frame)
        )
    };
    match figures.deepest_particle() {
        None => table.add_row(["particles in shapes", &format!("none in {} frames", looked.len())]),
        Some(found) => table.add_row(["particles in shapes", &format!("{} at most", sunk(found))]),
    };
    if let Some(found) = limit.and_then(|limit| figures.first_sunk(limit)) {
        table.add_row(["PARTICLE INSIDE", &sunk(found)]);
    }
    match figures.first_crossing(allowed) {
        Some((frame, pairs)) => {
            let [a, b] = pairs[0];
            let told = format!("{} pairs of triangles, the first {a} and {b}, {}", pairs.len(), place(frame));
            table.add_row(["CROSSING", &told])
        }
        None => {
            let most = looked.iter().skip(1).map(|soft| soft.crossings.len()).max().unwrap_or(0);
            let told = match most {
                0 => format!("none in {} frames, by exact signs", looked.len()),
                most => format!("{most} pairs of triangles at most"),
            };
            table.add_row(["crossings", &told])
        }
    };
    let stretch = looked.iter().map(|soft| soft.stretch).fold(0.0, f64::max);
    table.add_row(["stretch", &format!("{:.3} % at most", 100.0 * stretch)]);
    let inverted = looked.iter().map(|soft| soft.inverted).max().unwrap_or(0);
    if !recording.model.tet_particle.is_empty() {
        table.add_row(["tetrahedra inside out", &format!("{inverted} at most")]);
    }
    if recording.particle_velocities(0).is_none() {
        table.add_row(["NOT MEASURED", "velocities of particles are not recorded; energy and momentum lack them"]);
    }
}

/// The figures for other programs.
pub fn json(
    recording: &Recording,
    figures: &Figures,
    limit: Option<f64>,
    crossings: usize,
    agreement: &[Agreement],
) -> Value {
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
        "particles": particles(recording, figures, limit, crossings),
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

/// The figures of cloth, soft bodies and strings; null without particles. Those of frames that were not looked at are null.
fn particles(recording: &Recording, figures: &Figures, limit: Option<f64>, allowed: usize) -> Value {
    if recording.model.particle_count() == 0 {
        return Value::Null;
    }
    let series = |value: &dyn Fn(&SoftFrame) -> Value| {
        figures.soft.iter().map(|soft| soft.as_ref().map_or(Value::Null, value)).collect::<Vec<_>>()
    };
    let sunk = |(frame, sunk): (usize, Sunk)| json!({"frame": frame, "particle": sunk.particle, "shape": name(recording, sunk.shape), "depth": sunk.depth});
    let crossing = |(frame, pairs): (usize, &[[u32; 2]])| json!({"frame": frame, "triangles": pairs[0]});
    json!({
        "first_crossing": figures.first_crossing(allowed).map(crossing),
        "max_crossings_allowed": allowed,
        "deepest": figures.deepest_particle().map(sunk),
        "first_inside": limit.and_then(|limit| figures.first_sunk(limit)).map(sunk),
        "velocities_recorded": recording.particle_velocities(0).is_some(),
        "crossings": series(&|soft| json!(soft.crossings.len())),
        "stretch": series(&|soft| json!(soft.stretch)),
        "inverted": series(&|soft| json!(soft.inverted)),
    })
}
