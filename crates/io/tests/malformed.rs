//! Bad scene files end in an error with the place and the way out, never in a panic.

use std::path::{Path, PathBuf};

use drystone_io::mesh::{MeshFile, MeshFormat};
use drystone_io::scene_file::{load, no_meshes, parse};

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

/// Text, the place it must be refused at, what must be said, and what must be suggested.
type Case = (&'static str, &'static str, &'static str, &'static str);

const SYNTAX: &[Case] = &[
    ("", "scene.json5: ", "the file is empty", "begin with"),
    ("{ bodies: [", ":1:11: ", "the file ends inside this list", "close it with `]`"),
    ("{ bodies: [{ name: 'a }] }", ":1:20: ", "this string does not end", "close it with"),
    ("{\n  gravity: [0, 0 -9.81]\n}", ":2:18: ", "expected `,` or `]`", "commas"),
    ("{ name: stack }", ":1:9: ", "`stack` is not a value", "put strings in quotes"),
    ("{ gravity: [0, 0, 9..81] }", ":1:19: ", "is not a number", "write a number"),
    ("{ name: 'a',\n  name: 'b' }", ":2:3: ", "the key `name` is here twice, first on line 1", "keep one"),
    ("[1, 2, 3]", ":1:1: ", "expected an object, found a list", "{ key: value"),
    ("{} trailing", ":1:4: ", "expected the end of the file", "remove"),
    ("\u{1}\u{2}\u{3}", ":1:1: ", "expected a value", "write"),
];

const TYPES: &[Case] = &[
    ("{ bodys: [] }", ":1:3: ", "unknown key `bodys`", "did you mean `bodies`?"),
    ("{ bodies: [{ wheels: 4 }] }", ":1:14: ", "unknown key `wheels`", "use one of name, kind"),
    ("{ bodies: {} }", ":1:11: ", "expected a list, found an object", "[brackets]"),
    ("{ gravity: '9.81' }", ":1:12: ", "expected a list, found a string", "[brackets]"),
    ("{ gravity: [0, 0] }", ":1:12: ", "expected a list of 3, found 2", "give 3 entries"),
    ("{ gravity: [0, 0, NaN] }", ":1:19: ", "NaN is not a quantity", "give a number"),
    ("{ gravity: [0, 0, '-9.81'] }", ":1:19: ", "expected a number, found a string", "remove the quotes"),
    ("{ bodies: [{ kind: 'dynamik' }] }", ":1:20: ", "`dynamik` is not one of the choices", "did you mean `dynamic`?"),
    ("{ joints: [{ kind: 'weld', child: 'a' }] }", ":1:20: ", "`weld` is not one of the choices", "fixed, ball"),
    ("{ joints: [{ kind: 'ball' }] }", ":1:12: ", "the key `child` is missing", "add `child: …`"),
    ("{ shapes: [{}] }", ":1:12: ", "the key `geometry` is missing", "add"),
    ("{ shapes: [{ geometry: 'sphere' }] }", ":1:24: ", "`sphere` needs its details", "{ sphere: { … } }"),
    (
        "{ shapes: [{ geometry: { sphere: { radius: 1 }, box: { half: [1, 1, 1] } } }] }",
        ":1:49: ",
        "a second choice",
        "keep just one",
    ),
    (
        "{ shapes: [{ geometry: { sphere: { radus: 1 } } }] }",
        ":1:36: ",
        "unknown key `radus`",
        "did you mean `radius`?",
    ),
    ("{ shapes: [{ geometry: 'half_space', mask: -1 }] }", ":1:44: ", "expected u32", "schema"),
    ("{ shapes: [{ geometry: 'half_space', mask: 0.5 }] }", ":1:44: ", "0.5 is not a whole number", "whole number"),
    ("{ shapes: [{ geometry: 'half_space', rotation: 'up' }] }", ":1:48: ", "expected a quaternion", "schema"),
    (
        "{ joints: [{ kind: 'ball', child: 'a', axes: { ang_w: {} } }] }",
        ":1:48: ",
        "`ang_w` is not one",
        "did you mean `ang_",
    ),
    ("{ settings: { iterations: 'many' } }", ":1:27: ", "expected a number, found a string", "write a number"),
    ("{ settings: { options: { beta: [1] } } }", ":1:32: ", "expected a number, true or false, or a string", "schema"),
];

