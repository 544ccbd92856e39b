//! The figures of a comparison: one row per run, the same for the terminal, for JSON and for the page.

use std::path::Path;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::json;

use super::Comparison;
use super::conclusion::sentence;
use super::trial::{End, Refusal, Trial};

/// What of a run stands in the tables.
pub struct Row {
    /// Who ran.
    pub label: String,
    /// Simulated time reached \[s\].
    pub reached: f64,
    /// Energy at the end, and its change since the start \[J\].
    pub energy: [f64; 2],
    /// Deepest overlap \[m\], if it was measured.
    pub penetration: Option<f64>,
    /// Smallest distance kept \[m\], where the solver measures it.
    pub min_distance: Option<f64>,
    /// Largest joint gap \[m\], if it was measured.
    pub joint_gap: Option<f64>,
    /// Momentum at the end \[kg·m/s\].
    pub momentum: f64,
    /// Median residual \[m\], of the steps that measured one.
    pub residual: Option<f64>,
    /// Least and median time of a step \[ms\].
    pub milliseconds: [f64; 2],
    /// Simulated over wall-clock time.
    pub real_time: f64,
    /// Whether the scene's claim held.
    pub claim: Option<bool>,
}

impl Row {
    /// The row of a run.
    pub fn of(trial: &Trial) -> Self {
        let mut residuals: Vec<f64> = trial.series.residual.iter().flatten().copied().collect();
        residuals.sort_by(f64::total_cmp);
        let [x, y, z] = trial.series.momentum.last().copied().unwrap_or_default();
        let kept = trial.series.min_distance.iter().flatten().copied().reduce(f64::min);
        Self {
            label: trial.contender.label.clone(),
            reached: trial.reached(),
            energy: [trial.measures.end_energy, trial.measures.end_energy - trial.measures.start_energy],
            penetration: trial.max_penetration(),
            min_distance: kept,
            joint_gap: trial.measures.max_joint_error,
            momentum: (x * x + y * y + z * z).sqrt(),
            residual: residuals.get(residuals.len() / 2).copied(),
            milliseconds: trial.step_seconds().map(|seconds| 1e3 * seconds),
            real_time: trial.real_time_factor(),
            claim: trial.verdict.as_ref().map(|verdict| verdict.passed),
        }
    }

    /// What the claim's column says.
    pub fn claim_word(&self) -> &'static str {
        match self.claim {
            Some(true) => "holds",
            Some(false) => "FAILS",
            None => "–",
        }
    }
}

/// A size with few digits, in a unit that keeps it short.
pub fn length(meters: f64) -> String {
    let (scale, unit) = match meters.abs() {
        0.0 => return "0".to_owned(),
        x if x >= 1e4 => return format!("{meters:.1e} m"),
        x if x >= 1.0 => (1.0, "m"),
        x if x >= 1e-3 => (1e3, "mm"),
        x if x >= 1e-6 => (1e6, "µm"),
        x if x >= 1e-9 => (1e9, "nm"),
        // Less than atoms is rounding.
        _ => return "≈ 0".to_owned(),
    };
    format!("{} {unit}", digits(meters * scale))
}

/// A size as [`length`] writes it, or a dash where nobody measured it.
pub fn length_or_none(meters: Option<f64>) -> String {
    meters.map_or_else(|| "–".to_owned(), length)
}

/// Three digits.
pub fn digits(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{x:.2e}"),
        size if size >= 100.0 => format!("{x:.0}"),
        size if size >= 10.0 => format!("{x:.1}"),
        size if size >= 1.0 => format!("{x:.2}"),
        _ => format!("{x:.3}"),
    }
}

/// The table for the terminal.
pub fn table(comparison: &Comparison) -> Table {
    let joints = comparison.job.model.joint_count() > 0;
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let mut header = vec!["solver", "simulated", "energy", "change", "penetration"];
    header.extend(joints.then_some("joint gap"));
    header.extend(["momentum", "residual", "ms/step min", "median", "× real time", "claim"]);
    table.set_header(header);
    for row in comparison.trials.iter().map(Row::of) {
        let mut cells = vec![
            row.label.clone(),
            format!("{:.2} s", row.reached),
            format!("{} J", digits(row.energy[0])),
            format!("{} J", digits(row.energy[1])),
            length_or_none(row.penetration),
        ];
        cells.extend(joints.then(|| length_or_none(row.joint_gap)));
        cells.extend([
            format!("{} kg·m/s", digits(row.momentum)),
            length_or_none(row.residual),
            digits(row.milliseconds[0]),
            digits(row.milliseconds[1]),
            digits(row.real_time),
            row.claim_word().to_owned(),
        ]);
        table.add_row(cells);
    }
    table
}

/// What must be said below the table.
pub fn remarks(comparison: &Comparison) -> Vec<String> {
    let ends = comparison.trials.iter().filter(|trial| trial.end != End::Finished);
    let mut lines: Vec<String> = ends.map(|trial| format!("{} {}", trial.contender.label, trial.remark())).collect();
    lines.extend(comparison.trials.iter().filter_map(on_device));
    if !comparison.refusals.is_empty() {
        lines.push(refusals(&comparison.refusals));
    }
    lines
}

/// Which graphics card a run was on, if on any.
pub fn on_device(trial: &Trial) -> Option<String> {
    trial.device.as_ref().map(|device| format!("{} ran on {device}", trial.contender.label))
}

/// Who refuses, why, and what would work.
pub fn refusals(refusals: &[Refusal]) -> String {
    let line = |refusal: &Refusal| format!("{} refuses: {}; {}", refusal.label, refusal.reason, refusal.remedy);
    refusals.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The figures for other programs.
pub fn json(comparison: &Comparison, out: &Path) -> serde_json::Value {
    let runs = comparison.trials.iter().map(|trial| {
        let row = Row::of(trial);
        json!({
            "solver": row.label,
            "options": trial.contender.options,
            "device": trial.device,
            "simulated_seconds": row.reached,
            "steps": trial.series.time.len(),
            "remark": trial.remark(),
            "energy": row.energy[0],
            "energy_change": row.energy[1],
            "max_penetration": row.penetration,
            "min_distance": row.min_distance,
            "max_joint_error": row.joint_gap,
            "momentum": row.momentum,
            "median_residual": row.residual,
            "milliseconds_per_step": {"min": row.milliseconds[0], "median": row.milliseconds[1]},
            "real_time_factor": row.real_time,
            "claim_holds": row.claim,
        })
    });
    let refused = comparison
        .refusals
        .iter()
        .map(|refusal| json!({"solver": refusal.label, "reason": refusal.reason, "remedy": refusal.remedy}));
    json!({
        "scene": comparison.job.name,
        "set": comparison.job.set,
        "dt": comparison.job.dt,
        "conclusion": sentence(comparison),
        "runs": runs.collect::<Vec<_>>(),
        "refused": refused.collect::<Vec<_>>(),
        "page": out,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short_and_carry_their_unit() {
        let cases = [(0.0, "0"), (2.5, "2.50 m"), (1.234e-3, "1.23 mm"), (6.3e-7, "630 nm"), (1e-15, "≈ 0")];
        for (meters, text) in cases {
            assert_eq!(length(meters), text);
        }
        assert_eq!([digits(0.0123), digits(12.34), digits(12345.0)], ["0.012", "12.3", "12345"]);
    }
}
