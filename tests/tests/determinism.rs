//! The same bits: for any number of threads, run after run, and after going on from a checkpoint.

use drystone::{Checkpoint, solvers};
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

/// The same for the solver of intersection-free steps, which takes no joints and more time.
const INTERSECTION_FREE: &[(&str, &[&str], u64)] =
    &[("pile", &["count=12"], 30), ("card-house", &["levels=2"], 20), ("chain-net", &["size=3"], 10)];

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
            whole.run(steps / 2, |_| ()).unwrap();
            // Nothing but the bytes goes over, as after a killed process.
            let mut resumed = simulation(&scene, solver.name).threads(2).build().unwrap();
            resumed.resume(&Checkpoint::from_bytes(&bytes).unwrap()).unwrap();
            resumed.run(steps / 2, |_| ()).unwrap();
            assert_eq!(resumed.state_hash(), whole.state_hash(), "{name} under {}", solver.name);
            assert_eq!(resumed.events(), whole.events(), "{name} under {}", solver.name);
        }
    }
}
