//! The binary chunk: values one after the other, and the JSON that says where they are.

use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Binary data with one view and one accessor per array.
#[derive(Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// Vertex positions or normals; the format asks for the bounds of positions.
    pub(super) fn vertices(&mut self, values: &[[f32; 3]], bounds: bool) -> usize {
        let mut accessor = json!({ "componentType": FLOAT, "count": values.len(), "type": "VEC3" });
        if bounds {
            let fold = |start: f32, pick: fn(f32, f32) -> f32| {
                [0, 1, 2].map(|k| values.iter().map(|v| v[k]).fold(start, pick))
            };
            accessor["min"] = json!(fold(f32::INFINITY, f32::min));
            accessor["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
        }
        self.push(values.as_flattened().iter().flat_map(|v| v.to_le_bytes()), Some(ARRAY_BUFFER), accessor)
    }

    /// Triangle corners.
    pub(super) fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let accessor = json!({ "componentType": UNSIGNED_INT, "count": 3 * triangles.len(), "type": "SCALAR" });
        let bytes = triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes());
        self.push(bytes, Some(ELEMENT_ARRAY_BUFFER), accessor)
    }

    /// Key times \[s\], rising.
    pub(super) fn times(&mut self, values: &[f32]) -> usize {
        let (first, last) = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
        let accessor = json!({
            "componentType": FLOAT, "count": values.len(), "type": "SCALAR", "min": [first], "max": [last],
        });
        self.push(values.iter().flat_map(|v| v.to_le_bytes()), None, accessor)
    }

    /// Key values of an animation: positions (`VEC3`) or quaternions (`VEC4`).
    pub(super) fn keys<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let accessor = json!({ "componentType": FLOAT, "count": values.len(), "type": format!("VEC{N}") });
        self.push(values.as_flattened().iter().flat_map(|v| v.to_le_bytes()), None, accessor)
    }

    /// Weights of morph targets, key by key.
    pub(super) fn weights(&mut self, values: &[f32]) -> usize {
        let accessor = json!({ "componentType": FLOAT, "count": values.len(), "type": "SCALAR" });
        self.push(values.iter().flat_map(|v| v.to_le_bytes()), None, accessor)
    }

    /// All values are four bytes wide, so everything stays aligned.
    fn push(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>, mut accessor: Value) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
