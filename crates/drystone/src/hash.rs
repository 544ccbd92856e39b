//! A fixed 64-bit hash: the same bytes give the same number on every machine and in every release,
//! which the standard library's hasher does not promise.

use drystone_model::{Model, State};
use serde::Serialize;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a of a byte string.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Hash of everything in a state, bit for bit. Two runs that agree here agree everywhere.
pub fn state_hash(state: &State) -> u64 {
    hash_of(state)
}

/// Hash of everything in a model, bit for bit.
pub fn model_hash(model: &Model) -> u64 {
    hash_of(model)
}

/// Serialises without keeping the bytes: a large model would otherwise be copied to be hashed.
fn hash_of<T: Serialize>(value: &T) -> u64 {
    let sink = Sink { hash: OFFSET };
    // Writing into the sink cannot fail, and neither type holds anything postcard refuses.
    postcard::serialize_with_flavor::<T, Sink, u64>(value, sink).unwrap_or(0)
}

struct Sink {
    hash: u64,
}

impl postcard::ser_flavors::Flavor for Sink {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(PRIME);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_test_vectors() {
        assert_eq!(hash_bytes(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash_bytes(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash_bytes(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn sees_a_single_bit_of_a_state() {
        let state = State { time: 1.0, ..State::default() };
        let mut other = state.clone();
        other.time = f64::from_bits(other.time.to_bits() + 1);
        assert_eq!(state_hash(&state), hash_bytes(&postcard::to_stdvec(&state).unwrap()));
        assert_ne!(state_hash(&state), state_hash(&other));
    }
}
