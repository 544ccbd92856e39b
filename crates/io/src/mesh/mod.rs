//! Triangle meshes from files: OBJ, STL (text and binary), PLY (text and both binary orders) and
//! glTF (`.gltf` and `.glb`).
//!
//! Coordinates are taken as they stand in the file: no unit is converted and no axis turned (glTF is
//! Y-up by its own rules). Polygons are triangulated; triangles that use a vertex twice are left out,
//! which closes the seams welding leaves. STL and glTF repeat a vertex for every face or normal, so
//! their equal positions are made one vertex again; OBJ and PLY keep the sharing the file states.
//!
//! Nothing is allocated on the word of a count in the file, and bad input is a [`MeshError`] that
//! names the file, the place and the way out.

mod error;
pub mod gltf;
pub mod obj;
pub mod ply;
mod polygon;
mod soup;
pub mod stl;

use std::ops::Range;
use std::path::Path;

use drystone_geometry::TriMesh;

pub use error::{MeshError, Place};

/// What a mesh file holds: one mesh, and which runs of its triangles the file gave a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFile {
    /// All parts together, in the coordinates of the file.
    pub mesh: TriMesh,
    /// The named parts, in file order; they do not overlap and together they are the whole mesh.
    pub parts: Vec<MeshPart>,
}

/// A named run of triangles of a [`MeshFile`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshPart {
    /// The name the file gives, or an empty string.
    pub name: String,
    /// The triangles of the part in [`MeshFile::mesh`].
    pub triangles: Range<usize>,
}

impl MeshFile {
    /// The triangles of every part called `name` with just the vertices they use, or `None` if there
    /// is no such part.
    pub fn part(&self, name: &str) -> Option<TriMesh> {
        let mut triangles = Vec::new();
        for part in self.parts.iter().filter(|part| part.name == name) {
            triangles.extend_from_slice(self.mesh.triangles.get(part.triangles.clone())?);
        }
        (!triangles.is_empty()).then(|| soup::compacted(&self.mesh.vertices, &triangles))
    }
}

/// The formats this module reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// Stereolithography, text or binary.
    Stl,
    /// Polygon file format, text or binary.
    Ply,
    /// glTF 2.0, `.gltf` or `.glb`.
    Gltf,
}

impl MeshFormat {
    /// Extensions that are understood, for messages.
    pub const EXTENSIONS: &'static str = ".obj, .stl, .ply, .gltf, .glb";

    /// The format a path's extension asks for.
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// Reads a mesh file; the extension says in which format.
pub fn read(path: &Path) -> Result<MeshFile, MeshError> {
    let fail = |error: MeshError| error.in_file(path);
    let format = MeshFormat::from_path(path).ok_or_else(|| {
        fail(MeshError::new(
            "the extension does not name a mesh format",
            format!("use one of {}", MeshFormat::EXTENSIONS),
        ))
    })?;
    let bytes = read_bytes(path).map_err(fail)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&bytes, format, &|uri| read_bytes(&folder.join(uri))).map_err(fail)
}

/// Reads a mesh from memory. `resolve` fetches the buffers a `.gltf` keeps in files of their own, by
/// the relative path it states; the other formats never call it.
pub fn parse(
    bytes: &[u8],
    format: MeshFormat,
    resolve: &dyn Fn(&str) -> Result<Vec<u8>, MeshError>,
) -> Result<MeshFile, MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::new("the file is empty", "export the mesh again"));
    }
    match format {
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Stl => stl::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Gltf => gltf::parse(bytes, resolve),
    }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshError> {
    std::fs::read(path).map_err(|error| {
        let help = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path; it is relative to the file that names it",
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file",
            _ => "name a readable mesh file, not a folder or a device",
        };
        MeshError::new(format!("cannot read `{}`: {error}", path.display()), help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_extension_lists_the_known_ones() {
        let error = read(Path::new("folder/model.step")).unwrap_err().to_string();
        assert!(error.starts_with("folder/model.step: "), "{error}");
        assert!(error.contains(".obj, .stl, .ply, .gltf, .glb"), "{error}");
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        let error = read(Path::new("no/such/file.obj")).unwrap_err().to_string();
        assert!(error.contains("no/such/file.obj") && error.contains("check the path"), "{error}");
        let folder = std::env::temp_dir().join("drystone-io-folder.stl");
        std::fs::create_dir_all(&folder).unwrap();
        let error = read(&folder).unwrap_err().to_string();
        assert!(error.contains("not a folder"), "{error}");
    }

    #[test]
    fn empty_files_are_refused_in_every_format() {
        for format in [MeshFormat::Obj, MeshFormat::Stl, MeshFormat::Ply, MeshFormat::Gltf] {
            let error = parse(b"", format, &|_| unreachable!()).unwrap_err().to_string();
            assert!(error.contains("empty"), "{error}");
        }
    }
}
