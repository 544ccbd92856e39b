//! Stable radix sort of keys with a payload.

use cubecl::prelude::*;

use super::scan::Scan;
use super::tile::{ITEMS, PADDED_TILE, TILE, inclusive_sum, padded, tiles, word_or};
use crate::buffer::Buffer;
use crate::gpu::{Gpu, UNITS};

/// Bits sorted per pass over the device's memory.
const BITS: u32 = 8;
/// Values of a digit.
const DIGITS: u32 = 1 << BITS;
/// Bits ranked at a time within a workgroup, so that the counters of all units fit shared memory.
const RANK_BITS: u32 = 4;
/// Rows of counters: two 16-bit counts share a word, the digits of the upper half in the upper bits.
const ROWS: u32 = 1 << (RANK_BITS - 1);
/// Words of counters.
const COUNTERS: u32 = ROWS * UNITS;

/// Stable sort of `u32` keys that takes a `u32` payload along. Keeps its scratch memory between calls.
///
/// Each pass counts the digits of every tile, sums the counts over tiles and digits, sorts each tile
/// by digit in shared memory and writes it out in runs: keys are read twice, payloads once, and both
/// are written once.
#[derive(Debug)]
pub struct RadixSort {
    scan: Scan,
    counts: Buffer<u32>,
    offsets: Buffer<u32>,
    keys: Buffer<u32>,
    payload: Buffer<u32>,
}

impl RadixSort {
    /// With scratch memory that grows at first use.
    pub fn new<R: Runtime>(gpu: &Gpu<R>) -> Self {
        let empty = || Buffer::new(gpu, 0);
        Self { scan: Scan::default(), counts: empty(), offsets: empty(), keys: empty(), payload: empty() }
    }

    /// Sorts `keys` in ascending order of their lowest `bits` bits, and `payload` along with them.
    pub fn sort<R: Runtime>(&mut self, gpu: &Gpu<R>, keys: &mut Buffer<u32>, payload: &mut Buffer<u32>, bits: u32) {
        if keys.len() < 2 {
            return;
        }
        self.keys.resize(gpu, keys.len());
        self.payload.resize(gpu, keys.len());
        for pass in 0..bits.min(u32::BITS).div_ceil(BITS) {
            self.pass(gpu, keys, payload, pass * BITS);
            std::mem::swap(keys, &mut self.keys);
            std::mem::swap(payload, &mut self.payload);
        }
    }

    fn pass<R: Runtime>(&mut self, gpu: &Gpu<R>, keys: &Buffer<u32>, payload: &Buffer<u32>, shift: u32) {
        let count = keys.len() as u32;
        let tile_count = tiles(keys.len());
        self.counts.resize(gpu, tile_count * DIGITS as usize);
        let dim = CubeDim::new_1d(UNITS);
        count_digits::launch::<R>(
            gpu.client(),
            gpu.cubes(tile_count),
            dim,
            keys.arg(),
            self.counts.arg(),
            count,
            tile_count as u32,
            shift,
        );
        self.scan.exclusive(gpu, &self.counts, &mut self.offsets);
        scatter_tiles::launch::<R>(
            gpu.client(),
            gpu.cubes(tile_count),
            dim,
            keys.arg(),
            payload.arg(),
            self.offsets.arg(),
            self.keys.arg(),
            self.payload.arg(),
            count,
            tile_count as u32,
            shift,
        );
    }
}

/// Counts by digit first, then by tile, which is the order in which the sorted items will lie.
#[cube(launch)]
fn count_digits(keys: &Array<u32>, counts: &mut Array<u32>, count: u32, tile_count: u32, shift: u32) {
    let local = SharedMemory::<Atomic<u32>>::new(DIGITS as usize);
    let mut own = Array::<u32>::new(ITEMS as usize);
    local[UNIT_POS as usize].store(0u32);
    sync_cube();
    let tile = CUBE_POS as u32;
    #[unroll]
    for k in 0..ITEMS {
        own[k as usize] = word_or(keys, tile * TILE + k * UNITS + UNIT_POS, count, 0u32);
    }
    #[unroll]
    for k in 0..ITEMS {
        if tile * TILE + k * UNITS + UNIT_POS < count {
            let digit = (own[k as usize] >> shift) & (DIGITS - 1);
            local[digit as usize].fetch_add(1u32);
        }
    }
    sync_cube();
    if tile < tile_count {
        counts[(UNIT_POS * tile_count + tile) as usize] = local[UNIT_POS as usize].load();
    }
}