const MEANING: &[Case] = &[
    ("{ settings: { dt: -0.01 } }", ":1:19: ", "not a positive time", "such as 0.01"),
    ("{ settings: { solver: 'vdb' } }", ":1:23: ", "there is no solver `vdb`", "did you mean `vbd`?"),
    ("{ gravity: [0, 0, -1e300] }", ":1:12: ", "not of a sensible size", "SI units"),
    ("{ bodies: [{ name: 'a' }] }", ":1:20: ", "a dynamic body needs a mass", "add a shape"),
    (
        "{ bodies: [{ name: 'a', mass: 0, shapes: [{ geometry: { sphere: { radius: 1 } } }] }] }",
        ":1:31: ",
        "needs a mass",
        "",
    ),
    (
        "{ bodies: [{ name: 'a', mass: -3, shapes: [{ geometry: { sphere: { radius: 1 } } }] }] }",
        ":1:31: ",
        "-3 is not positive",
        "positive",
    ),
    ("{ bodies: [{ shapes: [{ geometry: { sphere: { radius: -1 } } }] }] }", ":1:55: ", "radius must be positive", ""),
    ("{ bodies: [{ shapes: [{ geometry: { sphere: { radius: 1e200 } } }] }] }", ":1:", "", "SI units"),
    ("{ bodies: [{ shapes: [{ geometry: 'half_space' }] }] }", ":1:35: ", "half-space cannot be worn", "static body"),
    (
        "{ bodies: [{ name: 'a', kind: 'static' }, { name: 'a', kind: 'static' }] }",
        ":1:51: ",
        "same name",
        "its own name",
    ),
    (
        "{ bodies: [{ mass_properties: { mass: 1, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 9]] } }] }",
        ":1:31: ",
        "triangle inequality",
        "",
    ),
    (
        "{ bodies: [{ name: 'a', relative_to: 'b', kind: 'static' }, { name: 'b', relative_to: 'a', kind: 'static' }] }",
        ":1:38: ",
        "depends on itself",
        "a position in the world",
    ),
    ("{ bodies: [{ name: 'a', relative_to: 'a', kind: 'static' }] }", ":1:38: ", "depends on itself", "position"),
    (
        "{ bodies: [{ name: 'base', relative_to: 'bases', kind: 'static' }] }",
        ":1:41: ",
        "no body `bases`",
        "did you mean `base`?",
    ),
    (
        "{ bodies: [{ kind: 'static', rotation: [0, 0, 0, 0] }] }",
        ":1:40: ",
        "rotation has no direction",
        "unit quaternion",
    ),
    (
        "{ bodies: [{ kind: 'static', rotation: { axis: [0, 0, 0], degrees: 9 } }] }",
        ":1:40: ",
        "rotation has no direction",
        "",
    ),
    (
        "{ bodies: [{ kind: 'static', copies: [{ count: 4000000000, step: [1, 0, 0] }] }] }",
        ":1:39: ",
        "too many bodies",
        "lower the count",
    ),
    ("{ bodies: [{ kind: 'static', world: 3 }] }", ":1:37: ", "there is no world 3", "add entries to `worlds`"),
    (
        "{ joints: [{ kind: 'ball', child: 'ghost', anchor: [0, 0, 0] }] }",
        ":1:35: ",
        "there is no body `ghost`",
        "name one of `bodies`",
    ),
    (
        "{ shapes: [{ geometry: 'half_space', material: 'stel' }], materials: { steel: {} } }",
        ":1:48: ",
        "no material `stel`",
        "did you mean `steel`?",
    ),
    ("{ shapes: [{ geometry: 'half_space', material: { restitution: 2 } }] }", ":1:63: ", "not between 0 and 1", ""),
    ("{ filters: [{ shapes: ['a', 'b'] }] }", ":1:24: ", "there is no shape `a`", "give the shape a `name`"),
    (
        "{ shapes: [{ geometry: { mesh: { file: 'no/such.obj' } } }] }",
        ":1:40: ",
        "cannot read `no/such.obj`",
        "check the path",
    ),
    (
        "{ shapes: [{ geometry: { mesh: { file: 'mesh.step' } } }] }",
        ":1:40: ",
        "does not name a mesh format",
        ".obj, .stl",
    ),
    ("{ shapes: [{ geometry: { mesh: { file: 'nan.obj' } } }] }", ":1:40: ", "line 1: a coordinate is NaN", "repair"),
    ("{ shapes: [{ geometry: { mesh: { file: 'open.obj' } } }] }", ":1:40: ", "open", "`thicken: 0.01`"),
    ("{ shapes: [{ geometry: { mesh: { file: 'edge.obj' } } }] }", ":1:40: ", "belongs to 4 triangles", "hull"),
    (
        "{ shapes: [{ geometry: { mesh: { file: 'open.obj', part: 'lid' } } }] }",
        ":1:58: ",
        "no part `lid`",
        "the file has the parts",
    ),
    ("{ shapes: [{ geometry: { mesh: { file: 'open.obj', scale: 0 } } }] }", ":1:59: ", "flatten", "0.001"),
    (
        "{ shapes: [{ geometry: { mesh: { vertices: [[0, 0, 0]], triangles: [[0, 1, 2]] } } }] }",
        ":1:68: ",
        "vertex 1",
        "",
    ),
    (
        "{ shapes: [{ geometry: { hull: { points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] } } }] }",
        ":1:32: ",
        "coplanar",
        "enclose a volume",
    ),
    (
        "{ shapes: [{ geometry: { heightfield: { columns: 2, rows: 2, spacing: [1, 1], heights: [0] } } }] }",
        ":1:",
        "heights",
        "",
    ),
    ("{ rods: [{ points: [[0, 0, 0]], radius: 0.1, material: { young: 1 } }] }", ":1:20: ", "points", "two points"),
    ("{ springs: [{ particles: [0, 1], stiffness: 1 }] }", ":1:13: ", "particle 0 does not exist", ""),
    ("{ bodies: [{ kind: 'static', attributes: { 'vbd.nonsense': 1 } }] }", ":1:", "vbd.nonsense", ""),
];

