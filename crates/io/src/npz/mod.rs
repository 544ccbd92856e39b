//! Named arrays in one `.npz` file, the format of `numpy.savez`; opens with
//! `numpy.load(path, allow_pickle=False)`.

mod npy;
mod zip;

use std::collections::BTreeMap;
use std::io::{self, Write};

use thiserror::Error;

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
pub struct NpzWriter<W: Write> {
    zip: zip::ZipWriter<W>,
}

impl<W: Write> NpzWriter<W> {
    /// Starts an archive.
    pub fn new(sink: W) -> Self {
        Self { zip: zip::ZipWriter::new(sink) }
    }

    /// Adds an array.
    pub fn array(&mut self, name: &str, array: &Array) -> io::Result<()> {
        self.zip.member(&format!("{name}.npy"), |sink| array.emit(sink))
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<()> {
        self.zip.finish()
    }
}

/// Reads all arrays of an `.npz` archive. Members that are not arrays are passed over.
pub fn read_npz(archive: &[u8]) -> Result<BTreeMap<String, Array>, NpzError> {
    let mut arrays = BTreeMap::new();
    for (member, content) in zip::members(archive)? {
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
        let mut bytes = Vec::new();
        let mut writer = NpzWriter::new(&mut bytes);
        let time = Array::new(&[2], Data::Float(vec![0.0, 0.5]));
        writer.array("time", &time).unwrap();
        writer.array("name", &Array::new(&[1], Data::Text(vec!["a".into()]))).unwrap();
        writer.finish().unwrap();
        let arrays = read_npz(&bytes).unwrap();
        assert_eq!(arrays.len(), 2);
        assert_eq!(arrays["time"], time);
    }
}
