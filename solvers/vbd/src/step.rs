//! A substep, from prediction to velocities.

use drystone_collide::Collide;
use drystone_kernels::double::math::Vec6;
use drystone_model::{BodyKind, Contacts, Control, Model, State, Twist, WORLD};
use drystone_solve::clock::Clock;
use drystone_solve::graph::coloring::ColorOrder;
use drystone_solve::report::Phase;

use super::Vbd;
use super::convert::to_dvec3;
use super::impact::ImpactStep;
use super::rows::LANES;
use super::sleep::Around;
use super::sweep::Sweep;
use super::warm_start::WarmStart;
use super::{clearing, first_loads, groups, guess, momentum, point_starts, resistance, settle, sweep};

/// Share of the limit below which friction counts as inside its cone: what single precision tells apart.
const INSIDE: f64 = 1.0 - 1.0e-6;

impl Vbd {
    /// One substep of `h` seconds; returns the largest move of the last sweep \[m\] and the number of sweeps.
    pub(super) fn substep(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        h: f64,
        iterations: u32,
        clock: &mut Clock,
    ) -> (f64, u32) {
        if self.options.sleeping {
            self.sleep.heed_user(model, state, control, &self.joints);
        }
        self.predict(model, state, control, h);
        clock.lap(Phase::Predict);
        clock.detect(collide, model, state, h);
        if self.options.sleeping && self.sleep.heed_touch(model, &collide.contacts, &self.bodies, h) {
            self.predict(model, state, control, h);
        }
        self.joints.decay(self.recipe.joint_retention);
        self.joints.prepare(model, state, control, &self.bodies, self.ramp.as_ref(), h);
        clock.lap(Phase::Predict);
        self.group(&collide.contacts);
        self.aim(model, state, h);
        let impact = ImpactStep { contacts: &collide.contacts, islands: &self.islands, h };
        self.impacts.resolve(&impact, &mut self.bodies);
        resistance::resist(&collide.contacts, &self.memory, &mut self.bodies, &mut self.torques, h);
        let (mut residual, mut sweeps) = (0.0, 0);
        self.rehearsal.begin(&self.started, self.bodies.world() + 1, self.recipe.startup_passes);
        if self.rehearsal.any() {
            let mut loads = std::mem::take(&mut self.rehearsal.memory);
            let starts = |world| self.rehearsal.starts(world);
            first_loads::guess(model, &self.bodies, &collide.contacts, h, starts, &mut loads);
            self.rehearsal.memory = loads;
        }
        for pass in 0..=self.recipe.startup_passes {
            self.warm_start(model, state, collide, h);
            clock.lap(Phase::WarmStart);
            self.graph();
            clock.lap(Phase::Graph);
            self.begin_sweeps(model, h);
            (residual, sweeps) = self.iterate(iterations);
            clock.lap(Phase::Iterate);
            self.remember();
            let Self { rehearsal, islands, next_memory, .. } = self;
            if pass == self.recipe.startup_passes || rehearsal.done(model, &collide.contacts, islands, next_memory) {
                break;
            }
        }
        std::mem::swap(&mut self.memory, &mut self.next_memory);
        self.started.fill(true);
        self.repair_momentum();
        self.limit_energy(h);
        self.close_mechanisms();
        self.velocities(model);
        self.push_apart();
        self.clear_ground(model, &collide.contacts, h);
        self.settle_momentum(h);
        self.finish(model, state, h);
        self.joints.break_overloaded(model, state, &mut self.broken);
        if self.options.sleeping {
            self.fall_asleep(model, state, &collide.contacts, h);
        }
        clock.lap(Phase::Finish);
        (residual, sweeps)
    }

    /// Lets all groups move.
    fn begin_sweeps(&mut self, model: &Model, h: f64) {
        let tolerance = if self.recipe.settles { self.options.tolerance } else { 0.0 };
        let busy = |leader| self.rehearsal.busy(leader);
        self.settling.begin(model, &self.bodies, &self.islands, &self.mechanisms.member, busy, tolerance, h);
    }

    /// Targets of the bodies, and the joints that act on them.
    fn predict(&mut self, model: &Model, state: &State, control: &Control, h: f64) {
        for body in 0..model.body_count() {
            self.bodies.asleep[body] = self.sleep.asleep(body);
        }
        self.joints.efforts(model, state, control, &mut self.bodies.effort);
        self.bodies.predict(model, state, control, h);
        self.bodies.note_jolts(model, h);
        let changed = self.joints.refresh_active(state, control, &self.bodies, &mut self.before);
        if changed || self.joints_changed {
            self.mechanisms.rebuild(&mut self.joints, &self.bodies.moves, self.ramp.is_none());
            self.swept.rebuild(&self.joints, &self.bodies.moves, self.ramp.is_some());
            self.joints_changed = false;
        }
    }

