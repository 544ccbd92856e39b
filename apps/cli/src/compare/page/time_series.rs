//! Plots over time.

use drystone_plot::{Plot, Scale, Series, thinned};
use drystone_report::figure;
use maud::{Markup, html};

use crate::compare::Comparison;
use crate::compare::trial::Trial;

/// Points of a line, about: more than a screen shows.
const POINTS: usize = 400;
/// What is smaller than this share of the largest is drawn as if it were nothing.
const NOTHING: f64 = 1e-9;
/// Sizes this many times apart do not fit on one linear axis.
const WILD: f64 = 100.0;

/// Energy, momentum, overlap, distance, joint gap, residual, time per step.
pub fn section(comparison: &Comparison) -> Markup {
    let plots = Plots { comparison };
    html! {
        p {
            "Point at a plot to read it; in time, the films above follow. Names in the legend at the top switch runs on and off."
        }
        div class="grid2" {
            (plots.energy())
            (plots.momenta())
            (plots.penetration())
            (plots.distance())
            (plots.convergence())
        }
    }
}

/// A series with a hole wherever nobody measured.
fn measured(series: &[Option<f64>]) -> Vec<f64> {
    series.iter().map(|figure| figure.unwrap_or(f64::NAN)).collect()
}

fn size(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

struct Plots<'a> {
    comparison: &'a Comparison<'a>,
}

