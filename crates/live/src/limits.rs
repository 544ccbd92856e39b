//! How much a session keeps.

/// Bounds of what a session keeps of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of frames, for a first look while going back.
    pub frame_bytes: usize,
    /// Bytes of checkpoints. Beyond, every second of the older ones is dropped, and going back takes longer.
    pub checkpoint_bytes: usize,
    /// Steps from one checkpoint to the next.
    pub checkpoint_every: u64,
    /// Steps of plotted figures.
    pub series: usize,
    /// Contacts of a frame; the others are counted.
    pub contacts: usize,
    /// Bytes of a recording made on the way.
    pub recording_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes: 128 << 20,
            checkpoint_bytes: 256 << 20,
            checkpoint_every: 60,
            series: 20_000,
            contacts: 20_000,
            recording_bytes: 1 << 30,
        }
    }
}

impl Limits {
    /// For a page, whose memory is small.
    pub fn of_page() -> Self {
        Self { frame_bytes: 16 << 20, checkpoint_bytes: 64 << 20, series: 5_000, recording_bytes: 0, ..Self::default() }
    }
}
