//! Named arrays in one `.npz` file, the format of `numpy.savez`; opens with
//! `numpy.load(path, allow_pickle=False)`.

mod archive;
mod npy;

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, Write};

use thiserror::Error;

pub(crate) use npy::RawKind;
pub use npy::{Array, Data};

/// What is wrong with an `.npz` file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NpzError {
    /// No ZIP directory.
    #[error("this is no .npz archive: the ZIP directory at its end is missing (is the file complete?)")]
    NotZip,
    /// A record points outside the file.
    #[error("the archive is truncated or damaged: a record points outside the file")]
    Truncated,
    /// Checksum or size do not fit.
    #[error("member `{0}` is damaged: its checksum or size does not fit")]
    Corrupt(String),
    /// Compressed by something else than deflate.
    #[error("member `{0}` uses an unsupported compression; save it with `numpy.savez` or `savez_compressed`")]
    Method(String),
    /// An array cannot be used.
    #[error("array `{name}` cannot be used: {reason}")]
    Array {
        /// The array.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Writes arrays into an `.npz` archive one after the other.
pub struct NpzWriter<W: Write + Seek> {
    archive: archive::Writer<W>,
}

impl<W: Write + Seek> NpzWriter<W> {
    /// Starts an archive.
    pub fn new(sink: W) -> Self {
        Self { archive: archive::Writer::new(sink) }
    }

    /// Adds an array.
    pub fn array(&mut self, name: &str, array: &Array) -> io::Result<()> {
        array.write(self.archive.member(&file_name(name), array.bytes())?)
    }

    /// Adds an array of numbers that lie in a file already, little-endian and in C order.
    pub(crate) fn raw(&mut self, name: &str, kind: RawKind, shape: &[usize], content: impl Read) -> io::Result<()> {
        let size = shape.iter().product::<usize>() as u64 * kind.bytes();
        let member = self.archive.member(&file_name(name), size)?;
        member.write_all(&kind.header(shape))?;
        if io::copy(&mut content.take(size), member)? != size {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("frames of `{name}` are missing")));
        }
        Ok(())
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<()> {
        self.archive.finish()
    }
}

fn file_name(array: &str) -> String {
    format!("{array}.npy")
}

/// Reads all arrays of an `.npz` archive. Members that are not arrays are passed over.
pub fn read_npz(archive: &[u8]) -> Result<BTreeMap<String, Array>, NpzError> {
    let mut arrays = BTreeMap::new();
    for (member, content) in archive::members(archive)? {
        if let Some(name) = member.strip_suffix(".npy") {
            arrays.insert(name.to_string(), Array::parse(name, &content)?);
        }
    }
    Ok(arrays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_found_by_name() {
        let mut bytes = io::Cursor::new(Vec::new());
        let mut writer = NpzWriter::new(&mut bytes);
        let time = Array::new(&[2], Data::Float(vec![0.0, 0.5]));
        writer.array("time", &time).unwrap();
        let name = Array::new(&[1], Data::Text(vec!["a".into()]));
        writer.array("name", &name).unwrap();
        let raw: Vec<u8> = [0.0f64, 0.5, 7.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        writer.raw("raw", RawKind::Float, &[2], raw.as_slice()).unwrap();
        writer.finish().unwrap();
        let mut short = NpzWriter::new(io::Cursor::new(Vec::new()));
        assert!(short.raw("short", RawKind::Float, &[2], &raw[..15]).is_err());
        let arrays = read_npz(bytes.get_ref()).unwrap();
        assert_eq!(arrays.len(), 3);
        assert_eq!(arrays["raw"], time);
        assert_eq!((&arrays["time"], &arrays["name"]), (&time, &name));
    }
}
