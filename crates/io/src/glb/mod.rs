//! Recordings as animated binary glTF (`.glb`): opens in Blender, in browsers and in viewers.
//!
//! One node per body, named like it, with the meshes of its shapes; linear key frames at the recorded
//! times; everything under one root that turns the up-axis of the scene to glTF's +Y. Cloth, soft
//! bodies and strings are meshes with a morph target per key frame, no more than 256; sheets are
//! seen from both sides.

mod buffer;
mod skins;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};
use serde_json::{Value, json};

use crate::atomic::{WriteError, atomic_write};
use crate::motion::{Track, first_pose, key_frames};
use buffer::Buffer;
use drystone_picture::visual::{Color, Part, ShadedMesh, Visual, linear};

/// How far the ground reaches in units of the size of the scene.
const GROUND_FACTOR: f64 = 8.0;

/// Writes a recording as animated `.glb`.
pub fn write_glb(path: &Path, recording: &Recording) -> Result<(), WriteError> {
    atomic_write(path, |sink| encode(recording, sink))
}

fn encode(recording: &Recording, mut sink: impl Write) -> io::Result<()> {
    let (document, mut bytes) = Document::new(recording).finish();
    let mut text = serde_json::to_vec(&document)?;
    // Chunks are padded to four bytes: text with spaces, data with zeros.
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let total = 12 + 8 + text.len() + 8 + bytes.len();
    let total = u32::try_from(total).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, "a .glb holds at most 4 GiB; record fewer frames (every n-th step)")
    })?;
    sink.write_all(b"glTF")?;
    sink.write_all(&2u32.to_le_bytes())?;
    sink.write_all(&total.to_le_bytes())?;
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &bytes)] {
        sink.write_all(&(chunk.len() as u32).to_le_bytes())?;
        sink.write_all(kind)?;
        sink.write_all(chunk)?;
    }
    Ok(())
}

/// The parts of a glTF document as they come together.
struct Document<'a> {
    recording: &'a Recording,
    visual: Visual,
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// Position, normal and index accessors of every mesh of the visual that is in use.
    geometry: BTreeMap<usize, [usize; 3]>,
    /// glTF meshes by visual mesh and material.
    mesh_of: BTreeMap<(usize, usize), usize>,
    /// Materials by colour and whether both sides are seen.
    material_of: BTreeMap<([u32; 3], bool), usize>,
}

impl<'a> Document<'a> {
    fn new(recording: &'a Recording) -> Self {
        let mut document = Self {
            recording,
            visual: Visual::new(recording, GROUND_FACTOR),
            buffer: Buffer::default(),
            nodes: vec![Value::Null],
            meshes: Vec::new(),
            materials: Vec::new(),
            channels: Vec::new(),
            samplers: Vec::new(),
            geometry: BTreeMap::new(),
            mesh_of: BTreeMap::new(),
            material_of: BTreeMap::new(),
        };
        document.add_nodes();
        document.add_motion();
        document
    }

    /// Nodes 1 to the number of bodies are the bodies; shapes of the world and of bodies with several
    /// shapes follow; node 0 is the root.
    fn add_nodes(&mut self) {
        let model = &self.recording.model;
        let count = model.body_count();
        for body in 0..count {
            self.nodes.push(node(&model.body_name[body], &first_pose(self.recording, body)));
        }
        let mut root: Vec<usize> = (1..=count).collect();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let parts = std::mem::take(&mut self.visual.parts);
        for (shape, part) in parts.iter().enumerate() {
            let mesh = self.mesh(part);
            let mut shape_node = node(&model.shape_name[shape], &part.pose);
            shape_node["mesh"] = json!(mesh);
            match children.get_mut(part.body as usize) {
                Some(of_body) => of_body.push(self.nodes.len()),
                None => root.push(self.nodes.len()),
            }
            self.nodes.push(shape_node);
        }
        for (body, of_body) in children.into_iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            self.nodes[body + 1]["children"] = json!(of_body);
        }
        root.extend(self.add_skins());
        self.nodes[0] = node("scene", &Pose::from_parts(DVec3::ZERO, self.to_y_up()));
        if !root.is_empty() {
            self.nodes[0]["children"] = json!(root);
        }
    }

    fn to_y_up(&self) -> DQuat {
        let gravity = self.recording.model.world_gravity.first().copied().unwrap_or(DVec3::NEG_Z);
        DQuat::from_rotation_arc((-gravity).normalize_or(DVec3::Z), DVec3::Y)
    }

    fn mesh(&mut self, part: &Part) -> usize {
        let material = self.material(part.color, false);
        if let Some(&mesh) = self.mesh_of.get(&(part.mesh, material)) {
            return mesh;
        }
        let shaded = &self.visual.meshes[part.mesh];
        let buffer = &mut self.buffer;
        let [position, normal, indices] = *self.geometry.entry(part.mesh).or_insert_with(|| store(shaded, buffer));
        self.meshes.push(json!({ "primitives": [{
            "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices, "material": material,
        }] }));
        self.mesh_of.insert((part.mesh, material), self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    fn material(&mut self, color: Color, two_sided: bool) -> usize {
        *self.material_of.entry((color.map(f32::to_bits), two_sided)).or_insert_with(|| {
            let [r, g, b] = linear(color);
            let mut material = json!({ "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7,
            } });
            if two_sided {
                material["doubleSided"] = json!(true);
            }
            self.materials.push(material);
            self.materials.len() - 1
        })
    }

    fn add_motion(&mut self) {
        let keys = key_frames(self.recording);
        let mut times = None;
        for body in 0..self.recording.model.body_count() {
            let Some(track) = Track::of(self.recording, body, &keys) else { continue };
            let input = *times.get_or_insert_with(|| {
                let seconds: Vec<f32> = keys.iter().map(|&(_, seconds)| seconds).collect();
                self.buffer.times(&seconds)
            });
            let translation: Vec<[f32; 3]> = track.translation.iter().map(|t| t.as_vec3().to_array()).collect();
            let rotation: Vec<[f32; 4]> = track.rotation.iter().map(|r| r.as_quat().to_array()).collect();
            for (path, output) in
                [("translation", self.buffer.keys(&translation)), ("rotation", self.buffer.keys(&rotation))]
            {
                self.channels.push(json!({
                    "sampler": self.samplers.len(), "target": { "node": body + 1, "path": path },
                }));
                self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
    }

    fn finish(self) -> (Value, Vec<u8>) {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": concat!("Drystone ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": self.nodes,
        });
        // The format forbids empty lists.
        let lists = [
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.buffer.accessors),
            ("bufferViews", self.buffer.views),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            document[name] = Value::Array(list);
        }
        if !self.channels.is_empty() {
            document["animations"] = json!([{ "name": "run", "channels": self.channels, "samplers": self.samplers }]);
        }
        if !self.buffer.bytes.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.buffer.bytes.len() }]);
        }
        (document, self.buffer.bytes)
    }
}

fn node(name: &str, pose: &Pose) -> Value {
    json!({
        "name": name,
        "translation": pose.translation.as_vec3().to_array(),
        "rotation": pose.rotation.normalize().as_quat().to_array(),
    })
}

fn store(mesh: &ShadedMesh, buffer: &mut Buffer) -> [usize; 3] {
    let single = |values: &[DVec3]| values.iter().map(|v| v.as_vec3().to_array()).collect::<Vec<_>>();
    [
        buffer.vertices(&single(&mesh.positions), true),
        buffer.vertices(&single(&mesh.normals), false),
        buffer.indices(&mesh.triangles),
    ]
}
