//! A scene that lives on a device: its arrays, and the launches of a step.

use cubecl::prelude::*;
use drystone_collide::gpu::{
    ANCHOR_WORDS, BodyArrays, CELL_WORDS, DeviceCollide, MOTION_WORDS, OVERFLOW, PAIR_DEMAND, PAIR_WORDS, PLACE_WORDS,
    TOO_MANY_PAIRS,
};
use drystone_device::primitives::{RadixSort, Scan};
use drystone_device::{Buffer, DeviceError, Gpu, Phases, UNITS};
use drystone_model::Model;

use super::graph::{color_keys, color_round, color_starts, guess, list_contacts};
use super::layout::*;
use super::motion::{finish, land, predict};
use super::rows::{RowScalarsLaunch, build_rows};
use super::sweep::{dual_step, measure, sweep_color, sweep_small};
use super::tables::Tables;
use super::transfer::{Changes, Patch, change_bodies};
use crate::resident::{Figures, Memory};

/// Rounds of colouring at first; pairs of rounds, so that the colours end where they began.
const ROUNDS: u32 = 16;
/// Colours that are swept at first.
const FIRST_COLORS: u32 = 12;
/// Most colours: bits of the mask that a body finds a free one in.
const MOST_COLORS: u32 = 64;
/// Bodies of scenes that one workgroup sweeps by itself: with four bodies a unit, or fewer in a colour than units, launches would cost more.
const SMALL: usize = 1024;
/// Colours that are swept beyond those of the step before: one more is no reason to take a step again.
const SPARE_COLORS: u32 = 2;
/// Workgroups that measure a step.
const MEASURERS: u32 = 64;
/// Colours that sorting tells apart, and one.
const COLOR_STARTS: usize = 257;
const COLOR_BITS: u32 = 8;

/// A scene on a device.
pub struct Resident<R: Runtime> {
    gpu: Gpu<R>,
    collide: DeviceCollide,
    slots: usize,
    tables: Tables,
    /// Offset, orientation and velocities of every body, and its cell.
    motion: Buffer<f32>,
    cell: Buffer<i32>,
    /// Acceleration over the step before.
    last: Buffer<f32>,
    /// Bodies whose velocity was set from outside.
    jolted: Buffer<u32>,
    /// Forces and torques of the user.
    force: Buffer<f32>,
    frame: Buffer<f32>,
    aim: Buffer<f32>,
    inverse: Buffer<f32>,
    delta: Buffer<f32>,
    ended: Buffer<f32>,
    row: Buffer<f32>,
    dual: Buffer<f32>,
    ends: Buffer<u32>,
    disagreement: Buffer<f32>,
    /// What points remember, of two steps.
    memory: [Buffer<f32>; 2],
    degree: Buffer<u32>,
    first: Buffer<u32>,
    entry: Buffer<u32>,
    color: [Buffer<u32>; 2],
    key: Buffer<u32>,
    listed: Buffer<u32>,
    color_start: Buffer<u32>,
    flags: Buffer<u32>,
    figure: Buffer<f32>,
    scan: Scan,
    sort: RadixSort,
    rounds: u32,
    colors: u32,
    /// Steps taken since the scene came to the device.
    taken: u32,
    growth: u32,
    /// Scenes of up to so many bodies are swept by one workgroup.
    small: usize,
    phases: Phases,
}

