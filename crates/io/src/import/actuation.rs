//! Actuators of robots: what controls do to the axes of the model.

use drystone_kernels::elementary;
use drystone_model::{Axis, Control, JointId};
use thiserror::Error;

use super::robot::Imported;

/// An actuator: turns a control into an effort or a target of one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// The joint of the model.
    pub joint: JointId,
    /// The axis it acts on.
    pub axis: Axis,
    /// The controls it takes; others count as the nearest of these.
    pub control_range: Option<[f64; 2]>,
    /// What a control does.
    pub action: Action,
    /// What stands for the control after a while.
    pub dynamics: Dynamics,
    /// Other axes that the force acts on, where it pulls a tendon over several joints.
    pub further: Vec<Lever>,
}

/// What an actuator makes of its control over time: a state of its own, the activation, acts in place of the control.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Dynamics {
    /// The control acts as it is.
    #[default]
    Direct,
    /// The activation approaches the control: its rate is (control − activation) / time.
    Filter {
        /// Time constant \[s\].
        time: f64,
        /// Whether a step follows the exponential, instead of its tangent as in MuJoCo's `filter`.
        exact: bool,
        /// Bounds of the activation.
        range: [f64; 2],
    },
    /// The activation grows by control per second.
    Integrator {
        /// Bounds of the activation.
        range: [f64; 2],
    },
}

impl Dynamics {
    /// The activation a step of `dt` seconds later.
    pub fn after(&self, activation: f64, control: f64, dt: f64) -> f64 {
        match *self {
            Self::Direct => control,
            Self::Filter { time, exact, range: [low, high] } => {
                let share = if exact { 1.0 - elementary::exp(-dt / time) } else { dt / time };
                (activation + (control - activation) * share).max(low).min(high)
            }
            Self::Integrator { range: [low, high] } => (activation + dt * control).max(low).min(high),
        }
    }
}

/// Why controls cannot be put into effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ControlError {
    /// The number of entries is wrong.
    #[error("{given} controls for {expected} actuators; give one for every actuator")]
    Count {
        /// Entries given.
        given: usize,
        /// Actuators of the robot.
        expected: usize,
    },
    /// A control is not finite.
    #[error("the control of actuator #{actuator} is not finite; give numbers")]
    NotFinite {
        /// The actuator.
        actuator: usize,
    },
    /// An actuator filters or sums its controls.
    #[error("actuator #{actuator} has a state of its own; use `apply_over`, which keeps it, from Rust")]
    Stateful {
        /// The actuator.
        actuator: usize,
    },
}

/// An axis that an actuator pulls beside its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lever {
    /// The joint of the model.
    pub joint: JointId,
    /// The axis it acts on.
    pub axis: Axis,
    /// Effort on the axis per force, sign included.
    pub gear: f64,
}

/// What a control does to an axis of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Effort: gain · control within a range, times gear \[N or N·m\].
    Effort {
        /// Force per control.
        gain: f64,
        /// Range of the force before the gear.
        range: [f64; 2],
        /// Effort on the axis per force, sign included.
        gear: f64,
    },
    /// Target of the axis' drive: scale · control + offset \[m or rad\].
    Target {
        /// Coordinate per control.
        scale: f64,
        /// Coordinate at control zero.
        offset: f64,
    },
    /// Target rate of the axis' drive: scale · control \[m/s or rad/s\].
    TargetVelocity {
        /// Rate per control.
        scale: f64,
    },
}

impl Actuator {
    /// The control within the range it takes.
    pub fn clamped(&self, control: f64) -> f64 {
        self.control_range.map_or(control, |[low, high]| control.max(low).min(high))
    }

    /// Puts a control into effect; efforts add to what is there. For an actuator with a state of its own this is the activation.
    pub fn apply(&self, control: f64, out: &mut Control) {
        let value = if self.dynamics == Dynamics::Direct { self.clamped(control) } else { control };
        let (joint, axis) = (self.joint.built_index(), self.axis as usize);
        match self.action {
            Action::Effort { gain, range: [low, high], gear } => {
                let force = (gain * value).max(low).min(high);
                out.joint_f[joint][axis] += gear * force;
                for lever in &self.further {
                    out.joint_f[lever.joint.built_index()][lever.axis as usize] += lever.gear * force;
                }
            }
            Action::Target { scale, offset } => out.joint_target[joint][axis] = scale * value + offset,
            Action::TargetVelocity { scale } => out.joint_target_velocity[joint][axis] = scale * value,
        }
    }
}

impl Imported {
    /// Puts controls into effect, in the order of the actuators. Efforts of the axes they drive start from zero.
    ///
    /// # Errors
    /// If there are not as many controls as actuators, one is not finite, or one is for an actuator with a state of its own, for
    /// which there is [`Imported::apply_over`].
    pub fn apply(&self, controls: &[f64], out: &mut Control) -> Result<(), ControlError> {
        if let Some(actuator) = self.actuators.iter().position(|actuator| actuator.dynamics != Dynamics::Direct) {
            return Err(ControlError::Stateful { actuator });
        }
        self.act(controls, out)
    }

    /// Puts controls into effect for a step of `dt` seconds, with activations of actuators that have a state of their own: what they
    /// are at the start of the step acts in it, and they become what they are at its end. Begin with as many zeros as there are
    /// actuators, and keep them with a checkpoint of the simulation.
    ///
    /// # Errors
    /// If there are not as many controls or activations as actuators, or one is not finite.
    pub fn apply_over(
        &self,
        controls: &[f64],
        dt: f64,
        activations: &mut [f64],
        out: &mut Control,
    ) -> Result<(), ControlError> {
        let (given, expected) = (activations.len(), self.actuators.len());
        if given != expected || controls.len() != expected {
            return Err(ControlError::Count { given: given.min(controls.len()), expected });
        }
        if let Some(actuator) = controls.iter().position(|control| !control.is_finite()) {
            return Err(ControlError::NotFinite { actuator });
        }
        let all = || self.actuators.iter().zip(controls);
        let acting: Vec<f64> = all()
            .zip(&*activations)
            .map(|((actuator, &control), &activation)| match actuator.dynamics {
                Dynamics::Direct => control,
                _ => activation,
            })
            .collect();
        self.act(&acting, out)?;
        for ((actuator, &control), activation) in all().zip(activations) {
            *activation = actuator.dynamics.after(*activation, actuator.clamped(control), dt);
        }
        Ok(())
    }

    fn act(&self, controls: &[f64], out: &mut Control) -> Result<(), ControlError> {
        let (given, expected) = (controls.len(), self.actuators.len());
        if given != expected {
            return Err(ControlError::Count { given, expected });
        }
        if let Some(actuator) = controls.iter().position(|control| !control.is_finite()) {
            return Err(ControlError::NotFinite { actuator });
        }
        for actuator in &self.actuators {
            out.joint_f[actuator.joint.built_index()][actuator.axis as usize] = 0.0;
            for lever in &actuator.further {
                out.joint_f[lever.joint.built_index()][lever.axis as usize] = 0.0;
            }
        }
        self.actuators.iter().zip(controls).for_each(|(actuator, &control)| actuator.apply(control, out));
        Ok(())
    }
}
