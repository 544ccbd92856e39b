//! Polygon file format, text and binary of either byte order. Reads vertices and faces; every other
//! element and property is stepped over.

mod body;
mod header;

use super::MeshFile;
use super::error::{MeshError, Place};
use super::soup::{PolygonSoup, finite};

use body::{BinaryBody, Body, TextBody};
use glamx::DVec3;
use header::{Element, Encoding, Header, Kind};

/// Reads a PLY file.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let header = Header::parse(bytes)?;
    let data = bytes.get(header.length..).unwrap_or_default();
    match header.encoding {
        Encoding::Text => read_elements(&header, TextBody::new(data, header.lines)),
        Encoding::LittleEndian => read_elements(&header, BinaryBody::new(data, header.length, true)),
        Encoding::BigEndian => read_elements(&header, BinaryBody::new(data, header.length, false)),
    }
}

fn read_elements(header: &Header, mut body: impl Body) -> Result<MeshFile, MeshError> {
    let mut soup = PolygonSoup::default();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut body, &mut soup)?,
            "face" => read_faces(element, &mut body, &mut soup)?,
            _ => skip(element, &mut body)?,
        }
    }
    soup.finish()
}

fn read_vertices(element: &Element, body: &mut impl Body, soup: &mut PolygonSoup) -> Result<(), MeshError> {
    let axis: Vec<Option<usize>> = element
        .properties
        .iter()
        .map(|property| ["x", "y", "z"].iter().position(|name| property.name == *name))
        .collect();
    if (0..3).any(|k| !axis.contains(&Some(k))) {
        let message = "the vertices have no x, y and z";
        return Err(MeshError::new(message, "export positions with the mesh").at(Place::Line(element.line)));
    }
    for _ in 0..element.count {
        let mut xyz = [0.0; 3];
        for (property, axis) in element.properties.iter().zip(&axis) {
            match (property.kind, axis) {
                (Kind::Scalar(scalar), Some(axis)) => {
                    let place = body.place();
                    xyz[*axis] = finite(body.number(scalar)?, || place)?;
                }
                (kind, _) => skip_property(kind, body)?,
            }
        }
        soup.vertices.push(DVec3::from_array(xyz));
    }
    Ok(())
}

fn read_faces(element: &Element, body: &mut impl Body, soup: &mut PolygonSoup) -> Result<(), MeshError> {
    let is_corners = |name: &str| name == "vertex_indices" || name == "vertex_index";
    if element.count > 0 && !element.properties.iter().any(|p| is_corners(&p.name) && matches!(p.kind, Kind::List(..)))
    {
        let message = "the faces have no list `vertex_indices`";
        return Err(MeshError::new(message, "export polygons, not triangle strips").at(Place::Line(element.line)));
    }
    for _ in 0..element.count {
        for property in &element.properties {
            match property.kind {
                Kind::List(count, item) if is_corners(&property.name) => {
                    let place = body.place();
                    for _ in 0..whole(body.number(count)?, &place)? {
                        let place = body.place();
                        soup.push_corner(whole(body.number(item)?, &place)?);
                    }
                    soup.end_polygon(place)?;
                }
                kind => skip_property(kind, body)?,
            }
        }
    }
    Ok(())
}

fn skip(element: &Element, body: &mut impl Body) -> Result<(), MeshError> {
    // Without properties there is nothing to step over, whatever the count claims.
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            skip_property(property.kind, body)?;
        }
    }
    Ok(())
}

fn skip_property(kind: Kind, body: &mut impl Body) -> Result<(), MeshError> {
    match kind {
        Kind::Scalar(scalar) => body.number(scalar).map(drop),
        Kind::List(count, item) => {
            let place = body.place();
            for _ in 0..whole(body.number(count)?, &place)? {
                body.number(item)?;
            }
            Ok(())
        }
    }
}

