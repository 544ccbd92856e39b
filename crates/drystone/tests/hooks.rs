//! A user's say in contacts is heeded by every solver that can, in a fixed order, and refused by the one that cannot.

use std::sync::{Arc, Mutex};

use drystone::prelude::*;
use drystone::{ContactHook, ContactPair, ContactPatch, solvers};

/// Solvers that take contacts from the common pipeline.
fn hooked() -> impl Iterator<Item = &'static str> {
    solvers().iter().map(|solver| solver.name).filter(|&name| name != "abd")
}

fn simulation(solver: &str, model: Model, threads: usize, hook: impl ContactHook + 'static) -> Simulation {
    let mut sim = Simulation::builder(model).solver(solver).threads(threads).build().expect("a simulation");
    sim.set_contact_hook(Some(Arc::new(hook))).expect("a solver that heeds hooks");
    sim
}

fn boxes_over_a_slab() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let slab = ShapeDef::cuboid(DVec3::new(3.0, 3.0, 0.1)).at(DVec3::Z * 1.0).named("slab");
    scene.add_shape(WORLD, slab);
    for k in 0..4 {
        let place = DVec3::new(f64::from(k) - 1.5, 0.0, 1.6 + 0.1 * f64::from(k));
        let shape = ShapeDef::cuboid(DVec3::splat(0.2)).named(format!("box {k}"));
        scene.add_body(BodyDef::dynamic(format!("body {k}")).at(place).shape(shape));
    }
    scene.finalize().expect("a sound scene")
}

/// Lets boxes with even numbers through the slab.
struct Even;

impl ContactHook for Even {
    fn admit(&self, pair: &ContactPair) -> bool {
        let slab = (0..2).any(|side| pair.name(side) == "slab");
        !(slab && (0..2).any(|side| pair.name(side).ends_with(['0', '2'])))
    }
}

#[test]
fn pairs_that_are_not_admitted_pass_through_each_other() {
    for solver in hooked() {
        let mut sim = simulation(solver, boxes_over_a_slab(), 2, Even);
        sim.run(90, |_| ()).expect("90 steps");
        let height: Vec<f64> = sim.state().body_q.iter().map(|pose| pose.translation.z).collect();
        for (k, expected) in [0.2, 1.3, 0.2, 1.3].iter().enumerate() {
            assert!((height[k] - expected).abs() < 0.02, "{solver}: {height:?}");
        }
    }
}

/// Sets one property of all contacts.
struct Change(fn(&mut ContactPatch));

impl ContactHook for Change {
    fn modify(&self, contact: &mut ContactPatch) {
        (self.0)(contact);
    }
}

fn ball_on_ground(velocity: DVec3, height: f64) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * height).cuboid(DVec3::splat(0.5)).velocity(velocity));
    scene.finalize().expect("a sound scene")
}

#[test]
fn friction_restitution_and_surface_velocity_are_what_the_hook_says() {
    for solver in hooked() {
        let ice = Change(|contact| contact.material.set_friction(0.0));
        let mut sim = simulation(solver, ball_on_ground(DVec3::X, 0.5), 1, ice);
        sim.run(60, |_| ()).expect("60 steps");
        assert!((sim.state().body_qd[0].linear.x - 1.0).abs() < 1e-6, "{solver}: ice");

        let rubber = Change(|contact| contact.material.restitution = 1.0);
        let mut sim = simulation(solver, ball_on_ground(DVec3::ZERO, 1.5), 1, rubber);
        let mut highest_after = 0.0_f64;
        sim.run(60, |sim| {
            let twist = sim.state().body_qd[0].linear;
            highest_after = highest_after.max(twist.z);
        })
        .expect("60 steps");
        let fall = (2.0_f64 * 9.81).sqrt();
        assert!((highest_after / fall - 1.0).abs() < 0.1, "{solver}: bounced at {highest_after} of {fall} m/s");

        // The ground is the first shape, so the second surface slips against it by the negative of the belt's velocity.
        let belt = Change(|contact| contact.surface_velocity = DVec3::NEG_X);
        let mut sim = simulation(solver, ball_on_ground(DVec3::ZERO, 0.5), 1, belt);
        sim.run(60, |_| ()).expect("60 steps");
        assert!((sim.state().body_qd[0].linear.x - 1.0).abs() < 5e-3, "{solver}: {:?}", sim.state().body_qd[0]);
    }
}

