//! What contacts carried, as the device tells it.

use std::collections::BTreeSet;

use drystone_model::{BodyDef, DVec3, ModelBuilder, ShapeId};
use drystone_solve::forces::ContactForce;
use drystone_solve::solver::Solver;
use drystone_vbd::VbdOptions;

use crate::tools::{DT, Run, heap, on_device, pyramid, sweeps};

/// What a step told of its contacts: read where the solver tells them later, as it does on the CPU, and taken elsewhere.
fn contacts(run: &mut Run) -> Vec<ContactForce> {
    let (mut contacts, found) = (Vec::new(), &run.collide.contacts);
    match run.solver.take_pushes(found, &mut Vec::new()) {
        true => run.solver.read_contacts(found, &mut contacts),
        false => run.solver.take_contacts(&mut contacts).unwrap(),
    }
    contacts
}

/// Forces, weight and change of momentum of every body agree, in one substep and in several, while a heap lands.
#[test]
fn forces_explain_the_motion() {
    for substeps in [1, 3] {
        let model = heap(12, 4);
        let options = VbdOptions { substeps: Some(substeps), ..on_device(&sweeps(20)) };
        let mut run = Run::new(&model, &options);
        let mut most: f64 = 0.0;
        for _ in 0..60 {
            let before = run.state.clone();
            run.step();
            let told = contacts(&mut run);
            assert!(told.is_sorted_by_key(|contact| contact.key.shape) || substeps > 1);
            for body in (0..model.body_count()).filter(|&body| model.body_mass[body] > 0.0) {
                let on = |contact: &ContactForce| {
                    let sign = |side: usize, sign: f64| if contact.body[side].0 == body as u32 { sign } else { 0.0 };
                    (sign(1, 1.0) + sign(0, -1.0)) * contact.force
                };
                let force: DVec3 = told.iter().map(on).sum();
                let mass = model.body_mass[body];
                let gained = (run.state.body_qd[body].linear - before.body_qd[body].linear) * mass / DT;
                let off = (gained - force - mass * model.body_gravity(body)).length();
                let scale = mass * 9.81 + gained.length() + force.length();
                most = most.max(off / scale);
            }
        }
        println!("{substeps} substeps: forces off by {most:e} of their size");
        // What the last sweep of a body leaves after its neighbours moved on; the CPU's law is the same.
        assert!(most < 0.1, "{most:e}");
    }
}

/// A pyramid at rest presses on the ground with its weight, at the places and with the forces of the CPU; its points keep their names.
#[test]
fn a_pyramid_presses_with_its_weight() {
    let model = pyramid(4);
    let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(30)), Run::new(&model, &on_device(&sweeps(30))));
    cpu.steps(30);
    gpu.steps(30);
    let (want, got) = (contacts(&mut cpu), contacts(&mut gpu));
    assert_eq!(want.len(), got.len());
    let ground = ShapeId(0);
    let lifted: DVec3 = got.iter().filter(|c| c.key.shape[0] == ground).map(|contact| contact.force).sum();
    let weight: f64 = model.body_mass.iter().sum::<f64>() * 9.81;
    assert!((lifted.z / weight - 1.0).abs() < 1e-3, "{lifted} for {weight}");
    for told in &got {
        let near = |c: &&ContactForce| c.key.shape == told.key.shape && c.point().distance(told.point()) < 1e-4;
        let twin = want.iter().find(near).unwrap_or_else(|| panic!("the CPU has no point like {told:?}"));
        assert_eq!(twin.body, told.body);
        assert!(twin.normal.distance(told.normal) < 1e-5);
        for side in 0..2 {
            let arm = (told.torque[side] - twin.torque[side]).length();
            assert!(arm < 0.02 * weight, "{told:?} for {twin:?}");
        }
    }
    let names = |contacts: &[ContactForce]| contacts.iter().map(|contact| contact.key).collect::<BTreeSet<_>>();
    let first = names(&got);
    assert_eq!(first.len(), got.len(), "no name is given twice");
    gpu.steps(5);
    assert_eq!(names(&contacts(&mut gpu)), first);
}

/// Pairs begin and cease to push in the same steps as on the CPU, from which events are made.
#[test]
fn pairs_touch_when_they_do_on_the_cpu() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for (i, height) in [0.8, 1.5, 2.1].into_iter().enumerate() {
        let at = DVec3::new(2.0 * i as f64, 0.0, height);
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::splat(0.5)));
    }
    let model = scene.finalize().unwrap();
    let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(10)), Run::new(&model, &on_device(&sweeps(10))));
    let pushing = |run: &mut Run| -> BTreeSet<_> {
        let told = contacts(run);
        told.iter().filter(|c| c.force.dot(c.normal) > 0.0).map(|contact| contact.key.shape).collect()
    };
    let mut changes = 0;
    let mut before = BTreeSet::new();
    for step in 0..50 {
        cpu.step();
        gpu.step();
        let (want, got) = (pushing(&mut cpu), pushing(&mut gpu));
        assert_eq!(want, got, "step {step}");
        changes += usize::from(got != before);
        before = got;
    }
    assert!(changes >= 3, "{changes}");
}

/// With the option off nothing comes back, and that is said.
#[test]
fn contacts_left_on_the_device_are_said_to_be() {
    let model = pyramid(2);
    let mut run = Run::new(&model, &VbdOptions { device_contacts: false, ..on_device(&sweeps(4)) });
    run.steps(2);
    let error = run.solver.take_contacts(&mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("GPU") && error.contains("device_contacts"), "{error}");
}
