//! Bodies that particles touch, as unknowns of the particles' system: eliminated from it, and put back after.
//!
//! With `K` the stiffness of a contact, `w` the weights of its particles and `J` the motion of the body at its point, a step of the
//! particles `dx` and of the body `db` make the forces balance where
//!
//! ```text
//! (A + Σ wᵀKw) dx − G db = p        G = Σ wᵀKJ
//! (B + Σ JᵀKJ) db − Gᵀ dx = f
//! ```
//!
//! so that `db = (B + Σ JᵀKJ)⁻¹ (f + Gᵀ dx)`, and what is left for the particles is a system of their own.

use drystone_geometry::{DMat3, DVec3};
use drystone_kernels::double::math::{Block6, Mat3, Sym3, Vec3, Vec6};
use drystone_solve::convert::{sym3, to_dvec3, vec3};

use crate::touch::{Touch, Touches};

/// A body that moves with the particles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carrier {
    /// Its slot.
    pub slot: u32,
    /// Displacement since the start of the step.
    pub delta: Vec6,
    /// Force and torque of all but the particles at that displacement.
    pub force: Vec6,
    /// How these grow against a motion.
    pub block: Block6,
    /// With the contacts of the particles.
    whole: Block6,
    sum: Vec6,
    step: Vec6,
}

/// The bodies of a step, by slot.
#[derive(Clone, Debug, Default)]
pub struct Carriers {
    all: Vec<Carrier>,
    /// Contacts with each.
    touches: Vec<Vec<u32>>,
}

/// `[r]× k`, and `[r]× k [r]×ᵀ`, as the block of a stiffness at a lever.
pub fn at_lever(lever: Vec3, stiffness: DMat3) -> Block6 {
    let k = sym3(stiffness);
    let column = |x: f64, y: f64, z: f64| lever.cross(Vec3 { x, y, z });
    let (c0, c1, c2) = (column(k.xx, k.xy, k.xz), column(k.xy, k.yy, k.yz), column(k.xz, k.yz, k.zz));
    let row = |x: f64, y: f64, z: f64| Vec3 { x, y, z };
    let (r0, r1, r2) = (row(c0.x, c1.x, c2.x), row(c0.y, c1.y, c2.y), row(c0.z, c1.z, c2.z));
    let [a0, a1, a2] = [r0, r1, r2].map(|r| lever.cross(r));
    let aa = Sym3 { xx: a0.x, xy: a0.y, xz: a0.z, yy: a1.y, yz: a1.z, zz: a2.z };
    Block6 { ll: k, al: Mat3 { r0, r1, r2 }, aa }
}

/// A force at a lever.
pub fn wrench(lever: Vec3, force: DVec3) -> Vec6 {
    let force = vec3(force);
    Vec6 { l: force, a: lever.cross(force) }
}

impl Carrier {
    /// A body at a displacement, with the force of all but the particles and how that grows.
    pub fn new(slot: u32, delta: Vec6, force: Vec6, block: Block6) -> Self {
        Self { slot, delta, force, block, ..Self::default() }
    }
}

impl Carriers {
    /// Takes bodies over, ascending by slot.
    pub fn set(&mut self, bodies: impl Iterator<Item = Carrier>) {
        self.all.clear();
        self.all.extend(bodies);
    }

    /// The bodies with where the last sweep left them.
    pub fn all(&self) -> &[Carrier] {
        &self.all
    }

    fn find(&self, touch: &Touch) -> Option<usize> {
        self.all.binary_search_by_key(&touch.ground.body?, |carrier| carrier.slot).ok()
    }

    /// Lists the contacts of every body.
    pub fn list(&mut self, touches: &Touches) {
        self.touches.iter_mut().for_each(Vec::clear);
        self.touches.resize(self.all.len(), Vec::new());
        for (index, touch) in (0..).zip(touches.all()) {
            if let Some(at) = self.find(touch) {
                self.touches[at].push(index);
            }
        }
    }

