//! What users read from joints and change on them while the scene runs.

use drystone_model::{DVec3, JointId, Model, ModelBuilder, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{JointRow, Joints, RowKind, dahl, stiffness};
use crate::Vbd;

/// How the locked axes of a joint are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum JointMode {
    /// As the model says.
    #[default]
    AsModelled,
    /// Exactly.
    Hard,
    /// By a spring and a damper.
    Soft {
        /// \[N/m\] or \[N·m/rad\].
        stiffness: f64,
        /// \[N·s/m\] or \[N·m·s/rad\].
        damping: f64,
    },
}

impl JointMode {
    /// Stiffness and damping, given those of the model.
    pub(super) fn constants(self, modelled: (f64, f64)) -> (f64, f64) {
        match self {
            Self::AsModelled => modelled,
            Self::Hard => (f64::INFINITY, 0.0),
            Self::Soft { stiffness, damping } => (stiffness, damping),
        }
    }
}

/// The part of a joint that a mode applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointSlot {
    /// Locked translations; stretch and shear of a rod.
    Linear,
    /// Locked rotations; bend and twist of a rod.
    Angular,
}

/// A joint was named that the model does not have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("joint #{joint} does not exist; the model has {count}, counted from 0")]
pub struct NoSuchJoint {
    /// The joint asked for.
    pub joint: u32,
    /// Joints of the model.
    pub count: usize,
}

/// Why the mode of a joint could not be set.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum JointModeError {
    /// There is no such joint.
    #[error(transparent)]
    NoSuchJoint(#[from] NoSuchJoint),
    /// The joint holds nothing of the kind.
    #[error("joint #{joint} holds no {slot}, so that they can be neither hard nor soft")]
    NoSuchSlot {
        /// The joint.
        joint: u32,
        /// What it was asked to hold.
        slot: JointSlot,
    },
}

impl std::fmt::Display for JointSlot {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Linear => "translations",
            Self::Angular => "rotations",
        })
    }
}

impl Vbd {
    /// Declares the solver's own attributes: `vbd.dahl_eps_max` \[rad\] and `vbd.dahl_tau` \[rad\] on
    /// joints, the hysteresis of rods in bending; `vbd.k_max_linear` \[N/m\], `vbd.k_max_angular` \[N·m/rad\], `vbd.kd_linear`
    /// and `vbd.kd_angular` \[s\], largest stiffness and relative damping of hard constraints in the published methods. All are
    /// zero, that is off, unless set.
    pub fn declare_attributes(scene: &mut ModelBuilder) {
        dahl::declare(scene);
        stiffness::declare(scene);
    }

    /// Force and torque a joint exerted on its child in the last step, along its six axes in the
    /// parent joint frame \[N\], \[N·m\]; the parent felt the opposite. Constraints, stops, drives,
    /// friction and elasticity together, without [`drystone_model::Control::joint_f`].
    pub fn joint_force(&self, joint: JointId) -> Result<[f64; 6], NoSuchJoint> {
        self.joints.check(joint)?;
        let geometry = &self.joints.geometry[joint.built_index()];
        let mut force = self.joints.force(joint.built_index());
        if geometry.world_axes {
            let parent = self.bodies.placement[geometry.body[0]].rotation * geometry.basis[0];
            let along = parent.inverse() * DVec3::new(force[0], force[1], force[2]);
            force[..3].copy_from_slice(&along.to_array());
        }
        Ok(force)
    }

    /// Makes the locked translations or rotations of a joint hard or soft from the next step on. Bodies that sleep by
    /// it wake, unless that is what they were already.
    pub fn set_joint_mode(&mut self, joint: JointId, slot: JointSlot, mode: JointMode) -> Result<(), JointModeError> {
        self.joints.check(joint)?;
        let holds = |row: &JointRow| {
            matches!(row.kind, RowKind::Locked | RowKind::Rod) && usize::from(row.axis >= 3) == slot as usize
        };
        if !self.joints.rows(joint.built_index()).iter().any(holds) {
            return Err(JointModeError::NoSuchSlot { joint: joint.0, slot });
        }
        let before = std::mem::replace(&mut self.joints.mode[joint.built_index()][slot as usize], mode);
        if before == mode {
            return Ok(());
        }
        for body in self.joints.geometry[joint.built_index()].body {
            self.sleep.wake(body);
            self.before.get_mut(body).into_iter().for_each(|before| *before = None);
        }
        for row in self.joints.rows_mut(joint.built_index()) {
            if usize::from(row.axis >= 3) == slot as usize {
                row.lambda = 0.0;
            }
        }
        Ok(())
    }
}

impl Joints {
    fn check(&self, joint: JointId) -> Result<(), NoSuchJoint> {
        let count = self.count();
        if joint.built_index() < count { Ok(()) } else { Err(NoSuchJoint { joint: joint.0, count }) }
    }

    /// Force and torque on the child along the axes of the rows.
    fn force(&self, joint: usize) -> [f64; 6] {
        let mut force = [0.0; 6];
        for row in self.rows(joint).iter().filter(|_| self.active[joint]) {
            force[row.axis as usize] -= row.force;
        }
        force
    }

    /// Breaks the joints whose force or torque exceeds what they bear, and lists them.
    pub fn break_overloaded(&self, model: &Model, state: &mut State, broken: &mut Vec<u32>) {
        for joint in (0..self.count()).filter(|&joint| self.active[joint]) {
            let bears = model.joint_break[joint];
            if bears == [f64::INFINITY; 2] {
                continue;
            }
            let [x, y, z, a, b, c] = self.force(joint);
            let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length([x, y, z]) > bears[0] || length([a, b, c]) > bears[1] {
                state.joint_intact[joint] = false;
                broken.push(joint as u32);
            }
        }
    }
}
