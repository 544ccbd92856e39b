//! Polygon file format, text and binary of either byte order, by the crate `ply-rs-bw`. Reads vertices and faces; every
//! other element and property is stepped over.

use glamx::DVec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType};

use super::MeshFile;
use super::error::{MeshError, Place};
use super::soup::{PolygonSoup, finite};

/// Names under which exporters list the corners of a face.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];
const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads a PLY file.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let mut reader = Reader::new(bytes);
    let header = Parser::<Row>::new().read_header(&mut reader).map_err(|error| fault(&error))?;
    let mut soup = PolygonSoup::default();
    for element in header.elements.values() {
        check(element)?;
        // Without properties there is nothing to read, whatever the count claims.
        if element.properties.is_empty() {
            continue;
        }
        let first_line = reader.line().max(1);
        let rows = Parser::<Row>::new().read_payload_for_element(&mut reader, element, &header);
        let rows = rows.map_err(|error| fault(&error))?;
        for (k, row) in rows.into_iter().enumerate() {
            let place = || place(&header, element, first_line, k);
            match element.name.as_str() {
                "vertex" => soup.vertices.push(row.position(place)?),
                "face" => row.add_face(&mut soup, place())?,
                _ => {}
            }
        }
    }
    soup.finish()
}

/// Refuses vertices without positions and faces without corners.
fn check(element: &ElementDef) -> Result<(), MeshError> {
    let at = || Place::Item(format!("element {}", element.name));
    let is_list = |name: &str| {
        element.properties.get(name).is_some_and(|property| matches!(property.data_type, PropertyType::List(..)))
    };
    if element.name == "vertex" && AXES.iter().any(|&axis| !element.properties.contains_key(axis)) {
        return Err(MeshError::new("the vertices have no x, y and z", "export positions with the mesh").at(at()));
    }
    if element.name == "face" && element.count > 0 && !CORNERS.iter().any(|&name| is_list(name)) {
        let message = "the faces have no list `vertex_indices`";
        return Err(MeshError::new(message, "export polygons, not triangle strips").at(at()));
    }
    Ok(())
}

/// Where row `k` of an element stands: its line, or its number where there are no lines.
fn place(header: &Header, element: &ElementDef, first_line: usize, k: usize) -> Place {
    match header.encoding {
        Encoding::Ascii => Place::Line(first_line + k),
        _ => Place::Item(format!("{}[{k}]", element.name)),
    }
}

/// What the reader says, on one line, with the way out.
fn fault(error: &ParseError) -> MeshError {
    let text = error.to_string();
    let said = text.split_once(": ").filter(|_| error.line().is_some()).map_or(text.as_str(), |(_, rest)| rest);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = "check that it is a whole PLY file, or export the mesh again";
    let refused = MeshError::new(format!("the file is not a readable PLY: {said}"), help);
    match error.line() {
        Some(line) => refused.at(Place::Line(line)),
        None => refused,
    }
}

/// What is read of a row of any element.
#[derive(Default)]
struct Row {
    position: [f64; 3],
    corners: Vec<f64>,
}

impl Row {
    fn position(&self, place: impl Fn() -> Place) -> Result<DVec3, MeshError> {
        self.position.iter().try_for_each(|&value| finite(value, &place).map(drop))?;
        Ok(DVec3::from_array(self.position))
    }

    fn add_face(&self, soup: &mut PolygonSoup, place: Place) -> Result<(), MeshError> {
        for &corner in &self.corners {
            soup.push_corner(vertex_number(corner, &place)?);
        }
        soup.end_polygon(place)
    }
}

