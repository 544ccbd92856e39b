//! Where the time of a step goes.

use drystone::solve::Phase;
use drystone_plot::{Areas, Bars, Layer, Scale};
use drystone_report::figure;
use maud::{Markup, PreEscaped, html};

use crate::compare::Comparison;
use crate::compare::table::digits;
use crate::compare::trial::Trial;
use crate::report::phase_name;

/// All phases, in the order of a step, which is the order of their colours.
const PHASES: [Phase; 12] = [
    Phase::Control,
    Phase::Predict,
    Phase::Bounds,
    Phase::Pairs,
    Phase::Contacts,
    Phase::Ccd,
    Phase::WarmStart,
    Phase::Graph,
    Phase::Assemble,
    Phase::Iterate,
    Phase::Finish,
    Phase::Report,
];
/// Columns of an area plot.
const COLUMNS: usize = 120;

/// Shares in all, and over time.
pub fn section(comparison: &Comparison) -> Markup {
    let shown = |phase: &Phase| comparison.trials.iter().any(|trial| total(trial, *phase) > 0.0);
    html! {
        p { "Shares of the time of all steps, by phase; behind each bar the mean time of a step." }
        div class="legend parts" {
            @for (color, phase) in PHASES.iter().enumerate().filter(|(_, phase)| shown(phase)) {
                span { i class={ "key p" (color) } {} (name(*phase)) }
            }
        }
        (PreEscaped(bars(comparison).inline()))
        p {}
        div class="grid2" { @for trial in &comparison.trials { (areas(trial)) } }
    }
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

/// The phases of a run over time, as means of a few steps.
fn areas(trial: &Trial) -> Markup {
    let stretch = trial.series.time.len().div_ceil(COLUMNS).max(1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let mut at: Vec<f64> = trial.series.time.chunks(stretch).map(mean).collect();
    let layer = |(phase, list): &(Phase, Vec<f64>)| Layer {
        name: name(*phase),
        sizes: list.chunks(stretch).map(|part| 1e3 * mean(part)).collect(),
        color: PHASES.iter().position(|known| known == phase).unwrap_or(0),
    };
    let mut layers: Vec<Layer> = trial.phases.iter().map(layer).collect();
    // The first step begins at zero; a single one would have no width.
    at.insert(0, 0.0);
    layers.iter_mut().for_each(|layer| layer.sizes.insert(0, layer.sizes.first().copied().unwrap_or(0.0)));
    let (top, cut) = top(&layers, at.len());
    let label = &trial.contender.label;
    let areas = Areas {
        title: format!("Time per step of {label}, by phase"),
        x: Scale::linear("time [s]").between(0.0, at.last().copied().unwrap_or(1.0)),
        y: Scale::linear("time per step [ms]").between(0.0, top),
        at,
        layers,
    };
    let mut note = if stretch > 1 { format!("Means of {stretch} steps.") } else { "Step by step.".to_owned() };
    note.push_str(if cut { " Single slow steps leave the plot." } else { "" });
    figure(label, &note, &areas.inline())
}

/// Where the axis ends, and whether that cuts something off: steps that another program interrupted shall not
/// flatten all others.
fn top(layers: &[Layer], count: usize) -> (f64, bool) {
    let mut sums: Vec<f64> = (0..count).map(|index| layers.iter().map(|layer| layer.sizes[index]).sum()).collect();
    sums.sort_by(f64::total_cmp);
    let most = sums.last().copied().unwrap_or(1.0);
    let usual = sums.get(sums.len() * 9 / 10).copied().unwrap_or(most);
    if most > 2.0 * usual { (1.5 * usual, true) } else { (1.05 * most, false) }
}
