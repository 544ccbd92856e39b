//! A tree of boxes without links: leaves of four shapes in the order of the Morton curve, under a complete binary tree numbered as a heap.

use cubecl::prelude::*;
use drystone_device::UNITS;
use drystone_kernels::single::math::Vec3;

use super::memory::{load3, store3};
use super::place::BOUND_WORDS;

/// Shapes in a leaf.
pub const LEAF: u32 = 4;
/// Larger than any coordinate; not infinite, which shaders may do without.
const FAR: f32 = 3.0e38;

/// A box.
#[derive(CubeType, Clone, Copy)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

/// Box of a leaf: that of four shapes, or an empty one at the end. Boxes of shapes are put beside each other in the order of the curve, for
/// those who walk the tree.
#[cube]
fn leaf_box(leaf: u32, bound: &Array<f32>, order: &Array<u32>, ordered: &mut Array<f32>, count: u32) -> Bounds {
    let mut all = Bounds { low: Vec3 { x: FAR, y: FAR, z: FAR }, high: Vec3 { x: -FAR, y: -FAR, z: -FAR } };
    for k in 0..LEAF {
        let at = leaf * LEAF + k;
        if at < count {
            let first = order[at as usize] * BOUND_WORDS;
            let (low, high) = (load3(bound, first), load3(bound, first + 4u32));
            store3(ordered, at * BOUND_WORDS, low);
            store3(ordered, at * BOUND_WORDS + 4u32, high);
            all.low = least(all.low, low);
            all.high = largest(all.high, high);
        }
    }
    all
}

/// Boxes of the eight levels above the level of `base` nodes (or as many as there are), a workgroup over 256 nodes each. The first level, that of
/// the leaves, is made of the boxes of shapes.
#[cube(launch)]
pub fn refit(
    bound: &Array<f32>,
    order: &Array<u32>,
    ordered: &mut Array<f32>,
    node: &mut Array<f32>,
    base: u32,
    count: u32,
    #[comptime] leaves: bool,
) {
    let mut room = SharedMemory::<f32>::new(comptime!(UNITS as usize * 6usize));
    let index = CUBE_POS as u32 * UNITS + UNIT_POS;
    let mut low = Vec3 { x: FAR, y: FAR, z: FAR };
    let mut high = Vec3 { x: -FAR, y: -FAR, z: -FAR };
    if index < base {
        let first = (base + index) * BOUND_WORDS;
        if leaves {
            let all = leaf_box(index, bound, order, ordered, count);
            low = all.low;
            high = all.high;
            store3(node, first, low);
            store3(node, first + 4u32, high);
        } else {
            low = load3(node, first);
            high = load3(node, first + 4u32);
        }
    }
    share(&mut room, UNIT_POS, low, high);
    sync_cube();
    #[unroll]
    for round in 0..8u32 {
        let half = comptime!(UNITS >> (round + 1u32));
        if UNIT_POS < half {
            low = least(shared3(&room, 2u32 * UNIT_POS, 0u32), shared3(&room, 2u32 * UNIT_POS + 1u32, 0u32));
            high = largest(shared3(&room, 2u32 * UNIT_POS, 3u32), shared3(&room, 2u32 * UNIT_POS + 1u32, 3u32));
        }
        sync_cube();
        if UNIT_POS < half {
            share(&mut room, UNIT_POS, low, high);
            let level = base >> comptime!(round + 1u32);
            let at = CUBE_POS as u32 * half + UNIT_POS;
            if at < level {
                store3(node, (level + at) * BOUND_WORDS, low);
                store3(node, (level + at) * BOUND_WORDS + 4u32, high);
            }
        }
        sync_cube();
    }
}

#[cube]
fn share(room: &mut SharedMemory<f32>, unit: u32, low: Vec3, high: Vec3) {
    let first = unit * 6u32;
    room[first as usize] = low.x;
    room[(first + 1u32) as usize] = low.y;
    room[(first + 2u32) as usize] = low.z;
    room[(first + 3u32) as usize] = high.x;
    room[(first + 4u32) as usize] = high.y;
    room[(first + 5u32) as usize] = high.z;
}

#[cube]
fn shared3(room: &SharedMemory<f32>, unit: u32, part: u32) -> Vec3 {
    let first = unit * 6u32 + part;
    Vec3 { x: room[first as usize], y: room[(first + 1u32) as usize], z: room[(first + 2u32) as usize] }
}

#[cube]
fn least(a: Vec3, b: Vec3) -> Vec3 {
    Vec3 { x: a.x.min(b.x), y: a.y.min(b.y), z: a.z.min(b.z) }
}

#[cube]
fn largest(a: Vec3, b: Vec3) -> Vec3 {
    Vec3 { x: a.x.max(b.x), y: a.y.max(b.y), z: a.z.max(b.z) }
}
