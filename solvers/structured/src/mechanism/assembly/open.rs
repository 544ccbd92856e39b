//! How far joints are open, and what stays so.

use std::fmt;

use drystone_model::{Axis, Control, JointId};

use super::closing::{Closing, is_spring, square};
use crate::axis_laws::Law;
use crate::{ConstraintSystem, Level};

/// A joint that is open, or past one of its stops.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenJoint {
    /// The joint.
    pub joint: JointId,
    /// Its name.
    pub name: String,
    /// Distance of its frames along the axes it locks; for distance joints what the distance lacks \[m\].
    pub gap: f64,
    /// Turn of its frames about the axes it locks \[rad\].
    pub angle: f64,
    /// The stop it is furthest past.
    pub stop: Option<PassedStop>,
    /// Whether it is elastic, so that it may be open.
    pub elastic: bool,
    /// The largest of these as a length, angles counted with the size of the joint \[m\].
    pub error: f64,
}

/// A coordinate of a joint beyond its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassedStop {
    /// The axis.
    pub axis: Axis,
    /// By how much \[m or rad\].
    pub by: f64,
}

impl fmt::Display for OpenJoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        let mut by = Vec::new();
        if self.gap > 0.0 {
            by.push(format!("{:.3e} m", self.gap));
        }
        if self.angle > 0.0 {
            by.push(format!("{:.3e} rad", self.angle));
        }
        if let Some(PassedStop { axis, by: past }) = self.stop {
            let unit = if (axis as usize) < 3 { "m" } else { "rad" };
            by.push(format!("{past:.3e} {unit} past its limit along {axis:?}"));
        }
        write!(f, " by {}", by.join(", "))
    }
}

impl Closing<'_> {
    /// The largest error that counts now \[m\].
    pub(super) fn worst(&self) -> f64 {
        let counts = |law: Law| self.elastic || !is_spring(law);
        let joints = (0..self.system.blocks.len()).map(|joint| self.opening(joint, counts).error());
        joints.chain(self.stops.iter().map(|stop| stop.depth)).fold(0.0, f64::max)
    }

    /// How far a joint is open along the axes whose laws count.
    fn opening(&self, joint: usize, counts: impl Fn(Law) -> bool) -> Opening {
        let block = &self.system.blocks[joint];
        let laws = if joint < self.system.geometry.len() { self.system.laws.of(joint) } else { &[] };
        let mut opening = Opening { size: block.size, ..Opening::default() };
        for row in 0..block.count {
            let law = laws.iter().find(|law| law.axis == block.axis[row]).map(|law| law.law);
            // A coupling has no law but that it is held.
            if counts(law.unwrap_or(Law::Held(0.0))) {
                opening.square[usize::from(block.axis[row] >= 3)] += square(block.value[row]);
            }
        }
        opening
    }

    /// What stays open, the worst first.
    pub(super) fn open_joints(&mut self) -> Vec<OpenJoint> {
        self.elastic = true;
        self.evaluate();
        // Between parts that all stay where they are nothing acts, but joints may be open all the same.
        for joint in 0..self.system.geometry.len() {
            if self.system.is_between_still_parts(joint, self.control) {
                let mut block = self.system.blocks[joint];
                self.system.view(joint, self.control).fill(Level::Projection, &mut block);
                self.system.blocks[joint] = block;
            }
        }
        let mut open: Vec<OpenJoint> =
            (0..self.system.blocks.len()).filter_map(|joint| self.open_joint(joint)).collect();
        self.elastic = false;
        self.evaluate();
        open.sort_by(|a, b| b.error.total_cmp(&a.error));
        open
    }

    fn open_joint(&self, joint: usize) -> Option<OpenJoint> {
        let hard = self.opening(joint, |law| !is_spring(law));
        let all = self.opening(joint, |_| true);
        let stops = self.stops.iter().filter(|stop| stop.joint as usize == joint);
        let stop = stops.max_by(|a, b| a.depth.total_cmp(&b.depth));
        let must = hard.error().max(stop.map_or(0.0, |stop| stop.depth));
        let error = all.error().max(must);
        let tolerance = self.options.tolerance;
        // Of a coupling, the joint that follows.
        let coupling = joint.checked_sub(self.system.geometry.len());
        let joint = coupling.map_or(joint, |coupling| self.system.laws.couplings[coupling].end[0].0 as usize);
        (error > tolerance).then(|| OpenJoint {
            joint: JointId(joint as u32),
            name: self.model.joint_name[joint].clone(),
            gap: all.square[0].sqrt(),
            angle: all.square[1].sqrt(),
            stop: stop.map(|stop| PassedStop { axis: Axis::ALL[stop.axis as usize], by: stop.by }),
            elastic: must <= tolerance,
            error,
        })
    }
}

impl ConstraintSystem {
    fn is_between_still_parts(&self, joint: usize, control: &Control) -> bool {
        let moves = |body: &usize| self.bodies.moves.get(*body) == Some(&true);
        control.joint_enabled[joint] && !self.geometry[joint].body.iter().any(moves)
    }
}

/// How far a joint is open.
#[derive(Clone, Copy, Debug, Default)]
struct Opening {
    /// Squares of its gap \[m²\] and its angle \[rad²\].
    square: [f64; 2],
    /// What a radian counts as \[m\].
    size: f64,
}

impl Opening {
    /// The larger of gap and angle as a length \[m\].
    fn error(&self) -> f64 {
        self.square[0].sqrt().max(self.square[1].sqrt() * self.size)
    }
}
