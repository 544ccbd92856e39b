//! Checkpoints: everything a run needs to go on bit for bit, also in another process.
//!
//! Layout: eight magic bytes, the body in postcard, eight bytes of hash over all before. The hash
//! is there so that a truncated or damaged file is refused instead of resumed wrongly.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use drystone_model::hash::hash;
use drystone_model::{Control, Model, Pose, ShapeId, State};
use drystone_solve::{Refusal, SnapshotError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::advance::Pace;
use crate::atomic::{WriteError, atomic_write};
use crate::ids::Ids;

const MAGIC: &[u8; 8] = b"DRYSTONE";
const HASH_LEN: usize = 8;

/// Version of the layout; raised when it changes.
pub const CHECKPOINT_VERSION: u32 = 10;

/// Everything that changes during a run.
///
/// ```
/// use drystone::prelude::*;
/// let model = || {
///     let mut scene = ModelBuilder::new();
///     scene.ground();
///     scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z).cuboid(DVec3::splat(0.5)).spin(DVec3::X));
///     scene.finalize()
/// };
/// let mut run = Simulation::new(model()?)?;
/// run.run(10, |_| ())?;
/// let bytes = run.checkpoint().to_bytes();
/// run.run(10, |_| ())?;
///
/// let mut resumed = Simulation::new(model()?)?;
/// resumed.resume(&Checkpoint::from_bytes(&bytes)?)?;
/// resumed.run(10, |_| ())?;
/// assert_eq!(resumed.state_hash(), run.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Version of the layout.
    pub version: u32,
    /// [`drystone_model::Model::hash`] of the model the run was built with.
    pub model_hash: u64,
    /// The model that edits have led to since, if there were any.
    pub edited: Option<EditedModel>,
    /// Name of the solver.
    pub solver: String,
    /// Time step \[s\].
    pub dt: f64,
    /// The moving part of the scene.
    pub state: State,
    /// Poses at the start of the last step, for those in between.
    pub before: Vec<Pose>,
    /// Time that was asked for and is not simulated yet.
    pub pace: Pace,
    /// What the user asked for last.
    pub control: Control,
    /// What the solver remembers.
    pub solver_snapshot: Vec<u8>,
    /// What the collision pipeline remembers.
    pub collide_snapshot: Vec<u8>,
    /// Shape pairs in touch, so that begin and end events go on where they were.
    pub touching: Vec<(u32, u32)>,
    /// Sensors with the shapes that overlap them, likewise.
    pub sensed: Vec<(ShapeId, ShapeId)>,
    /// Free for the caller, such as the progress of a scene's check.
    pub extra: Vec<u8>,
}

/// A model that was edited while it ran, with the ids of what is in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditedModel {
    /// The model.
    pub model: Model,
    pub(crate) ids: Ids,
}

/// Why a checkpoint cannot be read or does not fit.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bytes are no checkpoint.
    #[error("this is not a Drystone checkpoint (it does not begin with `DRYSTONE`)")]
    NotACheckpoint,
    /// The bytes are cut short or changed.
    #[error("the checkpoint is damaged or cut short; go back to an earlier one")]
    Damaged,
    /// Another version wrote it.
    #[error(
        "the checkpoint has layout version {found}, this build reads {expected}; resume it with the release that wrote it"
    )]
    Version {
        /// Version in the file.
        found: u32,
        /// Version this build reads.
        expected: u32,
    },
    /// It belongs to another model.
    #[error(
        "the checkpoint was taken of another model (hash {found:016x}, this one has {expected:016x}); \
         give the same scene and the same parameters as the run that wrote it"
    )]
    OtherModel {
        /// Model hash in the file.
        found: u64,
        /// Hash of the model at hand.
        expected: u64,
    },
    /// Another solver wrote it.
    #[error("the checkpoint was taken with solver `{found}`, this run uses `{expected}`; choose `{found}` to resume")]
    OtherSolver {
        /// Solver in the file.
        found: String,
        /// Solver at hand.
        expected: String,
    },
    /// The solver refuses its part.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The solver refuses the model that edits have led to.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Checkpoint {
    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        // Nothing in a checkpoint is of a kind postcard refuses; an empty body is caught on reading.
        bytes.extend(postcard::to_stdvec(self).unwrap_or_default());
        let checksum = hash(&bytes[..]);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads what [`Checkpoint::to_bytes`] gave.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CheckpointError::NotACheckpoint)?;
        let (body, checksum) = rest.split_last_chunk::<HASH_LEN>().ok_or(CheckpointError::Damaged)?;
        if hash(&bytes[..bytes.len() - HASH_LEN]) != u64::from_le_bytes(*checksum) {
            return Err(CheckpointError::Damaged);
        }
        // The version is the first field, so it is readable whatever became of the rest.
        let (version, _) = postcard::take_from_bytes::<u32>(body).map_err(|_| CheckpointError::Damaged)?;
        if version != CHECKPOINT_VERSION {
            return Err(CheckpointError::Version { found: version, expected: CHECKPOINT_VERSION });
        }
        postcard::from_bytes(body).map_err(|_| CheckpointError::Damaged)
    }

    /// Writes the checkpoint to a file; a crash in the middle leaves the old file whole.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(atomic_write(path, |file| file.write_all(&self.to_bytes()))?)
    }

    /// Reads a checkpoint from a file.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = fs::read(path).map_err(|source| CheckpointError::Read { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Checkpoint {
        Checkpoint {
            version: CHECKPOINT_VERSION,
            model_hash: 7,
            edited: None,
            solver: "vbd".into(),
            dt: 0.1,
            state: State { time: 0.3, ..State::default() },
            before: vec![Pose::IDENTITY],
            pace: Pace { lag: 0.05, ..Pace::default() },
            control: Control::default(),
            solver_snapshot: vec![1, 2, 3],
            collide_snapshot: vec![],
            touching: vec![(0, 1)],
            sensed: vec![(ShapeId(2), ShapeId(0))],
            extra: vec![],
        }
    }

    #[test]
    fn comes_back_as_it_was() {
        let checkpoint = sample();
        assert_eq!(Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap(), checkpoint);
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_refused() {
        let bytes = sample().to_bytes();
        for len in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..len]).is_err(), "cut to {len} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at} changed");
        }
    }

    #[test]
    fn another_version_is_named() {
        let other = Checkpoint { version: CHECKPOINT_VERSION + 1, ..sample() };
        let error = Checkpoint::from_bytes(&other.to_bytes()).unwrap_err();
        let named = format!("layout version {}", CHECKPOINT_VERSION + 1);
        assert!(error.to_string().contains(&named), "{error}");
    }
}
