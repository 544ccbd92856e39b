//! What pulls along a tendon: spring, damper, dry friction, rotor. Between two sites it is a distance joint that has them; on a single
//! joint they are those of its axis.

use drystone_model::{JointDef, Spring};

use super::super::assembly::Assembly;
use super::super::fault::Log;
use super::super::xml::Element;
use super::body::JointAt;
use super::joints::polynomial;
use super::settings::Settings;
use super::tendon::spring;

/// What pulls along a tendon, per length.
pub(super) struct TendonLaw {
    stiffness: f64,
    damping: f64,
    friction: f64,
    armature: f64,
    /// Lengths between which the spring is slack; none for the length where the file draws the robot.
    rest: Option<[f64; 2]>,
}

impl TendonLaw {
    pub(super) fn read(element: &Element, settings: &Settings, log: &mut Log) -> Self {
        let unless = |flag: &str, value: f64| if settings.disabled(flag) { 0.0 } else { value };
        let [stiffness, damping] = ["stiffness", "damping"].map(|name| polynomial(element, name, log));
        let [friction, armature] = ["frictionloss", "armature"].map(|name| element.number(log, name).unwrap_or(0.0));
        let yields = element.list(log, "springyield").unwrap_or_default();
        if stiffness > 0.0
            && yields.iter().any(|&value| value != 0.0)
            && let Some(attribute) = element.attribute("springyield")
        {
            let message = format!("tendon {}: a spring that yields cannot be said", element.called());
            log.fault(attribute.place, message, "remove `springyield`");
        }
        let told = element.list(log, "springlength").unwrap_or_default();
        let rest = match told[..] {
            [low, ..] if low < 0.0 => None,
            [low, high, ..] => Some([low, high]),
            [length] => Some([length; 2]),
            [] => None,
        };
        Self {
            stiffness: unless("spring", stiffness),
            damping: unless("damper", damping),
            friction: unless("frictionloss", friction),
            armature,
            rest,
        }
    }

    /// Whether anything pulls.
    pub(super) fn acts(&self) -> bool {
        [self.stiffness, self.damping, self.friction, self.armature].iter().any(|&value| value != 0.0)
    }

    /// Whether the spring is slack over a stretch.
    fn is_slack(&self) -> bool {
        self.stiffness > 0.0 && self.rest.is_some_and(|[low, high]| low < high)
    }

    /// Whether it can be said along a distance: a slack spring is a soft stop at either end, which leaves no room for a range.
    pub(super) fn can_be_between_sites(&self, range: Option<[f64; 2]>) -> bool {
        (self.acts() || range.is_some()) && !(self.is_slack() && range.is_some())
    }

    /// Puts range and law along the distance that a joint keeps; `drawn` is the length where the file draws the robot.
    pub(super) fn set(&self, def: &mut JointDef, range: Option<[f64; 2]>, drawn: f64) {
        let [low, high] = self.rest.unwrap_or([drawn; 2]);
        let [least, most] = range.unwrap_or([0.0, f64::INFINITY]);
        def.distance = [least.max(0.0), most];
        let mut spring = Spring { rest: low, stiffness: self.stiffness, damping: self.damping };
        if self.is_slack() {
            def.distance = [low, high];
            def.stiffness[0] = self.stiffness;
            spring.stiffness = 0.0;
        }
        (def.spring[0], def.friction[0], def.armature[0]) = (spring, self.friction, self.armature);
    }

    /// Puts the law on the axis of the only joint of a fixed tendon; tells whether it could be said.
    /// On two it is a spring between them, which has no friction and no rotor.
    pub(super) fn pull(&self, terms: &[(usize, f64)], joints: &[JointAt], assembly: &mut Assembly) -> bool {
        let plain = self.friction == 0.0 && self.armature == 0.0 && !self.is_slack();
        if terms.len() == 2 && plain {
            let rest = self.rest.map(|[rest, _]| rest);
            return spring(terms, rest, [self.stiffness, self.damping], joints, assembly);
        }
        let [(joint, coefficient)] = terms[..] else { return false };
        let at = &joints[joint];
        let (Some(row), Some(id)) = (at.row, assembly.joint_of[at.part]) else { return false };
        if self.is_slack() {
            return false;
        }
        // Length = coefficient · (sign · x + reference).
        let slope = coefficient * row.sign;
        let rest = self.rest.map_or(0.0, |[rest, _]| (rest - coefficient * at.joint.reference) / slope);
        let square = slope * slope;
        assembly.builder.change_joint(id, |def| {
            let axis = row.axis as usize;
            let own = def.spring[axis];
            let stiffness = own.stiffness + square * self.stiffness;
            let pull = own.stiffness * own.rest + square * self.stiffness * rest;
            let rest = if stiffness > 0.0 { pull / stiffness } else { own.rest };
            def.spring[axis] = Spring { rest, stiffness, damping: own.damping + square * self.damping };
            def.friction[axis] += slope.abs() * self.friction;
            def.armature[axis] += square * self.armature;
        });
        true
    }
}
