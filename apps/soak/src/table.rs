//! What became of all runs, in one table, and which scenes to look at.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use comfy_table::{Table, presets};

use crate::judge::Fault;
use crate::trial::{Outcome, Trial};
use crate::watch::Figures;

/// Scenes named for each kind of fault.
const WORST: usize = 3;

/// The table by solver and sweeps, as Markdown.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut rows: BTreeMap<&Trial, Vec<&Outcome>> = BTreeMap::new();
    outcomes.iter().for_each(|outcome| rows.entry(&outcome.trial).or_default().push(outcome));
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut header = vec!["solver", "sweeps", "runs", "refused", "sound"];
    header.extend(Fault::ALL.map(Fault::word));
    header.extend(["said", "gain %", "gap mm", "overlap mm"]);
    table.set_header(header);
    for (trial, outcomes) in rows {
        table.add_row(row(trial, &outcomes));
    }
    table.to_string()
}

fn row(trial: &Trial, outcomes: &[&Outcome]) -> Vec<String> {
    let ran: Vec<&&Outcome> = outcomes.iter().filter(|outcome| outcome.refused.is_none()).collect();
    let count = |test: &dyn Fn(&Outcome) -> bool| ran.iter().filter(|outcome| test(outcome)).count();
    let worst = |figure: fn(&Figures) -> f64| {
        let figures = ran.iter().map(|outcome| figure(&outcome.figures));
        figures.fold(0.0, |worst: f64, value| if value.is_nan() { f64::INFINITY } else { worst.max(value) })
    };
    let mut cells = vec![
        trial.solver.clone(),
        trial.sweeps.map_or("–".to_owned(), |sweeps| sweeps.to_string()),
        ran.len().to_string(),
        (outcomes.len() - ran.len()).to_string(),
        count(&|outcome| outcome.faults.is_empty()).to_string(),
    ];
    cells.extend(Fault::ALL.map(|kind| match count(&|outcome| outcome.faults.contains(&kind)) {
        0 => "·".to_owned(),
        some => some.to_string(),
    }));
    cells.push(count(&|outcome| outcome.figures.unconverged_steps > 0).to_string());
    cells.push(short(100.0 * worst(|figures| figures.energy_gain)));
    cells.push(short(1e3 * worst(|figures| figures.gap)));
    cells.push(short(1e3 * worst(|figures| figures.end_penetration)));
    cells
}

/// The worst scenes of each kind of fault, with the words that do them again.
pub fn worst(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for kind in Fault::ALL {
        let mut faulty: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.faults.contains(&kind)).collect();
        if faulty.is_empty() {
            continue;
        }
        let size = |outcome: &Outcome| kind.figure(&outcome.figures, outcome.wall);
        faulty.sort_by(|a, b| size(b).0.total_cmp(&size(a).0));
        _ = writeln!(text, "{}: {} of {} runs", kind.word(), faulty.len(), outcomes.len());
        for outcome in faulty.into_iter().take(WORST) {
            let (value, unit) = size(outcome);
            let said = outcome.message.as_deref().map_or(String::new(), |message| format!("  ({message})"));
            _ = writeln!(text, "  {:>9} {unit:<12} cargo xtask soak {}{said}", short(value), outcome.repeat);
        }
    }
    text
}

/// Three digits that matter.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-2..1e4).contains(&size) => format!("{value:.1e}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
