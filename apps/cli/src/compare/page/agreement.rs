//! How far the motions are apart.

use drystone_plot::{Plot, Scale, Series};
use drystone_report::figure;
use maud::{Markup, html};

use crate::compare::Comparison;
use crate::compare::agreement::{Matrix, distances};
use crate::compare::table::{digits, length};

/// What is smaller than this share of the largest is drawn as if it were nothing.
const NOTHING: f64 = 1e-12;

/// Distance from a reference over time, and of every pair at the end.
pub fn section(comparison: &Comparison) -> Markup {
    if comparison.trials.len() < 2 {
        return html! { p { "Only one solver ran, so there is nothing to agree with." } };
    }
    let reference = reference(comparison);
    html! {
        p {
            "Distance of the centres of mass of all moving bodies from where "
            b { (comparison.trials[reference].contender.label) }
            " puts them. Solvers make different errors, and chaotic scenes let any difference grow: agreement shows that \
             both are right, disagreement alone does not show who is wrong."
        }
        div class="grid2" {
            (over_time(comparison, reference, "Root of the mean square over bodies.", 1))
            (over_time(comparison, reference, "The farthest body.", 2))
        }
        (matrix(comparison))
    }
}

fn over_time(comparison: &Comparison, reference: usize, note: &str, which: usize) -> Markup {
    let trials = &comparison.trials;
    let name = &trials[reference].contender.label;
    let others = trials.iter().enumerate().filter(|(index, _)| *index != reference);
    let series: Vec<Series> = others
        .map(|(color, trial)| {
            let points = distances(&trials[reference].recording, &trial.recording);
            let points = points.iter().map(|p| [p[0], p[which]]).collect();
            Series::line(trial.contender.label.clone(), points).colored(color)
        })
        .collect();
    let values: Vec<f64> = series.iter().flat_map(|series| &series.points).map(|p| p[1]).collect();
    let end = series.iter().flat_map(|series| series.points.last()).map(|p| p[0]).fold(0.0, f64::max);
    let plot = Plot {
        title: format!("Distance from {name} over time. {note}"),
        x: Scale::linear("time [s]").between(0.0, end),
        y: Scale::sizes("distance [m]", values, NOTHING),
        series,
    };
    figure(&format!("Distance from {name}"), note, &plot.inline())
}

/// The scene's own solver if it took part, otherwise the first.
fn reference(comparison: &Comparison) -> usize {
    let own = |trial: &crate::compare::trial::Trial| trial.contender.solver == comparison.job.solver;
    comparison.trials.iter().position(own).unwrap_or(0)
}

fn matrix(comparison: &Comparison) -> Markup {
    let matrix = Matrix::new(&comparison.trials);
    let labels: Vec<&String> = comparison.trials.iter().map(|trial| &trial.contender.label).collect();
    let largest = matrix.rms.iter().flatten().copied().fold(0.0, f64::max);
    // Shade by magnitude: three decades from the largest down.
    let heat = |rms: f64| if rms > 0.0 { (1.0 + (rms / largest).log10() / 3.0).clamp(0.0, 1.0) } else { 0.0 };
    html! {
        p {
            "Every pair at t = " (digits(matrix.time)) " s, the last moment all runs have; root of the mean square over bodies."
        }
        div class="scroll" {
            table {
                thead { tr { th {} @for label in &labels { th { (label) } } } }
                tbody {
                    @for (index, (label, row)) in labels.iter().zip(&matrix.rms).enumerate() {
                        tr {
                            td { i class={ "key c" (index) } {} " " (label) }
                            @for (other, &rms) in row.iter().enumerate() {
                                td class="heat" style=(format!("--h:{:.2}", heat(rms))) {
                                    @if other == index { "–" } @else { (length(rms)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
