//! What the host sets, reads and keeps of a scene on a device.

use cubecl::prelude::*;
use drystone_collide::gpu::{ANCHOR_WORDS, CELL_WORDS, MOTION_WORDS, PAIR_WORDS};
use drystone_device::{Buffer, DeviceError, UNITS};

use super::super::layout::*;
use super::super::measure::measure;
use super::super::transfer::{Changes, Patch, change_bodies};
use super::{MEASURERS, Resident};
use crate::resident::{Figures, Memory};

impl<R: Runtime> Resident<R> {
    /// Sweeps with a launch for every colour, or by one workgroup, whatever the size.
    #[cfg(test)]
    pub fn set_small(&mut self, small: bool) {
        self.small = if small { usize::MAX } else { 0 };
    }

    /// Takes dual steps in launches of their own, or in those of the bodies.
    #[cfg(test)]
    pub fn set_apart(&mut self, apart: bool) {
        self.apart = apart;
    }

    /// Ends of the manifolds with points, the leader of every body, whether something holds it, and the sums of the islands, of the last step.
    #[cfg(test)]
    pub fn island_words(&self) -> Result<[Vec<u32>; 4], DeviceError> {
        let gpu = &self.gpu;
        let count = self.collide.touching_count.read(gpu)?[0] as usize;
        let ends = self.ends.read(gpu)?;
        let touching = self.collide.touching.read_first(gpu, count)?;
        let ends = touching.iter().flat_map(|&pair| [ends[2 * pair as usize], ends[2 * pair as usize + 1]]).collect();
        Ok([ends, self.label.read(gpu)?, self.supported.read(gpu)?, self.island.read(gpu)?])
    }

    /// Contacts are found up to this distance in any case \[m\].
    pub fn set_margin(&mut self, margin: f32) {
        self.collide.margin = margin;
    }

    /// Makes room for so many pairs of shapes before they are needed.
    pub fn reserve(&mut self, pairs: usize) -> Result<(), DeviceError> {
        if pairs > self.collide.capacity { self.grow(pairs) } else { Ok(()) }
    }

    /// Tells where bodies are, roughly, for the search to be fast.
    pub fn set_extent(&mut self, low: [f32; 3], high: [f32; 3]) {
        self.collide.set_extent(low, high);
    }

    /// Replaces poses and velocities of some bodies; those that got another velocity forget what their contacts bore.
    pub fn patch(&mut self, changes: &Changes) {
        if changes.slot.is_empty() {
            return;
        }
        let gpu = &self.gpu;
        let Patch { slot, motion, cell, jolted } = Patch::new(gpu, changes);
        change_bodies::launch::<R>(
            gpu.client(),
            gpu.cubes_for(changes.slot.len()),
            CubeDim::new_1d(UNITS),
            slot.arg(),
            motion.arg(),
            cell.arg(),
            jolted.arg(),
            self.motion.arg(),
            self.cell.arg(),
            self.jolted.arg(),
            changes.slot.len() as u32,
        );
    }

    /// Sets forces and torques of the user, eight numbers a body.
    pub fn set_forces(&mut self, forces: &[f32]) {
        self.force.upload(&self.gpu, forces);
    }

    /// Shows poses and velocities, and cells.
    pub fn look_at_motion(&self, look: impl FnOnce(&[f32], &[i32])) -> Result<(), DeviceError> {
        self.motion.look(&self.gpu, |motion| self.cell.look(&self.gpu, |cell| look(motion, cell)))?
    }

    /// Which of the two sides remembers the last step.
    pub(super) fn side(&self) -> usize {
        (1 - self.taken % 2) as usize
    }