/// A count or an index: a whole number that is not negative.
fn whole(value: f64, place: &Place) -> Result<u64, MeshError> {
    if value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
        return Ok(value as u64);
    }
    let message = format!("{value} is neither a count nor a vertex number");
    Err(MeshError::new(message, "export the mesh again; the file is damaged").at(place.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "comment made by hand\nelement vertex 4\nproperty float x\nproperty uchar grey\n\
        property float y\nproperty double z\nelement extra 1\nproperty list uchar short stuff\n\
        element face 2\nproperty list uchar int vertex_indices\nend_header\n";
    const BODY: &str = "0 9 0 0\n1 9 0 0\n1 9 1 0\n0 9 1 0.5\n2 -7 8\n3 0 1 2\n4 0 1\n 2 3\n";

    fn text() -> String {
        format!("ply\nformat ascii 1.0\n{HEADER}{BODY}")
    }

    fn binary(little: bool) -> Vec<u8> {
        let order = if little { "little" } else { "big" };
        let mut bytes = format!("ply\r\nformat binary_{order}_endian 1.0\n{HEADER}").into_bytes();
        let mut put = |mut item: Vec<u8>| {
            if !little {
                item.reverse();
            }
            bytes.extend(item);
        };
        for [x, y, z] in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.5]] {
            put((x as f32).to_le_bytes().to_vec());
            put(vec![9]);
            put((y as f32).to_le_bytes().to_vec());
            put(f64::to_le_bytes(z).to_vec());
        }
        put(vec![2]);
        put((-7i16).to_le_bytes().to_vec());
        put(8i16.to_le_bytes().to_vec());
        for face in [&[0i32, 1, 2][..], &[0, 1, 2, 3]] {
            put(vec![face.len() as u8]);
            for corner in face {
                put(corner.to_le_bytes().to_vec());
            }
        }
        bytes
    }

    #[test]
    fn text_and_both_binary_orders_give_the_same_mesh() {
        let from_text = parse(text().as_bytes()).unwrap();
        assert_eq!((from_text.mesh.vertices.len(), from_text.mesh.triangles.len()), (4, 3));
        assert!(from_text.mesh.vertices.contains(&DVec3::new(0.0, 1.0, 0.5)));
        assert_eq!(parse(&binary(true)).unwrap(), from_text);
        assert_eq!(parse(&binary(false)).unwrap(), from_text);
    }

    #[test]
    fn every_truncation_is_an_error_not_a_panic() {
        for bytes in [text().trim_end().as_bytes(), &binary(true), &binary(false)] {
            for length in 0..bytes.len() {
                // Cutting digits off the last number of a text file may leave a valid file.
                if length + 1 < bytes.len() {
                    assert!(parse(&bytes[..length]).is_err(), "{length} of {}", bytes.len());
                }
            }
        }
    }

    #[test]
    fn faults_name_place_and_way_out() {
        let change = |from: &str, to: &str| text().replacen(from, to, 1);
        for (input, expected) in [
            ("hello\n".into(), "line 1: a PLY file begins with the word `ply`"),
            (change("ascii", "morse"), "line 2: `morse` is not an encoding"),
            (change("format ascii 1.0\n", ""), "no `format` line"),
            (change("element vertex 4", "element vertex -4"), "line 4: `-4` is not a count"),
            (change("float y", "real y"), "line 7: `real` is not a number type"),
            (change("float y", "float"), "line 7: a property line reads"),
            (change("property float x", "property float u"), "line 4: the vertices have no x, y and z"),
            (change("vertex_indices", "corners"), "the faces have no list `vertex_indices`"),
            (change("element vertex 4", "element vertex 4000000000000"), "ends"),
            (change("1 9 1 0\n", "1 9 nan 0\n"), "line 16: a coordinate is NaN"),
            (change("1 9 1 0\n", "1 9 one 0\n"), "line 16: `one` is not a number"),
            (change("3 0 1 2", "3 0 1 7"), "line 19: a face uses vertex number 8, but there are 4"),
            (change("3 0 1 2", "3 0 1 -2"), "line 19: -2 is neither a count nor a vertex number"),
            (change("3 0 1 2", "2 0 1"), "line 19: a face needs at least 3 corners"),
            (change("3 0 1 2", "99999999 0 1 2"), "the file ends"),
            ("ply\nformat ascii 1.0\nelement vertex 99999999999999\nend_header\n".into(), "no x, y and z"),
            ("ply\nformat ascii 1.0\nelement thing 99999999999999999\nend_header\n".into(), "no faces"),
            ("ply\nformat ascii 1.0\nproperty float x\nend_header\n".into(), "line 3: a property needs an element"),
            ("ply\nformat ascii 1.0\n".into(), "no `end_header`"),
        ] {
            let error = parse(str::as_bytes(&input)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error} instead of {expected}");
            assert!(error.contains("; "), "{error}");
        }
    }
}
