//! Contacts of every body, first guesses, and colours.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load_sym3, load3, load6, store3, store6};
use drystone_collide::gpu::{MOTION_WORDS, OVERFLOW, PAIR_WORDS, sort_row};
use drystone_kernels::single::math::{Sym3, Vec6};

use super::layout::{AIM_WORDS, COLORS, MEMORY_WORDS, MOVES, NO_COLOR, SIX_WORDS, TOO_FEW_COLORS, TOO_FEW_ROUNDS};
use super::motion::acceleration;

/// The number of the CPU, where the reason is.
const DISAGREEMENT_WEIGHT: f32 = crate::guess::DISAGREEMENT_WEIGHT as f32;
/// Odd multipliers with evenly spread bits; any such pair does.
const MIX_A: u32 = 0x7feb_352d;
const MIX_B: u32 = 0x846c_a68b;

/// Lists every manifold with the bodies that move at its ends, in the order of arrival.
#[cube(launch)]
pub fn list_contacts(
    kind: &Array<u32>,
    start: &Array<u32>,
    pair: &Array<u32>,
    ends: &Array<u32>,
    first: &Array<u32>,
    degree: &mut Array<Atomic<u32>>,
    entry: &mut Array<u32>,
    flags: &Array<u32>,
    shapes: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if flags[OVERFLOW as usize] == 0u32
        && index < start[shapes as usize]
        && pair[(index * PAIR_WORDS + 2u32) as usize] > 0u32
    {
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

/// Sorts the contacts of every body and guesses its displacement, as `guess.rs` has it. What nothing touches follows its parabola.
#[cube(launch)]
pub fn guess(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    last: &Array<f32>,
    disagreement: &Array<f32>,
    first: &Array<u32>,
    entry: &mut Array<u32>,
    aim: &mut Array<f32>,
    delta: &mut Array<f32>,
    color: &mut Array<u32>,
    memory: &Array<f32>,
    slots: u32,
    h: f32,
    #[comptime] rolls: bool,
) {
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
                sort_row(entry, start, count);
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

/// How important a body is: higher takes its colour first.
#[cube]
fn importance(vertex: u32) -> u32 {
    let a = (vertex ^ (vertex >> 16u32)) * MIX_A;
    let b = (a ^ (a >> 15u32)) * MIX_B;
    b ^ (b >> 16u32)
}

/// A round of colouring: a body takes the smallest colour its more important neighbours left, once all of them have one.
#[cube(launch)]
pub fn color_round(
    kind: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    ends: &Array<u32>,
    before: &Array<u32>,
    after: &mut Array<u32>,
    slots: u32,
) {
    if ABSOLUTE_POS < slots as usize {
        let body = ABSOLUTE_POS as u32;
        let mut color = before[ABSOLUTE_POS];
        if color == NO_COLOR && kind[ABSOLUTE_POS] & MOVES == MOVES {
            let (from, to) = (first[ABSOLUTE_POS], first[ABSOLUTE_POS + 1]);
            let own = importance(body);
            let mut ready = true;
            let mut used = 0u32;
            let mut used_high = 0u32;
            for i in from..to {
                let code = entry[i as usize];
                let other = ends[(code ^ 1u32) as usize];
                if kind[other as usize] & MOVES == MOVES && other != body {
                    let theirs = importance(other);
                    let taken = before[other as usize];
                    if taken == NO_COLOR {
                        ready = ready && (theirs < own || (theirs == own && other < body));
                    } else if taken < 32u32 {
                        used = used | (1u32 << taken);
                    } else if taken < 64u32 {
                        used_high = used_high | (1u32 << (taken - 32u32));
                    }
                }
            }
            if ready {
                let mut bit = 0u32;
                while bit < 32u32 && (used >> bit) & 1u32 == 1u32 {
                    bit += 1u32;
                }
                if bit == 32u32 {
                    let mut high = 0u32;
                    while high < 32u32 && (used_high >> high) & 1u32 == 1u32 {
                        high += 1u32;
                    }
                    bit += high;
                }
                color = bit;
            }
        }
        after[ABSOLUTE_POS] = color;
    }
}

/// Keys that sort bodies by colour, those that do not move last; and whether all that move have one that will be swept.
#[cube(launch)]
pub fn color_keys(
    kind: &Array<u32>,
    color: &Array<u32>,
    key: &mut Array<u32>,
    body: &mut Array<u32>,
    flags: &mut Array<u32>,
    slots: u32,
    colors: u32,
) {
    if ABSOLUTE_POS < slots as usize {
        let mut own = 255u32;
        if kind[ABSOLUTE_POS] & MOVES == MOVES {
            let found = color[ABSOLUTE_POS];
            if flags[OVERFLOW as usize] == 0u32 && found == NO_COLOR {
                flags[OVERFLOW as usize] = TOO_FEW_ROUNDS;
            }
            if flags[OVERFLOW as usize] == 0u32 && found != NO_COLOR && found >= colors {
                flags[OVERFLOW as usize] = TOO_FEW_COLORS;
            }
            own = found.min(255u32);
        }
        key[ABSOLUTE_POS] = own;
        body[ABSOLUTE_POS] = ABSOLUTE_POS as u32;
    }
}

/// Where every colour starts in the sorted list; one more than colours.
#[cube(launch)]
pub fn color_starts(key: &Array<u32>, start: &mut Array<u32>, flags: &mut Array<u32>, slots: u32) {
    if ABSOLUTE_POS < slots as usize {
        let own = key[ABSOLUTE_POS];
        let mut from = 0u32;
        if ABSOLUTE_POS > 0 {
            from = key[ABSOLUTE_POS - 1] + 1u32;
        }
        for color in from..own + 1u32 {
            start[color as usize] = ABSOLUTE_POS as u32;
        }
        // The world moves by nothing and is last.
        if own == 255u32 && from < 256u32 {
            flags[COLORS as usize] = from;
        }
    }
}
