//! Recordings survive the way to disk and back, and damaged ones are refused.

use std::io::Cursor;
use std::sync::Arc;

use drystone::Recording;
use drystone::geometry::{DMat3, DQuat, DVec3, Heightfield, Hull, MassProperties, Pose, Shape, Tessellation};
use drystone::model::{
    BendMaterial, BodyDef, BodyId, ClothGrid, ElementMaterial, JointDef, Model, ModelBuilder, ShapeDef, SoftGrid,
};

use super::read::from_arrays;
use super::write::write;
use super::{RecordingError, RecordingStream, read_recording, write_recording};
use crate::atomic::tests::Folder;
use crate::npz::{Data, read_npz};

/// A tetrahedron with its edges in the order a reader derives them.
fn hull() -> Hull {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    Hull::from_faces(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
}

/// Every shape, two joints, a static body, a sheet held by a corner, and a soft box on a spring.
fn model() -> Model {
    let mut builder = ModelBuilder::new();
    let mesh = Shape::Box { half: DVec3::ONE }.to_mesh(&Tessellation::default());
    let field = Heightfield { columns: 3, rows: 2, spacing: [0.1, 0.3], heights: vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.7] };
    let world = [Shape::HalfSpace, Shape::Heightfield(Arc::new(field))];
    let solids = [
        Shape::Sphere { radius: 0.3 },
        Shape::Box { half: DVec3::new(0.1, 0.2, 0.3) },
        Shape::Capsule { radius: 0.1, half_height: 0.4 },
        Shape::Cylinder { radius: 0.1, half_height: 0.4 },
        Shape::Cone { radius: 0.1, half_height: 0.4 },
        Shape::Ellipsoid { radii: DVec3::new(0.1, 0.2, 0.3) },
        Shape::Hull(Arc::new(hull())),
        Shape::Mesh(Arc::new(mesh)),
    ];
    let mass = MassProperties {
        mass: 2.0,
        com: DVec3::new(0.1, 0.0, 0.0),
        inertia: DMat3::from_diagonal(DVec3::new(1.0, 1.5, 2.0)),
    };
    let mut bodies = Vec::new();
    for (i, shape) in solids.into_iter().enumerate() {
        let at = DVec3::new(i as f64, 0.3, 2.0);
        let turned = DQuat::from_rotation_y(0.1 + i as f64);
        let def = BodyDef::dynamic(format!("body {i}"))
            .at(at)
            .rotated(turned)
            .shape(ShapeDef::new(shape))
            .mass_properties(mass);
        bodies.push(builder.add_body(def));
    }
    builder.add_body(BodyDef::fixed("pedestal").cuboid(DVec3::splat(0.1)));
    for shape in world {
        builder.add_shape(BodyId::WORLD, ShapeDef::new(shape));
    }
    builder.add_joint(JointDef::ball(bodies[0], bodies[1], DVec3::new(0.5, 0.3, 2.0)));
    builder.add_joint(JointDef::revolute(BodyId::WORLD, bodies[2], DVec3::ONE, DVec3::Y));
    let sheet = builder.add_cloth_grid(&ClothGrid {
        pose: Pose::from_translation(DVec3::Z * 5.0),
        cells: [2, 1],
        size: [0.1, 0.2],
        density: 0.2,
        radius: 0.01,
        membrane: ElementMaterial { mu: 3.0, lambda: 2.0, damping: 1.0 },
        bend: BendMaterial { stiffness: 0.1, damping: 0.2 },
    });
    builder.pin(sheet[0]);
    let block = builder.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::Z * 4.0),
        cells: [1; 3],
        size: DVec3::new(0.1, 0.2, 0.3),
        density: 300.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e4, 0.3, 5.0),
    });
    builder.add_spring(sheet[1], block[7], 40.0, 2.0);
    builder.attach(sheet[2], bodies[0]);
    builder.attach_at(sheet[3], BodyId::WORLD, DVec3::ONE, 30.0);
    builder.sew(sheet[4], block[0]);
    builder.finalize().unwrap()
}

fn recording() -> Recording {
    let model = model();
    let mut recording = Recording::new(&model);
    let mut state = model.state();
    for step in 0..4 {
        state.step_count = step;
        state.time = step as f64 / 60.0;
        for (i, pose) in state.body_q.iter_mut().enumerate() {
            *pose = Pose::from_parts(DVec3::new(i as f64, 0.1, 1.0 / (1 + step) as f64), pose.rotation);
        }
        state.body_qd[0].angular = DVec3::new(1.0, 2.0, 3.0) * step as f64;
        for (i, q) in state.particle_q.iter_mut().enumerate() {
            *q += DVec3::new(0.01, 0.0, -0.02 * i as f64);
        }
        state.particle_qd.fill(DVec3::Y * step as f64);
        recording.push(&state, &[1e-3 * step as f64, 0.0]);
    }
    recording
}

