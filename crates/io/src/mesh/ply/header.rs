//! The text every PLY file begins with: how the data are written and what they are.

use super::super::error::{MeshError, Place};

/// How the data after the header are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A number type; the variants are named by size in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// One number, or a count and as many numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Scalar(Scalar),
    List(Scalar, Scalar),
}

#[derive(Debug)]
pub struct Property {
    pub name: String,
    pub kind: Kind,
}

/// A table of the file: so many rows of these properties.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
    /// Line of the header that announces it.
    pub line: usize,
}

#[derive(Debug)]
pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Bytes of the header, its last line end included.
    pub length: usize,
    /// Lines of the header.
    pub lines: usize,
}

impl Header {
    pub fn parse(bytes: &[u8]) -> Result<Self, MeshError> {
        let mut encoding = None;
        let mut elements = Vec::new();
        let (mut length, mut lines) = (0, 0);
        for raw in bytes.split_inclusive(|&byte| byte == b'\n') {
            length += raw.len();
            lines += 1;
            let text = String::from_utf8_lossy(raw);
            let word: Vec<&str> = text.split_ascii_whitespace().collect();
            if lines == 1 && word != ["ply"] {
                return Err(fault(lines, "a PLY file begins with the word `ply`", "check that it is a PLY file"));
            }
            match word.as_slice() {
                ["end_header"] => {
                    let encoding = encoding.ok_or_else(|| {
                        fault(lines, "the header has no `format` line", "add a line like `format ascii 1.0`")
                    })?;
                    return Ok(Self { encoding, elements, length, lines });
                }
                ["format", name, ..] => encoding = Some(parse_encoding(name, lines)?),
                ["element", rest @ ..] => elements.push(parse_element(rest, lines)?),
                ["property", rest @ ..] => {
                    let property = parse_property(rest, lines)?;
                    let element: &mut Element = elements.last_mut().ok_or_else(|| {
                        fault(lines, "a property needs an element before it", "add a line like `element vertex 8`")
                    })?;
                    element.properties.push(property);
                }
                _ => {}
            }
        }
        Err(fault(lines, "the header has no `end_header`", "the file is cut short; export the mesh again"))
    }
}

fn parse_encoding(name: &str, line: usize) -> Result<Encoding, MeshError> {
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::LittleEndian),
        "binary_big_endian" => Ok(Encoding::BigEndian),
        other => Err(fault(
            line,
            format!("`{other}` is not an encoding"),
            "use ascii, binary_little_endian or binary_big_endian",
        )),
    }
}

fn parse_element(word: &[&str], line: usize) -> Result<Element, MeshError> {
    let [name, count] = word else {
        return Err(fault(line, "an element line reads `element name count`", "export the mesh again"));
    };
    let count = count.parse().map_err(|_| {
        fault(line, format!("`{count}` is not a count"), "write a whole number like `element vertex 8`")
    })?;
    Ok(Element { name: (*name).to_owned(), count, properties: Vec::new(), line })
}

fn parse_property(word: &[&str], line: usize) -> Result<Property, MeshError> {
    let (kind, name) = match word {
        ["list", count, item, name] => (Kind::List(parse_scalar(count, line)?, parse_scalar(item, line)?), name),
        [scalar, name] => (Kind::Scalar(parse_scalar(scalar, line)?), name),
        _ => {
            let message = "a property line reads `property type name` or `property list type type name`";
            return Err(fault(line, message, "export the mesh again"));
        }
    };
    Ok(Property { name: (*name).to_owned(), kind })
}

fn parse_scalar(name: &str, line: usize) -> Result<Scalar, MeshError> {
    Ok(match name {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        other => {
            let message = format!("`{other}` is not a number type");
            return Err(fault(line, message, "use char, uchar, short, ushort, int, uint, float or double"));
        }
    })
}

fn fault(line: usize, message: impl Into<String>, help: &str) -> MeshError {
    MeshError::new(message, help).at(Place::Line(line))
}
