//! A world that was reset starts: it moves as a fresh one, bit for bit, and its neighbours do not notice.

use drystone::prelude::*;
use drystone::solvers;

/// A tower, a heap in fall, a swinging chain whose last link breaks off if it may, and a driven arm.
fn world(scene: &mut ModelBuilder, breaks: bool) {
    scene.ground();
    let cube = |name: String, at: DVec3| BodyDef::dynamic(name).at(at).cuboid(DVec3::splat(0.25));
    for k in 0..4 {
        scene.add_body(cube(format!("storey {k}"), DVec3::Z * (0.251 + 0.502 * f64::from(k))));
    }
    for k in 0..3 {
        let at = DVec3::new(2.0 + 0.2 * f64::from(k), 0.1 * f64::from(k), 0.6 + 0.7 * f64::from(k));
        scene.add_body(cube(format!("falling {k}"), at).rotated(DQuat::from_rotation_x(0.2)));
    }
    let mut parent = BodyId::WORLD;
    for k in 0..3 {
        let near = DVec3::new(-3.0 - 0.5 * f64::from(k), 0.0, 3.0);
        let link = BodyDef::dynamic(format!("link {k}")).at(near - DVec3::X * 0.25).capsule(0.15, 0.05);
        let link = scene.add_body(link);
        let joint = JointDef::ball(parent, link, near);
        scene.add_joint(if k == 2 && breaks { joint.break_at(2.0, 1e9) } else { joint });
        parent = link;
    }
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::new(0.3, 4.0, 1.0)).capsule(0.2, 0.05));
    let hinge = JointDef::revolute(BodyId::WORLD, arm, DVec3::new(0.0, 4.0, 1.0), DVec3::Y);
    scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.5, 20.0, 2.0)));
}

fn worlds(count: usize, breaks: bool) -> Model {
    let mut one = ModelBuilder::new();
    world(&mut one, breaks);
    let mut many = ModelBuilder::new();
    many.replicate(&one, count, DVec3::ZERO);
    many.finalize().unwrap()
}

/// Everything that moves in a world, bit for bit.
fn bits(sim: &Simulation, world: u32) -> Vec<u64> {
    let (model, state) = (sim.model(), sim.state());
    let bodies = (0..model.body_count()).filter(|&body| model.body_world[body] == world);
    let numbers = bodies.flat_map(|body| {
        let (pose, twist) = (state.body_q[body], state.body_qd[body]);
        let [x, y, z] = pose.translation.to_array();
        let [a, b, c, d] = pose.rotation.to_array();
        let [u, v, w] = twist.linear.to_array();
        let [o, p, q] = twist.angular.to_array();
        [x, y, z, a, b, c, d, u, v, w, o, p, q]
    });
    numbers.map(f64::to_bits).collect()
}

fn simulation(solver: &str, options: &[(&str, &str)], count: usize) -> Simulation {
    // `abd` has no joints that break.
    let mut builder = Simulation::builder(worlds(count, solver != "abd")).solver(solver);
    for &(key, value) in options {
        builder = builder.option(key, value);
    }
    builder.build().unwrap()
}

const STEPS: u64 = 30;

/// Runs three worlds, resets the middle one half way, and compares.
fn middle_world_starts_again(options: &[(&str, &str)]) {
    let solver = "vbd";
    let mut fresh = simulation(solver, options, 3);
    fresh.run(STEPS, |_| ()).unwrap();
    let mut reset = simulation(solver, options, 3);
    let mut undisturbed = simulation(solver, options, 3);
    for sim in [&mut reset, &mut undisturbed] {
        sim.run(STEPS, |_| ()).unwrap();
    }
    assert!(!reset.state().joint_intact.iter().all(|&intact| intact), "{solver}: something broke");
    assert_ne!(bits(&reset, 1), bits(&simulation(solver, options, 3), 1), "{solver}: something moved");
    reset.reset_world(WorldId(1)).unwrap();
    assert_eq!(bits(&reset, 1), bits(&simulation(solver, options, 3), 1), "{solver}: put back");
    for sim in [&mut reset, &mut undisturbed] {
        sim.run(STEPS, |_| ()).unwrap();
    }
    assert!(bits(&reset, 1) == bits(&fresh, 1), "{solver} {options:?}: the world that was reset moves as a fresh one");
    for world in [0, 2] {
        assert!(bits(&reset, world) == bits(&undisturbed, world), "{solver} {options:?}: world {world} goes on");
    }
}

#[test]
fn a_world_of_vbd_that_was_reset_is_a_fresh_one() {
    for method in ["load_scaled", "avbd", "compliant"] {
        middle_world_starts_again(&[("method", method)]);
    }
}

/// With all worlds reset nothing is left of the run before. (Worlds of the other solvers share decisions: how often a step
/// is cut, how far a Newton step goes. One of them alone cannot repeat its bits while its neighbours are elsewhere.)
#[test]
fn a_scene_that_was_reset_as_a_whole_is_a_fresh_one() {
    for entry in solvers() {
        let steps = if entry.name == "abd" { 8 } else { STEPS };
        let mut fresh = simulation(entry.name, &[], 2);
        fresh.run(steps, |_| ()).unwrap();
        let mut reset = simulation(entry.name, &[], 2);
        reset.run(steps, |_| ()).unwrap();
        [0, 1].into_iter().for_each(|world| reset.reset_world(WorldId(world)).unwrap());
        reset.run(steps, |_| ()).unwrap();
        for world in [0, 1] {
            assert!(bits(&reset, world) == bits(&fresh, world), "{}: world {world}", entry.name);
        }
    }
}
