//! Bytes of a binary file read in order, and the two ways they are packed: blocks of LZ4, and differences of numbers.

use std::borrow::Cow;

/// What is wrong, in words.
pub(super) type Read<T> = Result<T, &'static str>;

/// Most things of one kind in a file: paths, words, numbers of an array.
const MOST: usize = 1 << 24;
const ENDS: &str = "it ends where more should come";
const PACKED: &str = "a packed part is damaged";

/// A place in the bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn at(all: &'a [u8], at: u64) -> Read<Self> {
        let at = usize::try_from(at).ok().filter(|&at| at <= all.len()).ok_or(ENDS)?;
        Ok(Self { all, at })
    }

    /// The same bytes, some way further or back.
    pub(super) fn moved(&self, by: i64) -> Read<Self> {
        let at = (self.at as i64).checked_add(by).and_then(|at| u64::try_from(at).ok()).ok_or(ENDS)?;
        Self::at(self.all, at)
    }

    pub(super) fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.all.len()).ok_or(ENDS)?;
        let taken = &self.all[self.at..end];
        self.at = end;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| ENDS)
    }

    pub(super) fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn i64(&mut self) -> Read<i64> {
        self.array().map(i64::from_le_bytes)
    }

    /// How many of something follow, each of at least `size` bytes: no more than there is room for.
    pub(super) fn count(&mut self, size: usize) -> Read<usize> {
        let count = usize::try_from(self.u64()?).map_err(|_| ENDS)?;
        let room = (self.all.len() - self.at) / size.max(1);
        if count > room { Err(ENDS) } else { Ok(count) }
    }

    /// A count of things that are packed: no more than any stage has, since a small file can claim many.
    pub(super) fn packed_count(&mut self) -> Read<usize> {
        usize::try_from(self.u64()?).ok().filter(|&count| count <= MOST).ok_or("it claims more than is read")
    }

    /// A packed block of at most `size` bytes; how many it is packed into comes first.
    pub(super) fn unpacked(&mut self, size: usize) -> Read<Vec<u8>> {
        let count = self.count(1)?;
        let packed = self.take(count)?;
        let Some((&chunks, mut rest)) = packed.split_first() else { return Err(PACKED) };
        // No block grows by more: what a file claims takes no memory that it does not fill.
        let size = size.min(packed.len().saturating_mul(256));
        let mut out = Vec::new();
        if chunks == 0 {
            out = lz4_flex::block::decompress(rest, size).map_err(|_| PACKED)?;
        }
        for _ in 0..chunks {
            let (head, tail) = rest.split_at_checked(4).ok_or(PACKED)?;
            let length = i32::from_le_bytes([head[0], head[1], head[2], head[3]]);
            let (chunk, after) = usize::try_from(length).ok().and_then(|l| tail.split_at_checked(l)).ok_or(PACKED)?;
            out.extend(lz4_flex::block::decompress(chunk, size - out.len().min(size)).map_err(|_| PACKED)?);
            rest = after;
        }
        Ok(out)
    }

    /// Packed whole numbers of 32 or 64 bits.
    pub(super) fn whole_numbers(&mut self, count: usize, wide: bool) -> Read<Vec<i64>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let code_bytes = count.div_ceil(4);
        let unit = if wide { 8 } else { 4 };
        let codes_at = unit;
        let most = code_bytes.checked_add(count.checked_mul(unit).ok_or(PACKED)?).ok_or(PACKED)? + unit;
        let block = self.unpacked(most)?;
        let (head, values) = block.split_at_checked(codes_at + code_bytes).ok_or(PACKED)?;
        let common = signed(&head[..unit]);
        let codes = &head[codes_at..];
        let mut values = values;
        let (mut out, mut last) = (Vec::with_capacity(count), 0i64);
        for index in 0..count {
            // Sizes of a difference by its code; the first is the common one.
            let size = match (codes[index / 4] >> (2 * (index % 4)) & 3, wide) {
                (0, _) => 0,
                (1, false) => 1,
                (2, false) | (1, true) => 2,
                (3, false) | (2, true) => 4,
                _ => 8,
            };
            let (own, rest) = values.split_at_checked(size).ok_or(PACKED)?;
            last = last.wrapping_add(if size == 0 { common } else { signed(own) });
            if !wide {
                last = i64::from(last as i32);
            }
            out.push(last);
            values = rest;
        }
        Ok(out)
    }
}

/// A whole number of up to eight bytes, least first.
fn signed(bytes: &[u8]) -> i64 {
    let fill = if bytes.last().is_some_and(|last| last & 0x80 != 0) { 0xff } else { 0 };
    let mut whole = [fill; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(whole)
}

/// Words that end with a zero each.
pub(super) fn words(bytes: &[u8], count: usize) -> Read<Vec<String>> {
    let words: Vec<String> =
        bytes.split(|&byte| byte == 0).take(count).map(String::from_utf8_lossy).map(Cow::into_owned).collect();
    if words.len() == count { Ok(words) } else { Err(ENDS) }
}
