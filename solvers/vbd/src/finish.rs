//! Phase `Finish`: from solved displacements to poses and velocities, with the momentum and energy they must and may have.

use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};

use drystone_kernels::double::math::Vec6;
use drystone_model::{BodyKind, Contacts, Model, State, Twist};
use drystone_solve::parallel;

use super::Vbd;
use super::bodies::Bodies;
use super::convert::to_dvec3;
use super::rows::{LANES, Rows};
use super::sleep::SleepInputs;
use super::sweep::Sweep;
use super::{conservation, depenetration, momentum, point_starts};

impl Vbd {
    /// Corrects what the sweeps left of momentum and energy.
    pub(super) fn settle(&mut self, h: f64) {
        self.repair_momentum();
        self.limit_energy(h);
    }

    /// Writes the state once joints are closed, breaks joints and puts islands to sleep.
    pub(super) fn finish(&mut self, model: &Model, state: &mut State, contacts: &Contacts, h: f64) {
        self.velocities(model);
        self.keep_spin_of_touched(h);
        self.push_apart();
        self.depenetrate(model, contacts, h);
        self.enforce_conservation(h);
        self.write_state(model, state, h);
        self.joints.break_overloaded(model, state, &mut self.broken);
        if self.options.sleeping {
            self.fall_asleep(model, state, contacts, h);
        }
    }

    /// Gives floating islands back the momentum that sweeps left behind, if asked to.
    fn repair_momentum(&mut self) {
        if self.method.momentum_repair {
            momentum::restore(&mut self.bodies, &self.islands, &self.island_scales, &mut self.wholes);
        }
    }

    /// Scales back islands that would gain energy, and what their contacts and joints remember.
    fn limit_energy(&mut self, h: f64) {
        let Self { bodies, islands, island_scales, joint_islands, energies, .. } = self;
        if !self.method.momentum_repair || !energies.limit(bodies, islands, island_scales, &joint_islands.member, h) {
            return;
        }
        let scale = |ends: [usize; 2]| {
            let moving = ends.into_iter().find(|&body| self.bodies.moves[body]);
            moving.map_or(1.0, |body| self.energies.scale(self.islands.leader(body)))
        };
        for (manifold, start) in self.rows.manifolds.iter().zip(point_starts(&self.rows.manifolds)) {
            let scale = scale(manifold.body.map(|slot| slot as usize));
            for cached in &mut self.contact_cache[start..start + manifold.count as usize] {
                cached.force = cached.force.map(|x| x * scale);
            }
        }
        for joint in 0..self.joints.count() {
            let scale = scale(self.joints.geometry[joint].body);
            self.joints.rows_mut(joint).iter_mut().for_each(|row| row.lambda *= scale);
        }
    }

    /// Projects joints that the sweeps left open back onto their constraints.
    pub(super) fn project_joints(&mut self) {
        let Self { joint_islands, bodies, joints, rows, adjacency, unconverged, .. } = self;
        joint_islands.project(bodies, joints, &rows.manifolds, adjacency, unconverged);
    }

    /// Velocities that the displacements mean.
    fn velocities(&mut self, model: &Model) {
        let count = model.body_count();
        let (mut left, mut landing) = (take(&mut self.bodies.left_velocity), take(&mut self.bodies.landing));
        let Self { bodies, joint_islands, swept, adjacency, .. } = self;
        parallel::each2(&mut left[..count], &mut landing[..count], |body, left, landing| {
            if bodies.moves[body] || model.body_kind[body] == BodyKind::Kinematic {
                match joint_islands.member[body] || swept.holds(body) {
                    true => *left = bodies.velocity_of_jointed(body),
                    false if adjacency.degree(body) > 0 => (*left, *landing) = bodies.land(body),
                    false => *left = bodies.velocity_of_displacement(body),
                }
            }
        });
        (self.bodies.left_velocity, self.bodies.landing) = (left, landing);
    }

    /// Takes overlaps back by one more sweep over the bodies that have some; its displacements are no velocities.
    fn push_apart(&mut self) {
        let Rows { manifolds, duals, .. } = &mut self.rows;
        let any = AtomicBool::new(false);
        parallel::each(manifolds, |index, manifold| {
            let push = duals[index].push;
            if push != [0.0; LANES] {
                any.store(true, Ordering::Relaxed);
                manifold.gap.iter_mut().zip(push).for_each(|(gap, push)| *gap -= push);
            }
        });
        if any.into_inner() {
            self.pushed.clear();
            self.pushed.resize(self.bodies.moves.len(), false);
            let (adjacency, duals) = (&self.adjacency, &self.rows.duals);
            parallel::each(&mut self.pushed, |body, pushed| {
                *pushed = adjacency.of(body).any(|end| duals[end.constraint()].push != [0.0; LANES]);
            });
            self.sweep_colors(Sweep::Pushed);
            self.repair_momentum();
        }
    }

    /// Lifts what ended deep in something that does not move.
    fn depenetrate(&mut self, model: &Model, contacts: &Contacts, h: f64) {
        let Self { rows, joint_islands, bodies, .. } = self;
        if self.method.push_apart {
            depenetration::lift_out(&depenetration::Scene { model, contacts, rows, joint_islands, h }, bodies);
        }
    }

    /// Momentum and energy that islands must and may have.
    fn enforce_conservation(&mut self, h: f64) {
        let Self { bodies, islands, island_scales, energies, ends, .. } = self;
        if self.method.momentum_repair {
            conservation::enforce(bodies, &conservation::MomentumInputs { islands, island_scales, energies, h }, ends);
        }
        let Bodies { last_acceleration, left_velocity, velocity, moves, .. } = bodies;
        parallel::each(last_acceleration, |body, last| {
            if moves[body] {
                *last = left_velocity[body].sub(velocity[body]).scale(1.0 / h);
            }
        });
    }

    /// Writes poses and velocities into the state.
    fn write_state(&mut self, model: &Model, state: &mut State, h: f64) {
        let bodies = &self.bodies;
        parallel::each2(&mut state.body_q, &mut state.body_qd, |body, pose, twist| {
            if bodies.moves[body] || model.body_kind[body] == BodyKind::Kinematic {
                let v = bodies.left_velocity[body];
                *pose = bodies.final_pose(model, body);
                *twist = Twist { linear: to_dvec3(v.l), angular: to_dvec3(v.a) };
            }
        });
        self.note_steps(model, state, h);
    }

    /// Puts islands to sleep that have rested long enough.
    fn fall_asleep(&mut self, model: &Model, state: &mut State, contacts: &Contacts, h: f64) {
        let Self { bodies, islands, joints, .. } = self;
        let inputs = SleepInputs { bodies, islands, joints, h };
        self.sleep.fall_asleep(model, state, contacts, &inputs);
        for body in (0..model.body_count()).filter(|&body| self.sleep.asleep(body)) {
            self.bodies.last_acceleration[body] = Vec6::default();
            self.bodies.left_velocity[body] = Vec6::default();
        }
    }
}
