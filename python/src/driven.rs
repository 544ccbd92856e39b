//! Actuators with a state of their own, taken along by every step.

use std::sync::Arc;

use drystone::Simulation as Engine;
use drystone::solve::StepError;
use drystone_io::import::{ControlError, Imported};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What the bytes of a checkpoint begin with that are activations.
const MARK: &[u8] = b"actuators";

/// A robot with controls that stay, and what its actuators have made of them so far.
#[derive(Clone)]
pub struct Driven {
    robot: Arc<Imported>,
    controls: Vec<f64>,
    /// One per actuator; zero where the control acts as it is.
    pub activations: Vec<f64>,
}

impl Driven {
    /// At rest; nothing for a robot whose controls act as they are.
    pub fn of(robot: &Arc<Imported>) -> Option<Self> {
        let rest = vec![0.0; robot.actuators.len()];
        robot.needs_every_step().then(|| Self { robot: robot.clone(), controls: rest.clone(), activations: rest })
    }

    /// Whether it is this robot's.
    pub fn is_of(&self, robot: &Arc<Imported>) -> bool {
        Arc::ptr_eq(&self.robot, robot)
    }

    /// Takes controls for the steps to come.
    pub fn set_controls(&mut self, controls: &[f64]) -> Result<(), ControlError> {
        self.robot.check_controls(controls)?;
        self.controls.copy_from_slice(controls);
        Ok(())
    }

    /// One step; where it fails, activations are as they were.
    pub fn step(&mut self, sim: &mut Engine) -> Result<(), StepError> {
        let mut after = self.activations.clone();
        let dt = sim.dt();
        // Controls and activations were checked when they were given.
        let mut control = std::mem::take(sim.control_mut());
        let applied = self.robot.apply_over(&self.controls, sim.state(), dt, &mut after, &mut control);
        *sim.control_mut() = control;
        debug_assert!(applied.is_ok(), "{applied:?}");
        sim.step()?;
        self.activations = after;
        Ok(())
    }

    /// Back to rest.
    pub fn reset(&mut self) {
        self.activations.fill(0.0);
    }

    /// What a checkpoint keeps of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = self.controls.iter().chain(&self.activations).flat_map(|number| number.to_le_bytes());
        MARK.iter().copied().chain(numbers).collect()
    }

    /// Whether a checkpoint kept some robot's activations.
    pub fn are_in(bytes: &[u8]) -> bool {
        bytes.starts_with(MARK)
    }

    /// Takes back what a checkpoint kept.
    pub fn resume(&mut self, bytes: &[u8]) -> PyResult<()> {
        let bytes = bytes.strip_prefix(MARK).unwrap_or_default();
        let words = bytes.chunks_exact(8).filter_map(|word| word.try_into().ok());
        let kept: Vec<f64> = words.map(f64::from_le_bytes).collect();
        if bytes.len() != 16 * self.controls.len() || !kept.iter().all(|number| number.is_finite()) {
            let message =
                "the checkpoint holds no activations of this robot's actuators; take one of a run that drives them";
            return Err(PyValueError::new_err(message));
        }
        let (controls, activations) = kept.split_at(self.controls.len());
        self.controls.copy_from_slice(controls);
        self.activations.copy_from_slice(activations);
        Ok(())
    }
}
