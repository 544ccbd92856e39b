//! Free motion, pins, what is led, what is not finite, and what is remembered.

use drystone_model::{DVec3, ElementMaterial, ModelBuilder, ParticleDef, Pose, SoftGrid};
use drystone_solve::Solver;
use drystone_vbd::{Vbd, VbdOptions};

use super::stage::{q, sheet, staged};

/// Particles fall by g t (t + dt) / 2, each by the gravity of its world.
#[test]
fn what_is_free_falls_in_its_own_world() {
    let mut builder = ModelBuilder::new();
    let one = builder.add_particle(ParticleDef::new(DVec3::Z, 0.1));
    builder.begin_world(DVec3::Y * 2.0);
    let other = builder.add_particle(ParticleDef::new(DVec3::Z, 3.0));
    let mut stage = staged(&builder);
    stage.run(60.0 / 60.0);
    let fallen = |g: f64| 0.5 * g * (1.0 + stage.dt);
    assert!((q(&stage, one) - DVec3::Z * (1.0 - fallen(9.81))).length() < 1e-12);
    assert!((q(&stage, other) - DVec3::new(0.0, fallen(2.0), 1.0)).length() < 1e-12);
}

/// A led particle is where it was told to be, and falls with its mass once it is let go.
#[test]
fn a_led_particle_keeps_its_mass_for_when_it_is_let_go() {
    let mut builder = ModelBuilder::new();
    let led = builder.add_particle(ParticleDef::new(DVec3::ZERO, 0.5));
    let hung = builder.add_particle(ParticleDef::new(DVec3::Z * -1.0, 0.5));
    builder.add_spring(led, hung, 1e4, 1.0);
    let mut stage = staged(&builder);
    for step in 0..120 {
        let goal = DVec3::X * 0.2 * (f64::from(step + 1) / 120.0);
        stage.control.particle_target[0] = Some(goal);
        stage.step();
        assert_eq!(q(&stage, led), goal);
    }
    let before = stage.model.momentum(&stage.state).linear;
    stage.control.particle_target[0] = None;
    stage.step();
    let gained = stage.model.momentum(&stage.state).linear - before;
    let weight = DVec3::Z * (-9.81 * stage.dt);
    assert!((gained - weight).length() < 1e-9, "{gained} for {weight}");
}

/// A cloth of which one particle is given a number that is none: that one stays where it was, the rest goes on.
#[test]
fn a_particle_that_is_not_finite_is_taken_out_and_the_rest_goes_on() {
    let mut builder = ModelBuilder::new();
    let ids = builder.add_cloth_grid(&sheet(Pose::IDENTITY, 8, 1.0, 1e3, 0.0));
    let mut stage = staged(&builder);
    stage.run(10.0 / 60.0);
    let bad = ids[40];
    let last = q(&stage, bad);
    stage.state.particle_q[bad.built_index()].x = f64::NAN;
    let report = stage.step();
    assert_eq!(report.frozen_particles, [bad]);
    assert_eq!(q(&stage, bad), last);
    let report = stage.run(30.0 / 60.0);
    assert!(report.frozen_particles.is_empty());
    assert_eq!(q(&stage, bad), last);
    assert!(stage.state.particle_q.iter().all(|q| q.is_finite()));
    // The others hang on it.
    assert!(q(&stage, ids[0]).z < last.z - 0.1);
    stage.control.particle_f[3].y = f64::INFINITY;
    assert_eq!(stage.step().frozen_particles, [ids[3]]);
    assert!(stage.state.particle_q.iter().all(|q| q.is_finite()));
}

/// A run that goes on from a snapshot, on another number of threads, ends with the same bits.
#[test]
fn runs_resume_bit_for_bit_on_any_number_of_threads() {
    let build = || {
        let mut builder = ModelBuilder::new();
        builder.ground();
        let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.1));
        builder.add_cloth_grid(&sheet(pose, 20, 1.0, 1e4, 0.01));
        let ball = drystone_model::BodyDef::dynamic("ball").at(DVec3::Z * 0.4).sphere(0.1).mass(0.5);
        builder.add_body(ball);
        staged(&builder)
    };
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let whole = pool(1).install(|| {
        let mut stage = build();
        stage.run(50.0 / 60.0);
        stage.state.hash()
    });
    let mut first = build();
    pool(3).install(|| first.run(25.0 / 60.0));
    let mut second = build();
    second.state = first.state.clone();
    second.solver.restore(&first.solver.snapshot()).unwrap();
    second.collide.restore(&first.collide.snapshot()).unwrap();
    pool(2).install(|| second.run(25.0 / 60.0));
    assert_eq!(second.state.hash(), whole);
}

/// A free spinning block keeps its momentum, and its energy never grows.
#[test]
fn a_spinning_block_keeps_momentum_and_gains_no_energy() {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let ids = builder.add_soft_grid(&SoftGrid {
        pose: Pose::IDENTITY,
        cells: [3; 3],
        size: DVec3::splat(0.1),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e5, 0.3, 0.0),
    });
    let mut stage = staged(&builder);
    for id in ids {
        let r = q(&stage, id) - DVec3::splat(0.15);
        stage.state.particle_qd[id.built_index()] = DVec3::new(1.0, 3.0, -2.0).cross(r) + DVec3::X * 0.2;
    }
    let start = stage.model.momentum(&stage.state);
    let mut energy = f64::INFINITY;
    for _ in 0..600 {
        let report = stage.step();
        let now = stage.model.momentum(&stage.state);
        assert!((now.linear - start.linear).length() < 1e-9 * start.linear.length());
        assert!((now.angular - start.angular).length() < 1e-9 * start.angular.length());
        let whole = report.kinetic_energy + report.elastic_energy.unwrap();
        assert!(whole <= energy * (1.0 + 1e-9), "{whole} after {energy}");
        assert_eq!(report.inverted_count, Some(0));
        energy = whole;
    }
}

#[test]
fn what_touches_particles_cannot_sleep() {
    let mut builder = ModelBuilder::new();
    builder.add_particle(ParticleDef::new(DVec3::Z, 0.1));
    let model = builder.finalize().unwrap();
    let refused = Vbd::new(&model, VbdOptions { sleeping: true, ..VbdOptions::default() }).unwrap_err().to_string();
    assert!(refused.contains("1 particles") && refused.contains("`sleeping`"), "{refused}");
}
