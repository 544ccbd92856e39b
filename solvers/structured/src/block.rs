//! The rows of one joint at an instant.

use drystone_model::{Control, DVec3};

use super::axis_laws::{AxisLaw, Law};
use super::bodies::Body;
use drystone_solve::joint::{Axes, JointGeometry};
use drystone_solve::linalg::matrix::{Vec6, add_scaled, dot};

/// What the rows are wanted for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// Accelerations: J v̇ + c = 0; springs and dampers push as they are now.
    Acceleration,
    /// Velocities at the end of a step of `h` seconds: J v⁺ = 0, springs and dampers as they will be then.
    Step {
        /// \[s\].
        h: f64,
    },
    /// Projections: hard rows only, J x = −g.
    Projection,
}

/// Rows of a joint: J x + C λ = target, with λ along the rows.
#[derive(Clone, Copy, Debug)]
pub struct JointBlock {
    /// Number of rows.
    pub count: usize,
    /// Coordinate of every row.
    pub axis: [u8; 6],
    /// Rows for parent and child; zero for what does not move.
    pub jacobian: [[Vec6<f64>; 2]; 6],
    /// Compliance; zero for hard rows.
    pub compliance: [f64; 6],
    /// Right-hand side.
    pub target: [f64; 6],
    /// Error of hard rows \[m or rad\], zero for others.
    pub value: [f64; 6],
    /// Rate of the rows by the motion of both bodies \[m/s or rad/s\].
    pub rate: [f64; 6],
    /// Forces on parent and child that the joint exerts beside its rows.
    pub push: [Vec6<f64>; 2],
    /// What one radian counts as in lengths \[m\].
    pub size: f64,
}

impl Default for JointBlock {
    fn default() -> Self {
        Self {
            count: 0,
            axis: [0; 6],
            jacobian: [[[0.0; 6]; 2]; 6],
            compliance: [0.0; 6],
            target: [0.0; 6],
            value: [0.0; 6],
            rate: [0.0; 6],
            push: [[0.0; 6]; 2],
            size: 1.0,
        }
    }
}

/// Everything that decides the rows of a joint.
#[derive(Clone, Copy)]
pub struct JointView<'a> {
    /// What never changes.
    pub geometry: &'a JointGeometry,
    /// Laws without bounds.
    pub laws: &'a [AxisLaw],
    /// Parent and child.
    pub body: [&'a Body; 2],
    /// Whether they are unknowns.
    pub moves: [bool; 2],
    /// Angles a moment ago, for full turns \[rad\].
    pub hint: DVec3,
    /// Index of the joint, to read the control.
    pub joint: usize,
    /// What the user asks for.
    pub control: &'a Control,
}

