//! One value from many.

use cubecl::prelude::*;

use super::tile::{ITEMS, TILE, tiles};
use crate::buffer::Buffer;
use crate::choice::DeviceError;
use crate::gpu::{Gpu, UNITS};

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum; of nothing 0.
    Sum,
    /// The largest; of nothing −∞.
    Max,
    /// The smallest; of nothing +∞.
    Min,
}

impl Fold {
    /// The value that changes nothing.
    pub fn neutral(self) -> f32 {
        match self {
            Self::Sum => 0.0,
            Self::Max => f32::NEG_INFINITY,
            Self::Min => f32::INFINITY,
        }
    }
}

/// Reduction of `f32`. Sums are taken in a fixed tree, so that they are the same in every run and
/// their error grows with the logarithm of the length. Keeps its scratch memory between calls.
#[derive(Debug)]
pub struct Reduction {
    levels: [Buffer<f32>; 2],
}

impl Reduction {
    /// With scratch memory that grows at first use.
    pub fn new<R: Runtime>(gpu: &Gpu<R>) -> Self {
        Self { levels: [Buffer::new(gpu, 0), Buffer::new(gpu, 0)] }
    }

    /// The fold of all of `input`, which takes one word from the device.
    pub fn fold<R: Runtime>(&mut self, gpu: &Gpu<R>, input: &Buffer<f32>, fold: Fold) -> Result<f32, DeviceError> {
        if input.is_empty() {
            return Ok(fold.neutral());
        }
        let mut from = input.clone();
        let mut side = 0;
        while from.len() > 1 {
            let tile_count = tiles(from.len());
            self.levels[side].resize(gpu, tile_count);
            fold_tiles::launch::<R>(
                gpu.client(),
                gpu.cubes(tile_count),
                CubeDim::new_1d(UNITS),
                from.arg(),
                self.levels[side].arg(),
                from.len() as u32,
                fold.neutral(),
                fold,
            );
            from = self.levels[side].clone();
            side = 1 - side;
        }
        Ok(from.read(gpu)?[0])
    }
}

#[cube]
fn folded(a: f32, b: f32, #[comptime] fold: Fold) -> f32 {
    match comptime!(fold) {
        Fold::Sum => a + b,
        Fold::Max => a.max(b),
        Fold::Min => a.min(b),
    }
}

#[cube(launch)]
fn fold_tiles(input: &Array<f32>, output: &mut Array<f32>, count: u32, neutral: f32, #[comptime] fold: Fold) {
    let mut room = SharedMemory::<f32>::new(UNITS as usize);
    let start = CUBE_POS as u32 * TILE + UNIT_POS;
    let mut own = neutral;
    #[unroll]
    for k in 0..ITEMS {
        let i = start + k * UNITS;
        if i < count {
            own = folded(own, input[i as usize], fold);
        }
    }
    room[UNIT_POS as usize] = own;
    sync_cube();
    #[unroll]
    for round in 0..8u32 {
        let half = comptime!(UNITS >> (round + 1));
        if UNIT_POS < half {
            own = folded(own, room[(UNIT_POS + half) as usize], fold);
            room[UNIT_POS as usize] = own;
        }
        sync_cube();
    }
    if UNIT_POS == 0 && CUBE_POS < output.len() {
        output[CUBE_POS] = own;
    }
}
