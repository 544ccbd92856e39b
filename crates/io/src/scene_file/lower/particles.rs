//! Particles and the elements between them.

use drystone_geometry::{DMat3, DVec3};
use drystone_model::{BendMaterial, ElementMaterial, Model, ParticleDef, ParticleId, WORLD};

use super::super::json5::Step;
use super::Lowering;

impl Lowering<'_> {
    pub fn add_particles(&mut self) {
        let spec = self.spec;
        for (k, particle) in spec.particles.iter().enumerate() {
            let path = vec![Step::Key("particles"), Step::Index(k)];
            let mut def = ParticleDef::new(DVec3::from_array(particle.position), particle.mass);
            def.velocity = DVec3::from_array(particle.velocity.unwrap_or_default());
            def.radius = particle.radius.unwrap_or(0.0);
            self.builder.add_particle(def);
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
