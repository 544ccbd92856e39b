//! The numbers of a PLY file one after the other, whatever way they are written.

use super::super::error::{MeshError, Place};
use super::header::Scalar;

/// A run of numbers.
pub trait Body {
    /// Where the next number stands.
    fn place(&self) -> Place;
    /// The next number, written as this type.
    fn number(&mut self, scalar: Scalar) -> Result<f64, MeshError>;
}

/// Numbers as words between spaces and line ends.
pub struct TextBody<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> TextBody<'a> {
    pub fn new(data: &'a [u8], header_lines: usize) -> Self {
        let mut body = Self { rest: data, line: header_lines + 1 };
        body.skip_space();
        body
    }

    /// Steps to the next word, so that `place` is where that word stands.
    fn skip_space(&mut self) {
        let space = self.rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (skipped, rest) = self.rest.split_at(space);
        self.line += skipped.iter().filter(|&&byte| byte == b'\n').count();
        self.rest = rest;
    }
}

impl Body for TextBody<'_> {
    fn place(&self) -> Place {
        Place::Line(self.line)
    }

    fn number(&mut self, _: Scalar) -> Result<f64, MeshError> {
        let length = self.rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let (word, rest) = self.rest.split_at(length);
        if word.is_empty() {
            return Err(ends(self.place()));
        }
        let text = String::from_utf8_lossy(word);
        let number = text.parse().map_err(|_| {
            MeshError::new(format!("`{text}` is not a number"), "export the mesh again; the file is damaged")
                .at(self.place())
        })?;
        self.rest = rest;
        self.skip_space();
        Ok(number)
    }
}

/// Numbers as bytes.
pub struct BinaryBody<'a> {
    data: &'a [u8],
    position: usize,
    offset: usize,
    little: bool,
}

impl<'a> BinaryBody<'a> {
    pub fn new(data: &'a [u8], offset: usize, little: bool) -> Self {
        Self { data, position: 0, offset, little }
    }

    /// The next bytes, least significant first.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], MeshError> {
        let slice = self.data.get(self.position..).and_then(|rest| rest.first_chunk::<N>());
        let mut bytes = *slice.ok_or_else(|| ends(self.place()))?;
        self.position += N;
        if !self.little {
            bytes.reverse();
        }
        Ok(bytes)
    }
}

impl Body for BinaryBody<'_> {
    fn place(&self) -> Place {
        Place::Offset(self.offset + self.position)
    }

    fn number(&mut self, scalar: Scalar) -> Result<f64, MeshError> {
        Ok(match scalar {
            Scalar::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Scalar::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Scalar::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Scalar::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Scalar::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Scalar::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Scalar::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
        })
    }
}

fn ends(place: Place) -> MeshError {
    MeshError::new("the file ends before its data do", "it is cut short; export the mesh again").at(place)
}
