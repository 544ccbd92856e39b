//! What a robot file says beside the model: frames, coordinates, actuators and key frames.

use drystone_model::{
    Axis, BodyId, CoordinateError, DQuat, DVec3, JointId, Model, ModelError, Pose, Shape, ShapeDef, State, Twist, WORLD,
};

use super::actuation::Actuator;
use super::fault::Note;

/// The group of a floor that is added: files number theirs from below.
const GROUND: u32 = 1 << 31;

/// A robot, or a whole scene, as read from a file of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The name the file gives.
    pub name: Option<String>,
    /// What there is. To add to it, reopen it: `drystone::new_model().reopen(&imported.model)`.
    pub model: Model,
    /// The time step the file asks for \[s\].
    pub dt: Option<f64>,
    /// Places on bodies by name: links and bodies fused into others, sites.
    pub frames: Vec<Frame>,
    /// The joints of the file in the order of its coordinates: parents first, depth first.
    pub joints: Vec<RobotJoint>,
    /// What drives the joints, in the order of the file's controls.
    pub actuators: Vec<Actuator>,
    /// Named states of the file.
    pub keys: Vec<Key>,
    /// What was read otherwise than written, or left out.
    pub notes: Vec<Note>,
}

/// A named place on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Its name in the file.
    pub name: String,
    /// The body it is fixed to; [`BodyId::WORLD`] for the world.
    pub body: BodyId,
    /// Its pose in the frame of that body \[m\].
    pub pose: Pose,
}

/// A joint of the file and the coordinate of the model it became.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotJoint {
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// The joint of the model; several of the file may share one.
    pub joint: JointId,
    /// How the file's coordinates are those of the model.
    pub coordinate: Coordinate,
    /// Largest effort the file allows a drive \[N or N·m\].
    pub effort: Option<f64>,
    /// Largest speed the file allows \[m/s or rad/s\]; the model has no such limit.
    pub velocity: Option<f64>,
}

/// How the coordinates of a file's joint are those of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// One number: file = reference + sign · model.
    Axis {
        /// The axis of the model's joint.
        axis: Axis,
        /// 1, or −1 where the model turns the other way.
        sign: f64,
        /// What the file calls the position in which the model's coordinate is zero \[m or rad\].
        reference: f64,
    },
    /// A rotation: a quaternion (w, x, y, z), and the angular velocity in axes of the child.
    Ball,
    /// A pose: position and quaternion (w, x, y, z) of the body frame; velocity of its origin in world axes, angular
    /// velocity in axes of the body.
    Free,
}

impl Coordinate {
    /// How many numbers the file has for positions and for velocities.
    pub fn widths(&self) -> [usize; 2] {
        match self {
            Self::Axis { .. } => [1, 1],
            Self::Ball => [4, 3],
            Self::Free => [7, 6],
        }
    }
}

/// A named state of the file, in the file's own coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Key {
    /// Its name; empty if it has none.
    pub name: String,
    /// Time \[s\].
    pub time: f64,
    /// Positions in the order of [`Imported::joints`], if given.
    pub positions: Option<Vec<f64>>,
    /// Velocities, if given.
    pub velocities: Option<Vec<f64>>,
    /// Controls in the order of [`Imported::actuators`], if given.
    pub controls: Option<Vec<f64>>,
}

impl Imported {
    /// Puts a floor under the robot, the half-space z ≤ 0. It meets everything, whatever groups the file has.
    ///
    /// # Errors
    /// If the robot has something called `ground` already.
    pub fn add_ground(&mut self) -> Result<(), ModelError> {
        let mut model = self.model.clone();
        model.shape_mask.iter_mut().for_each(|mask| *mask |= GROUND);
        let mut scene = drystone::new_model().reopen(&model);
        scene.add_shape(BodyId::WORLD, ShapeDef::new(Shape::HalfSpace).named("ground").groups(GROUND, u32::MAX));
        self.model = scene.finalize()?;
        Ok(())
    }

    /// The frame of a name.
    pub fn frame(&self, name: &str) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.name == name)
    }

    /// How many numbers a state of the file has: positions, velocities.
    pub fn widths(&self) -> [usize; 2] {
        self.joints.iter().fold([0, 0], |[q, v], joint| {
            let [positions, velocities] = joint.coordinate.widths();
            [q + positions, v + velocities]
        })
    }

    /// The state in which the file's joints have these positions and velocities; everything else stands as it starts.
    ///
    /// # Errors
    /// If there are too few or too many numbers, or one is not finite.
    pub fn state_at(&self, positions: &[f64], velocities: &[f64]) -> Result<State, CoordinateError> {
        for (given, expected) in [positions, velocities].into_iter().zip(self.widths()) {
            if given.len() != expected {
                return Err(CoordinateError::Count { given: given.len(), expected });
            }
            if let Some(joint) = given.iter().position(|value| !value.is_finite()) {
                return Err(CoordinateError::NotFinite { joint });
            }
        }
        let model = &self.model;
        let mut state = model.state();
        let (mut q, mut v) = (positions, velocities);
        let mut next = 0;
        while let Some(first) = self.joints.get(next) {
            let shared = self.joints[next..].iter().take_while(|joint| joint.joint == first.joint).count();
            let mut moved = Moved::default();
            for joint in &self.joints[next..next + shared] {
                let [positions, velocities] = joint.coordinate.widths();
                let (here_q, rest_q) = q.split_at(positions);
                let (here_v, rest_v) = v.split_at(velocities);
                moved.take(&joint.coordinate, here_q, here_v);
                (q, v) = (rest_q, rest_v);
            }
            moved.place(model, first.joint.built_index(), &mut state);
            next += shared;
        }
        model.update_joint_angles(&mut state);
        Ok(state)
    }
}

