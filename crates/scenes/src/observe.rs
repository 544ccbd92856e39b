//! What is measured of every run, step by step. It is plain data, so that a resumed run goes on
//! measuring where it was.

use drystone::model::{BodyKind, Model, State};
use drystone::solve::Report;
use serde::{Deserialize, Serialize};

/// A number read off every state, for claims about the course of a run.
pub type Probe = Box<dyn Fn(&Model, &State) -> f64 + Send>;

/// Extremes and ends of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Steps observed.
    pub steps: u64,
    /// Deepest overlap of the run \[m\].
    pub max_penetration: f64,
    /// Deepest overlap after the last step \[m\].
    pub end_penetration: f64,
    /// Largest joint gap of the run \[m\].
    pub max_joint_error: f64,
    /// Largest angular joint error of the run \[rad\].
    pub max_joint_angle_error: f64,
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
        self.steps += 1;
        self.end_penetration = report.max_penetration;
        self.max_penetration = self.max_penetration.max(report.max_penetration);
        self.max_joint_error = self.max_joint_error.max(report.max_joint_error);
        self.max_joint_angle_error = self.max_joint_angle_error.max(report.max_joint_angle_error);
        self.end_moved = largest_move(model, state);
        self.max_moved = self.max_moved.max(self.end_moved);
        self.end_kinetic_energy = report.kinetic_energy;
        self.end_energy = report.kinetic_energy + report.potential_energy;
        self.max_energy = self.max_energy.max(self.end_energy);
        self.min_potential = self.min_potential.min(report.potential_energy);
        self.quarantined += report.quarantined.len();
        self.broken += report.broken.len();
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
