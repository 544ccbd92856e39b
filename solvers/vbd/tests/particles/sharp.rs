//! Sharp shapes and coarse cloth: nothing pokes through between particles.

use drystone_geometry::DQuat;
use drystone_model::{BodyDef, BodyId, DVec3, ModelBuilder, ParticleId, Pose, ShapeDef};

use drystone_vbd::{ParticleOptions, VbdOptions};

use super::stage::{q, sheet};
use crate::bench::Bench;

/// A scene under way, with or without corners and edges of shapes against edges and triangles.
fn sharp(scene: &ModelBuilder, edges_and_faces: bool) -> Bench {
    let particles = ParticleOptions { edges_and_faces, ..ParticleOptions::default() };
    Bench::with(scene, 1.0 / 60.0, VbdOptions { iterations: 10, particles, ..VbdOptions::default() })
}

/// A box that stands on a corner, the opposite one straight above.
fn on_a_corner(at: DVec3) -> Pose {
    Pose::from_parts(at, DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z))
}

fn corner_up(half: f64, at: DVec3) -> ShapeDef {
    ShapeDef { pose: on_a_corner(at), ..ShapeDef::cuboid(DVec3::splat(half)) }
}

/// How far the sheet is above a point; infinite where there is no sheet.
fn height_over(stage: &Bench, point: DVec3) -> f64 {
    let over = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| stage.state.particle_q[corner as usize] - point);
        let [u, v, w] = [(b, c), (c, a), (a, b)].map(|(p, q)| p.x * q.y - p.y * q.x);
        let inside = u.min(v).min(w) >= 0.0 || u.max(v).max(w) <= 0.0;
        inside.then(|| (u * a.z + v * b.z + w * c.z) / (u + v + w))
    };
    stage.model.triangle_particle.iter().filter_map(over).fold(f64::INFINITY, f64::min)
}

/// A sheet of two triangles lies on a corner in the middle of one of them.
#[test]
fn a_corner_does_not_poke_through_a_triangle() {
    for stands in [true, false] {
        let mut builder = ModelBuilder::new();
        let (half, radius) = (0.1, 0.005);
        let tip = DVec3::new(0.2, -0.2, 0.0);
        let centre = tip - DVec3::Z * half * 3.0_f64.sqrt();
        builder.add_shape(BodyId::WORLD, corner_up(half, centre));
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.05));
        let ids = builder.add_cloth_grid(&sheet(pose, 1, 1.0, 1e4, radius));
        if stands {
            ids.iter().for_each(|&id| builder.attach_at(id, BodyId::WORLD, q_of(&builder, id) - DVec3::Z * 0.1, 30.0));
        }
        let mut stage = sharp(&builder, true);
        let mut lowest = f64::INFINITY;
        for _ in 0..if stands { 120 } else { 20 } {
            stage.step();
            lowest = lowest.min(height_over(&stage, tip));
        }
        assert!(lowest > 0.5 * radius, "{lowest}");
        if stands {
            // Springs draw its corners below the tip, which bears what they pull with.
            let drawn = ids.iter().map(|&id| q(&stage, id).z).fold(f64::INFINITY, f64::min);
            let over = height_over(&stage, tip);
            assert!(drawn < -0.02 && over < 2.0 * radius, "{drawn}, {over}");
        }
    }
}

fn q_of(builder: &ModelBuilder, id: ParticleId) -> DVec3 {
    builder.particle_position(id).unwrap()
}

/// A plate thinner than a triangle, set on edge, holds a coarse sheet up: its upper edge runs below no particle.
#[test]
fn an_edge_does_not_cut_through_a_sheet() {
    let mut builder = ModelBuilder::new();
    let radius = 0.005;
    let plate = ShapeDef::cuboid(DVec3::new(0.002, 0.6, 0.2));
    builder.add_shape(BodyId::WORLD, ShapeDef { pose: Pose::from_translation(DVec3::new(0.13, 0.0, -0.2)), ..plate });
    let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.03));
    let ids = builder.add_cloth_grid(&sheet(pose, 2, 1.0, 1e4, radius));
    let mut stage = sharp(&builder, true);
    let mut lowest = f64::INFINITY;
    for _ in 0..25 {
        stage.step();
        let over = [-0.4, -0.2, 0.0, 0.2, 0.4].map(|y| height_over(&stage, DVec3::new(0.13, y, 0.0)));
        assert!(over.iter().all(|over| over.is_finite()), "{over:?}");
        lowest = over.into_iter().fold(lowest, f64::min);
    }
    assert!(lowest > 0.2 * radius, "{lowest}");
    // The parts beside it hang down.
    assert!(q(&stage, ids[0]).z < -0.05, "{}", q(&stage, ids[0]));
}

/// A small box thrown against a coarse sheet, between its particles, is stopped by it, and the two keep their momentum.
#[test]
fn a_box_between_particles_pushes_the_sheet() {
    for mass in [0.02, 0.2] {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::ZERO);
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.0));
        builder.add_cloth_grid(&sheet(pose, 2, 1.0, 1e4, 0.01));
        let small = BodyDef::dynamic("box").pose(on_a_corner(DVec3::new(0.15, 0.32, 0.12))).cuboid(DVec3::splat(0.03));
        builder.add_body(small.mass(mass).velocity(DVec3::Z * -3.0).spin(DVec3::new(0.0, 1.0, 2.0)));
        let mut stage = sharp(&builder, true);
        let start = stage.model.momentum(&stage.state);
        let mut below = f64::INFINITY;
        // Later the sheet turns over.
        for step in 0..16 {
            stage.step();
            let now = stage.model.momentum(&stage.state);
            let (linear, angular) = (now.linear - start.linear, now.angular - start.angular);
            assert!(linear.length() < 1e-9 * start.linear.length(), "{linear} at {step}, mass {mass}");
            assert!(angular.length() < 1e-9 * start.angular.length(), "{angular} at {step}, mass {mass}");
            let above = -height_over(&stage, stage.state.body_q[0].translation);
            below = if above.is_finite() { below.min(above) } else { below };
        }
        // Half a diagonal and the radius of the sheet.
        let touching = 0.03 * 3.0_f64.sqrt() + 0.01;
        assert!((below - touching).abs() < 1e-3, "mass {mass}: {below}");
        assert!(stage.state.body_qd[0].linear.z > -3.0 + 0.5, "mass {mass}");
    }
}

/// The option switches it off: the same corner then goes through.
#[test]
fn particles_alone_meet_shapes_if_told_so() {
    let mut builder = ModelBuilder::new();
    builder.add_shape(BodyId::WORLD, corner_up(0.1, DVec3::new(0.2, -0.2, -0.2)));
    let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.05));
    builder.add_cloth_grid(&sheet(pose, 1, 1.0, 1e4, 0.005));
    let mut stage = sharp(&builder, false);
    stage.run(20.0 / 60.0);
    assert!(height_over(&stage, DVec3::new(0.2, -0.2, -0.05)) < 0.0);
}
