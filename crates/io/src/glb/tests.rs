//! Exported scenes are valid, complete and move as recorded.

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};
use drystone::model::{
    BendMaterial, BodyDef, ClothGrid, ElementMaterial, ModelBuilder, ParticleDef, ShapeDef, SoftGrid,
};
use gltf::animation::util::ReadOutputs;

use super::encode;

/// A dumbbell that flies and turns, a pair of equal boxes of which one rests, and a ground.
pub(crate) fn recording() -> Recording {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let ball = |x: f64| ShapeDef::sphere(0.2).at(DVec3::X * x);
    builder
        .add_body(BodyDef::dynamic("dumbbell").shape(ball(-0.5)).shape(ball(0.5)).shape(ShapeDef::capsule(0.05, 0.5)));
    builder.add_body(BodyDef::dynamic("resting").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)));
    builder.add_body(BodyDef::dynamic("sliding").at(DVec3::new(2.0, 0.0, 0.5)).cuboid(DVec3::splat(0.5)));
    let model = builder.finalize().unwrap();
    let mut recording = Recording::new(&model);
    let mut state = model.state();
    for step in 0..10 {
        state.step_count = step;
        state.time = 3.0 + 0.1 * step as f64;
        // Two turns in ten frames: quaternions change sign on the way.
        let turn = DQuat::from_rotation_z(1.3 * step as f64);
        state.body_q[0] = Pose::from_parts(DVec3::new(0.0, 0.0, 1.0 + step as f64), turn);
        state.body_q[2].translation.x = 2.0 + 0.3 * step as f64;
        recording.push(&state, &[]);
    }
    recording
}

/// A sheet, a soft cube, a string and a ball of a particle, all of them moving, for as many frames.
pub(crate) fn soft_recording(frames: u64) -> Recording {
    let mut builder = ModelBuilder::new();
    builder.ground();
    builder.add_cloth_grid(&ClothGrid {
        pose: Pose::from_translation(DVec3::Z),
        cells: [3, 2],
        size: [0.1; 2],
        density: 0.2,
        radius: 0.0,
        membrane: ElementMaterial { mu: 1.0, lambda: 1.0, damping: 0.0 },
        bend: BendMaterial::default(),
    });
    builder.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::X),
        cells: [1; 3],
        size: DVec3::splat(0.1),
        density: 10.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e4, 0.3, 0.0),
    });
    let ends = [0.0, 0.5].map(|x| builder.add_particle(ParticleDef::new(DVec3::new(x, 3.0, 0.0), 0.1).radius(0.02)));
    builder.add_spring(ends[0], ends[1], 10.0, 0.0);
    builder.add_particle(ParticleDef::new(DVec3::Y * 5.0, 0.1).radius(0.05));
    let model = builder.finalize().unwrap();
    let mut recording = Recording::new(&model);
    let mut state = model.state();
    for step in 0..frames {
        (state.step_count, state.time) = (step, 0.1 * step as f64);
        recording.push(&state, &[]);
        for (k, q) in state.particle_q.iter_mut().enumerate() {
            *q += DVec3::new(0.01 * (k % 3) as f64, 0.0, 0.02);
        }
    }
    recording
}

fn reimport(recording: &Recording) -> (gltf::Document, Vec<u8>) {
    let mut bytes = Vec::new();
    encode(recording, &mut bytes).unwrap();
    // Runs the validation of the reader: indices, types, required bounds.
    let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
    (gltf.document, gltf.blob.unwrap_or_default())
}

#[test]
fn nodes_meshes_and_materials_are_there_once() {
    let (document, blob) = reimport(&recording());
    assert_eq!(document.nodes().len(), 1 + 3 + 6);
    let names: Vec<_> = document.nodes().filter_map(|n| n.name().map(str::to_string)).collect();
    assert!(["dumbbell", "resting", "sliding"].iter().all(|n| names.iter().any(|m| m == n)));
    let dumbbell = document.nodes().nth(1).unwrap();
    assert_eq!(dumbbell.children().count(), 3);
    assert!(dumbbell.children().all(|child| child.mesh().is_some()));
    // Ground, ball, capsule, and the box in one colour or two: shared, not repeated.
    assert!((4..=5).contains(&document.meshes().len()), "{}", document.meshes().len());
    for mesh in document.meshes() {
        for primitive in mesh.primitives() {
            let reader = primitive.reader(|_| Some(&blob));
            let positions = reader.read_positions().unwrap().len();
            let normals: Vec<_> = reader.read_normals().unwrap().collect();
            assert_eq!(normals.len(), positions);
            assert!(normals.iter().all(|n| (n.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-5));
            assert!(reader.read_indices().unwrap().into_u32().all(|i| (i as usize) < positions));
        }
    }
}

#[test]
fn moving_bodies_have_keys_at_the_recorded_times_and_resting_ones_none() {
    let recording = recording();
    let (document, blob) = reimport(&recording);
    let animation = document.animations().next().unwrap();
    assert_eq!(animation.channels().count(), 4);
    for channel in animation.channels() {
        let body = channel.target().node().index() - 1;
        assert_ne!(recording.model.body_name[body], "resting");
        let reader = channel.reader(|_| Some(&blob));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        assert_eq!(times.len(), 10);
        assert!((times[0], times[9]) == (0.0, 0.9), "{times:?}");
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(keys) => {
                for (frame, key) in keys.enumerate() {
                    assert_eq!(key, recording.poses(frame)[body].translation.as_vec3().to_array());
                }
            }
            ReadOutputs::Rotations(keys) => {
                let keys: Vec<[f32; 4]> = keys.into_f32().collect();
                let dot = |a: &[f32; 4], b: &[f32; 4]| (0..4).map(|k| a[k] * b[k]).sum::<f32>();
                assert!(keys.windows(2).all(|w| dot(&w[0], &w[1]) > 0.0), "blends the long way");
                for (frame, key) in keys.iter().enumerate() {
                    let recorded = recording.poses(frame)[body].rotation.as_quat().to_array();
                    assert!(dot(key, &recorded).abs() > 1.0 - 1e-6);
                }
            }
            _ => panic!("unexpected channel"),
        }
    }
}

