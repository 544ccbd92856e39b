//! What a scene claims, and whether a run bore it out.

use drystone::model::{Model, State};
use drystone_kernels::elementary::log10;
use serde::{Deserialize, Serialize};

use crate::observe::{Measures, Probe};

/// A finished run, as a check sees it.
pub struct Run<'a> {
    /// The model, which also holds the start.
    pub model: &'a Model,
    /// Where everything ended.
    pub state: &'a State,
    /// What was measured on the way.
    pub measures: &'a Measures,
    /// Time step \[s\].
    pub dt: f64,
}

/// The answer of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the claim held.
    pub passed: bool,
    /// The figures it rests on, with their bounds.
    pub measured: String,
    /// Those of them that fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// A scene's claim and the way to test it.
pub struct Check {
    /// The claim, in words.
    pub claim: String,
    /// What to read off every state, if the claim needs the course of the run.
    pub probe: Option<Probe>,
    judge: Box<dyn Fn(&Run) -> Figures + Send>,
}

impl Check {
    /// A check of what every run measures.
    pub fn new(claim: impl Into<String>, judge: impl Fn(&Run) -> Figures + Send + 'static) -> Self {
        Self { claim: claim.into(), probe: None, judge: Box::new(judge) }
    }

    /// Also traces a number step by step.
    pub fn tracing(mut self, probe: impl Fn(&Model, &State) -> f64 + Send + 'static) -> Self {
        self.probe = Some(Box::new(probe));
        self
    }

    /// Judges a run. A run that lost bodies to non-finite numbers never passes.
    pub fn judge(&self, run: &Run) -> Verdict {
        let lost = run.measures.quarantined;
        let figures = (self.judge)(run);
        let figures = if lost > 0 { figures.require(&format!("{lost} bodies quarantined"), false) } else { figures };
        figures.verdict()
    }
}

/// Measured figures against their bounds.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    lines: Vec<String>,
    failed: Vec<String>,
}

impl Figures {
    /// No figures yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires `value < bound`. NaN fails, and so does a figure that nobody measured.
    pub fn below(self, what: &str, value: impl Into<Option<f64>>, bound: f64, unit: &str) -> Self {
        let said = match bound {
            f64::MIN_POSITIVE => "none allowed".to_owned(),
            _ => format!("allowed {}", quantity(bound, unit)),
        };
        self.bounded(what, value.into(), &said, unit, |value| value < bound)
    }

    /// Requires `value > bound`. NaN fails, and so does a figure that nobody measured.
    pub fn above(self, what: &str, value: impl Into<Option<f64>>, bound: f64, unit: &str) -> Self {
        self.bounded(what, value.into(), &format!("needed {}", quantity(bound, unit)), unit, |value| value > bound)
    }

    fn bounded(self, what: &str, value: Option<f64>, bound: &str, unit: &str, holds: impl Fn(f64) -> bool) -> Self {
        match value {
            Some(value) => self.line(holds(value), format!("{what} {}; {bound}", quantity(value, unit))),
            None => self.line(
                false,
                format!(
                    "{what} unknown; {bound}: the solver measured none in some step; record the run and let \
                     `drystone check` measure it, or take a solver that does"
                ),
            ),
        }
    }

    /// Requires `value` within a relative `tolerance` of `expected`. NaN fails.
    pub fn near(self, what: &str, value: f64, expected: f64, tolerance: f64, unit: &str) -> Self {
        let error = (value / expected - 1.0).abs();
        let (is, should) = (quantity(value, unit), quantity(expected, unit));
        self.line(
            error <= tolerance,
            format!(
                "{what} {is}; theory {should}, off by {} %, allowed {} %",
                digits(100.0 * error),
                digits(100.0 * tolerance)
            ),
        )
    }

    /// Requires something that is no single number; `what` says how it is, whether it should be so or not.
    pub fn require(self, what: &str, holds: bool) -> Self {
        self.line(holds, what.to_owned())
    }

    fn line(mut self, holds: bool, text: String) -> Self {
        if !holds {
            self.failed.push(text.clone());
        }
        self.lines.push(text);
        self
    }

    fn verdict(self) -> Verdict {
        Verdict { passed: self.failed.is_empty(), measured: self.lines.join(" · "), failed: self.failed }
    }
}

fn quantity(value: f64, unit: &str) -> String {
    let digits = digits(value);
    if unit.is_empty() { digits } else { format!("{digits} {unit}") }
}

