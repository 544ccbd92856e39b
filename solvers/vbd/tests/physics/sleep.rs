//! Groups at rest are left alone until something disturbs them.

use drystone_model::{Axis, BodyDef, BodyId, DQuat, DVec3, Drive, JointDef, ModelBuilder, Pose};
use drystone_solve::Solver;
use drystone_vbd::{JointMode, JointSlot, Vbd, VbdOptions};

use crate::bench::Bench;

const HALF: f64 = 0.25;

fn options() -> VbdOptions {
    VbdOptions { sleeping: true, ..VbdOptions::default() }
}

/// Five boxes in a tower beside a sixth alone.
fn tower() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let cube = |name: String, at: DVec3| BodyDef::dynamic(name).at(at).cuboid(DVec3::splat(HALF));
    for i in 0..5 {
        scene.add_body(cube(format!("box-{i}"), DVec3::Z * (HALF + 2.0 * HALF * f64::from(i))));
    }
    scene.add_body(cube("alone".into(), DVec3::new(3.0, 0.0, HALF)));
    scene
}

fn asleep(scene: &ModelBuilder) -> Bench {
    let mut bench = Bench::with(scene, 1.0 / 60.0, options());
    let all = bench.model.body_count() as u32;
    let report = bench.run(1.0);
    assert_eq!(report.asleep, all, "all at rest after a second");
    bench
}

#[test]
fn what_sleeps_does_not_change_by_a_bit() {
    let mut bench = asleep(&tower());
    let (poses, loads) = (bench.state.body_q.clone(), bench.solver.contact_forces().collect::<Vec<_>>());
    bench.run(1.0);
    assert_eq!(bench.state.body_q, poses);
    assert!(bench.state.body_qd.iter().all(|twist| twist.linear == DVec3::ZERO && twist.angular == DVec3::ZERO));
    assert_eq!(bench.solver.contact_forces().collect::<Vec<_>>(), loads, "contacts keep what they carry");
}

#[test]
fn a_falling_body_stays_awake_and_wakes_what_it_hits() {
    let mut scene = tower();
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 8.0).sphere(0.2));
    let mut bench = Bench::with(&scene, 1.0 / 60.0, options());
    assert_eq!(bench.run(0.9).asleep, 6, "all but the ball");
    let hit = bench.run(0.35);
    assert_eq!(hit.asleep, 1, "the box beside sleeps on");
    let end = bench.run(6.0);
    assert!(end.asleep >= 6, "{} sleep in the end", end.asleep);
    assert!(end.max_penetration.unwrap() < 1e-4, "{}", end.max_penetration.unwrap());
}

#[test]
fn forces_and_new_poses_wake_the_group() {
    let mut bench = asleep(&tower());
    bench.control.body_f[2].0 = DVec3::X * 1e-3;
    assert_eq!(bench.step().asleep, 1);
    let mut bench = asleep(&tower());
    bench.state.body_q[4].translation.z += 0.1;
    assert_eq!(bench.step().asleep, 1);
    let top = bench.pose(4).translation.z;
    bench.run(0.5);
    assert!(bench.pose(4).translation.z < top - 0.09, "the lifted box falls back");
}

#[test]
fn what_loses_its_support_wakes() {
    let mut scene = ModelBuilder::new();
    let lift = scene.add_body(BodyDef::kinematic("lift").at(-DVec3::Z * 0.1).cuboid(DVec3::new(1.0, 1.0, 0.1)));
    let load = scene.add_body(BodyDef::dynamic("load").at(DVec3::Z * HALF).cuboid(DVec3::splat(HALF)));
    let mut bench = Bench::with(&scene, 1.0 / 60.0, options());
    assert_eq!(bench.run(1.0).asleep, 1);
    // So slowly that no threshold of speed would notice.
    for _ in 0..120 {
        let mut goal: Pose = bench.pose(lift.built_index());
        goal.translation.z -= 1e-5;
        bench.control.body_target[lift.built_index()] = Some(goal);
        assert_eq!(bench.step().asleep, 0);
    }
    let height = bench.pose(load.built_index()).translation.z;
    assert!((height - (HALF - 120.0 * 1e-5)).abs() < 1e-6, "{height}");
}

#[test]
fn taking_a_box_away_wakes_those_above() {
    let mut bench = asleep(&tower());
    bench.state.body_q[2].translation.x += 5.0;
    bench.run(1.0);
    // The blow leaves an overlap of two millimetres, which is taken back slowly.
    assert!((bench.pose(4).translation.z - 7.0 * HALF).abs() < 3e-3, "{}", bench.pose(4).translation.z);
}

