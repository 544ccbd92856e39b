//! What the pipeline remembers between steps, as bytes.

use drystone_model::Contacts;

use crate::memory::Memory;
use crate::pipeline::Collide;

impl Collide {
    /// Everything later detections depend on, so that a run resumes bit for bit: the contacts that
    /// new ones are matched to and the axes that separated or touched last.
    pub fn snapshot(&self) -> Vec<u8> {
        // Neither type holds anything postcard refuses; empty bytes are refused on the way back.
        postcard::to_stdvec(&(&self.contacts, &self.now)).unwrap_or_default()
    }

    /// Puts back what [`Collide::snapshot`] gave. On error nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (contacts, now): (Contacts, Memory) = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
        self.contacts = contacts;
        self.now = now;
        self.events.clear();
        Ok(())
    }
}
