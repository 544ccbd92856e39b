//! Colours of bodies: no two that touch have the same. Greedy in a hashed order, so that they are the same in whatever order units run.

use cubecl::prelude::*;
use drystone_collide::gpu::{OVERFLOW, PAIR_WORDS};

use super::layout::{
    COLOR_STARTS, COLORS, HEAVY_COLORS, LATER, MOST_COLORS, MOVES, NO_COLOR, TOO_FEW_ROUNDS, TOO_MANY_COLORS,
};

/// Colours of more bodies are worth a launch of their own.
const LIGHT: u32 = 64;
/// Odd multipliers with evenly spread bits; any such pair does.
const MIX_A: u32 = 0x7feb_352d;
const MIX_B: u32 = 0x846c_a68b;

/// How important a body is: higher takes its colour first.
#[cube]
fn importance(vertex: u32) -> u32 {
    let a = (vertex ^ (vertex >> 16u32)) * MIX_A;
    let b = (a ^ (a >> 15u32)) * MIX_B;
    b ^ (b >> 16u32)
}

/// The smallest colour that neighbours left, once all those that are more important have one; none before.
#[cube]
fn choose(
    body: u32,
    kind: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    ends: &Array<u32>,
    color: &Array<Atomic<u32>>,
) -> u32 {
    let own = importance(body);
    let mut ready = true;
    let mut used = 0u32;
    let mut used_high = 0u32;
    for i in first[body as usize]..first[(body + 1u32) as usize] {
        let code = entry[i as usize];
        let other = ends[(code ^ 1u32) as usize];
        if kind[other as usize] & MOVES == MOVES && other != body {
            let theirs = importance(other);
            if theirs > own || (theirs == own && other > body) {
                let taken = color[other as usize].load();
                if taken == NO_COLOR {
                    ready = false;
                } else if taken < 32u32 {
                    used = used | (1u32 << taken);
                } else if taken < MOST_COLORS {
                    used_high = used_high | (1u32 << (taken - 32u32));
                }
            }
        }
    }
    let mut chosen = NO_COLOR.runtime();
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
        chosen = bit;
    }
    chosen
}

/// Rounds of colouring, each body for itself: it looks at its neighbours again and again until those before it have their colours. A colour is
/// set once and depends on nothing but the colours before it, so no round needs to wait for another workgroup. The last launch counts.
#[cube(launch)]
pub fn color_rounds(
    kind: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    ends: &Array<u32>,
    color: &mut Array<Atomic<u32>>,
    color_count: &mut Array<Atomic<u32>>,
    flags: &mut Array<u32>,
    slots: u32,
    rounds: u32,
    #[comptime] last: bool,
) {
    let body = ABSOLUTE_POS as u32;
    let mut chosen = NO_COLOR.runtime();
    let mut moves = false;
    if body < slots {
        moves = kind[body as usize] & MOVES == MOVES;
        chosen = color[body as usize].load();
    }
    for _ in 0..rounds {
        if moves && chosen == NO_COLOR {
            chosen = choose(body, kind, first, entry, ends, color);
            if chosen != NO_COLOR {
                color[body as usize].store(chosen);
            }
        }
        sync_storage();
    }
    if last {
        let counts = SharedMemory::<Atomic<u32>>::new(MOST_COLORS as usize);
        if UNIT_POS < MOST_COLORS {
            counts[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        if moves {
            if chosen < MOST_COLORS {
                counts[chosen as usize].fetch_add(1u32);
            } else if flags[OVERFLOW as usize] == 0u32 {
                // Both may be told by several at once; whichever stays is seen to, and then the other.
                flags[OVERFLOW as usize] = select(chosen == NO_COLOR, TOO_FEW_ROUNDS, TOO_MANY_COLORS);
            }
        }
        sync_cube();
        if UNIT_POS < MOST_COLORS {
            let counted = counts[UNIT_POS as usize].load();
            if counted > 0u32 {
                color_count[UNIT_POS as usize].fetch_add(counted);
            }
        }
    }
}

/// Lists bodies by colour, in any order within one, and says where colours start. Marks the manifolds of a body of which it is the later one,
/// and puts beside each the other body and how many points there are, less one.
#[cube(launch)]
pub fn list_colors(
    kind: &Array<u32>,
    first: &Array<u32>,
    ends: &Array<u32>,
    pair: &Array<u32>,
    color: &Array<u32>,
    color_count: &mut Array<Atomic<u32>>,
    listed: &mut Array<u32>,
    entry: &mut Array<u32>,
    neighbour: &mut Array<u32>,
    flags: &mut Array<u32>,
    slots: u32,
) {
    let counts = SharedMemory::<Atomic<u32>>::new(MOST_COLORS as usize);
    let mut starts = SharedMemory::<u32>::new(comptime!(MOST_COLORS as usize + 1));
    let mut totals = SharedMemory::<u32>::new(MOST_COLORS as usize);
    let body = ABSOLUTE_POS as u32;
    let mut own = NO_COLOR.runtime();
    if body < slots && flags[OVERFLOW as usize] == 0u32 && kind[body as usize] & MOVES == MOVES {
        own = color[body as usize];
    }
    if UNIT_POS < MOST_COLORS {
        counts[UNIT_POS as usize].store(0u32);
        totals[UNIT_POS as usize] = color_count[UNIT_POS as usize].load();
    }
    sync_cube();
    if own < MOST_COLORS {
        counts[own as usize].fetch_add(1u32);
    }
    if UNIT_POS <= MOST_COLORS {
        let mut before = 0u32;
        for color in 0..UNIT_POS {
            before += totals[color as usize];
        }
        starts[UNIT_POS as usize] = before;
        if CUBE_POS == 0 {
            flags[(COLOR_STARTS + UNIT_POS) as usize] = before;
        }
    }
    sync_cube();
    if ABSOLUTE_POS == 0 {
        let mut used = 0u32;
        let mut heavy = 0u32;
        for color in 0..MOST_COLORS {
            if totals[color as usize] > 0u32 {
                used = color + 1u32;
            }
            if totals[color as usize] > LIGHT {
                heavy = color + 1u32;
            }
        }
        flags[COLORS as usize] = used;
        flags[HEAVY_COLORS as usize] = heavy;
    }
    // Every workgroup takes a part of the list of each colour: neighbours in number stay neighbours there.
    if UNIT_POS < MOST_COLORS {
        let here = counts[UNIT_POS as usize].load();
        if here > 0u32 {
            let taken = color_count[(MOST_COLORS + UNIT_POS) as usize].fetch_add(here);
            counts[UNIT_POS as usize].store(starts[UNIT_POS as usize] + taken);
        }
    }
    sync_cube();
    if own < MOST_COLORS {
        let at = counts[own as usize].fetch_add(1u32);
        listed[at as usize] = body;
        for i in first[body as usize]..first[(body + 1u32) as usize] {
            let code = entry[i as usize];
            let other = ends[(code ^ 1u32) as usize];
            let points = pair[((code / 2u32) * PAIR_WORDS + 2u32) as usize];
            neighbour[i as usize] = 4u32 * other + points - 1u32;
            if kind[other as usize] & MOVES == 0u32 || color[other as usize] < own {
                entry[i as usize] = code | LATER;
            }
        }
    }
}
