//! Steps in which everything sleeps.
//!
//! Nothing moves in them, so that contacts, loads and forces come out as in the step before. After one that was taken in full
//! the next are taken without work for as long as nobody disturbs anything: they look whether somebody did, and tell the same again.

use drystone_collide::Collide;
use drystone_model::{BodyKind, Control, Model, Pose, State, Twist};
use drystone_solve::clock::Clock;
use drystone_solve::report::{Phase, Report};

use super::Vbd;

/// What a step was in which nothing was awake.
#[derive(Clone, Debug, Default)]
pub struct Quiet {
    step: Option<QuietStep>,
}

#[derive(Clone, Debug)]
struct QuietStep {
    /// Its duration \[s\].
    dt: f64,
    body_q: Vec<Pose>,
    quarantined: Vec<bool>,
    report: Report,
}

impl Quiet {
    /// The next step is taken in full.
    pub fn disturb(&mut self) {
        self.step = None;
    }
}

impl Vbd {
    /// Takes a step if nothing would move in it; returns its report.
    pub(super) fn quiet_step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &Collide,
        dt: f64,
        clock: &mut Clock,
    ) -> Option<Report> {
        let quiet = self.quiet.step.as_ref()?;
        let same = quiet.dt == dt
            && !collide.has_hook()
            && quiet.report.asleep == self.sleep.count()
            && quiet.body_q == state.body_q
            && quiet.quarantined == state.body_quarantined
            && state.body_qd.iter().all(|twist| *twist == Twist::default())
            && control.body_target.iter().all(Option::is_none);
        if !same || self.sleep.wake_by_user(model, state, control, &self.joints) {
            self.quiet.disturb();
            return None;
        }
        state.time += dt;
        state.step_count += 1;
        let mut report = quiet.report.clone();
        clock.lap(Phase::Control);
        report.time = std::mem::take(&mut clock.laps);
        Some(report)
    }

    /// Notes a step that was taken in full, if nothing was awake when it began and nothing is now.
    pub(super) fn note_quiet(&mut self, model: &Model, state: &State, collide: &Collide, dt: f64, report: &Report) {
        self.quiet.disturb();
        let sleeps = |body: usize| match model.body_kind[body] {
            BodyKind::Dynamic => state.body_quarantined[body] || self.bodies.asleep[body] && self.sleep.asleep(body),
            _ => state.body_qd[body] == Twist::default(),
        };
        let asleep = self.options.sleeping
            && self.particles.is_none()
            && !collide.has_hook()
            && (0..model.body_count()).all(sleeps);
        if asleep {
            let report = Report { still: true, broken: Vec::new(), growth_count: Some(0), ..report.clone() };
            let (body_q, quarantined) = (state.body_q.clone(), state.body_quarantined.clone());
            self.quiet.step = Some(QuietStep { dt, body_q, quarantined, report });
        }
    }
}
