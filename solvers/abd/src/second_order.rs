//! Second order where nothing touches: bodies held together by joints follow a rule of two steps (`drystone_solve::two_step`), a body by
//! itself its parabola. A group that turns out to touch something in a step takes it again by the first order, so
//! that contact forces keep their meaning; so does one whose joints reach a stop or carry a rotor.

use drystone_model::{BodyKind, DQuat, Model, State, Twist};
use drystone_solve::graph::union;
use drystone_solve::joint::Wrench;
use drystone_solve::two_step::{Bend, MOST_TURN, Start, StepBefore};

use super::bodies::Bodies;
use super::joints::Joints;
use super::newton::Newton;

/// Which bodies take second-order steps, and what they remember.
#[derive(Clone, Debug, Default)]
pub struct SecondOrder {
    /// What bodies remember of the step before.
    pub before: Vec<Option<StepBefore>>,
    /// Bodies whose group touched something in the step before. A body by itself that did most likely does again: aimed along
    /// its parabola, every step of a stack would be solved twice.
    pub touched: Vec<bool>,
    /// By slot, the body that leads its group.
    leader: Vec<u32>,
    /// By slot, whether joints hold the body.
    jointed: Vec<bool>,
    /// By leader, whether the group takes a second-order step.
    smooth: Vec<bool>,
    /// Orientation and velocity of every body at the start of the step.
    start: Vec<(DQuat, Twist)>,
}

impl SecondOrder {
    /// For a number of bodies, without history.
    pub fn new(bodies: usize) -> Self {
        Self { before: vec![None; bodies], touched: vec![false; bodies], ..Self::default() }
    }

    /// Goes on from what was remembered; refuses what belongs to another model.
    pub fn recall(&mut self, (before, touched): (Vec<Option<StepBefore>>, Vec<bool>)) -> Result<(), String> {
        if before.len() != self.before.len() || touched.len() != self.before.len() {
            return Err(format!("it is of {} bodies, not of {}", before.len(), self.before.len()));
        }
        (self.before, self.touched) = (before, touched);
        Ok(())
    }

    /// Forgets the step before of some bodies.
    pub fn forget(&mut self, chosen: impl Fn(usize) -> bool) {
        for body in (0..self.before.len()).filter(|&body| chosen(body)) {
            (self.before[body], self.touched[body]) = (None, false);
        }
    }

    /// Groups the bodies and finds those whose motion has been smooth, if second-order steps are `wanted`.
    pub fn begin(&mut self, state: &State, bodies: &Bodies, joints: &Joints, wanted: bool, h: f64) {
        let slots = bodies.moves.len();
        self.start.clear();
        self.start.extend(state.body_q.iter().zip(&state.body_qd).map(|(pose, twist)| (pose.rotation, *twist)));
        self.group(slots, joints);
        self.smooth.clear();
        self.smooth.resize(slots, wanted);
        for body in (0..self.before.len()).filter(|&body| self.touched[body]) {
            self.smooth[self.leader[body] as usize] = false;
        }
        for body in (0..self.before.len()).filter(|&body| bodies.moves[body] && self.jointed[body]) {
            let slow = state.body_qd[body].angular.length() * h < MOST_TURN;
            let (pose, twist) = (state.body_q[body], state.body_qd[body]);
            let follows = self.before[body].is_some_and(|before| before.leads_to(pose, twist, h));
            self.smooth[self.leader[body] as usize] &= slow && follows;
        }
        joints.rough().for_each(|body| self.smooth[self.leader[body] as usize] = false);
    }

    fn group(&mut self, slots: usize, joints: &Joints) {
        let world = slots - 1;
        self.leader.clear();
        self.leader.extend(0..slots as u32);
        self.jointed.clear();
        self.jointed.resize(slots, false);
        for [a, b] in joints.pairs() {
            (self.jointed[a], self.jointed[b]) = (true, true);
            if a != world && b != world {
                union::unite(&mut self.leader, a as u32, b as u32);
            }
        }
        union::flatten(&mut self.leader);
    }

    /// Aims the bodies of smooth groups, all aimed by the first order before.
    pub fn aim(&self, model: &Model, bodies: &mut Bodies, wrench: &[Wrench], h: f64) {
        for body in (0..self.before.len()).filter(|&body| self.smooth[self.leader[body] as usize]) {
            if !bodies.moves[body] || model.body_kind[body] != BodyKind::Dynamic {
                continue;
            }
            let acceleration = model.body_gravity(body) + wrench[body].0 / model.body_mass[body];
            match &self.before[body] {
                Some(before) if self.jointed[body] => {
                    let start = self.start_of(model, body);
                    bodies.aim_second_order(body, start.rotation, &before.aim(&start, acceleration, wrench[body].1));
                }
                _ => bodies.aim_by_parabola(body, self.start[body].1.linear, acceleration, h),
            }
        }
    }

    /// Takes groups of which `pairs` touch out; returns whether there were any that had been aimed by the second order.
    pub fn spoil(&mut self, model: &Model, bodies: &Bodies, pairs: &[[u32; 2]]) -> bool {
        let mut any = false;
        for slot in pairs.iter().flatten().map(|&slot| slot as usize) {
            if model.body_kind.get(slot) == Some(&BodyKind::Dynamic) && bodies.moves[slot] {
                any |= std::mem::replace(&mut self.smooth[self.leader[slot] as usize], false);
            }
        }
        any
    }

    /// Remembers a step of `h` seconds that ended in `state`, with these contacts. Groups without a history took a
    /// first-order step that the next one can follow on.
    pub fn note(&mut self, model: &Model, state: &State, bodies: &Bodies, newton: &Newton, h: f64) {
        let mut smooth = vec![true; self.smooth.len()];
        for slot in newton.touching().into_iter().flatten() {
            smooth[self.leader[slot as usize] as usize] = false;
        }
        for body in 0..self.touched.len() {
            self.touched[body] = !smooth[self.leader[body] as usize];
        }
        newton.joints.rough().for_each(|slot| smooth[self.leader[slot] as usize] = false);
        let mut bend = vec![Bend::default(); smooth.len()];
        for body in 0..self.before.len() {
            if let Some(before) = &self.before[body] {
                let of = before.bend(&self.start_of(model, body), model.body_mass[body], state.body_qd[body]);
                let leader = self.leader[body] as usize;
                bend[leader] = bend[leader].and(of);
            }
        }
        for body in 0..self.before.len() {
            let leader = self.leader[body] as usize;
            let keeps = self.jointed[body] && bodies.moves[body] && smooth[leader] && !bend[leader].is_jump();
            let previous = self.before[body].filter(|_| bodies.step[body] != h);
            self.before[body] = keeps.then(|| {
                let start = self.start_of(model, body);
                let moved = bodies.q[body].position - bodies.start[body].position;
                let turn = state.body_q[body].rotation * start.rotation.inverse();
                // The shorter way round: a quaternion and its opposite are the same turn.
                let turned = if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis();
                let end = (state.body_q[body], state.body_qd[body]);
                StepBefore::new(&start, h, moved, turned, end, previous.as_ref())
            });
        }
    }

    fn start_of(&self, model: &Model, body: usize) -> Start {
        let (rotation, twist) = self.start[body];
        Start { rotation, twist, inertia: model.body_inertia[body] }
    }
}
