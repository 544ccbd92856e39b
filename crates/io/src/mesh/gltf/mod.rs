//! glTF 2.0, as `.gltf` text or `.glb` container. Every node with a mesh becomes a part, placed by the
//! transforms above it. Materials, skins, morph targets and animations are passed over; compressed
//! or sparse geometry is refused by name.

mod buffer;
mod document;

use std::ops::Range;

use glamx::glam::DAffine3;
use glamx::{DQuat, DVec3};

use super::error::{MeshError, Place};
use super::soup::{Welder, file_of, is_proper, too_large};
use super::{MeshFile, MeshPart};

use buffer::{Buffers, container};
use document::{Document, Node, Primitive};

/// Instances can repeat a mesh without bound; beyond this many vertices or corners a file is refused.
const MAX_CORNERS: usize = 1 << 26;

/// Extensions a file may require without changing where its triangles are.
const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_lights_"];

/// Reads a glTF file; `resolve` fetches the buffers it keeps in other files.
pub fn parse(bytes: &[u8], resolve: &dyn Fn(&str) -> Result<Vec<u8>, MeshError>) -> Result<MeshFile, MeshError> {
    let (json, binary) = container(bytes)?;
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        MeshError::new(format!("the JSON is not a glTF document: {error}"), "export the mesh again")
            .at(Place::Line(error.line()))
    })?;
    check_extensions(&document)?;
    let buffers = Buffers::load(&document, binary, resolve)?;
    let mut assembly = Assembly { document: &document, buffers, file: MeshFile::default() };
    for (node, placement) in placed_nodes(&document)? {
        assembly.add_node(node, placement)?;
    }
    let MeshFile { mesh, parts } = assembly.file;
    file_of(mesh.vertices, mesh.triangles, parts)
}

fn check_extensions(document: &Document) -> Result<(), MeshError> {
    let harmful = |name: &&String| !HARMLESS.iter().any(|prefix| name.starts_with(prefix));
    match document.extensions_required.iter().find(harmful) {
        None => Ok(()),
        Some(name) => {
            let message = format!("the file requires the extension `{name}`, which is not read");
            Err(MeshError::new(message, "export without compression, quantisation or instancing extensions")
                .at(Place::Item("extensionsRequired".into())))
        }
    }
}

/// Every node of the default scene with its placement in the scene, parents first.
fn placed_nodes(document: &Document) -> Result<Vec<(usize, DAffine3)>, MeshError> {
    let roots = match document.scenes.get(document.scene.unwrap_or(0)) {
        Some(scene) => scene.nodes.clone(),
        None => document.orphans(),
    };
    let mut todo: Vec<(usize, DAffine3)> = roots.into_iter().rev().map(|node| (node, DAffine3::IDENTITY)).collect();
    let mut placed = Vec::new();
    let mut seen = vec![false; document.nodes.len()];
    while let Some((index, above)) = todo.pop() {
        let node = document.nodes.get(index).ok_or_else(|| missing("nodes", index))?;
        if std::mem::replace(&mut seen[index], true) {
            let message = "the node is its own ancestor or has two parents";
            return Err(
                MeshError::new(message, "export the file again; nodes must form a tree").at(item("nodes", index))
            );
        }
        let placement = above * local(node);
        placed.push((index, placement));
        todo.extend(node.children.iter().rev().map(|&child| (child, placement)));
    }
    Ok(placed)
}

/// The placement of a node in its parent.
fn local(node: &Node) -> DAffine3 {
    if let Some(m) = node.matrix {
        return DAffine3::from_cols_array(&[
            m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14],
        ]);
    }
    let rotation = DQuat::from_array(node.rotation);
    // A quaternion of zeros turns nothing rather than everything into NaN.
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    DAffine3::from_scale_rotation_translation(
        DVec3::from_array(node.scale),
        rotation,
        DVec3::from_array(node.translation),
    )
}

/// The mesh under construction.
struct Assembly<'a> {
    document: &'a Document,
    buffers: Buffers<'a>,
    file: MeshFile,
}

impl Assembly<'_> {
    /// Adds the mesh a node wears, if any, as one part with its equal positions welded.
    fn add_node(&mut self, index: usize, placement: DAffine3) -> Result<(), MeshError> {
        let node = &self.document.nodes[index];
        let Some(mesh_index) = node.mesh else { return Ok(()) };
        let mesh = self.document.meshes.get(mesh_index).ok_or_else(|| missing("meshes", mesh_index))?;
        let begin = self.file.mesh.triangles.len();
        let mut welder = Welder::default();
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            let place = || Place::Item(format!("meshes[{mesh_index}].primitives[{k}]"));
            self.add_primitive(primitive, placement, &mut welder).map_err(|error| match error.place {
                Some(_) => error,
                None => error.at(place()),
            })?;
        }
        let triangles: Range<usize> = begin..self.file.mesh.triangles.len();
        if !triangles.is_empty() {
            let name = node.name.clone().or_else(|| mesh.name.clone()).unwrap_or_default();
            self.file.parts.push(MeshPart { name, triangles });
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        placement: DAffine3,
        welder: &mut Welder,
    ) -> Result<(), MeshError> {
        let Some(corner_of) = primitive.triangle_corners() else { return Ok(()) };
        let accessor = primitive
            .attributes
            .position
            .ok_or_else(|| MeshError::new("the primitive has no POSITION", "export positions with the mesh"))?;
        let positions = self.buffers.positions(self.document, accessor)?;
        let mesh = &mut self.file.mesh;
        if mesh.vertices.len() + positions.len() > MAX_CORNERS {
            return Err(too_large());
        }
        let mut index = Vec::with_capacity(positions.len());
        for position in positions {
            let placed = placement.transform_point3(position);
            if !placed.is_finite() {
                let help = "repair the mesh or the transforms above it and export again";
                return Err(MeshError::new("a placed position is not finite", help));
            }
            index.push(welder.index(placed, &mut mesh.vertices)?);
        }
        let corners = match primitive.indices {
            Some(accessor) => self.buffers.indices(self.document, accessor)?,
            None => (0..index.len() as u32).collect(),
        };
        if 3 * (mesh.triangles.len() + corner_of.count(corners.len())) > MAX_CORNERS {
            return Err(too_large());
        }
        // A mirroring placement turns the surface inside out; swapping two corners turns it back.
        let mirrored = placement.matrix3.determinant() < 0.0;
        for t in 0..corner_of.count(corners.len()) {
            let mut triangle = [0; 3];
            for (vertex, at) in triangle.iter_mut().zip(corner_of.corners(t)) {
                let corner = corners[at] as usize;
                *vertex = *index.get(corner).ok_or_else(|| {
                    let message = format!("index {corner} is out of range, there are {} positions", index.len());
                    MeshError::new(message, "export the mesh again; the file is damaged")
                })?;
            }
            if mirrored {
                triangle.swap(1, 2);
            }
            if is_proper(&triangle) {
                self.file.mesh.triangles.push(triangle);
            }
        }
        Ok(())
    }
}

fn item(list: &str, index: usize) -> Place {
    Place::Item(format!("{list}[{index}]"))
}

fn missing(list: &str, index: usize) -> MeshError {
    MeshError::new("the file refers to this item but does not have it", "export the file again").at(item(list, index))
}

#[cfg(test)]
mod tests;
