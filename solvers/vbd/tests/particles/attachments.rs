//! Particles that bodies hold, and seams.

use drystone_model::{BodyDef, BodyId, DVec3, ModelBuilder, ParticleDef, ParticleId, Pose};

use drystone_solve::Solver;

use super::stage::{q, sheet, staged};
use crate::bench::Bench;

const DT: f64 = 1.0 / 60.0;

/// Where an attachment is held, and how far its particle is from there.
fn gap(stage: &Bench, index: usize) -> f64 {
    let model = &stage.model;
    let held = match model.attachment_other[index] {
        drystone_model::WORLD => match model.attachment_body[index] {
            drystone_model::WORLD => model.attachment_point[index],
            body => stage.state.body_q[body as usize].transform_point(model.attachment_point[index]),
        },
        other => stage.state.particle_q[other as usize],
    };
    held.distance(stage.state.particle_q[model.attachment_particle[index] as usize])
}

fn widest(stage: &Bench) -> f64 {
    (0..stage.model.attachment_particle.len()).map(|index| gap(stage, index)).fold(0.0, f64::max)
}

/// A spring without length carries a particle where its pull is the weight, and swings at its frequency.
#[test]
fn a_soft_attachment_is_a_spring_without_length() {
    for stiffness in [30.0, 1e3, 1e6] {
        let mut builder = ModelBuilder::new();
        let particle = builder.add_particle(ParticleDef::new(DVec3::X, 0.1));
        builder.attach_at(particle, BodyId::WORLD, DVec3::X, stiffness);
        let mut stage = staged(&builder);
        stage.run(60.0);
        let sag = 0.1 * 9.81 / stiffness;
        assert!((q(&stage, particle) - DVec3::new(1.0, 0.0, -sag)).length() < 1e-6 * sag, "{}", q(&stage, particle));
    }
    // Backward Euler turns by ω h / (1 + (ω h)²) to first order: small steps show the frequency.
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let particle = builder.add_particle(ParticleDef::new(DVec3::X, 0.25));
    builder.attach_at(particle, BodyId::WORLD, DVec3::ZERO, 4.0);
    let mut stage = Bench::new(&builder, 1e-3, 10);
    let mut crossings = Vec::new();
    for step in 0..4000 {
        let before = q(&stage, particle).x;
        stage.step();
        let after = q(&stage, particle).x;
        if before > 0.0 && after <= 0.0 {
            crossings.push((f64::from(step) + before / (before - after)) * 1e-3);
        }
    }
    let period = crossings[1] - crossings[0];
    // ω = √(k/m) = 4 rad/s.
    assert!((period - std::f64::consts::TAU / 4.0).abs() < 1e-3 * period, "{period}");
}

/// A sheet held along an edge by attachments to the world hangs as one whose edge is pinned.
#[test]
fn a_sheet_attached_along_an_edge_hangs_as_if_pinned() {
    let n = 16;
    let hang = |attached: bool| {
        let mut builder = ModelBuilder::new();
        let ids = builder.add_cloth_grid(&sheet(Pose::IDENTITY, n, 1.0, 1e4, 0.0));
        for &id in &ids[..=n] {
            if attached { builder.attach(id, BodyId::WORLD) } else { builder.pin(id) }
        }
        let mut stage = staged(&builder);
        let mut worst = 0.0_f64;
        for _ in 0..600 {
            stage.step();
            worst = worst.max(widest(&stage));
        }
        (q(&stage, ids[n * (n + 1) + n / 2]), worst)
    };
    let ((pinned, _), (attached, worst)) = (hang(false), hang(true));
    assert!((attached.z - pinned.z).abs() < 2e-3, "{attached}, pinned {pinned}");
    assert!(worst < 1e-3, "{worst}");
}

