//! Editing a scene while it runs.

#[path = "../examples/churn.rs"]
mod churn;

use drystone::model::{BodyKind, ContactEvent, MassSource, Twist};
use drystone::prelude::*;
use drystone::solvers;

const HALF: DVec3 = DVec3::splat(0.5);

fn tower(scene: &mut ModelBuilder, name: &str, x: f64, count: u32) -> Vec<BodyId> {
    let block = |level: u32| {
        let at = DVec3::new(x + 0.05 * f64::from(level % 2), 0.0, 0.5 + f64::from(level));
        BodyDef::dynamic(format!("{name} {level}")).at(at).cuboid(HALF)
    };
    (0..count).map(|level| scene.add_body(block(level))).collect()
}

/// Two towers with a chain between them, numbered so that an edit of the first moves the others in all arrays.
fn towers() -> (Model, Vec<BodyId>, Vec<BodyId>) {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let first = tower(&mut scene, "first", 0.0, 4);
    let mut parent = BodyId::WORLD;
    for index in 0..3 {
        let near = DVec3::new(10.0 + f64::from(index), 0.0, 8.0);
        let link = BodyDef::dynamic(format!("link {index}")).at(near + DVec3::X * 0.5).cuboid(HALF * 0.4);
        let link = scene.add_body(link);
        scene.add_joint(JointDef::ball(parent, link, near));
        parent = link;
    }
    let second = tower(&mut scene, "second", 20.0, 5);
    (scene.finalize().unwrap(), first, second)
}

fn poses(sim: &Simulation, bodies: &[BodyId]) -> Vec<(Pose, Twist)> {
    bodies.iter().map(|&body| (sim.pose(body).unwrap(), sim.velocity(body).unwrap())).collect()
}

/// What is not touched by an edit moves as if there had been none: stack, chain, sleeping or not.
#[test]
fn what_stands_beside_an_edit_does_not_move_by_a_bit() {
    for (sleeping, steps) in [(false, 20), (true, 90)] {
        let build = || Simulation::builder(towers().0).option("sleeping", sleeping).build().unwrap();
        let (_, first, second) = towers();
        let (mut edited, mut alone) = (build(), build());
        let beside: Vec<BodyId> = second.iter().copied().chain((4..7).map(BodyId)).collect();
        for sim in [&mut edited, &mut alone] {
            sim.run(steps, |_| ()).unwrap();
        }
        edited
            .edit(|scene| {
                scene.remove_body(first[1])?;
                scene.remove_shape(ShapeId(1))?;
                scene.change_body(first[3], |body| body.mass = MassSource::Total(3.0))?;
                let new = scene.add_body(BodyDef::dynamic("").at(DVec3::new(-5.0, 0.0, 3.0)).cuboid(HALF))?;
                scene.add_joint(JointDef::ball(WORLD, new, DVec3::new(-5.0, 0.0, 4.0)))
            })
            .unwrap();
        assert_eq!(poses(&edited, &beside), poses(&alone, &beside));
        for step in 0..60 {
            edited.step().unwrap();
            alone.step().unwrap();
            assert_eq!(poses(&edited, &beside), poses(&alone, &beside), "sleeping: {sleeping}, step {step}");
        }
        let fallen = edited.pose(first[2]).unwrap().translation.z;
        assert!(fallen < 1.6, "what stood on the removed block fell, to {fallen} m");
        assert_eq!(edited.report().asleep > 0, sleeping, "the second tower sleeps on, the first does not yet");
    }
}

/// An edit of something that touches nothing leaves every solver where it is.
#[test]
fn every_solver_goes_on_through_an_edit() {
    for solver in solvers() {
        let mut scene = ModelBuilder::new();
        let sign = scene.add_shape(WORLD, ShapeDef::cuboid(HALF).at(DVec3::X * 50.0));
        let far = scene.add_body(BodyDef::fixed("far").at(DVec3::X * 60.0).cuboid(HALF));
        scene.ground();
        tower(&mut scene, "block", 0.0, 3);
        let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::new(5.0, 0.0, 3.0)).cuboid(HALF * 0.5));
        let hinge = JointDef::revolute(WORLD, arm, DVec3::new(4.0, 0.0, 3.0), DVec3::Y).friction(Axis::AngX, 0.5);
        scene.add_joint(hinge);
        let model = scene.finalize().unwrap();
        let build = || Simulation::builder(model.clone()).solver(solver.name).build().unwrap();
        let (mut edited, mut alone) = (build(), build());
        for sim in [&mut edited, &mut alone] {
            sim.run(15, |_| ()).unwrap();
        }
        edited
            .edit(|scene| {
                scene.remove_body(far)?;
                scene.remove_shape(sign)
            })
            .unwrap();
        for sim in [&mut edited, &mut alone] {
            sim.run(15, |_| ()).unwrap();
        }
        let (now, then) = (edited.state(), alone.state());
        for body in 0..4 {
            let [one, other] = [now.body_q[body], then.body_q[body + 1]];
            // abd finds its contacts by place and chooses another order of elimination, which rounds differently.
            let moved = (one.translation - other.translation).length() + (one.rotation - other.rotation).length();
            let allowed = if solver.name == "abd" { 1e-7 } else { 0.0 };
            assert!(moved <= allowed, "{}: body {body} is off by {moved:e}", solver.name);
        }
    }
}

