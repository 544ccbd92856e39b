//! Files made by hand, good and bad.

use super::*;
use serde_json::{Value, json};

/// A unit square in the XY plane: four positions, then six 16-bit indices.
fn square_bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    for position in [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]] {
        bytes.extend(position.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    bytes
}

fn square() -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "name": "root", "translation": [0, 0, 5], "children": [1, 2] },
            { "name": "plain", "mesh": 0 },
            { "name": "mirrored", "mesh": 0, "scale": [-1, 1, 1] },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 7 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 12 },
        ],
        "buffers": [{ "byteLength": 60, "uri": "square.bin" }],
    })
}

fn parse_text(document: &Value) -> Result<MeshFile, MeshError> {
    parse(document.to_string().as_bytes(), &|uri| match uri {
        "square.bin" => Ok(square_bytes()),
        _ => Err(MeshError::new(format!("cannot read `{uri}`"), "check the path")),
    })
}

fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((12 + 8 + text.len() as u32 + 8 + binary.len() as u32).to_le_bytes());
    for (kind, chunk) in [(0x4E4F_534A_u32, &text[..]), (0x004E_4942, binary)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(chunk);
    }
    bytes
}

#[test]
fn nodes_are_placed_named_parts_and_mirrors_keep_the_outside_out() {
    let file = parse_text(&square()).unwrap();
    let names: Vec<&str> = file.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["plain", "mirrored"]);
    for name in names {
        let part = file.part(name).unwrap();
        let area: f64 = part
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| part.vertices[i as usize]);
                assert_eq!(a.z, 5.0);
                0.5 * (b - a).cross(c - a).z
            })
            .sum();
        assert_eq!(area, 1.0, "{name}");
    }
    assert_eq!(file.part("mirrored").unwrap().vertices.iter().map(|v| v.x).fold(0.0, f64::min), -1.0);
}

#[test]
fn container_and_embedded_text_say_the_same() {
    let from_text = parse_text(&square()).unwrap();
    let mut inside = square();
    inside["buffers"][0].as_object_mut().unwrap().remove("uri");
    let unused = |_: &str| -> Result<Vec<u8>, MeshError> { unreachable!() };
    assert_eq!(parse(&glb(&inside, &square_bytes()), &unused).unwrap(), from_text);
}

#[test]
fn strips_fans_and_plain_runs() {
    for (mode, corners, expected) in [(5, [0_u16, 1, 3, 2, 2, 2], 1.0), (6, [0, 1, 2, 3, 3, 3], 1.0)] {
        let mut bytes = square_bytes();
        bytes.truncate(48);
        bytes.extend(corners.iter().flat_map(|index| index.to_le_bytes()));
        let mut document = square();
        document["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        document["scenes"][0]["nodes"] = json!([1]);
        let file = parse(document.to_string().as_bytes(), &|_| Ok(bytes.clone())).unwrap();
        let area: f64 = file
            .mesh
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| file.mesh.vertices[i as usize]);
                0.5 * (b - a).cross(c - a).z
            })
            .sum();
        assert_eq!(area, expected, "mode {mode}");
    }
}

#[test]
fn faults_name_item_and_way_out() {
    let change = |pointer: &str, value: Value| {
        let mut document = square();
        *document.pointer_mut(pointer).unwrap() = value;
        document
    };
    let cases = [
        (json!(3), "not a glTF document"),
        (json!({}), "no faces"),
        (change("/scenes/0/nodes", json!([9])), "nodes[9]: the file refers to this item"),
        (change("/nodes/1", json!({ "children": [0] })), "nodes[0]: the node is its own ancestor"),
        (change("/nodes/1/mesh", json!(5)), "meshes[5]: the file refers"),
        (
            change("/accessors/0/count", json!(5)),
            "accessors[0]: the accessor announces 5 elements but its view holds 4",
        ),
        (change("/accessors/0/count", json!(u64::MAX)), "but its view holds 4"),
        (change("/accessors/0/type", json!("VEC2")), "accessors[0]: positions are VEC2"),
        (change("/accessors/1/componentType", json!(5126)), "accessors[1]: vertex numbers are SCALAR of type 5126"),
        (change("/accessors/0/bufferView", Value::Null), "accessors[0]: sparse accessors are not read"),
        (change("/accessors/0/bufferView", json!(4)), "bufferViews[4]: the file refers"),
        (change("/accessors/0/bufferView", json!(1)), "accessors[0]: the accessor announces 4"),
        (change("/bufferViews/1/byteOffset", json!(u64::MAX)), "but its view holds 0"),
        (
            change("/bufferViews/0", json!({"buffer": 0, "byteLength": 48, "byteStride": 1})),
            "12 bytes are 1 bytes apart",
        ),
        (change("/buffers/0/byteLength", json!(61)), "buffers[0]: the buffer holds 60 of its 61 bytes"),
        (change("/buffers/0/uri", json!("no.bin")), "buffers[0]: cannot read `no.bin`"),
        (change("/buffers/0/uri", json!("data:;base64,***")), "buffers[0]: the embedded data are not base64"),
        (change("/buffers/0", json!({ "byteLength": 60 })), "buffers[0]: the buffer has no data"),
        (
            change("/meshes/0/primitives/0/attributes", json!({})),
            "meshes[0].primitives[0]: the primitive has no POSITION",
        ),
        (change("/nodes/0/translation", json!([1e308, 0, 0])), "no faces"),
        (change("/asset", json!({})), ""),
    ];
    for (document, expected) in cases {
        match parse_text(&document) {
            Ok(_) => assert!(expected.is_empty(), "{expected} was not refused"),
            Err(error) => {
                let error = error.to_string();
                assert!(!expected.is_empty() && error.contains(expected), "{error} instead of {expected}");
                assert!(error.contains("; "), "{error}");
            }
        }
    }
    let mut draco = square();
    draco["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    assert!(parse_text(&draco).unwrap_err().to_string().contains("`KHR_draco_mesh_compression`"));
}

#[test]
fn every_truncation_of_a_container_is_an_error() {
    let mut inside = square();
    inside["buffers"][0].as_object_mut().unwrap().remove("uri");
    let bytes = glb(&inside, &square_bytes());
    for length in 0..bytes.len() {
        assert!(parse(&bytes[..length], &|_| Ok(Vec::new())).is_err(), "{length}");
    }
}

#[test]
fn indices_out_of_range_and_positions_that_are_no_numbers() {
    let mut bytes = square_bytes();
    bytes[48] = 200;
    let text = square().to_string();
    let error = parse(text.as_bytes(), &|_| Ok(bytes.clone())).unwrap_err().to_string();
    assert!(error.contains("index 200 is out of range, there are 4 positions"), "{error}");
    let mut bytes = square_bytes();
    bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = parse(text.as_bytes(), &|_| Ok(bytes.clone())).unwrap_err().to_string();
    assert!(error.contains("accessors[0]: a coordinate is NaN"), "{error}");
}