/// A rope with a weight at its end: it hangs straight, the weight carried, and the point of the weight stays at the end of the rope
/// while it swings.
#[test]
fn a_weight_swings_on_a_rope() {
    for ratio in [1.0, 100.0, 1e4] {
        let mut builder = ModelBuilder::new();
        let points: Vec<DVec3> = (0..=20).map(|k| DVec3::X * 0.05 * f64::from(k)).collect();
        let rope = builder.add_string(&points, 0.1, 0.0, 1e3 * ratio, 0.0);
        builder.pin(rope[0]);
        let mass = 0.1 * ratio;
        let weight =
            builder.add_body(BodyDef::dynamic("weight").at(DVec3::X * 1.1).cuboid(DVec3::splat(0.1)).mass(mass));
        builder.attach(rope[20], weight);
        let mut stage = staged(&builder);
        let (mut worst, mut lowest, mut energy) = (0.0_f64, 0.0_f64, f64::NEG_INFINITY);
        for _ in 0..240 {
            let report = stage.step();
            worst = worst.max(widest(&stage));
            lowest = lowest.min(stage.state.body_q[0].translation.z);
            let whole = report.kinetic_energy + report.potential_energy + report.elastic_energy.unwrap();
            energy = energy.max(whole);
        }
        assert!(worst < 2e-3, "ratio {ratio}: {worst}");
        // It got down, and the rope was not torn out by more than it stretches.
        assert!(lowest < -1.0 && lowest > -1.2, "ratio {ratio}: {lowest}");
        assert!(energy < 0.02 * mass * 9.81, "ratio {ratio}: {energy}");
    }
}

/// A body and a sheet tied to it tumble in free space and keep their momentum, linear and angular.
#[test]
fn what_is_tied_together_keeps_its_momentum() {
    for mass in [0.02, 0.5, 20.0] {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::ZERO);
        let body = BodyDef::dynamic("box").cuboid(DVec3::new(0.1, 0.15, 0.1)).mass(mass);
        let body = builder.add_body(body.velocity(DVec3::new(0.3, 0.0, 0.5)).spin(DVec3::new(1.0, 2.0, 0.5)));
        let n = 8;
        let pose = Pose::from_translation(DVec3::new(0.1, -0.15, 0.1));
        let ids = builder.add_cloth_grid(&sheet(pose, n, 0.3, 1e3, 0.0));
        [0, n / 2, n].into_iter().for_each(|k| builder.attach(ids[k * (n + 1)], body));
        let mut stage = staged(&builder);
        // All of it moves as one at first.
        let twist = stage.state.body_qd[0];
        for (v, q) in stage.state.particle_qd.iter_mut().zip(&stage.model.particle_q) {
            *v = twist.linear + twist.angular.cross(*q);
        }
        let start = stage.model.momentum(&stage.state);
        let mut worst = 0.0_f64;
        for step in 0..120 {
            stage.step();
            worst = worst.max(widest(&stage));
            let now = stage.model.momentum(&stage.state);
            let (linear, angular) = (now.linear - start.linear, now.angular - start.angular);
            assert!(linear.length() < 1e-9 * start.linear.length(), "mass {mass}, step {step}: {linear}");
            assert!(angular.length() < 1e-9 * start.angular.length(), "mass {mass}, step {step}: {angular}");
        }
        assert!(worst < 5e-3, "mass {mass}: {worst}");
    }
}

/// A particle on the rim of a wheel that is led round goes round with it.
#[test]
fn what_is_led_takes_its_particles_along() {
    let mut builder = ModelBuilder::new();
    let wheel = builder.add_body(BodyDef::kinematic("wheel").spin(DVec3::Z * 6.0).sphere(0.1));
    let particle = builder.add_particle(ParticleDef::new(DVec3::X * 0.5, 0.1));
    builder.attach(particle, wheel);
    let mut stage = staged(&builder);
    let mut worst = 0.0_f64;
    for step in 0..120 {
        stage.step();
        if step > 10 {
            worst = worst.max(widest(&stage));
        }
    }
    assert!(worst < 1e-3, "{worst}");
}