const ARM: &str = "bodies: [{ name: 'arm', shapes: [{ geometry: { sphere: { radius: 1 } } }] }]";

const JOINTS: &[Case] = &[
    (
        "kind: 'revolute', child: 'arm'",
        ":2:10: ",
        "the joint has no place",
        "`anchor: [x, y, z]` and `axis: [x, y, z]`",
    ),
    ("kind: 'revolute', child: 'arm', anchor: [0, 0, 0]", ":2:10: ", "lacks what it turns", "axis"),
    ("kind: 'revolute', child: 'arm', anchor: [0, 0, 0], axis: [0, 0, 0]", ":2:", "rotation has no direction", ""),
    ("kind: 'ball', child: 'arm', anchor: [0, 0, 0], axis: [0, 0, 1]", ":2:65: ", "has no axis", "frame"),
    ("kind: 'ball', child: 'arm', anchor: [0, 0, 0], frame: {}", ":2:10: ", "in more than one way", "keep one of"),
    ("kind: 'ball', parent: 'arm', child: 'arm', anchor: [0, 0, 0]", ":2:", "cannot be joined to itself", "different"),
    (
        "kind: 'ball', child: 'arm', anchor: [0, 0, 0], limit: { upper: 1 }",
        ":2:66: ",
        "which of the 3 free axes",
        "axes: { ang_x",
    ),
    (
        "kind: 'revolute', child: 'arm', anchor: [0, 0, 0], axis: [1, 0, 0], limit: { lower: 2, upper: 1 }",
        ":2:87: ",
        "lower bound 2 is above",
        "swap",
    ),
    (
        "kind: 'distance', child: 'arm', anchor_parent: [0, 0, 0]",
        ":2:10: ",
        "one of the two anchors is missing",
        "anchor_child",
    ),
    ("kind: 'universal', child: 'arm', anchor: [0, 0, 0], axis: [1, 0, 0]", ":2:10: ", "second axis", "axis_child"),
    ("kind: 'fixed', child: 'arm', anchor: [0, 0, 0], break_force: -1", ":2:", "-1 is negative", ""),
];

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
