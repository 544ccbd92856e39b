//! Particles that bodies hold, and particles sewn to each other.

use drystone_geometry::DVec3;

use super::ModelBuilder;
use super::retain::keep;
use crate::error::Entity;
use crate::id::{BodyId, ParticleId};
use crate::map::IndexMap;
use crate::model::{Model, WORLD};

impl ModelBuilder {
    /// Holds a particle where it is now, fixed to a body or, with [`BodyId::WORLD`], to the world. What holds and what is held push each
    /// other, and do not collide.
    ///
    /// ```
    /// use drystone_model::{BodyDef, DVec3, ModelBuilder, ParticleDef};
    /// let mut scene = ModelBuilder::new();
    /// let weight = scene.add_body(BodyDef::dynamic("weight").at(-DVec3::Z).sphere(0.1));
    /// let [top, end] = [0.0, -0.9].map(|z| scene.add_particle(ParticleDef::new(DVec3::Z * z, 0.01)));
    /// scene.add_spring(top, end, 1e5, 0.0);
    /// scene.attach(end, weight);
    /// let model = scene.finalize()?;
    /// assert!(model.attachment_point[0].distance(DVec3::Z * 0.1) < 1e-15);
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn attach(&mut self, particle: ParticleId, body: BodyId) {
        let Some(&at) = self.deformable.particle_q.get(particle.built_index()) else {
            self.refuse_attachment(format!("particle {} does not exist", particle.0));
            return;
        };
        let local = self.bodies.get(body.built_index()).map(|record| record.def.pose.inverse_transform_point(at));
        self.attach_at(particle, body, local.unwrap_or(at), f64::INFINITY);
    }

    /// Draws a particle to a point of a body, or of the world, in that frame \[m\], by a spring without length of the given stiffness
    /// \[N/m\]; an infinite one holds it there. A spring does not keep the two from colliding.
    pub fn attach_at(&mut self, particle: ParticleId, body: BodyId, point: DVec3, stiffness: f64) {
        self.add_attachment([particle.0, WORLD], body.0, point, stiffness);
    }

    /// Sews two particles together: a seam without width, however far they are apart now.
    pub fn sew(&mut self, one: ParticleId, other: ParticleId) {
        self.add_attachment([one.0, other.0], WORLD, DVec3::ZERO, f64::INFINITY);
    }

    fn add_attachment(&mut self, [particle, other]: [u32; 2], body: u32, point: DVec3, stiffness: f64) {
        let model = &mut self.deformable;
        model.attachment_particle.push(particle);
        model.attachment_other.push(other);
        model.attachment_body.push(body);
        model.attachment_point.push(point);
        model.attachment_stiffness.push(stiffness);
    }

    fn refuse_attachment(&mut self, problem: String) {
        let index = self.deformable.attachment_particle.len();
        self.fault(Entity::Attachment, index, "", "particle", problem, "add particles before what holds them");
    }

    /// Drops attachments of particles that go, and numbers the others anew.
    pub(super) fn retain_attached_particles(&mut self, moved: &IndexMap) {
        let now = |index: u32| moved.now(index as usize).map(|now| now as u32);
        let Model { attachment_particle, attachment_other, .. } = &mut self.deformable;
        let ends: Vec<Option<[u32; 2]>> = attachment_particle
            .iter()
            .zip(attachment_other.iter())
            .map(|(&particle, &other)| Some([now(particle)?, if other == WORLD { WORLD } else { now(other)? }]))
            .collect();
        self.keep_attachments(&ends.iter().map(Option::is_some).collect::<Vec<_>>());
        let Model { attachment_particle, attachment_other, .. } = &mut self.deformable;
        *attachment_particle = ends.iter().flatten().map(|ends| ends[0]).collect();
        *attachment_other = ends.iter().flatten().map(|ends| ends[1]).collect();
    }

    /// Drops attachments to bodies that go, and numbers the others anew.
    pub(super) fn retain_attached_bodies(&mut self, moved: &IndexMap) {
        let now =
            |&body: &u32| if body == WORLD { Some(WORLD) } else { moved.now(body as usize).map(|now| now as u32) };
        let bodies: Vec<Option<u32>> = self.deformable.attachment_body.iter().map(now).collect();
        self.keep_attachments(&bodies.iter().map(Option::is_some).collect::<Vec<_>>());
        self.deformable.attachment_body = bodies.into_iter().flatten().collect();
    }

    fn keep_attachments(&mut self, kept: &[bool]) {
        let model = &mut self.deformable;
        keep(&mut model.attachment_particle, kept);
        keep(&mut model.attachment_other, kept);
        keep(&mut model.attachment_body, kept);
        keep(&mut model.attachment_point, kept);
        keep(&mut model.attachment_stiffness, kept);
    }
}
