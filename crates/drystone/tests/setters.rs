//! Changing single things while a simulation runs.

use drystone::model::BodyKind;
use drystone::prelude::*;
use drystone::solvers;
use drystone::vbd::{Method, VbdOptions};

const HALF: DVec3 = DVec3::splat(0.5);

fn tower(solver: &str) -> (Simulation, Vec<BodyId>) {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let block = |level: u32| {
        BodyDef::dynamic(format!("block {level}")).at(DVec3::Z * (0.5 + f64::from(level))).cuboid(HALF).mass(10.0)
    };
    let blocks = (0..3).map(|level| scene.add_body(block(level))).collect();
    let sim = Simulation::builder(scene.finalize().unwrap()).solver(solver).build().unwrap();
    (sim, blocks)
}

/// Every solver hands the scene over to every other, bit for bit, and goes on from there.
#[test]
fn a_change_of_solver_keeps_the_state() {
    for from in solvers() {
        for to in solvers() {
            let (mut sim, blocks) = tower(from.name);
            sim.run(10, |_| ()).unwrap();
            let before = sim.state().clone();
            if to.name == "abd" {
                sim.set_solver(drystone::SolverChoice::from("abd").with("separate", true)).unwrap();
            } else {
                sim.set_solver(to.name).unwrap();
            }
            let now = sim.state();
            assert_eq!((&now.body_q, &now.body_qd, now.time), (&before.body_q, &before.body_qd, before.time));
            assert_eq!(sim.solver().name(), to.name);
            sim.run(30, |_| ()).unwrap();
            let top = sim.pose(blocks[2]).unwrap().translation;
            assert!((top - DVec3::Z * 2.5).length() < 0.02, "{} to {}: {top}", from.name, to.name);
        }
    }
}

/// An option takes effect from the next step on, and what the solver remembers is kept: the same option again changes nothing.
#[test]
fn an_option_is_changed_without_losing_the_warm_start() {
    for solver in solvers() {
        let run = |set: bool| {
            let (mut sim, _) = tower(solver.name);
            sim.run(10, |_| ()).unwrap();
            if set {
                let (key, value) =
                    solver.defaults().as_object().unwrap().iter().next().map(|(k, v)| (k.clone(), v.clone())).unwrap();
                sim.set_option(&key, value).unwrap();
            }
            sim.run(10, |_| ()).unwrap();
            sim.state_hash()
        };
        assert_eq!(run(true), run(false), "{}", solver.name);
    }
    let (mut sim, _) = tower("vbd");
    sim.set_option("method", "avbd").unwrap();
    sim.set_option("avbd.alpha", 0.5).unwrap();
    assert_eq!(sim.options().unwrap()["avbd"]["alpha"], 0.5);
    let before = sim.checkpoint();
    for (key, value) in [("avbd.alpha", 7.0), ("avbd.alfa", 0.5), ("sweeps", 3.0)] {
        let refused = sim.set_option(key, value).unwrap_err().to_string();
        assert!(refused.contains(key.rsplit('.').next().unwrap()), "{refused}");
    }
    assert!(sim.set_solver("magic").unwrap_err().to_string().contains("`magic`"));
    assert_eq!(sim.checkpoint(), before);
}

#[test]
fn typed_options_and_strings_are_the_same() {
    let typed = VbdOptions { iterations: 4, method: Method::Compliant, ..VbdOptions::default() };
    let hash = |builder: drystone::SimulationBuilder| {
        let mut sim = builder.build().unwrap();
        sim.run(20, |_| ()).unwrap();
        sim.state_hash()
    };
    let model = || tower("vbd").0.model().clone();
    let by_type = hash(Simulation::builder(model()).solver(typed));
    let by_name = hash(Simulation::builder(model()).option("iterations", 4).option("method", "compliant"));
    assert_eq!(by_type, by_name);
    assert_ne!(by_type, hash(Simulation::builder(model())));
}

#[test]
fn masses_materials_kinds_and_groups_are_set_one_by_one() {
    let (mut sim, blocks) = tower("vbd");
    sim.run(30, |_| ()).unwrap();
    sim.set_mass(blocks[2], 40.0).unwrap();
    sim.run(60, |_| ()).unwrap();
    let (force, _) = sim.contact_force(BodyId::WORLD).unwrap();
    assert!((force.z + 60.0 * 9.81).abs() < 0.5, "the ground carries 10 + 10 + 40 kg: {force}");
    sim.set_kind(blocks[1], BodyKind::Static).unwrap();
    sim.set_groups(ShapeId(1), 0, 0).unwrap();
    sim.run(30, |_| ()).unwrap();
    assert!(sim.pose(blocks[0]).unwrap().translation.z < 0.0, "it meets nothing and falls through the ground");
    assert!((sim.pose(blocks[2]).unwrap().translation.z - 2.5).abs() < 1e-3, "it stands on what does not move");
    let ice = Material { friction_static: 0.0, friction_dynamic: 0.0, ..Material::default() };
    sim.set_material(ShapeId(3), ice).unwrap();
    sim.apply_impulse(blocks[2], DVec3::X * 4.0).unwrap();
    sim.run(30, |_| ()).unwrap();
    let speed = sim.velocity(blocks[2]).unwrap().linear.x;
    assert!((speed - 0.1).abs() < 1e-3, "it slides on at {speed} m/s");
    assert!(sim.set_mass(blocks[2], -1.0).unwrap_err().to_string().contains("body `block 2`"));
    assert!(sim.set_dt(0.0).is_err() && sim.set_dt(1.0 / 120.0).is_ok() && sim.dt() == 1.0 / 120.0);
}

