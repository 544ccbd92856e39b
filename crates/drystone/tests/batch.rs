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

/// A chain of three links of every kind of joint that falls on the ground from a height, tilted.
fn falling_chain(height: f64) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let links: Vec<BodyId> = (0..3)
        .map(|k| {
            let at = DVec3::new(0.4 * f64::from(k), 0.0, height + 0.1 * f64::from(k));
            scene.add_body(BodyDef::dynamic(format!("link {k}")).at(at).cuboid(DVec3::new(0.3, 0.08, 0.06)))
        })
        .collect();
    let between = |k: usize| DVec3::new(0.4 * k as f64 + 0.2, 0.0, height + 0.1 * k as f64 + 0.05);
    let hinge = JointDef::revolute(links[0], links[1], between(0), DVec3::Y).limit(Axis::AngX, -0.4, 0.4);
    scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.3, 5.0, 0.5)));
    scene.add_joint(JointDef::ball(links[1], links[2], between(1)));
    scene.finalize().unwrap()
}

/// Worlds that fly, land and lie beside each other, in companies of one to four that change from call to call: each has the bits
/// it has alone, and so have its forces.
#[test]
fn no_world_depends_on_those_beside_it() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let heights = [0.1, 0.3, 0.5, 2.0, 0.2, 0.9];
    let start = |sim: &mut Simulation, world: usize| {
        for (pose, _) in sim.state_mut().body_q.iter_mut().zip(0..3) {
            pose.translation.z += heights[world];
        }
        sim.set_gravity(WorldId(0), DVec3::NEG_Z * (5.0 + world as f64)).unwrap();
    };
    let mut batch = pool.install(|| Batch::new(&falling_chain(0.2), heights.len(), &"vbd".into(), 0.005)).unwrap();
    (0..heights.len()).for_each(|world| start(batch.world_mut(world), world));
    let mut taken = [0u64; 6];
    for (call, count) in [(0, 20), (1, 7), (2, 40), (3, 1), (4, 60), (0, 50)] {
        let chosen: [&[usize]; 5] = [&[0, 1, 2, 3, 4, 5], &[1, 3, 4], &[0, 5], &[2], &[0, 1, 2, 4, 5]];
        assert!(pool.install(|| batch.step(Some(chosen[call]), count)).is_empty());
        chosen[call].iter().for_each(|&world| taken[world] += count);
    }
    let mut landed = 0;
    for world in 0..heights.len() {
        let mut sim = Simulation::builder(falling_chain(0.2)).solver("vbd").dt(0.005).build().unwrap();
        start(&mut sim, world);
        sim.run(taken[world], |_| ()).unwrap();
        let beside = batch.world(world);
        assert_eq!(beside.state_hash(), sim.state_hash(), "world {world}");
        assert_eq!(beside.report().residual, sim.report().residual);
        assert_eq!(beside.report().max_joint_error, sim.report().max_joint_error);
        assert_eq!(beside.joint_forces().unwrap(), sim.joint_forces().unwrap());
        assert_eq!(beside.checkpoint().to_bytes(), sim.checkpoint().to_bytes());
        landed += usize::from(sim.report().contact_count > 0);
    }
    assert!((2..heights.len()).contains(&landed), "{landed} worlds touch the ground");
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
