//! One sum for each of many runs of items.

use cubecl::prelude::*;

use crate::buffer::Buffer;
use crate::gpu::{Gpu, UNITS};

/// Segments of this many items on average get a workgroup each, shorter ones a unit each.
const LONG: usize = 128;

/// Writes `output[s] = Σ input[offsets[s]..offsets[s + 1]]`, in a fixed order of the items.
/// `offsets` has one entry more than there are segments, as [`super::Scan::exclusive`] gives them.
pub fn segmented_sum<R: Runtime>(gpu: &Gpu<R>, input: &Buffer<f32>, offsets: &Buffer<u32>, output: &mut Buffer<f32>) {
    let segments = offsets.len().saturating_sub(1);
    output.resize(gpu, segments);
    if segments == 0 {
        return;
    }
    if input.len() / segments < LONG {
        let cubes = gpu.cubes_for(segments);
        sum_by_unit::launch::<R>(
            gpu.client(),
            cubes,
            CubeDim::new_1d(UNITS),
            input.arg(),
            offsets.arg(),
            output.arg(),
            segments as u32,
        );
    } else {
        let cubes = gpu.cubes(segments);
        sum_by_workgroup::launch::<R>(
            gpu.client(),
            cubes,
            CubeDim::new_1d(UNITS),
            input.arg(),
            offsets.arg(),
            output.arg(),
            segments as u32,
        );
    }
}

#[cube(launch)]
fn sum_by_unit(input: &Array<f32>, offsets: &Array<u32>, output: &mut Array<f32>, segments: u32) {
    if ABSOLUTE_POS < segments as usize {
        let mut sum = 0.0f32;
        for i in offsets[ABSOLUTE_POS]..offsets[ABSOLUTE_POS + 1] {
            sum += input[i as usize];
        }
        output[ABSOLUTE_POS] = sum;
    }
}

#[cube(launch)]
fn sum_by_workgroup(input: &Array<f32>, offsets: &Array<u32>, output: &mut Array<f32>, segments: u32) {
    let mut room = SharedMemory::<f32>::new(UNITS as usize);
    let segment = CUBE_POS;
    let mut own = 0.0f32;
    if segment < segments as usize {
        let end = offsets[segment + 1];
        let mut i = offsets[segment] + UNIT_POS;
        while i < end {
            own += input[i as usize];
            i += UNITS;
        }
    }
    room[UNIT_POS as usize] = own;
    sync_cube();
    #[unroll]
    for round in 0..8u32 {
        let half = comptime!(UNITS >> (round + 1));
        if UNIT_POS < half {
            own += room[(UNIT_POS + half) as usize];
            room[UNIT_POS as usize] = own;
        }
        sync_cube();
    }
    if UNIT_POS == 0 && segment < segments as usize {
        output[segment] = own;
    }
}
