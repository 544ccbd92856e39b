//! The step and what surrounds it: resuming, threads, faults, worlds, forces.

use drystone::collide::Collide;
use drystone::model::ContactEvent;
use drystone::prelude::*;
use drystone::solve::{Solver, StepError};
use drystone::{CheckpointError, SimulationBuilder};
use drystone_solve::step_only::StepOnly;

const HALF: DVec3 = DVec3::splat(0.5);

/// Boxes falling in a heap beside a swinging chain: contacts and joints.
fn scene() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for index in 0..12 {
        let place = DVec3::new(0.3 * f64::from(index % 3), 0.2 * f64::from(index % 2), 0.6 + 1.1 * f64::from(index));
        let turn = DQuat::from_rotation_x(0.1 * f64::from(index));
        scene.add_body(BodyDef::dynamic(format!("box {index}")).at(place).rotated(turn).cuboid(HALF));
    }
    let mut parent = BodyId(WORLD);
    for index in 0..5 {
        let near = DVec3::new(5.0 + f64::from(index), 0.0, 8.0);
        let link =
            BodyDef::dynamic(format!("link {index}")).at(near + DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.1, 0.1));
        let link = scene.add_body(link);
        scene.add_joint(JointDef::ball(parent, link, near));
        parent = link;
    }
    scene.finalize().unwrap()
}

fn build(model: Model) -> Simulation {
    Simulation::new(model).unwrap()
}

fn hash_after(builder: SimulationBuilder, steps: u64) -> u64 {
    let mut sim = builder.build().unwrap();
    sim.run(steps, |_| ()).unwrap();
    sim.state_hash()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let hashes = [1, 2, 4].map(|threads| hash_after(Simulation::builder(scene()).threads(threads), 60));
    assert_eq!(hashes, [hashes[0]; 3]);
}

#[test]
fn a_checkpoint_resumes_bit_for_bit_through_a_file() {
    let path = std::env::temp_dir().join(format!("drystone-resume-{}", std::process::id()));
    let mut whole = build(scene());
    whole.run(50, |_| ()).unwrap();
    whole.checkpoint().write(&path).unwrap();
    let (mut events, mut again) = (Vec::new(), Vec::new());
    whole.run(50, |sim| events.extend_from_slice(sim.events())).unwrap();
    let mut resumed = build(scene());
    resumed.resume(&Checkpoint::read(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(resumed.state().step_count, 50);
    resumed.run(50, |sim| again.extend_from_slice(sim.events())).unwrap();
    assert_eq!(resumed.state_hash(), whole.state_hash());
    assert!(!events.is_empty(), "boxes land in the second half");
    assert_eq!(again, events);
}

#[test]
fn a_checkpoint_of_another_model_is_refused_and_changes_nothing() {
    let other = {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("ball").sphere(1.0));
        build(scene.finalize().unwrap()).checkpoint()
    };
    let mut sim = build(scene());
    let before = sim.state_hash();
    assert!(matches!(sim.resume(&other), Err(CheckpointError::OtherModel { .. })));
    assert_eq!(sim.state_hash(), before);
}

#[test]
fn a_body_with_a_nan_force_is_frozen_and_the_rest_goes_on() {
    let mut sim = build(scene());
    sim.run(5, |_| ()).unwrap();
    let frozen = sim.state().body_q[3];
    sim.apply_force(BodyId(3), DVec3::new(f64::NAN, 0.0, 0.0)).unwrap();
    let report = sim.step().unwrap();
    assert_eq!(report.quarantined, [BodyId(3)]);
    assert!(sim.events().contains(&Event::BodyQuarantined { body: BodyId(3) }));
    let height = sim.state().body_q[11].translation.z;
    sim.run(30, |sim| assert!(sim.report().quarantined.is_empty())).unwrap();
    assert_eq!(sim.state().body_q[3], frozen);
    assert!(sim.state().body_quarantined[3]);
    assert!(sim.state().body_q[11].translation.z < height, "the others must keep falling");
    assert!(sim.state().body_q.iter().all(|pose| pose.translation.is_finite()));
}

#[test]
fn a_body_whose_state_turns_non_finite_goes_back_to_its_last_finite_pose() {
    let mut sim = build(scene());
    sim.run(5, |_| ()).unwrap();
    let last = sim.state().body_q[0];
    sim.state_mut().body_q[0].translation.x = f64::INFINITY;
    sim.step().unwrap();
    // The pose at the start of the last step is the newest one known to be finite.
    assert!((sim.state().body_q[0].translation - last.translation).length() < 0.1);
    assert_eq!(sim.report().quarantined, [BodyId(0)]);
}

#[test]
fn a_force_acts_for_one_step_by_newtons_law() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::X).sphere(0.5).mass(2.0));
    let mut sim = Simulation::builder(scene.finalize().unwrap()).dt(0.01).build().unwrap();
    sim.apply_force_at(ball, DVec3::Y * 6.0, DVec3::new(1.5, 0.0, 0.0)).unwrap();
    sim.run(2, |_| ()).unwrap();
    let velocity = sim.state().body_qd[0];
    // Impulse 0.06 N·s on 2 kg; torque 0.5 m · 6 N on I = 2/5·2·0.25 = 0.2 kg·m².
    assert!((velocity.linear - DVec3::Y * 0.03).length() < 1e-9 * 0.03, "{velocity:?}");
    assert!((velocity.angular - DVec3::Z * 0.15).length() < 1e-6, "{velocity:?}");
    assert_eq!(sim.control().body_f[0], (DVec3::ZERO, DVec3::ZERO));
}

