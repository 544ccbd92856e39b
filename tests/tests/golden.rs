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
/// Every solver takes at least as many of the scenes.
const FEWEST: usize = 9;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/hashes.txt")
}

/// One line per solver and scene: `solver scene hash`. Libraries of mathematics differ between kinds of machines, and so
/// may the bits.
fn hashes(threads: usize) -> String {
    let mut text =
        format!("{HEADER}{} on {}; `cargo xtask golden --write`\n", std::env::consts::ARCH, std::env::consts::OS);
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

/// What a file of golden hashes begins with, on any kind of machine.
const HEADER: &str = "# for ";

/// Every row in which the kept file and the new hashes differ, missing ones and ones too many included. `None` if the file
/// was made on another kind of machine, so that nothing can be compared.
fn differences(kept: &str, made: &str) -> Option<Vec<String>> {
    let header = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    if header(kept).starts_with(HEADER) && header(kept) != header(made) {
        return None;
    }
    let without = |text: &str, other: &str, word: &str| -> Vec<String> {
        let missing = text.lines().filter(|line| !other.lines().any(|each| each == *line));
        missing.map(|line| format!("{word} {line}")).collect()
    };
    Some([without(kept, made, "was"), without(made, kept, "is")].concat())
}

#[test]
fn every_solver_ends_with_the_bits_it_ended_with() {
    let made = hashes(1);
    // A solver that began to refuse scenes would leave fewer rows, also in a file written anew.
    for solver in solvers() {
        let rows = made.lines().filter(|line| line.split(' ').next() == Some(solver.name)).count();
        assert!(rows >= FEWEST, "{} takes {rows} of {} scenes", solver.name, LIBRARY.len() + RANDOM.len());
    }
    if std::env::var_os("DRYSTONE_UPDATE").is_some() {
        std::fs::create_dir_all(path().parent().unwrap()).unwrap();
        std::fs::write(path(), made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(path()).unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo xtask golden --write` makes it, if that is meant", path().display())
    });
    match differences(&kept, &made) {
        None => eprintln!("nothing compared: the hashes are those of another kind of machine"),
        Some(changed) => assert!(
            changed.is_empty(),
            "bodies move otherwise than before; if that is meant, run `cargo xtask golden --write` and say why in the \
             commit: {changed:#?}"
        ),
    }
}

#[test]
fn any_lost_or_changed_row_is_a_difference() {
    let made = "# for a on b\nvbd pile 1\nabd pile 2\n";
    let found = |kept: &str| differences(kept, made).unwrap();
    assert!(found(made).is_empty());
    assert_eq!(found("# for a on b\nvbd pile 1\n"), ["is abd pile 2"]);
    assert_eq!(found("# for a on b\nvbd pile 1\nabd pile 2\nabd pyramid 3\n"), ["was abd pyramid 3"]);
    assert_eq!(found("# for a on b\nvbd pile 7\nabd pile 2\n"), ["was vbd pile 7", "is vbd pile 1"]);
    assert_eq!(found("").len(), 3, "an empty file");
    assert_eq!(found("vbd pile 1\nabd pile 2\n"), ["is # for a on b"], "a file without its first line");
    assert_eq!(differences("# for c on b\nvbd pile 7\n", made), None);
}

#[test]
fn any_number_of_threads_gives_the_golden_bits() {
    let one = hashes(1);
    assert_eq!(one, hashes(2));
    assert_eq!(one, hashes(4));
}
