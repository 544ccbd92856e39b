//! A scene that lives on a device: its arrays, and the steps taken there.

mod host;
mod phases;
mod told;

use cubecl::prelude::*;
use drystone_collide::gpu::{
    BodyArrays, CELL_WORDS, DeviceCollide, MOTION_WORDS, OVERFLOW, PAIR_DEMAND, PLACE_WORDS, TOO_MANY_PAIRS,
};
use drystone_device::primitives::Scan;
use drystone_device::{Buffer, DeviceError, Gpu, Phases};
use drystone_model::Model;

use super::layout::*;
use super::tables::Tables;
use told::Owners;

/// Launches of colouring at first, and rounds within each. Workgroups that do not run side by side need another launch to see each other.
const COLORINGS: u32 = 3;
const ROUNDS: u32 = 16;
/// Launches of colouring beyond which something is wrong.
const MOST_COLORINGS: u32 = 1024;
/// Colours with a launch of their own before it is known how many bodies they have.
const FIRST_HEAVY: u32 = 8;
/// Bodies of scenes that one workgroup sweeps by itself: with four bodies a unit, or fewer in a colour than units, launches would cost more.
const SMALL: usize = 1024;
/// Steps after which the host looks whether lists are about to be too short: steps that are launched beyond one would be for nothing.
const LOOK_EVERY: u32 = 20;
/// Pairs from which on less room is made ahead.
const MANY_PAIRS: usize = 4_000_000;
/// Most pairs: their rows are numbered by words of 32 bits.
const MOST_PAIRS: usize = (u32::MAX / ROW_WORDS) as usize;
/// Workgroups that measure a step.
const MEASURERS: u32 = 64;

