//! Keeping the items that are marked.

use cubecl::prelude::*;

use super::scan::Scan;
use crate::buffer::Buffer;
use crate::choice::DeviceError;
use crate::gpu::{Gpu, UNITS};

/// Compaction of `u32` by flags, order kept. Keeps its scratch memory between calls.
#[derive(Debug)]
pub struct Compaction {
    scan: Scan,
    offsets: Buffer<u32>,
    total: Buffer<u32>,
}

impl Compaction {
    /// With scratch memory that grows at first use.
    pub fn new<R: Runtime>(gpu: &Gpu<R>) -> Self {
        Self { scan: Scan::default(), offsets: Buffer::new(gpu, 0), total: Buffer::new(gpu, 1) }
    }

    /// Writes the items of `input` whose entry in `flags` (0 or 1) is 1 to `output` and returns how
    /// many there are, which takes one word from the device.
    pub fn keep<R: Runtime>(
        &mut self,
        gpu: &Gpu<R>,
        input: &Buffer<u32>,
        flags: &Buffer<u32>,
        output: &mut Buffer<u32>,
    ) -> Result<usize, DeviceError> {
        self.scan.exclusive(gpu, flags, &mut self.offsets);
        last::launch::<R>(
            gpu.client(),
            CubeCount::Static(1, 1, 1),
            CubeDim::new_1d(1),
            self.offsets.arg(),
            self.total.arg(),
        );
        let kept = self.total.read(gpu)?[0] as usize;
        output.resize(gpu, kept);
        if kept > 0 {
            scatter_kept::launch::<R>(
                gpu.client(),
                gpu.cubes_for(input.len()),
                CubeDim::new_1d(UNITS),
                input.arg(),
                flags.arg(),
                self.offsets.arg(),
                output.arg(),
            );
        }
        Ok(kept)
    }
}

#[cube(launch)]
fn last(input: &Array<u32>, output: &mut Array<u32>) {
    output[0] = input[input.len() - 1];
}

#[cube(launch)]
fn scatter_kept(input: &Array<u32>, flags: &Array<u32>, offsets: &Array<u32>, output: &mut Array<u32>) {
    if ABSOLUTE_POS < input.len() && flags[ABSOLUTE_POS] == 1u32 {
        let to = offsets[ABSOLUTE_POS];
        output[to as usize] = input[ABSOLUTE_POS];
    }
}