    /// Figures of the last step.
    pub fn figures(&self) -> Result<Figures, DeviceError> {
        let side = self.side();
        measure::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes(MEASURERS as usize),
            CubeDim::new_1d(UNITS),
            self.collide.remembered[side].start.arg(),
            self.collide.remembered[side].pair.arg(),
            self.ends.arg(),
            self.delta.arg(),
            self.row.arg(),
            self.dual.arg(),
            self.figure.arg(),
            self.collide.shapes.count as u32,
            MEASURERS,
            UNITS,
        );
        let figure = self.figure.read(&self.gpu)?;
        let flags = self.flags.read(&self.gpu)?;
        let (depths, points) = figure.split_at(MEASURERS as usize);
        Ok(Figures {
            max_penetration: depths.iter().copied().fold(0.0, f32::max),
            contact_count: points.iter().map(|&points| points as usize).sum(),
            colors: flags[COLORS as usize],
            growth: self.growth,
        })
    }

    /// Everything that the next step depends on.
    pub fn memory(&self) -> Result<Memory, DeviceError> {
        let (gpu, side) = (&self.gpu, self.side());
        let remembered = &self.collide.remembered[side];
        let start = remembered.start.read(gpu)?;
        let pairs = start.last().copied().unwrap_or(0) as usize;
        let pair = remembered.pair.read_first(gpu, pairs * PAIR_WORDS as usize)?;
        let counts = || pair.chunks_exact(PAIR_WORDS as usize).map(|pair| pair[2] as usize);
        // Words of points that are not there were never written: what they hold is no part of the scene.
        let part = |buffer: &Buffer<f32>, words: u32, head: usize, each: usize| {
            let mut all = buffer.read_first(gpu, pairs * words as usize)?;
            for (words, count) in all.chunks_exact_mut(words as usize).zip(counts()) {
                words[head + count * each..].fill(0.0);
                words[3.min(head)..head].fill(0.0);
            }
            Ok::<_, DeviceError>(all)
        };
        let anchor = part(&remembered.anchor, ANCHOR_WORDS, 4, 6)?;
        let memory = part(&self.memory[side], MEMORY_WORDS, 0, 16)?;
        Ok(Memory {
            motion: self.motion.read(gpu)?,
            cell: self.cell.read(gpu)?,
            last: self.last.read(gpu)?,
            jolted: self.jolted.read(gpu)?,
            anchor,
            memory,
            pair,
            start,
        })
    }

    /// Whether a memory is one of this model.
    pub fn fits(&self, memory: &Memory) -> bool {
        let pairs = memory.start.last().copied().unwrap_or(0) as usize;
        let words = |words: u32| self.slots * words as usize;
        memory.start.len() == self.collide.shapes.count + 1
            && memory.start.is_sorted()
            && memory.motion.len() == words(MOTION_WORDS)
            && memory.cell.len() == words(CELL_WORDS)
            && memory.last.len() == words(SIX_WORDS)
            && memory.jolted.len() == self.slots
            && memory.pair.len() == pairs * PAIR_WORDS as usize
            && memory.anchor.len() == pairs * ANCHOR_WORDS as usize
            && memory.memory.len() == pairs * MEMORY_WORDS as usize
    }

    /// Puts back what [`Resident::memory`] gave, or begins with what the CPU left; poses and velocities stay where it has none.
    pub fn put_back(&mut self, memory: &Memory) -> Result<(), DeviceError> {
        let pairs = memory.start.last().copied().unwrap_or(0) as usize;
        if pairs > self.collide.capacity {
            self.grow(2 * pairs)?;
        }
        self.taken = 0;
        let (capacity, side) = (self.collide.capacity, self.side());
        let gpu = &self.gpu;
        let padded = |words: &[f32], each: u32| {
            let mut all = words.to_vec();
            all.resize(capacity * each as usize, 0.0);
            Buffer::from_slice(gpu, &all)
        };
        if !memory.motion.is_empty() {
            self.motion.upload(gpu, &memory.motion);
            self.cell.upload(gpu, &memory.cell);
        }
        self.last.upload(gpu, &memory.last);
        self.jolted.upload(gpu, &memory.jolted);
        let remembered = &mut self.collide.remembered[side];
        remembered.start.upload(gpu, &memory.start);
        let mut pair = memory.pair.clone();
        pair.resize(capacity * PAIR_WORDS as usize, 0);
        remembered.pair.upload(gpu, &pair);
        remembered.anchor = padded(&memory.anchor, ANCHOR_WORDS);
        self.memory[side] = padded(&memory.memory, MEMORY_WORDS);
        self.flags.upload(gpu, &[0; FLAG_WORDS]);
        Ok(())
    }

    /// The device in words.
    pub fn name(&self) -> &str {
        self.gpu.name()
    }

    /// Waits until everything launched is done.
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.gpu.sync()
    }
}
