//! Imported robots against what MuJoCo and Pinocchio say about the same files. Theirs are in `tests/fixtures/robots`;
//! `cargo xtask robots --write` asks them again, and `cargo xtask robots` compares some hundred files of other projects.

use std::path::{Path, PathBuf};

use drystone_io::import::{Base, ImportError, ImportOptions, Imported, parse_mjcf, parse_urdf, read};
use drystone_tests::robots::{Answers, compare, moved_apart};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/robots").join(name)
}

fn robot(name: &str) -> Imported {
    let options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
    read(&fixture(name), &options).unwrap_or_else(|error| panic!("{error}"))
}

fn answers(name: &str) -> Answers {
    let path = fixture(name).with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn agrees(name: &str) {
    let answers = answers(name);
    let apart = compare(&robot(name), &answers).unwrap_or_else(|why| panic!("{name}: {why}"));
    assert!(apart.mass < 1e-12 && apart.pose < 1e-12 && apart.inertia < 1e-12, "{name}: {apart:?}");
    // Weight comes from accelerations, through the mass matrix and back.
    assert!(apart.force < 1e-12 && apart.bias < 1e-11, "{name}: {apart:?}");
}

#[test]
fn a_floating_walker_is_what_mujoco_makes_of_it() {
    agrees("walker.xml");
}

#[test]
fn a_cart_with_slides_and_servos_is_what_mujoco_makes_of_it() {
    agrees("cart.xml");
}

#[test]
fn a_fish_with_a_medium_a_chain_and_tendons_is_what_mujoco_makes_of_it() {
    agrees("fish.xml");
}

#[test]
fn balls_springs_of_free_bodies_sites_and_lines_are_what_mujoco_makes_of_them() {
    agrees("balls.xml");
}

#[test]
fn an_arm_with_turned_tensors_is_what_pinocchio_makes_of_it() {
    agrees("arm.urdf");
}

/// One second of free motion, by the method of Runge and Kutta on both sides: a floating walker with springs, servos, rotors, a ball
/// and a triple joint, a cart on slides, an arm of URDF.
#[test]
fn robots_move_through_the_air_as_in_mujoco() {
    for name in ["walker.xml", "cart.xml", "arm.urdf"] {
        let motion = answers(name).motion.expect("the answers hold a motion");
        let apart = moved_apart(&robot(name), &motion).unwrap_or_else(|why| panic!("{name}: {why}"));
        println!("{name}: {apart:.1e}");
        assert!(apart < 1e-6, "{name}: {apart:e}");
    }
}

/// Reads a text in the format its name says.
fn parse(name: &str, text: &str) -> Result<Imported, ImportError> {
    let options = ImportOptions { base: Some(Base::Free), ..ImportOptions::default() };
    let path = fixture(name);
    if name.ends_with(".urdf") { parse_urdf(text, &path, &options) } else { parse_mjcf(text, &path, &options) }
}

const ROBOTS: [&str; 5] = ["walker.xml", "cart.xml", "fish.xml", "balls.xml", "arm.urdf"];

#[test]
fn truncated_files_are_refused_with_the_place() {
    for name in ROBOTS {
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let end = text.rfind("</").unwrap();
        for cut in (0..end).step_by(5) {
            let error = parse(name, &text[..cut]).expect_err("half a robot");
            assert!(error.faults.iter().all(|fault| error.position(fault).is_some()), "{error}");
        }
    }
}

#[test]
fn damaged_files_are_read_or_refused_and_never_break_the_reader() {
    for name in ROBOTS {
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let values: Vec<(usize, &str)> = text.match_indices('"').collect();
        for pair in values.chunks_exact(2) {
            for value in ["", "nan", "1e999", "-1", "0", "0 0 0", "1 2 3 4 5 6 7 8 9", "x", "true", "\u{fe0f}"] {
                let damaged = format!("{}{value}{}", &text[..=pair[0].0], &text[pair[1].0..]);
                if let Err(error) = parse(name, &damaged) {
                    assert!(error.to_string().contains("help: "), "{error}");
                }
            }
        }
    }
}
