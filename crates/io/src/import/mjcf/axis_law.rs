//! What all actuators of an axis are together: a drive, a spring and a rotor.

use drystone_model::{Drive, Spring};

use super::super::actuation::Action;
use super::super::fault::Log;
use super::super::xml::Element;
use super::body::JointAt;
use super::force::Force;
use super::joints::{FileJoint, Kind};

/// Everything that acts on one axis of the model, in its coordinate.
pub(super) struct AxisLaw {
    /// Passive spring and damper.
    pub(super) spring: Spring,
    /// Servo: stiffness and damping.
    pub(super) servo: [f64; 2],
    pub(super) cap: f64,
    pub(super) armature: f64,
    /// Kinds of targets that controls set already.
    pub(super) targets: [bool; 2],
    pub(super) sign: f64,
    pub(super) reference: f64,
}

impl AxisLaw {
    pub(super) fn passive(joint: &FileJoint, sign: f64) -> Self {
        Self {
            spring: Spring {
                rest: if joint.stiffness > 0.0 { sign * (joint.spring_reference - joint.reference) } else { 0.0 },
                stiffness: joint.stiffness,
                damping: joint.damping,
            },
            servo: [0.0; 2],
            cap: f64::INFINITY,
            armature: 0.0,
            targets: [false; 2],
            sign,
            reference: joint.reference,
        }
    }

    pub(super) fn add(&mut self, force: &Force, at: &JointAt, element: &Element, log: &mut Log) {
        let square = force.geared() * force.geared();
        self.armature += force.armature * square;
        self.spring.damping += force.damping * square;
        let [constant, per_length, per_speed] = force.bias;
        if !force.has_bias() {
            return;
        }
        let mut refuse = |why: &str, help: &str| log.fault(element.place, format!("{}: {why}", element.called()), help);
        if per_length > 0.0 || per_speed > 0.0 {
            return refuse("a bias that pushes away from rest cannot be said", "give negative numbers in `biasprm`");
        }
        if per_length == 0.0 && per_speed == 0.0 {
            return refuse("a constant force beside the control cannot be said", "add it to the control");
        }
        let target = usize::from(per_length == 0.0);
        if std::mem::replace(&mut self.targets[target], true) || (target == 1 && constant != 0.0) {
            return refuse("two servos on one joint cannot be said", "keep one position and one velocity servo");
        }
        let [low, high] = force.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let [least, most] = at.joint.actuator_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        if low != -high || least != -most {
            return refuse("a servo whose range of forces is not symmetric cannot be said", "give −F and F");
        }
        let capped = self.cap.is_finite();
        self.cap = self.cap.min((high * force.geared().abs()).min(most));
        let others = self.servo != [0.0; 2];
        self.servo[0] -= per_length * square;
        self.servo[1] -= per_speed * square;
        if others && (capped || self.cap.is_finite()) {
            refuse("two servos with largest forces on one joint cannot be said", "remove the ranges of forces");
        }
        if at.joint.kind == Kind::Ball {
            refuse("servos of ball joints cannot be said", "use three hinges");
        }
    }

    pub(super) fn drive(&self) -> Drive {
        Drive { stiffness: self.servo[0], damping: self.servo[1], max_effort: self.cap, ..Drive::default() }
    }

    /// What a control of an actuator does to the drive of its axis.
    pub(super) fn action(&self, force: &Force, at: &JointAt) -> Action {
        let [constant, per_length, per_speed] = force.bias;
        let gear = self.sign * force.geared();
        if per_length == 0.0 && per_speed == 0.0 {
            let [low, high] = force.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let [least, most] = at.joint.actuator_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let share = force.geared().abs();
            return Action::Effort { gain: force.gain, range: [low.max(least / share), high.min(most / share)], gear };
        }
        // force · gear = gear (gain u + constant) + per_length gear² (reference + sign x) + …
        if per_length != 0.0 {
            let pull = per_length * force.geared() * force.geared();
            let rest = gear * constant + self.sign * pull * self.reference;
            return Action::Target { scale: gear * force.gain / self.servo[0], offset: rest / self.servo[0] };
        }
        Action::TargetVelocity { scale: gear * force.gain / self.servo[1] }
    }
}
