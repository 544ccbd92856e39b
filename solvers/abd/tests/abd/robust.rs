//! Random scenes, threads, resuming, and bodies the user moves.

use drystone_abd::{Abd, AbdOptions};
use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, DVec3, ModelBuilder};
use drystone_solve::Solver;

use crate::bench::Bench;
use crate::random::random_scene;

/// Every frame of every scene is free of intersections (the bench looks), finite, and most steps converge.
#[test]
fn random_scenes_never_intersect() {
    let (mut steps, mut open) = (0, 0);
    for seed in 0..3 {
        let options = AbdOptions { segments: 6, ..AbdOptions::default() };
        let mut bench = Bench::with(&random_scene(seed), 0.01, options);
        for _ in 0..40 {
            let report = bench.step();
            assert!(report.kinetic_energy.is_finite());
            steps += 1;
            open += usize::from(report.ending != drystone_solve::Ending::Converged);
        }
    }
    eprintln!("{steps} steps of random scenes, {open} not converged");
    assert!(20 * open < steps, "{open} of {steps} steps did not converge");
}

#[test]
fn threads_make_no_difference_and_runs_resume() {
    let run = |threads: usize, pause: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let options = AbdOptions { segments: 6, ..AbdOptions::default() };
            let mut bench = Bench::with(&random_scene(3), 0.01, options.clone());
            bench.run(0.3);
            if pause {
                let memory = bench.solver.snapshot();
                bench.solver = Abd::new(&bench.model, options).unwrap();
                bench.solver.restore(&memory).unwrap();
            }
            bench.run(0.1);
            bench.state.hash()
        })
    };
    let one = run(1, false);
    assert_eq!(one, run(3, false), "one thread and three");
    assert_eq!(one, run(2, true), "with a pause");
}

/// A kinematic block pushes a cube over a slippery floor, and arrives where it was told to.
#[test]
fn kinematic_bodies_push() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let pusher = BodyDef::kinematic("pusher").at(DVec3::new(-1.2, 0.0, 0.6)).velocity(DVec3::X);
    scene.add_body(pusher.cuboid(DVec3::splat(0.5)).friction(0.0));
    scene.add_body(BodyDef::dynamic("cube").at(DVec3::Z * 0.51).cuboid(DVec3::splat(0.5)).friction(0.0));
    let mut bench = Bench::new(&scene, 0.01);
    bench.run(1.0);
    let [pusher, cube] = [0, 1].map(|body| bench.state.body_q[body].translation.x);
    assert!((pusher + 0.2).abs() < 1e-5, "{pusher}");
    assert!(cube >= pusher + 1.0 && (bench.state.body_qd[1].linear.x - 1.0).abs() < 0.2, "{cube}");
}

/// Teleporting a body into another is an error that leaves the state alone; putting it back lets the run go on.
#[test]
fn a_failed_step_leaves_the_state() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for (i, z) in [0.6, 2.0].into_iter().enumerate() {
        scene.add_body(BodyDef::dynamic(format!("cube {i}")).at(DVec3::Z * z).cuboid(DVec3::splat(0.5)));
    }
    let mut bench = Bench::new(&scene, 0.01);
    bench.run(0.05);
    let good = bench.state.clone();
    bench.state.body_q[1].translation.z = 1.0;
    let bad = bench.state.clone();
    let mut collide = Collide::new(&bench.model, CollideOptions::default());
    let failed = bench.solver.step(&bench.model, &mut bench.state, &bench.control, &mut collide, 0.01);
    let message = failed.unwrap_err().to_string();
    assert!(message.contains("`cube 0` and `cube 1`"), "{message}");
    assert_eq!(bench.state, bad);
    bench.state = good;
    bench.run(0.05);
}
