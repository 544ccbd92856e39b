//! Reading archives: nothing in them is believed before it is checked.

use std::io::{self, Read};

use flate2::{Crc, read::DeflateDecoder};

use super::super::NpzError;
use super::{CENTRAL, ELSEWHERE, END, END64, LOCAL, LOCATOR64};

/// The members of an archive, by name, in the order of its directory.
pub(in crate::npz) fn members(archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>, NpzError> {
    let (mut at, count) = directory(archive)?;
    let (mut members, mut packed) = (Vec::new(), 0u64);
    for _ in 0..count {
        let entry = Entry::read(archive, &mut at)?;
        // Members that share their bytes would unpack to any size from a small file.
        packed = packed.saturating_add(entry.packed);
        if packed > archive.len() as u64 {
            return Err(NpzError::Corrupt(entry.name));
        }
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
    use std::io::Write;

    use flate2::{Compression, write::DeflateEncoder};

    use super::*;

    #[test]
    fn inflating_stops_at_the_promised_size() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&[7; 100_000]).unwrap();
        let packed = encoder.finish().unwrap();
        assert_eq!(inflate(&packed, 100_000).unwrap(), vec![7; 100_000]);
        assert_eq!(inflate(&packed, 10).unwrap().len(), 11);
    }
}
