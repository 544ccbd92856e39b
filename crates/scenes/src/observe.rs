//! What is measured of every run, step by step. It is plain data, so that a resumed run goes on
//! measuring where it was.

use std::collections::BTreeSet;

use drystone::model::{BodyKind, JointId, Model, State};
use drystone::solve::Report;
use serde::{Deserialize, Serialize};

/// A number read off every state, for claims about the course of a run.
pub type Probe = Box<dyn Fn(&Model, &State) -> f64 + Send>;

/// Extremes and ends of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Steps observed.
    pub steps: u64,
    /// Deepest overlap of the run \[m\]; absent if some step did not measure it.
    pub max_penetration: Option<f64>,
    /// Deepest overlap after the last step \[m\], if it measured it.
    pub end_penetration: Option<f64>,
    /// Largest joint gap of the run \[m\]; absent if some step did not measure it.
    pub max_joint_error: Option<f64>,
    /// Largest angular joint error of the run \[rad\]; absent if some step did not measure it.
    pub max_joint_angle_error: Option<f64>,
    /// Largest distance any dynamic body was from its start \[m\].
    pub max_moved: f64,
    /// The same after the last step \[m\].
    pub end_moved: f64,
    /// Kinetic and potential energy at the start \[J\].
    pub start_energy: f64,
    /// Largest energy of the run \[J\].
    pub max_energy: f64,
    /// Energy after the last step \[J\].
    pub end_energy: f64,
    /// Kinetic energy after the last step \[J\].
    pub end_kinetic_energy: f64,
    /// Potential energy at the start \[J\].
    pub start_potential: f64,
    /// Smallest potential energy of the run \[J\].
    pub min_potential: f64,
    /// Bodies quarantined.
    pub quarantined: usize,
    /// Joints broken.
    pub broken: usize,
    /// Steps that say of themselves that their iterations did not come to their end.
    #[serde(default)]
    pub unconverged_steps: u64,
    /// Joints that some step left open and named.
    #[serde(default)]
    pub open_joints: BTreeSet<JointId>,
    /// What the scene's probe read after every step, and before the first.
    pub trace: Vec<f64>,
}

impl Measures {
    /// Starts measuring a scene at its initial state.
    pub fn new(model: &Model, probe: Option<&Probe>) -> Self {
        let state = model.state();
        let energy = model.energy(&state);
        Self {
            start_energy: energy.total(),
            max_energy: energy.total(),
            end_energy: energy.total(),
            end_kinetic_energy: energy.kinetic,
            start_potential: energy.potential,
            min_potential: energy.potential,
            trace: probe.map(|probe| probe(model, &state)).into_iter().collect(),
            ..Self::default()
        }
    }

    /// Takes in a step.
    pub fn observe(&mut self, model: &Model, state: &State, report: &Report, probe: Option<&Probe>) {
        let first = self.steps == 0;
        self.steps += 1;
        self.end_penetration = report.max_penetration;
        let worst = |known: Option<f64>, now: Option<f64>| if first { now } else { Some(known?.max(now?)) };
        self.max_penetration = worst(self.max_penetration, report.max_penetration);
        self.max_joint_error = worst(self.max_joint_error, report.max_joint_error);
        self.max_joint_angle_error = worst(self.max_joint_angle_error, report.max_joint_angle_error);
        self.end_moved = largest_move(model, state);
        self.max_moved = self.max_moved.max(self.end_moved);
        self.end_kinetic_energy = report.kinetic_energy;
        self.end_energy = report.kinetic_energy + report.potential_energy;
        self.max_energy = self.max_energy.max(self.end_energy);
        self.min_potential = self.min_potential.min(report.potential_energy);
        self.quarantined += report.quarantined.len();
        self.broken += report.broken.len();
        self.unconverged_steps += u64::from(report.is_unconverged());
        self.open_joints.extend(&report.unconverged);
        self.trace.extend(probe.map(|probe| probe(model, state)));
    }

    /// Largest energy gain over the start, relative to the largest drop of potential energy (or to
    /// the start's energy where nothing falls).
    pub fn energy_gain(&self) -> f64 {
        (self.max_energy - self.start_energy) / self.energy_scale()
    }

    fn energy_scale(&self) -> f64 {
        let drop = self.start_potential - self.min_potential;
        let kinetic = self.start_energy - self.start_potential;
        drop.max(kinetic).max(f64::MIN_POSITIVE)
    }
}

/// Largest distance of a dynamic body from where the model starts it \[m\].
fn largest_move(model: &Model, state: &State) -> f64 {
    let bodies = (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic);
    let moved = bodies.map(|body| (state.body_q[body].translation - model.body_q[body].translation).length());
    moved.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_that_did_not_measure_leaves_the_run_without_a_figure() {
        let (model, state) = (Model::default(), State::default());
        let step = |penetration: Option<f64>| Report { max_penetration: penetration, ..Report::default() };
        let run = |steps: &[Option<f64>]| {
            let mut measures = Measures::new(&model, None);
            steps.iter().for_each(|&figure| measures.observe(&model, &state, &step(figure), None));
            (measures.max_penetration, measures.end_penetration)
        };
        assert_eq!(run(&[]), (None, None));
        assert_eq!(run(&[Some(2.0), Some(1.0)]), (Some(2.0), Some(1.0)));
        assert_eq!(run(&[Some(2.0), None, Some(1.0)]), (None, Some(1.0)));
        assert_eq!(run(&[None, Some(1.0)]), (None, Some(1.0)));
    }
}
