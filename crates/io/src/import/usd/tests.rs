//! What USD files say, against numbers of usd-core 26.11 and by hand, and what is wrong with bad ones.

use std::path::PathBuf;

use drystone_geometry::Shape;
use drystone_model::{Axis, DVec3, JointKind, MassProperties, Model};

use super::super::actuation::Action;
use super::super::robot::Coordinate;
use super::super::{ImportOptions, Imported, MeshUse, parse_usd, read};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/usd").join(name)
}

fn stage(body: &str) -> String {
    format!("#usda 1.0\n(\n metersPerUnit = 1\n upAxis = \"Z\"\n)\n{body}")
}

fn parsed(body: &str) -> Imported {
    parse_usd(&stage(body), "scene.usda".as_ref(), &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    parse_usd(text, "scene.usda".as_ref(), &ImportOptions::default()).unwrap_err().to_string()
}

const BODY: &str = "prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\", \"PhysicsMassAPI\"]";

/// A cube as a rigid body.
fn cube(name: &str, rest: &str) -> String {
    format!("def Cube \"{name}\" (\n {BODY}\n)\n{{\n {rest}\n}}\n")
}

#[test]
fn layers_and_transforms_put_prims_where_usd_core_does() {
    let robot = read(&fixture("parts.usda"), &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let model = &robot.model;
    assert_eq!(model.body_name, ["Upper", "Fore"]);
    let answers = [
        (
            DVec3::new(-0.025646249187183914, 0.04241677831161507, 0.6723856457632128),
            [-0.0088193922105976, -0.0032635182233306, 0.0176512823851878],
        ),
        (
            DVec3::new(0.20594538229883566, 0.13997086076439366, 0.8174667169697634),
            [-0.0044096961052987, -0.0016317591116653, 0.0088256411925938],
        ),
    ];
    for (pose, (origin, x)) in model.body_q.iter().zip(answers) {
        assert!(pose.translation.distance(origin) < 1e-12, "{pose:?} {origin}");
        let x = DVec3::from_array(x).normalize();
        assert!((pose.rotation * DVec3::X).distance(x) < 1e-10, "{pose:?} {x}");
    }
    // The reference, and over it the variant; the scale of the body makes its cube oblong.
    let ball = &model.shape_geometry[1];
    assert!(matches!(ball, Shape::Sphere { radius } if (radius - 0.03).abs() < 1e-15), "{ball:?}");
    let there = model.body_q[1] * model.shape_pose[1].translation;
    assert!(there.distance(DVec3::new(0.22865672068102325, 0.08444586606049426, 0.8185484156439412)) < 1e-12);
    assert!(
        matches!(model.shape_geometry[0], Shape::Box { half } if half.distance(DVec3::new(0.04, 0.02, 0.02)) < 1e-15)
    );
    // The class gives the mass, in kilograms, and moments in kg cm²; the density is in kg/cm³.
    assert_eq!(model.body_mass[0], 2.0);
    assert!((model.body_inertia[0].z_axis.z - 0.03).abs() < 1e-15, "{:?}", model.body_inertia[0]);
    let weight = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.03f64.powi(3);
    assert!((model.body_mass[1] / weight - 1.0).abs() < 1e-12);
    // The sublayer binds the material, two prims above.
    assert_eq!((model.shape_material[1].friction_static, model.shape_material[1].friction_dynamic), (0.9, 0.7));
    assert_eq!(model.world_gravity[0], DVec3::new(0.0, 0.0, -9.81));
}

#[test]
fn joints_have_radians_and_gains_per_radian_and_turn_round_where_the_child_comes_first() {
    let robot = read(&fixture("slider.usda"), &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let model = &robot.model;
    assert_eq!(
        (&model.joint_name[..], &model.body_name[..]),
        (&["Rail".to_owned(), "Hinge".into()][..], &["Cart".to_owned(), "Pole".into()][..])
    );
    let rail = model.joint_limit[0][Axis::LinX as usize];
    assert_eq!((rail.lower, rail.upper), (-2.0, 1.0));
    let turned = Coordinate::Axis { axis: Axis::LinX, sign: -1.0, reference: 0.0 };
    assert_eq!((robot.joints[0].coordinate, model.joint_kind[1]), (turned, JointKind::Revolute));
    let (limit, drive) = (model.joint_limit[1][3], model.joint_drive[1][3]);
    assert!((limit.lower + 90f64.to_radians()).abs() < 1e-15 && (limit.upper - 45f64.to_radians()).abs() < 1e-15);
    assert!((drive.stiffness - 2.0 * 180.0 / std::f64::consts::PI).abs() < 1e-12, "{drive:?}");
    assert!((drive.target - 10f64.to_radians()).abs() < 1e-15 && drive.max_effort == 30.0);
    assert!(matches!(robot.actuators[0].action, Action::Target { scale, .. } if scale == 1f64.to_radians()));
    // The capsule weighs by the usual density, the cart as it says, with the moments of its cube.
    let capsule = Shape::Capsule { radius: 0.05, half_height: 0.4 }.mass_properties(1000.0).unwrap();
    assert!((model.body_mass[1] - capsule.mass).abs() < 1e-12);
    assert!((model.body_inertia[0].x_axis.x - 3.0 * 0.04 / 6.0).abs() < 1e-15);
    assert_eq!(model.world_gravity[0], DVec3::new(0.0, 0.0, -9.8));
    // Along the rail of the file, and about its hinge: where the end of the pole must be.
    let state = robot.state_at(&[0.7, 0.3], &[0.0; 2]).unwrap();
    let tip = state.body_q[1] * DVec3::new(0.0, 0.0, 0.5);
    // The rail moves the world against the cart, so that the cart goes the other way.
    let expected = DVec3::new(0.0, -0.7 - 0.3f64.sin(), 0.3f64.cos());
    assert!(tip.distance(expected) < 1e-12, "{tip} {expected}");
}

#[test]
fn a_generic_joint_holds_axes_whose_bounds_are_crossed() {
    let text = cube("a", "") + &cube("b", "double3 xformOp:translate = (3, 0, 0)\n uniform token[] xformOpOrder = [\"xformOp:translate\"]") + "
def PhysicsJoint \"j\" (
    prepend apiSchemas = [\"PhysicsLimitAPI:transX\", \"PhysicsLimitAPI:transY\", \"PhysicsLimitAPI:transZ\", \"PhysicsLimitAPI:rotY\", \"PhysicsLimitAPI:rotZ\"]
)
{
    rel physics:body0 = </a>
    rel physics:body1 = </b>
    point3f physics:localPos1 = (-3, 0, 0)
    float limit:transX:physics:low = 1
    float limit:transX:physics:high = -1
    float limit:transY:physics:low = 1
    float limit:transY:physics:high = -1
    float limit:transZ:physics:low = 1
    float limit:transZ:physics:high = -1
    float limit:rotY:physics:low = 1
    float limit:rotY:physics:high = -1
    float limit:rotZ:physics:low = -30
    float limit:rotZ:physics:high = 30
}";
    let robot = parsed(&text);
    use drystone_model::AxisMode::{Free, Locked};
    let joint = robot.model.joint_kind.iter().position(|kind| *kind == JointKind::D6).unwrap();
    assert_eq!(robot.model.joint_axis[joint], [Locked, Locked, Locked, Free, Locked, Free]);
    assert!(robot.model.joint_limit[joint][3].upper.is_infinite());
    assert!((robot.model.joint_limit[joint][5].upper - 30f64.to_radians()).abs() < 1e-15);
    // The first body floats, and places the other.
    assert_eq!(robot.joints[0].coordinate, Coordinate::Free);
}

#[test]
fn mirrored_meshes_keep_their_outside_and_their_mass() {
    let mesh = |scale: &str| {
        let (fold, order) = ("points", "[3, 3, 3, 3]");
        format!(
            "def Mesh \"m\" (\n {BODY}\n)\n{{\n point3f[] {fold} = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]\n int[] faceVertexCounts = {order}\n \
             int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n double3 xformOp:scale = {scale}\n uniform token[] xformOpOrder = [\"xformOp:scale\"]\n}}"
        )
    };
    for meshes in [MeshUse::Hull, MeshUse::Exact] {
        for (scale, sign) in [("(2, 1, 1)", 1.0), ("(-2, 1, 1)", -1.0)] {
            let options = ImportOptions { meshes, ..ImportOptions::default() };
            let robot =
                parse_usd(&stage(&mesh(scale)), "m.usda".as_ref(), &options).unwrap_or_else(|error| panic!("{error}"));
            assert!((robot.model.body_mass[0] - 1000.0 / 3.0).abs() < 1e-9, "{meshes:?} {scale}");
            let centre = robot.model.body_q[0] * robot.model.body_com[0];
            assert!(centre.distance(DVec3::new(sign * 0.5, 0.25, 0.25)) < 1e-12, "{meshes:?} {scale}: {centre}");
        }
    }
}

#[test]
fn groups_pairs_and_articulations_keep_colliders_apart() {
    let groups = "def PhysicsCollisionGroup \"g\" (\n prepend apiSchemas = [\"CollectionAPI:colliders\"]\n)\n{\n rel collection:colliders:includes = </a>\n rel physics:filteredGroups = </h>\n}\n\
        def PhysicsCollisionGroup \"h\" (\n prepend apiSchemas = [\"CollectionAPI:colliders\"]\n)\n{\n prepend rel collection:colliders:includes = [</b>]\n}\n";
    let robot = parsed(&(cube("a", "") + &cube("b", "") + &cube("c", "rel physics:filteredPairs = </b>") + groups));
    let filters = &robot.model.shape_filter;
    assert_eq!(filters[..], [(0, 1), (1, 2)]);
}

#[test]
fn bodies_that_are_switched_off_stand_and_kinematic_ones_are_led() {
    let robot = parsed(
        &(cube("wall", "bool physics:rigidBodyEnabled = 0") + &cube("lift", "bool physics:kinematicEnabled = 1")),
    );
    assert_eq!((robot.model.body_name.len(), robot.model.shape_body[1]), (1, drystone_model::WORLD));
    assert_eq!(robot.model.body_kind[0], drystone_model::BodyKind::Kinematic);
}

#[test]
fn given_inertias_stand_along_given_axes() {
    let text = cube(
        "a",
        "float physics:mass = 2\n point3f physics:centerOfMass = (0.1, 0, 0)\n float3 physics:diagonalInertia = (1, 2, 2.5)\n quatf physics:principalAxes = (0.70710678118654752, 0, 0, 0.70710678118654752)",
    );
    let model = parsed(&text).model;
    let own = MassProperties { mass: model.body_mass[0], com: model.body_com[0], inertia: model.body_inertia[0] };
    assert!((own.mass - 2.0).abs() < 1e-15 && own.com.distance(DVec3::X * 0.1) < 1e-15);
    // x of the tensor points along y of the body.
    assert!((own.inertia.x_axis.x - 2.0).abs() < 1e-12 && (own.inertia.y_axis.y - 1.0).abs() < 1e-12, "{own:?}");
}

#[test]
fn texts_that_break_off_are_refused_where_they_do() {
    let whole = std::fs::read_to_string(fixture("slider.usda")).unwrap();
    for cut in (10..whole.trim_end().len()).filter(|&cut| whole.is_char_boundary(cut)) {
        let shown = match parse_usd(&whole[..cut], "s.usda".as_ref(), &ImportOptions::default()) {
            Err(error) => error.to_string(),
            // Between two prims a text is whole.
            Ok(_) => continue,
        };
        assert!(shown.starts_with("s.usda:") && shown.contains("help: "), "{cut}: {shown}");
    }
    assert!(refused("#usda 1.0\ndef Xform \"a\"\n{\n  float x = \n").contains("scene.usda:4"));
    assert!(refused("hello").contains("begin with `#usda 1.0`"));
}

#[test]
fn circles_are_refused_with_their_place() {
    let own = refused(&stage("def \"a\"\n{\n def \"b\" (\n references = </a>\n )\n {\n }\n}\n"));
    assert!(own.contains("scene.usda:9:") && own.contains("in a circle"), "{own}");
    let two = refused(&stage("def \"a\" (\n references = </b>\n)\n{\n}\ndef \"b\" (\n inherits = </a>\n)\n{\n}\n"));
    assert!(two.contains("in a circle"), "{two}");
    let folder = std::env::temp_dir().join(format!("drystone-usd-circle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let one = folder.join("one.usda");
    std::fs::write(&one, "#usda 1.0\n(\n subLayers = [@two.usda@]\n)\n").unwrap();
    std::fs::write(folder.join("two.usda"), "#usda 1.0\n(\n subLayers = [@./one.usda@]\n)\n").unwrap();
    let layers = read(&one, &ImportOptions::default()).unwrap_err().to_string();
    std::fs::write(&one, "#usda 1.0\ndef \"a\" (\n references = @two.usda@</b>\n)\n{\n}\n").unwrap();
    std::fs::write(folder.join("two.usda"), "#usda 1.0\ndef \"b\" (\n payload = @one.usda@</a>\n)\n{\n}\n").unwrap();
    let references = read(&one, &ImportOptions::default()).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(layers.contains("two.usda:3:") && layers.contains("in a circle"), "{layers}");
    assert!(references.contains("two.usda:3:") && references.contains("in a circle"), "{references}");
}

#[test]
fn stages_that_grow_without_end_are_refused() {
    let deep = "def \"a\" {\n".repeat(1_000_000);
    assert!(refused(&stage(&deep)).contains("nested more than 500 deep"));
    // Every prim holds two references to the next: 2⁴⁰ prims.
    let level = |n: usize| {
        format!(
            "def \"p{n}\"\n{{\n def \"l\" ( references = </p{0}> ) {{\n }}\n def \"r\" ( references = </p{0}> ) {{\n }}\n}}\n",
            n + 1
        )
    };
    let bomb: String = (0..40).map(level).collect();
    assert!(refused(&stage(&(bomb + "def \"p40\"\n{\n}\n"))).contains("more than 200000 prims"));
    assert!(
        refused(&stage(&format!("def \"a\"\n{{\n int x = {}\n}}", "[".repeat(100_000)))).contains("nested too deeply")
    );
}

#[test]
fn what_cannot_be_said_is_refused_by_name_and_place() {
    let cases = [
        (cube("a", "float physics:mass = nan"), "`physics:mass` is no such value"),
        (cube("a", "double size = inf"), "`size` is not finite"),
        (cube("a", "double size.timeSamples = { 0: 1, 1: 2 }"), "`size` changes over time"),
        ("def \"a\" (\n references = @missing.usda@\n)\n{\n}\n".into(), "missing.usda`: cannot read"),
        ("def \"a\" (\n references = </b>\n)\n{\n}\n".into(), "there is no prim </b>"),
        ("def TetMesh \"t\"\n{\n}\n".into(), "deformable bodies of USD are not read"),
        (cube("a", "") + "def PhysicsRevoluteJoint \"j\"\n{\n rel physics:body1 = </b>\n}", "there is no prim </b>"),
        (cube("a", "") + "def PhysicsRevoluteJoint \"j\"\n{\n}", "ties the world to itself"),
        (
            cube("a", "")
                + "def PhysicsSphericalJoint \"j\"\n{\n rel physics:body1 = </a>\n float physics:coneAngle0Limit = 0\n}",
            "a cone without an angle",
        ),
        (
            cube("a", "")
                + "def PhysicsRevoluteJoint \"j\" (\n apiSchemas = [\"PhysicsDriveAPI:Z\"]\n)\n{\n rel physics:body1 = </a>\n}",
            "no axis `Z` to drive",
        ),
        (
            cube("a", "")
                + "def PhysicsRevoluteJoint \"j\" (\n apiSchemas = [\"PhysicsDriveAPI:angular\"]\n)\n{\n rel physics:body1 = </a>\n uniform token drive:angular:physics:type = \"acceleration\"\n float drive:angular:physics:damping = 1\n}",
            "`acceleration` cannot be said",
        ),
        (
            cube("a", "double3 xformOp:scale = (0, 1, 1)\n uniform token[] xformOpOrder = [\"xformOp:scale\"]"),
            "scaled to nothing",
        ),
    ];
    for (text, expected) in cases {
        let shown = refused(&stage(&text));
        assert!(shown.contains(expected) && shown.starts_with("scene.usda:") && shown.contains("help: "), "{shown}");
    }
}

/// Binary files, written by usd-core 26.11 from the texts beside them, say what the texts say.
#[test]
fn binary_files_say_what_their_texts_say() {
    for name in ["binary", "parts", "slider"] {
        let [text, binary] = ["usda", "usdc"].map(|extension| {
            let path = fixture(name).with_extension(extension);
            read(&path, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
        });
        let [one, other] = [&binary, &text].map(|robot| serde_json::to_value(&robot.model).unwrap());
        alike(&one, &other, name);
        assert_eq!((binary.joints, binary.frames.len()), (text.joints, text.frames.len()));
        assert_eq!(format!("{:?}", binary.actuators), format!("{:?}", text.actuators));
        let words = |robot: &[crate::import::Note]| robot.iter().map(|note| note.message.clone()).collect::<Vec<_>>();
        assert_eq!(words(&binary.notes), words(&text.notes));
    }
    let model = read(&fixture("binary.usdc"), &ImportOptions::default()).unwrap().model;
    assert_eq!(model.body_name.len(), 4);
    let arm = model.body_named("Arm").unwrap().built_index();
    assert_eq!(model.body_mass[arm], 10.0, "the heavy variant, in kilograms");
}

/// The same but for rounding: texts are read in double precision, binary files hold single.
fn alike(one: &serde_json::Value, other: &serde_json::Value, path: &str) {
    use serde_json::Value::{Array, Number, Object};
    match (one, other) {
        (Number(a), Number(b)) => {
            let [a, b] = [a, b].map(|number| number.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{path}: {a} and {b}");
        }
        (Array(a), Array(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            a.iter().zip(b).enumerate().for_each(|(k, (a, b))| alike(a, b, &format!("{path}[{k}]")));
        }
        (Object(a), Object(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            a.iter().for_each(|(key, value)| alike(value, &b[key], &format!("{path}.{key}")));
        }
        _ => assert_eq!(one, other, "{path}"),
    }
}

/// Faults of binary files are told by the paths in them.
#[test]
fn binary_files_are_refused_with_the_path_of_what_is_wrong() {
    let whole = std::fs::read(fixture("binary.usdc")).unwrap();
    let path = fixture("binary.usdc");
    let parse = |bytes: &[u8]| crate::import::parse_usd_binary(bytes, &path, &ImportOptions::default());
    let error = read(&fixture("wrong.usdc"), &ImportOptions::default()).unwrap_err().to_string();
    assert!(error.contains("wrong.usdc:") && error.contains("| /World/Base"), "{error}");
    assert!(error.contains("`physics:mass` is negative"), "{error}");
    // Whatever else is damaged or missing is read or refused, and breaks nothing.
    for cut in 0..whole.len() {
        if let Err(error) = parse(&whole[..cut]) {
            assert!(error.to_string().contains("help: "), "{error}");
        }
    }
    for index in 8..whole.len() {
        for flip in [0xff, 0x01, 0x80] {
            let mut damaged = whole.clone();
            damaged[index] ^= flip;
            if let Err(error) = parse(&damaged) {
                assert!(error.to_string().contains("help: "), "{error}");
            }
        }
    }
    let packed = std::env::temp_dir().join("drystone-packed.usdz");
    std::fs::write(&packed, b"PK\x03\x04").unwrap();
    let error = read(&packed, &ImportOptions::default()).unwrap_err().to_string();
    assert!(error.contains("packed USD is not read"), "{error}");
}

/// A round cone is a bound of the distance of two points on the axes of both ends, as far out as the bodies reach.
#[test]
fn a_ball_joint_within_a_round_cone_keeps_a_distance() {
    let cone = "def PhysicsSphericalJoint \"j\"\n{\n rel physics:body1 = </a>\n uniform token physics:axis = \"Z\"\n point3f physics:localPos1 = (0, 0, -0.5)\n float physics:coneAngle0Limit = 60\n float physics:coneAngle1Limit = 60\n}";
    let model = parsed(&(cube("a", "") + cone)).model;
    assert_eq!(model.joint_kind, [JointKind::Ball, JointKind::Distance]);
    let [least, most] = model.joint_distance[1];
    let reach = (model.joint_frame_child[1].translation - model.joint_frame_child[0].translation).length();
    assert!(least == 0.0 && (most - reach).abs() < 1e-12, "2 sin 30° = 1: {most} for {reach}");
    let along = model.joint_frame_parent[1].translation - model.joint_frame_parent[0].translation;
    assert!(along.normalize().z.abs() > 1.0 - 1e-12, "{along}");
}

/// Other cones are ellipses: the first angle bounds the tilt towards the axis that follows, the second that towards the one after.
#[test]
fn a_ball_joint_within_an_elliptic_cone_has_one_beside_it() {
    let cone = |angles: &str| {
        let joint =
            "def PhysicsSphericalJoint \"j\"\n{\n rel physics:body1 = </a>\n uniform token physics:axis = \"Z\"\n ";
        parsed(&(cube("a", "") + joint + angles + "\n}")).model
    };
    let model = cone("float physics:coneAngle0Limit = 20\n float physics:coneAngle1Limit = 60");
    assert_eq!(model.joint_kind, [JointKind::Ball, JointKind::Cone]);
    let bound = |model: &Model, axis: Axis| model.joint_limit[1][axis as usize].upper;
    assert!((bound(&model, Axis::AngZ) - 20f64.to_radians()).abs() < 1e-12);
    assert!((bound(&model, Axis::AngY) - 60f64.to_radians()).abs() < 1e-12);
    let one = cone("float physics:coneAngle0Limit = 20");
    assert!(bound(&one, Axis::AngY).is_infinite() && (bound(&one, Axis::AngZ) - 20f64.to_radians()).abs() < 1e-12);
}
