//! Contacts of particles with shapes, and of triangles and edges between them, as rows.

use drystone_collide::{PartContact, ParticleContact};
use drystone_model::{DVec3, Material, Model, State, WORLD};
use drystone_soft::{Ground, Touch, contact_key};

use super::Particles;
use crate::bodies::Bodies;

/// A point of the mesh near a shape.
struct Point {
    particle: [u32; 3],
    weight: [f64; 3],
    shape: u32,
    normal: DVec3,
    gap: f64,
    overlap: f64,
    key: [u32; 5],
}

impl From<&ParticleContact> for Point {
    fn from(contact: &ParticleContact) -> Self {
        let ParticleContact { particle, shape, normal, gap, overlap } = *contact;
        let key = contact_key::vertex_shape(particle, shape);
        Self { particle: [particle; 3], weight: [1.0, 0.0, 0.0], shape, normal, gap, overlap, key }
    }
}

impl From<&PartContact> for Point {
    fn from(contact: &PartContact) -> Self {
        let PartContact { particle, weight, shape, feature, normal, gap } = *contact;
        let [a, b, _] = particle;
        let key = match contact.is_edge() {
            true => contact_key::edge_crease([a, b], shape, feature),
            false => contact_key::face_corner(particle, shape, feature),
        };
        Self { particle, weight, shape, normal, gap, overlap: (-gap).max(0.0), key }
    }
}

impl Point {
    fn corners(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.particle.into_iter().zip(self.weight).filter(|&(_, weight)| weight != 0.0)
    }

    fn at(&self, state: &State) -> DVec3 {
        self.corners().map(|(particle, weight)| weight * state.particle_q[particle as usize]).sum()
    }
}

impl Particles {
    /// Lays down the contacts found, those of particles with each other and bonds, and notes which bodies they may push.
    pub(super) fn lay_contacts(
        &mut self,
        model: &Model,
        state: &State,
        bodies: &Bodies,
        own: Vec<Touch>,
        friction: f64,
        h: f64,
    ) {
        let world = bodies.world() as u32;
        let slot = |shape: u32| match model.shape_body[shape as usize] {
            WORLD => world,
            body => body,
        };
        let Self { soft, attachments, near, parts, touched, .. } = self;
        touched.clear();
        let holding = attachments.bodies().iter().copied();
        let shapes = near.iter().map(|contact| contact.shape).chain(parts.iter().map(|contact| contact.shape));
        let met = shapes.map(slot).chain(holding);
        touched.extend(met.filter(|&body| bodies.moves[body as usize]));
        touched.sort_unstable();
        touched.dedup();
        let row = |point: Point| {
            let shape = point.shape as usize;
            let body = slot(point.shape);
            let [friction_static, friction_dynamic] = model.friction_among(point.corners(), friction);
            let cloth = Material { friction_static, friction_dynamic, ..Material::default() };
            // Particles bring no damping of their own that the mean of two could be taken with.
            let other = &model.shape_material[shape];
            let material = Material { damping: other.damping, ..other.mix(&cloth) };
            let velocity = model.shape_surface_velocity[shape];
            let turned = if body == world { velocity } else { state.body_q[body as usize].rotation * velocity };
            let ground = Ground {
                body: Some(body),
                lever: point.at(state) - bodies.com[body as usize],
                carried: DVec3::ZERO,
                belt: h * turned,
            };
            let [a, b, c] = point.particle.map(|particle| soft.place(particle));
            let [u, v, w] = point.weight;
            let mut touch = Touch::new([a, b, c, 0], [u, v, w, 0.0], ground, point.normal, point.gap);
            touch.overlap = point.overlap;
            touch.key = point.key;
            touch.friction = [material.friction_static, material.friction_dynamic];
            touch.stiffness = material.stiffness;
            touch.viscous = if material.stiffness.is_finite() { material.damping / h } else { 0.0 };
            touch
        };
        let rows: Vec<Touch> = near.iter().map(Point::from).chain(parts.iter().map(Point::from)).map(row).collect();
        let gravity = model.world_gravity.iter().map(|g| g.length()).fold(0.0, f64::max);
        let mass = |body: u32| if bodies.moves[body as usize] { 1.0 / bodies.inv_mass[body as usize] } else { 0.0 };
        soft.touch(rows.into_iter().chain(own), gravity, &mass);
    }
}
