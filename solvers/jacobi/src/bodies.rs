//! The bodies at the start of a step, in double precision.

use drystone_kernels::double::jacobi::free_velocity;
use drystone_kernels::double::math::{Sym3, Vec6};
use drystone_kernels::double::rotation::world_inertia;
use drystone_model::kinematics::rotation;
use drystone_model::{BodyKind, Control, DQuat, DVec3, Model, Pose, State, Twist, WORLD};
use rayon::prelude::*;

use drystone_solve::convert::{quat, sym3, vec3};
use drystone_solve::joint::Wrench;

/// Bodies handled by one task.
const CHUNK: usize = 256;

/// A body at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Body {
    /// Whether it is an unknown.
    pub moves: bool,
    /// Centre of mass, world frame \[m\].
    pub centre: DVec3,
    /// Orientation.
    pub rotation: DQuat,
    /// Velocity at the start; of what is moved by the user, that of the whole step.
    pub velocity: Twist,
    /// Velocity before constraints.
    pub free: Vec6,
}

/// What of a body never changes.
#[derive(Clone, Copy, Debug)]
pub struct BodyConstants {
    /// Inverse mass \[1/kg\].
    pub inverse_mass: f64,
    /// Inertia about the centre of mass, body axes \[kg·m²\].
    pub inertia: Sym3,
    /// Its inverse.
    pub inverse_inertia: Sym3,
}

impl BodyConstants {
    /// Of a body of the model; zero inverses for what is not moved by forces.
    pub fn of(model: &Model, body: usize) -> Self {
        if model.body_kind[body] != BodyKind::Dynamic {
            return Self { inverse_mass: 0.0, inertia: Sym3::default(), inverse_inertia: Sym3::default() };
        }
        let inertia = sym3(model.body_inertia[body]);
        Self { inverse_mass: 1.0 / model.body_mass[body], inertia, inverse_inertia: inertia.cholesky().inverse() }
    }

    /// What an impulse changes of the velocity of a body at an orientation.
    pub fn velocity_change(&self, rotation: DQuat, wrench: Vec6) -> Vec6 {
        let inverse = world_inertia(quat(rotation), self.inverse_inertia);
        Vec6 { l: wrench.l.scale(self.inverse_mass), a: inverse.mul(wrench.a) }
    }
}

/// What the bodies of a step are read from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The scene.
    pub model: &'a Model,
    /// What of its bodies never changes.
    pub constants: &'a [BodyConstants],
    /// Its state.
    pub state: &'a State,
    /// What the user asks for.
    pub control: &'a Control,
    /// Forces and torques of efforts along joint axes; empty if there are none.
    pub effort: &'a [Wrench],
    /// Step \[s\].
    pub h: f64,
    /// Time until bodies the user moves shall be at their targets \[s\]: this step and those after it.
    pub left: f64,
}

/// Reads all bodies of a state.
pub fn load(source: &Source, out: &mut Vec<Body>) {
    out.resize(source.model.body_count(), Body::default());
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, bodies)| {
        bodies.iter_mut().enumerate().for_each(|(k, body)| *body = one(source, chunk * CHUNK + k));
    });
}

fn one(source: &Source, body: usize) -> Body {
    let Source { model, state, control, .. } = *source;
    let pose = state.body_q[body];
    let centre = pose.transform_point(model.body_com[body]);
    let still = Body { centre, rotation: pose.rotation, ..Body::default() };
    if state.body_quarantined[body] {
        return still;
    }
    match model.body_kind[body] {
        BodyKind::Static => still,
        BodyKind::Kinematic => {
            let velocity = led(model, state, control, body, centre, source.left);
            Body { velocity, free: vec6(&velocity), ..still }
        }
        BodyKind::Dynamic => {
            let velocity = state.body_qd[body];
            Body { moves: true, velocity, free: free(source, body, pose.rotation, &velocity), ..still }
        }
    }
}

fn free(source: &Source, body: usize, rotation: DQuat, velocity: &Twist) -> Vec6 {
    let (model, constants) = (source.model, &source.constants[body]);
    let (force, torque) = source.control.body_f[body];
    let push = source.effort.get(body).copied().unwrap_or_default();
    let gravity = model.body_gravity(body);
    let acceleration = vec3(gravity + (force + push.0) * constants.inverse_mass);
    let inverse = constants.inverse_inertia;
    free_velocity(quat(rotation), vec6(velocity), acceleration, vec3(torque + push.1), inverse, source.h)
}

/// Velocity of a body the user moves: to its target in the time left, or the one it has.
fn led(model: &Model, state: &State, control: &Control, body: usize, centre: DVec3, left: f64) -> Twist {
    match control.body_target[body] {
        Some(goal) => Twist {
            linear: (goal.transform_point(model.body_com[body]) - centre) / left,
            angular: rotation::log(goal.rotation * state.body_q[body].rotation.conjugate()) / left,
        },
        None => state.body_qd[body],
    }
}

/// A body by its index, the world standing still at its origin.
pub fn body_or_world(bodies: &[Body], body: u32) -> Body {
    if body == WORLD { Body { rotation: DQuat::IDENTITY, ..Body::default() } } else { bodies[body as usize] }
}

/// The pose that has its centre of mass at `centre`.
pub fn pose(model: &Model, body: usize, centre: DVec3, rotation: DQuat) -> Pose {
    Pose::from_parts(centre - rotation * model.body_com[body], rotation)
}

fn vec6(v: &Twist) -> Vec6 {
    Vec6 { l: vec3(v.linear), a: vec3(v.angular) }
}
