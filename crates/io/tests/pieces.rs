//! Cloth, soft bodies and ropes in scene files.

use std::path::Path;

use drystone_geometry::{Shape, Tessellation, TriMesh};
use drystone_io::mesh::{MeshError, MeshFile};
use drystone_io::scene_file::{SceneSettings, export, load, parse};
use drystone_model::{DVec3, Model};

/// A ball of half a metre, and an open strip of two triangles.
fn meshes(name: &str) -> Result<MeshFile, MeshError> {
    let mesh = match name {
        "ball.obj" => Shape::sphere(0.5).unwrap().to_mesh(&Tessellation::default()),
        _ => TriMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)],
            triangles: vec![[0, 1, 2], [1, 3, 2]],
        },
    };
    Ok(MeshFile { mesh, parts: Vec::new() })
}

fn scene(text: &str) -> Result<Model, String> {
    parse(text, Path::new("piece.json5"), &meshes).map(|scene| scene.model).map_err(|error| error.to_string())
}

const SHEET: &str = "material: { young: 1e6, thickness: 0.002, density: 250 }";
const RUBBER: &str = "material: { young: 1e5, density: 1000 }";

#[test]
fn a_rectangle_of_cloth_is_held_where_a_box_says() {
    let model = scene(&format!(
        "{{ cloth: [{{ rectangle: {{ size: [2, 1], cells: [8, 4] }}, {SHEET}, position: [0, 0, 3], velocity: [0, 0, -1],\n\
         hold: [{{ from: [-1, -0.5, 3], to: [-1, 0.5, 3] }}] }}] }}"
    ))
    .unwrap();
    assert_eq!((model.particle_count(), model.triangle_particle.len()), (45, 64));
    assert!((model.particle_mass.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let mean: DVec3 = model.particle_q.iter().sum::<DVec3>() / 45.0;
    assert!(mean.distance(DVec3::Z * 3.0) < 1e-12 && model.particle_qd.iter().all(|v| *v == -DVec3::Z));
    assert_eq!(model.attachment_particle, [0, 9, 18, 27, 36]);
    assert!(model.attachment_stiffness.iter().all(|k| k.is_infinite()));
}

#[test]
fn any_mesh_is_cloth_and_any_closed_one_a_soft_body() {
    let model = scene(&format!(
        "{{ cloth: [{{ mesh: {{ file: 'strip.obj', scale: 2 }}, {SHEET} }}],\n\
         soft: [{{ mesh: {{ file: 'ball.obj' }}, cell: 0.15, {RUBBER}, radius: 0.01, position: [0, 0, 5] }}] }}"
    ))
    .unwrap();
    assert!((model.particle_mass[..4].iter().sum::<f64>() - 4.0 * 0.5).abs() < 1e-12);
    let mass: f64 = model.particle_mass[4..].iter().sum();
    let ball = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    assert!((mass / ball - 1.0).abs() < 0.05, "{mass} kg for {ball}");
    assert!(model.particle_q[4..].iter().all(|q| (q - DVec3::Z * 5.0).length() < 0.5 + 1e-6));
    assert!(!model.tet_particle.is_empty() && model.particle_radius[4] == 0.01);
}

/// A piece says for all its particles how they rub and whom they meet.
#[test]
fn a_piece_has_a_surface() {
    let model = scene(&format!(
        "{{ cloth: [{{ rectangle: {{ size: [1, 1], cells: [1, 1] }}, {SHEET}, surface: {{ friction: 0.3, friction_dynamic: 0.2, mask: 5 }} }}],\n\
         ropes: [{{ points: [[0, 0, 1], [0, 0, 2]], segments: 1, radius: 0.01, young: 1e6, density: 1000, surface: {{ friction_static: 0.1 }} }}],\n\
         filters: [{{ particles: [5, 1] }}] }}"
    ))
    .unwrap();
    assert_eq!(model.particle_friction, [[Some([0.3, 0.2]); 4].as_slice(), &[Some([0.1, 0.1]); 2]].concat());
    assert_eq!((&model.particle_group[..], &model.particle_mask[3..5]), (&[1; 6][..], &[5, u32::MAX][..]));
    assert_eq!(model.particle_filter, [[1, 5]]);
    let refused =
        |key: &str| scene(&format!("{{ particles: [{{ position: [0, 0, 0], mass: 1, surface: {{ {key} }} }}] }}"));
    assert!(refused("friction: -1").unwrap_err().contains("friction"));
    assert!(refused("grip: 1").unwrap_err().contains("grip"));
    let far = scene("{ particles: [{ position: [0, 0, 0], mass: 1 }], filters: [{ particles: [0, 9] }] }").unwrap_err();
    assert!(far.contains("particle 9 does not exist"), "{far}");
}

/// A rope carries a box, a block hangs on springs; what is written out reads back the same.
#[test]
fn pieces_read_back_the_same() {
    let model = scene(&format!(
        "{{ bodies: [{{ name: 'box', position: [0, 0, -1.1], shapes: [{{ geometry: {{ box: {{ half: [0.1, 0.1, 0.1] }} }} }}] }}],\n\
         ropes: [{{ points: [[0, 0, 0], [0, 0, -1]], segments: 10, radius: 0.01, young: 1e8, density: 1000,\n\
         hold: [{{ from: [-0.1, -0.1, -0.1], to: [0.1, 0.1, 0.1] }}, {{ from: [-0.1, -0.1, -1], to: [0.1, 0.1, -1], body: 'box' }}] }}],\n\
         soft: [{{ block: {{ size: [1, 1, 1], cells: [2, 2, 2] }}, {RUBBER}, position: [5, 0, 0],\n\
         hold: [{{ from: [4, -1, 0.5], to: [6, 1, 0.5], stiffness: 1e4 }}] }}] }}"
    ))
    .unwrap();
    // Ropes come after soft bodies.
    assert_eq!(model.particle_count(), 27 + 11);
    // The box about its upper end holds two particles of the rope.
    assert_eq!(model.attachment_particle.len(), 9 + 3);
    assert_eq!(model.attachment_body[11], 0);
    assert!(model.attachment_point[11].distance(DVec3::Z * 0.1) < 1e-12);
    let text = export(&model, "pieces", SceneSettings::default()).unwrap();
    assert_eq!(scene(&text).unwrap(), model);
}

/// Each is shown where it stands, with the way out.
#[test]
fn what_is_wrong_with_a_piece_is_shown_there() {
    let cases = [
        (format!("cloth: [{{ {SHEET} }}]"), "one of `rectangle` and `mesh`"),
        (format!("cloth: [{{ rectangle: {{ size: [1, 1], cells: [0, 2] }}, {SHEET} }}]"), "a grid of [0, 2] cells"),
        (format!("cloth: [{{ mesh: {{ file: 'strip.obj', thicken: 0.1 }}, {SHEET} }}]"), "cloth is no shell"),
        (
            "cloth: [{ rectangle: { size: [1, 1], cells: [2, 2] }, material: { young: 1e6, thickness: 0.002, density: 250, yuong: 1 } }]"
                .to_owned(),
            "yuong",
        ),
        (
            format!("cloth: [{{ rectangle: {{ size: [1, 1], cells: [2, 2] }}, {SHEET}, hold: [{{ from: [5, 5, 5], to: [6, 6, 6] }}] }}]"),
            "no particle of the piece starts in this box",
        ),
        (
            format!(
                "cloth: [{{ rectangle: {{ size: [1, 1], cells: [2, 2] }}, {SHEET}, hold: [{{ from: [-1, -1, 0], to: [1, 1, 0], body: 'nobody' }}] }}]"
            ),
            "there is no body `nobody`",
        ),
        (
            format!("cloth: [{{ mesh: {{ vertices: [[0, 0, 0], [1, 0, 0], [2, 0, 0]], triangles: [[0, 1, 2]] }}, {SHEET} }}]"),
            "it has no area",
        ),
        (format!("soft: [{{ mesh: {{ file: 'ball.obj' }}, {RUBBER} }}]"), "needs the size of its cells"),
        (format!("soft: [{{ mesh: {{ file: 'ball.obj' }}, cell: 2, {RUBBER} }}]"), "thinner than they"),
        (format!("soft: [{{ mesh: {{ file: 'strip.obj' }}, cell: 0.1, {RUBBER} }}]"), "it is open"),
        (
            format!("soft: [{{ block: {{ size: [1, 1, 1], cells: [2, 2, 2] }}, cell: 0.1, {RUBBER} }}]"),
            "a block has `cells` of its own",
        ),
        (
            "ropes: [{ points: [[0, 0, 0]], segments: 3, radius: 0.01, young: 1e8, density: 1000 }]".to_owned(),
            "a rope along 1 points",
        ),
        (
            "cloth: [{ rectangle: { size: [1, 1], cells: [2, 2] }, material: { young: -1, thickness: 0.002, density: 250 } }]".to_owned(),
            "triangle",
        ),
    ];
    for (piece, problem) in cases {
        let error = scene(&format!("{{ name: 'x',\n {piece} }}")).unwrap_err();
        assert!(error.contains("piece.json5:2:") && error.contains(problem), "{piece}: {error}");
    }
}

/// The example runs as it stands.
#[test]
fn the_example_is_read() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/soft.json5"));
    let model = load(path).unwrap().model;
    assert!(
        model.tet_particle.len() > 50 && model.attachment_particle.len() == 4 * 4 + 2,
        "{}",
        model.attachment_particle.len()
    );
}
