//! The table a run ends with.

use comfy_table::{ContentArrangement, Table, presets};

use crate::report::{RunReport, Series};

/// The figures of a run as a table.
pub fn table(report: &RunReport) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let [bodies, shapes, joints] = report.counts;
    let totals = &report.totals;
    table.add_row(["scene", &format!("{} ({bodies} bodies, {shapes} shapes, {joints} joints)", described(report))]);
    table.add_row(["solver", &format!("{}, {} steps of {:.6} s", report.solver, report.steps, report.dt)]);
    table.add_row(["time per step", &milliseconds(report.seconds_per_step)]);
    table.add_row(["first step", &format!("{}, with what it prepares", milliseconds(report.first_step_seconds))]);
    table.add_row(["phases", &phases(report)]);
    if let Some(trade) = &report.trade {
        table.add_row(["trade", &trade.told()]);
    }
    table.add_row(["penetration", &figure(totals.max_penetration, "m")]);
    if joints > 0 {
        table.add_row([
            "joint error",
            &format!("{}, {}", figure(totals.max_joint_error, "m"), figure(totals.max_joint_angle_error, "rad")),
        ]);
    }
    let particles = particles(&report.series);
    if !particles.is_empty() {
        table.add_row(["particles", &particles]);
    }
    table.add_row([
        "energy",
        &format!("{:+.3e} J by the end, {:+.3e} J at most", totals.energy_change, totals.energy_gain),
    ]);
    if totals.unconverged_steps > 0 {
        table.add_row(["not converged", &unconverged(report)]);
    }
    if totals.quarantined > 0 {
        table.add_row(["quarantined", &format!("{} bodies stopped being finite", totals.quarantined)]);
    }
    table.add_row(["state hash", &report.state_hash]);
    if let (Some(claim), Some(verdict)) = (&report.claim, &report.verdict) {
        let word = if verdict.passed { "holds" } else { "FAILS" };
        table.add_row(["claim", claim]);
        table.add_row(["verdict", &format!("{word}: {}", verdict.measured)]);
    }
    if let (Some(claim), Some(why)) = (&report.claim, &report.not_judged) {
        table.add_row(["claim", claim]);
        table.add_row(["verdict", &format!("not judged: {why}")]);
    }
    table.to_string()
}

/// How far elements stretched and how near particles came to each other, at worst and at the end.
fn particles(series: &Series) -> String {
    let most = |all: &[Option<f64>]| all.iter().flatten().copied().reduce(f64::max);
    let last = |all: &[Option<f64>]| all.last().copied().flatten();
    let mut parts = Vec::new();
    if let (Some(most), Some(end), Some(mean)) =
        (most(&series.max_strain), last(&series.max_strain), last(&series.mean_strain))
    {
        let [most, end, mean] = [most, end, mean].map(|share| 100.0 * share);
        parts.push(format!("stretched by {most:.2} % at most, {end:.2} % at the end, {mean:.3} % in the mean"));
    }
    if let Some(inverted) = series.inverted.iter().flatten().copied().max().filter(|&count| count > 0) {
        parts.push(format!("{inverted} tetrahedra inside out at once"));
    }
    if let Some(nearest) = series.closest_approach.iter().flatten().copied().reduce(f64::min) {
        parts.push(format!("{nearest:.2e} m apart at the nearest"));
    }
    parts.join(", ")
}

/// How many steps did not come to their end, which joints they left open, and what helps.
fn unconverged(report: &RunReport) -> String {
    let totals = &report.totals;
    let mut text = format!("{} of {} steps", totals.unconverged_steps, report.steps);
    if totals.open_joints > 0 {
        let more = totals.open_joints - totals.open_joint_names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text += &format!("; joints left open: {}{more}", totals.open_joint_names.join(", "));
    }
    text + "; try more iterations (--iterations), a shorter step (--dt) or another solver (--solver)"
}

/// A figure with its unit, or that there is none.
fn figure(value: Option<f64>, unit: &str) -> String {
    value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.3e} {unit}"))
}

fn described(report: &RunReport) -> String {
    std::iter::once(&report.scene).chain(&report.set).cloned().collect::<Vec<_>>().join(" ")
}

fn phases(report: &RunReport) -> String {
    let mut phases: Vec<(&String, &f64)> = report.phases.iter().collect();
    phases.sort_by(|a, b| b.1.total_cmp(a.1));
    let shown = phases.iter().map(|(name, seconds)| format!("{name} {}", milliseconds(**seconds)));
    shown.collect::<Vec<_>>().join(", ")
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.3} ms", 1e3 * seconds)
}
