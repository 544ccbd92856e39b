//! Contacts of every body and first guesses.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load_sym3, load3, load6, store3, store6};
use drystone_collide::gpu::{MOTION_WORDS, OVERFLOW};
use drystone_kernels::single::math::{Sym3, Vec6};

use super::layout::{AIM_WORDS, MEMORY_WORDS, MOST_COLORS, MOVES, NO_COLOR, SIX_WORDS, WHOLE_WORDS};
use super::motion::acceleration;

/// The number of the CPU, where the reason is.
const DISAGREEMENT_WEIGHT: f32 = crate::guess::DISAGREEMENT_WEIGHT as f32;

/// Lists every manifold with the bodies that move at its ends, in the order of arrival.
#[cube(launch)]
pub fn list_contacts(
    kind: &Array<u32>,
    touching: &Array<u32>,
    touching_count: &Array<u32>,
    ends: &Array<u32>,
    first: &Array<u32>,
    degree: &mut Array<Atomic<u32>>,
    entry: &mut Array<u32>,
    flags: &Array<u32>,
) {
    if flags[OVERFLOW as usize] == 0u32 && (ABSOLUTE_POS as u32) < touching_count[0usize] {
        let index = touching[ABSOLUTE_POS];
        for side in 0..2u32 {
            let body = ends[(2u32 * index + side) as usize];
            if kind[body as usize] & MOVES == MOVES {
                // Counts down from the number of contacts: no order is lost, because rows are sorted after.
                // (Adding the largest number takes one away; devices without a subtraction have that.)
                let left = degree[body as usize].fetch_add(u32::MAX);
                let to = first[body as usize] + left - 1u32;
                entry[to as usize] = 2u32 * index + side;
            }
        }
    }
}

/// Share of a motion that agrees with the loaded contacts of a body.
#[cube]
fn compatibility(mass: f32, inertia: Sym3, motion: Vec6, disagreement: f32, h: f32) -> f32 {
    let kinetic = h * h * (mass * motion.l.length_squared() + inertia.quadratic(motion.a));
    let mut share = f32::new(1.0);
    if disagreement > 0.0 && kinetic > 0.0 {
        share = kinetic / (kinetic + DISAGREEMENT_WEIGHT * disagreement);
    }
    share
}

/// Guesses the displacement of every body, as `guess.rs` has it. What nothing touches follows its parabola.
#[cube(launch)]
pub fn guess(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    last: &Array<f32>,
    disagreement: &Array<f32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    aim: &mut Array<f32>,
    delta: &mut Array<f32>,
    color: &mut Array<u32>,
    color_count: &mut Array<u32>,
    memory: &Array<f32>,
    label: &Array<u32>,
    supported: &Array<u32>,
    whole: &mut Array<u32>,
    slots: u32,
    h: f32,
    #[comptime] rolls: bool,
) {
    if ABSOLUTE_POS < comptime!(2 * MOST_COLORS as usize) {
        color_count[ABSOLUTE_POS] = 0u32;
    }
    // The sums of an island that nothing holds are at its leader.
    if ABSOLUTE_POS < slots as usize && kind[ABSOLUTE_POS] & MOVES == MOVES {
        if label[ABSOLUTE_POS] == ABSOLUTE_POS as u32 && supported[ABSOLUTE_POS] == 0u32 {
            for k in 0..WHOLE_WORDS {
                whole[ABSOLUTE_POS * WHOLE_WORDS as usize + k as usize] = 0u32;
            }
        }
    }
    if ABSOLUTE_POS < slots as usize {
        let body = ABSOLUTE_POS as u32;
        color[ABSOLUTE_POS] = NO_COLOR;
        if kind[ABSOLUTE_POS] & MOVES == MOVES {
            let start = first[ABSOLUTE_POS];
            let count = first[ABSOLUTE_POS + 1] - start;
            let v =
                Vec6 { l: load3(motion, body * MOTION_WORDS + 10u32), a: load3(motion, body * MOTION_WORDS + 13u32) };
            let outer = acceleration(mass, force, body);
            let target = load6(aim, body * AIM_WORDS);
            let mut start_at = Vec6 { l: v.l.scale(h).add_scaled(outer, 0.5 * h * h), a: target.a };
            if count > 0u32 {
                let mut fight = f32::new(0.0);
                let mut fight_last = f32::new(0.0);
                let mut torque = load3(aim, body * AIM_WORDS + 13u32);
                for i in 0..count {
                    let pair = entry[(start + i) as usize] / 2u32;
                    if rolls {
                        // On the second body of the manifold, and its opposite on the first.
                        let sign = 2.0 * (entry[(start + i) as usize] % 2u32) as f32 - 1.0;
                        torque = torque.add_scaled(load3(memory, pair * MEMORY_WORDS + 13u32), sign);
                    }
                    fight += disagreement[(2u32 * pair) as usize];
                    fight_last += disagreement[(2u32 * pair + 1u32) as usize];
                }
                if rolls {
                    store3(aim, body * AIM_WORDS + 13u32, torque);
                }
                let a = load6(last, body * SIX_WORDS);
                let h2 = h * h;
                let m = aim[(body * AIM_WORDS + 6u32) as usize];
                let inertia = load_sym3(aim, body * AIM_WORDS + 7u32);
                let share = compatibility(m, inertia, v, fight, h);
                let mut share_last = compatibility(m, inertia, a, fight_last, h);
                let (size, limit) = (a.l.length(), outer.length());
                if size > limit {
                    share_last = share_last * limit / size;
                }
                start_at = Vec6 {
                    l: v.l.scale(share * h).add_scaled(a.l, share_last * h2),
                    a: target.a.scale(share).add_scaled(a.a, share_last * h2),
                };
            } else {
                store6(aim, body * AIM_WORDS, start_at);
            }
            store6(delta, body * SIX_WORDS, start_at);
        }
    }
}