impl<R: Runtime> Resident<R> {
    /// Takes a model to a device, with room for so many pairs of shapes.
    pub fn new(gpu: &Gpu<R>, model: &Model, capacity: usize) -> Self {
        let slots = model.body_count() + 1;
        let tables = Tables::new(gpu, model);
        let capacity = capacity.max(1);
        let collide = DeviceCollide::new(gpu, model, &tables.shape_material, capacity);
        let bodies = |words: u32| Buffer::<f32>::new(gpu, slots * words as usize);
        let pairs = |words: u32| Buffer::<f32>::new(gpu, capacity * words as usize);
        // What never moves is never told where it is; an orientation it must have.
        let mut still = [0.0; MOTION_WORDS as usize];
        still[6] = 1.0;
        let zeros = |words: u32| Buffer::from_slice(gpu, &vec![0.0_f32; slots * words as usize]);
        Self {
            gpu: gpu.clone(),
            collide,
            slots,
            tables,
            motion: Buffer::from_slice(gpu, &still.repeat(slots)),
            cell: Buffer::from_slice(gpu, &vec![0; slots * CELL_WORDS as usize]),
            last: zeros(SIX_WORDS),
            jolted: Buffer::from_slice(gpu, &vec![0; slots]),
            force: zeros(SIX_WORDS),
            frame: bodies(PLACE_WORDS),
            aim: bodies(AIM_WORDS),
            inverse: bodies(INVERSE_WORDS),
            delta: bodies(SIX_WORDS),
            ended: bodies(END_WORDS),
            row: pairs(ROW_WORDS),
            dual: pairs(DUAL_WORDS),
            ends: Buffer::new(gpu, 2 * capacity),
            disagreement: pairs(2),
            memory: [pairs(MEMORY_WORDS), pairs(MEMORY_WORDS)],
            degree: Buffer::new(gpu, slots),
            first: Buffer::new(gpu, slots + 1),
            entry: Buffer::new(gpu, 2 * capacity),
            color: [Buffer::new(gpu, slots), Buffer::new(gpu, slots)],
            key: Buffer::new(gpu, slots),
            listed: Buffer::new(gpu, slots),
            color_start: Buffer::from_slice(gpu, &[0; COLOR_STARTS]),
            flags: Buffer::from_slice(gpu, &[0; FLAG_WORDS]),
            figure: Buffer::new(gpu, 2 * MEASURERS as usize),
            scan: Scan::default(),
            sort: RadixSort::new(gpu),
            rounds: ROUNDS,
            colors: FIRST_COLORS,
            taken: 0,
            growth: 0,
            small: SMALL,
            phases: Phases::default(),
        }
    }

    /// Takes `count` steps of `h` seconds with so many sweeps each. Where a list was too short it is made longer, and the steps that were
    /// not taken for it are taken then.
    pub fn steps(&mut self, count: u32, h: f32, sweeps: u32) -> Result<(), DeviceError> {
        let goal = self.taken + count;
        while self.taken < goal {
            for step in self.taken..goal {
                self.launch(step, h, sweeps)?;
            }
            let flags = self.flags.read(&self.gpu)?;
            self.taken = flags[STEPS as usize];
            if flags[OVERFLOW as usize] != 0 {
                self.make_room(&flags)?;
            } else {
                self.colors = self.colors.min(flags[COLORS as usize] + SPARE_COLORS);
            }
        }
        Ok(())
    }

    fn make_room(&mut self, flags: &[u32]) -> Result<(), DeviceError> {
        self.growth += 1;
        match flags[OVERFLOW as usize] {
            TOO_MANY_PAIRS => self.grow(2 * flags[PAIR_DEMAND as usize] as usize),
            TOO_FEW_ROUNDS => self.rounds *= 2,
            _ if self.colors >= MOST_COLORS => {
                let reason =
                    format!("bodies would need more than {MOST_COLORS} colours: one of them touches too many others");
                return Err(DeviceError::Failed(reason));
            }
            _ => self.colors = (2 * self.colors).min(MOST_COLORS),
        }
        let mut cleared = [0; FLAG_WORDS];
        cleared[STEPS as usize] = self.taken;
        self.flags.upload(&self.gpu, &cleared);
        Ok(())
    }

    fn grow(&mut self, capacity: usize) {
        let gpu = &self.gpu;
        self.collide.grow(gpu, capacity);
        let pairs = |words: u32| Buffer::<f32>::new(gpu, capacity * words as usize);
        (self.row, self.dual, self.disagreement) = (pairs(ROW_WORDS), pairs(DUAL_WORDS), pairs(2));
        self.ends = Buffer::new(gpu, 2 * capacity);
        self.entry = Buffer::new(gpu, 2 * capacity);
        self.memory.iter_mut().for_each(|memory| memory.grow(gpu, capacity * MEMORY_WORDS as usize));
    }