    /// Sums up the contacts, worked out where everything is; adds what a step of the bodies alone does to the particles.
    pub fn prepare(&mut self, touches: &Touches, free: usize, push: &mut [DVec3]) {
        for (carrier, list) in self.all.iter_mut().zip(&self.touches) {
            (carrier.whole, carrier.sum) = (carrier.block, carrier.force);
            for touch in list.iter().map(|&touch| &touches.all()[touch as usize]) {
                let lever = vec3(touch.ground.lever);
                carrier.whole = carrier.whole.add(at_lever(lever, touch.stiffness_block()));
                carrier.sum = carrier.sum.add(wrench(lever, -touch.force()));
            }
            carrier.step = carrier.whole.solve(carrier.sum);
            spread(list, touches, carrier.step, 1.0, free, push);
        }
    }

    /// Adds to a product of the particles' matrix with `x` what the bodies give way by.
    pub fn correct_product(&self, touches: &Touches, x: &[DVec3], out: &mut [DVec3]) {
        for (carrier, list) in self.all.iter().zip(&self.touches) {
            let step = carrier.whole.solve(gather(list, touches, x));
            spread(list, touches, step, -1.0, x.len(), out);
        }
    }

    /// Steps of the bodies that go with a step of the particles.
    pub fn follow(&mut self, touches: &Touches, x: &[DVec3]) {
        for (carrier, list) in self.all.iter_mut().zip(&self.touches) {
            carrier.step = carrier.whole.solve(carrier.sum.add(gather(list, touches, x)));
        }
    }

    /// Calls `each` with every body and what its step promises, beyond what the particles do \[J\].
    pub fn each_promise(&self, mut each: impl FnMut(u32, f64)) {
        self.all.iter().for_each(|carrier| each(carrier.slot, carrier.sum.dot(carrier.step)));
    }

    /// Calls `each` with every body and the energy of all but the particles after a share of its step, from where it is \[J\].
    pub fn each_energy(&self, share: impl Fn(u32) -> f64, mut each: impl FnMut(u32, f64)) {
        for carrier in &self.all {
            let step = carrier.step.scale(share(carrier.slot));
            each(carrier.slot, 0.5 * step.dot(carrier.block.mul(step)) - step.dot(carrier.force));
        }
    }

    /// Where a point at a lever of a body is carried after a share of the step; none if it is no body of these.
    pub fn carried(&self, touch: &Touch, share: f64) -> Option<DVec3> {
        let carrier = &self.all[self.find(touch)?];
        Some(to_dvec3(carrier.delta.add(carrier.step.scale(share)).at(vec3(touch.ground.lever))))
    }

    /// Takes shares of the steps.
    pub fn advance(&mut self, share: impl Fn(u32) -> f64) {
        for carrier in &mut self.all {
            let step = carrier.step.scale(share(carrier.slot));
            carrier.delta = carrier.delta.add(step);
            carrier.force = carrier.force.sub(carrier.block.mul(step));
        }
    }
}

/// `Gᵀ x`.
fn gather(list: &[u32], touches: &Touches, x: &[DVec3]) -> Vec6 {
    let mut sum = Vec6::default();
    for touch in list.iter().map(|&touch| &touches.all()[touch as usize]) {
        let moved =
            touch.corners().map(|(particle, weight)| weight * x.get(particle as usize).copied().unwrap_or_default());
        let force = touch.stiffness_block() * moved.sum::<DVec3>();
        sum = sum.add(wrench(vec3(touch.ground.lever), force));
    }
    sum
}

/// `out += sign · G step`.
fn spread(list: &[u32], touches: &Touches, step: Vec6, sign: f64, free: usize, out: &mut [DVec3]) {
    for touch in list.iter().map(|&touch| &touches.all()[touch as usize]) {
        let force = touch.stiffness_block() * to_dvec3(step.at(vec3(touch.ground.lever))) * sign;
        for (particle, weight) in touch.corners().filter(|&(particle, _)| (particle as usize) < free) {
            out[particle as usize] += weight * force;
        }
    }
}
