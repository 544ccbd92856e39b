//! Particles and the elements between them.

use drystone_geometry::{DMat3, DVec3};
use drystone_model::{BendMaterial, BodyId, ElementMaterial, Model, ParticleDef, ParticleId, WORLD};

use super::super::json5::Step;
use super::super::spec::{AttachmentSpec, SurfaceSpec};
use super::shapes::below;
use super::{Lowering, Path};

impl Lowering<'_> {
    pub fn add_particles(&mut self) {
        let spec = self.spec;
        for (k, particle) in spec.particles.iter().enumerate() {
            let path = vec![Step::Key("particles"), Step::Index(k)];
            let mut def = ParticleDef::new(DVec3::from_array(particle.position), particle.mass);
            def.velocity = DVec3::from_array(particle.velocity.unwrap_or_default());
            def.radius = particle.radius.unwrap_or(0.0);
            let id = self.builder.add_particle(def);
            self.set_surface(&[id], particle.surface);
            let world = self.world_at(particle.world, &path);
            self.particle_world.push(world);
        }
        for spring in &spec.springs {
            let [a, b] = spring.particles.map(ParticleId);
            self.builder.add_spring(a, b, spring.stiffness, spring.damping.unwrap_or(0.0));
        }
        for triangle in &spec.triangles {
            let (mu, lambda, damping) = (triangle.mu, triangle.lambda, triangle.damping.unwrap_or(0.0));
            self.builder.add_triangle(triangle.particles.map(ParticleId), ElementMaterial { mu, lambda, damping });
        }
        if let Some(bend) = spec.bend {
            let triangles: Vec<_> = spec.triangles.iter().map(|triangle| triangle.particles.map(ParticleId)).collect();
            let (stiffness, damping) = (bend.stiffness, bend.damping.unwrap_or(0.0));
            self.builder.add_edges(&triangles, BendMaterial { stiffness, damping });
        }
        for tetrahedron in &spec.tetrahedra {
            let (mu, lambda, damping) = (tetrahedron.mu, tetrahedron.lambda, tetrahedron.damping.unwrap_or(0.0));
            let corners = tetrahedron.particles.map(ParticleId);
            self.builder.add_tetrahedron(corners, ElementMaterial { mu, lambda, damping });
        }
    }

    /// How particles rub, and whom they meet.
    pub fn set_surface(&mut self, particles: &[ParticleId], spec: Option<SurfaceSpec>) {
        let Some(spec) = spec else { return };
        let given = [spec.friction_static, spec.friction_dynamic].map(|given| given.or(spec.friction));
        // One without the other: both are the same.
        if let (Some(sticking), Some(sliding)) = (given[0].or(given[1]), given[1].or(given[0])) {
            self.builder.particle_friction(particles, sticking, sliding);
        }
        if spec.group.is_some() || spec.mask.is_some() {
            self.builder.particle_groups(particles, spec.group.unwrap_or(1), spec.mask.unwrap_or(u32::MAX));
        }
    }

    /// What holds particles, once bodies and particles are there.
    pub fn add_attachments(&mut self) {
        let spec = self.spec;
        for (k, attachment) in spec.attachments.iter().enumerate() {
            let path = vec![Step::Key("attachments"), Step::Index(k)];
            self.add_attachment(attachment, &path);
        }
    }

    fn add_attachment(&mut self, spec: &AttachmentSpec, path: &Path) {
        let particle = ParticleId(spec.particle);
        if let Some(other) = spec.sewn_to {
            if spec.body.is_some() || spec.point.is_some() || spec.stiffness.is_some() {
                let message = "a particle sewn to another has no `body`, `point` or `stiffness`";
                self.fault(path, message.to_owned(), "make two attachments of it, or leave `sewn_to` out");
            }
            return self.builder.sew(particle, ParticleId(other));
        }
        let body = match &spec.body {
            None => Some(BodyId::WORLD),
            Some(name) => self.body_at(name, &below(path, Step::Key("body"))),
        };
        let Some(body) = body else { return };
        match (spec.point, spec.stiffness) {
            (None, None) => self.builder.attach(particle, body),
            (point, stiffness) => {
                let at = self.spec.particles.get(spec.particle as usize).map(|particle| particle.position);
                let here = DVec3::from_array(at.unwrap_or_default());
                let local =
                    self.body_pose.get(body.built_index()).map_or(here, |pose| pose.inverse_transform_point(here));
                let point = point.map_or(local, DVec3::from_array);
                self.builder.attach_at(particle, body, point, stiffness.unwrap_or(f64::INFINITY));
            }
        }
    }

    /// Rest shapes that the file states, and edges it lists one by one.
    pub fn patch_elements(&self, model: &mut Model) {
        let put = |slot: Option<&mut f64>, given: Option<f64>| {
            if let (Some(slot), Some(given)) = (slot, given) {
                *slot = given;
            }
        };
        for (k, spring) in self.spec.springs.iter().enumerate() {
            put(model.spring_length.get_mut(k), spring.length);
        }
        for (k, triangle) in self.spec.triangles.iter().enumerate() {
            put(model.triangle_area.get_mut(k), triangle.area);
            if let Some(slot) = model.triangle_air.get_mut(k) {
                *slot = [triangle.drag, triangle.lift].map(|given| given.unwrap_or(0.0));
            }
            if let (Some(slot), Some(rest)) = (model.triangle_rest.get_mut(k), triangle.rest) {
                *slot = rest;
            }
        }
        for (k, tetrahedron) in self.spec.tetrahedra.iter().enumerate() {
            if let (Some(slot), Some([x, y, z])) = (model.tet_rest.get_mut(k), tetrahedron.rest) {
                *slot = DMat3::from_cols(DVec3::from_array(x), DVec3::from_array(y), DVec3::from_array(z));
            }
        }
        for edge in &self.spec.edges {
            model.edge_particle.push(edge.particles.map(|particle| particle.unwrap_or(WORLD)));
            model.edge_angle.push(edge.angle);
            model.edge_length.push(edge.length);
            model.edge_material.push([edge.stiffness, edge.damping.unwrap_or(0.0)]);
        }
    }
}
