//! Golden hashes: the very bits every solver ends with on a dozen scenes, so that no change of the physics goes unseen.
//!
//! A change that is meant to move bodies rewrites them with `cargo xtask golden --write`, and its commit says why.

use std::path::{Path, PathBuf};

use drystone::solvers;
use drystone_golden::{SCENES, run};

/// Every solver takes at least as many of the scenes.
const FEWEST: usize = 9;
/// What the kept file begins with.
const HEADER: &str = "# `cargo xtask golden --write`; the same on every machine\n";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/hashes.txt")
}

fn hashes(threads: usize) -> String {
    let mut text = HEADER.to_owned();
    run(Some(threads), |row| text.extend([row, "\n"]));
    text
}

/// Every row in which the kept file and the new hashes differ, missing ones and ones too many included.
fn differences(kept: &str, made: &str) -> Vec<String> {
    let without = |text: &str, other: &str, word: &str| -> Vec<String> {
        let missing = text.lines().filter(|line| !other.lines().any(|each| each == *line));
        missing.map(|line| format!("{word} {line}")).collect()
    };
    [without(kept, made, "was"), without(made, kept, "is")].concat()
}

#[test]
fn every_solver_ends_with_the_bits_it_ended_with() {
    let made = hashes(1);
    // A solver that began to refuse scenes would leave fewer rows, also in a file written anew.
    for solver in solvers() {
        let rows = made.lines().filter(|line| line.split(' ').next() == Some(solver.name)).count();
        assert!(rows >= FEWEST, "{} takes {rows} of {SCENES} scenes", solver.name);
    }
    if std::env::var_os("DRYSTONE_UPDATE").is_some() {
        std::fs::create_dir_all(path().parent().unwrap()).unwrap();
        std::fs::write(path(), made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(path()).unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo xtask golden --write` makes it, if that is meant", path().display())
    });
    let changed = differences(&kept, &made);
    assert!(
        changed.is_empty(),
        "bodies move otherwise than before; if that is meant, run `cargo xtask golden --write` and say why in the commit: \
         {changed:#?}"
    );
}

#[test]
fn any_lost_or_changed_row_is_a_difference() {
    let made = "# header\nvbd pile 1\nabd pile 2\n";
    assert!(differences(made, made).is_empty());
    assert_eq!(differences("# header\nvbd pile 1\n", made), ["is abd pile 2"]);
    assert_eq!(differences("# header\nvbd pile 1\nabd pile 2\nabd pyramid 3\n", made), ["was abd pyramid 3"]);
    assert_eq!(differences("# header\nvbd pile 7\nabd pile 2\n", made), ["was vbd pile 7", "is vbd pile 1"]);
    assert_eq!(differences("", made).len(), 3, "an empty file");
}

#[test]
fn any_number_of_threads_gives_the_golden_bits() {
    let one = hashes(1);
    assert_eq!(one, hashes(2));
    assert_eq!(one, hashes(4));
}
