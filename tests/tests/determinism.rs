//! The same bits: for any number of threads, run after run, and after going on from a checkpoint.

use drystone::prelude::*;
use drystone::solvers;
use drystone_tests::runner::{hash_after, scene, simulation};

/// Contacts at rest, contacts in a heap, hinges, trees with contacts, rods, a lattice: large enough
/// that the work is split among threads.
const SCENES: &[(&str, &[&str], u64)] = &[
    ("pyramid", &["rows=16"], 20),
    ("pile", &["count=600"], 60),
    ("card-house", &["levels=4"], 30),
    ("necklace", &["chains=20", "beads=20"], 20),
    ("joint-grid", &["size=24"], 10),
    ("cable", &["segments=24"], 30),
    ("wrecking-ball", &[], 60),
    ("ragdolls", &["count=4"], 60),
];

/// The same for the solver of intersection-free steps, which takes more time: contacts, friction, meshes, and joints.
const INTERSECTION_FREE: &[(&str, &[&str], u64)] = &[
    ("pile", &["count=12"], 30),
    ("card-house", &["levels=2"], 20),
    ("chain-net", &["size=3"], 10),
    ("chain", &["links=6"], 20),
];

/// The same for the solver of mechanisms, whose contacts are for few bodies.
const MECHANISMS: &[(&str, &[&str], u64)] = &[
    ("necklace", &["chains=8", "beads=10"], 20),
    ("stewart-platform", &[], 20),
    ("chain-mail", &["size=4"], 20),
    ("stack", &["count=3"], 20),
];

/// The scenes a solver is held to.
fn scenes_of(solver: &str) -> &'static [(&'static str, &'static [&'static str], u64)] {
    match solver {
        "abd" => INTERSECTION_FREE,
        "structured" => MECHANISMS,
        _ => SCENES,
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    for solver in solvers() {
        for &(name, settings, steps) in scenes_of(solver.name) {
            let scene = scene(name, settings);
            let hashes = [1, 2, 4].map(|threads| hash_after(&scene, solver.name, threads, steps));
            assert_eq!(hashes, [hashes[0]; 3], "{name} under {} on 1, 2 and 4 threads", solver.name);
        }
    }
}

#[test]
fn two_runs_are_the_same_and_two_scenes_are_not() {
    let mut hashes = Vec::new();
    for &(name, settings, steps) in SCENES {
        let scene = scene(name, settings);
        let hash = hash_after(&scene, scene.settings.solver(), 2, steps);
        assert_eq!(hash, hash_after(&scene, scene.settings.solver(), 2, steps), "{name}");
        hashes.push(hash);
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), SCENES.len(), "the hash must tell scenes apart");
}

#[test]
fn going_on_from_a_checkpoint_changes_nothing() {
    for solver in solvers() {
        for &(name, settings, steps) in scenes_of(solver.name) {
            let scene = scene(name, settings);
            let mut whole = simulation(&scene, solver.name).build().unwrap();
            whole.run(steps / 2, |_| ()).unwrap();
            let bytes = whole.checkpoint().to_bytes();
            let (mut events, mut again) = (Vec::new(), Vec::new());
            whole.run(steps / 2, |sim| events.extend_from_slice(sim.events())).unwrap();
            // Nothing but the bytes goes over, as after a killed process.
            let mut resumed = simulation(&scene, solver.name).threads(2).build().unwrap();
            resumed.resume(&Checkpoint::from_bytes(&bytes).unwrap()).unwrap();
            resumed.run(steps / 2, |sim| again.extend_from_slice(sim.events())).unwrap();
            assert_ne!(whole.state_hash(), scene.model.state().hash(), "{name} must move to show anything");
            assert_eq!(resumed.state_hash(), whole.state_hash(), "{name} under {}", solver.name);
            assert_eq!(again, events, "{name} under {}", solver.name);
        }
    }
}