#[test]
fn joints_are_driven_switched_and_refused_by_name() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).sphere(0.1).mass(1.0));
    let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Z).named("hinge");
    let hinge = scene.add_joint(hinge);
    let mut sim = Simulation::builder(scene.finalize().unwrap()).dt(0.01).build().unwrap();
    let undriven = sim.set_drive_target(hinge, Axis::AngX, 1.0).unwrap_err().to_string();
    assert!(undriven.contains("joint `hinge`") && undriven.contains("no drive"), "{undriven}");
    let locked = sim.set_effort(hinge, Axis::LinY, 1.0).unwrap_err().to_string();
    assert!(locked.contains("locked"), "{locked}");
    sim.set_drive(hinge, Axis::AngX, Drive::velocity(0.0, 1e3)).unwrap();
    sim.set_drive_velocity(hinge, Axis::AngX, 2.0).unwrap();
    sim.run(50, |_| ()).unwrap();
    assert!((sim.velocity(arm).unwrap().angular.z - 2.0).abs() < 1e-3);
    sim.set_joint_enabled(hinge, false).unwrap();
    let velocity = sim.velocity(arm).unwrap().linear;
    sim.run(50, |_| ()).unwrap();
    assert!((sim.velocity(arm).unwrap().linear - velocity).length() < 1e-9, "let go, it flies straight on");
}

/// Ten seconds in frames of odd lengths are ten seconds of steps, and what is drawn moves evenly.
#[test]
fn time_passes_in_whole_steps_and_frames_in_between() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1).velocity(DVec3::X).spin(DVec3::Z));
    let mut sim = Simulation::builder(scene.finalize().unwrap()).dt(1.0 / 60.0).build().unwrap();
    let (mut clock, mut steps) = (0.0, 0);
    for frame in 0..700 {
        let seconds = [0.007, 0.016, 0.0201][frame % 3];
        clock += seconds;
        let done = sim.advance(seconds).unwrap();
        steps += done.steps;
        assert_eq!(done.dropped, 0.0);
        let drawn = sim.interpolated_pose(ball).unwrap();
        if steps > 0 {
            let expected = clock - sim.dt();
            assert!((drawn.translation.x - expected).abs() < 1e-6, "frame {frame}: {} at {clock}", drawn.translation.x);
            let turned = drawn.rotation.angle_between(DQuat::from_rotation_z(expected));
            assert!(turned < 1e-4, "frame {frame}: off by {turned} rad");
        }
        assert_eq!(sim.interpolated_poses().next(), Some(drawn));
    }
    assert_eq!(steps, (clock * 60.0).floor() as u32);
    sim.set_most_steps(3);
    let late = sim.advance(1.0).unwrap();
    assert_eq!(late.steps, 3);
    assert!((late.dropped - (57.0 / 60.0)).abs() < 1.0 / 60.0, "{late:?}");
    assert!(sim.advance(f64::NAN).is_err() && sim.advance(-1.0).is_err());
}

struct Ice;

impl drystone::ContactHook for Ice {
    fn modify(&self, contact: &mut drystone::ContactPatch) {
        contact.material.set_friction(0.0);
    }
}

/// A hook goes on under another solver, and keeps one away that would not heed it.
#[test]
fn a_contact_hook_outlives_a_change_of_solver() {
    let (mut sim, blocks) = tower("vbd");
    sim.set_contact_hook(Some(std::sync::Arc::new(Ice))).unwrap();
    let refused = sim.set_solver("abd").unwrap_err().to_string();
    assert!(refused.contains("`abd`") && refused.contains("hook") && sim.solver().name() == "vbd", "{refused}");
    sim.set_solver("jacobi").unwrap();
    sim.apply_impulse(blocks[2], DVec3::X * 10.0).unwrap();
    sim.run(20, |_| ()).unwrap();
    let speed = sim.velocity(blocks[2]).unwrap().linear.x;
    assert!((speed - 1.0).abs() < 1e-3, "on ice it slides on at {speed} m/s");
}
