//! What a robot file says beside the model: frames, coordinates, actuators and key frames.

use drystone_model::{
    Axis, BodyId, Control, CoordinateError, DQuat, DVec3, JointId, Model, ModelError, Pose, Shape, ShapeDef, State,
    Twist, WORLD,
};

use drystone_kernels::elementary;
use thiserror::Error;

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

/// An actuator: turns a control into an effort or a target of one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// The joint of the model.
    pub joint: JointId,
    /// The axis it acts on.
    pub axis: Axis,
    /// The controls it takes; others count as the nearest of these.
    pub control_range: Option<[f64; 2]>,
    /// What a control does.
    pub action: Action,
    /// What stands for the control after a while.
    pub dynamics: Dynamics,
    /// Other axes that the force acts on, where it pulls a tendon over several joints.
    pub further: Vec<Lever>,
}

/// What an actuator makes of its control over time: a state of its own, the activation, acts in place of the control.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Dynamics {
    /// The control acts as it is.
    #[default]
    Direct,
    /// The activation approaches the control: its rate is (control − activation) / time.
    Filter {
        /// Time constant \[s\].
        time: f64,
        /// Whether a step follows the exponential, instead of its tangent as in MuJoCo's `filter`.
        exact: bool,
        /// Bounds of the activation.
        range: [f64; 2],
    },
    /// The activation grows by control per second.
    Integrator {
        /// Bounds of the activation.
        range: [f64; 2],
    },
}

impl Dynamics {
    /// The activation a step of `dt` seconds later.
    pub fn after(&self, activation: f64, control: f64, dt: f64) -> f64 {
        match *self {
            Self::Direct => control,
            Self::Filter { time, exact, range: [low, high] } => {
                let share = if exact { 1.0 - elementary::exp(-dt / time) } else { dt / time };
                (activation + (control - activation) * share).max(low).min(high)
            }
            Self::Integrator { range: [low, high] } => (activation + dt * control).max(low).min(high),
        }
    }
}

/// Why controls cannot be put into effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ControlError {
    /// The number of entries is wrong.
    #[error("{given} controls for {expected} actuators; give one for every actuator")]
    Count {
        /// Entries given.
        given: usize,
        /// Actuators of the robot.
        expected: usize,
    },
    /// A control is not finite.
    #[error("the control of actuator #{actuator} is not finite; give numbers")]
    NotFinite {
        /// The actuator.
        actuator: usize,
    },
    /// An actuator filters or sums its controls.
    #[error("actuator #{actuator} has a state of its own; use `apply_over`, which keeps it, from Rust")]
    Stateful {
        /// The actuator.
        actuator: usize,
    },
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

/// What a control does to an axis of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Effort: gain · control within a range, times gear \[N or N·m\].
    Effort {
        /// Force per control.
        gain: f64,
        /// Range of the force before the gear.
        range: [f64; 2],
        /// Effort on the axis per force, sign included.
        gear: f64,
    },
    /// Target of the axis' drive: scale · control + offset \[m or rad\].
    Target {
        /// Coordinate per control.
        scale: f64,
        /// Coordinate at control zero.
        offset: f64,
    },
    /// Target rate of the axis' drive: scale · control \[m/s or rad/s\].
    TargetVelocity {
        /// Rate per control.
        scale: f64,
    },
}

impl Actuator {
    /// The control within the range it takes.
    pub fn clamped(&self, control: f64) -> f64 {
        self.control_range.map_or(control, |[low, high]| control.max(low).min(high))
    }

    /// Puts a control into effect; efforts add to what is there. For an actuator with a state of its own this is the activation.
    pub fn apply(&self, control: f64, out: &mut Control) {
        let value = if self.dynamics == Dynamics::Direct { self.clamped(control) } else { control };
        let (joint, axis) = (self.joint.built_index(), self.axis as usize);
        match self.action {
            Action::Effort { gain, range: [low, high], gear } => {
                let force = (gain * value).max(low).min(high);
                out.joint_f[joint][axis] += gear * force;
                for lever in &self.further {
                    out.joint_f[lever.joint.built_index()][lever.axis as usize] += lever.gear * force;
                }
            }
            Action::Target { scale, offset } => out.joint_target[joint][axis] = scale * value + offset,
            Action::TargetVelocity { scale } => out.joint_target_velocity[joint][axis] = scale * value,
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

    /// Puts controls into effect, in the order of the actuators. Efforts of the axes they drive start from zero.
    ///
    /// # Errors
    /// If there are not as many controls as actuators, one is not finite, or one is for an actuator with a state of its own, for
    /// which there is [`Imported::apply_over`].
    pub fn apply(&self, controls: &[f64], out: &mut Control) -> Result<(), ControlError> {
        if let Some(actuator) = self.actuators.iter().position(|actuator| actuator.dynamics != Dynamics::Direct) {
            return Err(ControlError::Stateful { actuator });
        }
        self.act(controls, out)
    }

    /// Puts controls into effect for a step of `dt` seconds, with activations of actuators that have a state of their own: what they
    /// are at the start of the step acts in it, and they become what they are at its end. Begin with as many zeros as there are
    /// actuators, and keep them with a checkpoint of the simulation.
    ///
    /// # Errors
    /// If there are not as many controls or activations as actuators, or one is not finite.
    pub fn apply_over(
        &self,
        controls: &[f64],
        dt: f64,
        activations: &mut [f64],
        out: &mut Control,
    ) -> Result<(), ControlError> {
        let (given, expected) = (activations.len(), self.actuators.len());
        if given != expected || controls.len() != expected {
            return Err(ControlError::Count { given: given.min(controls.len()), expected });
        }
        if let Some(actuator) = controls.iter().position(|control| !control.is_finite()) {
            return Err(ControlError::NotFinite { actuator });
        }
        let all = || self.actuators.iter().zip(controls);
        let acting: Vec<f64> = all()
            .zip(&*activations)
            .map(|((actuator, &control), &activation)| match actuator.dynamics {
                Dynamics::Direct => control,
                _ => activation,
            })
            .collect();
        self.act(&acting, out)?;
        for ((actuator, &control), activation) in all().zip(activations) {
            *activation = actuator.dynamics.after(*activation, actuator.clamped(control), dt);
        }
        Ok(())
    }

    fn act(&self, controls: &[f64], out: &mut Control) -> Result<(), ControlError> {
        let (given, expected) = (controls.len(), self.actuators.len());
        if given != expected {
            return Err(ControlError::Count { given, expected });
        }
        if let Some(actuator) = controls.iter().position(|control| !control.is_finite()) {
            return Err(ControlError::NotFinite { actuator });
        }
        for actuator in &self.actuators {
            out.joint_f[actuator.joint.built_index()][actuator.axis as usize] = 0.0;
            for lever in &actuator.further {
                out.joint_f[lever.joint.built_index()][lever.axis as usize] = 0.0;
            }
        }
        self.actuators.iter().zip(controls).for_each(|(actuator, &control)| actuator.apply(control, out));
        Ok(())
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