    /// Puts groups to sleep that have rested long enough.
    fn fall_asleep(&mut self, model: &Model, state: &mut State, contacts: &Contacts, h: f64) {
        let Self { bodies, islands, joints, .. } = self;
        let around = Around { bodies, islands, joints, h };
        self.sleep.settle(model, state, contacts, &around);
        for body in (0..model.body_count()).filter(|&body| self.sleep.asleep(body)) {
            self.bodies.last_acceleration[body] = Vec6::default();
            self.bodies.left_velocity[body] = Vec6::default();
        }
    }

    /// Scales back groups that would gain energy, and what their contacts and joints remember.
    fn limit_energy(&mut self, h: f64) {
        let Self { bodies, islands, groups, mechanisms, energies, .. } = self;
        if !self.recipe.momentum_repair || !energies.limit(bodies, islands, groups, &mechanisms.member, h) {
            return;
        }
        let scale = |ends: [usize; 2]| {
            let moving = ends.into_iter().find(|&body| self.bodies.moves[body]);
            moving.map_or(1.0, |body| self.energies.scale(self.islands.leader(body)))
        };
        for (manifold, start) in self.rows.manifolds.iter().zip(point_starts(&self.rows.manifolds)) {
            let scale = scale(manifold.body.map(|slot| slot as usize));
            for memory in &mut self.memory[start..start + manifold.count as usize] {
                memory.force = memory.force.map(|x| x * scale);
            }
        }
        for joint in 0..self.joints.count() {
            let scale = scale(self.joints.geometry[joint].body);
            self.joints.rows_mut(joint).iter_mut().for_each(|row| row.lambda *= scale);
        }
    }

    /// Groups the bodies by contacts and joints.
    fn group(&mut self, contacts: &Contacts) {
        let world = self.bodies.world() as u32;
        let slot = |body: u32| if body == WORLD { world } else { body };
        let touching = (0..contacts.manifold_count())
            .map(|m| [slot(contacts.manifold_body0[m]), slot(contacts.manifold_body1[m])]);
        let joints = &self.joints;
        let tied = (0..joints.count())
            .filter(|&joint| joints.active[joint])
            .map(|joint| joints.geometry[joint].body.map(|body| body as u32));
        self.islands.build(&self.bodies.moves, touching, tied);
        let Self { groups, bodies, islands, joints, mechanisms, memory, .. } = self;
        groups.build(&groups::Scene { bodies, islands, joints, member: &mechanisms.member, contacts, memory });
        for body in 0..self.bodies.world() {
            self.bodies.reference[body] = self.groups.of(self.islands.leader(body)).reference;
        }
    }

    fn warm_start(&mut self, model: &Model, state: &State, collide: &Collide, h: f64) {
        WarmStart {
            model,
            state,
            bodies: &self.bodies,
            contacts: &collide.contacts,
            memory: &self.memory,
            recipe: &self.recipe,
            avbd: &self.options.avbd,
            rehearsal: &self.rehearsal,
            h,
            islands: &self.islands,
            groups: &self.groups,
            member: &self.mechanisms.member,
        }
        .build(&mut self.rows, &mut self.next_memory);
        let Self { rehearsal, islands, started, bodies, rows, disagreement, options, .. } = self;
        let busy = |body: usize| rehearsal.busy(islands.leader(body));
        let first = |body: usize| !started[model.body_world[body] as usize];
        if self.recipe.compatible_guess {
            guess::compatible(bodies, rows, disagreement, busy, h);
        } else {
            guess::inertial(bodies, h, busy, first);
        }
        for body in (0..model.body_count()).filter(|&body| busy(body)) {
            let free = bodies.moves[body] && !self.mechanisms.member[body] && !self.swept.holds(body);
            if free {
                bodies.target[body] = sweep::round(options.precision, bodies.target[body]);
                bodies.delta[body] = sweep::round(options.precision, bodies.delta[body]);
            } else {
                bodies.place(body);
            }
        }
    }

