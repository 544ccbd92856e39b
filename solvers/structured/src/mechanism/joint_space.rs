//! A tree of joints seen by its freedoms.

use std::ops::Range;

use drystone_model::{Axis, AxisMode, BodyKind, Chart, DVec3, JointKind, Model, State, TreeJoint, Twist};
use thiserror::Error;

use super::axes::JointAxes;

/// One freedom of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// A free axis of a joint. Translations and the turns of hinges, universal and similar joints are the
    /// joint's own coordinates; the three turns of a ball are the relative angular velocity in the axes of
    /// the joint frame on the parent.
    Joint {
        /// The joint.
        joint: u32,
        /// Its axis.
        axis: Axis,
    },
    /// A freedom of a body that hangs from nothing: velocity of its centre of mass, then angular velocity,
    /// world frame.
    Floating {
        /// The body.
        body: u32,
        /// The world axis.
        axis: Axis,
    },
}

/// Why a mechanism has no joint space.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "joint `{joint}` closes a loop, so the joint coordinates depend on each other; \
     cut the loop, or ask for forces and accelerations of the bodies instead"
)]
pub struct NotATree {
    /// Name of the joint that closes the loop.
    pub joint: String,
}

/// A moving body and what it hangs from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hung {
    pub(super) body: u32,
    /// The joint it hangs by; none if it floats.
    pub(super) by: Option<TreeJoint>,
    /// Place in the order of the moving body it hangs from; none for the world and bodies moved by the user.
    pub(super) from: Option<usize>,
    first: usize,
    count: usize,
}

impl Hung {
    /// Its freedoms.
    pub(super) fn freedoms(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// A mechanism without loops, in the coordinates of its joints. Joints that follow others count as if they did not: the
/// coupling is an equation between the coordinates.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
/// use drystone_structured::mechanism::JointSpace;
///
/// let mut scene = ModelBuilder::new();
/// let bob = scene.add_body(BodyDef::dynamic("bob").at(DVec3::X).sphere(0.1).mass(2.0));
/// scene.add_joint(JointDef::revolute(WORLD, bob, DVec3::ZERO, DVec3::NEG_Y));
/// let model = scene.finalize()?;
///
/// let joints = JointSpace::new(&model)?;
/// let inertia = 2.0 * (1.0 + 0.4 * 0.1 * 0.1);
/// assert!((joints.mass_matrix(&model.state()).get(0, 0) - inertia).abs() < 1e-12);
/// // What the hinge must do to hold the arm level against its weight.
/// let hold = joints.inverse_dynamics(&model.state(), &model.control(), &[0.0]);
/// assert!((hold[0] - 2.0 * 9.81).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JointSpace<'m> {
    pub(super) model: &'m Model,
    /// Moving bodies, each after the one it hangs from.
    pub(super) order: Vec<Hung>,
    freedoms: Vec<Freedom>,
}

impl<'m> JointSpace<'m> {
    /// The joint space of a model whose joints form trees.
    pub fn new(model: &'m Model) -> Result<Self, NotATree> {
        let tree = model.joint_tree();
        // A cone closes no loop: it is a limit.
        let closes = |joint: &&u32| model.joint_kind[**joint as usize] != JointKind::Cone;
        if let Some(&joint) = tree.loops.iter().find(closes) {
            return Err(NotATree { joint: model.joint_name[joint as usize].clone() });
        }
        let mut space = Self { model, order: Vec::new(), freedoms: Vec::new() };
        let mut by = vec![None; model.body_count()];
        tree.order.iter().for_each(|step| by[step.to as usize] = Some(*step));
        let mut place = vec![None; model.body_count()];
        let floats = |body: &u32| by[*body as usize].is_none() && model.body_kind[*body as usize] == BodyKind::Dynamic;
        let floating = (0..model.body_count() as u32).filter(floats);
        for body in floating.chain(tree.order.iter().map(|step| step.to)) {
            let by = by[body as usize];
            let from = by.and_then(|step: TreeJoint| place.get(step.from as usize).copied().flatten());
            place[body as usize] = Some(space.order.len());
            space.hang(body, by, from);
        }
        Ok(space)
    }

