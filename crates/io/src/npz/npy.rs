//! One array in NumPy's `.npy` format: a short text header, then little-endian values in C order.

use std::io::{self, Write};

use super::NpzError;

/// Values of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Floating-point numbers.
    Float(Vec<f64>),
    /// Whole numbers.
    Int(Vec<i64>),
    /// Truth values.
    Bool(Vec<bool>),
    /// Texts.
    Text(Vec<String>),
}

/// An array of any shape; the last index runs fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Length of every dimension.
    pub shape: Vec<usize>,
    /// Values, as many as the product of the lengths.
    pub data: Data,
}

const MAGIC: &[u8] = b"\x93NUMPY";

impl Data {
    fn len(&self) -> usize {
        match self {
            Data::Float(v) => v.len(),
            Data::Int(v) => v.len(),
            Data::Bool(v) => v.len(),
            Data::Text(v) => v.len(),
        }
    }

    /// Writes the values one after the other.
    pub(crate) fn write(&self, sink: &mut impl Write) -> io::Result<()> {
        match self {
            Data::Float(values) => in_pieces(values, sink, |v, out| out.extend(v.to_le_bytes())),
            Data::Int(values) => in_pieces(values, sink, |v, out| out.extend(v.to_le_bytes())),
            Data::Bool(values) => in_pieces(values, sink, |v, out| out.push(u8::from(*v))),
            Data::Text(texts) => {
                let width = text_width(texts);
                in_pieces(texts, sink, |text, out| {
                    let end = out.len() + 4 * width;
                    out.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes()));
                    out.resize(end, 0);
                })
            }
        }
    }

    /// The type as NumPy spells it. Texts are as wide as the longest, in code points.
    fn descr(&self) -> String {
        match self {
            Data::Float(_) => "<f8".into(),
            Data::Int(_) => "<i8".into(),
            Data::Bool(_) => "|b1".into(),
            Data::Text(texts) => format!("<U{}", text_width(texts)),
        }
    }
}

/// NumPy has no zero-width text in files, hence at least one.
fn text_width(texts: &[String]) -> usize {
    texts.iter().map(|t| t.chars().count()).max().unwrap_or(0).max(1)
}

impl Array {
    /// An array.
    ///
    /// # Panics
    /// If the shape does not fit the number of values.
    pub fn new(shape: &[usize], data: Data) -> Self {
        assert_eq!(shape.iter().product::<usize>(), data.len(), "shape {shape:?}");
        Self { shape: shape.to_vec(), data }
    }

    /// Size of the file \[bytes\].
    pub(super) fn bytes(&self) -> u64 {
        let each = match &self.data {
            Data::Float(_) | Data::Int(_) => 8,
            Data::Bool(_) => 1,
            Data::Text(texts) => 4 * text_width(texts),
        };
        (self.data.len() * each) as u64 + 256
    }

    /// Writes the file.
    pub(super) fn write(&self, sink: &mut impl Write) -> io::Result<()> {
        sink.write_all(&header(&self.data.descr(), &self.shape))?;
        self.data.write(sink)
    }

    /// Reads an array; `name` is for the error.
    pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<Self, NpzError> {
        let bad = |reason: &str| NpzError::Array { name: name.into(), reason: reason.into() };
        let (header, body) = split_header(bytes).ok_or_else(|| bad("its header is broken"))?;
        let descr = field(header, "descr").ok_or_else(|| bad("its header has no type"))?;
        let descr = descr.trim_matches(|c| c == '\'' || c == '"');
        let order = field(header, "fortran_order").ok_or_else(|| bad("its header has no order"))?;
        if order != "False" {
            return Err(bad("it is in column-major order; save it with `numpy.ascontiguousarray`"));
        }
        let shape = shape(header).ok_or_else(|| bad("its header has no valid shape"))?;
        let count =
            shape.iter().try_fold(1usize, |n, &k| n.checked_mul(k)).ok_or_else(|| bad("its shape is too large"))?;
        let data = decode(descr, body).ok_or_else(|| bad(&format!("its type `{descr}` is not supported")))?;
        if data.len() != count {
            return Err(bad(&format!("it holds {} values where its shape {shape:?} asks for {count}", data.len())));
        }
        Ok(Self { shape, data })
    }
}

/// The type of values that are handed over as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawKind {
    /// Floating-point numbers of eight bytes.
    Float,
    /// Truth values.
    Bool,
}

impl RawKind {
    /// Bytes of a value.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Float => 8,
            Self::Bool => 1,
        }
    }

    pub(super) fn header(self, shape: &[usize]) -> Vec<u8> {
        header(if self == Self::Float { "<f8" } else { "|b1" }, shape)
    }
}

fn header(descr: &str, shape: &[usize]) -> Vec<u8> {
    let lengths: String = shape.iter().map(|n| format!("{n}, ")).collect();
    // A tuple of one needs its comma, longer ones may not end in ", " plus nothing: both are
    // fine in Python, so every length keeps its comma.
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}", lengths.trim_end());
    // Data start at a multiple of 64 bytes, as the format asks.
    let used = MAGIC.len() + 2 + 2 + text.len() + 1;
    text.push_str(&" ".repeat(used.next_multiple_of(64) - used));
    text.push('\n');
    let mut header = MAGIC.to_vec();
    header.extend([1, 0]);
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

