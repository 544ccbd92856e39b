//! Second-order steps where nothing touches: a joint island by a two-step rule (`drystone_solve::two_step`), a body by itself along
//! its parabola, h v + ½ h² a.
//!
//! All bodies of an island take the same rule, because they share forces, and only where their motion is smooth. Velocities
//! jump at contacts and stops, now or in the step before, at a joint that is switched, and where they are set from outside.

use std::mem::take;

use drystone_kernels::double::math::Vec6;
use drystone_kernels::double::rotation;
use drystone_model::{Model, State, Twist};
use drystone_solve::parallel::{self, PIECE, Shared};
use drystone_solve::two_step::{Bend, MOST_TURN, Start, StepBefore};

use rayon::prelude::*;

use super::Vbd;
use super::bodies::Bodies;
use super::convert::{quat, sym3, to_dvec3, vec3};

impl Vbd {
    /// Aims all bodies that move where inertia and external forces lead them: by the second-order rule in the islands that may.
    pub(super) fn aim(&mut self, model: &Model, state: &State, h: f64) {
        if !self.options.second_order() {
            self.bodies.aim_all(model, h, |_| Rule::First);
            return;
        }
        if self.joints.count() == 0 {
            let Self { bodies, islands, .. } = self;
            bodies.aim_all(model, h, |body| if islands.touched(body) { Rule::First } else { Rule::Parabola });
            return;
        }
        let mut smooth = self.smooth_islands();
        let mut rough = take(&mut self.rough);
        rough.clear();
        let departs = |body: usize| {
            let slow = self.bodies.velocity[body].a.length() * h < MOST_TURN;
            let (pose, twist) = (state.body_q[body], state.body_qd[body]);
            let follows = || self.before[body].as_ref().is_some_and(|before| before.leads_to(pose, twist, h));
            self.bodies.moves[body] && self.jointed(body) && !(slow && !self.jumped[body] && follows())
        };
        parallel::choose(model.body_count(), departs, &mut rough);
        rough.iter().for_each(|&body| smooth[self.islands.leader(body as usize)] = false);
        self.rough = rough;
        let Self { islands, before, joint_islands, swept, .. } = self;
        self.bodies.aim_all(model, h, |body| match &before[body] {
            _ if !smooth[islands.leader(body)] => Rule::First,
            _ if !(joint_islands.member[body] || swept.holds(body)) => Rule::Parabola,
            Some(before) => Rule::Second(before),
            None => Rule::First,
        });
        self.joints.aim_armatures(model, &self.bodies, h);
    }

    /// What bodies remember for the next step: those of islands that nothing touched in this one, and whether their velocities jumped in
    /// it. A step after a jump is remembered too, though it is of first order, for it may be one itself: a jerk lasts several steps.
    pub(super) fn note_steps(&mut self, model: &Model, state: &State, h: f64) {
        // What is not jointed has no use for it.
        if !self.options.second_order() || self.joints.count() == 0 {
            return;
        }
        let smooth = self.smooth_islands();
        let mut bend = vec![Bend::default(); smooth.len()];
        let Self { bodies, islands, before, jumped, joint_islands, swept, .. } = self;
        let bend_of = |(body, before): (usize, &Option<StepBefore>)| {
            let before = before.as_ref().filter(|_| bodies.moves[body])?;
            Some(before.bend(&bodies.start_of(model, body), model.body_mass[body], state.body_qd[body]))
        };
        let bends: Vec<Option<Bend>> = before.par_iter().shared(PIECE).enumerate().map(bend_of).collect();
        for (body, own) in bends.into_iter().enumerate() {
            let leader = islands.leader(body);
            bend[leader] = own.map_or(bend[leader], |own| bend[leader].and(own));
        }
        parallel::each2(before, jumped, |body, before, jumped| {
            let leader = islands.leader(body);
            let previous = before.filter(|_| bodies.step[body] != h);
            if bodies.moves[body] {
                *jumped = bend[leader].is_jump();
                let jointed = joint_islands.member[body] || swept.holds(body);
                *before = (jointed && smooth[leader]).then(|| {
                    let (start, delta) = (bodies.start_of(model, body), bodies.delta[body]);
                    let end = (state.body_q[body], state.body_qd[body]);
                    StepBefore::new(&start, h, to_dvec3(delta.l), to_dvec3(delta.a), end, previous.as_ref())
                });
            }
        });
    }

