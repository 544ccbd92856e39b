//! What a step left: how deep bodies overlap and how many points they have, and in tests the dual step by itself.

use cubecl::prelude::*;
use drystone_collide::gpu::PAIR_WORDS;
use drystone_collide::gpu::memory::{load3, load6};

#[cfg(test)]
use super::dual::update_point;
use super::dual::{point_at, relative_motion};
use super::layout::{DUAL_WORDS, ROW_WORDS, SIX_WORDS};

/// Deepest overlap after the step and number of points, folded over so many manifolds that there is one result per workgroup.
#[cube(launch)]
pub fn measure(
    start: &Array<u32>,
    pair: &Array<u32>,
    ends: &Array<u32>,
    delta: &Array<f32>,
    row: &Array<f32>,
    dual: &Array<f32>,
    figure: &mut Array<f32>,
    shapes: u32,
    workgroups: u32,
    #[comptime] units: u32,
) {
    let mut depths = SharedMemory::<f32>::new(units as usize);
    let mut counts = SharedMemory::<f32>::new(units as usize);
    let mut deepest = f32::new(0.0);
    let mut points = f32::new(0.0);
    let total = start[shapes as usize];
    let mut index = ABSOLUTE_POS as u32;
    while index < total {
        let count = pair[(index * PAIR_WORDS + 2u32) as usize];
        if count > 0u32 {
            let normal = load3(row, index * ROW_WORDS);
            let span = load3(row, index * ROW_WORDS + 3u32);
            let (first, second) = (ends[(2u32 * index) as usize], ends[(2u32 * index + 1u32) as usize]);
            let motion = relative_motion(load6(delta, first * SIX_WORDS), load6(delta, second * SIX_WORDS), span);
            for lane in 0..count {
                let lever = load3(row, point_at(index, lane));
                let gap = dual[(index * DUAL_WORDS + 8u32 * lane + 7u32) as usize] + motion.at(lever).dot(normal);
                deepest = deepest.max(-gap);
                points += 1.0;
            }
        }
        index += workgroups * units;
    }
    depths[UNIT_POS as usize] = deepest;
    counts[UNIT_POS as usize] = points;
    sync_cube();
    if UNIT_POS == 0 {
        for unit in 1..units {
            deepest = deepest.max(depths[unit as usize]);
            points += counts[unit as usize];
        }
        figure[CUBE_POS] = deepest;
        figure[CUBE_POS + workgroups as usize] = points;
    }
}

/// The dual step of all manifolds by itself: what the sweeps do in passing, for them to be compared with.
#[cfg(test)]
#[cube(launch)]
pub fn dual_step(
    start: &Array<u32>,
    pair: &Array<u32>,
    ends: &Array<u32>,
    delta: &Array<f32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    flags: &Array<u32>,
    shapes: u32,
    last: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if flags[drystone_collide::gpu::OVERFLOW as usize] == 0u32 && index < start[shapes as usize] {
        for lane in 0..pair[(index * PAIR_WORDS + 2u32) as usize] {
            let normal = load3(row, index * ROW_WORDS);
            let span = load3(row, index * ROW_WORDS + 3u32);
            let (first, second) = (ends[(2u32 * index) as usize], ends[(2u32 * index + 1u32) as usize]);
            let motion = relative_motion(load6(delta, first * SIX_WORDS), load6(delta, second * SIX_WORDS), span);
            update_point(index, lane, normal, motion, row, dual, memory, last == 1u32);
        }
    }
}
