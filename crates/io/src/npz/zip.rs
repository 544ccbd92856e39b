//! The part of the ZIP container that `.npz` needs: members one after the other, stored when
//! written, stored or deflated when read, with the 64-bit extension beyond 4 GiB.

mod read;
mod write;

pub(super) use read::members;
pub(super) use write::ZipWriter;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
/// Marks a 32-bit field whose value is in the 64-bit extra field.
const ELSEWHERE: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npz::NpzError;

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

    /// A directory that names the same bytes again and again would fill the memory from a small file.
    #[test]
    fn members_that_share_their_bytes_are_refused() {
        let mut whole = Vec::new();
        let mut writer = ZipWriter::new(&mut whole);
        writer.member("a", |sink| sink(&[7; 10_000])).unwrap();
        writer.finish().unwrap();
        let find = |mark: u32| whole.windows(4).position(|bytes| bytes == mark.to_le_bytes()).unwrap();
        let (directory, end) = (find(CENTRAL), find(END));
        for copies in [1u16, 3] {
            let mut again = whole[..directory].to_vec();
            (0..copies).for_each(|_| again.extend(&whole[directory..end]));
            again.extend(&whole[end..]);
            let count = again.len() - (whole.len() - end) + 10;
            again[count..count + 2].copy_from_slice(&copies.to_le_bytes());
            assert_eq!(members(&again).is_ok(), copies == 1, "{copies}");
        }
    }
}
