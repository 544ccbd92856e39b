//! The part of the ZIP container that `.npz` needs: members one after the other, stored when
//! written, stored or deflated when read, with the 64-bit extension beyond 4 GiB.

use std::io::{self, Read, Write};

use flate2::{Crc, read::DeflateDecoder};

use super::NpzError;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
/// Version needed to extract an archive with 64-bit sizes.
const VERSION: u16 = 45;
/// 1980-01-01, the first date ZIP can say: files with equal content are equal.
const DATE: u16 = 0x21;
/// Marks a 32-bit field whose value is in the 64-bit extra field.
const ELSEWHERE: u32 = u32::MAX;

/// Writes an archive member by member.
pub(super) struct ZipWriter<W: Write> {
    sink: W,
    offset: u64,
    central: Vec<u8>,
    count: u64,
    /// Sizes and offsets from here on go into 64-bit fields.
    limit: u64,
}

impl<W: Write> ZipWriter<W> {
    pub(super) fn new(sink: W) -> Self {
        Self { sink, offset: 0, central: Vec::new(), count: 0, limit: u64::from(ELSEWHERE) }
    }

    /// Adds a member whose content `emit` gives in pieces. It is called twice, once to know size and
    /// checksum and once to write, so that no second copy of a large array is held.
    pub(super) fn member(&mut self, name: &str, emit: impl Fn(&mut dyn FnMut(&[u8]))) -> io::Result<()> {
        let (mut crc, mut size) = (Crc::new(), 0u64);
        emit(&mut |piece| {
            crc.update(piece);
            size += piece.len() as u64;
        });
        let start = self.offset;
        let mut header = Vec::new();
        put32(&mut header, LOCAL);
        self.describe(&mut header, name, crc.sum(), size, None);
        self.put(&header)?;
        let mut result = Ok(());
        emit(&mut |piece| {
            if result.is_ok() {
                result = self.sink.write_all(piece);
            }
        });
        result?;
        self.offset += size;
        let mut entry = Vec::new();
        put32(&mut entry, CENTRAL);
        put16(&mut entry, VERSION);
        self.describe(&mut entry, name, crc.sum(), size, Some(start));
        self.central.extend(entry);
        self.count += 1;
        Ok(())
    }

    /// Writes the directory that ends the archive.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let (start, size) = (self.offset, self.central.len() as u64);
        let mut end = std::mem::take(&mut self.central);
        if start >= self.limit || self.count >= 0xffff {
            put32(&mut end, END64);
            put64(&mut end, 44);
            put16(&mut end, VERSION);
            put16(&mut end, VERSION);
            put64(&mut end, 0);
            for value in [self.count, self.count, size, start] {
                put64(&mut end, value);
            }
            put32(&mut end, LOCATOR64);
            put32(&mut end, 0);
            put64(&mut end, start + size);
            put32(&mut end, 1);
        }
        put32(&mut end, END);
        put32(&mut end, 0);
        let count = self.count.min(0xffff) as u16;
        put16(&mut end, count);
        put16(&mut end, count);
        put32(&mut end, size.min(u64::from(ELSEWHERE)) as u32);
        put32(&mut end, self.short(start));
        put16(&mut end, 0);
        self.put(&end)?;
        self.sink.flush()
    }

    /// The fields that the local header and the directory entry have in common, and the rest of the
    /// directory entry when `offset` is given.
    fn describe(&self, out: &mut Vec<u8>, name: &str, crc: u32, size: u64, offset: Option<u64>) {
        let mut extra = Vec::new();
        if size >= self.limit {
            put64(&mut extra, size);
            put64(&mut extra, size);
        }
        if let Some(offset) = offset.filter(|&o| o >= self.limit) {
            put64(&mut extra, offset);
        }
        put16(out, VERSION);
        // Bit 11: the name is UTF-8. Then method 0 (stored) and the time.
        for field in [1 << 11, 0, 0, DATE] {
            put16(out, field);
        }
        put32(out, crc);
        put32(out, self.short(size));
        put32(out, self.short(size));
        put16(out, name.len() as u16);
        put16(out, if extra.is_empty() { 0 } else { extra.len() as u16 + 4 });
        if let Some(offset) = offset {
            // Comment length, disk number, internal attributes, external attributes.
            for _ in 0..5 {
                put16(out, 0);
            }
            put32(out, self.short(offset));
        }
        out.extend(name.as_bytes());
        if !extra.is_empty() {
            put16(out, 1);
            put16(out, extra.len() as u16);
            out.extend(extra);
        }
    }

    fn short(&self, value: u64) -> u32 {
        if value >= self.limit { ELSEWHERE } else { value as u32 }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.offset += bytes.len() as u64;
        self.sink.write_all(bytes)
    }
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend(value.to_le_bytes());
}