    /// All launches of a step; nothing waits unless phases are measured.
    fn launch(&mut self, step: u32, h: f32, sweeps: u32) -> Result<(), DeviceError> {
        let now = (step % 2) as usize;
        let mut phases = std::mem::take(&mut self.phases);
        let gpu = self.gpu.clone();
        phases.measure(&gpu, "predict", || self.predict(h))?;
        phases.measure(&gpu, "pairs", || {
            let Self { gpu, collide, cell, frame, motion, flags, .. } = self;
            collide.pairs(gpu, BodyArrays { cell, frame, motion, flags }, now, h);
        })?;
        phases.measure(&gpu, "contacts", || {
            let Self { gpu, collide, cell, frame, motion, flags, .. } = self;
            collide.contacts(gpu, BodyArrays { cell, frame, motion, flags }, now, h);
        })?;
        phases.measure(&gpu, "rows", || self.rows(now, h))?;
        phases.measure(&gpu, "graph", || self.graph(now, h))?;
        if self.slots <= self.small {
            phases.measure(&gpu, "sweeps", || self.sweep_small(now, sweeps, false))?;
        } else {
            for sweep in 0..sweeps {
                phases.measure(&gpu, "bodies", || self.sweep(now, false))?;
                phases.measure(&gpu, "dual", || self.dual(now, sweep + 1 == sweeps))?;
            }
        }
        phases.measure(&gpu, "finish", || self.finish(now, h))?;
        self.phases = phases;
        Ok(())
    }

    /// Takes steps with every phase measured by itself, for which the host waits after each; seconds spent in them.
    pub fn profile(&mut self, count: u32, h: f32, sweeps: u32) -> Result<Vec<(&'static str, f64)>, DeviceError> {
        self.phases = Phases::measuring();
        self.steps(count, h, sweeps)?;
        Ok(std::mem::take(&mut self.phases).seconds().to_vec())
    }

