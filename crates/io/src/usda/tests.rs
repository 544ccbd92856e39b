//! Exported text has the structure USD readers expect.

use drystone::Recording;
use drystone::geometry::DVec3;

use super::{encode, rate};
use crate::glb::tests::{recording, soft_recording};

fn text(recording: &Recording) -> String {
    let mut bytes = Vec::new();
    encode(recording, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Depth of every kind of bracket outside of texts is zero at the end and never negative.
fn is_balanced(text: &str) -> bool {
    let (mut stack, mut in_text) = (Vec::new(), false);
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' if in_text => _ = characters.next(),
            '"' => in_text = !in_text,
            '(' | '[' | '{' if !in_text => stack.push(c),
            ')' | ']' | '}' if !in_text => {
                let open = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if stack.pop() != Some(open) {
                    return false;
                }
            }
            _ => {}
        }
    }
    stack.is_empty() && !in_text
}

#[test]
fn the_header_bodies_and_meshes_are_there() {
    let text = text(&recording());
    assert!(text.starts_with("#usda 1.0\n("));
    for line in ["metersPerUnit = 1", "upAxis = \"Z\"", "endTimeCode = 9", "timeCodesPerSecond = 10"] {
        assert!(text.contains(line), "{line}");
    }
    assert!(is_balanced(&text));
    assert_eq!(text.matches("    def Xform \"").count(), 3);
    assert_eq!(text.matches("prepend references").count(), 6);
    // Ground, ball, capsule, box.
    assert_eq!(text.matches("def Mesh \"mesh_").count(), 4);
}

#[test]
fn moving_bodies_have_a_sample_per_frame_and_resting_ones_none() {
    let text = text(&recording());
    assert_eq!(text.matches("xformOp:translate.timeSamples").count(), 2);
    let dumbbell = text.split("\"dumbbell\" (").nth(1).unwrap().split("def Mesh").next().unwrap();
    assert!(dumbbell.contains("            3: (0, 0, 4),"), "{dumbbell}");
    assert_eq!(dumbbell.matches(": (").count(), 20);
    let resting = text.split("\"resting\" (").nth(1).unwrap().split("def Mesh").next().unwrap();
    assert!(resting.contains("xformOp:translate = (0, 0, 0.5)"));
}

#[test]
fn y_up_scenes_say_so_and_names_cannot_break_the_file() {
    let mut recording = recording();
    recording.model.world_gravity[0] = DVec3::NEG_Y;
    recording.model.body_name[0] = "\"} evil {\\".into();
    let text = text(&recording);
    assert!(text.contains("upAxis = \"Y\""));
    assert!(is_balanced(&text));
}

#[test]
fn rates_are_whole_or_the_usual_one() {
    let keys = |dt: f32| (0..100).map(|i| (i, i as f32 * dt)).collect::<Vec<_>>();
    assert_eq!(rate(&keys(1.0 / 240.0)), 240.0);
    assert_eq!(rate(&keys(0.013)), 60.0);
    assert_eq!(rate(&keys(0.0)[..1]), 60.0);
}

#[test]
fn empty_recordings_make_a_valid_stage() {
    assert!(is_balanced(&text(&Recording::default())));
    assert!(!text(&Recording::new(&recording().model)).contains("timeSamples"));
}

#[test]
fn cloth_soft_bodies_and_strings_have_points_at_every_frame() {
    let recording = soft_recording(4);
    let text = text(&recording);
    assert!(is_balanced(&text));
    let prim = |name: &str| {
        let start = text.split(&format!(" \"{name}\"\n")).nth(1).unwrap_or_else(|| panic!("{name}: {text}"));
        start.split("\n    }\n").next().unwrap().to_owned()
    };
    let sheet = prim("cloth_0");
    assert!(sheet.contains("uniform bool doubleSided = 1"));
    let points = sheet.split("points.timeSamples").nth(1).unwrap().split("        }").next().unwrap();
    for (frame, line) in points.lines().filter(|line| line.contains(": [")).enumerate() {
        let q = recording.particles(frame)[1].as_vec3();
        assert!(line.trim().starts_with(&format!("{frame}: [")), "{line}");
        assert!(line.contains(&format!("({}, {}, {})", q.x, q.y, q.z)), "{line}");
    }
    assert_eq!(points.matches(": [").count(), 4);
    assert!(prim("soft_body_1").contains("doubleSided = 0") && prim("string_2").contains("points.timeSamples"));
    assert_eq!(prim("particle_22").matches(": (").count(), 4);
    let still = self::text(&Recording::new(&recording.model));
    assert!(is_balanced(&still) && !still.contains("timeSamples") && still.contains("\"cloth_0\""));
}
