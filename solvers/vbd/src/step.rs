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
use super::sleep::SleepInputs;
use super::sweep::Sweep;
use super::warm_start::WarmStart;
use super::{
    conservation, depenetration, guess, initial_loads, island_scales, momentum, point_starts, rolling_friction, sweep,
};

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
            self.sleep.wake_by_user(model, state, control, &self.joints);
        }
        self.predict(model, state, control, h);
        clock.lap(Phase::Predict);
        clock.detect(collide, model, state, h);
        if self.options.sleeping && self.sleep.wake_by_contact(model, &collide.contacts, &self.bodies, h) {
            self.predict(model, state, control, h);
        }
        self.joints.decay(self.method.joint_retention);
        self.joints.prepare(model, state, control, &self.bodies, self.ramp.as_ref(), h);
        clock.lap(Phase::Predict);
        self.build_islands(&collide.contacts);
        self.aim(model, state, h);
        let impact = ImpactStep { contacts: &collide.contacts, islands: &self.islands, h };
        self.impacts.resolve(&impact, &mut self.bodies);
        rolling_friction::apply(&collide.contacts, &self.contact_cache, &mut self.bodies, &mut self.torques, h);
        let (mut residual, mut sweeps) = (0.0, 0);
        self.startup.begin(&self.started, self.bodies.world() + 1, self.method.startup_passes);
        if self.startup.any() {
            let mut loads = std::mem::take(&mut self.startup.cache);
            let starts = |world| self.startup.starts(world);
            initial_loads::guess(model, &self.bodies, &collide.contacts, h, starts, &mut loads);
            self.startup.cache = loads;
        }
        for pass in 0..=self.method.startup_passes {
            self.warm_start(model, state, collide, h);
            clock.lap(Phase::WarmStart);
            self.graph();
            clock.lap(Phase::Graph);
            self.begin_sweeps(model, h);
            (residual, sweeps) = self.iterate(iterations);
            clock.lap(Phase::Iterate);
            self.remember();
            let Self { startup, islands, next_contact_cache, .. } = self;
            if pass == self.method.startup_passes || startup.done(model, &collide.contacts, islands, next_contact_cache)
            {
                break;
            }
        }
        std::mem::swap(&mut self.contact_cache, &mut self.next_contact_cache);
        self.started.fill(true);
        self.repair_momentum();
        self.limit_energy(h);
        self.project_joints();
        self.velocities(model);
        self.push_apart();
        self.depenetrate(model, &collide.contacts, h);
        self.enforce_conservation(h);
        self.finish(model, state, h);
        self.joints.break_overloaded(model, state, &mut self.broken);
        if self.options.sleeping {
            self.fall_asleep(model, state, &collide.contacts, h);
        }
        clock.lap(Phase::Finish);
        (residual, sweeps)
    }

    /// Lets all islands move.
    fn begin_sweeps(&mut self, model: &Model, h: f64) {
        let tolerance = if self.method.drops_converged { self.options.tolerance } else { 0.0 };
        let busy = |leader| self.startup.busy(leader);
        self.convergence.begin(model, &self.bodies, &self.islands, &self.joint_islands.member, busy, tolerance, h);
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
            self.joint_islands.rebuild(&mut self.joints, &self.bodies.moves, self.ramp.is_none());
            self.swept.rebuild(&self.joints, &self.bodies.moves, self.ramp.is_some());
            self.joints_changed = false;
        }
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

    /// Finds the islands: bodies that contacts and joints connect.
    fn build_islands(&mut self, contacts: &Contacts) {
        let world = self.bodies.world() as u32;
        let slot = |body: u32| if body == WORLD { world } else { body };
        let touching = (0..contacts.manifold_count())
            .map(|m| [slot(contacts.manifold_body0[m]), slot(contacts.manifold_body1[m])]);
        let joints = &self.joints;
        let tied = (0..joints.count())
            .filter(|&joint| joints.active[joint])
            .map(|joint| joints.geometry[joint].body.map(|body| body as u32));
        self.islands.build(&self.bodies.moves, touching, tied);
        let Self { island_scales, bodies, islands, joints, joint_islands, contact_cache, .. } = self;
        island_scales.build(&island_scales::Scene {
            bodies,
            islands,
            joints,
            member: &joint_islands.member,
            contacts,
            cache: contact_cache,
        });
        for body in 0..self.bodies.world() {
            self.bodies.reference[body] = self.island_scales.of(self.islands.leader(body)).reference;
        }
    }

    fn warm_start(&mut self, model: &Model, state: &State, collide: &Collide, h: f64) {
        WarmStart {
            model,
            state,
            bodies: &self.bodies,
            contacts: &collide.contacts,
            cache: &self.contact_cache,
            method: &self.method,
            avbd: &self.options.avbd,
            startup: &self.startup,
            h,
            islands: &self.islands,
            island_scales: &self.island_scales,
            member: &self.joint_islands.member,
        }
        .build(&mut self.rows, &mut self.next_contact_cache);
        let Self { startup, islands, started, bodies, rows, disagreement, options, .. } = self;
        let busy = |body: usize| startup.busy(islands.leader(body));
        let first = |body: usize| !started[model.body_world[body] as usize];
        if self.method.compatible_guess {
            guess::compatible(bodies, rows, disagreement, busy, h);
        } else {
            guess::inertial(bodies, h, busy, first);
        }
        for body in (0..model.body_count()).filter(|&body| busy(body)) {
            let free = bodies.moves[body] && !self.joint_islands.member[body] && !self.swept.holds(body);
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
        self.sweeps.extend((0..self.bodies.moves.len()).map(|b| self.bodies.moves[b] && !self.joint_islands.member[b]));
        self.edges.extend(self.swept.pairs());
        if self.method.one_by_one {
            self.coloring.one_by_one(&self.sweeps);
        } else {
            self.coloring.color(&self.sweeps, &self.edges, ColorOrder::default());
        }
    }

    /// Notes the multipliers for the next step, or for another pass over this one.
    fn remember(&mut self) {
        let mut index = 0;
        for ((manifold, dual), torque) in self.rows.manifolds.iter().zip(&self.rows.duals).zip(&self.torques) {
            for (lane, point) in manifold.points().enumerate() {
                let cached = &mut self.next_contact_cache[index];
                let force = point.force(manifold.normal);
                cached.force = [force.x, force.y, force.z];
                cached.before = dual.load_before[lane];
                cached.torque = *torque;
                cached.gain = dual.gain[lane];
                cached.rho = [point.rho_n, point.rho_t];
                cached.stuck = point.load > 0.0 && point.friction.length() < point.mu * point.load * INSIDE;
                index += 1;
            }
        }
    }

    /// Gives floating islands back the momentum that sweeps left behind, if asked to.
    fn repair_momentum(&mut self) {
        if self.method.momentum_repair {
            momentum::restore(&mut self.bodies, &self.islands, &self.island_scales, &mut self.wholes);
        }
    }

    /// Projects joints that the sweeps left open back onto their constraints.
    fn project_joints(&mut self) {
        let Self { joint_islands, bodies, joints, rows, adjacency, unconverged, .. } = self;
        joint_islands.project(bodies, joints, &rows.manifolds, adjacency, unconverged);
    }

    /// Momentum and energy that islands must and may have.
    fn enforce_conservation(&mut self, h: f64) {
        let Self { bodies, islands, island_scales, energies, ends, .. } = self;
        if self.method.momentum_repair {
            conservation::enforce(bodies, &conservation::MomentumInputs { islands, island_scales, energies, h }, ends);
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
                let jointed = self.joint_islands.member[body] || self.swept.holds(body);
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
        for (manifold, dual) in self.rows.manifolds.iter_mut().zip(&self.rows.duals) {
            if dual.push != [0.0; LANES] {
                any = true;
                manifold.body.into_iter().for_each(|body| self.pushed[body as usize] = true);
                manifold.gap.iter_mut().zip(dual.push).for_each(|(gap, push)| *gap -= push);
            }
        }
        if any {
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
