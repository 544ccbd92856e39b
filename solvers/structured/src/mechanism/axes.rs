//! The directions a joint moves in, and how they turn.

use drystone_model::{Chart, DVec3, Model, State};

/// The axes of a joint in the world frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointAxes {
    /// Origin of the child's joint frame \[m\].
    pub(super) origin: DVec3,
    /// Directions of the translations, fixed in the parent.
    pub(super) slide: [DVec3; 3],
    /// Axes of the rotations: angular velocity of the child per unit rate.
    pub(super) turn: [DVec3; 3],
    /// Velocity of the child's origin against the parent \[m/s\].
    pub(super) sliding: DVec3,
    /// Change of the relative angular velocity by the turning of the axes alone \[rad/s²\].
    pub(super) turning: DVec3,
}

impl JointAxes {
    /// The axes of a joint whose freedoms have the given rates.
    pub(super) fn new(model: &Model, state: &State, joint: usize, rates: &[f64; 6]) -> Self {
        let (parent, child) = model.joint_frames(state, joint);
        let spin = model.body_velocity(state, model.joint_parent[joint]).angular;
        let chart = model.joint_chart(joint);
        let hint = DVec3::from_array(state.joint_angle[joint]);
        let angles = chart.angles(parent.rotation.inverse() * child.rotation, hint);
        let slide = DVec3::AXES.map(|axis| parent.rotation * axis);
        let turn = match chart {
            Chart::Vector => slide,
            Chart::Twist(_) | Chart::Euler => DVec3::AXES.map(|unit| parent.rotation * chart.velocity(angles, unit)),
        };
        let sliding = (0..3).map(|axis| slide[axis] * rates[axis]).sum();
        // Intrinsic turns carry the axes that come after them; others are fixed in the parent.
        let mut carrier = spin;
        let mut turning = DVec3::ZERO;
        for axis in 0..3 {
            let own = turn[axis] * rates[3 + axis];
            turning += carrier.cross(own);
            if chart == Chart::Euler {
                carrier += own;
            }
        }
        Self { origin: child.translation, slide, turn, sliding, turning }
    }
}
