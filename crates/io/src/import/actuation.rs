//! Actuators of robots: what controls do to the axes of the model.

use drystone_kernels::elementary;
use drystone_model::{Control, Model, State};
use thiserror::Error;

use super::reach::Reach;
use super::robot::Imported;

/// An actuator: turns a control into a force, or a target of one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// What it pulls.
    pub reach: Reach,
    /// The controls it takes; others count as the nearest of these.
    pub control_range: Option<[f64; 2]>,
    /// What a control does.
    pub action: Action,
    /// What stands for the control after a while.
    pub dynamics: Dynamics,
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
    /// An actuator filters or sums its controls, is a servo over several joints, or pulls a body or a line.
    #[error(
        "actuator #{actuator} has a state of its own, or looks at that of the robot; use `apply_over` in every step"
    )]
    Stateful {
        /// The actuator.
        actuator: usize,
    },
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
    /// Effort that answers to where the robot is: gain · control + constant + per length · length + per speed · rate within a range,
    /// times gear. Length and rate are the sums over all axes it pulls of effort per force times coordinate or rate.
    Servo {
        /// Force per control.
        gain: f64,
        /// Force: constant, per length, per speed.
        bias: [f64; 3],
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

    /// Whether it must be applied in every step, and not only where its control changes.
    fn is_live(&self) -> bool {
        self.dynamics != Dynamics::Direct || matches!(self.action, Action::Servo { .. }) || self.reach.turns()
    }

    /// Length and rate of what it pulls, where they matter.
    fn length(&self, model: &Model, state: &State) -> [f64; 2] {
        let Action::Servo { gear, .. } = self.action else { return [0.0; 2] };
        self.reach.length(gear, model, state)
    }

    /// Puts a control, or the activation that stands for it, into effect; efforts add to what is there.
    fn apply(&self, control: f64, from: Option<(&Model, &State)>, out: &mut Control) {
        let [length, rate] = from.map_or([0.0; 2], |(model, state)| self.length(model, state));
        let value = if self.dynamics == Dynamics::Direct { self.clamped(control) } else { control };
        let mut pull = |force: f64, [low, high]: [f64; 2], gear: f64| {
            self.reach.pull(force.max(low).min(high), gear, from, out);
        };
        match self.action {
            Action::Effort { gain, range, gear } => pull(gain * value, range, gear),
            Action::Servo { gain, bias: [constant, per_length, per_rate], range, gear } => {
                pull(gain * value + constant + per_length * length + per_rate * rate, range, gear);
            }
            Action::Target { scale, offset } => {
                if let Some((joint, axis)) = self.reach.axis() {
                    out.joint_target[joint.built_index()][axis as usize] = scale * value + offset;
                }
            }
            Action::TargetVelocity { scale } => {
                if let Some((joint, axis)) = self.reach.axis() {
                    out.joint_target_velocity[joint.built_index()][axis as usize] = scale * value;
                }
            }
        }
    }
}

impl Imported {
    /// Puts controls into effect, in the order of the actuators. Efforts of the axes they drive, and forces on bodies they push, start
    /// from zero.
    ///
    /// # Errors
    /// If there are not as many controls as actuators, one is not finite, or an actuator must be applied in every step, for which
    /// there is [`Imported::apply_over`].
    pub fn apply(&self, controls: &[f64], out: &mut Control) -> Result<(), ControlError> {
        if let Some(actuator) = self.actuators.iter().position(Actuator::is_live) {
            return Err(ControlError::Stateful { actuator });
        }
        self.check_controls(controls)?;
        self.clear_efforts(out);
        self.actuators.iter().zip(controls).for_each(|(actuator, &control)| actuator.apply(control, None, out));
        Ok(())
    }

    /// Puts controls into effect for a step of `dt` seconds from a state, with activations of actuators that have a state of their
    /// own: what they are at the start of the step acts in it, and they become what they are at its end. Begin with as many zeros as
    /// there are actuators, and keep them with a checkpoint of the simulation. Servos over several joints pull by where the robot is
    /// at the start of the step.
    ///
    /// # Errors
    /// If there are not as many controls or activations as actuators, or one is not finite.
    pub fn apply_over(
        &self,
        controls: &[f64],
        state: &State,
        dt: f64,
        activations: &mut [f64],
        out: &mut Control,
    ) -> Result<(), ControlError> {
        self.check_controls(activations)?;
        self.check_controls(controls)?;
        self.clear_efforts(out);
        for ((actuator, &control), activation) in self.actuators.iter().zip(controls).zip(activations) {
            let acting = if actuator.dynamics == Dynamics::Direct { control } else { *activation };
            actuator.apply(acting, Some((&self.model, state)), out);
            if actuator.dynamics != Dynamics::Direct {
                *activation = actuator.dynamics.after(*activation, actuator.clamped(control), dt);
            }
        }
        Ok(())
    }

    /// Whether actuators must be applied in every step ([`Imported::apply_over`]): some have a state of their own, or look at that of
    /// the robot.
    pub fn needs_every_step(&self) -> bool {
        self.actuators.iter().any(Actuator::is_live)
    }

    /// Whether these are controls of this robot: one finite number for every actuator.
    ///
    /// # Errors
    /// What they lack.
    pub fn check_controls(&self, controls: &[f64]) -> Result<(), ControlError> {
        let (given, expected) = (controls.len(), self.actuators.len());
        if given != expected {
            return Err(ControlError::Count { given, expected });
        }
        match controls.iter().position(|control| !control.is_finite()) {
            Some(actuator) => Err(ControlError::NotFinite { actuator }),
            None => Ok(()),
        }
    }

    fn clear_efforts(&self, out: &mut Control) {
        self.actuators.iter().for_each(|actuator| actuator.reach.clear(out));
    }
}
