//! Counting how often each value occurs.

use cubecl::prelude::*;

use super::tile::{ITEMS, TILE, tiles};
use crate::buffer::Buffer;
use crate::gpu::{Gpu, UNITS};

/// Bins that are counted in shared memory at a time; more take several rounds over the input.
const BINS: u32 = 2048;

/// Counts the values `0..bins` of `input` into `output`; values outside are left out.
pub fn histogram<R: Runtime>(gpu: &Gpu<R>, input: &Buffer<u32>, bins: u32, output: &mut Buffer<u32>) {
    output.upload(gpu, &vec![0; bins as usize]);
    let rounds = bins.div_ceil(BINS);
    for round in 0..rounds {
        let first = round * BINS;
        count_values::launch::<R>(
            gpu.client(),
            gpu.cubes(tiles(input.len())),
            CubeDim::new_1d(UNITS),
            input.arg(),
            output.arg(),
            input.len() as u32,
            first,
            BINS.min(bins - first),
        );
    }
}

/// Integer sums are the same in any order, so atomics keep the result deterministic.
#[cube(launch)]
fn count_values(input: &Array<u32>, output: &mut Array<Atomic<u32>>, count: u32, first: u32, bins: u32) {
    let local = SharedMemory::<Atomic<u32>>::new(BINS as usize);
    let mut bin = UNIT_POS;
    while bin < bins {
        local[bin as usize].store(0u32);
        bin += UNITS;
    }
    sync_cube();
    #[unroll]
    for k in 0..ITEMS {
        let i = CUBE_POS as u32 * TILE + k * UNITS + UNIT_POS;
        if i < count {
            let value = input[i as usize];
            if value >= first && value - first < bins {
                local[(value - first) as usize].fetch_add(1u32);
            }
        }
    }
    sync_cube();
    let mut bin = UNIT_POS;
    while bin < bins {
        let seen = local[bin as usize].load();
        if seen > 0u32 {
            output[(first + bin) as usize].fetch_add(seen);
        }
        bin += UNITS;
    }
}
