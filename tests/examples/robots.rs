//! Holds imported robots against answers of MuJoCo and Pinocchio (`tools/robot_answers.py`), file by file.
//!
//! usage: robots FOLDER
//!
//! FOLDER holds the answers. `cargo xtask robots` makes them and runs this.

use std::fs;
use std::path::Path;

use drystone_io::import::{Base, ImportOptions, read};
use drystone_tests::robots::{Answers, Apart, compare};

/// Largest difference allowed, relative: MuJoCo keeps vertices of meshes in single precision.
const BOUND: f64 = 1e-8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: robots FOLDER")?;
    let mut files: Vec<_> = fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
    let (mut refused, mut other, mut good, mut bad) = (0, 0, 0, 0);
    let mut worst = Apart::default();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
        let answers: Answers = serde_json::from_str(&fs::read_to_string(file)?)?;
        let Ok(robot) = read(Path::new(&answers.file), &options) else {
            refused += 1;
            continue;
        };
        match compare(&robot, &answers) {
            Ok(apart) if apart.most() < BOUND => {
                good += 1;
                worst = Apart {
                    mass: worst.mass.max(apart.mass),
                    pose: worst.pose.max(apart.pose),
                    inertia: worst.inertia.max(apart.inertia),
                    bias: worst.bias.max(apart.bias),
                    force: worst.force.max(apart.force),
                };
            }
            Ok(apart) => {
                bad += 1;
                println!("{}: {apart:?}", answers.file);
            }
            Err(why) => {
                other += 1;
                println!("{}: not compared: {why}", answers.file);
            }
        }
    }
    println!(
        "{good} agree, {bad} differ, {other} not compared, {refused} refused; largest differences of those that agree: {worst:?}"
    );
    if bad > 0 { Err("some differ".into()) } else { Ok(()) }
}
