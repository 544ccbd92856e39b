//! The ZIP container of `.npz` files, by the `zip` crate: members are stored as they are when written, and stored or
//! deflated when read.

use std::io::{self, Cursor, Read, Seek, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::NpzError;

/// Members from this size on need 64-bit fields \[bytes\].
const WIDE: u64 = u32::MAX as u64;

/// Writes an archive member by member.
pub(super) struct Writer<W: Write + Seek>(ZipWriter<W>);

impl<W: Write + Seek> Writer<W> {
    pub(super) fn new(sink: W) -> Self {
        Self(ZipWriter::new(sink))
    }

    /// Starts a member of about `size` bytes; what is written next belongs to it.
    pub(super) fn member(&mut self, name: &str, size: u64) -> io::Result<&mut ZipWriter<W>> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            // The first date ZIP can say: files with equal content are equal.
            .last_modified_time(DateTime::default())
            .large_file(size >= WIDE);
        self.0.start_file(name, options)?;
        Ok(&mut self.0)
    }

    /// Writes the directory that ends the archive.
    pub(super) fn finish(self) -> io::Result<()> {
        self.0.finish()?.flush()
    }
}

/// The members of an archive, by name, in the order of its directory. Nothing in it is believed before it is checked.
pub(super) fn members(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, NpzError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| NpzError::NotZip)?;
    let (mut members, mut packed) = (Vec::new(), 0u64);
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| reason(&error, index))?;
        let name = entry.name().map_err(|error| reason(&error, index))?.into_owned();
        let size = entry.size();
        // Members that share their bytes would unpack to any size from a small file.
        packed = packed.saturating_add(entry.compressed_size());
        if packed > bytes.len() as u64 {
            return Err(NpzError::Corrupt(name));
        }
        let mut content = Vec::new();
        // At most one byte more than promised, so that a lying header cannot fill the memory.
        let read = entry.take(size.saturating_add(1)).read_to_end(&mut content);
        if read.is_err() || content.len() as u64 != size {
            return Err(NpzError::Corrupt(name));
        }
        members.push((name, content));
    }
    Ok(members)
}

fn reason(error: &ZipError, index: usize) -> NpzError {
    match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            NpzError::Method(format!("number {index}"))
        }
        _ => NpzError::Truncated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let mut writer = Writer::new(&mut bytes);
        for (name, content) in members {
            writer.member(name, content.len() as u64).unwrap().write_all(content).unwrap();
        }
        writer.finish().unwrap();
        bytes.into_inner()
    }

    fn two() -> Vec<u8> {
        archive(&[("a", b"tiny"), ("folder/b", b"a longer member")])
    }

    #[test]
    fn members_come_back_and_carry_no_time() {
        let members = members(&two()).unwrap();
        assert_eq!(members, [("a".into(), b"tiny".to_vec()), ("folder/b".into(), b"a longer member".to_vec())]);
        // Equal content gives equal bytes, today and tomorrow: the time of a member is the first that the format knows,
        // midnight on 1 January 1980.
        let bytes = two();
        let headers: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"PK\x03\x04")).collect();
        assert_eq!(headers.len(), 2);
        for at in headers {
            assert_eq!(bytes[at + 10..at + 14], [0, 0, 0x21, 0]);
        }
    }

    #[test]
    fn every_truncation_is_an_error_and_no_flipped_byte_is_believed() {
        let whole = two();
        for length in 0..whole.len() {
            assert!(members(&whole[..length]).is_err(), "truncated to {length}");
        }
        let good = members(&whole).unwrap();
        for i in 0..whole.len() {
            let mut bad = whole.clone();
            bad[i] ^= 0xff;
            // Names carry no checksum; content does.
            if let Ok(found) = members(&bad) {
                let contents = |m: &[(String, Vec<u8>)]| m.iter().map(|m| m.1.clone()).collect::<Vec<_>>();
                assert!(contents(&good).ends_with(&contents(&found)), "byte {i}");
            }
        }
    }

    #[test]
    fn a_flipped_content_byte_is_noticed() {
        let mut bad = two();
        let at = bad.windows(4).position(|w| w == b"tiny").unwrap();
        bad[at] ^= 1;
        assert_eq!(members(&bad), Err(NpzError::Corrupt("a".into())));
    }

    /// A directory that names the same bytes again and again would fill the memory from a small file.
    #[test]
    fn members_that_share_their_bytes_are_refused() {
        let whole = archive(&[("a", &[7; 10_000])]);
        let find = |mark: &[u8]| whole.windows(4).position(|bytes| bytes == mark).unwrap();
        let (directory, end) = (find(b"PK\x01\x02"), find(b"PK\x05\x06"));
        for copies in [1u16, 3] {
            let mut again = whole[..directory].to_vec();
            for copy in 0..copies {
                let mut entry = whole[directory..end].to_vec();
                // One name each: the crate keeps one member of a name.
                entry[46] = b'a' + copy as u8;
                again.extend(entry);
            }
            let at = again.len();
            again.extend(&whole[end..]);
            again[at + 8..at + 10].copy_from_slice(&copies.to_le_bytes());
            again[at + 10..at + 12].copy_from_slice(&copies.to_le_bytes());
            let size = u32::from(copies) * (end - directory) as u32;
            again[at + 12..at + 16].copy_from_slice(&size.to_le_bytes());
            assert_eq!(members(&again).is_ok(), copies == 1, "{copies}");
        }
    }
}
