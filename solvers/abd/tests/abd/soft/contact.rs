//! Particles against bodies, each other and themselves.

use drystone_abd::{Abd, AbdOptions};
use drystone_model::{BodyDef, DQuat, DVec3, ModelBuilder, ParticleDef, Pose, Shape, ShapeDef, WORLD};
use drystone_solve::Solver;

use super::{block, cloth};
use crate::bench::Bench;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn scene() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(GRAVITY);
    scene
}

fn blocks_and_a_box() -> ModelBuilder {
    let mut scene = scene();
    scene.ground();
    scene.add_soft_grid(&block(3, 0.3, DVec3::new(-0.15, -0.15, 0.02), 1e5));
    scene.add_soft_grid(&block(2, 0.2, DVec3::new(-0.1, -0.07, 0.34), 5e4));
    scene.add_body(BodyDef::dynamic("box").at(DVec3::new(0.02, 0.0, 0.65)).cuboid(DVec3::splat(0.08)).mass(2.0));
    scene
}

/// A block dropped on the ground, one on the block and a box on both: nothing cuts, and all come to rest.
#[test]
fn blocks_carry_a_box() {
    let mut bench = Bench::new(&blocks_and_a_box(), 0.01);
    let report = bench.run(1.5);
    assert!(!report.is_unconverged() && report.kinetic_energy < 1e-3, "{report:?}");
    let z = bench.state.body_q[0].translation.z;
    assert!((0.5..0.6).contains(&z) && report.max_penetration == Some(0.0), "{z}");
}

/// The same to the bit for any number of threads, and from a snapshot.
#[test]
fn threads_and_snapshots_change_no_bit() {
    let end = |threads: usize, resumed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut bench = Bench::new(&blocks_and_a_box(), 0.01);
            bench.run(0.25);
            if resumed {
                let bytes = bench.solver.snapshot();
                let mut fresh = Abd::new(&bench.model, AbdOptions::default()).unwrap();
                fresh.restore(&bytes).unwrap();
                bench.solver = fresh;
            }
            bench.run(0.15);
            (bench.state.particle_q.clone(), bench.state.particle_qd.clone(), bench.state.body_affine[0])
        })
    };
    let one = end(1, false);
    assert!(one == end(3, false), "threads");
    assert!(one == end(2, true), "snapshot");
}

/// Cloth dropped on a box hangs over its edges.
#[test]
fn cloth_falls_over_a_box() {
    let mut scene = scene();
    scene.ground();
    scene.add_body(BodyDef::fixed("stand").at(DVec3::Z * 0.2).cuboid(DVec3::splat(0.1)));
    scene.add_cloth_grid(&cloth(10, 0.5, DVec3::new(-0.25, -0.25, 0.31), 0.002));
    let mut bench = Bench::new(&scene, 0.01);
    let report = bench.run(0.8);
    let lowest = bench.state.particle_q.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    assert!(lowest < 0.2 && lowest > 0.002 && report.min_distance.unwrap() > 0.002, "{lowest} {report:?}");
}

/// Sheets that fall on each other lie on each other, a thickness apart.
#[test]
fn sheets_lie_on_each_other() {
    let mut scene = scene();
    scene.ground();
    for k in 0..3 {
        let at = DVec3::new(-0.1 + 0.013 * f64::from(k), -0.1, 0.01 + 0.01 * f64::from(k));
        scene.add_cloth_grid(&cloth(5, 0.2, at, 0.002));
    }
    let mut bench = Bench::new(&scene, 0.01);
    bench.run(0.6);
    for sheet in 0..3 {
        let own = &bench.state.particle_q[36 * sheet..36 * (sheet + 1)];
        let mean = own.iter().map(|x| x.z).sum::<f64>() / 36.0;
        // The first keeps its radius from the ground, each other one two of them from the one below.
        let expected = 0.002 + 0.004 * sheet as f64;
        assert!(mean > expected - 1e-9 && mean < expected + 1e-3, "{sheet}: {mean}");
    }
}

/// A strip laid down in folds by its fall does not pass through itself.
#[test]
fn a_falling_strip_folds_without_crossing_itself() {
    let mut scene = scene();
    scene.ground();
    let grid = drystone_model::ClothGrid {
        pose: Pose::from_parts(DVec3::new(0.0, 0.0, 0.02), DQuat::from_rotation_y(-1.52)),
        cells: [20, 2],
        size: [0.025, 0.03],
        ..cloth(1, 1.0, DVec3::ZERO, 0.001)
    };
    scene.add_cloth_grid(&grid);
    let mut bench = Bench::new(&scene, 0.01);
    let mut most = 0;
    for _ in 0..80 {
        most = most.max(bench.step().contact_count);
    }
    let highest = bench.state.particle_q.iter().map(|x| x.z).fold(0.0, f64::max);
    assert!(highest < 0.2 && most > 20, "{highest} {most}");
}

