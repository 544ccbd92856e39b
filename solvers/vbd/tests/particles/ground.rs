//! Particles on what does not move.

use drystone_model::{BodyDef, DQuat, DVec3, Material, ModelBuilder, ParticleDef, Pose, Shape, ShapeDef, WORLD};

use drystone_vbd::{ParticleOptions, Vbd, VbdOptions};

use super::stage::{q, sheet, staged};
use crate::bench::Bench;

/// A sheet dropped on the ground comes to rest on it, at the radius of its particles.
#[test]
fn a_sheet_lies_on_the_ground() {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.2));
    let ids = builder.add_cloth_grid(&sheet(pose, 12, 1.0, 1e4, 0.01));
    let mut stage = staged(&builder);
    stage.run(120.0 / 60.0);
    let report = stage.step();
    for id in ids {
        let at = q(&stage, id);
        assert!((at.z - 0.01).abs() < 1e-4, "{at}");
        assert!(stage.state.particle_qd[id.built_index()].length() < 1e-3);
    }
    assert!(report.max_penetration.unwrap() < 1e-4, "{report:?}");
}

/// On a slope a sheet holds up to the angle of friction and slides beyond it as theory says.
#[test]
fn sheets_slide_on_slopes_as_friction_says() {
    for (angle, slides) in [(20.0_f64, false), (29.0, false), (33.0, true), (40.0, true)] {
        let mut builder = ModelBuilder::new();
        let angle = angle.to_radians();
        let turn = DQuat::from_rotation_y(angle);
        let mut material = Material::default();
        material.set_friction(0.6);
        let mut slope = ShapeDef::new(Shape::HalfSpace).material(material);
        slope.pose = Pose::from_parts(DVec3::ZERO, turn);
        builder.add_shape(WORLD, slope);
        let pose = Pose::from_parts(turn * DVec3::new(-0.25, -0.25, 0.01), turn);
        let ids = builder.add_cloth_grid(&sheet(pose, 10, 0.5, 1e4, 0.01));
        let mut stage = staged(&builder);
        let middle = ids[60];
        let start = q(&stage, middle);
        stage.run(60.0 / 60.0);
        let moved = (q(&stage, middle) - start).dot(turn * DVec3::X);
        let expected = 0.5 * 9.81 * (angle.sin() - 0.6 * angle.cos()).max(0.0);
        if slides {
            assert!((moved / expected - 1.0).abs() < 0.2, "{moved} for {expected} at {angle}");
        } else {
            assert!(moved.abs() < 2e-3, "{moved} at {angle}");
        }
    }
}

/// Single particles come to rest on every kind of shape, none gets in.
#[test]
fn particles_rest_on_every_kind_of_shape() {
    let shapes = [
        Shape::cuboid(DVec3::splat(0.5)).unwrap(),
        Shape::cylinder(0.5, 0.5).unwrap(),
        Shape::hull(&[
            DVec3::new(1.0, 1.0, 0.5),
            DVec3::new(-1.0, 1.0, 0.5),
            DVec3::new(0.0, -1.0, 0.5),
            DVec3::new(0.0, 0.0, -1.0),
        ])
        .unwrap(),
        Shape::mesh(Shape::cuboid(DVec3::splat(0.5)).unwrap().to_mesh(&Default::default())).unwrap(),
        Shape::HalfSpace,
    ];
    for shape in shapes {
        let mut builder = ModelBuilder::new();
        let name = format!("{shape:?}");
        let top = shape.support(DVec3::Z).z;
        let top = if top.is_finite() && top != 0.0 { top } else { 0.0 };
        builder.add_shape(WORLD, ShapeDef::new(shape));
        let id = builder.add_particle(ParticleDef::new(DVec3::new(0.05, 0.02, top + 0.5), 0.1).radius(0.02));
        let mut stage = staged(&builder);
        for _ in 0..60 {
            stage.step();
            assert!(q(&stage, id).z > top + 0.0199, "{} on {name}", q(&stage, id));
        }
        assert!((q(&stage, id).z - top - 0.02).abs() < 1e-4, "{} on {name}", q(&stage, id));
    }
}