    fn graph(&mut self) {
        self.edges.clear();
        self.edges.extend(self.rows.manifolds.iter().map(|m| m.body));
        self.adjacency.build(&self.bodies.moves, &self.edges);
        self.sweeps.clear();
        self.sweeps.extend((0..self.bodies.moves.len()).map(|b| self.bodies.moves[b] && !self.mechanisms.member[b]));
        self.edges.extend(self.swept.pairs());
        self.coloring.color(&self.sweeps, &self.edges, ColorOrder::default());
    }

    /// Notes the multipliers for the next step, or for another pass over this one.
    fn remember(&mut self) {
        let mut index = 0;
        for ((manifold, course), torque) in self.rows.manifolds.iter().zip(&self.rows.courses).zip(&self.torques) {
            for (lane, point) in manifold.points().enumerate() {
                let memory = &mut self.next_memory[index];
                let force = point.force(manifold.normal);
                memory.force = [force.x, force.y, force.z];
                memory.before = course.load_before[lane];
                memory.torque = *torque;
                memory.gain = course.gain[lane];
                memory.rho = [point.rho_n, point.rho_t];
                memory.stuck = point.load > 0.0 && point.friction.length() < point.mu * point.load * INSIDE;
                index += 1;
            }
        }
    }

    /// Gives floating groups back the momentum that sweeps left behind, if asked to.
    fn repair_momentum(&mut self) {
        if self.recipe.momentum_repair {
            momentum::restore(&mut self.bodies, &self.islands, &self.groups, &mut self.wholes);
        }
    }

    /// Closes the joints that the sweeps left open.
    fn close_mechanisms(&mut self) {
        let Self { mechanisms, bodies, joints, rows, adjacency, unconverged, .. } = self;
        mechanisms.close(bodies, joints, &rows.manifolds, adjacency, unconverged);
    }

    /// Momentum and energy that groups must and may have.
    fn settle_momentum(&mut self, h: f64) {
        let Self { bodies, islands, groups, energies, ends, .. } = self;
        if self.recipe.momentum_repair {
            settle::settle(bodies, &settle::Around { islands, groups, energies, h }, ends);
        }
        for body in (0..bodies.world()).filter(|&body| bodies.moves[body]) {
            let change = bodies.left_velocity[body].sub(bodies.velocity[body]);
            bodies.last_acceleration[body] = change.scale(1.0 / h);
        }
    }

    /// Velocities that the displacements mean.
    fn velocities(&mut self, model: &Model) {
        for body in 0..model.body_count() {
            if self.bodies.moves[body] || model.body_kind[body] == BodyKind::Kinematic {
                let jointed = self.mechanisms.member[body] || self.swept.holds(body);
                let v = match jointed {
                    true => self.bodies.velocity_of_jointed(body),
                    false if self.adjacency.degree(body) > 0 => self.bodies.land(body),
                    false => self.bodies.velocity_of_displacement(body),
                };
                self.bodies.left_velocity[body] = v;
            }
        }
    }

    /// Takes overlaps back by one more sweep over the bodies that have some; its displacements are no velocities.
    fn push_apart(&mut self) {
        self.pushed.clear();
        self.pushed.resize(self.bodies.moves.len(), false);
        let mut any = false;
        for (manifold, course) in self.rows.manifolds.iter_mut().zip(&self.rows.courses) {
            if course.push != [0.0; LANES] {
                any = true;
                manifold.body.into_iter().for_each(|body| self.pushed[body as usize] = true);
                manifold.gap.iter_mut().zip(course.push).for_each(|(gap, push)| *gap -= push);
            }
        }
        if any {
            self.sweep_colors(Sweep::Pushed);
            self.repair_momentum();
        }
    }

    /// Lifts what ended deep in something that does not move.
    fn clear_ground(&mut self, model: &Model, contacts: &Contacts, h: f64) {
        let Self { rows, mechanisms, bodies, .. } = self;
        if self.recipe.push_apart {
            clearing::clear(&clearing::Scene { model, contacts, rows, mechanisms, h }, bodies);
        }
    }

    fn finish(&mut self, model: &Model, state: &mut State, h: f64) {
        for body in 0..model.body_count() {
            if self.bodies.moves[body] || model.body_kind[body] == BodyKind::Kinematic {
                let v = self.bodies.left_velocity[body];
                state.body_q[body] = self.bodies.final_pose(model, body);
                state.body_qd[body] = Twist { linear: to_dvec3(v.l), angular: to_dvec3(v.a) };
            }
        }
        self.note_steps(model, state, h);
    }
}
