//! How particles rub, and whom they meet.

use super::ModelBuilder;
use crate::id::ParticleId;
use crate::model::Model;

impl ModelBuilder {
    /// Gives particles coefficients of friction of their own, while sticking and while sliding \[1\]. With what they touch the geometric mean
    /// counts, as between shapes; of a triangle or an edge, what its corners have at the point of contact.
    ///
    /// ```
    /// use drystone_model::{DVec3, Meeting, ModelBuilder, ParticleDef};
    /// let mut scene = ModelBuilder::new();
    /// let [silk, rubber] = [0.0, 1.0].map(|x| scene.add_particle(ParticleDef::new(DVec3::X * x, 1.0)));
    /// scene.particle_friction(&[silk], 0.2, 0.1);
    /// scene.filter_particles(&[silk], &[rubber]);
    /// let model = scene.finalize()?;
    /// assert_eq!(model.particle_friction, [Some([0.2, 0.1]), None]);
    /// assert!(!Meeting::new(&model).allows(&[0], &[1]));
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn particle_friction(&mut self, particles: &[ParticleId], sticking: f64, sliding: f64) {
        for particle in particles {
            if let Some(friction) = self.deformable.particle_friction.get_mut(particle.built_index()) {
                *friction = Some([sticking, sliding]);
            }
        }
    }

    /// Puts particles into groups and says which groups they meet, as bits: those of shapes and of other particles. Both sides must agree.
    pub fn particle_groups(&mut self, particles: &[ParticleId], group: u32, mask: u32) {
        let Model { particle_group, particle_mask, .. } = &mut self.deformable;
        for index in particles.iter().map(|particle| particle.built_index()) {
            if let (Some(own_group), Some(own_mask)) = (particle_group.get_mut(index), particle_mask.get_mut(index)) {
                (*own_group, *own_mask) = (group, mask);
            }
        }
    }

    /// Lets no particle of one list meet one of the other, and no triangle or edge with a corner in one list meet one with a corner in the
    /// other. Every pair is listed: for whole sheets take [`ModelBuilder::particle_groups`].
    pub fn filter_particles(&mut self, one: &[ParticleId], other: &[ParticleId]) {
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| [a.0.min(b.0), a.0.max(b.0)]));
        self.deformable.particle_filter.extend(pairs.filter(|[a, b]| a != b));
    }
}

/// Which particles of a model may meet; nothing is kept of a model where all may.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Group and mask of every particle.
    bits: Vec<[u32; 2]>,
    filter: Vec<[u32; 2]>,
}

impl Meeting {
    /// What a model says.
    pub fn new(model: &Model) -> Self {
        let bits: Vec<[u32; 2]> = (0..model.particle_count()).map(|particle| model.particle_bits(particle)).collect();
        let told = bits.iter().any(|bits| *bits != MEETS_ALL);
        Self { bits: if told { bits } else { Vec::new() }, filter: model.particle_filter.clone() }
    }

    /// Whether all may meet.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty() && self.filter.is_empty()
    }

    /// Whether two parts of a surface, by their corners, may meet: the groups of all agree, and no pair of them is filtered.
    pub fn allows(&self, one: &[u32], other: &[u32]) -> bool {
        let bits = |particle: u32| self.bits.get(particle as usize).copied().unwrap_or(MEETS_ALL);
        let pairs = || one.iter().flat_map(|&a| other.iter().map(move |&b| (a, b)));
        (self.bits.is_empty() || pairs().all(|(a, b)| agree(bits(a), bits(b))))
            && (self.filter.is_empty()
                || !pairs().any(|(a, b)| self.filter.binary_search(&[a.min(b), a.max(b)]).is_ok()))
    }
}

/// Group and mask of a particle that nothing is said of.
const MEETS_ALL: [u32; 2] = [1, u32::MAX];

impl Model {
    fn particle_bits(&self, particle: usize) -> [u32; 2] {
        let [group, mask] = MEETS_ALL;
        let told = |list: &[u32], all| list.get(particle).copied().unwrap_or(all);
        [told(&self.particle_group, group), told(&self.particle_mask, mask)]
    }

    /// Whether the groups of a particle and a shape agree that they meet.
    pub fn agrees_with_shape(&self, particle: usize, shape: usize) -> bool {
        agree(self.particle_bits(particle), [self.shape_group[shape], self.shape_mask[shape]])
    }

    /// Coefficients of friction of a point between particles, while sticking and while sliding \[1\]: what they have by weight, and `other` for
    /// those that say nothing.
    pub fn friction_among(&self, corners: impl Iterator<Item = (u32, f64)>, other: f64) -> [f64; 2] {
        let (mut sum, mut whole) = ([0.0; 2], 0.0);
        for (particle, weight) in corners {
            let own = self.particle_friction.get(particle as usize).copied().flatten().unwrap_or([other; 2]);
            sum = [0, 1].map(|k| sum[k] + weight.abs() * own[k]);
            whole += weight.abs();
        }
        if whole > 0.0 { sum.map(|sum| sum / whole) } else { [other; 2] }
    }
}

fn agree([group, mask]: [u32; 2], [other_group, other_mask]: [u32; 2]) -> bool {
    group & other_mask != 0 && other_group & mask != 0
}
