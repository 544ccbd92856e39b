//! Wavefront OBJ: positions, polygons, objects and groups. Normals, texture coordinates, materials,
//! lines and free-form surfaces are passed over.

use super::MeshFile;
use super::error::{MeshError, Place};
use super::soup::{PolygonSoup, finite};

use glamx::DVec3;

/// Reads an OBJ file.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let text = String::from_utf8_lossy(bytes);
    let mut soup = PolygonSoup::default();
    let mut lines = text.lines().enumerate();
    let mut joined = String::new();
    while let Some((k, line)) = lines.next() {
        let place = Place::Line(k + 1);
        // A backslash at the end of a line continues the statement on the next one.
        let statement = if let Some(head) = line.trim_end().strip_suffix('\\') {
            joined.clear();
            joined.push_str(head);
            for (_, next) in lines.by_ref() {
                joined.push(' ');
                match next.trim_end().strip_suffix('\\') {
                    Some(head) => joined.push_str(head),
                    None => {
                        joined.push_str(next);
                        break;
                    }
                }
            }
            joined.as_str()
        } else {
            line
        };
        read_statement(statement, place, &mut soup)?;
    }
    soup.finish()
}

fn read_statement(statement: &str, place: Place, soup: &mut PolygonSoup) -> Result<(), MeshError> {
    let content = statement.split('#').next().unwrap_or_default();
    let mut word = content.split_ascii_whitespace();
    match word.next() {
        Some("v") => soup.vertices.push(vertex(&mut word, &place)?),
        Some("f" | "fo") => {
            for corner in word {
                let vertex = index(corner, soup.vertices.len(), &place)?;
                soup.push_corner(vertex);
            }
            soup.end_polygon(place)?;
        }
        Some("o" | "g") => soup.begin_part(word.collect::<Vec<_>>().join(" ").as_str()),
        _ => {}
    }
    Ok(())
}

fn vertex<'a>(word: &mut impl Iterator<Item = &'a str>, place: &Place) -> Result<DVec3, MeshError> {
    let mut xyz = [0.0; 3];
    for value in &mut xyz {
        let token = word.next().ok_or_else(|| {
            MeshError::new("a vertex needs three coordinates", "the line is cut short; export the mesh again")
                .at(place.clone())
        })?;
        let number = token.parse::<f64>().map_err(|_| {
            MeshError::new(format!("`{token}` is not a number"), "write coordinates like `v 0.5 -1 2e-3`")
                .at(place.clone())
        })?;
        *value = finite(number, || place.clone())?;
    }
    Ok(DVec3::from_array(xyz))
}

/// The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`: counted from 1, or back from the last
/// vertex so far when negative.
fn index(corner: &str, vertex_count: usize, place: &Place) -> Result<u64, MeshError> {
    let refuse = |message: String| {
        MeshError::new(message, "corners are vertex numbers counted from 1, like `f 1 2 3` or `f 1/1 2/2 3/3`")
            .at(place.clone())
    };
    let token = corner.split('/').next().unwrap_or_default();
    match token.parse::<i64>() {
        Ok(number) if number > 0 => Ok(number as u64 - 1),
        Ok(0) => Err(refuse("a face uses vertex number 0".into())),
        Ok(number) => (vertex_count as u64).checked_sub(number.unsigned_abs()).ok_or_else(|| {
            refuse(format!("a face reaches {number} back, but only {vertex_count} vertices precede it"))
        }),
        Err(_) => Err(refuse(format!("`{corner}` is not a corner of a face"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

    fn refusal(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn reads_positions_and_triangles_as_they_stand() {
        let file = parse(TETRAHEDRON.as_bytes()).unwrap();
        assert_eq!(file.mesh.vertices.len(), 4);
        assert_eq!(file.mesh.triangles, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]);
        assert_eq!(file.mesh.vertices[1], DVec3::X);
        assert_eq!(file.parts.len(), 1);
    }

    #[test]
    fn understands_every_form_of_a_corner_and_cuts_quads() {
        let text = "v 0 0 0 1 0.5 0.5\nv 1 0 0\nv 1 1 0\nv 0 1 0 # last\nvt 0 0\nvn 0 0 1\n\
                    f 1/1 2/1/1 3//1 \\\n 4\nf -4 -2 -1\n";
        let file = parse(text.as_bytes()).unwrap();
        assert_eq!(file.mesh.triangles.len(), 3);
        assert_eq!(file.mesh.triangles[2], [0, 2, 3]);
    }

    #[test]
    fn objects_and_groups_are_parts_that_share_vertices() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no left side\nf 1 2 3\no empty\ng right\nf 2 4 3\n";
        let file = parse(text.as_bytes()).unwrap();
        let names: Vec<&str> = file.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["left side", "right"]);
        assert_eq!(file.mesh.vertices.len(), 4);
        let right = file.part("right").unwrap();
        assert_eq!((right.vertices.len(), right.triangles.len()), (3, 1));
        assert_eq!(right.vertices[2], DVec3::new(1.0, 1.0, 0.0));
        assert!(file.part("middle").is_none());
    }

    #[test]
    fn faults_name_line_and_way_out() {
        for (text, expected) in [
            ("v 0 0\n", "line 1: a vertex needs three coordinates"),
            ("v 0 0 0\nv 0 x 0\n", "line 2: `x` is not a number"),
            ("v 0 0 nan\n", "line 1: a coordinate is NaN"),
            ("v 0 0 1e999\n", "line 1: a coordinate is inf"),
            ("v 0 0 0\n\nf 1 2\n", "line 3: a face needs at least 3 corners"),
            ("v 0 0 0\nf 1 2 9999999999999\n", "line 2: a face uses vertex number 2, but there are 1"),
            ("v 0 0 0\nf 1 0 1\n", "line 2: a face uses vertex number 0"),
            ("v 0 0 0\nf 1 -2 1\n", "line 2: a face reaches -2 back"),
            ("v 0 0 0\nf 1 a 1\n", "line 2: `a` is not a corner"),
            ("v 0 0 0\n# nothing else\n", "no faces"),
            ("v 0 0 0\nv 1 0 0\nf 1 2 1\n", "no faces"),
            ("\u{0}\u{1}\u{2}", "no faces"),
        ] {
            let error = refusal(text);
            assert!(error.contains(expected), "{text:?} gave {error}");
            assert!(error.contains("; "), "{error} has no way out");
        }
    }

    #[test]
    fn absurd_polygons_are_refused_before_they_cost_time() {
        let mut text = String::from("v 0 0 0\nf");
        text.push_str(&" 1".repeat(100_000));
        assert!(refusal(&text).contains("triangulate the mesh"));
    }
}
