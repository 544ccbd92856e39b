//! Writing archives.

use std::io::{self, Write};

use flate2::Crc;

use super::{CENTRAL, ELSEWHERE, END, END64, LOCAL, LOCATOR64};

/// Version needed to extract an archive with 64-bit sizes.
const VERSION: u16 = 45;
/// 1980-01-01, the first date ZIP can say: files with equal content are equal.
const DATE: u16 = 0x21;

/// Writes an archive member by member.
pub(in crate::npz) struct ZipWriter<W: Write> {
    sink: W,
    offset: u64,
    central: Vec<u8>,
    count: u64,
    /// Sizes and offsets from here on go into 64-bit fields.
    pub(super) limit: u64,
}

impl<W: Write> ZipWriter<W> {
    pub(in crate::npz) fn new(sink: W) -> Self {
        Self { sink, offset: 0, central: Vec::new(), count: 0, limit: u64::from(ELSEWHERE) }
    }

    /// Adds a member whose content `emit` gives in pieces. It is called twice, once to know size and
    /// checksum and once to write, so that no second copy of a large array is held.
    pub(in crate::npz) fn member(&mut self, name: &str, emit: impl Fn(&mut dyn FnMut(&[u8]))) -> io::Result<()> {
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
    pub(in crate::npz) fn finish(mut self) -> io::Result<()> {
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