#[test]
fn contacts_begin_once_and_end_when_the_body_leaves() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 0.6).sphere(0.5));
    let model = scene.finalize().unwrap();
    let mut sim = Simulation::builder(model).option("iterations", 40).build().unwrap();
    let (mut events, mut speed, mut momentum) = (Vec::new(), 0.0, 0.0);
    sim.run(60, |sim| {
        let now = sim.state().body_qd[ball.built_index()].linear.z;
        if !sim.events().is_empty() {
            momentum = sim.model().body_mass[ball.built_index()] * (now - speed + 9.81 * sim.dt());
        }
        speed = now;
        events.extend_from_slice(sim.events());
    })
    .unwrap();
    let [begin] = events[..] else { panic!("it lands and stays: {events:?}") };
    let Event::Contact(ContactEvent::Begin { shape0: ShapeId(0), shape1: ShapeId(1), impulse }) = begin else {
        panic!("{begin:?}")
    };
    // By forty sweeps, which end 4e-7 off; ten leave a blow this hard off by 2e-3.
    assert!((impulse - momentum).abs() < 1e-6 * momentum, "{impulse} N·s changed the momentum by {momentum} N·s");
    sim.state_mut().body_qd[ball.built_index()].linear = DVec3::Z * 5.0;
    events.clear();
    sim.run(10, |sim| events.extend_from_slice(sim.events())).unwrap();
    assert_eq!(events, [Event::Contact(ContactEvent::End { shape0: ShapeId(0), shape1: ShapeId(1) })], "it leaves");
}

#[test]
fn one_world_is_reset_and_the_others_go_on() {
    let mut scene = ModelBuilder::new();
    let mut balls = Vec::new();
    for world in 0..3 {
        if world > 0 {
            scene.begin_world(DVec3::Z * -9.81);
        }
        balls.push(scene.add_body(BodyDef::dynamic(format!("ball {world}")).sphere(0.1)));
    }
    let mut sim = build(scene.finalize().unwrap());
    sim.run(10, |_| ()).unwrap();
    let fallen = sim.state().body_q[0];
    sim.reset_world(WorldId(1)).unwrap();
    assert_eq!(sim.state().body_q[1], sim.model().body_q[1]);
    assert_eq!(sim.state().body_qd[1].linear, DVec3::ZERO);
    assert_eq!(sim.state().body_q[0], fallen);
    sim.run(10, |_| ()).unwrap();
    assert!((sim.state().body_q[1].translation - fallen.translation).length() < 1e-12, "it falls as it did before");
}

#[test]
fn bad_settings_are_refused_by_name() {
    let dt = Simulation::builder(scene()).dt(0.0).build().err().unwrap().to_string();
    assert!(dt.contains("time step"), "{dt}");
    let solver = Simulation::builder(scene()).solver("magic").build().err().unwrap().to_string();
    assert!(solver.contains("`magic`") && solver.contains("vbd"), "{solver}");
}

