//! Saving and restoring what the pipeline remembers between steps.

use drystone_model::Contacts;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::contact_cache::ContactCache;
use crate::pipeline::Collide;

/// Why a snapshot could not be restored. The pipeline is left as it was.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RestoreError {
    /// The bytes are not a snapshot, or of another version.
    #[error("the collision state is damaged or of another version: {0}; start the run anew")]
    Damaged(String),
    /// The snapshot names shapes that the model does not have.
    #[error(
        "the collision state knows shape {shape}, but the model has {count}; restore it with the model it was saved with"
    )]
    OtherModel {
        /// A shape of the snapshot.
        shape: u64,
        /// Shapes of the model.
        count: usize,
    },
}

#[derive(Serialize)]
struct Saved<'a> {
    contacts: &'a Contacts,
    memory: &'a ContactCache,
}

#[derive(Deserialize)]
struct Restored {
    contacts: Contacts,
    memory: ContactCache,
}

impl Collide {
    /// Everything the pipeline remembers between steps, so that a run resumes bit for bit.
    pub fn snapshot(&self) -> Vec<u8> {
        postcard::to_stdvec(&Saved { contacts: &self.contacts, memory: &self.now }).unwrap_or_default()
    }

    /// Puts back what [`Collide::snapshot`] gave, for the same model.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let saved: Restored = postcard::from_bytes(bytes).map_err(|error| RestoreError::Damaged(error.to_string()))?;
        if !saved.memory.fits(&saved.contacts) {
            return Err(RestoreError::Damaged("its parts do not fit each other".into()));
        }
        let count = self.shape_count();
        if let Some(key) = saved.memory.pair_key.iter().find(|&&key| (key & 0xffff_ffff) >= count as u64) {
            return Err(RestoreError::OtherModel { shape: key & 0xffff_ffff, count });
        }
        self.contacts = saved.contacts;
        self.now = saved.memory;
        self.last_dt = None;
        Ok(())
    }

    /// Forgets the history of a world, as after teleporting its bodies: the next detection matches none of
    /// its points.
    pub fn reset_world(&mut self, world: u32) {
        if !self.now.forgotten.contains(&world) {
            self.now.forgotten.push(world);
        }
    }
}
