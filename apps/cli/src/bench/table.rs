//! Tables for the terminal that can also be pasted into a document.

use std::collections::BTreeSet;

use super::one::median;
use super::record::Row;

/// Rows of cells as a Markdown table, columns aligned.
pub fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells.zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        format!("| {} |", padded.join(" | "))
    };
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width + 2)).collect();
    let mut lines = vec![line(&mut head.iter().copied()), format!("|{}|", rule.join("|"))];
    lines.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    lines.join("\n")
}

/// A number with three digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if !value.is_finite() => "–".into(),
        0.0 => "0".into(),
        _ if !(1e-4..1e6).contains(&size) => format!("{value:.1e}"),
        _ => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
    }
}

/// A gain of energy: losses do not count, and where nothing falls there is no measure for it.
pub fn gain(value: f64) -> String {
    short(if value < 0.0 { 0.0 } else { value })
}

/// Whether a claim held, in a word.
pub fn claim(passed: Option<bool>, measured: &str) -> String {
    match passed {
        Some(true) => "pass".into(),
        Some(false) => "**fail**".into(),
        None => measured.into(),
    }
}

/// The set.
pub fn rows(rows: &[Row]) -> String {
    let head = [
        "scene",
        "solver",
        "bodies",
        "contacts",
        "threads",
        "ms/step min",
        "median",
        "noise",
        "MB",
        "penetration mm",
        "drift mm",
        "joint gap mm",
        "E gain",
        "claim",
        "slowest phases",
    ];
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let cards: BTreeSet<&str> = rows.iter().filter_map(|row| row.device.as_deref()).collect();
    let mut table = markdown(&head, &cells);
    cards.iter().for_each(|card| table += &format!("\n\n`(gpu)`: {card}."));
    table
}

fn cells(row: &Row) -> Vec<String> {
    let solver = if row.backend == "cpu" { row.solver.clone() } else { format!("{} ({})", row.solver, row.backend) };
    let gap = if row.joints > 0 { short(1e3 * row.joint_gap) } else { "–".into() };
    vec![
        format!("`{}`", row.scene),
        solver,
        row.bodies.to_string(),
        format!("{:.0}", row.contacts),
        row.threads.to_string(),
        short(row.ms_min),
        short(row.ms_median),
        format!("{:.0} %", 100.0 * row.spread),
        row.memory.map_or("–".into(), |bytes| short(1e-6 * bytes)),
        if row.contacts > 0.0 { short(1e3 * row.penetration) } else { "–".into() },
        short(1e3 * row.drift),
        gap,
        gain(row.energy_gain),
        claim(row.passed, &row.measured),
        phases(row),
    ]
}

/// The two phases that take most, with their shares.
fn phases(row: &Row) -> String {
    let all: f64 = row.phases.values().sum();
    let mut phases: Vec<(&String, &f64)> = row.phases.iter().collect();
    phases.sort_by(|a, b| b.1.total_cmp(a.1));
    let shares = phases.iter().take(2).map(|(name, time)| format!("{name} {:.0} %", 100.0 * *time / all));
    shares.collect::<Vec<_>>().join(", ")
}

/// How far repeats of one case lay apart.
pub fn noise(rows: &[Row]) -> String {
    let spreads: Vec<f64> = rows.iter().map(|row| row.spread).collect();
    let most = spreads.iter().copied().fold(0.0, f64::max);
    format!(
        "noise: repeats of a case lie {:.0} % apart in the middle, {:.0} % at most",
        100.0 * median(spreads),
        100.0 * most
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, 0.012345, 1.5, 123.4, 98765.0, 3e7, 2e-6, f64::NAN].map(short);
        assert_eq!(shown, ["0", "0.0123", "1.50", "123", "98765", "3.0e7", "2.0e-6", "–"]);
    }

    #[test]
    fn tables_are_markdown() {
        let table = markdown(&["a", "long"], &[vec!["xyz".into(), "1".into()]]);
        assert_eq!(table, "| a   | long |\n|-----|------|\n| xyz | 1    |");
    }
}
