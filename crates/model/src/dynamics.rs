//! Energy and momentum of a state: what simulations are judged by.
//!
//! Dynamic bodies and particles with mass count; kinematic and static bodies are moved by the user
//! and have no account, quarantined bodies have left the simulation. Sums run in index order.

use drystone_geometry::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::model::{BodyKind, Model};
use crate::state::State;

/// Mechanical energy without that of springs and elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Of motion \[J\].
    pub kinetic: f64,
    /// Of height: −m g·x, zero at the world origin \[J\].
    pub potential: f64,
}

impl Energy {
    /// Kinetic and potential energy together \[J\].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Linear and angular momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Momentum {
    /// Sum of m v \[kg·m/s\].
    pub linear: DVec3,
    /// Sum of x × m v + I ω, about the world origin \[kg·m²/s\].
    pub angular: DVec3,
}

impl Model {
    /// Inertia tensor of a body about its centre of mass, world axes \[kg·m²\].
    pub fn body_inertia_world(&self, state: &State, body: usize) -> DMat3 {
        let rotation = DMat3::from_quat(state.body_q[body].rotation);
        rotation * self.body_inertia[body] * rotation.transpose()
    }

    /// Angular momentum of a body about its centre of mass, world axes \[kg·m²/s\].
    fn body_spin(&self, state: &State, body: usize) -> DVec3 {
        let rotation = state.body_q[body].rotation;
        rotation * (self.body_inertia[body] * (rotation.inverse() * state.body_qd[body].angular))
    }

    fn moving_bodies<'a>(&'a self, state: &'a State) -> impl Iterator<Item = usize> + 'a {
        (0..self.body_count())
            .filter(|&body| self.body_kind[body] == BodyKind::Dynamic && !state.body_quarantined[body])
    }

    /// Kinetic and potential energy of a state, all worlds together.
    pub fn energy(&self, state: &State) -> Energy {
        let mut energy = Energy::default();
        for body in self.moving_bodies(state) {
            let (mass, twist) = (self.body_mass[body], state.body_qd[body]);
            let spin = self.body_spin(state, body);
            energy.kinetic += 0.5 * (mass * twist.linear.length_squared() + twist.angular.dot(spin));
            energy.potential -= mass * self.body_gravity(body).dot(self.body_centre(state, body as u32));
        }
        for particle in 0..self.particle_count() {
            let mass = self.particle_mass[particle];
            let gravity = self.world_gravity[self.particle_world[particle] as usize];
            energy.kinetic += 0.5 * mass * state.particle_qd[particle].length_squared();
            energy.potential -= mass * gravity.dot(state.particle_q[particle]);
        }
        energy
    }

    /// Linear and angular momentum of a state, all worlds together.
    pub fn momentum(&self, state: &State) -> Momentum {
        let mut momentum = Momentum::default();
        for body in self.moving_bodies(state) {
            let twist = state.body_qd[body];
            let linear = twist.linear * self.body_mass[body];
            momentum.linear += linear;
            momentum.angular += self.body_centre(state, body as u32).cross(linear) + self.body_spin(state, body);
        }
        for particle in 0..self.particle_count() {
            let linear = state.particle_qd[particle] * self.particle_mass[particle];
            momentum.linear += linear;
            momentum.angular += state.particle_q[particle].cross(linear);
        }
        momentum
    }
}