/// A number to three digits, without zeros that say nothing.
fn digits(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    if !(1e-3..1e5).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (2 - log10(magnitude).floor() as i32).clamp(0, 5) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The claim of everything that should stay where it is: no body moves further than `limit` \[m\].
pub fn stands(limit: f64) -> Check {
    Check::new(format!("stands: no body moves more than {limit} m"), move |run| {
        Figures::new().below("moved", run.measures.max_moved, limit, "m")
    })
}

/// The claim of jointed things that swing: joints hold to `gap` \[m\] and energy never rises by more
/// than `gain` of the largest drop in potential energy.
pub fn swings(gap: f64, gain: f64) -> Check {
    let claim =
        format!("moves, joint gap below {gap} m at all times, energy gain below {} % of the fall", 100.0 * gain);
    Check::new(claim, move |run| joint_figures(run, gap, gain))
}

/// The claim of jointed things that hang at rest: as [`swings`], but nothing needs to move.
pub fn hangs(gap: f64, gain: f64) -> Check {
    let claim = format!("joint gap below {gap} m at all times, energy gain below {} % of the fall", 100.0 * gain);
    Check::new(claim, move |run| closed_figures(run, gap, gain))
}

/// The figures of [`swings`], for checks that add their own. What stands still keeps its joints closed and its energy, and
/// has shown nothing.
pub fn joint_figures(run: &Run, gap: f64, gain: f64) -> Figures {
    closed_figures(run, gap, gain).above("moved", run.measures.max_moved, 1e-3, "m")
}

fn closed_figures(run: &Run, gap: f64, gain: f64) -> Figures {
    let figures = Figures::new().below("joint gap", run.measures.max_joint_error, gap, "m");
    figures.below("energy gain", run.measures.energy_gain(), gain, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_fail_on_the_wrong_side_and_on_nan() {
        let verdict = |figures: Figures| figures.verdict().passed;
        assert!(verdict(Figures::new().below("x", 1.0, 2.0, "m").above("y", 3.0, 2.0, "m")));
        assert!(!verdict(Figures::new().below("x", 2.0, 2.0, "m")));
        assert!(!verdict(Figures::new().above("x", f64::NAN, 2.0, "m")));
        assert!(!verdict(Figures::new().near("x", f64::NAN, 2.0, 0.1, "m")));
        assert!(verdict(Figures::new().near("x", 1.99, 2.0, 0.01, "m")));
        assert!(!verdict(Figures::new().near("x", 1.97, 2.0, 0.01, "m")));
    }

    /// What is read without knowing how it was made.
    #[test]
    fn verdicts_say_what_was_measured_and_what_is_allowed() {
        let said = |figures: Figures| figures.verdict().measured;
        let figures = Figures::new().below("moved", 3.0391, 0.25, "m").above("speed", 12.0, 0.5, "m/s");
        assert_eq!(said(figures), "moved 3.04 m; allowed 0.25 m · speed 12 m/s; needed 0.5 m/s");
        assert_eq!(
            said(Figures::new().below("penetration", 0.0, f64::MIN_POSITIVE, "m")),
            "penetration 0 m; none allowed"
        );
        let near = Figures::new().near("period", 2.06, 2.0, 0.01, "s").require("3 cubes escaped", false);
        assert_eq!(said(near), "period 2.06 s; theory 2 s, off by 3 %, allowed 1 % · 3 cubes escaped");
        assert_eq!(digits(4.2e-6), "4.20e-6");
        assert_eq!(digits(12345.6), "12346");
        assert_eq!(digits(f64::NAN), "NaN");
    }

    #[test]
    fn a_figure_that_nobody_measured_fails_every_bound_and_says_so() {
        for figures in
            [Figures::new().below("overlap", None, 1.0, "m"), Figures::new().above("overlap", None, 0.0, "m")]
        {
            let verdict = figures.verdict();
            assert!(!verdict.passed);
            assert!(verdict.measured.contains("overlap") && verdict.measured.contains("drystone check"), "{verdict:?}");
        }
    }

    #[test]
    fn a_run_that_lost_bodies_fails() {
        let (model, state) = (Model::default(), State::default());
        let mut measures = Measures { max_moved: 0.1, ..Measures::default() };
        let run = Run { model: &model, state: &state, measures: &measures, dt: 0.1 };
        assert!(stands(0.25).judge(&run).passed);
        measures.quarantined = 1;
        let run = Run { model: &model, state: &state, measures: &measures, dt: 0.1 };
        assert!(!stands(0.25).judge(&run).passed);
    }
}
