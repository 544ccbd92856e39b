//! Particles beside bodies: elasticity against theory, momentum, contact without intersections. Every step of a bench is judged by
//! exact signs: no edge meets a triangle of anything else.

mod contact;
mod elastic;
mod held;

use drystone_model::{BendMaterial, ClothGrid, DQuat, DVec3, ElementMaterial, ModelBuilder, Pose, SoftGrid};

use crate::bench::Bench;

/// A cube of tetrahedra with its lowest corner somewhere.
fn block(cells: usize, side: f64, at: DVec3, young: f64) -> SoftGrid {
    SoftGrid {
        pose: Pose::from_translation(at),
        cells: [cells; 3],
        size: DVec3::splat(side / cells as f64),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(young, 0.3, 0.0),
    }
}

/// A square of cloth with its lowest corner somewhere.
fn cloth(cells: usize, side: f64, at: DVec3, radius: f64) -> ClothGrid {
    ClothGrid {
        pose: Pose::from_parts(at, DQuat::IDENTITY),
        cells: [cells; 2],
        size: [side / cells as f64; 2],
        density: 0.2,
        radius,
        membrane: ElementMaterial { mu: 500.0, lambda: 300.0, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 0.0 },
    }
}

/// A block that is let go falls as a body does and stays what it is.
#[test]
fn what_falls_follows_its_parabola_of_first_order() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    scene.add_soft_grid(&block(2, 0.2, DVec3::Z, 1e5));
    let mut bench = Bench::new(&scene, 0.01);
    let report = bench.run(0.5);
    // Backward Euler: the sum of n steps is h² n (n + 1) / 2.
    let fallen = 9.81 * 1e-4 * 50.0 * 51.0 / 2.0;
    for (now, start) in bench.state.particle_q.iter().zip(&bench.model.particle_q) {
        assert!((*now - *start + DVec3::Z * fallen).length() < 1e-9, "{now} {start}");
    }
    assert!(report.elastic_energy.unwrap() < 1e-9);
}
