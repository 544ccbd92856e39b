//! Solvers that do no physics: what a check must not let pass.

use drystone::collide::Collide;
use drystone::model::{BodyKind, DQuat, Model, State};
use drystone::solve::{Report, Solver};
use drystone_solve::step_only::StepOnly;

/// A way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Puppet {
    /// Everything falls freely, through whatever is in the way and out of every joint.
    Falls,
    /// Nothing moves.
    Stands,
}

impl Puppet {
    fn moves(self, model: &Model, state: &mut State, body: usize, dt: f64) {
        let twist = &mut state.body_qd[body];
        if self == Self::Stands {
            *twist = Default::default();
            return;
        }
        if model.body_kind[body] == BodyKind::Dynamic {
            twist.linear += model.world_gravity[model.body_world[body] as usize] * dt;
        }
        let (linear, angular) = (twist.linear, twist.angular);
        let centre = model.body_centre(state, body as u32) + linear * dt;
        let pose = &mut state.body_q[body];
        pose.rotation = (DQuat::from_scaled_axis(angular * dt) * pose.rotation).normalize();
        pose.translation = centre - pose.rotation * model.body_com[body];
    }
}

impl Puppet {
    /// As a solver.
    pub fn solver(self) -> Box<dyn Solver> {
        Box::new(StepOnly(move |model: &Model, state: &mut State, collide: &mut Collide, dt: f64| {
            Ok(self.step(model, state, collide, dt))
        }))
    }

    fn step(self, model: &Model, state: &mut State, collide: &mut Collide, dt: f64) -> Report {
        for body in 0..model.body_count() {
            self.moves(model, state, body, dt);
        }
        for particle in 0..model.particle_count() {
            let falls = self == Self::Falls && model.particle_mass[particle] > 0.0;
            let gravity = model.world_gravity[model.particle_world[particle] as usize];
            let velocity = &mut state.particle_qd[particle];
            *velocity = if falls { *velocity + gravity * dt } else { Default::default() };
            state.particle_q[particle] += *velocity * dt;
        }
        for joint in 0..model.joint_count() {
            state.joint_angle[joint] = model.next_joint_angle(&state.body_q, joint, state.joint_angle[joint]);
        }
        state.time += dt;
        state.step_count += 1;
        collide.detect(model, state, dt);
        let overlap = collide.contacts.point_gap.iter().fold(0.0_f64, |deepest, gap| deepest.max(-gap));
        let errors = || (0..model.joint_count() as u32).map(|joint| model.joint_error(state, joint));
        // Figures as honest as those of a solver: what is wrong must show in them or in the state.
        Report {
            max_penetration: Some(overlap),
            max_joint_error: Some(errors().map(|error| error.linear).fold(0.0, f64::max)),
            max_joint_angle_error: Some(errors().map(|error| error.angular).fold(0.0, f64::max)),
            contact_count: collide.contacts.point_count(),
            ..Report::of_motion(model, state)
        }
    }
}