#[test]
fn equal_meshes_are_shared_again_and_others_are_not() {
    let mesh = |half: DVec3| Arc::new(Shape::Box { half }.to_mesh(&Tessellation::default()));
    let (one, other) = (mesh(DVec3::ONE), mesh(DVec3::new(1.0, 1.0, 1.0 + f64::EPSILON)));
    // The same corners with one face beginning at another: not the same arrays, so not shared.
    let mut turned = (*one).clone();
    turned.triangles[3].rotate_left(1);
    let mut shapes: Vec<Shape> = [&one, &other, &one, &other].map(|mesh| Shape::Mesh(mesh.clone())).into();
    shapes.push(Shape::Mesh(Arc::new(turned)));
    let hulls = [Arc::new(hull()), Arc::new(hull())];
    shapes.extend(hulls.map(Shape::Hull));
    let mut builder = ModelBuilder::new();
    for shape in shapes {
        builder.add_shape(BodyId::WORLD, ShapeDef::new(shape));
    }
    let model = builder.finalize().unwrap();
    let mut bytes = Cursor::new(Vec::new());
    write(&Recording::new(&model), &mut bytes).unwrap();
    let read = from_arrays(read_npz(&bytes.into_inner()).unwrap()).unwrap().model.shape_geometry;
    assert_eq!(read, model.shape_geometry);
    let place = |shape: &Shape| match shape {
        Shape::Mesh(mesh) => Arc::as_ptr(mesh).addr(),
        Shape::Hull(hull) => Arc::as_ptr(hull).addr(),
        _ => 0,
    };
    let places: Vec<usize> = read.iter().map(place).collect();
    let first = |k: usize| places.iter().position(|&at| at == places[k]);
    assert_eq!((0..7).map(first).collect::<Vec<_>>(), [0, 1, 0, 1, 4, 5, 5].map(Some));
}

#[test]
fn what_the_format_keeps_comes_back_bit_for_bit() {
    let folder = Folder::new("recording");
    let path = folder.0.join("run.npz");
    let mut original = recording();
    write_recording(&path, &original).unwrap();
    let read = read_recording(&path).unwrap();
    // The model starts at the first frame and forgets what a check does not need.
    original.model.body_q = original.poses(0).to_vec();
    original.model.body_qd = original.twists(0).to_vec();
    original.model.particle_q = original.particles(0).to_vec();
    original.model.particle_qd = original.particle_velocities(0).unwrap().to_vec();
    // Not `assert_eq!`: a difference would print megabytes.
    assert!(read.model == original.model, "the model differs");
    assert!(read.surface == original.surface, "the surface differs");
    assert!(read == original, "the frames differ");
    assert_eq!(folder.names(), ["run.npz"]);
}

#[test]
fn several_worlds_have_a_gravity_each() {
    let mut original = recording();
    original.model.world_gravity = vec![DVec3::NEG_Z, DVec3::NEG_Y, DVec3::ZERO];
    let mut bytes = Cursor::new(Vec::new());
    write(&original, &mut bytes).unwrap();
    let arrays = read_npz(bytes.get_ref()).unwrap();
    assert_eq!(arrays["gravity"].shape, [3, 3]);
    assert_eq!(from_arrays(arrays).unwrap().model.world_gravity, original.model.world_gravity);
}

#[test]
fn the_world_is_minus_one_and_kinds_are_words() {
    let mut bytes = Cursor::new(Vec::new());
    write(&recording(), &mut bytes).unwrap();
    let arrays = read_npz(bytes.get_ref()).unwrap();
    assert_eq!(arrays["joint_parent"].data, Data::Int(vec![0, -1]));
    assert_eq!(arrays["joint_type"].data, Data::Text(vec!["ball".into(), "revolute".into()]));
    assert_eq!(arrays["body_q"].shape, [4, 9, 7]);
    assert_eq!(arrays["gravity"].shape, [3]);
}

