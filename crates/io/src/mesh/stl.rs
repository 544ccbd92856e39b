//! Stereolithography, text and binary. A file is a bag of separate triangles: equal corners are
//! welded so that the surface closes. Normals and attributes are passed over, as the winding says
//! the same and is more often right.

use super::error::{MeshError, Place};
use super::soup::{Welder, file_of, finite, is_proper};
use super::{MeshFile, MeshPart};

use glamx::DVec3;

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads an STL file. Binary files may begin with the word of the text ones, so the size decides
/// first and the word second.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let starts_as_text = bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let count = bytes.get(80..HEADER).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let exact = count.is_some_and(|count| bytes.len() as u64 == HEADER as u64 + RECORD as u64 * u64::from(count));
    if starts_as_text && !exact {
        return parse_text(bytes);
    }
    let Some(count) = count else {
        let message = format!("a binary STL starts with {HEADER} bytes, this file has {}", bytes.len());
        return Err(MeshError::new(message, "the file is cut short; export the mesh again"));
    };
    parse_binary(bytes, count)
}

#[derive(Default)]
struct Triangles {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    welder: Welder,
}

impl Triangles {
    fn push(&mut self, corners: [DVec3; 3]) -> Result<(), MeshError> {
        let mut triangle = [0; 3];
        for (index, corner) in triangle.iter_mut().zip(corners) {
            *index = self.welder.index(corner, &mut self.vertices)?;
        }
        if is_proper(&triangle) {
            self.triangles.push(triangle);
        }
        Ok(())
    }
}

fn parse_binary(bytes: &[u8], count: u32) -> Result<MeshFile, MeshError> {
    let mut out = Triangles::default();
    let records = bytes.get(HEADER..).unwrap_or_default();
    let whole = records.len() / RECORD;
    if (whole as u64) < u64::from(count) {
        let message = format!("the file announces {count} triangles but holds {whole}");
        let place = Place::Offset(HEADER + whole * RECORD);
        return Err(MeshError::new(message, "the file is cut short; export the mesh again").at(place));
    }
    for (k, record) in records.chunks_exact(RECORD).take(count as usize).enumerate() {
        let mut corners = [DVec3::ZERO; 3];
        // Twelve bytes of normal come before the corners.
        for (c, corner) in corners.iter_mut().enumerate() {
            for axis in 0..3 {
                let at = 12 + 12 * c + 4 * axis;
                let value = f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
                corner[axis] = finite(f64::from(value), || Place::Offset(HEADER + k * RECORD + at))?;
            }
        }
        out.push(corners)?;
    }
    file_of(out.vertices, out.triangles, Vec::new())
}

fn parse_text(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let text = String::from_utf8_lossy(bytes);
    let mut out = Triangles::default();
    let mut parts: Vec<MeshPart> = Vec::new();
    let mut corners: Vec<DVec3> = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let place = || Place::Line(k + 1);
        let mut word = line.split_ascii_whitespace();
        match word.next().map(str::to_ascii_lowercase).as_deref() {
            Some("solid") => {
                let name = word.collect::<Vec<_>>().join(" ");
                parts.push(MeshPart { name, triangles: out.triangles.len()..out.triangles.len() });
            }
            Some("vertex") => corners.push(text_vertex(&mut word, place)?),
            Some("endloop") => {
                let found = corners.len();
                let corners: [DVec3; 3] = std::mem::take(&mut corners).try_into().map_err(|_| {
                    MeshError::new(format!("a facet has {found} vertices instead of 3"), "triangulate and export again")
                        .at(place())
                })?;
                out.push(corners)?;
            }
            Some("endsolid") => close_part(&mut parts, out.triangles.len()),
            Some("facet" | "outer" | "endfacet") | None => {}
            Some(other) => {
                let message = format!("`{}` is no word of a text STL", other.chars().take(40).collect::<String>());
                return Err(MeshError::new(message, "export the mesh again, as binary STL if possible").at(place()));
            }
        }
    }
    if !corners.is_empty() {
        let message = "the last facet is not finished";
        return Err(MeshError::new(message, "the file is cut short; export the mesh again")
            .at(Place::Line(text.lines().count())));
    }
    close_part(&mut parts, out.triangles.len());
    parts.retain(|part| part.triangles.start < part.triangles.end);
    file_of(out.vertices, out.triangles, parts)
}

