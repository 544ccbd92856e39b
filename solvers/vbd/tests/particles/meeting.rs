//! How particles rub, and whom they meet.

use drystone_geometry::DQuat;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_model::{BodyId, DVec3, ModelBuilder, ParticleDef, ParticleId, Pose, ShapeDef};

use super::stage::{q, sheet, staged};
use crate::bench::Bench;

/// Particles on a slope of 30° slide as the geometric mean of their friction and that of the slope says, and stick where it is more than the
/// slope's tangent.
#[test]
fn every_particle_rubs_by_its_own_coefficient() {
    let (angle, slope) = (30.0_f64.to_radians(), 0.5);
    let normal = DVec3::new(angle.sin(), 0.0, angle.cos());
    let (radius, time) = (0.01, 0.25);
    for coefficient in [Some(0.0), Some(0.08), Some(0.32), Some(2.0), None] {
        let mut builder = ModelBuilder::new();
        builder.add_shape(BodyId::WORLD, ShapeDef::plane(DVec3::ZERO, normal).friction(slope));
        let id = builder.add_particle(ParticleDef::new(radius * normal, 0.1).radius(radius));
        if let Some(coefficient) = coefficient {
            builder.particle_friction(&[id], coefficient, coefficient);
        }
        let mut stage = staged(&builder);
        let start = q(&stage, id);
        stage.run(time);
        // What says nothing has what the options say: 0.6.
        let pull = angle.sin() - (coefficient.unwrap_or(0.6) * slope).sqrt() * angle.cos();
        // Steps are of first order: a free fall of so many steps is longer by one.
        let way = 0.5 * 9.81 * pull.max(0.0) * time * (time + stage.dt);
        let went = q(&stage, id).distance(start);
        assert!((went - way).abs() < 0.02 * way + 1e-5, "{coefficient:?}: {went} for {way}");
    }
}

/// Two sheets, the upper one falling on the lower one, which is pinned. Returns how far the upper one is above it after a second.
fn fallen(prepare: impl FnOnce(&mut ModelBuilder, [&[ParticleId]; 2])) -> f64 {
    let mut builder = ModelBuilder::new();
    let at = |z| Pose::from_translation(DVec3::new(-0.25, -0.25, z));
    let lower = builder.add_cloth_grid(&sheet(at(0.0), 4, 0.5, 1e3, 0.005));
    let upper = builder.add_cloth_grid(&sheet(at(0.05), 4, 0.3, 1e3, 0.005));
    lower.iter().for_each(|&id| builder.pin(id));
    prepare(&mut builder, [&lower, &upper]);
    let mut stage = staged(&builder);
    stage.run(0.4);
    upper.iter().map(|&id| q(&stage, id).z).fold(f64::INFINITY, f64::min)
}

/// Sheets pass through each other where their groups do not agree or their pairs are filtered, and nowhere else.
#[test]
fn groups_and_filters_say_who_meets() {
    assert!(fallen(|_, _| ()) > 0.0);
    assert!(
        fallen(|scene, [lower, upper]| {
            scene.particle_groups(lower, 2, 1);
            scene.particle_groups(upper, 1, 2);
        }) > 0.0
    );
    let free = -0.5 * 9.81 * 0.16;
    for through in [
        fallen(|scene, [_, upper]| scene.particle_groups(upper, 2, 2)),
        fallen(|scene, [lower, upper]| scene.filter_particles(lower, upper)),
    ] {
        assert!(through < 0.9 * free, "{through}");
    }
}

/// A shape meets the particles of the groups it looks for.
#[test]
fn shapes_and_particles_agree_by_group() {
    let mut builder = ModelBuilder::new();
    let floor = ShapeDef::plane(DVec3::ZERO, DVec3::Z).groups(1, 4);
    builder.add_shape(BodyId::WORLD, floor);
    let [meets, passes] =
        [0.0, 1.0].map(|y| builder.add_particle(ParticleDef::new(DVec3::new(0.0, y, 0.05), 0.1).radius(0.01)));
    builder.particle_groups(&[meets], 4, u32::MAX);
    let mut stage = staged(&builder);
    stage.run(1.0);
    assert!((q(&stage, meets).z - 0.01).abs() < 1e-4 && q(&stage, passes).z < -3.0);
}

/// The smallest distance of two parts that share no particle, by looking at all.
fn nearest(stage: &Bench) -> f64 {
    let (x, triangles) = (&stage.state.particle_q, &stage.model.triangle_particle);
    let at = |particle: u32| x[particle as usize];
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    edges.dedup();
    let mut least = f64::INFINITY;
    for vertex in 0..x.len() as u32 {
        for corners in triangles.iter().filter(|corners| !corners.contains(&vertex)) {
            least = least.min(point_triangle::nearest(at(vertex), corners.map(at)).separation.length());
        }
    }
    for (k, one) in edges.iter().enumerate() {
        for other in edges[k + 1..].iter().filter(|other| !one.iter().any(|end| other.contains(end))) {
            least = least.min(edge_edge::nearest(one.map(at), other.map(at)).separation.length());
        }
    }
    least
}

/// What a step says of how near particles came is what looking at all pairs says, and how far they are stretched what their lengths say.
#[test]
fn a_step_tells_of_nearness_and_strain() {
    let mut builder = ModelBuilder::new();
    builder.ground();
    for (level, turn) in [(0.03, 0.0), (0.05, 0.4)] {
        let pose = Pose::from_parts(DVec3::new(0.0, 0.0, level), DQuat::from_rotation_z(turn));
        builder.add_cloth_grid(&sheet(pose, 3, 0.3, 1e3, 0.005));
    }
    let mut stage = staged(&builder);
    let mut told = 0;
    for step in 0..40 {
        let report = stage.step();
        let strain = report.max_strain.unwrap();
        assert!(report.mean_strain.unwrap() <= strain.max(1e-9) + 1e-12, "{report:?}");
        if let Some(nearness) = report.closest_approach {
            assert!((nearness - nearest(&stage)).abs() < 1e-12, "{nearness} at {step}, {}", nearest(&stage));
            told += 1;
        }
    }
    assert!(told > 20, "{told}");
}
