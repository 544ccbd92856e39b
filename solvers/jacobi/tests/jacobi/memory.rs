//! Snapshots, resets, refusals, options.

use drystone_jacobi::{Jacobi, JacobiOptions, Precision};
use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
use drystone_solve::Solver;

use crate::bench::Bench;

/// A hinged chain that falls on the ground.
fn scene() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut parent = WORLD;
    for index in 0..6 {
        let at = DVec3::new(f64::from(index) * 0.5 + 0.25, 0.0, 1.0);
        let body = BodyDef::dynamic(format!("{index}")).at(at).cuboid(DVec3::new(0.2, 0.1, 0.1));
        let body = scene.add_body(body);
        let near = at - DVec3::X * 0.25;
        let hinge = JointDef::revolute(parent, body, near, DVec3::Y);
        scene.add_joint(if index % 2 == 0 { hinge } else { JointDef::ball(parent, body, near) });
        parent = body.0;
    }
    scene
}

#[test]
fn a_restored_solver_goes_on_bit_for_bit() {
    for precision in [Precision::Single, Precision::Double] {
        let options = JacobiOptions { precision, ..JacobiOptions::default() };
        let mut whole = Bench::with(&scene(), options.clone());
        whole.run(0.5);
        let (state, bytes, collide) = (whole.state.clone(), whole.solver.snapshot(), whole.collide.clone());
        whole.run(0.5);
        let mut resumed = Bench::with(&scene(), options);
        resumed.solver.restore(&bytes).unwrap();
        (resumed.state, resumed.collide) = (state, collide);
        resumed.run(0.5);
        assert_eq!(resumed.state.hash(), whole.state.hash());
    }
}

#[test]
fn a_snapshot_of_another_model_is_refused() {
    let mut one = Bench::new(&scene());
    one.step();
    let mut other = ModelBuilder::new();
    other.add_body(BodyDef::dynamic("a").sphere(0.1));
    let mut other = Bench::new(&other);
    let error = other.solver.restore(&one.solver.snapshot()).unwrap_err().to_string();
    assert!(error.contains("6 joints"), "{error}");
    assert!(other.solver.restore(&[1, 2, 3]).is_err());
}

/// Forgetting the multipliers is the same as never having had them.
#[test]
fn a_reset_world_starts_afresh() {
    let mut bench = Bench::new(&scene());
    bench.run(0.3);
    bench.state = bench.model.state();
    bench.solver.reset_world(&bench.model, 0);
    bench.collide.reset_world(0);
    bench.step();
    let mut fresh = Bench::new(&scene());
    fresh.step();
    let far = |k: usize| (bench.state.body_q[k].translation - fresh.state.body_q[k].translation).length();
    assert!((0..6).all(|k| far(k) < 1e-7), "{}", (0..6).map(far).fold(0.0, f64::max));
}

#[test]
fn what_cannot_be_honoured_is_refused_by_name() {
    let mut rolling = ModelBuilder::new();
    let material = drystone_model::Material { friction_rolling: 0.01, ..Default::default() };
    let shape = drystone_model::ShapeDef::sphere(0.1).material(material).named("tyre");
    rolling.add_body(BodyDef::dynamic("wheel").shape(shape));
    let error = Jacobi::new(&rolling.finalize().unwrap(), JacobiOptions::default()).unwrap_err().to_string();
    assert!(error.contains("`tyre`") && error.contains("vbd"), "{error}");
    let model = scene().finalize().unwrap();
    let bad = JacobiOptions { warm_start: 2.0, ..JacobiOptions::default() };
    let error = Jacobi::new(&model, bad).unwrap_err().to_string();
    assert!(error.contains("warm_start") && error.contains('2'), "{error}");
}

#[test]
fn bad_time_steps_are_errors() {
    let mut bench = Bench::new(&scene());
    let before = bench.state.clone();
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let Bench { model, state, control, solver, collide, .. } = &mut bench;
        assert!(solver.step(model, state, control, collide, dt).is_err());
    }
    assert_eq!(bench.state, before);
}