    /// By leader, whether nothing touches an island, no stop holds it or is about to, and it is no wide net: multipliers that
    /// follow from step to step go with the first-order rule alone (a net of 40 × 40 trembles with the energy of its fall).
    fn smooth_islands(&self) -> Vec<bool> {
        let count = self.bodies.world();
        let mut smooth: Vec<bool> = (0..count).map(|body| !self.islands.touched(body)).collect();
        for joint in self.joints.stopped() {
            for body in self.joints.geometry[joint].body.into_iter().filter(|&body| body < count) {
                smooth[self.islands.leader(body)] = false;
            }
        }
        self.joint_islands.nets().for_each(|body| smooth[self.islands.leader(body)] = false);
        smooth
    }

    /// Whether a joint holds a body that moves.
    fn jointed(&self, body: usize) -> bool {
        self.joint_islands.member[body] || self.swept.holds(body)
    }
}

impl Bodies {
    /// A body at the start of the step.
    fn start_of(&self, model: &Model, body: usize) -> Start {
        let twist = Twist { linear: to_dvec3(self.velocity[body].l), angular: to_dvec3(self.velocity[body].a) };
        Start { rotation: self.start_rotation[body], twist, inertia: model.body_inertia[body] }
    }

    /// Aims all bodies that move where inertia and external forces lead them, each by its rule.
    fn aim_all<'a>(&mut self, model: &Model, h: f64, rule: impl Fn(usize) -> Rule<'a> + Sync) {
        let (mut target, mut target_velocity) = (take(&mut self.target), take(&mut self.target_velocity));
        let (mut coasting, mut spin) = (take(&mut self.coasting), take(&mut self.spin));
        let (mut mass, mut inertia, mut step) = (take(&mut self.mass), take(&mut self.inertia), take(&mut self.step));
        let second = (&mut coasting, &mut spin, &mut mass, &mut inertia, &mut step).into_par_iter();
        let all = target.par_iter_mut().zip(&mut target_velocity).zip(second).shared(PIECE).enumerate();
        all.filter(|(body, _)| self.moves[*body]).for_each(|(body, ((target, velocity), second))| match rule(body) {
            Rule::First => [*target, *velocity] = self.inertial_target(body, h),
            Rule::Parabola => {
                [*target, *velocity] = self.inertial_target(body, h);
                target.l = self.velocity[body].l.scale(h).add_scaled(self.acceleration[body], 0.5 * h * h);
            }
            Rule::Second(before) => {
                // Torques are no part of the target here.
                let aim =
                    before.aim(&self.start_of(model, body), to_dvec3(self.acceleration[body]), Default::default());
                *target = Vec6 { l: vec3(aim.moved), a: vec3(aim.turned) };
                *velocity = Vec6 { l: vec3(aim.twist.linear), a: vec3(aim.twist.angular) };
                let (coasting, spin, mass, inertia, step) = second;
                *coasting = Vec6 { l: vec3(aim.coasted), a: vec3(aim.turned) };
                *spin = Some(vec3(aim.spin));
                let inverse_square = 1.0 / (aim.step * aim.step);
                *mass = model.body_mass[body] * inverse_square;
                let start = quat(self.start_rotation[body]);
                *inertia = rotation::world_inertia(start, sym3(model.body_inertia[body])).scale(inverse_square);
                *step = aim.step;
            }
        });
        (self.target, self.target_velocity, self.coasting, self.spin) = (target, target_velocity, coasting, spin);
        (self.mass, self.inertia, self.step) = (mass, inertia, step);
    }
}

/// How a body is aimed.
enum Rule<'a> {
    /// By the first-order rule.
    First,
    /// Along its parabola, exactly: nothing holds it.
    Parabola,
    /// By the rule of two steps.
    Second(&'a StepBefore),
}
