//! Particles that bodies hold, as rows; seams are elements.

use std::collections::BTreeMap;

use drystone_kernels::double::math::Vec3;
use drystone_kernels::double::rotation;
use drystone_model::{DVec3, Model, State, WORLD};
use drystone_soft::{Bond, Ground, Soft, Touch, contact_key};

use crate::bodies::Bodies;
use crate::convert::{to_dvec3, vec3};

/// Share of the distance to its neighbours by which a hard bond draws a particle in a step at most.
const DRAWN: f64 = 0.25;

/// What holds particles, and what does not collide for it.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    /// Particles held firmly, each with the body that does, ascending.
    held: Vec<[u32; 2]>,
    /// Bodies that hold particles, ascending.
    bodies: Vec<u32>,
    /// Attachments to bodies and the world, and what each is known by.
    bonds: Vec<(u32, [u32; 5])>,
}

impl Attachments {
    pub fn new(model: &Model) -> Self {
        let all = || (0..model.attachment_particle.len()).filter(|&index| model.attachment_other[index] == WORLD);
        let pair = |index: usize| [model.attachment_particle[index], model.attachment_body[index]];
        let hard = |index: &usize| model.attachment_stiffness[*index].is_infinite();
        let mut held: Vec<[u32; 2]> = all().filter(hard).map(pair).collect();
        held.sort_unstable();
        let mut bodies: Vec<u32> = all().map(|index| pair(index)[1]).filter(|&body| body != WORLD).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let mut count = BTreeMap::new();
        let key = |index: usize| {
            let nth = count.entry(pair(index)).or_insert(0);
            *nth += 1;
            (index as u32, contact_key::held(pair(index)[0], pair(index)[1], *nth - 1))
        };
        let bonds = all().map(key).collect();
        Self { held, bodies, bonds }
    }

    /// Bodies that hold particles, ascending.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Whether a body, or the world, holds a particle firmly: the two do not collide.
    pub fn holds(&self, body: u32, particle: u32) -> bool {
        self.held.binary_search(&[particle, body]).is_ok()
    }

    /// The bonds of a substep.
    pub fn bonds(&self, model: &Model, state: &State, bodies: &Bodies, soft: &Soft) -> Vec<Touch> {
        let bond = |&(index, key): &(u32, [u32; 5])| {
            let mut touch = held(model, state, bodies, soft, index as usize);
            touch.key = key;
            touch
        };
        self.bonds.iter().map(bond).collect()
    }
}

/// A particle held by a body or the world.
fn held(model: &Model, state: &State, bodies: &Bodies, soft: &Soft, index: usize) -> Touch {
    let (particle, body) = (model.attachment_particle[index], model.attachment_body[index]);
    let place = soft.place(particle);
    let point = model.attachment_point[index];
    let (slot, at) = match body {
        WORLD => (bodies.world(), point),
        body => (body as usize, state.body_q[body as usize].transform_point(point)),
    };
    let stiffness = model.attachment_stiffness[index];
    let offset = state.particle_q[particle as usize] - at;
    // A hard bond acts where the particle is, on both sides, so that angular momentum is kept to rounding.
    let lever = at - bodies.com[slot] + if stiffness.is_infinite() { offset } else { DVec3::ZERO };
    let ground = Ground { body: Some(slot as u32), lever, carried: DVec3::ZERO, belt: DVec3::ZERO };
    let bond = Bond { offset, bend: DVec3::ZERO, most: DRAWN * soft.mean_edge(place) };
    Touch::bound(place, ground, bond, stiffness)
}

/// How far a turn takes a point at a lever off the tangent of its way \[m\].
pub fn bend(turn: Vec3, lever: DVec3) -> DVec3 {
    let lever = vec3(lever);
    to_dvec3(rotation::exp(turn).rotate(lever).sub(lever).sub(turn.cross(lever)))
}
