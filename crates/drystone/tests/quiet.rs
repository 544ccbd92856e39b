//! Steps in which everything sleeps are taken without work, and differ in nothing from those that are taken in full.

use drystone::model::Twist;
use drystone::prelude::*;
use drystone::vbd::VbdOptions;

/// Twelve crates in three stacks, and a kinematic plate far from them.
fn stacks() -> Simulation {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..12 {
        let at = DVec3::new(2.0 * f64::from(i % 3), 0.0, 0.5 + f64::from(i / 3));
        scene.add_body(BodyDef::dynamic(format!("crate {i}")).at(at).cuboid(DVec3::splat(0.5)));
    }
    scene.add_body(BodyDef::kinematic("plate").at(DVec3::new(20.0, 0.0, 3.0)).cuboid(DVec3::new(1.0, 1.0, 0.1)));
    let options = VbdOptions { sleeping: true, ..Default::default() };
    Simulation::builder(scene.finalize().unwrap()).solver(options).build().unwrap()
}

/// Forces the next step to be taken in full.
fn in_full(sim: &mut Simulation) {
    let checkpoint = sim.checkpoint();
    sim.resume(&checkpoint).unwrap();
}

fn asleep() -> Simulation {
    let mut sim = stacks();
    sim.run(120, |_| ()).unwrap();
    assert_eq!(sim.report().asleep, 12);
    sim
}

#[test]
fn quiet_steps_are_the_steps_they_stand_for() {
    let (mut quiet, mut full) = (asleep(), asleep());
    for _ in 0..20 {
        in_full(&mut full);
        quiet.step().unwrap();
        full.step().unwrap();
        assert!(quiet.report().still && !full.report().still);
        assert_eq!(quiet.state(), full.state());
        assert_eq!(quiet.contacts().unwrap(), full.contacts().unwrap());
        assert_eq!(quiet.report().max_penetration, full.report().max_penetration);
        assert_eq!(quiet.report().contact_count, full.report().contact_count);
        assert!(quiet.events().is_empty() && full.events().is_empty());
        assert!(quiet.contacts().unwrap().iter().any(|contact| contact.force.z > 1.0), "sleepers carry their weight");
    }
    assert_eq!(quiet.checkpoint().to_bytes(), full.checkpoint().to_bytes());
}

#[test]
fn whatever_disturbs_ends_the_quiet_with_the_same_bits() {
    let crate_id = BodyId(4);
    type Disturb = fn(&mut Simulation, BodyId);
    let disturbances: [Disturb; 6] = [
        |sim, body| sim.apply_impulse(body, DVec3::X * 2000.0).unwrap(),
        |sim, body| sim.apply_force(body, DVec3::X * 1e5).unwrap(),
        |sim, body| sim.set_velocity(body, Twist { linear: DVec3::Z, angular: DVec3::ZERO }).unwrap(),
        |sim, body| {
            let pose = sim.pose(body).unwrap();
            sim.set_pose(body, Pose::from_parts(pose.translation + DVec3::Z * 3.0, pose.rotation)).unwrap();
        },
        |sim, _| {
            let plate = BodyId(12);
            sim.set_pose(plate, Pose::from_translation(DVec3::new(2.0, 0.6, 1.5))).unwrap();
        },
        |sim, body| sim.wake(body).unwrap(),
    ];
    for (case, disturb) in disturbances.into_iter().enumerate() {
        let (mut quiet, mut full) = (asleep(), asleep());
        quiet.run(5, |_| ()).unwrap();
        for _ in 0..5 {
            in_full(&mut full);
            full.step().unwrap();
        }
        assert!(quiet.report().still, "case {case}");
        in_full(&mut full);
        disturb(&mut quiet, crate_id);
        disturb(&mut full, crate_id);
        quiet.step().unwrap();
        full.step().unwrap();
        assert!(!quiet.report().still, "case {case}");
        quiet.run(30, |_| ()).unwrap();
        full.run(30, |_| ()).unwrap();
        assert_eq!(quiet.state_hash(), full.state_hash(), "case {case}");
    }
}
