//! Cloth against itself and other cloth: nothing passes through.

use std::f64::consts::FRAC_PI_2;

use drystone_geometry::Aabb;
use drystone_geometry::bvh::Bvh;
use drystone_geometry::distance::triangle_triangle::intersect;
use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder, ParticleDef, Pose};

use drystone_vbd::{ParticleOptions, VbdOptions};

use super::stage::{q, sheet, staged};
use super::wound::whole;
use crate::bench::Bench;

/// Triangles that share no corner and a point nevertheless, by exact signs.
pub fn crossings(stage: &Bench) -> usize {
    let (model, q) = (&stage.model, &stage.state.particle_q);
    let corners = |t: u32| model.triangle_particle[t as usize].map(|particle| q[particle as usize]);
    let count = model.triangle_particle.len() as u32;
    let boxes: Vec<Aabb> = (0..count).map(|t| Aabb::from_points(corners(t))).collect();
    let mut found = 0;
    Bvh::build(&boxes).self_pairs(|a, b| {
        let [one, other] = [a, b].map(|t| model.triangle_particle[t as usize]);
        if !one.iter().any(|corner| other.contains(corner)) && intersect(corners(a), corners(b)) {
            found += 1;
        }
    });
    found
}

fn fastest(stage: &Bench) -> f64 {
    stage.state.particle_qd.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// Sheets dropped on each other come to lie on each other.
#[test]
fn sheets_lie_on_each_other() {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let mut sheets = Vec::new();
    for layer in 0..4 {
        let turn = DQuat::from_rotation_z(0.2 * f64::from(layer));
        let pose =
            Pose::from_parts(turn * DVec3::new(-0.3, -0.3, 0.0) + DVec3::Z * (0.05 + 0.06 * f64::from(layer)), turn);
        sheets.push(builder.add_cloth_grid(&sheet(pose, 12, 0.6, 1e3, 0.01)));
    }
    let mut stage = staged(&builder);
    for step in 0..240 {
        stage.step();
        assert_eq!(crossings(&stage), 0, "at {step}");
    }
    for (layer, ids) in sheets.iter().enumerate() {
        let height = q(&stage, ids[84]).z;
        let expected = 0.01 + 0.02 * layer as f64;
        assert!((height - expected).abs() < 2e-3, "{height} for {expected}");
    }
    assert!(fastest(&stage) < 0.02, "{}", fastest(&stage));
}

/// A sheet dropped on its edge crumples, never crosses itself and gains no energy.
#[test]
fn a_sheet_that_crumples_does_not_cross_itself() {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let turn = DQuat::from_rotation_y(1.4) * DQuat::from_rotation_x(0.1);
    let pose = Pose::from_parts(DVec3::new(0.0, -0.4, 1.0), turn);
    builder.add_cloth_grid(&sheet(pose, 20, 0.8, 1e3, 0.008));
    let mut stage = staged(&builder);
    let start = stage.model.energy(&stage.state).total();
    for step in 0..180 {
        let report = stage.step();
        assert!(whole(&report) < start, "{} of {start} J at {step}", whole(&report));
        assert_eq!(crossings(&stage), 0, "at {step}");
    }
    let highest = stage.state.particle_q.iter().map(|q| q.z).fold(0.0, f64::max);
    assert!(highest < 0.3, "{highest}");
}

/// What falls freely falls as without contact, however fast.
#[test]
fn free_fall_is_not_held_back() {
    let mut builder = ModelBuilder::new();
    let turn = DQuat::from_rotation_y(0.7);
    let ids = builder.add_cloth_grid(&sheet(Pose::from_parts(DVec3::ZERO, turn), 10, 0.5, 1e3, 0.01));
    let mut stage = staged(&builder);
    let start = q(&stage, ids[60]);
    stage.run(2.0);
    let fallen = start - q(&stage, ids[60]);
    let expected = 0.5 * 9.81 * 2.0 * (2.0 + stage.dt);
    assert!((fallen - DVec3::Z * expected).length() < 1e-6 * expected, "{fallen} for {expected}");
}

/// A sheet thrown at another at 100 m/s does not pass.
#[test]
fn fast_sheets_do_not_pass_each_other() {
    for speed in [1.0, 10.0, 100.0] {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::ZERO);
        builder.add_cloth_grid(&sheet(Pose::from_translation(DVec3::new(-0.4, -0.4, 0.0)), 12, 0.8, 1e4, 0.01));
        let turn = DQuat::from_rotation_z(0.3);
        let thrown =
            builder.add_cloth_grid(&sheet(Pose::from_parts(DVec3::new(-0.1, -0.3, 0.5), turn), 8, 0.4, 1e4, 0.01));
        let mut stage = staged(&builder);
        thrown.iter().for_each(|id| stage.state.particle_qd[id.built_index()] = DVec3::Z * -speed);
        let start = stage.model.momentum(&stage.state);
        for step in 0..60 {
            stage.step();
            assert_eq!(crossings(&stage), 0, "at {step}, {speed} m/s");
            let now = stage.model.momentum(&stage.state);
            assert!((now.linear - start.linear).length() < 1e-9 * start.linear.length(), "at {step}");
        }
    }
}