/// A scene on a device.
pub struct Resident<R: Runtime> {
    gpu: Gpu<R>,
    collide: DeviceCollide,
    slots: usize,
    tables: Tables,
    owners: Owners,
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
    /// The body that every body follows: in the end the leader of its island.
    parent: Buffer<u32>,
    label: Buffer<u32>,
    /// Bodies that touch something that does not move by forces, and leaders of their islands.
    held: Buffer<u32>,
    supported: Buffer<u32>,
    /// Sums of every island, and of those that nothing holds.
    island: Buffer<u32>,
    whole: Buffer<u32>,
    row: Buffer<f32>,
    dual: Buffer<f32>,
    ends: Buffer<u32>,
    disagreement: Buffer<f32>,
    /// What points remember, of two steps.
    memory: [Buffer<f32>; 2],
    degree: Buffer<u32>,
    /// Bodies with overlaps to be taken back.
    overlapping: Buffer<u32>,
    first: Buffer<u32>,
    entry: Buffer<u32>,
    /// Other body of every entry and how many points they share.
    neighbour: Buffer<u32>,
    color: Buffer<u32>,
    /// Bodies of every colour, and how many of them are listed.
    color_count: Buffer<u32>,
    listed: Buffer<u32>,
    flags: Buffer<u32>,
    figure: Buffer<f32>,
    scan: Scan,
    colorings: u32,
    /// Colours that have a launch of their own.
    heavy: u32,
    /// How many bodies had each when the host looked last.
    color_sizes: Vec<u32>,
    /// Room to be made for pairs before the next step.
    ahead: Option<usize>,
    /// Steps taken since the scene came to the device.
    taken: u32,
    growth: u32,
    /// Scenes of up to so many bodies are swept by one workgroup.
    small: usize,
    /// Whether the dual step is a launch of its own, for tests.
    #[cfg(test)]
    apart: bool,
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
            owners: Owners::new(model),
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
            parent: Buffer::new(gpu, slots),
            label: Buffer::new(gpu, slots),
            held: Buffer::new(gpu, slots),
            supported: Buffer::new(gpu, slots),
            island: Buffer::new(gpu, slots * ISLAND_WORDS as usize),
            whole: Buffer::new(gpu, slots * WHOLE_WORDS as usize),
            row: pairs(ROW_WORDS),
            dual: pairs(DUAL_WORDS),
            ends: Buffer::new(gpu, 2 * capacity),
            disagreement: pairs(2),
            memory: [pairs(MEMORY_WORDS), pairs(MEMORY_WORDS)],
            degree: Buffer::new(gpu, slots),
            overlapping: Buffer::new(gpu, slots),
            first: Buffer::new(gpu, slots + 1),
            entry: Buffer::new(gpu, 2 * capacity),
            neighbour: Buffer::new(gpu, 2 * capacity),
            color: Buffer::new(gpu, slots),
            color_count: Buffer::new(gpu, 2 * MOST_COLORS as usize),
            listed: Buffer::new(gpu, slots),
            flags: Buffer::from_slice(gpu, &[0; FLAG_WORDS]),
            figure: Buffer::new(gpu, 2 * MEASURERS as usize),
            scan: Scan::default(),
            colorings: if slots <= SMALL { 1 } else { COLORINGS },
            heavy: FIRST_HEAVY,
            color_sizes: Vec::new(),
            ahead: None,
            taken: 0,
            growth: 0,
            small: SMALL,
            #[cfg(test)]
            apart: false,
            phases: Phases::default(),
        }
    }

    /// Takes `count` steps of `h` seconds with so many sweeps each. Where a list was too short it is made longer, and the steps that were
    /// not taken for it are taken then.
    pub fn steps(&mut self, count: u32, h: f32, sweeps: u32) -> Result<(), DeviceError> {
        let goal = self.taken + count;
        while self.taken < goal {
            if let Some(room) = self.ahead.take() {
                // Where that much does not fit, what there is may still do.
                let _ = self.grow(room);
            }
            for step in self.taken..goal.min(self.taken + LOOK_EVERY) {
                self.launch(step, h, sweeps)?;
            }
            let flags = self.flags.read(&self.gpu)?;
            self.taken = flags[STEPS as usize];
            if flags[OVERFLOW as usize] != 0 {
                self.make_room(&flags)?;
            } else {
                self.look_ahead(&flags);
            }
        }
        Ok(())
    }

    /// Suits launches to what the last step had, and sees to it that room is made before there is none: not yet, because what the last step left is
    /// still to be read.
    fn look_ahead(&mut self, flags: &[u32]) {
        self.heavy = flags[HEAVY_COLORS as usize];
        self.color_sizes = flags[COLOR_STARTS as usize..].windows(2).map(|two| two[1] - two[0]).collect();
        let pairs = flags[PAIR_DEMAND as usize] as usize;
        if pairs > self.collide.capacity / 4 * 3 {
            self.ahead = room_for(pairs).ok();
        }
    }

    fn make_room(&mut self, flags: &[u32]) -> Result<(), DeviceError> {
        self.growth += 1;
        match flags[OVERFLOW as usize] {
            TOO_MANY_PAIRS => self.grow(room_for(flags[PAIR_DEMAND as usize] as usize)?)?,
            TOO_FEW_ROUNDS if self.colorings < MOST_COLORINGS => self.colorings *= 2,
            TOO_FEW_ROUNDS => return Err(DeviceError::Failed("bodies found no colours".into())),
            _ => {
                let reason =
                    format!("bodies would need more than {MOST_COLORS} colours: one of them touches too many others");
                return Err(DeviceError::Failed(reason));
            }
        }
        let mut cleared = [0; FLAG_WORDS];
        cleared[STEPS as usize] = self.taken;
        self.flags.upload(&self.gpu, &cleared);
        Ok(())
    }

    fn grow(&mut self, capacity: usize) -> Result<(), DeviceError> {
        let gpu = &self.gpu;
        let bytes = |count: usize, words: u32| 4 * count as u64 * u64::from(words);
        gpu.check_room(
            || format!("{} bodies and room for {capacity} pairs of shapes near each other", self.slots),
            bytes(capacity, ROW_WORDS),
            bytes(capacity, PAIR_MEMORY) + bytes(self.slots, BODY_MEMORY),
        )?;
        self.collide.grow(gpu, capacity);
        let pairs = |words: u32| Buffer::<f32>::new(gpu, capacity * words as usize);
        (self.row, self.dual, self.disagreement) = (pairs(ROW_WORDS), pairs(DUAL_WORDS), pairs(2));
        self.ends = Buffer::new(gpu, 2 * capacity);
        self.entry = Buffer::new(gpu, 2 * capacity);
        self.neighbour = Buffer::new(gpu, 2 * capacity);
        self.memory.iter_mut().for_each(|memory| memory.grow(gpu, capacity * MEMORY_WORDS as usize));
        Ok(())
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
        phases.measure(&gpu, "islands", || self.islands(now, h))?;
        phases.measure(&gpu, "rows", || self.rows(now, h))?;
        phases.measure(&gpu, "graph", || self.graph(now, h))?;
        phases.measure(&gpu, "sweeps", || self.sweeps(now, sweeps))?;
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
}

/// Room for so many pairs and some more: twice as many, or half as many again where a pair more is gigabytes.
fn room_for(pairs: usize) -> Result<usize, DeviceError> {
    let room = if pairs < MANY_PAIRS { 2 * pairs } else { pairs + pairs / 2 };
    if pairs > MOST_PAIRS {
        let reason = format!("{pairs} pairs of shapes are near each other; a device takes {MOST_PAIRS}");
        return Err(DeviceError::Failed(reason));
    }
    Ok(room.min(MOST_PAIRS))
}

impl<R: Runtime> std::fmt::Debug for Resident<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resident").field("device", &self.gpu.name()).field("slots", &self.slots).finish_non_exhaustive()
    }
}
