//! Prefix sums.

use cubecl::prelude::*;

use super::tile::{ITEMS, PADDED_TILE, TILE, inclusive_sum, padded, tiles, word_or};
use crate::buffer::Buffer;
use crate::gpu::{Gpu, UNITS};

/// Tiles that one workgroup scans in less time than launches take.
const FEW_TILES: usize = 4;

/// Exclusive prefix sums of `u32`, wrapping around. Keeps its scratch memory between calls.
///
/// Sums of tiles, prefix sums of those, then prefix sums within tiles: the input is read twice and
/// the output written once. Few tiles are one workgroup's work, one after the other: a launch instead of three.
#[derive(Debug, Default)]
pub struct Scan {
    sums: Vec<Buffer<u32>>,
    offsets: Vec<Buffer<u32>>,
}

impl Scan {
    /// Writes `output[i] = Σ input[..i]` for `i` from 0 to `input.len()`; the last is the total.
    pub fn exclusive<R: Runtime>(&mut self, gpu: &Gpu<R>, input: &Buffer<u32>, output: &mut Buffer<u32>) {
        output.resize(gpu, input.len() + 1);
        self.level(gpu, input, output, 0);
    }

    fn level<R: Runtime>(&mut self, gpu: &Gpu<R>, input: &Buffer<u32>, output: &Buffer<u32>, level: usize) {
        let tile_count = tiles(input.len() + 1);
        if tile_count <= FEW_TILES {
            scan_in_turn::launch::<R>(
                gpu.client(),
                gpu.cubes(1),
                CubeDim::new_1d(UNITS),
                input.arg(),
                output.arg(),
                input.len() as u32,
                tile_count as u32,
            );
            return;
        }
        if self.sums.len() <= level {
            self.sums.push(Buffer::new(gpu, 0));
            self.offsets.push(Buffer::new(gpu, 0));
        }
        self.sums[level].resize(gpu, tile_count);
        self.offsets[level].resize(gpu, tile_count + 1);
        let (sums, offsets) = (self.sums[level].clone(), self.offsets[level].clone());
        let count = input.len() as u32;
        tile_sums::launch::<R>(
            gpu.client(),
            gpu.cubes(tile_count),
            CubeDim::new_1d(UNITS),
            input.arg(),
            sums.arg(),
            count,
        );
        self.level(gpu, &sums, &offsets, level + 1);
        scan_tiles::launch::<R>(
            gpu.client(),
            gpu.cubes(tile_count),
            CubeDim::new_1d(UNITS),
            input.arg(),
            offsets.arg(),
            output.arg(),
            count,
        );
    }
}

#[cube(launch)]
fn tile_sums(input: &Array<u32>, sums: &mut Array<u32>, count: u32) {
    let mut room = SharedMemory::<u32>::new(UNITS as usize * 2usize);
    let start = CUBE_POS as u32 * TILE + UNIT_POS;
    let mut sum = 0u32;
    #[unroll]
    for k in 0..ITEMS {
        sum += word_or(input, start + k * UNITS, count, 0u32);
    }
    let total = inclusive_sum(sum, &mut room);
    if UNIT_POS == UNITS - 1 && CUBE_POS < sums.len() {
        sums[CUBE_POS] = total;
    }
}

#[cube(launch)]
fn scan_tiles(input: &Array<u32>, offsets: &Array<u32>, output: &mut Array<u32>, count: u32) {
    let mut room = SharedMemory::<u32>::new(UNITS as usize * 2usize);
    let mut items = SharedMemory::<u32>::new(PADDED_TILE as usize);
    scan_tile(input, output, count, CUBE_POS as u32, offsets[CUBE_POS], &mut room, &mut items);
}

#[cube(launch)]
fn scan_in_turn(input: &Array<u32>, output: &mut Array<u32>, count: u32, tile_count: u32) {
    let mut room = SharedMemory::<u32>::new(UNITS as usize * 2usize);
    let mut items = SharedMemory::<u32>::new(PADDED_TILE as usize);
    let mut before = 0u32;
    for tile in 0..tile_count {
        before += scan_tile(input, output, count, tile, before, &mut room, &mut items);
        sync_cube();
    }
}

/// Prefix sums within a tile from what is before it on; the sum of the tile.
#[cube]
fn scan_tile(
    input: &Array<u32>,
    output: &mut Array<u32>,
    count: u32,
    tile: u32,
    before: u32,
    room: &mut SharedMemory<u32>,
    items: &mut SharedMemory<u32>,
) -> u32 {
    let mut own = Array::<u32>::new(ITEMS as usize);
    let start = tile * TILE;
    // Coalesced in rows; afterwards each unit owns a column of consecutive items.
    #[unroll]
    for k in 0..ITEMS {
        let j = k * UNITS + UNIT_POS;
        own[k as usize] = word_or(input, start + j, count, 0u32);
    }
    #[unroll]
    for k in 0..ITEMS {
        items[padded(k * UNITS + UNIT_POS) as usize] = own[k as usize];
    }
    sync_cube();
    let mut sum = 0u32;
    #[unroll]
    for k in 0..ITEMS {
        sum += items[padded(UNIT_POS * ITEMS + k) as usize];
    }
    let mut running = inclusive_sum(sum, room) - sum + before;
    // After eight rounds the sums lie in the first half; the last is the total.
    let total = room[(UNITS - 1) as usize];
    #[unroll]
    for k in 0..ITEMS {
        let j = padded(UNIT_POS * ITEMS + k) as usize;
        let value = items[j];
        items[j] = running;
        running += value;
    }
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        let j = k * UNITS + UNIT_POS;
        // One past the input holds the total.
        if start + j <= count {
            output[(start + j) as usize] = items[padded(j) as usize];
        }
    }
    total
}
