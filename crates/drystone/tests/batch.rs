//! Worlds of a batch move as simulations of their own.

use drystone::prelude::*;
use drystone::{Batch, solvers};

/// A box that slides into a driven arm.
fn model() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::new(0.5, 0.0, 0.5)).cuboid(DVec3::new(0.4, 0.1, 0.1)));
    let hinge = JointDef::revolute(WORLD, arm, DVec3::Z * 0.5, DVec3::Z);
    scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.3, 50.0, 5.0)));
    let cube = BodyDef::dynamic("cube").at(DVec3::new(0.6, 1.0, 0.3)).cuboid(DVec3::splat(0.3));
    scene.add_body(cube.velocity(DVec3::NEG_Y * 2.0));
    scene.finalize().unwrap()
}

const STEPS: u64 = 30;

fn alone(solver: &str, push: f64) -> Simulation {
    let mut sim = Simulation::builder(model()).solver(solver).dt(0.01).build().unwrap();
    sim.apply_impulse(BodyId(1), DVec3::X * push).unwrap();
    sim
}

#[test]
fn every_world_moves_as_it_would_alone() {
    for solver in solvers().iter().map(|entry| entry.name) {
        let mut batch = Batch::new(&model(), 5, &solver.into(), 0.01).unwrap();
        for world in 0..batch.len() {
            batch.world_mut(world).apply_impulse(BodyId(1), DVec3::X * world as f64).unwrap();
        }
        assert!(batch.step(None, STEPS).is_empty());
        for world in 0..batch.len() {
            let mut reference = alone(solver, world as f64);
            reference.run(STEPS, |_| ()).unwrap();
            assert_eq!(batch.world(world).state_hash(), reference.state_hash(), "{solver} world {world}");
        }
        // One starts again and goes on by itself.
        batch.reset(&[2]).unwrap();
        batch.world_mut(2).apply_impulse(BodyId(1), DVec3::X * 3.0).unwrap();
        assert!(batch.step(Some(&[2, 4]), STEPS).is_empty());
        assert_eq!(batch.world(2).time(), batch.world(3).time());
        let other = batch.world(3).state_hash();
        assert_eq!(batch.world(2).state_hash(), other, "{solver} started again");
        assert_eq!(batch.world(4).state().step_count, 2 * STEPS);
    }
}

#[test]
fn worlds_have_parameters_and_checkpoints_of_their_own() {
    let mut batch = Batch::new(&model(), 3, &"vbd".into(), 0.01).unwrap();
    batch.world_mut(1).set_gravity(WorldId(0), DVec3::ZERO).unwrap();
    batch.step(None, 5);
    let kept = batch.world(0).checkpoint();
    batch.step(None, 5);
    let (first, second) = (batch.world(0).state_hash(), batch.world(1).state_hash());
    assert_ne!(first, second);
    assert_eq!(batch.world(2).state_hash(), first);
    batch.world_mut(0).resume(&kept).unwrap();
    batch.step(Some(&[0]), 5);
    assert_eq!(batch.world(0).state_hash(), first);
    // Its parameters outlive a reset.
    batch.reset(&[1]).unwrap();
    batch.step(Some(&[1]), 10);
    assert_eq!(batch.world(1).state_hash(), second);
}

#[test]
#[should_panic(expected = "rising order")]
fn a_world_is_named_once() {
    Batch::new(&model(), 3, &"vbd".into(), 0.01).unwrap().step(Some(&[1, 1]), 1);
}
