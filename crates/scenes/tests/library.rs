//! Every scene builds, and builds what it says.

use drystone::model::{AxisMode, BodyKind, JointKind, Model};
use drystone_scenes::{SCENES, SceneError, find, make};

fn counts(name: &str, settings: &[&str]) -> (usize, usize) {
    let model = make(name, settings).unwrap().model;
    (dynamic(&model), model.joint_count())
}

fn dynamic(model: &Model) -> usize {
    model.body_kind.iter().filter(|kind| **kind == BodyKind::Dynamic).count()
}

#[test]
fn every_scene_builds_at_its_defaults_and_measures_a_start() {
    for entry in SCENES {
        let scene = entry.make::<&str>(&[]).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let measures = drystone_scenes::Measures::new(&scene.model, scene.check.probe.as_ref());
        assert!(measures.start_energy.is_finite(), "{}", entry.name);
        assert!(scene.settings.steps() > 0, "{}", entry.name);
        assert!(!scene.check.claim.is_empty(), "{}", entry.name);
        assert!(dynamic(&scene.model) + scene.model.particle_count() > 0, "{}", entry.name);
    }
}

#[test]
fn every_parameter_can_be_set_to_both_ends_of_its_range() {
    for entry in SCENES {
        for parameter in entry.parameters {
            let mut params = entry.params();
            for value in [parameter.min, parameter.max] {
                params.set(&format!("{}={value}", parameter.name)).unwrap();
            }
            let small = format!("{}={}", parameter.name, parameter.min);
            entry.make(&[&small]).unwrap_or_else(|error| panic!("{} {small}: {error}", entry.name));
        }
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = SCENES.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), SCENES.len());
}

#[test]
fn benchmark_scenes_have_their_published_counts() {
    assert_eq!(counts("pyramid", &[]), (210, 0));
    assert_eq!(counts("wall", &[]), (400, 0));
    assert_eq!(counts("mass-ratio", &[]), (10, 0));
    assert_eq!(counts("chain", &[]), (51, 51));
    assert_eq!(counts("necklace", &[]), (4000, 4000));
    assert_eq!(counts("pile", &["count=8000"]), (8000, 0));
    assert_eq!(counts("card-house", &[]), (40, 0));
    assert_eq!(counts("arch", &[]), (25, 0));
    assert_eq!(counts("large-pyramid", &[]), (5050, 0));
    assert_eq!(counts("keva", &[]), (5320, 0));
    assert_eq!(counts("joint-grid", &[]), (9900, 19800 - 99));
}

#[test]
fn an_unknown_name_gets_the_nearest_one() {
    let error = find("pyramidd").err().unwrap();
    assert!(error.to_string().contains("did you mean `pyramid`?"), "{error}");
    assert!(matches!(find("nothing like it"), Err(SceneError::Unknown { .. })));
}

/// The jitter of the published pile: first and last cube of both sizes, to nine digits.
#[test]
fn the_pile_is_the_published_one() {
    let ends = [("count=2000", LAST_2000, -6.804532796), ("count=8000", LAST_8000, -14.304532796)];
    for (size, last, first_x) in ends {
        let model = make("pile", &[size]).unwrap().model;
        let first = model.body_q[4];
        assert!((first.translation.x - first_x).abs() < 1e-9);
        assert!((first.rotation.z + 0.05618318).abs() < 1e-9);
        let pose = model.body_q[model.body_count() - 1];
        let is = [pose.translation.to_array().to_vec(), pose.rotation.to_array().to_vec()].concat();
        for (value, expected) in is.iter().zip(last) {
            assert!((value - expected).abs() < 1e-9, "{size}: {is:?}");
        }
    }
}
const LAST_2000: [f64; 7] =
    [6.703687868, 6.750236189, 29.566612781, -0.074154003, -0.049311925, 0.034745984, 0.995420632];
const LAST_8000: [f64; 7] =
    [14.290442081, 14.321488752, 29.47404797, 0.006452508, -0.005115526, -0.005545914, 0.999950718];

/// Scenes whose claim is about what joints do when they start apart.
const STARTS_APART: &[&str] = &["assembly"];

/// Loops are closed by geometry when a scene is built, not by the solver in its first step.
#[test]
fn joints_start_closed() {
    for entry in SCENES.iter().filter(|entry| !STARTS_APART.contains(&entry.name)) {
        let model = entry.make::<&str>(&[]).unwrap().model;
        let state = model.state();
        let size = model.body_q.iter().map(|pose| pose.translation.length()).fold(1.0, f64::max);
        // Rods are elastic: what they start with is strain, not error.
        for joint in (0..model.joint_count()).filter(|&joint| model.joint_kind[joint] != JointKind::Rod) {
            let error = model.joint_error(&state, joint as u32);
            let open = (error.linear / size).max(error.angular);
            assert!(open < 1e-12, "{}: joint {} is open by {error:?}", entry.name, model.joint_name[joint]);
        }
    }
}

/// Neither do they start coming apart: what is given as rates of joints agrees around.
#[test]
fn joints_start_moving_together() {
    for entry in SCENES.iter().filter(|entry| !STARTS_APART.contains(&entry.name)) {
        let model = entry.make::<&str>(&[]).unwrap().model;
        let state = model.state();
        for joint in (0..model.joint_count()).filter(|&joint| model.joint_kind[joint] != JointKind::Distance) {
            let rates = model.joint_rates(&state, joint);
            let locked = (0..6).filter(|&axis| model.joint_axis[joint][axis] == AxisMode::Locked);
            let apart = locked.map(|axis| rates[axis].abs()).fold(0.0, f64::max);
            assert!(apart < 1e-12, "{}: joint {} opens at {apart}", entry.name, model.joint_name[joint]);
        }
    }
}
