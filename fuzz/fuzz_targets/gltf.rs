//! Any bytes as glTF: a mesh whose indices are in range, or an error. Buffers in files of their own are
//! made of the input itself, so that text files reach the accessors too.
#![no_main]

use drystone_io::mesh::{self, MeshFormat};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let own_bytes = |_: &str| Ok(bytes.to_vec());
    if let Ok(file) = mesh::parse(bytes, MeshFormat::Gltf, &own_bytes) {
        file.mesh.check_indices().expect("what is read is sound");
    }
});