/// Two sheets sewn along an edge hang as one of twice the length, and the seam closes gently from afar, though both have an extent.
#[test]
fn a_seam_closes_and_carries() {
    let n = 8;
    let mut builder = ModelBuilder::new();
    let upper = builder.add_cloth_grid(&sheet(Pose::IDENTITY, n, 0.5, 1e4, 0.005));
    let apart = Pose::from_translation(DVec3::new(0.0, 0.7, 0.0));
    let lower = builder.add_cloth_grid(&sheet(apart, n, 0.5, 1e4, 0.005));
    upper[..=n].iter().for_each(|&id| builder.pin(id));
    for k in 0..=n {
        builder.sew(upper[n * (n + 1) + k], lower[k]);
    }
    // Air brings it to rest.
    builder.air(&[&upper[..], &lower[..]].concat(), 0.6, 0.0);
    let mut stage = staged(&builder);
    let mut fastest = 0.0_f64;
    for _ in 0..30 {
        stage.step();
        fastest = stage.state.particle_qd.iter().map(|v| v.length()).fold(fastest, f64::max);
    }
    assert!(widest(&stage) < 5e-3, "{}", widest(&stage));
    // It fell for half a second, and the seam drew no harder than a quarter of an edge per step.
    assert!(fastest < 10.0, "{fastest}");
    stage.run(5.0);
    assert!(widest(&stage) < 3e-4, "{}", widest(&stage));
    let bottom = q(&stage, lower[n * (n + 1) + n / 2]).z;
    assert!((bottom + 1.0).abs() < 0.01, "{bottom}");
}

/// What a body holds firmly does not collide with it, and does with others.
#[test]
fn what_is_held_inside_a_body_stays_there() {
    let mut builder = ModelBuilder::new();
    let block = builder.add_body(BodyDef::fixed("block").cuboid(DVec3::splat(0.5)));
    let [inside, free] = [0.3, 0.6].map(|z| builder.add_particle(ParticleDef::new(DVec3::Z * z, 0.1).radius(0.01)));
    builder.attach(inside, block);
    let mut stage = staged(&builder);
    stage.run(2.0);
    assert!((q(&stage, inside) - DVec3::Z * 0.3).length() < 1e-5, "{}", q(&stage, inside));
    assert!((q(&stage, free).z - 0.51).abs() < 1e-3, "{}", q(&stage, free));
}

/// A run that goes on from a snapshot ends with the same bits, with whatever the bonds carried; lengths, masses and times have no unit.
#[test]
fn bonds_resume_and_have_no_units() {
    let build = |length: f64, mass: f64, time: f64| {
        let mut builder = ModelBuilder::new();
        builder.gravity(DVec3::new(0.0, 0.0, -9.81 * length / (time * time)));
        let points: Vec<DVec3> = (0..=6).map(|k| DVec3::X * 0.1 * f64::from(k) * length).collect();
        let rope: Vec<ParticleId> =
            builder.add_string(&points, 0.1 * mass / length, 0.0, 1e3 * mass * length / (time * time), 0.0);
        let pose = Pose::from_translation(DVec3::X * 0.7 * length);
        let body = BodyDef::dynamic("b").pose(pose).cuboid(DVec3::splat(0.1 * length)).mass(mass);
        let body = builder.add_body(body);
        builder.attach(rope[6], body);
        builder.attach_at(rope[0], BodyId::WORLD, DVec3::ZERO, 50.0 * mass / (time * time));
        Bench::new(&builder, DT * time, 10)
    };
    let mut stage = build(1.0, 1.0, 1.0);
    (0..40).for_each(|_| drop(stage.step()));
    let mut again = build(1.0, 1.0, 1.0);
    (0..20).for_each(|_| drop(again.step()));
    let mut resumed = build(1.0, 1.0, 1.0);
    resumed.state = again.state.clone();
    resumed.solver.restore(&again.solver.snapshot()).unwrap();
    resumed.collide.restore(&again.collide.snapshot()).unwrap();
    (0..20).for_each(|_| drop(resumed.step()));
    assert_eq!(resumed.state.hash(), stage.state.hash());
    let mut scaled = build(7.0, 0.3, 2.5);
    (0..40).for_each(|_| drop(scaled.step()));
    for (one, other) in stage.state.particle_q.iter().zip(&scaled.state.particle_q) {
        assert!((*one - *other / 7.0).length() < 1e-9, "{one} and {other}");
    }
}
