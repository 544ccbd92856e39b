//! Scenes with particles.

use drystone_model::{BendMaterial, ClothGrid, DVec3, ElementMaterial, ModelBuilder, ParticleId, Pose};

use crate::bench::Bench;

/// A scene under way at 60 steps a second.
pub fn staged(scene: &ModelBuilder) -> Bench {
    Bench::new(scene, 1.0 / 60.0, 10)
}

/// Where a particle is.
pub fn q(stage: &Bench, particle: ParticleId) -> DVec3 {
    stage.state.particle_q[particle.built_index()]
}

/// A square sheet of cloth with a side, at a pose.
pub fn sheet(pose: Pose, cells: usize, side: f64, stiffness: f64, radius: f64) -> ClothGrid {
    ClothGrid {
        pose,
        cells: [cells; 2],
        size: [side / cells as f64; 2],
        density: 0.2,
        radius,
        membrane: ElementMaterial { mu: 0.4 * stiffness, lambda: 0.3 * stiffness, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 0.0 },
    }
}