#[test]
fn up_becomes_y() {
    let (document, _) = reimport(&recording());
    let (_, rotation, _) = document.nodes().next().unwrap().transform().decomposed();
    let turned = DQuat::from_array(rotation.map(f64::from)) * DVec3::Z;
    assert!((turned - DVec3::Y).length() < 1e-6);
}

#[test]
fn no_frames_bodies_or_finite_poses_still_make_a_valid_file() {
    let mut lost = recording();
    lost.body_q[7] = Pose::from_translation(DVec3::NAN);
    let (document, _) = reimport(&lost);
    assert_eq!(document.animations().len(), 1);
    let (document, _) = reimport(&Recording::new(&lost.model));
    assert_eq!(document.animations().len(), 0);
    let (document, _) = reimport(&Recording::default());
    assert_eq!(document.nodes().len(), 1);
}

/// Positions of a mesh after the morph target of a key, and the weights of that key.
#[test]
fn cloth_soft_bodies_and_strings_are_where_their_particles_are_at_every_key() {
    let recording = soft_recording(4);
    let (document, blob) = reimport(&recording);
    let named = |name: &str| document.nodes().find(|node| node.name() == Some(name)).unwrap();
    let sheet = named("cloth_0");
    let primitive = sheet.mesh().unwrap().primitives().next().unwrap();
    assert!(primitive.material().double_sided());
    let cube = named("soft_body_1");
    assert!(!cube.mesh().unwrap().primitives().next().unwrap().material().double_sided());
    let reader = primitive.reader(|_| Some(&blob));
    let base: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let shapes: Vec<Vec<[f32; 3]>> =
        reader.read_morph_targets().map(|(positions, _, _)| positions.unwrap().collect()).collect();
    assert_eq!((base.len(), shapes.len()), (12, 3));
    let animation = document.animations().next().unwrap();
    // Sheet, cube and string change their shapes; the ball moves as a whole.
    let paths: Vec<_> = animation.channels().map(|channel| channel.target().property()).collect();
    assert_eq!(paths.iter().filter(|path| **path == gltf::animation::Property::MorphTargetWeights).count(), 3);
    assert_eq!(paths.iter().filter(|path| **path == gltf::animation::Property::Translation).count(), 1);
    let channel = animation.channels().find(|channel| channel.target().node().index() == sheet.index()).unwrap();
    let reader = channel.reader(|_| Some(&blob));
    let Some(ReadOutputs::MorphTargetWeights(weights)) = reader.read_outputs() else { panic!("no weights") };
    let weights: Vec<f32> = weights.into_f32().collect();
    for (key, weights) in weights.chunks(3).enumerate() {
        for (particle, base) in base.iter().enumerate() {
            let shift =
                |axis: usize| weights.iter().zip(&shapes).map(|(w, shape)| w * shape[particle][axis]).sum::<f32>();
            let place = DVec3::from_array([0, 1, 2].map(|axis| f64::from(base[axis] + shift(axis))));
            assert!(place.distance(recording.particles(key)[particle]) < 1e-6, "key {key}, particle {particle}");
        }
    }
}

#[test]
fn long_films_of_cloth_have_as_many_shapes_as_readers_take() {
    let recording = soft_recording(700);
    let (document, blob) = reimport(&recording);
    let sheet = document.nodes().find(|node| node.name() == Some("cloth_0")).unwrap();
    assert_eq!(sheet.mesh().unwrap().primitives().next().unwrap().morph_targets().count(), 255);
    let channel = document.animations().next().unwrap().channels().next().unwrap();
    let times: Vec<f32> = channel.reader(|_| Some(&blob)).read_inputs().unwrap().collect();
    assert!((times[255] - 69.9).abs() < 1e-4 && times.is_sorted());
    // Particles that were lost stay where they were, and files without frames have no shapes.
    let mut lost = soft_recording(3);
    lost.particle_q[30] = DVec3::NAN;
    reimport(&lost);
    let (document, _) = reimport(&Recording::new(&lost.model));
    assert_eq!(document.animations().len(), 0);
}