#[test]
fn a_hanging_chain_sleeps_and_a_driven_one_does_not() {
    for driven in [false, true] {
        let mut scene = ModelBuilder::new();
        let links: Vec<_> = (0..3)
            .map(|i| {
                scene.add_body(BodyDef::dynamic(format!("link-{i}")).at(-DVec3::Z * f64::from(i)).capsule(0.3, 0.1))
            })
            .collect();
        let mut parent = BodyId::WORLD;
        for (i, &link) in links.iter().enumerate() {
            let mut joint = JointDef::revolute(parent, link, DVec3::Z * (0.5 - i as f64), DVec3::Y);
            if driven {
                joint = joint.drive(Axis::AngX, Drive::position(0.0, 1.0, 1.0));
            }
            scene.add_joint(joint);
            parent = link;
        }
        let mut bench = Bench::with(&scene, 1.0 / 60.0, options());
        assert_eq!(bench.run(1.0).asleep, if driven { 0 } else { 3 });
        bench.state.body_q[2].rotation = DQuat::from_rotation_y(1e-9);
        assert_eq!(bench.step().asleep, 0);
    }
}

#[test]
fn a_sleeping_scene_resumes_bit_for_bit() {
    let mut bench = asleep(&tower());
    let mut twin = Bench::with(&tower(), 1.0 / 60.0, options());
    twin.state = bench.state.clone();
    twin.solver = Vbd::new(&twin.model, options()).unwrap();
    twin.solver.restore(&bench.solver.snapshot()).unwrap();
    twin.collide.clone_from(&bench.collide);
    for bench in [&mut bench, &mut twin] {
        bench.control.body_f[0].0 = DVec3::X * 100.0;
        bench.run(0.5);
    }
    assert_eq!(bench.state, twin.state);
}

/// Two boxes on the ground, welded side by side.
fn welded() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let boxes = [-HALF, HALF].map(|x| {
        let at = DVec3::new(1.01 * x, 0.0, HALF);
        scene.add_body(BodyDef::dynamic(format!("box at {x}")).at(at).cuboid(DVec3::splat(HALF)))
    });
    scene.add_joint(JointDef::fixed(boxes[0], boxes[1], DVec3::Z * HALF));
    scene
}

/// Only the change wakes: what broke or was switched off long ago keeps nobody awake.
#[test]
fn a_joint_that_no_longer_holds_lets_its_bodies_sleep() {
    for breaks in [false, true] {
        let mut bench = asleep(&welded());
        if breaks {
            bench.state.joint_intact[0] = false;
        } else {
            bench.control.joint_enabled[0] = false;
        }
        assert_eq!(bench.step().asleep, 0, "a change wakes");
        bench.control.joint_f[0][0] = 1.0;
        assert_eq!(bench.run(1.0).asleep, 2, "an effort along a joint that does not hold moves nothing");
        bench.control.joint_f[0][0] = 0.0;
        (bench.state.joint_intact[0], bench.control.joint_enabled[0]) = (true, true);
        assert_eq!(bench.step().asleep, 0, "so does the change back");
        assert_eq!(bench.run(1.0).asleep, 2);
    }
}

#[test]
fn making_a_joint_hard_or_soft_wakes_its_bodies() {
    let mut scene = ModelBuilder::new();
    let lamp = scene.add_body(BodyDef::dynamic("lamp").at(-DVec3::Z).sphere(0.1).mass(2.0));
    let cord = scene.add_joint(JointDef::fixed(BodyId::WORLD, lamp, DVec3::ZERO));
    let mut bench = asleep(&scene);
    let soft = JointMode::Soft { stiffness: 1e3, damping: 100.0 };
    bench.solver.set_joint_mode(cord, JointSlot::Linear, soft).unwrap();
    assert_eq!(bench.step().asleep, 0);
    let end = bench.run(4.0);
    let sag = -1.0 - bench.pose(0).translation.z;
    assert!((sag - 2.0 * 9.81 / 1e3).abs() < 1e-4, "it sinks to where the spring holds it: {sag}");
    assert_eq!(end.asleep, 1);
    bench.solver.set_joint_mode(cord, JointSlot::Linear, soft).unwrap();
    assert_eq!(bench.step().asleep, 1, "what it is already wakes nobody");
}
