//! Meshes that robot files name: found once, read once, made a hull or kept as they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drystone_geometry::{Hull, Shape, TriMesh};
use drystone_model::DVec3;

use super::fault::{Log, Place};
use super::{MeshUse, collada, msh};
use crate::mesh;

/// Meshes by path.
#[derive(Default)]
pub(super) struct Meshes {
    read: BTreeMap<PathBuf, Option<Arc<TriMesh>>>,
}

impl Meshes {
    /// The mesh of a file, scaled; `None`, with a fault, if it cannot be read.
    pub(super) fn mesh(&mut self, path: &Path, scale: DVec3, place: Place, log: &mut Log) -> Option<TriMesh> {
        let known = self.read.entry(path.to_owned()).or_insert_with(|| match read(path) {
            Ok(mesh) => Some(Arc::new(mesh)),
            Err((message, help)) => {
                log.fault(place, message, help);
                None
            }
        });
        let mut mesh = known.as_ref()?.as_ref().clone();
        scale_mesh(&mut mesh, scale);
        Some(mesh)
    }
}

/// Scales a mesh; one that is mirrored is turned inside out again.
pub(super) fn scale_mesh(mesh: &mut TriMesh, scale: DVec3) {
    mesh.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
    if scale.x * scale.y * scale.z < 0.0 {
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
}

fn read(path: &Path) -> Result<TriMesh, (String, String)> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if extension.eq_ignore_ascii_case("dae") {
        return collada::read(path);
    }
    if extension.eq_ignore_ascii_case("msh") {
        return msh::read(path);
    }
    mesh::read(path).map(|file| file.mesh).map_err(|error| {
        let file = error.file.as_ref().map_or_else(String::new, |file| format!("`{}`: ", file.display()));
        (format!("{file}{}", error.message), error.help)
    })
}

/// The shape of a mesh, as its hull or exactly.
pub(super) fn shape(mesh: &TriMesh, meshes: MeshUse, place: Place, log: &mut Log) -> Option<Shape> {
    match meshes {
        MeshUse::Exact => Some(Shape::Mesh(Arc::new(mesh.clone()))),
        MeshUse::Hull => match Hull::from_points(&mesh.vertices) {
            Ok(hull) => Some(Shape::Hull(Arc::new(hull))),
            Err(error) => {
                log.fault(place, format!("the mesh has no convex hull: {error}"), "use a box, or give the mesh extent");
                None
            }
        },
    }
}
