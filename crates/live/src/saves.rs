//! Checkpoints on the way, thinned as they grow.

use crate::stage::Saved;

/// Both simulations at a step.
#[derive(Clone)]
pub struct Save {
    /// The step.
    pub step: u64,
    /// The simulation.
    pub first: Saved,
    /// The one beside it.
    pub second: Option<Saved>,
    /// Where the two have parted: step and distance \[m\].
    pub parted: Option<(u64, f64)>,
}

impl Save {
    fn size(&self) -> usize {
        self.first.size() + self.second.as_ref().map_or(0, Saved::size)
    }
}

/// Checkpoints in the order of their steps. The first is never dropped.
pub struct Saves {
    all: Vec<Save>,
    every: u64,
    most: usize,
}

impl Saves {
    /// Begins with the start of a scene.
    pub fn new(first: Save, every: u64, most: usize) -> Self {
        Self { all: vec![first], every: every.max(1), most }
    }

    /// Whether a checkpoint is due at a step.
    pub fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.every) && self.all.last().is_none_or(|last| last.step < step)
    }

    /// Keeps a checkpoint. Beyond the bytes allowed, every second but the first and the last goes.
    pub fn push(&mut self, save: Save) {
        self.all.push(save);
        while self.bytes() > self.most && self.all.len() > 2 {
            let last = self.all.len() - 1;
            let mut index = 0;
            self.all.retain(|_| {
                index += 1;
                index == 1 || index > last || (index - 1) % 2 == 0
            });
        }
    }

    /// Those before a step, the nearest first; for the start, the start.
    pub fn before(&self, step: u64) -> impl Iterator<Item = &Save> {
        let count = self.all.partition_point(|save| save.step < step).max(1);
        self.all[..count].iter().rev()
    }

    /// Forgets those after a step.
    pub fn forget_after(&mut self, step: u64) {
        self.all.retain(|save| save.step <= step);
    }

    /// Bytes kept, nearly.
    pub fn bytes(&self) -> usize {
        self.all.iter().map(Save::size).sum()
    }
}
