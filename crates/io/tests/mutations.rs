//! Valid files, damaged at random: the readers refuse or accept them, and never panic.

use std::path::Path;

use drystone_io::import::{ImportOptions, parse_usd};
use drystone_io::mesh::{self, MeshError, MeshFormat};
use drystone_io::scene_file::{no_meshes, parse};
use proptest::prelude::*;

const OBJ: &[u8] = include_bytes!("../../../scenes/meshes/wedge.obj");
const PLY: &[u8] = b"ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
    element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n4 0 1 2 3\n";
const STL: &[u8] = b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
    endfacet\nendsolid s\n";
const GLTF: &[u8] = br#"{"nodes":[{"mesh":0,"scale":[1,2,-3],"children":[1]},{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}],
    "bufferViews":[{"buffer":0,"byteLength":60,"byteStride":16}],
    "buffers":[{"byteLength":60,"uri":"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAA"}]}"#;
const SCENES: [&str; 3] = [
    include_str!("../../../scenes/stack.json5"),
    include_str!("../../../scenes/pendulum.json5"),
    include_str!("../../../scenes/cable.json5"),
];

const STAGE: &str = include_str!("../../../tests/fixtures/usd/slider.usda");

fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(2_u32.to_le_bytes());
    for triangle in 0..2 {
        bytes.extend((0..12).flat_map(|k| (k as f32 * k as f32 + triangle as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn binary_ply() -> Vec<u8> {
    let mut bytes = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        .to_vec();
    bytes.extend((0..9).flat_map(|k| (k as f32).to_le_bytes()));
    bytes.push(3);
    bytes.extend((0..3_i32).flat_map(i32::to_le_bytes));
    bytes
}

fn container() -> Vec<u8> {
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((20 + GLTF.len() as u32).to_le_bytes());
    bytes.extend((GLTF.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(GLTF);
    bytes
}

/// One thing that happens to a file.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Repeat(usize, usize),
    Truncate(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0_usize..4000;
    // Pieces that mean something to one reader or another.
    let words: Vec<&[u8]> = vec![
        b"-",
        b"e999",
        b"NaN",
        b"inf",
        b"1e300",
        b"4294967296",
        b"\xff\xff\xff\xff",
        b"{",
        b"[",
        b"]",
        b"}",
        b",",
        b"'",
        b"\\u",
        b"/*",
        b"null",
        b"-1",
        b"0",
        b"\n",
        b"f 1 2 9",
        b"element face 99999999\n",
        b"copies: [",
        b"\xc3",
    ];
    prop_oneof![
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (at.clone(), prop::sample::select(words)).prop_map(|(at, word)| Damage::Insert(at, word.to_vec())),
        (at.clone(), 1_usize..40).prop_map(|(at, count)| Damage::Remove(at, count)),
        (at.clone(), 1_usize..40).prop_map(|(at, count)| Damage::Repeat(at, count)),
        at.prop_map(Damage::Truncate),
    ]
}

fn damaged(file: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for damage in damages {
        let length = bytes.len().max(1);
        let range = |at: usize, count: usize| at % length..(at % length + count).min(bytes.len());
        match damage {
            Damage::Set(at, byte) => {
                if let Some(slot) = bytes.get_mut(at % length) {
                    *slot = *byte;
                }
            }
            Damage::Insert(at, word) => {
                let at = (at % length).min(bytes.len());
                bytes.splice(at..at, word.iter().copied());
            }
            Damage::Remove(at, count) if !bytes.is_empty() => drop(bytes.drain(range(*at, *count))),
            Damage::Repeat(at, count) if !bytes.is_empty() => {
                let piece = bytes[range(*at, *count)].to_vec();
                bytes.extend(piece);
            }
            Damage::Truncate(at) => bytes.truncate(at % length),
            Damage::Remove(..) | Damage::Repeat(..) => {}
        }
    }
    bytes
}

fn assert_mesh(bytes: &[u8], format: MeshFormat) {
    let no_files = |uri: &str| Err(MeshError::new(format!("no file `{uri}`"), "none"));
    match mesh::parse(bytes, format, &no_files) {
        Ok(file) => file.mesh.check_indices().unwrap(),
        Err(error) => assert!(!error.message.is_empty() && !error.help.is_empty()),
    }
}

/// A sound file of every kind.
fn mesh_files() -> [(Vec<u8>, MeshFormat); 7] {
    [
        (OBJ.to_vec(), MeshFormat::Obj),
        (PLY.to_vec(), MeshFormat::Ply),
        (binary_ply(), MeshFormat::Ply),
        (STL.to_vec(), MeshFormat::Stl),
        (binary_stl(), MeshFormat::Stl),
        (GLTF.to_vec(), MeshFormat::Gltf),
        (container(), MeshFormat::Gltf),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_meshes(damages in prop::collection::vec(damage(), 1..6)) {
        for (file, format) in mesh_files() {
            assert_mesh(&damaged(&file, &damages), format);
        }
    }

    #[test]
    fn damaged_scenes(damages in prop::collection::vec(damage(), 1..6)) {
        for scene in SCENES {
            let text = String::from_utf8_lossy(&damaged(scene.as_bytes(), &damages)).into_owned();
            if let Err(error) = parse(&text, Path::new("damaged.json5"), &no_meshes) {
                prop_assert!(error.faults.iter().all(|fault| !fault.message.is_empty() && !fault.help.is_empty()));
                prop_assert!(error.to_string().contains("help: "));
            }
        }
    }

    #[test]
    fn damaged_stages(damages in prop::collection::vec(damage(), 1..6)) {
        let text = String::from_utf8_lossy(&damaged(STAGE.as_bytes(), &damages)).into_owned();
        match parse_usd(&text, Path::new("damaged.usda"), &ImportOptions::default()) {
            Err(error) => prop_assert!(error.to_string().contains("help: ")),
            Ok(robot) => {
                let [positions, velocities] = robot.widths();
                robot.state_at(&vec![0.5; positions], &vec![0.0; velocities]).unwrap();
            }
        }
    }
}

#[test]
fn the_files_are_valid_before_they_are_damaged() {
    let no_files = |_: &str| -> Result<Vec<u8>, MeshError> { unreachable!() };
    for (file, format) in mesh_files() {
        mesh::parse(&file, format, &no_files).unwrap();
    }
    for scene in SCENES {
        parse(scene, Path::new("valid.json5"), &no_meshes).unwrap();
    }
    parse_usd(STAGE, Path::new("valid.usda"), &ImportOptions::default()).unwrap();
}