/// A strip whose ends are turned against each other, at the rim by a quarter and by half of a square a step: those ends go where they are
/// told, and what is between them follows without crossing. Parts of a sheet that go along together do not hold each other up: at the
/// lower speed it is stretched as without contact.
#[test]
fn a_strip_that_is_twisted_fast_neither_crosses_itself_nor_is_held_up() {
    let stretch = |self_contact: bool, turn: f64| {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::ZERO);
        let (columns, rows) = (24, 12);
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.25, 0.0));
        let mut strip = sheet(pose, columns, 1.0, 1e3, 0.01);
        strip.cells = [columns, rows];
        let ids = builder.add_cloth_grid(&strip);
        let particles = ParticleOptions { self_contact, ..ParticleOptions::default() };
        let mut stage = Bench::with(&builder, 1.0 / 60.0, VbdOptions { particles, ..VbdOptions::default() });
        let ends: Vec<usize> =
            (0..=rows).flat_map(|row| [0, columns].map(|k| ids[row * (columns + 1) + k].built_index())).collect();
        let mut most = 0.0_f64;
        for step in 1..=30 {
            for &end in &ends {
                let from = stage.model.particle_q[end];
                let turn = DQuat::from_rotation_x(from.x.signum() * turn * f64::from(step));
                stage.control.particle_target[end] = Some(turn * from);
            }
            let report = stage.step();
            most = most.max(report.max_strain.unwrap());
            assert!(!self_contact || crossings(&stage) == 0, "at {step}");
        }
        most
    };
    let [with, without] = [true, false].map(|contact| stretch(contact, 0.04));
    assert!(with < 1.1 * without, "{with} and {without}");
    stretch(true, 0.08);
}

/// A heap of particles without extent does not meet.
#[test]
fn particles_without_extent_do_not_meet() {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let one = builder.add_particle(ParticleDef::new(DVec3::ZERO, 1.0).velocity(DVec3::X));
    let other = builder.add_particle(ParticleDef::new(DVec3::X * 0.5, 1.0));
    let mut stage = staged(&builder);
    stage.run(1.0);
    assert!(q(&stage, one).x > 0.99 && q(&stage, other).x == 0.5);
}

/// A flag in a gale: most of it goes far in a step, and what is held at the pole does not. A sheet thrown past it goes on as if alone.
#[test]
fn cloth_held_along_an_edge_does_not_cross_itself_in_a_gale() {
    let mut builder = ModelBuilder::new();
    let turn = DQuat::from_rotation_z(FRAC_PI_2) * DQuat::from_rotation_x(FRAC_PI_2);
    let cells = 16;
    let ids = builder.add_cloth_grid(&sheet(Pose::from_parts(DVec3::Z, turn), cells, 0.8, 1e3, 0.006));
    (0..=cells).for_each(|row| builder.pin(ids[row * (cells + 1)]));
    builder.air(&ids, 0.3, 0.6);
    builder.wind(DVec3::X * 20.0);
    // Edge first, by several squares a step.
    let mut thrown = sheet(Pose::from_parts(DVec3::new(-9.0, 9.0, 1.0), turn), 6, 0.3, 1e3, 0.006);
    thrown.density = 0.4;
    let thrown = builder.add_cloth_grid(&thrown);
    let mut stage = staged(&builder);
    thrown.iter().for_each(|id| stage.state.particle_qd[id.built_index()] = DVec3::Y * 20.0);
    for step in 0..90 {
        stage.step();
        assert_eq!(crossings(&stage), 0, "at {step}");
    }
    // As a whole exactly; single particles to what the solve that they share with the flag leaves.
    let off: Vec<f64> =
        thrown.iter().map(|&id| q(&stage, id).y - stage.model.particle_q[id.built_index()].y - 20.0 * 1.5).collect();
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    assert!(mean.abs() < 1e-9, "{mean}");
    assert!(off.iter().all(|off| off.abs() < 2e-6), "{off:?}");
}

/// A sheet that drapes a ball goes far in a step, and parts of it that go along together do not hold each other up: it is stretched no more
/// than without self-contact, and does not cross itself.
#[test]
fn a_sheet_that_falls_over_a_ball_is_not_held_up_by_itself() {
    let stretch = |self_contact: bool| {
        let mut builder = ModelBuilder::new();
        builder.add_body(BodyDef::fixed("ball").at(DVec3::Z * 0.3).sphere(0.3));
        let cells = 24;
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.65));
        builder.add_cloth_grid(&sheet(pose, cells, 1.0, 2e3, 0.4 / cells as f64));
        let particles = ParticleOptions { self_contact, ..ParticleOptions::default() };
        let mut stage = Bench::with(&builder, 1.0 / 60.0, VbdOptions { particles, ..VbdOptions::default() });
        let mut most = 0.0_f64;
        for step in 0..40 {
            most = most.max(stage.step().max_strain.unwrap());
            assert!(!self_contact || crossings(&stage) == 0, "at {step}");
        }
        most
    };
    let [with, without] = [true, false].map(stretch);
    assert!(with < 1.3 * without && with < 0.05, "{with} and {without}");
}
