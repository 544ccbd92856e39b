//! How far the motions are apart.

use drystone_plot::{Plot, Scale, Series, escaped};
use drystone_report::figure;

use crate::compare::Comparison;
use crate::compare::agreement::{Matrix, distances};
use crate::compare::table::{digits, length};

/// What is smaller than this share of the largest is drawn as if it were nothing.
const NOTHING: f64 = 1e-12;

/// Distance from a reference over time, and of every pair at the end.
pub fn section(comparison: &Comparison) -> String {
    let trials = &comparison.trials;
    if trials.len() < 2 {
        return "<p>Only one solver ran, so there is nothing to agree with.</p>\n".to_owned();
    }
    let reference = reference(comparison);
    let name = &trials[reference].contender.label;
    let mut out = format!(
        "<p>Distance of the centres of mass of all moving bodies from where <b>{}</b> puts them. Solvers make \
         different errors, and chaotic scenes let any difference grow: agreement shows that both are right, \
         disagreement alone does not show who is wrong.</p>\n<div class=\"grid2\">\n",
        escaped(name)
    );
    for (note, which) in [("Root of the mean square over bodies.", 1), ("The farthest body.", 2)] {
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
        out.push_str(&figure(&format!("Distance from {name}"), note, &plot.inline()));
    }
    out.push_str("</div>\n");
    out + &matrix(comparison)
}

/// The scene's own solver if it took part, otherwise the first.
fn reference(comparison: &Comparison) -> usize {
    let own = |trial: &crate::compare::trial::Trial| trial.contender.solver == comparison.job.solver;
    comparison.trials.iter().position(own).unwrap_or(0)
}

fn matrix(comparison: &Comparison) -> String {
    let matrix = Matrix::new(&comparison.trials);
    let labels: Vec<String> = comparison.trials.iter().map(|trial| escaped(&trial.contender.label)).collect();
    let mut out = format!(
        "<p>Every pair at t = {} s, the last moment all runs have; root of the mean square over bodies.</p>\n\
         <div class=\"scroll\"><table><thead><tr><th></th>",
        digits(matrix.time)
    );
    out.extend(labels.iter().map(|label| format!("<th>{label}</th>")));
    out.push_str("</tr></thead><tbody>\n");
    let largest = matrix.rms.iter().flatten().copied().fold(0.0, f64::max);
    for (index, (label, row)) in labels.iter().zip(&matrix.rms).enumerate() {
        out.push_str(&format!("<tr><td><i class=\"key c{index}\"></i> {label}</td>"));
        for (other, &rms) in row.iter().enumerate() {
            // Shade by magnitude: three decades from the largest down.
            let heat = if rms > 0.0 { (1.0 + (rms / largest).log10() / 3.0).clamp(0.0, 1.0) } else { 0.0 };
            let text = if other == index { "–".to_owned() } else { length(rms) };
            out.push_str(&format!("<td class=\"heat\" style=\"--h:{heat:.2}\">{text}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}
