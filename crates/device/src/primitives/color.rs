//! Graph colouring.

use cubecl::prelude::*;

use crate::buffer::Buffer;
use crate::choice::DeviceError;
use crate::gpu::{Gpu, UNITS};

/// Marks a vertex without a colour.
const NONE: u32 = u32::MAX;
/// Rounds between two looks at how much is left: each look waits for the device.
const ROUNDS: u32 = 8;
/// Odd multipliers with evenly spread bits; any such pair does.
const MIX_A: u32 = 0x7feb_352d;
const MIX_B: u32 = 0x846c_a68b;

/// Greedy colouring of a graph in an order drawn by hashing the vertices (Jones and Plassmann): a
/// vertex takes the smallest colour its more important neighbours left, as soon as all of them have
/// one. The outcome is that of the sequential greedy method in that order, whatever runs first.
#[derive(Debug)]
pub struct Coloring {
    colors: [Buffer<u32>; 2],
    left: Buffer<u32>,
}

impl Coloring {
    /// With scratch memory that grows at first use.
    pub fn new<R: Runtime>(gpu: &Gpu<R>) -> Self {
        Self { colors: [Buffer::new(gpu, 0), Buffer::new(gpu, 0)], left: Buffer::new(gpu, 0) }
    }

    /// Colours the graph whose vertex `v` has the neighbours `neighbors[offsets[v]..offsets[v + 1]]`,
    /// each edge listed from both sides. A vertex that neighbours itself is as good as one that does not.
    pub fn color<R: Runtime>(
        &mut self,
        gpu: &Gpu<R>,
        offsets: &Buffer<u32>,
        neighbors: &Buffer<u32>,
    ) -> Result<&Buffer<u32>, DeviceError> {
        let vertices = offsets.len().saturating_sub(1);
        self.colors[0].upload(gpu, &vec![NONE; vertices]);
        self.colors[1].resize(gpu, vertices);
        let mut left = vertices as u32;
        while left > 0 {
            for round in 0..ROUNDS {
                self.left.upload(gpu, &[0]);
                let side = (round % 2) as usize;
                color_ready::launch::<R>(
                    gpu.client(),
                    gpu.cubes_for(vertices),
                    CubeDim::new_1d(UNITS),
                    offsets.arg(),
                    neighbors.arg(),
                    self.colors[side].arg(),
                    self.colors[1 - side].arg(),
                    self.left.arg(),
                    vertices as u32,
                );
            }
            left = self.left.read(gpu)?[0];
        }
        Ok(&self.colors[0])
    }

    /// How important a vertex is: higher goes first, ties by number.
    pub fn importance(vertex: u32) -> u32 {
        let a = (vertex ^ (vertex >> 16)).wrapping_mul(MIX_A);
        let b = (a ^ (a >> 15)).wrapping_mul(MIX_B);
        b ^ (b >> 16)
    }
}

/// [`Coloring::importance`] on the device, where products wrap around. It mixes the bits of a number
/// so that neighbours in number are strangers in importance.
#[cube]
fn importance(vertex: u32) -> u32 {
    let a = (vertex ^ (vertex >> 16)) * MIX_A;
    let b = (a ^ (a >> 15)) * MIX_B;
    b ^ (b >> 16)
}

#[cube(launch)]
fn color_ready(
    offsets: &Array<u32>,
    neighbors: &Array<u32>,
    before: &Array<u32>,
    after: &mut Array<u32>,
    left: &mut Array<Atomic<u32>>,
    vertices: u32,
) {
    if ABSOLUTE_POS < vertices as usize {
        let vertex = ABSOLUTE_POS as u32;
        let mut color = before[ABSOLUTE_POS];
        if color == NONE {
            let start = offsets[ABSOLUTE_POS];
            let end = offsets[ABSOLUTE_POS + 1];
            let own = importance(vertex);
            let mut ready = true;
            for i in start..end {
                let other = neighbors[i as usize];
                let theirs = importance(other);
                let first = theirs > own || (theirs == own && other > vertex);
                if first && before[other as usize] == NONE {
                    ready = false;
                }
            }
            if ready {
                color = smallest_free(neighbors, before, start, end);
            } else {
                left[0].fetch_add(1u32);
            }
        }
        after[ABSOLUTE_POS] = color;
    }
}

/// Looks at 32 colours at a time; almost always the first 32 do.
#[cube]
fn smallest_free(neighbors: &Array<u32>, colors: &Array<u32>, start: u32, end: u32) -> u32 {
    let mut base = 0u32;
    let mut found = NONE.runtime();
    while found == NONE {
        let mut used = 0u32;
        for i in start..end {
            let color = colors[neighbors[i as usize] as usize];
            if color != NONE && color >= base && color - base < 32u32 {
                used |= 1u32 << (color - base);
            }
        }
        if used == NONE {
            base += 32u32;
        } else {
            let mut bit = 0u32;
            while (used >> bit) & 1u32 == 1u32 {
                bit += 1u32;
            }
            found = base + bit;
        }
    }
    found
}
