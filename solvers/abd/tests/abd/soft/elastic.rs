//! Elements in the Newton solve against theory.

use drystone_abd::AbdOptions;
use drystone_model::{BodyDef, DQuat, DVec3, ElementMaterial, ModelBuilder, ParticleDef, ParticleId, Pose, SoftGrid};

use crate::bench::Bench;

/// Inner particles of a block whose faces are pinned after a uniform strain end where the strain takes them.
#[test]
fn patches_keep_uniform_strain() {
    let strained = |x: DVec3| DVec3::new(1.05 * x.x + 0.02 * x.y, 0.97 * x.y, 1.01 * x.z + 0.03 * x.x);
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let ids = scene.add_soft_grid(&super::block(4, 0.4, DVec3::splat(-0.2), 1e5));
    let outer = |x: DVec3| x.abs().max_element() > 0.2 - 1e-9;
    let rest = scene.finalize().unwrap().particle_q.clone();
    ids.iter().zip(&rest).filter(|(_, x)| outer(**x)).for_each(|(id, _)| scene.pin(*id));
    let mut bench = Bench::new(&scene, 0.02);
    for (place, x) in rest.iter().enumerate() {
        bench.state.particle_q[place] = if outer(*x) { strained(*x) } else { *x };
    }
    bench.run(6.0);
    for (now, x) in bench.state.particle_q.iter().zip(&rest) {
        assert!((*now - strained(*x)).length() < 1e-7, "{now} {}", strained(*x));
    }
}

/// A cantilever under a force at its end: F L³ / 3 E I and the shear of Timoshenko's beam, from below as meshes get finer.
#[test]
fn cantilevers_bend_as_theory_says() {
    let (length, width, young, force) = (1.0, 0.125, 1e7, 10.0);
    let second = width * width * width * width / 12.0;
    let expected = force * length * length * length / (3.0 * young * second)
        + force * length / (5.0 / 6.0 * 0.5 * young * width * width);
    let off = |cells: usize| {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let ids = scene.add_soft_grid(&SoftGrid {
            pose: Pose::from_parts(DVec3::ZERO, turn),
            cells: [cells, cells, 8 * cells],
            size: DVec3::splat(width / cells as f64),
            density: 1000.0,
            radius: 0.0,
            material: ElementMaterial::solid(young, 0.0, 0.0),
        });
        let layer = (cells + 1) * (cells + 1);
        ids[..layer].iter().for_each(|&id| scene.pin(id));
        let mut bench = Bench::new(&scene, 0.5);
        let tip = ids.len() - layer;
        (tip..tip + layer).for_each(|k| bench.control.particle_f[k] = DVec3::NEG_Z * force / layer as f64);
        // Long steps of backward Euler damp all but the bent beam.
        bench.run(10.0);
        let drop = |k: usize| bench.model.particle_q[k].z - bench.state.particle_q[k].z;
        (tip..tip + layer).map(drop).sum::<f64>() / layer as f64 / expected - 1.0
    };
    let (coarse, fine) = (off(3), off(6));
    eprintln!("tip of a cantilever off by {coarse:.3} with 3 cells across, {fine:.3} with 6");
    assert!(coarse < 0.0 && fine < 0.0 && fine.abs() < 0.08 && fine.abs() < 0.35 * coarse.abs(), "{coarse} {fine}");
}

