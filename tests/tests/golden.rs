//! Golden hashes: the very bits every solver ends with on a dozen scenes, so that no change of the physics goes unseen.
//!
//! A change that is meant to move bodies rewrites them with `cargo xtask golden --write`, and its commit says why.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use drystone::solvers;
use drystone_scenes::{RandomScene, Scene};
use drystone_tests::runner::{hash_after, scene};

/// Scenes of the library with their settings and steps; those a solver refuses are left out for it.
const LIBRARY: [(&str, &[&str], u64); 9] = [
    ("pyramid", &["rows=4"], 20),
    ("pile", &["count=12"], 40),
    ("card-house", &["levels=1"], 20),
    ("sliding-box", &[], 20),
    ("newton-cradle", &[], 30),
    ("chain", &["links=6"], 30),
    ("necklace", &["chains=2", "beads=6"], 20),
    ("four-bar", &[], 30),
    ("gyroscope", &[], 20),
];
/// Random scenes: with joints, bouncing, in free space.
const RANDOM: [u32; 3] = [3, 8, 11];
const RANDOM_STEPS: u64 = 20;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/hashes.txt")
}

/// One line per solver and scene: `solver scene hash`. Libraries of mathematics differ between kinds of machines, and so
/// may the bits.
fn hashes(threads: usize) -> String {
    let mut text =
        format!("# for {} on {}; `cargo xtask golden --write`\n", std::env::consts::ARCH, std::env::consts::OS);
    for solver in solvers() {
        for (name, settings, steps) in LIBRARY {
            let words = [&[name], settings].concat().join(" ");
            line(&mut text, solver.name, &words, &scene(name, settings), threads, steps);
        }
        for seed in RANDOM {
            let random = RandomScene { count: 8, crowded: false, ..RandomScene::of_seed(seed) };
            let model = random.build().and_then(|made| Ok(made.finalize()?)).unwrap();
            let random = Scene { model, ..scene("pyramid", &[]) };
            line(&mut text, solver.name, &format!("random {seed}"), &random, threads, RANDOM_STEPS);
        }
    }
    text
}

fn line(text: &mut String, solver: &str, words: &str, scene: &Scene, threads: usize, steps: u64) {
    if drystone::make_solver(solver, &scene.model, serde_json::Value::Null).is_ok() {
        _ = writeln!(text, "{solver} {words} {:016x}", hash_after(scene, solver, threads, steps));
    }
}

#[test]
fn every_solver_ends_with_the_bits_it_ended_with() {
    let made = hashes(1);
    if std::env::var_os("DRYSTONE_UPDATE").is_some() {
        std::fs::create_dir_all(path().parent().unwrap()).unwrap();
        std::fs::write(path(), made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(path()).unwrap_or_default();
    assert!(made.lines().count() > 30, "too few scenes to notice anything: {made}");
    if kept.lines().next() != made.lines().next() {
        eprintln!("nothing compared: the hashes are those of another kind of machine");
        return;
    }
    let changed: Vec<&str> = made.lines().filter(|line| !kept.lines().any(|other| other == *line)).collect();
    assert!(
        changed.is_empty() && made.lines().count() == kept.lines().count(),
        "bodies move otherwise than before; if that is meant, run `cargo xtask golden --write` and say why in the commit: \
         {changed:#?}"
    );
}

#[test]
fn any_number_of_threads_gives_the_golden_bits() {
    let one = hashes(1);
    assert_eq!(one, hashes(2));
    assert_eq!(one, hashes(4));
}