/// Two strings that cross catch each other.
#[test]
fn strings_hang_over_each_other() {
    let mut scene = scene();
    let mut string = |along: DVec3, z: f64, pinned: bool| {
        let ids: Vec<_> = (0..9)
            .map(|k| scene.add_particle(ParticleDef::new(along * (0.05 * f64::from(k) - 0.2) + DVec3::Z * z, 0.01)))
            .collect();
        ids.windows(2).for_each(|ends| scene.add_spring(ends[0], ends[1], 500.0, 0.1));
        if pinned {
            [ids[0], ids[8]].into_iter().for_each(|id| scene.pin(id));
        }
    };
    string(DVec3::new(1.0, 0.13, 0.0), 0.0, true);
    string(DVec3::new(0.1, 1.0, 0.0), 0.05, false);
    let mut bench = Bench::new(&scene, 0.01);
    bench.run(0.6);
    let low = bench.state.particle_q[4].z;
    let over = bench.state.particle_q[13].z;
    assert!(over > low - 1e-3 && over > -0.3, "{low} {over}");
    assert!(bench.state.particle_q[9].z < over - 0.05, "its ends hang down");
}

/// Thrown at a wall at 100 m/s, cloth stays on its side.
#[test]
fn what_is_fast_does_not_pass_through() {
    let mut scene = scene();
    scene.add_body(BodyDef::fixed("wall").at(DVec3::new(0.0, 0.0, -0.01)).cuboid(DVec3::new(1.0, 1.0, 0.01)));
    scene.add_cloth_grid(&cloth(6, 0.3, DVec3::new(-0.15, -0.15, 0.05), 0.0));
    let mut bench = Bench::new(&scene, 0.01);
    bench.state.particle_qd.fill(DVec3::new(3.0, 0.0, -100.0));
    for _ in 0..10 {
        bench.step();
        assert!(bench.state.particle_q.iter().all(|x| x.z > 0.0));
    }
}

/// A block slides down a slope by gravity less friction, and sticks to one that is less steep than its coefficient.
#[test]
fn blocks_slide_and_stick_by_coulombs_law() {
    for (friction, angle) in [(0.3_f64, 0.5_f64), (0.6, 0.4)] {
        let mut scene = ModelBuilder::new();
        // The slope is level and gravity leans.
        scene.gravity(9.81 * DVec3::new(angle.sin(), 0.0, -angle.cos()));
        scene.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace).friction(friction));
        scene.add_soft_grid(&block(2, 0.2, DVec3::new(0.0, 0.0, 1e-4), 1e6));
        let options = AbdOptions { particle_friction: friction, ..AbdOptions::default() };
        let mut bench = Bench::with(&scene, 0.005, options);
        bench.run(0.1);
        let speed =
            |bench: &Bench| bench.model.momentum(&bench.state).linear.x / bench.model.particle_mass.iter().sum::<f64>();
        let before = speed(&bench);
        bench.run(0.4);
        let gained = (speed(&bench) - before) / 0.4;
        let expected = 9.81 * (angle.sin() - friction * angle.cos()).max(0.0);
        if expected > 0.0 {
            assert!((gained / expected - 1.0).abs() < 0.02, "{gained} {expected}");
        } else {
            assert!(speed(&bench).abs() < 1e-4, "{}", speed(&bench));
        }
    }
}

/// Starts that cut or are too near are refused by name.
#[test]
fn starts_that_cut_are_refused_by_name() {
    let refused = |height: f64, radius: f64| {
        let mut scene = scene();
        scene.add_body(BodyDef::fixed("stand").cuboid(DVec3::splat(0.1)));
        scene.add_cloth_grid(&cloth(4, 0.3, DVec3::new(-0.15, -0.15, height), radius));
        Abd::new(&scene.finalize().unwrap(), AbdOptions::default()).err().map(|error| error.to_string())
    };
    let cut = refused(0.05, 0.0).unwrap();
    assert!(cut.contains("`stand`") && cut.contains("particle"), "{cut}");
    let near = refused(0.101, 0.002).unwrap();
    assert!(near.contains("`stand`") && near.contains("keeps"), "{near}");
    assert_eq!(refused(0.103, 0.002), None);
}
