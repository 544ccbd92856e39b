//! Any bytes as STL: a mesh whose indices are in range, or an error.
#![no_main]

use drystone_io::mesh::{self, MeshError, MeshFormat};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let no_files = |_: &str| Err(MeshError::new("no files here", "none"));
    if let Ok(file) = mesh::parse(bytes, MeshFormat::Stl, &no_files) {
        file.mesh.check_indices().expect("what is read is sound");
    }
});
