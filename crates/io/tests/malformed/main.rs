//! Bad scene files end in an error with the place and the way out, never in a panic.

mod cases;

use std::path::{Path, PathBuf};

use drystone_io::mesh::{MeshFile, MeshFormat};
use drystone_io::scene_file::{load, no_meshes, parse};

use cases::{ARM, Case, JOINTS, MEANING, SYNTAX, TYPES};

const OPEN_BOX: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 4 3 2\nf 1 2 5\n";
const TWO_TETRAHEDRA_ON_AN_EDGE: &str = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\n\
    f 1 4 3\nf 1 3 2\nf 2 3 4\nf 1 2 4\nf 1 6 5\nf 1 5 2\nf 2 5 6\nf 1 2 6\n";

/// Meshes in memory, by name.
fn meshes(file: &str) -> Result<MeshFile, drystone_io::mesh::MeshError> {
    let text = match file {
        "open.obj" => OPEN_BOX,
        "edge.obj" => TWO_TETRAHEDRA_ON_AN_EDGE,
        "nan.obj" => "v 0 0 nan\n",
        _ => return drystone_io::mesh::read(Path::new(file)),
    };
    drystone_io::mesh::parse(text.as_bytes(), MeshFormat::Obj, &|_| unreachable!())
}

fn refusal(text: &str) -> String {
    parse(text, Path::new("scene.json5"), &meshes).expect_err(text).to_string()
}

fn assert_case(text: &str, &(_, place, message, help): &Case) {
    let error = refusal(text);
    let (first, rest) = error.split_once('\n').unwrap();
    assert!(first.contains(place), "{text}\n{error}\nhas not the place {place}");
    assert!(error.contains(message), "{text}\n{error}\ndoes not say {message}");
    assert!(rest.contains("help: ") && rest.contains(help), "{text}\n{error}\ndoes not suggest {help}");
    if !place.starts_with("scene") {
        assert!(rest.contains('^'), "{error}\nhas no caret");
    }
}

#[test]
fn syntax_faults() {
    SYNTAX.iter().for_each(|case| assert_case(case.0, case));
}

#[test]
fn faults_of_keys_and_types() {
    TYPES.iter().for_each(|case| assert_case(case.0, case));
}

#[test]
fn faults_of_meaning() {
    MEANING.iter().for_each(|case| assert_case(case.0, case));
}

#[test]
fn faults_of_joints() {
    for case in JOINTS {
        assert_case(&format!("{{ {ARM},\njoints: [{{ {} }}] }}", case.0), case);
    }
}

#[test]
fn every_fault_is_listed_in_the_order_of_the_file() {
    let text = "{ shapes: [{ geometry: { mesh: { file: 'no.obj' } } }],\n bodies: [\n\
        { name: 'a', mass: -1, shapes: [{ geometry: { sphere: { radius: 1 } } }] },\n\
        { name: 'b', relative_to: 'c', shapes: [{ geometry: { sphere: { radius: 1 } } }] },\n] }";
    let error = parse(text, Path::new("scene.json5"), &meshes).unwrap_err();
    let lines: Vec<usize> =
        error.faults.iter().map(|fault| error.line_column(fault).map_or(0, |(line, _)| line)).collect();
    assert_eq!(lines, [1, 3, 4], "{error}");
}

#[test]
fn very_many_faults_are_cut_short() {
    let text = format!("{{ bodies: [{}] }}", "{ mass: -1 },".repeat(500));
    let error = refusal(&text);
    assert!(error.lines().count() < 100 && error.ends_with("more"), "{error}");
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("drystone-io-malformed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn files_that_cannot_be_text() {
    let folder = scratch("a-folder.json5");
    std::fs::create_dir_all(&folder).unwrap();
    let bad = scratch("bad.json5");
    std::fs::write(&bad, b"{\n  name: 'caf\xe9',\n}").unwrap();
    for (path, message, help) in [
        (Path::new("no/such/scene.json5"), "cannot read the scene", "check the path"),
        (&folder, "this is a folder", "name a scene file"),
        (&bad, "bad.json5:2:13: error: the file is not UTF-8", "save it as UTF-8"),
    ] {
        let error = load(path).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains(help), "{error}");
    }
}

#[test]
fn deep_nesting_and_long_lines_cost_nothing() {
    let deep = format!("{{ name: {}1{} }}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("{{ bodies: [{}{{ kidn: 1 }}] }}", "{ kind: 'static' }, ".repeat(10_000));
    let strange = format!("{{ {}: 1 }}", "k".repeat(1_000_000));
    for (text, message) in [(deep, "nested more than"), (long, "`kidn`"), (strange, "unknown key")] {
        let error = refusal(&text);
        assert!(error.contains(message) && error.len() < 2000, "{}", &error[..200]);
    }
}

#[test]
fn stand_alone_scenes_name_no_meshes() {
    let text = "{ shapes: [{ geometry: { mesh: { file: 'a.obj' } } }] }";
    let error = parse(text, Path::new("x"), &no_meshes).unwrap_err().to_string();
    assert!(error.contains("cannot be read here"), "{error}");
}

/// A body whose mesh is missing has no mass either, but that is no fault of its own.
#[test]
fn what_follows_from_a_missing_mesh_is_not_reported() {
    let text = refusal("{ bodies: [{ name: 'a', shapes: [{ geometry: { mesh: { file: 'none.obj' } } }] }] }");
    assert!(text.contains("none.obj") && !text.contains("needs a mass"), "{text}");
}
