//! Copying, the yardstick for everything bound by memory.

use cubecl::prelude::*;

use super::tile::word_or;
use crate::buffer::Buffer;
use crate::gpu::{Gpu, UNITS};

/// Words a unit copies, one workgroup's width apart so that neighbours touch neighbouring words.
const WORDS: u32 = 8;

/// Copies `input` to `output`.
pub fn copy<R: Runtime>(gpu: &Gpu<R>, input: &Buffer<u32>, output: &mut Buffer<u32>) {
    output.resize(gpu, input.len());
    copy_words::launch::<R>(
        gpu.client(),
        gpu.cubes(input.len().div_ceil((UNITS * WORDS) as usize)),
        CubeDim::new_1d(UNITS),
        input.arg(),
        output.arg(),
        input.len() as u32,
    );
}

/// Copies so many words from one array to another, whatever they mean.
pub(crate) fn copy_bits<R: Runtime>(gpu: &Gpu<R>, input: ArrayArg<R>, output: ArrayArg<R>, words: usize) {
    let cubes = gpu.cubes(words.div_ceil((UNITS * WORDS) as usize));
    copy_words::launch::<R>(gpu.client(), cubes, CubeDim::new_1d(UNITS), input, output, words as u32);
}

#[cube(launch)]
fn copy_words(input: &Array<u32>, output: &mut Array<u32>, count: u32) {
    let start = CUBE_POS as u32 * UNITS * WORDS + UNIT_POS;
    let mut own = Array::<u32>::new(WORDS as usize);
    // All loads before the first store, so that they wait for memory together.
    #[unroll]
    for k in 0..WORDS {
        own[k as usize] = word_or(input, start + k * UNITS, count, 0u32);
    }
    #[unroll]
    for k in 0..WORDS {
        let i = start + k * UNITS;
        if i < count {
            output[i as usize] = own[k as usize];
        }
    }
}
