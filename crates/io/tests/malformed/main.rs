//! Bad scene files end in an error with the place and the way out, never in a panic.

mod cases;

use std::path::{Path, PathBuf};

use drystone_io::mesh::{MeshFile, MeshFormat};
use drystone_io::scene_file::{SceneError, SceneFault, load, no_meshes, parse};

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

/// One of the faults is the one expected; a short example may have others beside it.
fn assert_case(text: &str, &(_, place, message, help): &Case) {
    let error = parse(text, Path::new("scene.json5"), &meshes).expect_err(text);
    let shown = |fault: &SceneFault| SceneError::new(&error.file, text, vec![fault.clone()]).to_string();
    let expected = |said: &String| {
        let (first, rest) = said.split_once('\n').unwrap();
        let caret = place.starts_with("scene") || rest.contains('^');
        first.contains(place) && said.contains(message) && rest.contains("help: ") && rest.contains(help) && caret
    };
    let found = error.faults.iter().map(shown).any(|said| expected(&said));
    assert!(found, "{text}\n{error}\nhas nothing at {place} that says {message} and suggests {help}");
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

/// Seven faults of every stage (text, types, meaning, model) take one round, and nothing that only follows from them
/// is said.
#[test]
fn all_faults_of_all_stages_are_told_in_one_round() {
    let text = "{\n\
        gravity: [0, 0, -1e300],\n\
        settings: { dt: 0.01.5, solver: 'vdb' },\n\
        bodies: [\n\
        { name: 'a', kind: 'dynamik', shapes: [{ geometry: { sphere: { radus: 1 } } }] },\n\
        { name: 'b', mass: '3', shapes: [{ geometry: { box: { half: [1, 1] } }, material: 'stel' }] }\n\
        { name: 'c', mass: -1, shapes: [{ geometry: { sphere: { radius: 1 } } }] },\n\
        ],\n\
        joints: [\n\
        { kind: 'revolute', parent: 'a', child: 'ghost', anchor: [0, 0, 0] },\n\
        { kind: 'ball', child: 'c', axis: [0, 0, 1], anchor: [0, 0, 0], limits: {} },\n\
        ],\n}";
    let error = parse(text, Path::new("scene.json5"), &meshes).unwrap_err();
    let line = |fault| error.line_column(fault).map_or(0, |(line, _)| line);
    let found: Vec<(usize, &str)> = error.faults.iter().map(|fault| (line(fault), fault.message.as_str())).collect();
    let expected = [
        (2, "not of a sensible size"),
        (3, "is not a number"),
        (3, "there is no solver `vdb`"),
        (5, "`dynamik` is not one"),
        (5, "unknown key `radus`"),
        (6, "expected a number"),
        (6, "expected a list of 3"),
        (7, "expected `,` or `]`"),
        (7, "-1 is not positive"),
        (10, "lacks what it turns"),
        (10, "there is no body `ghost`"),
        (11, "has no axis"),
        (11, "unknown key `limits`"),
    ];
    assert_eq!(found.len(), expected.len(), "{error}");
    for ((line, message), (expected_line, piece)) in found.into_iter().zip(expected) {
        assert!(line == expected_line && message.contains(piece), "line {line}: {message}, expected {piece}\n{error}");
    }
}

/// A motion needs a drive that can follow it.
#[test]
fn a_motion_of_a_joint_without_a_drive_is_told() {
    let scene = |drive: &str, keys: &str| {
        let text = format!(
            "{{ {ARM}, joints: [{{ name: 'hinge', kind: 'revolute', child: 'arm', anchor: [0, 0, 0], axis: [0, 1, 0]{drive} }}],\n\
             motions: [{{ joint: 'hinge', keys: [{{ time: 0, {keys} }}] }}] }}"
        );
        parse(&text, Path::new("scene.json5"), &meshes).map_err(|error| error.to_string())
    };
    assert!(scene(", drive: { stiffness: 1 }", "target: 1").is_ok_and(|scene| !scene.motions.is_empty()));
    assert!(scene("", "target: 1").is_err_and(|error| error.contains("no drive there")));
    let placed = scene(", drive: { stiffness: 1 }", "position: [0, 0, 0]");
    assert!(placed.is_err_and(|error| error.contains("does not say where") && error.contains("`target`")));
}

/// Who follows the help must not be given it again.
#[test]
fn help_does_not_ask_for_what_is_there() {
    let help = |more: &str| {
        let text = format!("{{ shapes: [{{ geometry: {{ mesh: {{ file: 'open.obj'{more} }} }} }}] }}");
        let error = parse(&text, Path::new("scene.json5"), &meshes).unwrap_err();
        error.faults[0].help.clone()
    };
    assert!(help("").contains("repair: true"));
    for more in [", repair: true", ", repair: true, weld: 1e-4"] {
        assert!(!help(more).contains("repair: true") && help(more).contains("thicken"), "{}", help(more));
        assert!(!more.contains("weld") || !help(more).contains("weld"), "{}", help(more));
    }
}

/// Those who write scene files do not write Rust.
#[test]
fn no_names_of_rust_are_told() {
    let texts = SYNTAX.iter().chain(TYPES).chain(MEANING).map(|case| case.0.to_owned());
    let joints = JOINTS.iter().map(|case| format!("{{ {ARM},\njoints: [{{ {} }}] }}", case.0));
    for text in texts.chain(joints) {
        let error = parse(&text, Path::new("scene.json5"), &meshes).unwrap_err();
        for fault in &error.faults {
            let said = format!("{} {}", fault.message, fault.help);
            for word in
                ["u32", "u64", "f64", "usize", "struct ", "enum ", "Spec", "DVec3", "ModelBuilder", "::", "serde"]
            {
                assert!(!said.contains(word), "{text}\n{said}");
            }
        }
    }
}