/// A solver that loses a body in its first attempt at a step and gives up in the second.
fn faulty() -> Box<dyn Solver> {
    let mut attempts = 0;
    Box::new(StepOnly(move |model: &Model, state: &mut State, _: &mut Collide, _| {
        attempts += 1;
        if attempts > 1 {
            return Err(StepError::Failed { solver: "faulty", time: state.time, reason: "enough".into() });
        }
        state.body_q[3].translation.x = f64::NAN;
        Ok(Report::of_motion(model, state))
    }))
}

/// Bodies that were frozen before a step failed are frozen afterwards; nobody else could name them.
#[test]
fn a_step_that_fails_names_the_bodies_it_froze() {
    let model = scene();
    let mut sim = Simulation::builder(model).with_solver(faulty()).build().unwrap();
    let before = sim.state().body_q.clone();
    assert!(sim.step().is_err());
    assert_eq!(sim.state().body_q, before);
    assert!(sim.state().body_quarantined[3]);
    assert_eq!(sim.report().quarantined, [BodyId(3)]);
    assert_eq!(sim.events(), [Event::BodyQuarantined { body: BodyId(3) }]);
}

#[test]
fn requests_that_make_no_sense_are_refused_by_name() {
    let mut scene = ModelBuilder::new();
    let floor = scene.add_body(BodyDef::fixed("floor").cuboid(HALF));
    let lift = scene.add_body(BodyDef::kinematic("lift").at(DVec3::X * 3.0).cuboid(HALF));
    let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 3.0).sphere(0.5));
    let mut sim = build(scene.finalize().unwrap());
    let nobody = BodyId(7);
    let pose = Some(Pose::IDENTITY);
    let refusals = [
        (sim.apply_force(floor, DVec3::X), "body `floor`: it is static, forces"),
        (sim.apply_torque(lift, DVec3::X), "body `lift`: it is kinematic, forces"),
        (sim.apply_force_at(nobody, DVec3::X, DVec3::ZERO), "there is no body #7"),
        (sim.apply_force(BodyId::WORLD, DVec3::X), "there is no body #"),
        (sim.set_target(ball, pose), "body `ball`: it is dynamic, only kinematic"),
        (sim.set_target(floor, None), "body `floor`: it is static, only kinematic"),
        (sim.pose(nobody).map(|_| ()), "there is no body #7"),
        (sim.contact_force(nobody).map(|_| ()), "there is no body #7"),
        (sim.joint_force(JointId(0)).map(|_| ()), "there is no joint #0"),
        (sim.reset_world(WorldId(1)), "there is no world #1"),
    ];
    for (refusal, words) in refusals {
        let message = refusal.unwrap_err().to_string();
        assert!(message.starts_with(words), "{message}");
    }
    sim.apply_force(ball, DVec3::NAN).unwrap();
    sim.step().unwrap();
    let taken_out = sim.apply_force(ball, DVec3::X).unwrap_err().to_string();
    assert!(taken_out.contains("`ball`") && taken_out.contains("stopped being finite"), "{taken_out}");
}

#[test]
fn the_world_feels_what_lies_on_it() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.5).cuboid(HALF).mass(2.0));
    let mut sim = build(scene.finalize().unwrap());
    sim.run(30, |_| ()).unwrap();
    let (force, _) = sim.contact_force(BodyId::WORLD).unwrap();
    assert!((force + DVec3::Z * 2.0 * 9.81).length() < 1e-3, "{force}");
}

/// A program that draws more often than it steps shows the same frames after going on from a checkpoint: also the first, which
/// takes no step, and the cap on steps.
#[test]
fn frames_between_steps_go_on_from_a_checkpoint() {
    let frames = |sim: &mut Simulation| -> Vec<(u32, u64, Vec<Pose>)> {
        let frame = |_| {
            let done = sim.advance(0.0041).unwrap();
            (done.steps, done.alpha.to_bits(), sim.interpolated_poses().collect())
        };
        (0..12).map(frame).collect()
    };
    let mut run = build(scene());
    run.set_most_steps(3);
    frames(&mut run);
    let checkpoint = run.checkpoint();
    let mut resumed = build(scene());
    resumed.resume(&Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap()).unwrap();
    assert!(checkpoint.pace.lag > 0.0);
    assert_eq!(resumed.interpolated_poses().collect::<Vec<_>>(), run.interpolated_poses().collect::<Vec<_>>());
    assert_eq!(frames(&mut resumed), frames(&mut run));
    assert_eq!(resumed.advance(1.0).unwrap(), run.advance(1.0).unwrap());
    assert_eq!(resumed.state_hash(), run.state_hash());
}
