//! Particles and what holds them together, in an edit.

use drystone_model::{ElementMaterial, Entity, ParticleDef, ParticleId};

use super::marks::{at, give};
use super::scene::SceneEdit;
use crate::ids::RequestError;

/// Particles are part of the model, of state, recordings and checkpoints, and are edited like bodies. Whether a scene may have
/// any is up to its solver: those of this library refuse an edit that adds one, by name; one of your own
/// (`SimulationBuilder::with_solver`) may take them.
impl SceneEdit<'_> {
    /// Adds a particle to the world that was entered last.
    pub fn add_particle(&mut self, def: ParticleDef) -> Result<ParticleId, RequestError> {
        let id = give(&mut self.ids.particle, &mut self.particle, Entity::Particle)?;
        self.scene.add_particle(def);
        self.touched = true;
        Ok(ParticleId(id))
    }

    /// Removes a particle with all springs, triangles and tetrahedra at it. An edge that loses one of its two triangles no
    /// longer bends and stays for contact.
    pub fn remove_particle(&mut self, particle: ParticleId) -> Result<(), RequestError> {
        let index = self.particle_at(particle)?;
        self.particle.kept[index.built_index()] = false;
        self.touched = true;
        Ok(())
    }

    /// Adds a spring whose rest length is the distance of now; stiffness \[N/m\], damping \[N·s/m\].
    pub fn add_spring(&mut self, ends: [ParticleId; 2], stiffness: f64, damping: f64) -> Result<(), RequestError> {
        let [a, b] = self.particles_at(ends)?;
        self.scene.add_spring(a, b, stiffness, damping);
        Ok(())
    }

    /// Adds a membrane triangle whose rest shape is that of now.
    pub fn add_triangle(&mut self, corners: [ParticleId; 3], material: ElementMaterial) -> Result<(), RequestError> {
        let corners = self.particles_at(corners)?;
        self.scene.add_triangle(corners, material);
        Ok(())
    }

    /// Adds a tetrahedron whose rest shape is that of now; its signed volume must be positive.
    pub fn add_tetrahedron(&mut self, corners: [ParticleId; 4], material: ElementMaterial) -> Result<(), RequestError> {
        let corners = self.particles_at(corners)?;
        self.scene.add_tetrahedron(corners, material);
        Ok(())
    }

    /// Where particles are in the builder, for something that is about to hang on them.
    fn particles_at<const N: usize>(&mut self, ids: [ParticleId; N]) -> Result<[ParticleId; N], RequestError> {
        let mut places = ids;
        for place in &mut places {
            *place = self.particle_at(*place)?;
        }
        self.touched = true;
        Ok(places)
    }

    fn particle_at(&self, particle: ParticleId) -> Result<ParticleId, RequestError> {
        at(&self.ids.particle, &self.particle, Entity::Particle, particle.0).map(ParticleId)
    }
}