    fn hang(&mut self, body: u32, by: Option<TreeJoint>, from: Option<usize>) {
        let first = self.freedoms.len();
        match by {
            None => self.freedoms.extend(Axis::ALL.map(|axis| Freedom::Floating { body, axis })),
            Some(TreeJoint { joint, .. }) => {
                let modes = self.model.joint_axis[joint as usize];
                let free = Axis::ALL.into_iter().filter(|&axis| modes[axis as usize] == AxisMode::Free);
                self.freedoms.extend(free.map(|axis| Freedom::Joint { joint, axis }));
            }
        }
        self.order.push(Hung { body, by, from, first, count: self.freedoms.len() - first });
    }

    /// The freedoms, in the order of all vectors and matrices here.
    pub fn freedoms(&self) -> &[Freedom] {
        &self.freedoms
    }

    /// The axis of a freedom, as the index of its coordinate.
    pub(super) fn axis(&self, freedom: usize) -> usize {
        match self.freedoms[freedom] {
            Freedom::Joint { axis, .. } | Freedom::Floating { axis, .. } => axis as usize,
        }
    }

    /// The rates of all freedoms in a state \[m/s\], \[rad/s\].
    pub fn rates(&self, state: &State) -> Vec<f64> {
        let mut rates = Vec::with_capacity(self.freedoms.len());
        for hung in &self.order {
            let own = match hung.by {
                None => {
                    let Twist { linear, angular } = state.body_qd[hung.body as usize];
                    joined(linear, angular)
                }
                Some(step) => self.joint_rates(state, step.joint as usize),
            };
            rates.extend(hung.freedoms().map(|freedom| own[self.axis(freedom)]));
        }
        rates
    }

    fn joint_rates(&self, state: &State, joint: usize) -> [f64; 6] {
        let mut rates = self.model.joint_rates(state, joint);
        if self.model.joint_chart(joint) == Chart::Vector {
            let (frame, _) = self.model.joint_frames(state, joint);
            let spin = |body: u32| self.model.body_velocity(state, body).angular;
            let spin = spin(self.model.joint_child[joint]) - spin(self.model.joint_parent[joint]);
            rates[3..].copy_from_slice(&(frame.rotation.inverse() * spin).to_array());
        }
        rates
    }

    /// The axes of the joint a body hangs by.
    pub(super) fn joint_axes(&self, state: &State, step: TreeJoint) -> JointAxes {
        JointAxes::new(self.model, state, step.joint as usize, &self.joint_rates(state, step.joint as usize))
    }

    /// Motion of a body per unit of one of its freedoms: velocity of its centre of mass and angular
    /// velocity, world frame.
    pub(super) fn column(&self, state: &State, hung: &Hung, axes: Option<&JointAxes>, freedom: usize) -> Twist {
        let axis = self.axis(freedom);
        let (Some(step), Some(axes)) = (hung.by, axes) else {
            let unit = DVec3::AXES[axis % 3];
            let (linear, angular) = if axis < 3 { (unit, DVec3::ZERO) } else { (DVec3::ZERO, unit) };
            return Twist { linear, angular };
        };
        let arm = self.model.body_centre(state, hung.body) - axes.origin;
        let sign = if step.reversed { -1.0 } else { 1.0 };
        if axis < 3 {
            Twist { linear: sign * axes.slide[axis], angular: DVec3::ZERO }
        } else {
            let turn = sign * axes.turn[axis - 3];
            Twist { linear: turn.cross(arm), angular: turn }
        }
    }

    /// The axes of all joints, in the order of the bodies.
    pub(super) fn all_axes(&self, state: &State) -> Vec<Option<JointAxes>> {
        self.order.iter().map(|hung| hung.by.map(|step| self.joint_axes(state, step))).collect()
    }
}

pub(super) fn joined(linear: DVec3, angular: DVec3) -> [f64; 6] {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}