impl Plots<'_> {
    /// The axis of time, as long as the longest run.
    fn time(&self) -> Scale {
        let end = self.comparison.trials.iter().map(Trial::reached).fold(0.0, f64::max);
        Scale::linear("time [s]").between(0.0, end)
    }

    fn lines(&self, values: &dyn Fn(&Trial) -> Vec<f64>) -> Vec<Series> {
        let each = self.comparison.trials.iter().enumerate();
        each.map(|(color, trial)| {
            let points = trial.series.time.iter().zip(values(trial)).map(|(&time, y)| [time, y]);
            line(color, trial, &points.collect::<Vec<_>>())
        })
        .collect()
    }

    fn energy(&self) -> Markup {
        let start = |trial: &Trial| trial.measures.start_energy;
        self.signed(
            "Energy",
            "change since the start [J]",
            "Kinetic and potential energy, less that of the start. Unless a drive adds energy, a line that rises is an \
             error; friction and impacts let it fall.",
            &|trial| trial.energy().iter().map(|energy| energy - start(trial)).collect(),
        )
    }

    fn momenta(&self) -> Markup {
        let linear = self.positive(
            "Momentum",
            "momentum [kg·m/s]",
            "Size of the linear momentum of all moving bodies.",
            &|trial| trial.series.momentum.iter().map(size).collect(),
        );
        let angular = self.positive(
            "Angular momentum",
            "angular momentum [kg·m²/s]",
            "Size of the angular momentum about the origin.",
            &|trial| trial.series.angular_momentum.iter().map(size).collect(),
        );
        html! { (linear) (angular) }
    }

    /// How well joints hold, how much iterations still change, and what a step costs.
    fn convergence(&self) -> Markup {
        let gap = || {
            self.sizes(
                "Joint error",
                "largest joint gap [m]",
                "How far the two ends of the worst joint are apart.",
                &|trial| measured(&trial.series.joint_error),
            )
        };
        let residual = self.sizes(
            "Residual",
            "residual [m]",
            "Largest move of the last iteration, by each solver's own account: how much it would still have changed.",
            &|trial| measured(&trial.series.residual),
        );
        let time =
            self.sizes("Time per step", "wall-clock time [ms]", "All phases together, contacts included.", &|trial| {
                trial.series.seconds.iter().map(|seconds| 1e3 * seconds).collect()
            });
        html! { @if self.comparison.job.model.joint_count() > 0 { (gap()) } (residual) (time) }
    }

    /// Numbers of either sign: linear while runs are alike, logarithmic where one is much larger than another.
    fn signed(&self, name: &str, label: &str, note: &str, values: &dyn Fn(&Trial) -> Vec<f64>) -> Markup {
        let series = self.lines(values);
        match self.spread(&series) {
            Spread::Alike => self.plot(name, note, Scale::linear(label), series),
            Spread::Apart { least, most } => {
                let note = format!("{note} The axis is logarithmic away from zero.");
                self.plot(name, &note, Scale::signed(label, (0.1 * least).max(NOTHING * most)), series)
            }
        }
    }

    /// Sizes: linear while runs are alike, logarithmic where one is much larger than another.
    fn positive(&self, name: &str, label: &str, note: &str, values: &dyn Fn(&Trial) -> Vec<f64>) -> Markup {
        let series = self.lines(values);
        let y = match self.spread(&series) {
            Spread::Alike => Scale::linear(label),
            Spread::Apart { .. } => log_scale(label, &series),
        };
        self.plot(name, note, y, series)
    }

    /// How different the sizes of the runs are. Runs that ended soon had no time to show theirs.
    fn spread(&self, series: &[Series]) -> Spread {
        let longest = self.comparison.trials.iter().map(Trial::reached).fold(0.0, f64::max);
        let long = self.comparison.trials.iter().zip(series).filter(|(trial, _)| trial.reached() > 0.5 * longest);
        let size =
            |series: &Series| series.points.iter().map(|p| p[1].abs()).filter(|y| y.is_finite()).fold(0.0, f64::max);
        spread(long.map(|(_, series)| size(series)), series.iter().map(size))
    }

    fn sizes(&self, name: &str, label: &str, note: &str, values: &dyn Fn(&Trial) -> Vec<f64>) -> Markup {
        let series = self.lines(values);
        self.plot(name, note, log_scale(label, &series), series)
    }

    /// Overlaps as measured on the recordings, by the same code for every solver.
    fn penetration(&self) -> Markup {
        let trials = &self.comparison.trials;
        if trials.iter().all(|trial| trial.unmeasured == 0 && trial.max_penetration() == Some(0.0)) {
            return html! {};
        }
        if trials.iter().any(|trial| trial.unmeasured > 0) {
            let note = "Deepest overlap by each solver's own contacts: some shapes here are not convex and cannot be \
                        measured from outside.";
            return self
                .sizes("Penetration", "deepest overlap [m]", note, &|trial| measured(&trial.series.penetration));
        }
        let series: Vec<Series> =
            trials.iter().enumerate().map(|(color, trial)| line(color, trial, &trial.overlap)).collect();
        let note = "Deepest overlap of two bodies, measured on the recorded poses by code that shares nothing with the \
                    solvers.";
        self.plot("Penetration", note, log_scale("deepest overlap [m]", &series), series)
    }

    /// Distances, where a solver keeps bodies apart.
    fn distance(&self) -> Markup {
        let known = |trial: &Trial| trial.series.min_distance.iter().any(Option::is_some);
        if !self.comparison.trials.iter().any(known) {
            return html! {};
        }
        let series = self.lines(&|trial| measured(&trial.series.min_distance));
        let series: Vec<Series> =
            series.into_iter().filter(|series| series.points.iter().any(|p| p[1].is_finite())).collect();
        let note = "Of the solvers that keep bodies apart: how near any two come. It must stay above zero.";
        self.plot("Smallest distance", note, log_scale("smallest distance [m]", &series), series)
    }

    fn plot(&self, name: &str, note: &str, y: Scale, series: Vec<Series>) -> Markup {
        let plot = Plot { title: format!("{name} over time"), x: self.time(), y, series };
        figure(name, note, &plot.inline())
    }
}

fn line(color: usize, trial: &Trial, points: &[[f64; 2]]) -> Series {
    Series::line(trial.contender.label.clone(), thinned(points, POINTS)).colored(color)
}

fn log_scale(label: &str, series: &[Series]) -> Scale {
    Scale::sizes(label, series.iter().flat_map(|series| &series.points).map(|p| p[1]), NOTHING)
}

/// How different the sizes of runs are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spread {
    /// One linear axis shows them all.
    Alike,
    /// It would not: the smallest size that is not zero, and the largest.
    Apart { least: f64, most: f64 },
}

fn spread(long: impl Iterator<Item = f64>, all: impl Iterator<Item = f64>) -> Spread {
    let least = long.filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min);
    let most = all.fold(0.0, f64::max);
    if least.is_finite() && most > WILD * least { Spread::Apart { least, most } } else { Spread::Alike }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_far_apart_are_noticed() {
        let of = |sizes: &[f64]| spread(sizes.iter().copied(), sizes.iter().copied());
        assert_eq!(of(&[3.0, 40.0, 0.0]), Spread::Alike);
        assert_eq!(of(&[3.0, 4.0, 1e68]), Spread::Apart { least: 3.0, most: 1e68 });
        assert_eq!(of(&[]), Spread::Alike);
    }
}