/// Bodies that lie, bounce, swing, are driven, come to a stop, break loose and fly: all that a solver may remember.
fn of_everything(solver: &str) -> Model {
    // It takes neither restitution nor joints that break, and says so.
    let plastic = solver == "abd";
    let mut scene = ModelBuilder::new();
    scene.ground();
    let slab = |name: &str, place: DVec3| BodyDef::dynamic(name).at(place).cuboid(DVec3::new(0.2, 0.2, 0.1));
    for level in 0..3 {
        scene.add_body(slab(&format!("lying {level}"), DVec3::new(0.0, 0.0, 0.11 + 0.21 * f64::from(level))));
    }
    let mut bouncing = Material { restitution: if plastic { 0.0 } else { 0.6 }, ..Material::default() };
    bouncing.set_friction(0.4);
    let ball = BodyDef::dynamic("bouncing").at(DVec3::new(1.0, 0.0, 0.4)).velocity(DVec3::X).spin(DVec3::Y);
    scene.add_body(ball.shape(ShapeDef::sphere(0.1).material(bouncing)));
    let flying = slab("flying", DVec3::new(0.0, 3.0, 4.0)).velocity(DVec3::new(0.5, 0.0, 1.0));
    scene.add_body(flying.spin(DVec3::new(1.0, 2.0, 0.3)));
    let hung = |scene: &mut ModelBuilder, name: &str, y: f64, joint: &dyn Fn(JointDef) -> JointDef| {
        let arm = scene.add_body(slab(name, DVec3::new(0.4, y, 3.0)));
        scene.add_joint(joint(JointDef::revolute(WORLD, arm, DVec3::new(0.0, y, 3.0), DVec3::Y)));
        arm
    };
    let swinging = hung(&mut scene, "swinging", -1.0, &|joint| joint);
    let lower = scene.add_body(slab("lower", DVec3::new(0.9, -1.0, 3.0)));
    scene.add_joint(JointDef::ball(swinging, lower, DVec3::new(0.65, -1.0, 3.0)));
    hung(&mut scene, "stopped", -2.0, &|joint| joint.limit(Axis::AngX, -0.3, 0.3));
    hung(&mut scene, "driven", -3.0, &|joint| joint.drive(Axis::AngX, Drive::position(0.5, 40.0, 4.0)));
    hung(&mut scene, "rubbing", -4.0, &|joint| joint.friction(Axis::AngX, 20.0));
    let strength = if plastic { f64::INFINITY } else { 250.0 };
    hung(&mut scene, "breaking", -5.0, &|joint| joint.break_at(strength, f64::INFINITY));
    scene.finalize().unwrap()
}

/// However far a run has come when it is stopped.
#[test]
fn going_on_from_any_step_changes_nothing() {
    const STEPS: u64 = 48;
    for solver in solvers() {
        let build = || Simulation::builder(of_everything(solver.name)).solver(solver.name).build().unwrap();
        let mut whole = build();
        let (mut checkpoints, mut steps) = (Vec::new(), Vec::new());
        for _ in 0..STEPS {
            checkpoints.push(whole.checkpoint().to_bytes());
            whole.step().unwrap();
            steps.push((whole.state_hash(), whole.events().to_vec()));
        }
        let seen = |wanted: fn(&Event) -> bool| steps[8..].iter().any(|(_, events)| events.iter().any(wanted));
        assert!(seen(|event| matches!(event, Event::Contact(_))), "{}: nothing lands", solver.name);
        let breaks = seen(|event| matches!(event, Event::JointBroken { .. }));
        assert_eq!(breaks, solver.name != "abd", "{}: whether a joint breaks", solver.name);
        for from in [0, 1, 2, 7, 12, 17, 22, 27, 36, 47] {
            let mut resumed = build();
            resumed.resume(&Checkpoint::from_bytes(&checkpoints[from]).unwrap()).unwrap();
            for (step, (hash, events)) in steps.iter().enumerate().skip(from).take(8) {
                resumed.step().unwrap();
                let place = format!("{}: step {step} after going on from {from}", solver.name);
                assert_eq!(resumed.state_hash(), *hash, "{place}");
                assert_eq!(resumed.events(), *events, "{place}");
            }
        }
    }
}
