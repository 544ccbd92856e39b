//! What is made of other things: replicas, shapes fitted to meshes, height fields from files. Numbers are MuJoCo's, 4.0.1, about
//! the same text.

use drystone_geometry::Shape;
use drystone_model::DVec3;

use super::super::super::{ImportOptions, Imported, read_mjcf};
use super::{good, shown};
use crate::atomic::tests::Folder;

const REPLICAS: &str = "<worldbody><replicate count=\"3\" offset=\"1 0 0\" euler=\"0 0 90\" sep=\"-\">
    <body name=\"a\" pos=\"0 0.5 0\"><joint name=\"j\"/><geom size=\".1\"/>
    <replicate count=\"12\" offset=\"0 0 .3\"><site name=\"s\"/></replicate></body></replicate></worldbody>";

#[test]
fn replicas_turn_and_shift_against_each_other_and_have_numbers() {
    let robot = good(REPLICAS);
    assert_eq!(robot.model.body_name, ["a-0", "a-1", "a-2"]);
    assert_eq!(robot.model.joint_name, ["j-0", "j-1", "j-2"]);
    let places = [[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [1.0, 0.5, 0.0]].map(DVec3::from);
    for (pose, place) in robot.model.body_q.iter().zip(places) {
        assert!((pose.translation - place).length() < 1e-15, "{pose:?}");
    }
    assert!((robot.model.body_q[1].rotation * DVec3::X - DVec3::Y).length() < 1e-15);
    assert!((robot.frame("s07-1").unwrap().pose.translation - DVec3::new(0.0, 0.0, 2.1)).length() < 1e-14);
    assert_eq!(robot.frames.iter().filter(|frame| frame.name.starts_with('s')).count(), 36);
}

/// In MuJoCo's order: what names nothing of the copies, then all that does for the first copy, then for the second; inner copies
/// before outer ones.
#[test]
fn what_names_replicas_is_copied_with_them() {
    let nested = "<worldbody><body name=\"o\" pos=\"0 0 5\"><joint name=\"oj\"/><geom size=\".1\"/></body>
        <replicate count=\"2\" offset=\"0 1 0\"><body name=\"a\"><joint name=\"j\"/><geom name=\"g\" size=\".1\"/>
        <replicate count=\"2\" offset=\"1 0 0\"><body name=\"b\"><joint name=\"k\"/><geom size=\".1\"/></body></replicate></body></replicate>
        </worldbody><contact><exclude body1=\"o\" body2=\"a\"/></contact>
        <tendon><fixed name=\"t\"><joint joint=\"j\" coef=\"1\"/><joint joint=\"k\" coef=\"2\"/></fixed></tendon>
        <actuator><motor name=\"m\" joint=\"k\"/><motor name=\"p\" tendon=\"t\"/><motor joint=\"j\"/><motor name=\"1\" joint=\"oj\"/></actuator>";
    let robot = good(nested);
    let names: Vec<&str> = robot.actuators.iter().map(|actuator| actuator.name.as_str()).collect();
    assert_eq!(names, ["1", "", "m00", "p00", "m10", "p10", "", "m01", "p01", "m11", "p11"]);
    let joint = |actuator: usize| {
        robot.model.joint_name[robot.actuators[actuator].reach.axis().unwrap().0.built_index()].as_str()
    };
    assert_eq!([joint(0), joint(1), joint(2), joint(7), joint(9)], ["oj", "j0", "k00", "k01", "k11"]);
}

#[test]
fn replicas_tied_to_others_or_that_are_too_many_are_refused() {
    let tied =
        REPLICAS.replace("<worldbody>", "<worldbody><body name=\"o\"><joint name=\"oj\"/><geom size=\".1\"/></body>");
    let tied = format!("{tied}<equality><joint joint1=\"oj\" joint2=\"j\"/></equality>");
    assert!(shown(&tied).contains("ties what is replicated to what is not"));
    assert!(shown(&REPLICAS.replace("\"12\"", "\"1000000000\"")).contains("replicate fewer"));
    assert!(shown(&REPLICAS.replace("count=\"3\"", "")).contains("lacks `count`"));
    assert!(good(&REPLICAS.replace("\"3\"", "\"0\"")).model.body_name.is_empty());
}

/// A block of 2 × 1 × ½ m with a corner at the origin, fitted with a shape.
fn fitted(kind: &str, more: &str) -> Imported {
    let vertices = "0 0 0  2 0 0  2 1 0  0 1 0  0 0 .5  2 0 .5  2 1 .5  0 1 .5";
    good(&format!(
        "<asset><mesh name=\"m\" vertex=\"{vertices}\"/></asset><worldbody><body><freejoint/>\
         <geom type=\"{kind}\" mesh=\"m\" {more}/></body></worldbody>"
    ))
}

#[test]
fn shapes_fitted_to_meshes_have_the_sides_of_the_box_with_their_inertia() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-5 * expected, "{found}, {expected}");
    for (kind, sizes, mass) in [
        ("sphere", &[0.58333][..], 831.45546),
        ("capsule", &[0.375, 0.8125], 938.79624),
        ("cylinder", &[0.375, 1.0], 883.57293),
        ("ellipsoid", &[0.25, 0.5, 1.0], 523.59878),
        ("box", &[0.25, 0.5, 1.0], 1000.0),
    ] {
        let model = fitted(kind, "").model;
        let found = sizes_of(&model.shape_geometry[0]);
        sizes.iter().zip(&found).for_each(|(&expected, &found)| near(found, expected));
        near(model.body_mass[0], mass);
        let pose = model.shape_pose[0];
        assert!((pose.translation - DVec3::new(1.0, 0.5, 0.25)).length() < 1e-12, "{kind}: {pose:?}");
        // The longest side is along z of the shape, the middle one along y.
        assert!((pose.rotation * DVec3::Z).x.abs() > 1.0 - 1e-12 && (pose.rotation * DVec3::Y).y.abs() > 1.0 - 1e-12);
    }
    let turned = fitted("box", "fitscale=\"2\" pos=\"1 2 3\" euler=\"0 0 90\"").model;
    assert!((turned.shape_pose[0].translation - DVec3::new(0.5, 3.0, 3.25)).length() < 1e-12);
    near(turned.body_mass[0], 8000.0);
}

