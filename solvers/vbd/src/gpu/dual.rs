//! The law of a contact point, and the dual step: multipliers go a share of the way to the forces, and penalties grow with the loads. The laws
//! are those of `contact_law.rs` and `dual.rs`.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load3, store3};
use drystone_kernels::single::contact::{ContactForce, contact_force};
use drystone_kernels::single::math::{Vec3, Vec6};

use super::layout::{DUAL_WORDS, MEMORY_WORDS, POINT_WORDS, ROW_POINTS, ROW_WORDS};
use crate::method::DualGain;
use crate::warm_start;

// The numbers of the CPU, where the reasons are.
const LARGEST_GAIN: f32 = DualGain::CAREFUL.largest as f32;
const SMALLEST_GAIN: f32 = DualGain::CAREFUL.smallest as f32;
const GROW: f32 = DualGain::CAREFUL.grow as f32;
const SHRINK: f32 = DualGain::CAREFUL.shrink as f32;
const INSIDE: f32 = warm_start::INSIDE as f32;

/// Motion of the second body relative to the first at the first one's centre of mass.
#[cube]
pub fn relative_motion(first: Vec6, second: Vec6, span: Vec3) -> Vec6 {
    Vec6 { l: second.at(span).sub(first.l), a: second.a.sub(first.a) }
}

/// Where a point of a manifold starts.
#[cube]
pub fn point_at(index: u32, lane: u32) -> u32 {
    index * ROW_WORDS + ROW_POINTS + POINT_WORDS * lane
}

/// Force of a point after a relative motion, with its gap less by `push`.
#[cube]
pub fn point_force(row: &Array<f32>, point: u32, normal: Vec3, motion: Vec6, push: f32) -> ContactForce {
    let moved = motion.at(load3(row, point));
    let along = moved.dot(normal);
    let slip = load3(row, point + 4u32).add(moved).add_scaled(normal, -along);
    let hardness = row[(point + 13u32) as usize];
    contact_force(
        row[(point + 3u32) as usize] - push + along,
        slip,
        hardness * row[(point + 7u32) as usize],
        load3(row, point + 8u32),
        hardness * row[(point + 11u32) as usize],
        row[(point + 12u32) as usize],
        row[(point + 14u32) as usize],
    )
}

/// The dual step of a point after the relative motion of its bodies. After the last sweep it remembers what it bears.
#[cube]
pub fn update_point(
    index: u32,
    lane: u32,
    normal: Vec3,
    motion: Vec6,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    last: bool,
) {
    let load_to_penalty = row[(index * ROW_WORDS + 6u32) as usize];
    let point = point_at(index, lane);
    let state = index * DUAL_WORDS + 8u32 * lane;
    let answer = point_force(row, point, normal, motion, 0.0);
    let load = row[(point + 7u32) as usize];
    let friction = load3(row, point + 8u32);
    let more_load = answer.normal - load;
    let more_friction = answer.friction.sub(friction);
    let agreement = more_load * dual[(state + 1u32) as usize] + more_friction.dot(load3(dual, state + 2u32));
    let now = dual[state as usize];
    let mut gain = (now * GROW).min(LARGEST_GAIN);
    if agreement < 0.0 {
        gain = (now * SHRINK).max(SMALLEST_GAIN);
    }
    let new_load = load + more_load * gain;
    let new_friction = friction.add_scaled(more_friction, gain);
    dual[state as usize] = gain;
    dual[(state + 1u32) as usize] = more_load;
    store3(dual, state + 2u32, more_friction);
    row[(point + 7u32) as usize] = new_load;
    store3(row, point + 8u32, new_friction);
    if row[(point + 13u32) as usize] >= 1.0 {
        let rho = new_load.min(dual[(state + 5u32) as usize]) * load_to_penalty;
        row[(point + 11u32) as usize] = row[(point + 11u32) as usize].max(rho);
        row[(point + 12u32) as usize] = row[(point + 12u32) as usize].max(rho);
    }
    if last {
        let kept = index * MEMORY_WORDS + 16u32 * lane;
        let mut force = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        let mut stuck = f32::new(0.0);
        if new_load > 0.0 {
            force = normal.scale(new_load).add(new_friction);
            if new_friction.length() < row[(point + 14u32) as usize] * new_load * INSIDE {
                stuck = f32::new(1.0);
            }
        }
        store3(memory, kept, force);
        memory[(kept + 5u32) as usize] = gain;
        memory[(kept + 6u32) as usize] = stuck;
    }
}