    fn predict(&self, h: f32) {
        predict::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(self.slots),
            CubeDim::new_1d(UNITS),
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.inverse.arg(),
            self.delta.arg(),
            self.degree.arg(),
            self.slots as u32,
            h,
        );
    }

    fn rows(&self, now: usize, h: f32) {
        let Self { collide, tables, .. } = self;
        let remembered = &collide.remembered[now];
        build_rows::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(collide.capacity),
            CubeDim::new_1d(UNITS),
            collide.shapes.info.arg(),
            collide.place.arg(),
            self.frame.arg(),
            self.motion.arg(),
            tables.kind.arg(),
            tables.mass.arg(),
            self.inverse.arg(),
            self.last.arg(),
            self.jolted.arg(),
            tables.material.arg(),
            remembered.start.arg(),
            collide.owner.arg(),
            collide.other.arg(),
            remembered.pair.arg(),
            collide.contact.arg(),
            collide.matched.arg(),
            self.memory[1 - now].arg(),
            self.memory[now].arg(),
            self.row.arg(),
            self.dual.arg(),
            self.ends.arg(),
            self.disagreement.arg(),
            self.degree.arg(),
            self.flags.arg(),
            RowScalarsLaunch::new(h, tables.total_mass, collide.shapes.count as u32, tables.materials),
        );
    }

    fn graph(&mut self, now: usize, h: f32) {
        let (slots, dim) = (self.slots as u32, CubeDim::new_1d(UNITS));
        self.scan.exclusive(&self.gpu, &self.degree, &mut self.first);
        let (client, cubes) = (self.gpu.client(), || self.gpu.cubes_for(self.slots));
        let remembered = &self.collide.remembered[now];
        list_contacts::launch::<R>(
            client,
            self.gpu.cubes_for(self.collide.capacity),
            dim,
            self.tables.kind.arg(),
            remembered.start.arg(),
            remembered.pair.arg(),
            self.ends.arg(),
            self.first.arg(),
            self.degree.arg(),
            self.entry.arg(),
            self.flags.arg(),
            self.collide.shapes.count as u32,
        );
        guess::launch::<R>(
            client,
            cubes(),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.last.arg(),
            self.disagreement.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.color[0].arg(),
            slots,
            h,
        );
        for round in 0..self.rounds {
            let side = (round % 2) as usize;
            color_round::launch::<R>(
                client,
                cubes(),
                dim,
                self.tables.kind.arg(),
                self.first.arg(),
                self.entry.arg(),
                self.ends.arg(),
                self.color[side].arg(),
                self.color[1 - side].arg(),
                slots,
            );
        }
        color_keys::launch::<R>(
            client,
            cubes(),
            dim,
            self.tables.kind.arg(),
            self.color[0].arg(),
            self.key.arg(),
            self.listed.arg(),
            self.flags.arg(),
            slots,
            self.colors,
        );
        self.sort.sort(&self.gpu, &mut self.key, &mut self.listed, COLOR_BITS);
        color_starts::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.key.arg(),
            self.color_start.arg(),
            self.flags.arg(),
            slots,
        );
    }

    fn sweep(&self, now: usize, pushing: bool) {
        for color in 0..self.colors {
            sweep_color::launch::<R>(
                self.gpu.client(),
                self.gpu.cubes_for(self.slots),
                CubeDim::new_1d(UNITS),
                self.listed.arg(),
                self.color_start.arg(),
                self.first.arg(),
                self.entry.arg(),
                self.ends.arg(),
                self.collide.remembered[now].pair.arg(),
                self.row.arg(),
                self.dual.arg(),
                self.aim.arg(),
                self.delta.arg(),
                self.flags.arg(),
                color,
                pushing,
            );
        }
    }

    fn dual(&self, now: usize, last: bool) {
        dual_step::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(self.collide.capacity),
            CubeDim::new_1d(UNITS),
            self.collide.remembered[now].start.arg(),
            self.collide.remembered[now].pair.arg(),
            self.ends.arg(),
            self.delta.arg(),
            self.row.arg(),
            self.dual.arg(),
            self.memory[now].arg(),
            self.flags.arg(),
            self.collide.shapes.count as u32,
            u32::from(last),
        );
    }

    fn sweep_small(&self, now: usize, sweeps: u32, pushing: bool) {
        sweep_small::launch::<R>(
            self.gpu.client(),
            CubeCount::Static(1, 1, 1),
            CubeDim::new_1d(UNITS),
            self.listed.arg(),
            self.color_start.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.ends.arg(),
            self.collide.remembered[now].start.arg(),
            self.collide.remembered[now].pair.arg(),
            self.row.arg(),
            self.dual.arg(),
            self.memory[now].arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.flags.arg(),
            self.collide.shapes.count as u32,
            self.colors,
            sweeps,
            pushing,
        );
    }

    fn finish(&self, now: usize, h: f32) {
        let (client, dim, slots) = (self.gpu.client(), CubeDim::new_1d(UNITS), self.slots as u32);
        land::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.first.arg(),
            self.ended.arg(),
            slots,
            h,
        );
        match self.slots <= self.small {
            true => self.sweep_small(now, 1, true),
            false => self.sweep(now, true),
        }
        finish::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.delta.arg(),
            self.ended.arg(),
            self.motion.arg(),
            self.cell.arg(),
            self.last.arg(),
            self.jolted.arg(),
            self.flags.arg(),
            slots,
            h,
        );
    }

    /// Sweeps with a launch for every colour, or by one workgroup, whatever the size.
    #[cfg(test)]
    pub fn set_small(&mut self, small: bool) {
        self.small = if small { usize::MAX } else { 0 };
    }

    /// Contacts are found up to this distance in any case \[m\].
    pub fn set_margin(&mut self, margin: f32) {
        self.collide.margin = margin;
    }

    /// Makes room for so many pairs of shapes before they are needed.
    pub fn reserve(&mut self, pairs: usize) {
        if pairs > self.collide.capacity {
            self.grow(pairs);
        }
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

    /// Poses and velocities, and cells.
    pub fn read_motion(&self) -> Result<(Vec<f32>, Vec<i32>), DeviceError> {
        Ok((self.motion.read(&self.gpu)?, self.cell.read(&self.gpu)?))
    }

    /// Which of the two sides remembers the last step.
    fn side(&self) -> usize {
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
        let part =
            |buffer: &Buffer<f32>, words: u32| buffer.read(gpu).map(|all| all[..pairs * words as usize].to_vec());
        Ok(Memory {
            motion: self.motion.read(gpu)?,
            cell: self.cell.read(gpu)?,
            last: self.last.read(gpu)?,
            jolted: self.jolted.read(gpu)?,
            pair: remembered.pair.read(gpu)?[..pairs * PAIR_WORDS as usize].to_vec(),
            anchor: part(&remembered.anchor, ANCHOR_WORDS)?,
            memory: part(&self.memory[side], MEMORY_WORDS)?,
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
    pub fn put_back(&mut self, memory: &Memory) {
        let pairs = memory.start.last().copied().unwrap_or(0) as usize;
        if pairs > self.collide.capacity {
            self.grow(2 * pairs);
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

impl<R: Runtime> std::fmt::Debug for Resident<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resident").field("device", &self.gpu.name()).field("slots", &self.slots).finish_non_exhaustive()
    }
}
