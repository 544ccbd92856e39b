//! What more iterations buy, and what they cost.

use drystone_plot::{Plot, Scale, Series};
use drystone_report::figure;
use maud::{Markup, html};

use crate::compare::Comparison;
use crate::compare::convergence::{Curve, Point, steps};
use crate::compare::table::digits;

/// What is smaller than this share of the largest is drawn as if it were nothing.
const NOTHING: f64 = 1e-12;

/// Errors against iterations and against time.
pub fn section(comparison: &Comparison) -> Markup {
    let steps = steps(&comparison.job);
    let seconds = digits(steps as f64 * comparison.job.dt);
    let distance = |point: &Point| point.distance;
    let violation = |point: &Point| Some(point.violation);
    let away = "Distance from each solver's own answer with very many iterations: root of the mean square over all \
                bodies, after the last step.";
    let broken = "The largest overlap or joint gap of any step, by each solver's own account.";
    // A solver that converges early does fewer than asked.
    let iterations =
        |point: &Point| point.asked.map_or(f64::NAN, |asked| point.iterations.clamp(1.0, f64::from(asked)));
    let milliseconds = |point: &Point| 1e3 * point.seconds;
    let across: [(&str, &str, &dyn Fn(&Point) -> f64); 2] = [
        ("against iterations", "iterations per step", &iterations),
        ("against time", "time per step [ms]", &milliseconds),
    ];
    html! {
        p {
            "The first " (steps) " steps (" (seconds) " s) again, with 1 to 100 iterations per step. A solver without \
             iterations to choose is a single point. " (limits(&comparison.curves))
            " A line may rise: its points are the worst or the last of a whole run, not of one step, and with other \
             iterations bodies move on to other contacts and other impacts."
        }
        div class="grid2" {
            @for (against, label, x) in across {
                (plot(comparison, &format!("Unconverged, {against}"), away, [label, "distance [m]"], x, &distance))
            }
            @for (against, label, x) in across {
                (plot(comparison, &format!("Constraint error, {against}"), broken, [label, "error [m]"], x, &violation))
            }
        }
    }
}

/// Which run stands for the limit of many iterations.
fn limits(curves: &[Curve]) -> String {
    let each = curves.iter().filter(|curve| curve.limit > 0 && curve.points.len() > 1);
    let each: Vec<String> = each.map(|curve| format!("{}@{}", curve.solver, curve.limit)).collect();
    if each.is_empty() { String::new() } else { format!("Very many iterations means {}.", each.join(", ")) }
}

fn plot(
    comparison: &Comparison,
    name: &str,
    note: &str,
    [across, up]: [&str; 2],
    x: &dyn Fn(&Point) -> f64,
    y: &dyn Fn(&Point) -> Option<f64>,
) -> Markup {
    let line = |curve: &Curve| {
        // The colour of the first run with this solver.
        let color = comparison.trials.iter().position(|trial| trial.contender.solver == curve.solver).unwrap_or(0);
        let points = curve.points.iter().filter_map(|point| Some([x(point), y(point)?]));
        Series::line(curve.solver.clone(), points.filter(|p| p[0].is_finite()).collect()).marked().colored(color)
    };
    let series: Vec<Series> = comparison.curves.iter().map(line).filter(|series| !series.points.is_empty()).collect();
    if series.is_empty() {
        return html! {};
    }
    let values = series.iter().flat_map(|series| &series.points).map(|p| p[1]);
    let y = Scale::sizes(up, values.collect::<Vec<_>>(), NOTHING);
    let plot = Plot { title: name.to_owned(), x: Scale::log(across), y, series };
    figure(name, note, &plot.inline())
}
