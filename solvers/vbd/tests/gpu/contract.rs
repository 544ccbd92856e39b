//! Determinism, growth, checkpoints, and what is refused.

use drystone_model::{BodyDef, BodyId, DVec3, JointDef, Material, ModelBuilder, ShapeDef, WORLD};
use drystone_solve::solver::Solver;
use drystone_vbd::{Method, Vbd, VbdOptions};

use crate::tools::{DT, Run, heap, on_device, sweeps};

/// The same bits in every run.
#[test]
fn two_runs_end_with_the_same_bits() {
    let model = heap(24, 5);
    let run = || Run::new(&model, &on_device(&sweeps(4))).steps(60).state.hash();
    assert_eq!(run(), run());
}

/// Steps of which the host hears the last alone are those that it hears of one by one.
#[test]
fn steps_ahead_are_the_same_steps() {
    let model = heap(20, 8);
    let options = on_device(&sweeps(4));
    let mut one_by_one = Run::new(&model, &options);
    one_by_one.steps(41);
    let mut ahead = Run::new(&model, &options);
    let control = model.control();
    let Run { solver, state, collide, .. } = &mut ahead;
    let report = solver.steps(&model, state, &control, collide, DT, 41).unwrap();
    assert_eq!(one_by_one.state.hash(), ahead.state.hash());
    assert_eq!(report.contact_count, one_by_one.report.contact_count);
}

/// A run that goes on from what was saved ends with the bits of one that was not interrupted.
#[test]
fn a_resumed_run_ends_with_the_same_bits() {
    let model = heap(20, 6);
    let options = on_device(&sweeps(4));
    let mut whole = Run::new(&model, &options);
    whole.steps(40);
    let (saved, collide, state) = (whole.solver.snapshot(), whole.collide.snapshot(), whole.state.clone());
    whole.steps(20);
    let mut resumed = Run::new(&model, &options);
    resumed.solver.restore(&saved).unwrap();
    resumed.collide.restore(&collide).unwrap();
    resumed.state = state;
    resumed.steps(20);
    assert_eq!(whole.state.hash(), resumed.state.hash());
}

/// What the device does not do is refused by name, with a way out.
#[test]
fn what_the_device_does_not_do_is_refused_by_name() {
    let refused = |scene: ModelBuilder, options: VbdOptions, words: &[&str]| {
        let model = scene.finalize().unwrap();
        let error = Vbd::new(&model, on_device(&options)).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    let cube = || {
        let mut scene = ModelBuilder::new();
        scene.ground();
        scene.add_body(BodyDef::dynamic("cube").at(DVec3::Z).cuboid(DVec3::splat(0.5)));
        scene
    };
    refused(cube(), VbdOptions { method: Method::Avbd, ..sweeps(4) }, &["method", "CPU"]);
    refused(cube(), VbdOptions { sleeping: true, ..sweeps(4) }, &["sleep", "CPU"]);
    refused(cube(), VbdOptions { momentum_repair: Some(false), ..sweeps(4) }, &["momentum_repair", "CPU"]);
    refused(cube(), VbdOptions { tolerance: 1e-3, ..sweeps(4) }, &["tolerance", "CPU"]);
    let mut scene = cube();
    scene.add_body(BodyDef::dynamic("drum").at(DVec3::Z * 3.0).shape(ShapeDef::cylinder(0.5, 0.5)));
    refused(scene, sweeps(4), &["cylinder", "CPU"]);
    let mut scene = cube();
    let hung = scene.add_body(BodyDef::dynamic("hung").at(DVec3::Z * 3.0).sphere(0.5));
    scene.add_joint(JointDef::ball(BodyId(WORLD), hung, DVec3::Z * 4.0));
    refused(scene, sweeps(4), &["joint", "jacobi"]);
    let mut scene = cube();
    let rubber = Material { restitution: 0.5, ..Material::default() };
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 3.0).shape(ShapeDef::sphere(0.5).material(rubber)));
    refused(scene, sweeps(4), &["bounces", "restitution"]);
}
