//! What particles push bodies with.

use drystone_kernels::double::math::{Block6, Vec6};
use drystone_kernels::double::rotation;
use drystone_model::{DVec3, State};
use drystone_soft::{Touch, at_lever, wrench};
use drystone_solve::ParticlePush;

use super::Particles;
use crate::bodies::Bodies;
use crate::convert::{quat, vec3};

/// Force and torque of the particles at a body, and how they grow against its motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Push {
    /// Displacement of the body that they were worked out at.
    at: Vec6,
    wrench: Vec6,
    stiffness: Block6,
}

impl Push {
    /// Force and torque at a displacement.
    #[inline(always)]
    pub fn wrench(&self, delta: Vec6) -> Vec6 {
        self.wrench.sub(self.stiffness.mul(delta.sub(self.at)))
    }

    /// How they grow against a motion.
    #[inline(always)]
    pub fn stiffness(&self) -> Block6 {
        self.stiffness
    }

    /// Adds a contact.
    fn add(&mut self, touch: &Touch) {
        let lever = vec3(touch.ground.lever);
        self.wrench = self.wrench.add(wrench(lever, -touch.force()));
        self.stiffness = self.stiffness.add(at_lever(lever, touch.stiffness_block()));
    }
}

/// Impulses of particles on bodies since a step began.
#[derive(Clone, Debug, Default)]
pub struct Impulses {
    /// By slot, and those the world took last: impulse \[N·s\] and its moment about the centre of mass \[N·m·s\].
    by_slot: Vec<[DVec3; 2]>,
    /// Seconds since the step began.
    elapsed: f64,
}

impl Impulses {
    /// Begins a step.
    pub fn clear(&mut self) {
        self.by_slot.clear();
        self.elapsed = 0.0;
    }

    fn add(&mut self, touch: &Touch, h: f64) {
        let Some(body) = touch.ground.body.map(|body| body as usize) else { return };
        if self.by_slot.len() <= body {
            self.by_slot.resize(body + 1, [DVec3::ZERO; 2]);
        }
        let impulse = -h * touch.force();
        let [whole, moment] = &mut self.by_slot[body];
        *whole += impulse;
        *moment += touch.ground.lever.cross(impulse);
    }

    /// Means over the step.
    pub fn read(&self, bodies: usize, out: &mut Vec<ParticlePush>) {
        let mean = |body: usize| match self.by_slot.get(body) {
            Some(&[force, torque]) => ParticlePush { force: force / self.elapsed, torque: torque / self.elapsed },
            None => ParticlePush::default(),
        };
        out.clear();
        out.extend((0..bodies).map(mean));
    }
}

impl Particles {
    /// What particles did to every body in the step.
    pub fn read_pushes(&self, bodies: usize, out: &mut Vec<ParticlePush>) {
        self.impulses.read(bodies, out);
    }

    /// Puts what the contacts push with where the sweeps over bodies see it.
    pub(super) fn push(&mut self, bodies: &mut Bodies) {
        bodies.pushes.clear();
        bodies.pushes.resize(bodies.delta.len(), Push::default());
        for &body in &self.touched {
            bodies.pushes[body as usize].at = bodies.delta[body as usize];
        }
        for touch in self.soft.touches.all() {
            if let Some(body) = touch.ground.body.map(|body| body as usize).filter(|&body| bodies.moves[body]) {
                bodies.pushes[body].add(touch);
            }
        }
    }

    /// Counts what the contacts push with now among the forces from outside, of bodies and of particles. Bodies `alone`, whose sweeps
    /// saw nothing else, go where these lead them.
    pub(super) fn settle(&mut self, bodies: &mut Bodies, alone: impl Fn(usize) -> bool, h: f64) {
        self.soft.settle();
        self.impulses.elapsed += h;
        self.soft.touches.all().iter().for_each(|touch| self.impulses.add(touch, h));
        self.push(bodies);
        for body in self.touched.iter().map(|&body| body as usize) {
            let wrench = bodies.pushes[body].wrench;
            let gained = wrench.l.scale(bodies.inv_mass[body]);
            bodies.acceleration[body] = bodies.acceleration[body].add(gained);
            bodies.torque[body] = bodies.torque[body].add(wrench.a);
            bodies.target[body].l = bodies.target[body].l.add_scaled(gained, h * h);
            bodies.target_velocity[body].l = bodies.target_velocity[body].l.add_scaled(gained, h);
            if alone(body) {
                let turned = bodies.inertia[body].cholesky().solve(bodies.torque[body]);
                bodies.delta[body] = bodies.target[body];
                bodies.delta[body].a = bodies.delta[body].a.add(turned);
            }
        }
        bodies.pushes.clear();
    }

    /// Gives bodies `alone` the angular momentum of the start and what torques added to it.
    pub(super) fn keep_spin(&self, bodies: &mut Bodies, alone: impl Fn(usize) -> bool, h: f64) {
        for body in self.touched.iter().map(|&body| body as usize).filter(|&body| alone(body)) {
            let before = bodies.inertia[body].mul(bodies.velocity[body].a).scale(h * h);
            let spin = before.add_scaled(bodies.torque[body], h);
            let turned = quat(bodies.placed(body).rotation);
            let inverse = rotation::world_inertia(turned, bodies.own_inertia[body][1]);
            bodies.left_velocity[body].a = inverse.mul(spin);
        }
    }

    /// Writes positions and velocities into the state.
    pub(super) fn finish(&mut self, state: &mut State) {
        self.soft.finish(state);
        self.soft.touches.keep();
        self.frozen.extend_from_slice(self.soft.newly_frozen());
        self.frozen.sort_unstable();
        self.frozen.dedup();
    }
}
