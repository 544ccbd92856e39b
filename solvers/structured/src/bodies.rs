//! What the solver knows of every body during a step.

use drystone_model::{BodyKind, DMat3, DQuat, DVec3, Model, Pose, State, Twist};
use rayon::prelude::*;

use drystone_solve::joint::Placement;
use drystone_solve::linalg::block6::spatial;
use drystone_solve::linalg::matrix::Vec6;

/// Bodies per parallel task.
const CHUNK: usize = 1024;

/// A body at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Centre of mass and orientation.
    pub placement: Placement,
    /// Velocity of the centre of mass and angular velocity, world frame.
    pub velocity: Vec6<f64>,
    /// Mass \[kg\].
    pub mass: f64,
    /// Inertia about the centre of mass, world axes \[kg·m²\].
    pub inertia: DMat3,
    /// Its inverse.
    pub inverse_inertia: DMat3,
}

impl Body {
    /// The world.
    pub const WORLD: Self = Self {
        placement: Placement { com: DVec3::ZERO, rotation: DQuat::IDENTITY },
        velocity: [0.0; 6],
        mass: 0.0,
        inertia: DMat3::ZERO,
        inverse_inertia: DMat3::ZERO,
    };

    /// Linear velocity \[m/s\].
    pub fn linear(&self) -> DVec3 {
        DVec3::new(self.velocity[0], self.velocity[1], self.velocity[2])
    }

    /// Angular velocity \[rad/s\].
    pub fn angular(&self) -> DVec3 {
        DVec3::new(self.velocity[3], self.velocity[4], self.velocity[5])
    }

    /// M⁻¹ f, zero for the world; meant for rows that are zero for what does not move.
    pub fn respond_or_rest(&self, force: &Vec6<f64>) -> Vec6<f64> {
        if self.mass > 0.0 { self.respond(force) } else { [0.0; 6] }
    }

    /// M⁻¹ f for a body that moves.
    pub fn respond(&self, force: &Vec6<f64>) -> Vec6<f64> {
        let linear = DVec3::new(force[0], force[1], force[2]) / self.mass;
        spatial(linear, self.inverse_inertia * DVec3::new(force[3], force[4], force[5]))
    }

    /// M v.
    pub fn momentum(&self, velocity: &Vec6<f64>) -> Vec6<f64> {
        let linear = DVec3::new(velocity[0], velocity[1], velocity[2]) * self.mass;
        spatial(linear, self.inertia * DVec3::new(velocity[3], velocity[4], velocity[5]))
    }

    /// Moves by a small displacement: a translation of the centre of mass and a rotation vector.
    pub fn displace(&mut self, by: &Vec6<f64>) {
        self.placement.com += DVec3::new(by[0], by[1], by[2]);
        let turn = DQuat::from_scaled_axis(DVec3::new(by[3], by[4], by[5]));
        self.placement.rotation = (turn * self.placement.rotation).normalize();
    }
}

/// All bodies; one more entry than the model has, the last being the world.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Whether the body is an unknown.
    pub moves: Vec<bool>,
    /// The bodies.
    pub body: Vec<Body>,
    /// World each lives in.
    pub world: Vec<u32>,
}

impl Bodies {
    /// Sizes for a model.
    pub fn new(model: &Model) -> Self {
        let count = model.body_count();
        Self { moves: vec![false; count], body: vec![Body::WORLD; count + 1], world: model.body_world.clone() }
    }

    /// Number of bodies, the world not counted.
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// Reads poses and velocities. True when a body began or ceased to move.
    pub fn read(&mut self, model: &Model, state: &State) -> bool {
        let changed = (0..self.count()).any(|body| self.moves[body] != is_unknown(model, state, body));
        let bodies = self.body.par_iter_mut().zip(self.moves.par_iter_mut()).with_min_len(CHUNK).enumerate();
        bodies.for_each(|(index, (body, moves))| {
            *moves = is_unknown(model, state, index);
            let still = model.body_kind[index] == BodyKind::Static || state.body_quarantined[index];
            let (pose, twist) = (state.body_q[index], state.body_qd[index]);
            body.mass = model.body_mass[index];
            body.placement = Placement { com: pose.transform_point(model.body_com[index]), rotation: pose.rotation };
            body.velocity = if still { [0.0; 6] } else { spatial(twist.linear, twist.angular) };
            if *moves {
                body.turn_inertia(model.body_inertia[index]);
            }
        });
        changed
    }

    /// Brings the inertia of moving bodies in line with their orientation.
    pub fn turn_inertia(&mut self, model: &Model) {
        let bodies = self.body.par_iter_mut().zip(&self.moves).with_min_len(CHUNK).enumerate();
        bodies
            .filter(|(_, (_, moves))| **moves)
            .for_each(|(index, (body, _))| body.turn_inertia(model.body_inertia[index]));
    }

    /// Writes poses and velocities of moving bodies back.
    pub fn write(&self, model: &Model, state: &mut State) {
        let states = state.body_q.par_iter_mut().zip(state.body_qd.par_iter_mut());
        states.zip(&self.body).zip(&self.moves).with_min_len(CHUNK).enumerate().for_each(
            |(index, (((q, qd), body), moves))| {
                if *moves {
                    let rotation = body.placement.rotation;
                    *q = Pose::from_parts(body.placement.com - rotation * model.body_com[index], rotation);
                    *qd = Twist { linear: body.linear(), angular: body.angular() };
                }
            },
        );
    }
}

impl Body {
    /// World inertia and its inverse from the inertia in body axes.
    pub(super) fn turn_inertia(&mut self, inertia: DMat3) {
        let rotation = DMat3::from_quat(self.placement.rotation);
        self.inertia = rotation * inertia * rotation.transpose();
        self.inverse_inertia = self.inertia.inverse();
    }
}

fn is_unknown(model: &Model, state: &State, body: usize) -> bool {
    model.body_kind[body] == BodyKind::Dynamic && !state.body_quarantined[body]
}
