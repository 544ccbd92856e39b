//! Energy and momentum of a state: what simulations are judged by.
//!
//! Dynamic bodies and particles with mass count; kinematic and static bodies are moved by the user
//! and have no account, quarantined bodies have left the simulation. Sums run in index order.

use std::ops::{AddAssign, Range};

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

impl AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
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

impl AddAssign for Momentum {
    fn add_assign(&mut self, other: Self) {
        self.linear += other.linear;
        self.angular += other.angular;
    }
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

    /// Kinetic and potential energy of a state, all worlds together.
    pub fn energy(&self, state: &State) -> Energy {
        self.motion_of(state, 0..self.body_count(), 0..self.particle_count()).0
    }

    /// Linear and angular momentum of a state, all worlds together.
    pub fn momentum(&self, state: &State) -> Momentum {
        self.motion_of(state, 0..self.body_count(), 0..self.particle_count()).1
    }

    /// Energy and momentum of some bodies and particles.
    pub fn motion_of(&self, state: &State, bodies: Range<usize>, particles: Range<usize>) -> (Energy, Momentum) {
        let (mut energy, mut momentum) = (Energy::default(), Momentum::default());
        let moves = |body: &usize| self.body_kind[*body] == BodyKind::Dynamic && !state.body_quarantined[*body];
        for body in bodies.filter(moves) {
            let (mass, twist, centre) =
                (self.body_mass[body], state.body_qd[body], self.body_centre(state, body as u32));
            let (linear, spin) = (twist.linear * mass, self.body_spin(state, body));
            energy.kinetic += 0.5 * (mass * twist.linear.length_squared() + twist.angular.dot(spin));
            energy.potential -= mass * self.body_gravity(body).dot(centre);
            momentum.linear += linear;
            momentum.angular += centre.cross(linear) + spin;
        }
        for particle in particles {
            let (mass, velocity) = (self.particle_mass[particle], state.particle_qd[particle]);
            let (gravity, place) =
                (self.world_gravity[self.particle_world[particle] as usize], state.particle_q[particle]);
            energy.kinetic += 0.5 * mass * velocity.length_squared();
            energy.potential -= mass * gravity.dot(place);
            momentum.linear += velocity * mass;
            momentum.angular += place.cross(velocity * mass);
        }
        (energy, momentum)
    }
}