/// Free bodies that turn and ring keep their momentum, and lose energy without ever gaining any.
#[test]
fn free_blocks_keep_linear_momentum_and_never_gain_energy() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    for (side, at) in [(0.2, DVec3::new(-0.25, -0.1, -0.1)), (0.2, DVec3::new(0.05, -0.06, -0.12))] {
        scene.add_soft_grid(&super::block(3, side, at, 2e5));
    }
    let mut bench = Bench::new(&scene, 0.005);
    let half = bench.state.particle_q.len() / 2;
    for (place, v) in bench.state.particle_qd.iter_mut().enumerate() {
        let toward = if place < half { 2.0 } else { -1.0 };
        *v = DVec3::X * toward + DVec3::new(0.3, -1.0, 2.0).cross(bench.model.particle_q[place]);
    }
    let start = bench.model.momentum(&bench.state).linear;
    let mut energy = bench.model.energy(&bench.state).kinetic;
    let (mut off, mut gained, mut met) = (0.0_f64, 0.0_f64, 0);
    for _ in 0..100 {
        let report = bench.step();
        let now = bench.model.energy(&bench.state).kinetic + report.elastic_energy.unwrap();
        gained = gained.max(now / energy - 1.0);
        energy = now;
        off = off.max((bench.model.momentum(&bench.state).linear - start).length() / start.length());
        met += usize::from(report.contact_count > 0);
    }
    eprintln!(
        "blocks in collision for {met} steps: momentum off by {off:.1e}, most energy gained in a step {gained:.1e}"
    );
    assert!(met > 3 && off < 1e-8 && gained < 1e-8);
}

/// A cube of very stiff tetrahedra and an affine one, thrown alike onto the ground.
#[test]
fn stiff_tetrahedra_move_as_an_affine_body() {
    let (side, spin, velocity) = (0.2, DVec3::new(1.0, 2.0, 0.5), DVec3::new(0.5, 0.0, 0.0));
    let options = AbdOptions { particle_friction: 0.5, contact_distance: Some(1e-4), ..AbdOptions::default() };
    let scene = |soft: bool| {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::new(0.0, 0.0, -9.81));
        let floor = drystone_model::ShapeDef::new(drystone_model::Shape::HalfSpace);
        scene.add_shape(drystone_model::WORLD, floor.friction(0.5));
        if soft {
            scene.add_soft_grid(&super::block(2, side, DVec3::new(-0.1, -0.1, 0.2), 1e9));
        } else {
            let cube = drystone_model::ShapeDef::cuboid(DVec3::splat(0.1)).friction(0.5).density(1000.0);
            let body = BodyDef::dynamic("cube").at(DVec3::Z * 0.3).shape(cube);
            scene.add_body(body.velocity(velocity).spin(spin));
        }
        scene
    };
    let bdf1 = AbdOptions { integrator: drystone_abd::Integrator::Bdf1, ..options };
    let mut affine = Bench::with(&scene(false), 0.002, bdf1.clone());
    let mut tets = Bench::with(&scene(true), 0.002, bdf1);
    let centre = DVec3::Z * 0.3;
    for (v, x) in tets.state.particle_qd.iter_mut().zip(&tets.model.particle_q) {
        *v = velocity + spin.cross(*x - centre);
    }
    let mut worst = 0.0_f64;
    let mut way = 0.0;
    for _ in 0..75 {
        affine.step();
        tets.step();
        let q = affine.state.body_q[0];
        way += 0.002 * affine.state.body_qd[0].linear.length();
        for (x, rest) in tets.state.particle_q.iter().zip(&tets.model.particle_q) {
            worst = worst.max(x.distance(q.transform_point(*rest - centre)));
        }
    }
    eprintln!("stiff tetrahedra off from an affine cube by {worst:.1e} m after {way:.2} m");
    assert!(worst < 0.01 * way, "{worst} {way}");
}

/// A spring with a weight swings with its period, damped by backward Euler alone.
#[test]
fn weights_on_springs_swing_with_their_period() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -10.0));
    let top = scene.add_particle(ParticleDef::new(DVec3::ZERO, 0.0));
    let low = scene.add_particle(ParticleDef::new(DVec3::Z * -1.0, 2.0));
    scene.add_spring(top, low, 200.0, 0.0);
    let mut bench = Bench::new(&scene, 1e-3);
    let (mut lowest, mut when) = (0.0, 0.0);
    for _ in 0..600 {
        bench.step();
        let z = bench.state.particle_q[ParticleId(1).0 as usize].z;
        if z < lowest {
            (lowest, when) = (z, bench.state.time);
        }
    }
    // Half a period of 2π √(m/k) below, by twice the sag.
    assert!((when - std::f64::consts::PI * 0.1).abs() < 2e-3, "{when}");
    assert!((lowest + 1.2).abs() < 5e-3, "{lowest}");
}
