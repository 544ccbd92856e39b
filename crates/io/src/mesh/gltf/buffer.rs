//! Where the numbers of a glTF file are: container chunks, embedded text, files beside it.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use glamx::DVec3;

use super::super::error::{MeshError, Place};
use super::super::soup::finite;
use super::document::{Accessor, Document};
use super::{item, missing};

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;
const FLOAT: u32 = 5126;

/// The JSON of a file and, for a `.glb`, its binary chunk. Files that do not begin as a container are
/// taken to be JSON.
pub fn container(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), MeshError> {
    if !bytes.starts_with(MAGIC) {
        return Ok((bytes, None));
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        let message = format!("version {version} of the container is not read");
        return Err(MeshError::new(message, "export as glTF 2.0").at(Place::Offset(4)));
    }
    let (mut json, mut binary) = (None, None);
    let mut offset = 12;
    while offset < bytes.len() {
        let length = word(bytes, offset)? as usize;
        let kind = word(bytes, offset + 4)?;
        let chunk = bytes.get(offset + 8..).and_then(|rest| rest.get(..length)).ok_or_else(|| truncated(offset))?;
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BINARY_CHUNK if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        offset += 8 + length;
    }
    Ok((json.ok_or_else(|| truncated(offset))?, binary))
}

fn word(bytes: &[u8], offset: usize) -> Result<u32, MeshError> {
    let four = bytes.get(offset..).and_then(|rest| rest.first_chunk::<4>());
    four.map(|four| u32::from_le_bytes(*four)).ok_or_else(|| truncated(offset))
}

fn truncated(offset: usize) -> MeshError {
    MeshError::new("the container ends before its chunks do", "the file is cut short; export it again")
        .at(Place::Offset(offset))
}

/// The bytes of every buffer.
pub struct Buffers<'a> {
    bytes: Vec<Cow<'a, [u8]>>,
}

impl<'a> Buffers<'a> {
    pub fn load(
        document: &Document,
        binary: Option<&'a [u8]>,
        resolve: &dyn Fn(&str) -> Result<Vec<u8>, MeshError>,
    ) -> Result<Self, MeshError> {
        let mut bytes = Vec::new();
        for (k, buffer) in document.buffers.iter().enumerate() {
            let data: Cow<'a, [u8]> = match &buffer.uri {
                None => Cow::Borrowed(binary.filter(|_| k == 0).ok_or_else(|| {
                    MeshError::new("the buffer has no data", "export as .glb, or with a `uri` for the buffer")
                        .at(item("buffers", k))
                })?),
                Some(uri) => Cow::Owned(match uri.split_once("base64,") {
                    Some((head, body)) if head.starts_with("data:") => base64(body.as_bytes()).ok_or_else(|| {
                        MeshError::new("the embedded data are not base64", "export the file again")
                            .at(item("buffers", k))
                    })?,
                    _ => resolve(&percent_decoded(uri)).map_err(|error| error.at(item("buffers", k)))?,
                }),
            };
            if data.len() < buffer.byte_length {
                let message = format!("the buffer holds {} of its {} bytes", data.len(), buffer.byte_length);
                return Err(MeshError::new(message, "the file is cut short; export it again").at(item("buffers", k)));
            }
            bytes.push(data);
        }
        Ok(Self { bytes })
    }

    /// The positions of an accessor.
    pub fn positions(&self, document: &Document, index: usize) -> Result<Vec<DVec3>, MeshError> {
        let accessor = document.accessors.get(index).ok_or_else(|| missing("accessors", index))?;
        if accessor.kind != "VEC3" || accessor.component_type != FLOAT {
            let message = format!("positions are {} of type {}", accessor.kind, accessor.component_type);
            return Err(MeshError::new(message, format!("export them as VEC3 of 32-bit floats ({FLOAT})"))
                .at(item("accessors", index)));
        }
        let mut positions = Vec::new();
        for element in self.elements(document, accessor, index, 12)? {
            let mut xyz = [0.0; 3];
            for (value, four) in xyz.iter_mut().zip(element.as_chunks::<4>().0) {
                *value = finite(f64::from(f32::from_le_bytes(*four)), || item("accessors", index))?;
            }
            positions.push(DVec3::from_array(xyz));
        }
        Ok(positions)
    }

    /// The vertex numbers of an accessor.
    pub fn indices(&self, document: &Document, index: usize) -> Result<Vec<u32>, MeshError> {
        let accessor = document.accessors.get(index).ok_or_else(|| missing("accessors", index))?;
        let size = match (accessor.kind.as_str(), accessor.component_type) {
            ("SCALAR", 5121) => 1,
            ("SCALAR", 5123) => 2,
            ("SCALAR", 5125) => 4,
            (kind, component) => {
                let message = format!("vertex numbers are {kind} of type {component}");
                return Err(MeshError::new(message, "export them as SCALAR of type 5121, 5123 or 5125")
                    .at(item("accessors", index)));
            }
        };
        let little = |element: &[u8]| element.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        Ok(self.elements(document, accessor, index, size)?.map(little).collect())
    }

    /// The elements of an accessor as byte slices of `size`, after checking that all are there.
    fn elements(
        &self,
        document: &Document,
        accessor: &Accessor,
        index: usize,
        size: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, MeshError> {
        let refuse = |message: String, help: &str| Err(MeshError::new(message, help).at(item("accessors", index)));
        let (Some(view_index), None) = (accessor.buffer_view, &accessor.sparse) else {
            return refuse("sparse accessors are not read".into(), "export without sparse accessors");
        };
        let view = document.buffer_views.get(view_index).ok_or_else(|| missing("bufferViews", view_index))?;
        let buffer = self.bytes.get(view.buffer).ok_or_else(|| missing("buffers", view.buffer))?;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            return refuse(format!("elements of {size} bytes are {stride} bytes apart"), "export the file again");
        }
        let data = buffer
            .get(view.byte_offset..)
            .and_then(|rest| rest.get(..view.byte_length))
            .and_then(|rest| rest.get(accessor.byte_offset..))
            .unwrap_or_default();
        // The last element need not fill its stride.
        let held = if data.len() < size { 0 } else { (data.len() - size) / stride + 1 };
        if held < accessor.count {
            let message = format!("the accessor announces {} elements but its view holds {held}", accessor.count);
            return refuse(message, "the file is damaged; export it again");
        }
        Ok(data.chunks(stride).take(accessor.count).map(move |chunk| &chunk[..size]))
    }
}

/// Decodes base64 as exporters write it: with or without padding.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, LENIENT).decode(text).ok()
}

/// A relative address with its `%20` and the like put back.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = (*first == b'%').then(|| tail.get(..2)).flatten().and_then(|two| std::str::from_utf8(two).ok());
        match hex.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_percent_signs() {
        assert_eq!(base64(b"TWFueSBoYW5kcw==").unwrap(), b"Many hands");
        assert_eq!(base64(b"TWFu").unwrap(), b"Man");
        assert!(base64(b"TW*u").is_none());
        assert_eq!(percent_decoded("my%20mesh%2"), "my mesh%2");
        assert_eq!(percent_decoded("100%é.bin"), "100%é.bin");
    }
}