fn close_part(parts: &mut [MeshPart], end: usize) {
    if let Some(part) = parts.last_mut() {
        part.triangles.end = end;
    }
}

fn text_vertex<'a>(word: &mut impl Iterator<Item = &'a str>, place: impl Fn() -> Place) -> Result<DVec3, MeshError> {
    let mut xyz = [0.0; 3];
    for value in &mut xyz {
        let token = word.next().unwrap_or_default();
        let number = token.parse::<f64>().map_err(|_| {
            MeshError::new(format!("`{token}` is not a number"), "a vertex line reads `vertex x y z`").at(place())
        })?;
        *value = finite(number, &place)?;
    }
    Ok(DVec3::from_array(xyz))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, 1.0]];
    const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    fn binary(header: &[u8]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(80, b' ');
        bytes.extend((FACES.len() as u32).to_le_bytes());
        for face in FACES {
            bytes.extend([0; 12]);
            for corner in face {
                bytes.extend(CORNERS[corner].iter().flat_map(|value| value.to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    fn text() -> String {
        let mut text = String::from("solid corner\n");
        for face in FACES {
            text.push_str("facet normal 0 0 0\nouter loop\n");
            for [x, y, z] in face.map(|corner| CORNERS[corner]) {
                text.push_str(&format!("vertex {x} {y} {z}\n"));
            }
            text.push_str("endloop\nendfacet\n");
        }
        text + "endsolid corner\n"
    }

    #[test]
    fn text_and_binary_give_the_same_welded_mesh() {
        let from_text = parse(text().as_bytes()).unwrap();
        let from_binary = parse(&binary(b"any header")).unwrap();
        assert_eq!(from_text.mesh, from_binary.mesh);
        assert_eq!((from_text.mesh.vertices.len(), from_text.mesh.triangles.len()), (4, 4));
        assert_eq!(from_text.parts[0].name, "corner");
    }

    #[test]
    fn a_binary_file_may_begin_like_a_text_one() {
        assert_eq!(parse(&binary(b"solid but binary")).unwrap().mesh.triangles.len(), 4);
    }

    #[test]
    fn faults_name_place_and_way_out() {
        let mut cut = binary(b"");
        cut.truncate(84 + 120);
        let mut nan = binary(b"");
        nan[84 + 50 + 16..84 + 50 + 20].copy_from_slice(&f32::NAN.to_le_bytes());
        let mut huge = binary(b"");
        huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        let cut_text = text().replace("endloop\nendfacet\nendsolid corner\n", "");
        let wrong_text = text().replacen("vertex 1 0 0", "vertex 1 O 0", 1);
        let inf_text = text().replacen("vertex 1 0 0", "vertex inf 0 0", 1);
        let quad_text = text().replacen("endloop", "vertex 5 5 5\nendloop", 1);
        for (bytes, expected) in [
            (&b"short"[..], "starts with 84 bytes"),
            (&cut, "byte 184: the file announces 4 triangles but holds 2"),
            (&nan, "byte 150: a coordinate is NaN"),
            (&huge, "announces 4294967295 triangles but holds 4"),
            (b"solid nothing\nendsolid nothing\n", "no faces"),
            (b"solid x\nhello world\n", "line 2: `hello` is no word"),
            (cut_text.as_bytes(), "the last facet is not finished"),
            (wrong_text.as_bytes(), "`O` is not a number"),
            (inf_text.as_bytes(), "a coordinate is inf"),
            (quad_text.as_bytes(), "a facet has 4 vertices"),
        ] {
            let error = parse(bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("; "), "{error}");
        }
    }
}
