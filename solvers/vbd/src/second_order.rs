//! Second-order steps where nothing touches: a joint island by a two-step rule (`drystone_solve::two_step`), a body by itself along
//! its parabola, h v + ½ h² a.
//!
//! All bodies of an island take the same rule, because they share forces, and only where their motion is smooth. Velocities
//! jump at contacts and stops, now or in the step before, at a joint that is switched, and where they are set from outside.

use drystone_kernels::double::math::Vec6;
use drystone_kernels::double::rotation;
use drystone_model::{Model, State, Twist};
use drystone_solve::two_step::{Bend, MOST_TURN, Start, StepBefore};

use super::Vbd;
use super::bodies::Bodies;
use super::convert::{quat, sym3, to_dvec3, vec3};

impl Vbd {
    /// Aims all bodies that move where inertia and external forces lead them: by the second-order rule in the islands that may.
    pub(super) fn aim(&mut self, model: &Model, state: &State, h: f64) {
        if !self.options.second_order() {
            for body in 0..model.body_count() {
                if self.bodies.moves[body] {
                    self.bodies.aim(body, h);
                }
            }
            return;
        }
        let mut smooth = self.smooth_islands();
        let jointed = self.jointed_bodies();
        for body in (0..model.body_count()).filter(|&body| self.bodies.moves[body] && jointed[body]) {
            let slow = self.bodies.velocity[body].a.length() * h < MOST_TURN;
            let (pose, twist) = (state.body_q[body], state.body_qd[body]);
            let follows = self.before[body].is_some_and(|before| before.leads_to(pose, twist, h));
            smooth[self.islands.leader(body)] &= slow && follows;
        }
        for body in 0..model.body_count() {
            if !self.bodies.moves[body] {
                continue;
            }
            let smooth = smooth[self.islands.leader(body)];
            match self.before[body] {
                Some(before) if smooth && jointed[body] => self.bodies.aim_second_order(model, body, &before),
                _ => self.bodies.aim(body, h),
            }
            if smooth && !jointed[body] {
                self.bodies.aim_by_parabola(body, h);
            }
        }
        self.joints.aim_armatures(model, &self.bodies, h);
    }

    /// What bodies remember for the next step: those of islands that moved smoothly in this one.
    pub(super) fn note_steps(&mut self, model: &Model, state: &State, h: f64) {
        if !self.options.second_order() {
            return;
        }
        let smooth = self.smooth_islands();
        let mut bend = vec![Bend::default(); smooth.len()];
        for body in (0..smooth.len()).filter(|&body| self.bodies.moves[body]) {
            if let Some(before) = &self.before[body] {
                let start = self.bodies.start_of(model, body);
                let leader = self.islands.leader(body);
                bend[leader] = bend[leader].and(before.bend(&start, model.body_mass[body], state.body_qd[body]));
            }
        }
        for body in (0..smooth.len()).filter(|&body| self.bodies.moves[body]) {
            let leader = self.islands.leader(body);
            let previous = self.before[body].filter(|_| self.bodies.step[body] != h);
            self.before[body] = (smooth[leader] && !bend[leader].is_jump()).then(|| {
                let (start, delta) = (self.bodies.start_of(model, body), self.bodies.delta[body]);
                let end = (state.body_q[body], state.body_qd[body]);
                StepBefore::new(&start, h, to_dvec3(delta.l), to_dvec3(delta.a), end, previous.as_ref())
            });
        }
    }

    /// By leader, whether nothing touches an island, no stop holds it or is about to, and it is no wide net: multipliers that
    /// follow from step to step go with the first-order rule alone (a net of 40 × 40 trembles with the energy of its fall).
    fn smooth_islands(&self) -> Vec<bool> {
        let count = self.bodies.world();
        let mut smooth: Vec<bool> = (0..count).map(|body| !self.islands.touched(body)).collect();
        for joint in (0..self.joints.count()).filter(|&joint| self.joints.active[joint] && self.joints.stopped(joint)) {
            for body in self.joints.geometry[joint].body.into_iter().filter(|&body| body < count) {
                smooth[self.islands.leader(body)] = false;
            }
        }
        self.joint_islands.nets().for_each(|body| smooth[self.islands.leader(body)] = false);
        smooth
    }

    fn jointed_bodies(&self) -> Vec<bool> {
        let mut jointed = vec![false; self.bodies.moves.len()];
        for joint in (0..self.joints.count()).filter(|&joint| self.joints.active[joint]) {
            self.joints.geometry[joint].body.into_iter().for_each(|body| jointed[body] = true);
        }
        jointed
    }
}

impl Bodies {
    /// A body at the start of the step.
    fn start_of(&self, model: &Model, body: usize) -> Start {
        let twist = Twist { linear: to_dvec3(self.velocity[body].l), angular: to_dvec3(self.velocity[body].a) };
        Start { rotation: self.start_rotation[body], twist, inertia: model.body_inertia[body] }
    }

    /// Aims a body that nothing holds where its velocity and the external acceleration lead it, exactly.
    fn aim_by_parabola(&mut self, body: usize, h: f64) {
        self.target[body].l = self.velocity[body].l.scale(h).add_scaled(self.acceleration[body], 0.5 * h * h);
    }

    /// Aims a moving body by the rule of two steps. Torques are no part of the target here.
    fn aim_second_order(&mut self, model: &Model, body: usize, before: &StepBefore) {
        let aim = before.aim(&self.start_of(model, body), to_dvec3(self.acceleration[body]), Default::default());
        self.target[body] = Vec6 { l: vec3(aim.moved), a: vec3(aim.turned) };
        self.target_velocity[body] = Vec6 { l: vec3(aim.twist.linear), a: vec3(aim.twist.angular) };
        self.coasting[body] = Vec6 { l: vec3(aim.coasted), a: vec3(aim.turned) };
        let inverse_square = 1.0 / (aim.step * aim.step);
        self.mass[body] = model.body_mass[body] * inverse_square;
        let inertia = rotation::world_inertia(quat(self.start_rotation[body]), sym3(model.body_inertia[body]));
        self.inertia[body] = inertia.scale(inverse_square);
        self.step[body] = aim.step;
        self.spin[body] = Some(vec3(aim.spin));
    }
}