impl Imported {
    /// Positions and velocities of the file's joints at a state, in its own units and order: what [`Imported::state_at`] takes.
    /// `positions` and `velocities` are as long as [`Imported::widths`] says; a rotation is told with a first number that is not
    /// negative.
    pub fn coordinates(&self, state: &State, positions: &mut [f64], velocities: &mut [f64]) {
        let (mut q, mut v) = (positions, velocities);
        // Several joints of the file may be axes of one of the model: that is read off once.
        let (mut read, mut axes) = (None, ([0.0; 6], [0.0; 6]));
        for joint in &self.joints {
            let [width_q, width_v] = joint.coordinate.widths();
            let (here_q, rest_q) = q.split_at_mut(width_q);
            let (here_v, rest_v) = v.split_at_mut(width_v);
            let index = joint.joint.built_index();
            match joint.coordinate {
                Coordinate::Axis { axis, sign, reference } => {
                    if read != Some(index) {
                        axes = (self.model.joint_coordinates(state, index), self.model.joint_rates(state, index));
                        read = Some(index);
                    }
                    here_q[0] = reference + sign * axes.0[axis as usize];
                    here_v[0] = sign * axes.1[axis as usize];
                }
                Coordinate::Ball => tell_ball(&self.model, state, index, here_q, here_v),
                Coordinate::Free => tell_free(&self.model, state, index, here_q, here_v),
            }
            (q, v) = (rest_q, rest_v);
        }
    }
}

/// Writes the turn of a ball joint and its spin in axes of the child.
fn tell_ball(model: &Model, state: &State, joint: usize, q: &mut [f64], v: &mut [f64]) {
    let (base, origin) = model.joint_frames(state, joint);
    let to_body = model.joint_frame_child[joint].rotation;
    let turn = to_body * (base.rotation.inverse() * origin.rotation) * to_body.inverse();
    let ends = [model.joint_parent[joint], model.joint_child[joint]];
    let [parent, own] = ends.map(|body| model.body_velocity(state, body).angular);
    write_turn(turn, q);
    (to_body * (origin.rotation.inverse() * (own - parent))).write_to_slice(v);
}

/// Writes the pose of a floating body, the velocity of its origin and its spin in its own axes.
fn tell_free(model: &Model, state: &State, joint: usize, q: &mut [f64], v: &mut [f64]) {
    let child = model.joint_child[joint];
    let (pose, twist) = (state.body_q[child as usize], state.body_qd[child as usize]);
    pose.translation.write_to_slice(&mut q[..3]);
    write_turn(pose.rotation, &mut q[3..]);
    twist.at(model.body_centre(state, child), pose.translation).write_to_slice(&mut v[..3]);
    (pose.rotation.inverse() * twist.angular).write_to_slice(&mut v[3..]);
}

/// A quaternion as (w, x, y, z), of the two that mean the same the one with w ≥ 0.
fn write_turn(turn: DQuat, out: &mut [f64]) {
    let DQuat { x, y, z, w } = if turn.w < 0.0 { -turn } else { turn };
    out.copy_from_slice(&[w, x, y, z]);
}

/// Coordinates and rates of one joint of the model.
#[derive(Default)]
struct Moved {
    coordinates: [f64; 6],
    rates: [f64; 6],
    /// Rotation and spin in axes of the child, where they are no angles.
    turn: Option<(DQuat, DVec3)>,
}

impl Moved {
    fn take(&mut self, coordinate: &Coordinate, q: &[f64], v: &[f64]) {
        let turn = |q: &[f64], v: &[f64]| {
            let rotation = DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
            let unit = if rotation.length() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
            Some((unit, DVec3::from_slice(v)))
        };
        match *coordinate {
            Coordinate::Axis { axis, sign, reference } => {
                self.coordinates[axis as usize] = sign * (q[0] - reference);
                self.rates[axis as usize] = sign * v[0];
            }
            Coordinate::Ball => self.turn = turn(q, v),
            Coordinate::Free => {
                self.coordinates[..3].copy_from_slice(&q[..3]);
                self.rates[..3].copy_from_slice(&v[..3]);
                self.turn = turn(&q[3..], &v[3..]);
            }
        }
    }

    /// Places the child of a joint whose parent is in place, and sets it moving.
    fn place(&self, model: &Model, joint: usize, state: &mut State) {
        let (parent, child) = (model.joint_parent[joint], model.joint_child[joint]);
        let halves = |six: &[f64; 6]| (DVec3::from_slice(&six[..3]), DVec3::from_slice(&six[3..]));
        let ((offset, angles), (slide, turning)) = (halves(&self.coordinates), halves(&self.rates));
        let frame = model.joint_frame_child[joint];
        let chart = model.joint_chart(joint);
        let (rotation, spin) = match self.turn {
            Some((turn, spin)) => {
                let rotation = frame.rotation.inverse() * turn * frame.rotation;
                (rotation, rotation * (frame.rotation.inverse() * spin))
            }
            None => (chart.rotation(angles), chart.velocity(angles, turning)),
        };
        let base = model.body_pose(state, parent) * model.joint_frame_parent[joint];
        let origin = base * Pose::from_parts(offset, rotation);
        let mut pose = origin * frame.inverse();
        pose.rotation = pose.rotation.normalize();
        state.body_q[child as usize] = pose;
        state.joint_angle[joint] = chart.angles(rotation, angles).to_array();
        let from = model.body_velocity(state, parent);
        let angular = from.angular + base.rotation * spin;
        let centre = if parent == WORLD { DVec3::ZERO } else { model.body_centre(state, parent) };
        let point = from.at(centre, origin.translation) + base.rotation * slide;
        let linear = Twist { linear: point, angular }.at(origin.translation, model.body_centre(state, child));
        state.body_qd[child as usize] = Twist { linear, angular };
    }
}