/// The members of an archive, by name, in the order of its directory.
pub(super) fn members(archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>, NpzError> {
    let (mut at, count) = directory(archive)?;
    let mut members = Vec::new();
    for _ in 0..count {
        let entry = Entry::read(archive, &mut at)?;
        let content = entry.content(archive)?;
        members.push((entry.name, content));
    }
    Ok(members)
}

/// Where the directory starts and how many entries it has.
fn directory(archive: &[u8]) -> Result<(u64, u64), NpzError> {
    // The end record is the last one; a comment of up to 64 KiB may follow it.
    let earliest = archive.len().saturating_sub(22 + 0xffff);
    let end = (earliest..archive.len().saturating_sub(21)).rev().find(|&i| get32(archive, i as u64) == Ok(END));
    let end = end.ok_or(NpzError::NotZip)? as u64;
    let locator = end.wrapping_sub(20);
    if end >= 20 && get32(archive, locator)? == LOCATOR64 {
        let end64 = get64(archive, locator + 8)?;
        if get32(archive, end64)? != END64 {
            return Err(NpzError::Truncated);
        }
        return Ok((get64(archive, end64.saturating_add(48))?, get64(archive, end64.saturating_add(32))?));
    }
    Ok((u64::from(get32(archive, end + 16)?), u64::from(get16(archive, end + 10)?)))
}

/// What the directory says about a member.
struct Entry {
    name: String,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    offset: u64,
}

impl Entry {
    fn read(archive: &[u8], at: &mut u64) -> Result<Self, NpzError> {
        let start = *at;
        if get32(archive, start)? != CENTRAL {
            return Err(NpzError::Truncated);
        }
        let name_length = u64::from(get16(archive, start + 28)?);
        let extra_length = u64::from(get16(archive, start + 30)?);
        let comment_length = u64::from(get16(archive, start + 32)?);
        let name = String::from_utf8_lossy(slice(archive, start + 46, name_length)?).into_owned();
        let extra = slice(archive, start + 46 + name_length, extra_length)?;
        *at = start + 46 + name_length + extra_length + comment_length;
        let mut wide = Wide::new(extra);
        Ok(Self {
            name,
            method: get16(archive, start + 10)?,
            crc: get32(archive, start + 16)?,
            // The order of the values in the extra field: size, packed size, offset.
            size: wide.take(get32(archive, start + 24)?)?,
            packed: wide.take(get32(archive, start + 20)?)?,
            offset: wide.take(get32(archive, start + 42)?)?,
        })
    }

    fn content(&self, archive: &[u8]) -> Result<Vec<u8>, NpzError> {
        if get32(archive, self.offset)? != LOCAL {
            return Err(NpzError::Truncated);
        }
        let skip = 30 + u64::from(get16(archive, self.offset + 26)?) + u64::from(get16(archive, self.offset + 28)?);
        let packed = slice(archive, self.offset.saturating_add(skip), self.packed)?;
        let content = match self.method {
            0 => packed.to_vec(),
            8 => inflate(packed, self.size).map_err(|_| NpzError::Corrupt(self.name.clone()))?,
            _ => return Err(NpzError::Method(self.name.clone())),
        };
        let mut crc = Crc::new();
        crc.update(&content);
        if content.len() as u64 != self.size || crc.sum() != self.crc {
            return Err(NpzError::Corrupt(self.name.clone()));
        }
        Ok(content)
    }
}

/// Unpacks at most one byte more than promised, so that a lying header cannot fill the memory.
fn inflate(packed: &[u8], size: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    DeflateDecoder::new(packed).take(size.saturating_add(1)).read_to_end(&mut content)?;
    Ok(content)
}

/// The 64-bit values of an extra field, taken by the 32-bit fields that point to them.
struct Wide<'a> {
    rest: &'a [u8],
}