impl PropertyAccess for Row {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let axis = AXES.iter().position(|&axis| axis == name);
        match (axis, numbers(property)) {
            (Some(axis), Numbers::One(value)) => self.position[axis] = value,
            (None, Numbers::Many(values)) if CORNERS.contains(&name) => self.corners = values,
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

/// Numbers of any type.
enum Numbers {
    One(f64),
    Many(Vec<f64>),
}

fn numbers(property: Property) -> Numbers {
    fn many<T: Into<f64>>(values: Vec<T>) -> Numbers {
        Numbers::Many(values.into_iter().map(Into::into).collect())
    }
    match property {
        Property::Char(value) => Numbers::One(value.into()),
        Property::UChar(value) => Numbers::One(value.into()),
        Property::Short(value) => Numbers::One(value.into()),
        Property::UShort(value) => Numbers::One(value.into()),
        Property::Int(value) => Numbers::One(value.into()),
        Property::UInt(value) => Numbers::One(value.into()),
        Property::Float(value) => Numbers::One(value.into()),
        Property::Double(value) => Numbers::One(value),
        Property::ListChar(values) => many(values),
        Property::ListUChar(values) => many(values),
        Property::ListShort(values) => many(values),
        Property::ListUShort(values) => many(values),
        Property::ListInt(values) => many(values),
        Property::ListUInt(values) => many(values),
        Property::ListFloat(values) => many(values),
        Property::ListDouble(values) => Numbers::Many(values),
    }
}

/// A vertex number: whole and not negative.
fn vertex_number(value: f64, place: &Place) -> Result<u64, MeshError> {
    if value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
        return Ok(value as u64);
    }
    let message = format!("{value} is no vertex number");
    Err(MeshError::new(message, "export the mesh again; the file is damaged").at(place.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "comment made by hand\nelement vertex 4\nproperty float x\nproperty uchar grey\n\
        property float y\nproperty double z\nelement extra 1\nproperty list uchar short stuff\n\
        element face 2\nproperty list uchar int vertex_indices\nend_header\n";
    const BODY: &str = "0 9 0 0\n1 9 0 0\n1 9 1 0\n0 9 1 0.5\n2 -7 8\n3 0 1 2\n4 0 1 2 3\n";

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
            ("hello\n".into(), "line 1: the file is not a readable PLY"),
            (change("ascii", "morse"), "line 2: the file is not a readable PLY"),
            (change("format ascii 1.0\n", ""), "not a readable PLY"),
            (change("element vertex 4", "element vertex -4"), "line 4: the file is not a readable PLY"),
            (change("float y", "real y"), "line 7: the file is not a readable PLY"),
            (change("float y", "float"), "line 7: the file is not a readable PLY"),
            (change("property float x", "property float u"), "element vertex: the vertices have no x, y and z"),
            (change("vertex_indices", "corners"), "the faces have no list `vertex_indices`"),
            (change("element vertex 4", "element vertex 4000000000000"), "line 18: the file is not a readable PLY"),
            (change("1 9 1 0\n", "1 9 nan 0\n"), "line 16: the file is not a readable PLY"),
            (change("1 9 1 0\n", "1 9 one 0\n"), "line 16: the file is not a readable PLY"),
            (change("3 0 1 2", "3 0 1 7"), "line 19: a face uses vertex number 8, but there are 4"),
            (change("3 0 1 2", "3 0 1 -2"), "line 19: -2 is no vertex number"),
            (change("3 0 1 2", "2 0 1"), "line 19: a face needs at least 3 corners"),
            (change("3 0 1 2", "99999999 0 1 2"), "not a readable PLY"),
            ("ply\nformat ascii 1.0\nelement vertex 99999999999999\nend_header\n".into(), "no x, y and z"),
            ("ply\nformat ascii 1.0\nelement thing 99999999999999999\nend_header\n".into(), "no faces"),
            ("ply\nformat ascii 1.0\nproperty float x\nend_header\n".into(), "line 3: the file is not a readable PLY"),
            ("ply\nformat ascii 1.0\n".into(), "not a readable PLY"),
        ] {
            let error = parse(str::as_bytes(&input)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error} instead of {expected}");
            assert!(error.contains("; "), "{error}");
        }
    }
}