#[cube(launch)]
fn scatter_tiles(
    keys: &Array<u32>,
    payload: &Array<u32>,
    offsets: &Array<u32>,
    sorted_keys: &mut Array<u32>,
    sorted_payload: &mut Array<u32>,
    count: u32,
    tile_count: u32,
    shift: u32,
) {
    let mut items = SharedMemory::<u32>::new(PADDED_TILE as usize);
    let mut counters = SharedMemory::<u32>::new((COUNTERS + COUNTERS / 32) as usize);
    let mut room = SharedMemory::<u32>::new(UNITS as usize * 2usize);
    let mut starts = SharedMemory::<u32>::new(DIGITS as usize);
    let mut key = Array::<u32>::new(ITEMS as usize);
    let mut value = Array::<u32>::new(ITEMS as usize);
    let mut rank = Array::<u32>::new(ITEMS as usize);
    let tile = CUBE_POS as u32;
    let start = tile * TILE;
    // Missing items of the last tile get the largest key: being last, they stay last.
    #[unroll]
    for k in 0..ITEMS {
        let i = start + k * UNITS + UNIT_POS;
        key[k as usize] = word_or(keys, i, count, u32::MAX);
        value[k as usize] = word_or(payload, i, count, 0u32);
    }
    let mut first = 0u32;
    if tile < tile_count {
        first = offsets[(UNIT_POS * tile_count + tile) as usize];
    }
    put_rows(&key, &mut items);
    sync_cube();
    take_columns(&items, &mut key);
    sync_cube();
    put_rows(&value, &mut items);
    sync_cube();
    take_columns(&items, &mut value);
    #[unroll]
    for half in 0..2u32 {
        rank_by_digit(&key, &mut rank, &mut counters, &mut room, shift + half * RANK_BITS);
        exchange(&mut key, &rank, &mut items);
        exchange(&mut value, &rank, &mut items);
    }
    // Rows again, so that neighbours write next to each other. `key` goes last: its rows are looked at
    // across units to find where each digit starts.
    sync_cube();
    put_columns(&value, &mut items);
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        value[k as usize] = items[padded(k * UNITS + UNIT_POS) as usize];
    }
    sync_cube();
    put_columns(&key, &mut items);
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        let j = k * UNITS + UNIT_POS;
        let digit = (items[padded(j) as usize] >> shift) & (DIGITS - 1);
        let mut before = DIGITS.runtime();
        if j > 0 {
            before = (items[padded(j - 1) as usize] >> shift) & (DIGITS - 1);
        }
        if digit != before {
            starts[digit as usize] = j;
        }
    }
    sync_cube();
    // From where a digit starts in the tile to how far its items move.
    starts[UNIT_POS as usize] = first - starts[UNIT_POS as usize];
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        let j = k * UNITS + UNIT_POS;
        if start + j < count && tile < tile_count {
            let word = items[padded(j) as usize];
            let digit = (word >> shift) & (DIGITS - 1);
            let to = j + starts[digit as usize];
            sorted_keys[to as usize] = word;
            sorted_payload[to as usize] = value[k as usize];
        }
    }
}

/// Each unit puts the items of its row, one workgroup's width apart.
#[cube]
fn put_rows(own: &Array<u32>, items: &mut SharedMemory<u32>) {
    #[unroll]
    for k in 0..ITEMS {
        items[padded(k * UNITS + UNIT_POS) as usize] = own[k as usize];
    }
}

/// Each unit takes the items of its column.
#[cube]
fn take_columns(items: &SharedMemory<u32>, own: &mut Array<u32>) {
    #[unroll]
    for k in 0..ITEMS {
        own[k as usize] = items[padded(UNIT_POS * ITEMS + k) as usize];
    }
}

/// Each unit puts back the items of its column.
#[cube]
fn put_columns(own: &Array<u32>, items: &mut SharedMemory<u32>) {
    #[unroll]
    for k in 0..ITEMS {
        items[padded(UNIT_POS * ITEMS + k) as usize] = own[k as usize];
    }
}

/// Moves every item to its rank within the tile.
#[cube]
fn exchange(own: &mut Array<u32>, rank: &Array<u32>, items: &mut SharedMemory<u32>) {
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        let to = rank[k as usize];
        items[padded(to) as usize] = own[k as usize];
    }
    sync_cube();
    take_columns(items, own);
}

/// Where the counter of a digit and a unit lies, before padding.
#[cube]
fn counter(digit: u32) -> u32 {
    padded((digit & (ROWS - 1)) * UNITS + UNIT_POS)
}

/// Position of every item in the tile sorted by four bits, equal ones in their order. Each unit counts
/// its items in counters of its own; the prefix sums over digits, then units, are the positions.
#[cube]
fn rank_by_digit(
    key: &Array<u32>,
    rank: &mut Array<u32>,
    counters: &mut SharedMemory<u32>,
    room: &mut SharedMemory<u32>,
    shift: u32,
) {
    #[unroll]
    for row in 0..ROWS {
        counters[counter(row) as usize] = 0u32;
    }
    // The upper half of the digits counts in the upper bits of the words.
    #[unroll]
    for k in 0..ITEMS {
        let digit = (key[k as usize] >> shift) & comptime!((1u32 << RANK_BITS) - 1);
        counters[counter(digit) as usize] += 1u32 << ((digit / ROWS) * 16u32);
    }
    sync_cube();
    let mut own = 0u32;
    #[unroll]
    for row in 0..ROWS {
        own += counters[padded(UNIT_POS * ROWS + row) as usize];
    }
    let up_to_here = inclusive_sum(own, room);
    // After eight rounds the sums lie in the first half; the last is the total.
    let lower_total = room[(UNITS - 1) as usize] & 0xffffu32;
    let mut running = up_to_here - own + (lower_total << 16u32);
    #[unroll]
    for row in 0..ROWS {
        let at = padded(UNIT_POS * ROWS + row) as usize;
        let here = counters[at];
        counters[at] = running;
        running += here;
    }
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        let digit = (key[k as usize] >> shift) & comptime!((1u32 << RANK_BITS) - 1);
        let at = counter(digit) as usize;
        let bits = (digit / ROWS) * 16u32;
        let word = counters[at];
        rank[k as usize] = (word >> bits) & 0xffffu32;
        counters[at] = word + (1u32 << bits);
    }
}