impl<'a> Wide<'a> {
    fn new(mut extra: &'a [u8]) -> Self {
        while let (Ok(kind), Ok(length)) = (get16(extra, 0), get16(extra, 2)) {
            let Ok(body) = slice(extra, 4, u64::from(length)) else { break };
            if kind == 1 {
                return Self { rest: body };
            }
            extra = &extra[4 + body.len()..];
        }
        Self { rest: &[] }
    }

    fn take(&mut self, short: u32) -> Result<u64, NpzError> {
        if short != ELSEWHERE {
            return Ok(u64::from(short));
        }
        let value = get64(self.rest, 0)?;
        self.rest = &self.rest[8..];
        Ok(value)
    }
}

fn slice(bytes: &[u8], start: u64, length: u64) -> Result<&[u8], NpzError> {
    let end = start.checked_add(length).filter(|&end| end <= bytes.len() as u64).ok_or(NpzError::Truncated)?;
    Ok(&bytes[start as usize..end as usize])
}

fn get<const N: usize>(bytes: &[u8], at: u64) -> Result<[u8; N], NpzError> {
    slice(bytes, at, N as u64)?.try_into().map_err(|_| NpzError::Truncated)
}

fn get16(bytes: &[u8], at: u64) -> Result<u16, NpzError> {
    get(bytes, at).map(u16::from_le_bytes)
}

fn get32(bytes: &[u8], at: u64) -> Result<u32, NpzError> {
    get(bytes, at).map(u32::from_le_bytes)
}

fn get64(bytes: &[u8], at: u64) -> Result<u64, NpzError> {
    get(bytes, at).map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::DeflateEncoder};

    fn archive(limit: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = ZipWriter::new(&mut bytes);
        writer.limit = limit;
        writer.member("a", |sink| sink(b"tiny")).unwrap();
        writer
            .member("folder/b", |sink| {
                sink(b"a longer member, ");
                sink(b"in two pieces");
            })
            .unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn members_come_back_with_short_and_with_wide_fields() {
        // A limit of 10 bytes puts the second member, its offset and the directory into 64-bit fields.
        for limit in [u64::from(ELSEWHERE), 10] {
            let members = members(&archive(limit)).unwrap();
            assert_eq!(members[0], ("a".to_string(), b"tiny".to_vec()));
            assert_eq!(members[1].1, b"a longer member, in two pieces");
        }
        assert!(archive(10).len() > archive(u64::from(ELSEWHERE)).len());
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_an_error_or_harmless() {
        let whole = archive(10);
        for length in 0..whole.len() {
            assert!(members(&whole[..length]).is_err(), "truncated to {length}");
        }
        for i in 0..whole.len() {
            let mut bad = whole.clone();
            bad[i] ^= 0xff;
            let _ = members(&bad);
        }
    }

    #[test]
    fn a_flipped_content_byte_is_noticed() {
        let mut bad = archive(u64::from(ELSEWHERE));
        let at = bad.windows(4).position(|w| w == b"tiny").unwrap();
        bad[at] ^= 1;
        assert_eq!(members(&bad), Err(NpzError::Corrupt("a".into())));
    }

    #[test]
    fn inflating_stops_at_the_promised_size() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&[7; 100_000]).unwrap();
        let packed = encoder.finish().unwrap();
        assert_eq!(inflate(&packed, 100_000).unwrap(), vec![7; 100_000]);
        assert_eq!(inflate(&packed, 10).unwrap().len(), 11);
    }
}