#[test]
fn a_refused_edit_changes_nothing() {
    let (model, first, second) = towers();
    let mut sim = Simulation::builder(model).option("sleeping", true).build().unwrap();
    sim.run(70, |_| ()).unwrap();
    let before = sim.checkpoint();
    let refusals = [
        sim.edit(|scene| {
            scene.remove_body(first[0])?;
            scene.remove_body(first[0])
        }),
        sim.edit(|scene| {
            scene.remove_body(second[4])?;
            scene.change_shape(ShapeId(2), |shape| shape.material.restitution = 7.0)
        }),
        sim.edit(|scene| scene.add_body(BodyDef::dynamic("first 2").sphere(0.1)).map(|_| ())),
        sim.edit(|scene| scene.add_joint(JointDef::ball(first[0], BodyId(99), DVec3::ZERO)).map(|_| ())),
        sim.edit(|scene| scene.set_gravity(WorldId(3), DVec3::ZERO)),
    ];
    let words = ["body #0 was removed", "shape `shape_2`", "body `first 2`", "no body #99", "no world #3"];
    for (refusal, words) in refusals.into_iter().zip(words) {
        let message = refusal.unwrap_err().to_string();
        assert!(message.starts_with("the edit is refused: ") && message.contains(words), "{message}");
    }
    assert_eq!(sim.checkpoint(), before);
    sim.edit(|_| Ok(())).unwrap();
    assert_eq!(sim.checkpoint(), before, "an edit without changes is none");
}

#[test]
fn a_solver_that_cannot_honour_an_edit_refuses_it() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    tower(&mut scene, "block", 0.0, 1);
    let mut sim = Simulation::builder(scene.finalize().unwrap()).solver("abd").build().unwrap();
    sim.run(3, |_| ()).unwrap();
    let before = sim.checkpoint();
    let inside = sim.edit(|scene| scene.add_body(BodyDef::dynamic("ghost").at(DVec3::Z * 0.6).cuboid(HALF)));
    let message = inside.unwrap_err().to_string();
    assert!(message.contains("intersections") && message.contains("ghost"), "{message}");
    assert_eq!(sim.checkpoint(), before);
    sim.edit(|scene| scene.add_body(BodyDef::dynamic("guest").at(DVec3::Z * 2.0).cuboid(HALF))).unwrap();
    sim.run(3, |_| ()).unwrap();
}

/// A joint holds bodies as they are when it is made; removed, it lets them go and meet.
#[test]
fn joints_come_and_go() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let a = scene.add_body(BodyDef::dynamic("a").sphere(0.5).velocity(DVec3::X * 0.5));
    let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::X * 3.0).sphere(0.5));
    let mut sim = Simulation::builder(scene.finalize().unwrap()).dt(0.01).build().unwrap();
    sim.run(200, |_| ()).unwrap();
    let gap = |sim: &Simulation| sim.pose(b).unwrap().translation.x - sim.pose(a).unwrap().translation.x;
    assert!((gap(&sim) - 2.0).abs() < 1e-9);
    let weld = sim.edit(|scene| scene.add_joint(JointDef::fixed(a, b, DVec3::X * 2.0))).unwrap();
    sim.run(100, |_| ()).unwrap();
    assert!((gap(&sim) - 2.0).abs() < 1e-6, "welded at {} m", gap(&sim));
    let common = sim.velocity(b).unwrap().linear.x;
    assert!((common - 0.25).abs() < 1e-6, "together they move at half the speed, not {common}");
    sim.edit(|scene| scene.remove_joint(weld)).unwrap();
    assert!(sim.joint_force(weld).unwrap_err().to_string().contains("joint #0 was removed"));
    sim.edit(|scene| scene.change_body(a, |body| body.velocity.linear = DVec3::X * 2.0)).unwrap();
    sim.run(100, |_| ()).unwrap();
    assert!(
        sim.velocity(b).unwrap().linear.x > 0.5 && gap(&sim) > 0.99,
        "they collide, which the weld had kept them from"
    );
}

