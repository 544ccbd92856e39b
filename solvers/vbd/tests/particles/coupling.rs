//! Particles and bodies that push each other.

use drystone_model::{BodyDef, DVec3, ElementMaterial, ModelBuilder, Pose, SoftGrid};

use super::stage::{sheet, staged};

/// A ball and a sheet that meet in free space keep their momentum together, linear and angular.
#[test]
fn a_ball_and_a_sheet_keep_their_momentum() {
    for mass in [0.01, 0.2, 20.0] {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::ZERO);
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.0));
        builder.add_cloth_grid(&sheet(pose, 16, 1.0, 1e3, 0.01));
        let ball =
            BodyDef::dynamic("ball").at(DVec3::new(0.1, 0.05, 0.3)).cuboid(DVec3::new(0.1, 0.15, 0.1)).mass(mass);
        builder.add_body(ball.velocity(DVec3::new(0.3, 0.0, -2.0)).spin(DVec3::new(1.0, 2.0, 0.0)));
        let mut stage = staged(&builder);
        let start = stage.model.momentum(&stage.state);
        let (mut touched, mut energy) = (false, f64::INFINITY);
        for step in 0..60 {
            let report = stage.step();
            touched |= report.contact_count > 0;
            let now = stage.model.momentum(&stage.state);
            let (linear, angular) = (now.linear - start.linear, now.angular - start.angular);
            assert!(linear.length() < 1e-9 * start.linear.length(), "{linear} of {} at {step}", start.linear);
            assert!(
                angular.length() < 1e-9 * start.angular.length(),
                "{angular} of {} at {step}, mass {mass}",
                start.angular
            );
            let whole = report.kinetic_energy + report.elastic_energy.unwrap();
            // A sheet that wraps a hundred times its mass gains a few hundredths while its stress follows.
            assert!(whole < 1.05 * energy, "{whole} after {energy} at {step}, mass {mass}");
            energy = energy.min(whole);
        }
        assert!(touched);
    }
}

/// A box of a hundred and of a thousand times the mass of a cloth is caught by it.
#[test]
fn heavy_boxes_are_caught() {
    for ratio in [1.0_f64, 100.0, 1000.0] {
        let mut builder = ModelBuilder::new();
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 1.0));
        let n = 24;
        let ids = builder.add_cloth_grid(&sheet(pose, n, 1.0, 1e5 * ratio.max(10.0) / 100.0, 0.01));
        [0, n, n * (n + 1), (n + 1) * (n + 1) - 1].into_iter().for_each(|at| builder.pin(ids[at]));
        let heavy = BodyDef::dynamic("box").at(DVec3::Z * 1.13).cuboid(DVec3::splat(0.1)).mass(0.2 * ratio);
        builder.add_body(heavy);
        let mut stage = staged(&builder);
        let mut worst = 0.0_f64;
        for _ in 0..240 {
            let report = stage.step();
            worst = worst.max(report.max_penetration.unwrap());
        }
        let q = stage.state.body_q[0].translation;
        let lowest = stage.state.particle_q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
        assert!(q.z > 0.3 && q.z > lowest, "ratio {ratio}: {q}, lowest {lowest}");
        assert!(worst < 0.02, "ratio {ratio}: {worst}");
    }
}

/// A soft block carries a heavy box, and is pressed as the weight says.
#[test]
fn a_block_carries_a_box() {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let (young, side) = (1e5, 0.4);
    builder.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::new(-0.2, -0.2, 0.0)),
        cells: [6; 3],
        size: DVec3::splat(side / 6.0),
        density: 100.0,
        radius: 0.0,
        material: ElementMaterial::solid(young, 0.0, 50.0),
    });
    let mass = 50.0;
    builder.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.5).cuboid(DVec3::new(0.3, 0.3, 0.1)).mass(mass));
    let mut stage = staged(&builder);
    stage.run(400.0 / 60.0);
    let top = stage.state.body_q[0].translation.z - 0.1;
    // Linear elasticity: pressure of the box and half of the block's own weight over Young's modulus.
    let strain = (mass + 0.5 * 100.0 * side.powi(3)) * 9.81 / (side * side * young);
    assert!((1.0 - top / side - strain).abs() < 0.1 * strain, "{top}: {} for {strain}", 1.0 - top / side);
    assert!(stage.state.body_qd[0].linear.length() < 1e-3);
}

/// What is told of particles on a body led by something else is what carries them, and on a free one what changes its momentum.
#[test]
fn bodies_are_told_what_particles_do_to_them() {
    let mut builder = ModelBuilder::new();
    let plate = builder.add_body(BodyDef::kinematic("plate").cuboid(DVec3::new(0.5, 0.5, 0.1)));
    let pose = Pose::from_translation(DVec3::new(-0.2, -0.1, 0.111));
    builder.add_cloth_grid(&sheet(pose, 6, 0.4, 1e3, 0.01));
    let free =
        builder.add_body(BodyDef::dynamic("box").at(DVec3::new(3.0, 0.0, 1.0)).cuboid(DVec3::splat(0.1)).mass(1.0));
    let rope = builder.add_particle(drystone_model::ParticleDef::new(DVec3::new(3.2, 0.0, 1.0), 0.3));
    builder.attach(rope, free);
    let mut stage = staged(&builder);
    // The plate is lifted faster and faster: the sheet weighs more.
    let (dt, lift) = (stage.dt, 2.0);
    let mut told = Vec::new();
    let (mut mean, mut count) = ([DVec3::ZERO; 2], 0.0);
    for step in 1..=60 {
        let time = f64::from(step) * dt;
        stage.control.body_target[plate.built_index()] =
            Some(Pose::from_translation(DVec3::Z * 0.5 * lift * time * time));
        let before = stage.state.body_qd[free.built_index()].linear;
        stage.step();
        drystone_solve::Solver::read_particle_pushes(&stage.solver, &stage.model, &mut told).unwrap();
        let change = (stage.state.body_qd[free.built_index()].linear - before) / dt + DVec3::Z * 9.81;
        assert!((told[free.built_index()].force - change).length() < 1e-9 * 10.0, "{told:?} {change}");
        if step > 30 {
            mean[0] += told[plate.built_index()].force;
            mean[1] += told[plate.built_index()].torque;
            count += 1.0;
        }
    }
    let mass = 0.2 * 0.16;
    let weight = DVec3::Z * -mass * (9.81 + lift);
    let [force, torque] = mean.map(|sum| sum / count);
    assert!((force - weight).length() < 0.01 * weight.length(), "{force} for {weight}");
    // The middle of the sheet lies 0.1 m off that of the plate, along y.
    assert!((torque - DVec3::new(0.0, 0.1, 0.0).cross(weight)).length() < 0.02 * 0.1 * weight.length(), "{torque}");
}