impl JointView<'_> {
    /// Coordinates of the joint.
    pub fn axes(&self) -> Axes {
        self.geometry.axes(self.body.map(|body| body.placement), self.hint)
    }

    /// Rate of a coordinate \[m/s or rad/s\].
    pub fn rate(&self, jacobian: &[Vec6<f64>; 2]) -> f64 {
        dot(&jacobian[0], &self.body[0].velocity) + dot(&jacobian[1], &self.body[1].velocity)
    }

    /// Fills the rows.
    pub fn fill(&self, level: Level, out: &mut JointBlock) {
        let axes = self.axes();
        out.count = 0;
        out.push = [[0.0; 6]; 2];
        out.size = self.size();
        let product = match level {
            Level::Acceleration => {
                let velocity = self.body.map(|body| body.velocity);
                self.geometry.velocity_products(self.body.map(|body| body.placement), velocity, &axes)
            }
            _ => [0.0; 6],
        };
        for law in self.laws {
            let axis = law.axis as usize;
            let rate = self.rate(&axes.jacobian[axis]);
            match (law.law, level) {
                (Law::Held(at), Level::Acceleration) => {
                    self.push_row(out, &axes, axis, 0.0, -product[axis], axes.value[axis] - at, rate);
                }
                (Law::Held(at), _) => {
                    let known = self.known_rate(&axes.jacobian[axis]);
                    self.push_row(out, &axes, axis, 0.0, -known, axes.value[axis] - at, rate);
                }
                (Law::Elastic { .. }, Level::Projection) => {}
                (elastic, _) => self.fill_elastic(out, &axes, axis, elastic, level, product[axis], rate),
            }
        }
        self.push_efforts(out, &axes);
    }

    /// Length that a radian counts as: how far the joint sits from the bodies it turns.
    fn size(&self) -> f64 {
        let size = self.geometry.size();
        let gyration = |body: &Body| {
            let trace = body.inertia.x_axis.x + body.inertia.y_axis.y + body.inertia.z_axis.z;
            if body.mass > 0.0 { (trace / (3.0 * body.mass)).sqrt() } else { 0.0 }
        };
        size.max(gyration(self.body[0])).max(gyration(self.body[1]))
    }

    fn fill_elastic(
        &self,
        out: &mut JointBlock,
        axes: &Axes,
        axis: usize,
        law: Law,
        level: Level,
        product: f64,
        rate: f64,
    ) {
        let Law::Elastic { spring, armature, driven } = law else { return };
        let [stiffness, damping] = driven.unwrap_or([0.0; 2]);
        let target = self.control.joint_target[self.joint][axis];
        let target_rate = self.control.joint_target_velocity[self.joint][axis];
        let pull = stiffness * (target - axes.value[axis]) + spring.stiffness * (spring.rest - axes.value[axis]);
        match level {
            Level::Step { h } => {
                // Λ = h k (q* − q − h q̇⁺) + h d (q̇* − q̇⁺) − I (q̇⁺ − q̇), solved for q̇⁺ + Λ/s.
                let s = h * (h * (stiffness + spring.stiffness) + (damping + spring.damping)) + armature;
                let wanted = (h * (pull + damping * target_rate) + armature * rate) / s;
                let known = self.known_rate(&axes.jacobian[axis]);
                self.push_row(out, axes, axis, 1.0 / s, wanted - known, 0.0, rate);
            }
            _ => {
                let effort = pull + damping * (target_rate - rate) - spring.damping * rate;
                self.add_push(out, &axes.jacobian[axis], effort);
                if armature > 0.0 {
                    self.push_row(out, axes, axis, 1.0 / armature, -product, 0.0, rate);
                }
            }
        }
    }

    fn push_row(
        &self,
        out: &mut JointBlock,
        axes: &Axes,
        axis: usize,
        compliance: f64,
        target: f64,
        value: f64,
        rate: f64,
    ) {
        let row = out.count;
        out.axis[row] = axis as u8;
        out.jacobian[row] = self.unknown_part(&axes.jacobian[axis]);
        (out.compliance[row], out.target[row]) = (compliance, target);
        (out.value[row], out.rate[row]) = (value, rate);
        out.count += 1;
    }

    /// The row with zeros for what does not move.
    pub fn unknown_part(&self, jacobian: &[Vec6<f64>; 2]) -> [Vec6<f64>; 2] {
        [0, 1].map(|side| if self.moves[side] { jacobian[side] } else { [0.0; 6] })
    }

    /// The part of a rate that is not unknown: the motion of kinematic bodies.
    pub fn known_rate(&self, jacobian: &[Vec6<f64>; 2]) -> f64 {
        let part = |side: usize| if self.moves[side] { 0.0 } else { dot(&jacobian[side], &self.body[side].velocity) };
        part(0) + part(1)
    }

    fn add_push(&self, out: &mut JointBlock, jacobian: &[Vec6<f64>; 2], effort: f64) {
        (0..2).for_each(|side| add_scaled(&mut out.push[side], effort, &jacobian[side]));
    }

    /// Efforts of the user.
    fn push_efforts(&self, out: &mut JointBlock, axes: &Axes) {
        let effort = self.control.joint_f[self.joint];
        if effort == [0.0; 6] {
            return;
        }
        for (axis, effort) in effort.into_iter().take(3).enumerate() {
            self.add_push(out, &axes.jacobian[axis], effort);
        }
        let parent = self.body[0].placement.rotation * self.geometry.basis[0];
        let child = self.body[1].placement.rotation * self.geometry.basis[1];
        let turning = DVec3::new(effort[3], effort[4], effort[5]);
        let torque = parent * self.geometry.torque(parent.conjugate() * child, self.hint, turning);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            (0..3).for_each(|k| out.push[side][3 + k] += sign * torque[k]);
        }
    }
}

impl JointBlock {
    /// Force and torque on the child along the joint's axes from multipliers of the rows.
    pub fn along_axes(&self, lambda: &Vec6<f64>) -> [f64; 6] {
        let mut force = [0.0; 6];
        (0..self.count).for_each(|row| force[self.axis[row] as usize] += lambda[row]);
        force
    }

    /// Weight of a row in lengths: 1 for translations, the size of the joint for angles \[m/m or m/rad\].
    pub fn weight(&self, row: usize) -> f64 {
        if self.axis[row] < 3 { 1.0 } else { self.size }
    }
}
