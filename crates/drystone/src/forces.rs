//! Forces that act for one step.

use drystone_model::{BodyKind, Control, DMat3, DVec3, Model, ModelMap, State, Twist};
use drystone_solve::linalg::block6::{spatial, split};
use drystone_solve::linalg::cholesky::Cholesky;
use drystone_solve::linalg::matrix::Mat6;

/// Forces asked for since the last step. They are laid on top of the standing ones of
/// [`Control::body_f`] for one step and taken off again exactly (restored, not subtracted).
#[derive(Clone, Debug, Default)]
pub(crate) struct Forces {
    pending: Vec<(u32, DVec3, DVec3)>,
    standing: Vec<(u32, (DVec3, DVec3))>,
}

impl Forces {
    /// Asks for a force on the body at an index: \[N\] at the centre of mass and a torque \[N·m\], world frame.
    pub fn add(&mut self, body: u32, force: DVec3, torque: DVec3) {
        self.pending.push((body, force, torque));
    }

    /// Follows an edit; forces on what was removed go with it.
    pub fn edited(&mut self, map: &ModelMap) {
        let now = |body: u32| map.body.now(body as usize).map(|now| now as u32);
        let pending = std::mem::take(&mut self.pending).into_iter();
        self.pending = pending.filter_map(|(body, force, torque)| Some((now(body)?, force, torque))).collect();
    }

    /// Lays the forces on top of the standing ones.
    pub fn push_into(&mut self, control: &mut Control) {
        self.standing.clear();
        for (body, force, torque) in self.pending.drain(..) {
            let total = &mut control.body_f[body as usize];
            self.standing.push((body, *total));
            total.0 += force;
            total.1 += torque;
        }
    }

    /// Adds the forces of damping: a step of `dt` seconds takes the share 1 / (1 + rate · dt) of the velocity at its start
    /// over, which as a force is −rate / (1 + rate · dt) times the momentum. A force, so that every solver weighs it against
    /// contacts and joints as it does any other.
    pub fn damp(&mut self, model: &Model, state: &State, control: &mut Control, dt: f64) {
        for (body, &rates) in model.body_damping.iter().enumerate().filter(|(_, rates)| **rates != [0.0; 2]) {
            let Twist { linear, angular } = state.body_qd[body];
            let at_rest = linear == DVec3::ZERO && angular == DVec3::ZERO;
            if model.body_kind[body] != BodyKind::Dynamic || state.body_quarantined[body] || at_rest {
                continue;
            }
            let [along, about] = rates.map(|rate| -rate / (1.0 + rate * dt));
            let total = &mut control.body_f[body];
            self.standing.push((body as u32, *total));
            total.0 += along * model.body_mass[body] * linear;
            total.1 += about * (model.body_inertia_world(state, body) * angular);
        }
    }

    /// Adds what media and dampers to the world exert: −D v after a step of the body alone, (M + D dt) v = M v₀, with the
    /// resistance D of its start. Backwards in time, as damping is: stiff resistance stops a body and never throws it back.
    pub fn drag(&mut self, model: &Model, state: &State, control: &mut Control, dt: f64) {
        for (body, drags) in model.body_drag.iter().enumerate().filter(|(_, drags)| !drags.is_empty()) {
            let start = state.body_qd[body];
            let at_rest = start.linear == DVec3::ZERO && start.angular == DVec3::ZERO;
            if model.body_kind[body] != BodyKind::Dynamic || state.body_quarantined[body] || at_rest {
                continue;
            }
            let centre = model.body_centre(state, body as u32);
            let mut resistance = Mat6::ZERO;
            for drag in drags {
                let [along, about] = drag.resistance(&state.body_q[body], centre, &start);
                let lever = cross_matrix(state.body_q[body] * drag.pose.translation - centre);
                // The point moves by v − r × ω; angular rows, linear columns.
                let coupling = lever * along;
                let angular = about - lever * along * lever;
                resistance.add_scaled(1.0, &Mat6::from_parts(along, coupling, angular));
            }
            let inertia = Mat6::rigid(1.0, model.body_mass[body], model.body_inertia_world(state, body));
            let mut velocity = inertia.mul_vec(&spatial(start.linear, start.angular));
            let mut implicit = inertia;
            implicit.add_scaled(dt, &resistance);
            let mut factor = Cholesky::default();
            factor.factor(6, implicit.0.as_flattened());
            factor.solve(&mut velocity);
            let (force, torque) = split(&resistance.mul_vec(&velocity));
            let total = &mut control.body_f[body];
            self.standing.push((body as u32, *total));
            total.0 -= force;
            total.1 -= torque;
        }
    }

    /// Takes them off again, last first, so that several on one body unwind to the standing force.
    pub fn pop_from(&mut self, control: &mut Control) {
        while let Some((body, standing)) = self.standing.pop() {
            control.body_f[body as usize] = standing;
        }
    }
}

/// The matrix of r ×.
fn cross_matrix(r: DVec3) -> DMat3 {
    DMat3::from_cols(r.cross(DVec3::X), r.cross(DVec3::Y), r.cross(DVec3::Z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_add_up_for_one_step_and_leave_the_standing_ones_exact() {
        let standing = (DVec3::new(0.1, 0.2, 0.3), DVec3::splat(0.7));
        let mut control = Control { body_f: vec![standing; 2], ..Control::default() };
        let mut forces = Forces::default();
        forces.add(1, DVec3::X * 1e9, DVec3::ZERO);
        forces.add(1, DVec3::X, DVec3::Y);
        forces.push_into(&mut control);
        assert_eq!(control.body_f[0], standing);
        assert_eq!(control.body_f[1], (standing.0 + DVec3::X * 1e9 + DVec3::X, standing.1 + DVec3::Y));
        forces.pop_from(&mut control);
        assert_eq!(control.body_f, vec![standing; 2]);
    }
}