/// Kinds, masses and motors are those of the last edit.
#[test]
fn bodies_and_joints_change_what_they_are() {
    let mut scene = ModelBuilder::new();
    let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.5).mass(1.0).velocity(DVec3::X));
    let wheel = scene.add_body(BodyDef::dynamic("wheel").at(DVec3::Y * 5.0).sphere(0.5));
    let axle = scene.add_joint(JointDef::revolute(WORLD, wheel, DVec3::Y * 5.0, DVec3::Z));
    let mut sim = Simulation::builder(scene.finalize().unwrap()).dt(0.01).build().unwrap();
    let set = |sim: &mut Simulation, kind| sim.edit(|scene| scene.change_body(ball, |body| body.kind = kind)).unwrap();
    sim.run(10, |_| ()).unwrap();
    set(&mut sim, BodyKind::Static);
    let stopped = sim.pose(ball).unwrap();
    sim.run(10, |_| ()).unwrap();
    assert_eq!((sim.pose(ball).unwrap(), sim.velocity(ball).unwrap()), (stopped, Twist::default()));
    set(&mut sim, BodyKind::Kinematic);
    sim.set_target(ball, Some(Pose::from_translation(DVec3::Z * 7.0))).unwrap();
    sim.step().unwrap();
    assert_eq!(sim.pose(ball).unwrap().translation, DVec3::Z * 7.0);
    sim.edit(|scene| {
        scene.set_gravity(WorldId(0), DVec3::ZERO)?;
        scene.change_joint(axle, |joint| joint.drive[3] = Drive::velocity(2.0, 1e4))?;
        scene.change_body(ball, |body| {
            (body.kind, body.mass, body.velocity) = (BodyKind::Dynamic, MassSource::Total(5.0), Twist::default());
        })
    })
    .unwrap();
    sim.apply_force(ball, DVec3::X * 10.0).unwrap();
    sim.step().unwrap();
    let speed = sim.velocity(ball).unwrap().linear;
    assert!((speed - DVec3::X * 0.02).length() < 1e-12, "10 N on 5 kg for 0.01 s: {speed}");
    sim.run(50, |_| ()).unwrap();
    let spin = sim.velocity(wheel).unwrap().angular;
    assert!((spin - DVec3::Z * 2.0).length() < 1e-3, "the motor turns it: {spin}");
}

/// Contacts of what went end in the next step, under the ids it had; others do not begin anew.
#[test]
fn contacts_of_what_was_removed_end() {
    let (model, first, _) = towers();
    let mut sim = Simulation::new(model).unwrap();
    sim.run(20, |_| ()).unwrap();
    sim.edit(|scene| scene.remove_body(first[3])).unwrap();
    sim.step().unwrap();
    let ended = ContactEvent::End { shape0: ShapeId(3), shape1: ShapeId(4) };
    assert_eq!(sim.events(), [Event::Contact(ended)]);
    let newest = sim.contacts().unwrap().iter().flat_map(|contact| contact.key.shape).max();
    assert_eq!(newest, Some(ShapeId(12)), "contacts name shapes by id");
}

/// Arrays have moved after a removal, ids have not: the report of a step names what breaks and what is frozen by id.
#[test]
fn reports_name_bodies_and_joints_by_id() {
    for entry in solvers() {
        let mut scene = ModelBuilder::new();
        let ball = |x: f64| BodyDef::dynamic(format!("{x}")).at(DVec3::X * x).sphere(0.1).mass(1.0);
        let bodies = [0.0, 1.0, 2.0, 3.0].map(|x| scene.add_body(ball(x)));
        // The last is too weak to carry its load.
        let bears = [1e9, 1e9, 1e9, 1.0];
        let joints = [0, 1, 2, 3].map(|k| {
            let hung = JointDef::ball(WORLD, bodies[k], DVec3::new(k as f64, 0.0, 0.0));
            scene.add_joint(hung.break_at(bears[k], f64::INFINITY))
        });
        let Ok(mut sim) = Simulation::builder(scene.finalize().unwrap()).solver(entry.name).build() else { continue };
        sim.edit(|scene| scene.remove_body(bodies[0])).unwrap();
        let mut broken = Vec::new();
        sim.run(5, |sim| broken.extend(sim.report().broken.clone())).unwrap();
        assert_eq!(broken, [joints[3]], "{}", entry.name);
        sim.apply_force(bodies[2], DVec3::NAN).unwrap();
        sim.step().unwrap();
        assert_eq!(sim.report().quarantined, [bodies[2]], "{}", entry.name);
    }
}

/// Ten thousand in a pile of two thousand take minutes: `cargo run --release --example churn`.
#[test]
fn bodies_come_and_go_the_same_with_any_number_of_threads_and_when_resumed() {
    let churn = churn::Churn { bodies: 120, batch: 10, steps: 30 };
    let hashes = [(1, false), (2, false), (4, false), (2, true)]
        .map(|(threads, resumed)| churn.run(threads, resumed).unwrap().0);
    assert_eq!(hashes, [hashes[0]; 4]);
}

/// A world is reset to where old bodies began and new ones were added.
#[test]
fn a_reset_after_an_edit_goes_back_to_each_beginning() {
    let (model, first, _) = towers();
    let begun = model.body_q[first[2].built_index()];
    let mut sim = Simulation::new(model).unwrap();
    sim.run(20, |_| ()).unwrap();
    let place = DVec3::new(0.0, 9.0, 2.0);
    let ball = sim
        .edit(|scene| {
            scene.remove_body(first[0])?;
            scene.add_body(BodyDef::dynamic("ball").at(place).sphere(0.2))
        })
        .unwrap();
    sim.run(20, |_| ()).unwrap();
    sim.reset_world(WorldId(0)).unwrap();
    assert_eq!((sim.pose(first[2]).unwrap(), sim.pose(ball).unwrap().translation), (begun, place));
}