/// At 100 m/s a particle does not get through a thin plate.
#[test]
fn fast_particles_do_not_pass_thin_plates() {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let plate = BodyDef::fixed("plate").cuboid(DVec3::new(0.5, 0.5, 0.001));
    builder.add_body(plate);
    let id = builder
        .add_particle(ParticleDef::new(DVec3::Z * 1.0, 0.1).velocity(DVec3::new(3.0, 0.0, -100.0)).radius(0.005));
    let passes = builder.add_particle(ParticleDef::new(DVec3::new(2.0, 0.0, 1.0), 0.1).velocity(DVec3::Z * -100.0));
    let mut stage = staged(&builder);
    stage.run(10.0 / 60.0);
    assert!(q(&stage, id).z > 0.0, "{}", q(&stage, id));
    assert!((q(&stage, passes).z - (1.0 - 1000.0 / 60.0)).abs() < 1e-9, "what passes beside is not stopped");
}

/// A particle that lands on soft ground goes in as deep as a spring with a damper that acts while it goes in.
#[test]
fn damping_of_soft_ground_slows_what_lands_on_it() {
    let (mass, stiffness, speed, h) = (0.5, 200.0, 1.0, 1.0 / 2000.0);
    let mut deepest = Vec::new();
    for damping in [0.0, 5.0, 20.0] {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::ZERO);
        let material = Material { stiffness, damping, ..Material::default() };
        builder.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace).material(material));
        let id = builder.add_particle(ParticleDef::new(DVec3::Z * 1e-6, mass).velocity(DVec3::NEG_Z * speed));
        let mut stage = Bench::new(&builder, h, 10);
        let lowest = (0..400).map(|_| {
            stage.step();
            q(&stage, id).z
        });
        let found = -lowest.fold(0.0, f64::min);
        // The same by small steps of the equation of motion.
        let (mut z, mut v, mut expected, dt) = (0.0, -speed, 0.0_f64, 1e-6);
        while v < 0.0 {
            v += dt * (-stiffness * z - damping * v) / mass;
            z += dt * v;
            expected = expected.max(-z);
        }
        assert!((found / expected - 1.0).abs() < 0.03, "{found} for {expected} at {damping}");
        deepest.push(found);
    }
    assert!(deepest[2] < 0.7 * deepest[1] && deepest[1] < 0.9 * deepest[0], "{deepest:?}");
}

/// What particles cannot do is refused by name, and done without on request.
#[test]
fn restitution_is_refused_by_the_name_of_the_shape() {
    let mut builder = ModelBuilder::new();
    builder.add_body(BodyDef::fixed("mat").cuboid(DVec3::splat(0.5)).restitution(0.5));
    builder.add_particle(ParticleDef::new(DVec3::Z, 0.1));
    let model = builder.finalize().unwrap();
    let refused = Vbd::new(&model, VbdOptions::default()).unwrap_err().to_string();
    assert!(refused.contains(&model.shape_name[0]) && refused.contains("particles.inelastic"), "{refused}");
    let particles = ParticleOptions { inelastic: true, ..ParticleOptions::default() };
    assert!(Vbd::new(&model, VbdOptions { particles, ..VbdOptions::default() }).is_ok());
}

/// A particle that slides down a smooth ball leaves it where its weight no longer holds it there, at a third of the radius below the
/// top: planes of the start of a step, beside which it goes by several centimetres, would throw it off at once.
#[test]
fn a_particle_leaves_a_smooth_ball_at_a_third_of_its_radius() {
    let mut builder = ModelBuilder::new();
    let mut smooth = Material::default();
    smooth.set_friction(0.0);
    builder.add_body(BodyDef::fixed("ball").shape(ShapeDef::sphere(1.0).material(smooth)));
    let start = 0.2_f64;
    let speed = (2.0 * 9.81 * (1.0 - start.cos())).sqrt();
    let at = DVec3::new(start.sin(), 0.0, start.cos());
    let along = DVec3::new(start.cos(), 0.0, -start.sin());
    let id = builder.add_particle(ParticleDef::new(at, 0.1).velocity(along * speed));
    let mut stage = Bench::new(&builder, 1.0 / 480.0, 10);
    let (mut on_it, mut off_it) = (0.0_f64, 0.0_f64);
    while q(&stage, id).z > 0.5 {
        stage.step();
        let at = q(&stage, id);
        let gap = at.length() - 1.0;
        assert!(gap > -1e-3, "in the ball by {gap}");
        if at.normalize().z > 0.7 {
            on_it = on_it.max(gap);
        }
        off_it = gap;
    }
    assert!(on_it < 1e-4, "off the ball by {on_it} before it should");
    assert!(off_it > 1e-3, "off the ball by {off_it} only, though it should have left");
}