/// Points that are left out carry nothing: a box held by one side of its face only tips over.
#[test]
fn points_left_out_carry_nothing() {
    for solver in hooked() {
        let half = Change(|contact| contact.retain(|point| point.position.x < 0.0));
        let mut sim = simulation(solver, ball_on_ground(DVec3::ZERO, 0.5), 1, half);
        sim.run(30, |_| ()).expect("30 steps");
        let up = sim.state().body_q[0].rotation * DVec3::Z;
        assert!(up.x > 0.1, "{solver}: {up}");
        let none = Change(|contact| contact.disable());
        let mut sim = simulation(solver, ball_on_ground(DVec3::ZERO, 0.5), 1, none);
        sim.run(30, |_| ()).expect("30 steps");
        assert!(sim.state().body_q[0].translation.z < -0.5, "{solver}");
    }
}

/// What the hook sees comes in one order, and the run is the same to the bit, for any number of threads.
#[test]
fn hooks_see_one_order_for_any_number_of_threads() {
    struct Witness(Arc<Mutex<Vec<(u32, u32, u64)>>>);
    impl ContactHook for Witness {
        fn modify(&self, contact: &mut ContactPatch) {
            let [a, b] = contact.pair.shape.map(|shape| shape.0);
            self.0.lock().unwrap().push((a, b, contact.points()[0].gap.to_bits()));
            contact.retain(|point| point.gap < 0.01);
        }
    }
    for solver in hooked() {
        let run = |threads: usize| {
            let seen = Arc::new(Mutex::new(Vec::new()));
            let mut sim = simulation(solver, boxes_over_a_slab(), threads, Witness(seen.clone()));
            sim.run(60, |_| ()).expect("60 steps");
            let seen = seen.lock().unwrap().clone();
            (sim.state_hash(), seen)
        };
        let (hash, seen) = run(1);
        assert!(seen.len() > 50, "{solver}");
        for threads in [2, 4] {
            let again = run(threads);
            assert!(again.0 == hash && again.1 == seen, "{solver}: {threads} threads");
        }
    }
}

/// A hook that does nothing changes nothing.
#[test]
fn an_idle_hook_leaves_no_trace() {
    for solver in hooked() {
        let mut with = simulation(solver, boxes_over_a_slab(), 2, Change(|_| ()));
        let mut without =
            Simulation::builder(boxes_over_a_slab()).solver(solver).threads(2).build().expect("a simulation");
        with.run(60, |_| ()).expect("60 steps");
        without.run(60, |_| ()).expect("60 steps");
        assert_eq!(with.state_hash(), without.state_hash(), "{solver}");
    }
}

#[test]
fn nonsense_is_refused_with_the_shapes_named() {
    let mut sim = simulation("vbd", boxes_over_a_slab(), 1, Change(|contact| contact.material.friction_static = -1.0));
    let mut refused = None;
    for _ in 0..60 {
        let before = sim.state_hash();
        if let Err(error) = sim.step() {
            assert_eq!(sim.state_hash(), before, "nothing has moved");
            refused = Some(error.to_string());
            break;
        }
    }
    let refused = refused.expect("the boxes land");
    assert!(refused.contains("friction_static") && refused.contains("slab") && refused.contains("box"), "{refused}");

    let mut abd = Simulation::builder(ball_on_ground(DVec3::ZERO, 0.6)).solver("abd").build().expect("a simulation");
    let refused = abd.set_contact_hook(Some(Arc::new(Even))).expect_err("abd finds its own contacts").to_string();
    assert!(refused.contains("`abd`") && refused.contains("vbd"), "{refused}");
    assert!(abd.set_contact_hook(None).is_ok());
}

/// Ids stay those the user knows when others are removed.
#[test]
fn hooks_are_told_ids_after_edits() {
    struct Names(Arc<Mutex<Vec<(u32, u32)>>>);
    impl ContactHook for Names {
        fn modify(&self, contact: &mut ContactPatch) {
            let side = (0..2).find(|&side| !contact.pair.body[side].is_world()).expect("a box");
            self.0.lock().unwrap().push((contact.pair.shape[side].0, contact.pair.body[side].0));
        }
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut sim = simulation("vbd", boxes_over_a_slab(), 1, Names(seen.clone()));
    sim.edit(|scene| scene.remove_body(BodyId(0))).expect("one goes");
    sim.run(60, |_| ()).expect("60 steps");
    let mut seen = seen.lock().unwrap().clone();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [(3, 1), (4, 2), (5, 3)]);
}
