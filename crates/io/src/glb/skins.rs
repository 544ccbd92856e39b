//! Cloth, soft bodies and strings: meshes with a morph target per key frame. Single particles are nodes that move.

use drystone::geometry::{DVec3, Pose};
use drystone_picture::visual::{DeformingMesh, ShadedMesh, Skin, skins};
use serde_json::{Value, json};

use super::{Document, node, store};
use crate::motion::{first_particles, key_frames, particle_tracks, skin_name};

/// Shapes at most that a mesh takes on, evenly spread over the frames: readers keep them in layers of a texture, of which they
/// have 256 for sure. Between two of them vertices go straight.
const MOST_SHAPES: usize = 256;

impl Document<'_> {
    /// Adds the skins of all particles; returns their nodes.
    pub(super) fn add_skins(&mut self) -> Vec<usize> {
        let recording = self.recording;
        let (all, start) = (skins(&recording.model), first_particles(recording));
        if all.is_empty() {
            return Vec::new();
        }
        let keys = spread(key_frames(recording));
        let tracks = particle_tracks(recording, &keys);
        let times: Vec<f32> = keys.iter().map(|&(_, seconds)| seconds).collect();
        let mut input = None;
        let mut nodes = Vec::new();
        for (number, skin) in all.iter().enumerate() {
            nodes.push(self.nodes.len());
            let moving = match skin.deforming(&start) {
                Some(mesh) => self.add_deforming(skin, number, &mesh, &start, &tracks),
                None => self.add_ball(skin, number, &start, &tracks),
            };
            if let Some((path, output)) = moving {
                let input = *input.get_or_insert_with(|| self.buffer.times(&times));
                let node = self.nodes.len() - 1;
                self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
                self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        nodes
    }

    /// A mesh that takes on one shape after the other; what to animate, and with which values.
    fn add_deforming(
        &mut self,
        skin: &Skin,
        number: usize,
        mesh: &DeformingMesh,
        start: &[DVec3],
        tracks: &[Vec<DVec3>],
    ) -> Option<(&'static str, usize)> {
        let base = mesh.at(start);
        let material = self.material(skin.color, mesh.two_sided);
        let [position, normal, indices] = store(&base, &mut self.buffer);
        let moves = tracks.iter().any(|q| q[..] != start[..]);
        let shapes = if moves { tracks.len().saturating_sub(1) } else { 0 };
        let targets: Vec<Value> = tracks.iter().skip(1).take(shapes).map(|q| self.target(&base, &mesh.at(q))).collect();
        let mut primitive = json!({
            "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices, "material": material,
        });
        let name = skin_name(skin, number);
        let mut entry = json!({ "name": name });
        if shapes > 0 {
            primitive["targets"] = Value::Array(targets);
            entry["weights"] = json!(vec![0.0; shapes]);
        }
        entry["primitives"] = json!([primitive]);
        self.meshes.push(entry);
        let mut place = node(&name, &Pose::IDENTITY);
        place["mesh"] = json!(self.meshes.len() - 1);
        self.nodes.push(place);
        // At key k the shape of key k alone; the first is the mesh itself.
        let weight = |key: usize, shape: usize| if key == shape + 1 { 1.0 } else { 0.0 };
        (shapes > 0).then(|| {
            let weights: Vec<f32> =
                (0..tracks.len()).flat_map(|key| (0..shapes).map(move |shape| weight(key, shape))).collect();
            ("weights", self.buffer.weights(&weights))
        })
    }

    /// What a shape adds to a mesh.
    fn target(&mut self, base: &ShadedMesh, shape: &ShadedMesh) -> Value {
        let difference = |to: &[DVec3], from: &[DVec3]| {
            to.iter().zip(from).map(|(to, from)| (*to - *from).as_vec3().to_array()).collect::<Vec<_>>()
        };
        let position = self.buffer.vertices(&difference(&shape.positions, &base.positions), true);
        let normal = self.buffer.vertices(&difference(&shape.normals, &base.normals), false);
        json!({ "POSITION": position, "NORMAL": normal })
    }

    fn add_ball(
        &mut self,
        skin: &Skin,
        number: usize,
        start: &[DVec3],
        tracks: &[Vec<DVec3>],
    ) -> Option<(&'static str, usize)> {
        let (ball, centre) = skin.mesh(start);
        let material = self.material(skin.color, false);
        let [position, normal, indices] = store(&ball, &mut self.buffer);
        self.meshes.push(json!({ "primitives": [{
            "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices, "material": material,
        }] }));
        let mut place = node(&skin_name(skin, number), &Pose::from_translation(centre));
        place["mesh"] = json!(self.meshes.len() - 1);
        self.nodes.push(place);
        let places: Vec<[f32; 3]> = tracks.iter().map(|q| skin.mesh(q).1.as_vec3().to_array()).collect();
        let moves = places.windows(2).any(|pair| pair[0] != pair[1]);
        moves.then(|| ("translation", self.buffer.keys(&places)))
    }
}

/// At most [`MOST_SHAPES`] of the keys, first and last among them.
fn spread(keys: Vec<(usize, f32)>) -> Vec<(usize, f32)> {
    if keys.len() <= MOST_SHAPES {
        return keys;
    }
    (0..MOST_SHAPES).map(|k| keys[k * (keys.len() - 1) / (MOST_SHAPES - 1)]).collect()
}