/// Converts values and hands them on whenever some tens of kilobytes are full.
fn in_pieces<T>(values: &[T], sink: &mut impl Write, put: impl Fn(&T, &mut Vec<u8>)) -> io::Result<()> {
    let mut piece = Vec::with_capacity(1 << 16);
    for chunk in values.chunks(4096) {
        piece.clear();
        chunk.iter().for_each(|value| put(value, &mut piece));
        sink.write_all(&piece)?;
    }
    Ok(())
}

fn split_header(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, start) = match *rest.first()? {
        1 => (usize::from(u16::from_le_bytes(rest.get(2..4)?.try_into().ok()?)), 4),
        2 | 3 => (u32::from_le_bytes(rest.get(2..6)?.try_into().ok()?) as usize, 6),
        _ => return None,
    };
    let end = usize::checked_add(start, length)?;
    Some((std::str::from_utf8(rest.get(start..end)?).ok()?, &rest[end..]))
}

/// The text of an entry of the header's dictionary, up to the next comma.
fn field<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, after) = header.split_once(&format!("'{key}':"))?;
    Some(after[..after.find([',', '}'])?].trim())
}

fn shape(header: &str) -> Option<Vec<usize>> {
    let (_, after) = header.split_once("'shape':")?;
    let (inside, _) = after.split_once('(')?.1.split_once(')')?;
    inside.split(',').map(str::trim).filter(|s| !s.is_empty()).map(|s| s.parse().ok()).collect()
}

/// Values of the types NumPy commonly writes; narrower ones are widened.
fn decode(descr: &str, body: &[u8]) -> Option<Data> {
    fn each<const N: usize, T>(body: &[u8], read: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let (chunks, rest) = body.as_chunks::<N>();
        rest.is_empty().then(|| chunks.iter().map(|c| read(*c)).collect())
    }
    Some(match descr {
        "<f8" => Data::Float(each(body, f64::from_le_bytes)?),
        "<f4" => Data::Float(each(body, |b| f64::from(f32::from_le_bytes(b)))?),
        "<i8" => Data::Int(each(body, i64::from_le_bytes)?),
        "<i4" => Data::Int(each(body, |b| i64::from(i32::from_le_bytes(b)))?),
        "<u4" => Data::Int(each(body, |b| i64::from(u32::from_le_bytes(b)))?),
        "|u1" => Data::Int(body.iter().map(|&b| i64::from(b)).collect()),
        "|b1" => Data::Bool(body.iter().map(|&b| b != 0).collect()),
        _ => Data::Text(decode_text(descr.strip_prefix("<U")?.parse().ok()?, body)?),
    })
}

fn decode_text(width: usize, body: &[u8]) -> Option<Vec<String>> {
    let bytes = width.checked_mul(4).filter(|&n| n > 0)?;
    if !body.len().is_multiple_of(bytes) {
        return None;
    }
    let text = |chunk: &[u8]| {
        let (points, _) = chunk.as_chunks::<4>();
        let points = points.iter().map(|c| u32::from_le_bytes(*c)).take_while(|&c| c != 0);
        points.map(char::from_u32).collect::<Option<String>>()
    };
    body.chunks(bytes).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(array: &Array) -> Vec<u8> {
        let mut out = Vec::new();
        array.write(&mut out).unwrap();
        out
    }

    fn samples() -> Vec<Array> {
        vec![
            Array::new(&[2, 3], Data::Float(vec![1.5, -0.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, 1e-300])),
            Array::new(&[5000], Data::Int((0..5000).map(|i| i * 1_000_003 - 7).collect())),
            Array::new(&[3, 0], Data::Float(Vec::new())),
            Array::new(&[], Data::Int(vec![-1])),
            Array::new(&[2], Data::Bool(vec![true, false])),
            Array::new(&[3], Data::Text(vec!["".into(), "Bogenstück".into(), "石".into()])),
            Array::new(&[0], Data::Text(Vec::new())),
        ]
    }

    #[test]
    fn arrays_come_back_bit_for_bit() {
        for array in samples() {
            let bytes = bytes(&array);
            let back = Array::parse("a", &bytes).unwrap();
            assert_eq!(back, array);
            // Zeros of either sign are equal, their bits are not.
            if let (Data::Float(back), Data::Float(array)) = (&back.data, &array.data) {
                assert!(back.iter().zip(array).all(|(a, b)| a.to_bits() == b.to_bits()), "{back:?}");
            }
        }
    }

    #[test]
    fn the_header_is_the_one_numpy_writes() {
        let array = Array::new(&[4], Data::Float(vec![0.0; 4]));
        let bytes = bytes(&array);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        assert_eq!(bytes.len(), 128 + 32);
        assert!(bytes[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }"));
        assert_eq!(bytes[127], b'\n');
    }

    #[test]
    fn broken_arrays_are_refused_with_their_name() {
        let whole = bytes(&samples()[0]);
        for length in 0..whole.len() {
            assert!(Array::parse("speed", &whole[..length]).is_err(), "{length}");
        }
        let patched = |from: &str, to: &str| {
            let text = String::from_utf8_lossy(&whole[10..118]).replace(from, to);
            let mut bad = whole.clone();
            bad.splice(10..118, text.bytes());
            Array::parse("speed", &bad).unwrap_err().to_string()
        };
        assert!(patched("False", "True ").contains("speed"));
        assert!(patched("(2, 3,)", "(2, 4,)").contains("asks for 8"));
        assert!(patched("<f8", "|O8").contains("not supported"));
    }
}