/// Along the axes of inertia, the bounds of a block with a tip on one side and one on top.
#[test]
fn shapes_fitted_to_bounds_have_their_half_sides() {
    let vertices = "0 0 0  2 0 0  2 1 0  0 1 0  0 0 .5  2 0 .5  2 1 .5  0 1 .5  2.6 .5 .25  .5 .5 1.1";
    for (kind, sizes) in [
        ("sphere", &[1.30538021][..]),
        ("capsule", &[0.56511039, 0.74026982]),
        ("cylinder", &[0.56511039, 1.30538021]),
        ("ellipsoid", &[0.56511039, 0.5, 1.30538021]),
        ("box", &[0.56511039, 0.5, 1.30538021]),
    ] {
        let text = format!(
            "<compiler fitaabb=\"true\"/><asset><mesh name=\"m\" vertex=\"{vertices}\"/></asset><worldbody><body><freejoint/>\
             <geom type=\"{kind}\" mesh=\"m\"/></body></worldbody>"
        );
        let model = good(&text).model;
        let found = sizes_of(&model.shape_geometry[0]);
        assert_eq!(found.len(), sizes.len());
        for (found, expected) in found.iter().zip(sizes) {
            assert!((found - expected).abs() < 1e-6, "{kind}: {found}, {expected}");
        }
        let pose = model.shape_pose[0];
        assert!((pose.translation - DVec3::new(1.30691874, 0.5, 0.48103807)).length() < 1e-6, "{kind}: {pose:?}");
        assert!((pose.rotation * DVec3::Z).x.abs() > 0.99, "{kind}: {pose:?}");
    }
}

fn sizes_of(shape: &Shape) -> Vec<f64> {
    match shape {
        Shape::Sphere { radius } => vec![*radius],
        Shape::Capsule { radius, half_height } | Shape::Cylinder { radius, half_height } => vec![*radius, *half_height],
        Shape::Ellipsoid { radii } => radii.to_array().into(),
        Shape::Box { half } => half.to_array().into(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn height_fields_come_from_pictures_and_files_of_numbers() {
    let folder = Folder::new("heights");
    let text = "<mujoco><asset><hfield file=\"FILE\" size=\"1 2 .5 .1\"/></asset>\
        <worldbody><geom type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>";
    let scene = folder.0.join("m.xml");
    let read = |file: &str, bytes: &[u8]| {
        std::fs::write(folder.0.join(file), bytes).unwrap();
        std::fs::write(&scene, text.replace("FILE", file)).unwrap();
        read_mjcf(&scene, &ImportOptions::default())
    };
    let heights = |file: &str, bytes: &[u8]| {
        let model = read(file, bytes).unwrap().model;
        let Shape::Heightfield(terrain) = &model.shape_geometry[0] else { panic!("a height field") };
        assert_eq!((terrain.columns, terrain.rows, terrain.spacing), (3, 2, [1.0, 4.0]));
        terrain.heights.clone()
    };
    let picture = |color: png::ColorType, depth: png::BitDepth, pixels: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        bytes
    };
    let near = |found: Vec<f64>, expected: [f64; 6]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - 0.5 * b).abs() < 1e-15), "{found:?}");
    };
    let gray = picture(png::ColorType::Grayscale, png::BitDepth::Eight, &[10, 20, 30, 40, 50, 60]);
    let upwards = [0.6, 0.8, 1.0, 0.0, 0.2, 0.4];
    near(heights("h.png", &gray), upwards);
    let red = [10, 99, 99, 20, 99, 0, 30, 0, 0, 40, 1, 1, 50, 2, 2, 60, 3, 3];
    near(heights("h.png", &picture(png::ColorType::Rgb, png::BitDepth::Eight, &red)), upwards);
    let fine = [10, 255, 20, 0, 30, 0, 40, 0, 50, 0, 60, 0];
    near(heights("h.png", &picture(png::ColorType::Grayscale, png::BitDepth::Sixteen, &fine)), upwards);
    let numbers = |rows: i32| {
        let sizes = [rows, 3].map(i32::to_le_bytes).concat();
        [sizes, [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes).concat()].concat()
    };
    near(heights("h.bin", &numbers(2)), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    for (file, bytes, why) in [
        ("h.png", &gray[..40], "no picture that can be read"),
        ("h.bin", &numbers(3), "are not 3 × 3 heights"),
        ("h.bin", &numbers(-1), "too few or too many"),
        ("h.bin", &[1, 2], "too short"),
    ] {
        let error = read(file, bytes).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("m.xml:1:"), "{error}");
    }
}
