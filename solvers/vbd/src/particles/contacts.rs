//! Contacts of particles with shapes, as rows.

use drystone_collide::ParticleContact;
use drystone_model::{DVec3, Material, Model, State, WORLD};
use drystone_soft::{Ground, Touch, contact_key};

use super::Particles;
use crate::bodies::Bodies;

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
        let mut cloth = Material::default();
        cloth.set_friction(friction);
        let Self { soft, attachments, near, touched, .. } = self;
        touched.clear();
        let holding = attachments.bodies().iter().copied();
        let met = near.iter().map(|contact| slot(contact.shape)).chain(holding);
        touched.extend(met.filter(|&body| bodies.moves[body as usize]));
        touched.sort_unstable();
        touched.dedup();
        let row = |contact: &ParticleContact| {
            let ParticleContact { particle, shape, normal, gap, overlap } = *contact;
            let body = slot(shape);
            // Particles bring no damping of their own that the mean of two could be taken with.
            let own = &model.shape_material[shape as usize];
            let material = Material { damping: own.damping, ..own.mix(&cloth) };
            let velocity = model.shape_surface_velocity[shape as usize];
            let turned = if body == world { velocity } else { state.body_q[body as usize].rotation * velocity };
            let ground = Ground {
                body: Some(body),
                lever: state.particle_q[particle as usize] - bodies.com[body as usize],
                carried: DVec3::ZERO,
                belt: h * turned,
            };
            let mut touch = Touch::with_body(soft.place(particle), ground, normal, gap);
            touch.overlap = overlap;
            touch.key = contact_key::vertex_shape(particle, shape);
            touch.friction = [material.friction_static, material.friction_dynamic];
            touch.stiffness = material.stiffness;
            touch.viscous = if material.stiffness.is_finite() { material.damping / h } else { 0.0 };
            touch
        };
        let rows: Vec<Touch> = near.iter().map(row).collect();
        let gravity = model.world_gravity.iter().map(|g| g.length()).fold(0.0, f64::max);
        let mass = |body: u32| if bodies.moves[body as usize] { 1.0 / bodies.inv_mass[body as usize] } else { 0.0 };
        soft.touch(rows.into_iter().chain(own), gravity, &mass);
    }
}
