//! What the force of an actuator acts on: axes of joints, a body at a place of it, or places that a line runs through.

use drystone_model::{Axis, BodyId, Control, DVec3, JointId, Model, Pose, State};

/// What an actuator pulls.
#[derive(Clone, Debug, PartialEq)]
pub enum Reach {
    /// An axis of a joint, and further ones where it is a tendon over several.
    Axes {
        /// The joint of the model.
        joint: JointId,
        /// The axis it acts on.
        axis: Axis,
        /// Other axes that the force acts on.
        further: Vec<Lever>,
    },
    /// A body, with a force and torque that turn with it.
    Place {
        /// The body.
        body: BodyId,
        /// Where on it, in its frame.
        pose: Pose,
        /// Force per force of the actuator \[1\] and torque \[m\], in axes of the place.
        gear: [f64; 6],
        /// The body that the torque is taken from, if not from outside.
        against: Option<BodyId>,
    },
    /// A line through places on bodies, which a force that is not negative lengthens.
    Line(Vec<Stretch>),
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

/// A straight piece of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Bodies and places on them, in their frames \[m\].
    pub ends: [(BodyId, DVec3); 2],
    /// Length of the whole line per length of the piece: less than 1 behind a pulley.
    pub share: f64,
}

impl Stretch {
    /// The ends in the world, and the direction from the first to the second; none where they coincide.
    fn drawn(&self, model: &Model, state: &State) -> ([DVec3; 2], DVec3) {
        let at = self.ends.map(|(body, place)| model.body_pose(state, body.0) * place);
        (at, (at[1] - at[0]).try_normalize().unwrap_or_default())
    }

    /// Length and its rate, both as shares of those of the line.
    fn length(&self, model: &Model, state: &State) -> [f64; 2] {
        let (at, along) = self.drawn(model, state);
        let speed = |side: usize| {
            let body = self.ends[side].0.0;
            model.body_velocity(state, body).at(model.body_centre(state, body), at[side])
        };
        [self.share * (at[1] - at[0]).length(), self.share * along.dot(speed(1) - speed(0))]
    }
}

impl Reach {
    /// The joint and axis it acts on, if it is an axis.
    pub fn axis(&self) -> Option<(JointId, Axis)> {
        match *self {
            Self::Axes { joint, axis, .. } => Some((joint, axis)),
            Self::Place { .. } | Self::Line(_) => None,
        }
    }

    /// Whether where the robot is decides what a force does.
    pub(super) fn turns(&self) -> bool {
        !matches!(self, Self::Axes { .. })
    }

    /// Length and rate of what is pulled: sums of effort per force times coordinate or rate. `gear` is that of the first axis.
    pub(super) fn length(&self, gear: f64, model: &Model, state: &State) -> [f64; 2] {
        let mut sum = [0.0; 2];
        let mut add = |gear: f64, [length, rate]: [f64; 2]| {
            sum[0] += gear * length;
            sum[1] += gear * rate;
        };
        match self {
            Self::Axes { joint, axis, further } => {
                let own = Lever { joint: *joint, axis: *axis, gear };
                for Lever { joint, axis, gear } in std::iter::once(&own).chain(further) {
                    let (joint, axis) = (joint.built_index(), *axis as usize);
                    let (at, rate) = (model.joint_coordinates(state, joint), model.joint_rates(state, joint));
                    add(*gear, [at[axis], rate[axis]]);
                }
            }
            Self::Place { .. } => {}
            Self::Line(pieces) => pieces.iter().for_each(|piece| add(gear, piece.length(model, state))),
        }
        sum
    }

    /// Adds a force, which has been geared for the first axis and the line.
    pub(super) fn pull(&self, force: f64, gear: f64, from: Option<(&Model, &State)>, out: &mut Control) {
        match (self, from) {
            (Self::Axes { joint, axis, further }, _) => {
                out.joint_f[joint.built_index()][*axis as usize] += gear * force;
                for lever in further {
                    out.joint_f[lever.joint.built_index()][lever.axis as usize] += lever.gear * force;
                }
            }
            (Self::Place { body, pose, gear: six, against }, Some((model, state))) => {
                let place = model.body_pose(state, body.0) * *pose;
                let [push, turn] =
                    [0, 3].map(|half| place.rotation * DVec3::from_slice(&six[half..half + 3]) * gear * force);
                add(out, model, state, *body, place.translation, push, turn);
                if let Some(against) = against {
                    add(out, model, state, *against, place.translation, -push, -turn);
                }
            }
            (Self::Line(pieces), Some((model, state))) => {
                for piece in pieces {
                    let (at, along) = piece.drawn(model, state);
                    let push = along * (piece.share * gear * force);
                    for (side, push) in [-push, push].into_iter().enumerate() {
                        add(out, model, state, piece.ends[side].0, at[side], push, DVec3::ZERO);
                    }
                }
            }
            // Without a state only axes are pulled, which is asked for before.
            (Self::Place { .. } | Self::Line(_), None) => {}
        }
    }

    /// Sets to zero what it adds to.
    pub(super) fn clear(&self, out: &mut Control) {
        let mut still = |body: BodyId| {
            if let Some(force) = out.body_f.get_mut(body.0 as usize) {
                *force = (DVec3::ZERO, DVec3::ZERO);
            }
        };
        match self {
            Self::Axes { joint, axis, further } => {
                out.joint_f[joint.built_index()][*axis as usize] = 0.0;
                for lever in further {
                    out.joint_f[lever.joint.built_index()][lever.axis as usize] = 0.0;
                }
            }
            Self::Place { body, against, .. } => [Some(*body), *against].into_iter().flatten().for_each(still),
            Self::Line(pieces) => pieces.iter().flat_map(|piece| piece.ends).for_each(|(body, _)| still(body)),
        }
    }
}

/// Adds a force at a place and a torque to those on a body.
fn add(out: &mut Control, model: &Model, state: &State, body: BodyId, at: DVec3, force: DVec3, torque: DVec3) {
    if let Some(own) = out.body_f.get_mut(body.0 as usize) {
        own.0 += force;
        own.1 += torque + (at - model.body_centre(state, body.0)).cross(force);
    }
}