#[test]
fn missing_misshapen_and_out_of_range_arrays_are_named() {
    let mut bytes = Cursor::new(Vec::new());
    write(&recording(), &mut bytes).unwrap();
    let good = read_npz(bytes.get_ref()).unwrap();
    for name in good.keys().filter(|name| !["particle_qd", "wind"].contains(&name.as_str())) {
        let mut bad = good.clone();
        bad.remove(name);
        let error = from_arrays(bad).unwrap_err().to_string();
        assert!(error.contains(name.as_str()), "{error}");
    }
    // Nine bodies, fourteen particles; of an edge only the second particle may be missing.
    for (name, index, value) in [
        ("mesh_triangle", 0, 1 << 40),
        ("joint_child", 1, -1),
        ("shape_body", 0, 99),
        ("shape_body", 0, 9),
        ("edge_particle", 0, -1),
        ("edge_particle", 1, 14),
        ("tet_particle", 3, 14),
        ("spring_particle", 0, -1),
        ("attachment_particle", 0, -1),
        ("attachment_other", 2, 14),
        ("attachment_body", 0, 9),
    ] {
        let mut bad = good.clone();
        let Some(Data::Int(values)) = bad.get_mut(name).map(|a| &mut a.data) else { panic!("{name}") };
        values[index] = value;
        let error = from_arrays(bad).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    let mut bad = good.clone();
    bad.get_mut("body_mass").unwrap().shape = vec![3, 3];
    assert!(from_arrays(bad).unwrap_err().to_string().contains("expected [9]"));
}

/// As earlier versions wrote them, and other engines may.
#[test]
fn recordings_without_elements_and_velocities_of_particles_are_read() {
    let original = recording();
    let mut bytes = Cursor::new(Vec::new());
    write(&original, &mut bytes).unwrap();
    let mut arrays = read_npz(bytes.get_ref()).unwrap();
    let kinds = ["spring_", "triangle_", "edge_", "tet_", "attachment_"];
    arrays.retain(|name, _| name != "particle_qd" && !kinds.iter().any(|kind| name.starts_with(kind)));
    let read = from_arrays(arrays).unwrap();
    assert_eq!(read.particle_q, original.particle_q);
    assert_eq!(read.model.triangle_particle, original.model.triangle_particle);
    assert!(read.particle_velocities(1).is_none() && read.model.tet_particle.is_empty());
    assert!(read.state(3).particle_qd.iter().all(|v| *v == DVec3::ZERO));
    // And written again.
    write(&read, &mut Cursor::new(Vec::new())).unwrap();
}

#[test]
fn files_that_are_no_recordings_are_refused_by_path() {
    let folder = Folder::new("recording-bad");
    let missing = folder.0.join("missing.npz");
    assert!(matches!(read_recording(&missing), Err(RecordingError::Open { .. })));
    let text = folder.0.join("text.npz");
    std::fs::write(&text, "not an archive").unwrap();
    assert!(read_recording(&text).unwrap_err().to_string().contains("text.npz"));
}

/// The states of `recording()`, one after the other.
fn states() -> Vec<(drystone::model::State, [f64; 2])> {
    let recording = recording();
    let frame = |f: usize| {
        let state = drystone::model::State { step_count: f as u64, ..recording.state(f) };
        (state, [1e-3 * f as f64, 0.0])
    };
    (0..recording.frame_count()).map(frame).collect()
}

fn stream(path: &std::path::Path, until: usize) -> RecordingStream {
    let mut stream = RecordingStream::create(path, &model(), 1).unwrap();
    for (state, errors) in &states()[..until] {
        assert!(stream.push(state, errors).unwrap());
        stream.flush().unwrap();
    }
    stream
}

#[test]
fn a_stream_gives_the_file_that_memory_gives() {
    let folder = Folder::new("stream");
    let (whole, streamed) = (folder.0.join("whole.npz"), folder.0.join("streamed.npz"));
    write_recording(&whole, &recording()).unwrap();
    let mut stream = stream(&streamed, 4);
    stream.write(&streamed).unwrap();
    assert!(stream.load().unwrap() == recording(), "the frames differ");
    drop(stream);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&streamed).unwrap());
    assert_eq!(folder.names().len(), 2, "the frames are removed: {:?}", folder.names());
}

#[test]
fn a_stopped_a_killed_and_a_finished_run_go_on_with_their_frames() {
    let folder = Folder::new("stream-resume");
    let path = folder.0.join("run.npz");
    let all = states();
    for how in ["stopped", "killed", "finished"] {
        let mut first = stream(&path, 4);
        match how {
            "finished" => first.write(&path).unwrap(),
            _ => first.keep(),
        }
        drop(first);
        if how == "killed" {
            // In the middle of a write: some columns are longer than others.
            let longer = folder.0.join(".run.npz.frames/body_q");
            let bytes = std::fs::read(&longer).unwrap();
            std::fs::write(&longer, [&bytes[..], &[1, 2, 3]].concat()).unwrap();
        }
        // The checkpoint is of the second frame: later ones are made again.
        let mut again = RecordingStream::resume(&path, &model(), 1, all[1].0.time).unwrap();
        assert_eq!(again.frame_count(), 2, "{how}");
        assert!(!again.push(&all[1].0, &all[1].1).unwrap(), "the frame is there");
        for (state, errors) in &all[2..] {
            assert!(again.push(state, errors).unwrap());
        }
        assert!(again.load().unwrap() == recording(), "{how}: the frames differ");
    }
    let none = RecordingStream::resume(&folder.0.join("new.npz"), &model(), 1, 1.0).unwrap();
    assert_eq!(none.frame_count(), 0);
}

#[test]
fn affine_placements_that_begin_late_are_filled_in() {
    let folder = Folder::new("stream-affine");
    let path = folder.0.join("run.npz");
    let mut whole = Recording::new(&model());
    let mut stream = RecordingStream::create(&path, &model(), 1).unwrap();
    for (index, (mut state, errors)) in states().into_iter().enumerate() {
        if index == 2 {
            state.body_affine = state.body_q.iter().map(drystone::recording::affine_rows).collect();
            state.body_affine[0][0] *= 2.0;
        }
        whole.push(&state, &errors);
        stream.push(&state, &errors).unwrap();
        stream.flush().unwrap();
    }
    assert!(!whole.body_affine.is_empty() && stream.load().unwrap() == whole, "the frames differ");
}
