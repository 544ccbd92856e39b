//! MuJoCo's own binary meshes: four counts, then vertices, normals, texture coordinates and faces.

use std::path::Path;

use drystone_geometry::TriMesh;
use drystone_model::DVec3;

/// Reads a `.msh` file, or says what is wrong and what to do.
pub(super) fn read(path: &Path) -> Result<TriMesh, (String, String)> {
    let bytes = std::fs::read(path);
    let mesh = bytes.map_err(|error| format!("cannot read it: {error}")).and_then(|bytes| parse(&bytes));
    mesh.map_err(|problem| {
        (format!("`{}`: {problem}", path.display()), "check the path, or export the mesh as .obj".into())
    })
}

fn parse(bytes: &[u8]) -> Result<TriMesh, String> {
    let words: Vec<[u8; 4]> = bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]).collect();
    let count = |index: usize| words.get(index).and_then(|word| usize::try_from(i32::from_le_bytes(*word)).ok());
    let [Some(vertices), Some(normals), Some(coordinates), Some(faces)] = [0, 1, 2, 3].map(count) else {
        return Err("the counts at its beginning are damaged".into());
    };
    let [corners, skipped, indices] = [3 * vertices, 3 * normals + 2 * coordinates, 3 * faces];
    let expected = 4 + corners + skipped + indices;
    if words.len() != expected || !bytes.len().is_multiple_of(4) {
        return Err(format!("it should have {} bytes by its counts and has {}", 4 * expected, bytes.len()));
    }
    let (numbers, rest) = words[4..].split_at(corners);
    let real = |word: [u8; 4]| f64::from(f32::from_le_bytes(word));
    let vertices: Vec<DVec3> =
        numbers.chunks_exact(3).map(|at| DVec3::new(real(at[0]), real(at[1]), real(at[2]))).collect();
    if !vertices.iter().all(|vertex| vertex.is_finite()) {
        return Err("a coordinate is not a finite number".into());
    }
    let triangles: Vec<[u32; 3]> =
        rest[skipped..].chunks_exact(3).map(|face| [0, 1, 2].map(|corner| u32::from_le_bytes(face[corner]))).collect();
    if triangles.iter().flatten().any(|&corner| corner as usize >= vertices.len()) {
        return Err("a face names a vertex that is not there".into());
    }
    Ok(TriMesh { vertices, triangles })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(counts: [i32; 4], numbers: &[f32], faces: &[u32]) -> Vec<u8> {
        let mut bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(faces.iter().flat_map(|corner| corner.to_le_bytes()));
        bytes
    }

    #[test]
    fn vertices_and_faces_are_read_and_normals_skipped() {
        let numbers = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 9.0, 9.0, 9.0, 7.0, 7.0];
        let mesh = parse(&file([3, 1, 1, 1], &numbers, &[0, 1, 2])).unwrap();
        assert_eq!((mesh.vertices[1], mesh.triangles.as_slice()), (DVec3::X, &[[0, 1, 2]][..]));
    }

    #[test]
    fn damaged_files_are_refused() {
        let numbers = [0.0; 9];
        assert!(parse(&file([3, 0, 0, 1], &numbers, &[0, 1, 3])).unwrap_err().contains("not there"));
        assert!(parse(&file([3, 0, 0, 2], &numbers, &[0, 1, 2])).unwrap_err().contains("bytes by its counts"));
        assert!(parse(&file([-3, 0, 0, 1], &numbers, &[0, 1, 2])).unwrap_err().contains("damaged"));
        assert!(parse(&file([i32::MAX; 4], &[], &[])).is_err());
        assert!(parse(b"abc").is_err());
    }
}
