//! Fingerprints of states and models, for determinism tests and checkpoints.

use std::io;

use serde::Serialize;

use crate::model::Model;
use crate::state::State;

/// 64-bit FNV-1a, fed through `io::Write`.
struct Fnv(u64);

impl io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The fingerprint of any value: FNV-1a over its postcard encoding, which writes floats as their
/// bits (so −0.0 differs from 0.0 and NaNs by their payload) and sequences with their lengths, the
/// same on every platform. Every field counts, also ones added later.
pub fn hash<T: Serialize + ?Sized>(value: &T) -> u64 {
    let fnv = Fnv(0xcbf2_9ce4_8422_2325);
    // The sink never fails and every type here has a known length, so neither does the encoder.
    postcard::to_io(value, fnv).map_or(0, |fnv| fnv.0)
}

impl State {
    /// The fingerprint of everything in the state, bit by bit.
    ///
    /// ```
    /// # use drystone_model::{BodyDef, DVec3, ModelBuilder};
    /// # let mut scene = ModelBuilder::new();
    /// # scene.add_body(BodyDef::dynamic("ball").sphere(1.0));
    /// let model = scene.finalize()?;
    /// let (a, mut b) = (model.state(), model.state());
    /// assert_eq!(a.hash(), b.hash());
    /// b.body_q[0].translation.x = -0.0;
    /// assert_ne!(a.hash(), b.hash());
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn hash(&self) -> u64 {
        hash(self)
    }
}

impl Model {
    /// The fingerprint of everything in the model, bit by bit.
    pub fn hash(&self) -> u64 {
        hash(self)
    }
}
