//! From joint coordinates and rates to body poses and velocities.

use drystone_kernels::elementary::powi;
use std::ops::Range;

use drystone_geometry::Pose;
use thiserror::Error;

use super::{TreeJoint, halves};
use crate::joint::{AxisMode, JointKind};
use crate::model::Model;
use crate::state::{State, Twist};

/// How far a joint that closes a loop is from being closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopError {
    /// The joint.
    pub joint: u32,
    /// Length of the locked part of the offset; for a distance joint, by how much it is out of its
    /// range \[m\].
    pub linear: f64,
    /// Length of the locked part of the rotation \[rad\].
    pub angular: f64,
}

/// Why coordinates do not fit a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CoordinateError {
    /// The number of entries is wrong.
    #[error("{given} joint coordinates for {expected} joints; give six numbers for every joint of the model")]
    Count {
        /// Entries given.
        given: usize,
        /// Joints of the model.
        expected: usize,
    },
    /// A number is not finite.
    #[error("a coordinate or rate of joint #{joint} is not finite; give numbers in metres and radians")]
    NotFinite {
        /// The joint.
        joint: usize,
    },
}

impl Model {
    /// Places the bodies by the coordinates \[m\], \[rad\] and rates \[m/s\], \[rad/s\] of their joints,
    /// from the roots outwards, and sets [`State::joint_angle`]. Static and kinematic bodies and the
    /// roots of floating groups stay as they are. Returns how far every joint that closes a loop is
    /// from closing; their own coordinates are not used.
    ///
    /// ```
    /// use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
    /// let mut scene = ModelBuilder::new();
    /// let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1));
    /// scene.add_joint(JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Z));
    /// let model = scene.finalize()?;
    /// let mut state = model.state();
    /// let quarter = [0.0, 0.0, 0.0, std::f64::consts::FRAC_PI_2, 0.0, 0.0];
    /// model.forward_kinematics(&[quarter], &[[0.0; 6]], &mut state)?;
    /// assert!((state.body_q[0].translation - DVec3::Y).length() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forward_kinematics(
        &self,
        coordinates: &[[f64; 6]],
        rates: &[[f64; 6]],
        state: &mut State,
    ) -> Result<Vec<LoopError>, CoordinateError> {
        for given in [coordinates, rates] {
            self.check_coordinates(given)?;
        }
        let tree = self.joint_tree();
        for step in &tree.order {
            let joint = step.joint as usize;
            self.place(step, &coordinates[joint], state);
            self.set_moving(step, &coordinates[joint], &rates[joint], state);
            let (_, angles) = halves(&coordinates[joint]);
            state.joint_angle[joint] = angles.to_array();
        }
        Ok(tree.loops.iter().map(|&joint| self.joint_error(state, joint)).collect())
    }

    fn check_coordinates(&self, given: &[[f64; 6]]) -> Result<(), CoordinateError> {
        if given.len() != self.joint_count() {
            return Err(CoordinateError::Count { given: given.len(), expected: self.joint_count() });
        }
        match given.iter().position(|values| values.iter().any(|value| !value.is_finite())) {
            Some(joint) => Err(CoordinateError::NotFinite { joint }),
            None => Ok(()),
        }
    }

    /// Sets the pose of the body that a tree joint places.
    pub(crate) fn place(&self, step: &TreeJoint, coordinates: &[f64; 6], state: &mut State) {
        let joint = step.joint as usize;
        let (offset, angles) = halves(coordinates);
        let relative = Pose::from_parts(offset, self.joint_chart(joint).rotation(angles));
        let across = self.joint_frame_parent[joint] * relative * self.joint_frame_child[joint].inverse();
        let across = if step.reversed { across.inverse() } else { across };
        let mut pose = self.body_pose(state, step.from) * across;
        pose.rotation = pose.rotation.normalize();
        state.body_q[step.to as usize] = pose;
    }

    /// Sets the velocity of the body that a tree joint places; both poses are in place.
    pub(crate) fn set_moving(&self, step: &TreeJoint, coordinates: &[f64; 6], rates: &[f64; 6], state: &mut State) {
        let joint = step.joint as usize;
        let (parent, child) = self.joint_frames(state, joint);
        let (_, angles) = halves(coordinates);
        let (offset_rate, angle_rates) = halves(rates);
        let sign = if step.reversed { -1.0 } else { 1.0 };
        let slide = parent.rotation * offset_rate * sign;
        let spin = parent.rotation * self.joint_chart(joint).velocity(angles, angle_rates) * sign;
        let point = child.translation;
        let from = self.body_velocity(state, step.from);
        let angular = from.angular + spin;
        let at_point = Twist { linear: from.at(self.body_centre(state, step.from), point) + slide, angular };
        let linear = at_point.at(point, self.body_centre(state, step.to));
        state.body_qd[step.to as usize] = Twist { linear, angular };
    }

    /// How far a joint is from being closed.
    pub fn joint_error(&self, state: &State, joint: u32) -> LoopError {
        let index = joint as usize;
        let coordinates = self.joint_coordinates(state, index);
        if self.joint_kind[index] == JointKind::Distance {
            let (offset, _) = halves(&coordinates);
            let [min, max] = self.joint_distance[index];
            let length = offset.length();
            return LoopError { joint, linear: (min - length).max(length - max).max(0.0), angular: 0.0 };
        }
        // Rod joints are elastic: the whole offset counts as if locked.
        let elastic = self.joint_kind[index] == JointKind::Rod;
        let locked = |axis: usize| elastic || self.joint_axis[index][axis] == AxisMode::Locked;
        let length = |axes: Range<usize>| {
            axes.filter(|&axis| locked(axis)).map(|axis| powi(coordinates[axis], 2)).sum::<f64>().sqrt()
        };
        LoopError { joint, linear: length(0..3), angular: length(3..6) }
    }
}
