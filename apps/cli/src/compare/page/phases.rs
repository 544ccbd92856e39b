//! Where the time of a step goes.

use drystone::solve::Phase;
use drystone_plot::{Areas, Bars, Layer, Scale};
use drystone_report::figure;

use crate::compare::Comparison;
use crate::compare::table::digits;
use crate::compare::trial::Trial;
use crate::report::phase_name;

/// All phases, in the order of a step, which is the order of their colours.
const PHASES: [Phase; 10] = [
    Phase::Control,
    Phase::Predict,
    Phase::Bounds,
    Phase::Pairs,
    Phase::Contacts,
    Phase::WarmStart,
    Phase::Graph,
    Phase::Iterate,
    Phase::Finish,
    Phase::Report,
];
/// Columns of an area plot.
const COLUMNS: usize = 120;

/// Shares in all, and over time.
pub fn section(comparison: &Comparison) -> String {
    let shown = |phase: &Phase| comparison.trials.iter().any(|trial| total(trial, *phase) > 0.0);
    let mut out =
        String::from("<p>Shares of the time of all steps, by phase; behind each bar the mean time of a step.</p>\n");
    out.push_str("<div class=\"legend parts\">");
    for (color, phase) in PHASES.iter().enumerate().filter(|(_, phase)| shown(phase)) {
        out.push_str(&format!("<span><i class=\"key p{color}\"></i>{}</span>", name(*phase)));
    }
    out.push_str("</div>\n");
    out.push_str(&bars(comparison).inline());
    out.push_str("<p></p>\n<div class=\"grid2\">\n");
    for trial in &comparison.trials {
        out.push_str(&areas(trial));
    }
    out.push_str("</div>\n");
    out
}

fn name(phase: Phase) -> String {
    phase_name(&phase).replace('_', " ")
}

fn total(trial: &Trial, phase: Phase) -> f64 {
    trial.phases.iter().filter(|(known, _)| *known == phase).flat_map(|(_, list)| list).sum()
}

fn bars(comparison: &Comparison) -> Bars {
    let mean = |trial: &Trial| 1e3 * trial.wall / trial.series.time.len().max(1) as f64;
    let names =
        comparison.trials.iter().map(|trial| [trial.contender.label.clone(), format!("{} ms", digits(mean(trial)))]);
    let layers = PHASES.iter().enumerate().map(|(color, &phase)| Layer {
        name: name(phase),
        sizes: comparison.trials.iter().map(|trial| total(trial, phase)).collect(),
        color,
    });
    Bars { names: names.collect(), layers: layers.collect() }
}

/// The phases of a run over time, as means of so many steps that single slow steps do not hide the rest.
fn areas(trial: &Trial) -> String {
    let steps = trial.series.time.len();
    let stretch = steps.div_ceil(COLUMNS).max(1);
    let at: Vec<f64> =
        trial.series.time.chunks(stretch).map(|part| part.iter().sum::<f64>() / part.len() as f64).collect();
    let layer = |(phase, list): &(Phase, Vec<f64>)| Layer {
        name: name(*phase),
        sizes: list.chunks(stretch).map(|part| 1e3 * part.iter().sum::<f64>() / part.len() as f64).collect(),
        color: PHASES.iter().position(|known| known == phase).unwrap_or(0),
    };
    let layers: Vec<Layer> = trial.phases.iter().map(layer).collect();
    let end = at.last().copied().unwrap_or(1.0);
    let label = &trial.contender.label;
    let areas = Areas {
        title: format!("Time per step of {label}, by phase"),
        x: Scale::linear("time [s]").between(at.first().copied().unwrap_or(0.0).min(0.5 * end), end),
        y: Scale::linear("time per step [ms]"),
        at,
        layers,
    };
    let note = if stretch > 1 { format!("Means of {stretch} steps.") } else { "Step by step.".to_owned() };
    figure(label, &note, &areas.inline())
}
