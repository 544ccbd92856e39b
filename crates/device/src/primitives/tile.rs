//! What the primitives share: tiles of items per workgroup and sums within one.

use cubecl::prelude::*;

use crate::gpu::UNITS;

/// Items per unit.
pub const ITEMS: u32 = 16;
/// Items per workgroup.
pub const TILE: u32 = UNITS * ITEMS;
/// Words of shared memory for a tile, with the padding of [`padded`].
pub const PADDED_TILE: u32 = TILE + TILE / 32;

/// Workgroups that cover `count` items.
pub fn tiles(count: usize) -> usize {
    count.div_ceil(TILE as usize)
}

/// Where item `i` of a tile lies in shared memory. One spare word in 32 keeps the units of a
/// lockstep group on different memory banks, whether they read in rows or in columns.
#[cube]
pub fn padded(i: u32) -> u32 {
    i + i / 32
}

/// Word `i` of `input`, or `other` from `count` on. Without a branch, so that the loads of a loop wait
/// for memory together. `count` must not be zero unless `input` has a word to spare.
#[cube]
pub fn word_or(input: &Array<u32>, i: u32, count: u32, other: u32) -> u32 {
    let last = max(count, 1u32) - 1u32;
    let word = input[min(i, last) as usize];
    select(i < count, word, other)
}

/// Sum of `value` over this and all earlier units of the workgroup. `room` has space for two words
/// per unit and may be used again after the call.
#[cube]
pub fn inclusive_sum(value: u32, room: &mut SharedMemory<u32>) -> u32 {
    let unit = UNIT_POS;
    let mut sum = value;
    room[unit as usize] = sum;
    sync_cube();
    #[unroll]
    for round in 0..8u32 {
        let step = comptime!(1u32 << round);
        let from = comptime!((round % 2) * UNITS);
        let to = comptime!(((round + 1) % 2) * UNITS);
        if unit >= step {
            sum += room[(from + unit - step) as usize];
        }
        room[(to + unit) as usize] = sum;
        sync_cube();
    }
    sum
}
