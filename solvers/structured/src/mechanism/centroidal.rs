//! A mechanism as one thing: its centre of mass, momentum and inertia.

use drystone_model::{DMat3, DVec3, State};

use super::joint_space::JointSpace;

/// What a mechanism is as a whole, in the world frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Centroidal {
    /// Mass of all moving bodies \[kg\].
    pub mass: f64,
    /// Their centre of mass \[m\].
    pub centre: DVec3,
    /// Its velocity \[m/s\].
    pub velocity: DVec3,
    /// Angular momentum about the centre of mass \[kg·m²/s\].
    pub angular_momentum: DVec3,
    /// Inertia about the centre of mass with all joints locked \[kg·m²\].
    pub inertia: DMat3,
    /// Linear momentum, and angular momentum about the centre of mass, per unit rate of every freedom:
    /// the centroidal momentum matrix by columns.
    pub momentum_matrix: Vec<(DVec3, DVec3)>,
}

impl JointSpace<'_> {
    /// Centre of mass, momentum and locked inertia in a state.
    pub fn centroidal(&self, state: &State) -> Centroidal {
        let seen = self.seen_from_centre(state);
        let (centre, mass) = self.centre(state);
        let mut whole = DMat3::ZERO;
        let mut momentum_matrix = Vec::with_capacity(seen.columns.len());
        for (index, hung) in self.order.iter().enumerate() {
            if hung.from.is_none() {
                whole += seen.beyond[index].inertia;
            }
            momentum_matrix.extend(hung.freedoms().map(|freedom| seen.beyond[index].momentum(seen.columns[freedom])));
        }
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for body in self.order.iter().map(|hung| hung.body) {
            let (twist, own) = (state.body_qd[body as usize], self.model.body_mass[body as usize]);
            let arm = self.model.body_centre(state, body) - centre;
            linear += own * twist.linear;
            angular += own * arm.cross(twist.linear);
            angular += self.model.body_inertia_world(state, body as usize) * twist.angular;
        }
        Centroidal { mass, centre, velocity: linear / mass, angular_momentum: angular, inertia: whole, momentum_matrix }
    }
}
