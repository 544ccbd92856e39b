//! The newest frames, for a first look while going back.

use std::collections::VecDeque;
use std::sync::Arc;

/// Frames by step, as many as fit into so many bytes.
pub struct History {
    frames: VecDeque<Kept>,
    bytes: usize,
    most: usize,
}

struct Kept {
    step: u64,
    look: u64,
    frame: Arc<[u8]>,
}

impl History {
    /// For at most so many bytes.
    pub fn new(most: usize) -> Self {
        Self { frames: VecDeque::new(), bytes: 0, most }
    }

    /// Whether the frame of the next step is wanted: it is new, and follows.
    pub fn wants(&self, step: u64) -> bool {
        self.most > 0 && self.frames.back().is_none_or(|last| last.step < step)
    }

    /// Keeps the frame of a step under a look of the scene; the oldest go.
    pub fn push(&mut self, step: u64, look: u64, frame: Arc<[u8]>) {
        self.bytes += frame.len();
        self.frames.push_back(Kept { step, look, frame });
        while self.bytes > self.most {
            let Some(oldest) = self.frames.pop_front() else { return };
            self.bytes -= oldest.frame.len();
        }
    }

    /// The frame of a step, if it is kept and the scene looked the same.
    pub fn get(&self, step: u64, look: u64) -> Option<Arc<[u8]>> {
        let index = self.frames.binary_search_by_key(&step, |kept| kept.step).ok()?;
        Some(&self.frames[index]).filter(|kept| kept.look == look).map(|kept| kept.frame.clone())
    }

    /// Forgets what came after a step.
    pub fn forget_after(&mut self, step: u64) {
        while let Some(last) = self.frames.back().filter(|kept| kept.step > step) {
            self.bytes -= last.frame.len();
            self.frames.pop_back();
        }
    }

    /// Bytes kept.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_within_its_bytes_and_knows_what_it_has() {
        let mut history = History::new(100);
        for step in 0..50 {
            assert!(history.wants(step));
            history.push(step, step / 40, vec![step as u8; 10].into());
        }
        assert_eq!(history.bytes(), 100);
        assert!(history.get(39, 0).is_none() && history.get(49, 0).is_none());
        assert_eq!(history.get(45, 1).unwrap()[0], 45);
        assert!(!history.wants(49));
        history.forget_after(44);
        assert!(history.get(45, 1).is_none() && history.wants(45) && history.bytes() == 50);
    }

    #[test]
    fn a_frame_larger_than_all_is_not_kept() {
        let mut history = History::new(10);
        history.push(0, 0, vec![0; 11].into());
        assert_eq!(history.bytes(), 0);
    }
}
