//! Documentation that would otherwise fall behind the code.

use std::fs;
use std::path::{Path, PathBuf};

use drystone_report::with_made_part;
use drystone_scenes::SCENES;
use drystone_tests::table::{scene_gallery, scene_table};

/// Largest picture of the gallery \[bytes\]: a clone should stay small.
const PICTURE_LIMIT: u64 = 100_000;
/// Largest film of the gallery \[bytes\].
const FILM_LIMIT: u64 = 400_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// With `DRYSTONE_UPDATE=1` the document is rewritten instead.
fn is_up_to_date(document: &str, made: &str) {
    let text = read(document);
    let expected = with_made_part(&text, "scenes", made).unwrap_or_else(|| panic!("{document} has lost its marks"));
    if std::env::var_os("DRYSTONE_UPDATE").is_some() {
        fs::write(root().join(document), expected).unwrap();
    } else {
        assert_eq!(text, expected, "run this test with DRYSTONE_UPDATE=1 to bring {document} up to date");
    }
}

#[test]
fn the_readme_lists_the_scenes_there_are() {
    is_up_to_date("README.md", &scene_table());
}

#[test]
fn the_gallery_describes_the_scenes_there_are() {
    is_up_to_date("docs/gallery.md", &scene_gallery());
}

#[test]
fn every_scene_has_its_picture() {
    for entry in SCENES {
        let picture = format!("docs/images/{}.png", entry.name);
        let size = fs::metadata(root().join(&picture)).map_or(0, |file| file.len());
        assert!(size > 0, "no {picture}; make it with: drystone gallery {} --out docs/images", entry.name);
        assert!(size < PICTURE_LIMIT, "{picture} has {size} bytes, more than {PICTURE_LIMIT}");
    }
}

#[test]
fn films_are_small() {
    let films = fs::read_dir(root().join("docs/images")).unwrap().map(|entry| entry.unwrap().path());
    let films: Vec<PathBuf> = films.filter(|path| path.extension().is_some_and(|kind| kind == "gif")).collect();
    assert!(!films.is_empty(), "no films in docs/images");
    for film in films {
        let size = fs::metadata(&film).unwrap().len();
        assert!(size < FILM_LIMIT, "{} has {size} bytes, more than {FILM_LIMIT}", film.display());
    }
}

/// The phases are called the same in the code and in the documentation.
#[test]
fn the_architecture_page_explains_every_phase() {
    use drystone::solve::Phase::*;
    let page = read("docs/architecture.md");
    let on_the_cpu =
        [Control, Predict, Bounds, Pairs, Contacts, Ccd, WarmStart, Graph, Assemble, Iterate, Finish, Report];
    let on_the_gpu = [Upload, ConstraintKernels, BodyKernels, Download];
    for phase in on_the_cpu.into_iter().chain(on_the_gpu) {
        let name = format!("{phase:?}");
        assert!(page.contains(&format!("| `{name}` |")), "docs/architecture.md does not explain phase {name}");
    }
}

/// The options of every solver at their defaults.
fn options() -> impl Iterator<Item = (&'static str, serde_json::Value)> {
    drystone::solvers().iter().map(|solver| (solver.name, solver.defaults()))
}

#[test]
fn every_solver_page_lists_the_options_there_are() {
    for (solver, options) in options() {
        let page = read(&format!("docs/{solver}.md"));
        let table = page.split("## Options").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
        let listed: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
        let options = options.as_object().unwrap();
        for (name, value) in options {
            let row = if value.is_object() { format!("{name}.*") } else { name.clone() };
            assert!(listed.contains(&row.as_str()), "docs/{solver}.md does not list option `{row}`");
            for inner in value.as_object().into_iter().flat_map(serde_json::Map::keys) {
                assert!(table.contains(&format!("`{inner}`")), "docs/{solver}.md does not name `{name}.{inner}`");
            }
        }
        let known = |row: &&str| options.contains_key(row.trim_end_matches(".*"));
        let unknown: Vec<&&str> = listed.iter().filter(|row| !known(row)).collect();
        assert!(unknown.is_empty(), "docs/{solver}.md lists options that are not there: {unknown:?}");
    }
}

/// Scene files that the tutorial asks a reader to copy are sound.
#[test]
fn scene_files_in_the_tutorial_are_read() {
    let page = read("docs/first-scene.md");
    let scenes: Vec<&str> = page.split("```json5\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!scenes.is_empty());
    for scene in scenes {
        let read =
            drystone_io::scene_file::parse(scene, Path::new("first-scene.md"), &drystone_io::scene_file::no_meshes);
        let read = read.unwrap_or_else(|error| panic!("{error}"));
        assert!(read.model.body_count() > 1);
    }
}
