//! Islands: bodies connected by contacts, each with the smallest of them as its leader, and the scales of an island by which its contacts are
//! judged. The rules are those of `islands.rs` and `island_scales.rs` of the CPU.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load3, load6};
use drystone_collide::gpu::{
    CONTACT_WORDS, INFO_WORDS, MOTION_WORDS, NO_LANE, NO_MATCH, OVERFLOW, PAIR_WORDS, sort_row,
};
use drystone_device::UNITS;
use drystone_kernels::single::math::Vec3;

use super::layout::{ISLAND_LED, ISLAND_WEIGHTS, ISLAND_WORDS, LEADS, MASS_WORDS, MATERIAL_WORDS, MEMORY_WORDS, MOVES};
use super::motion::acceleration;
use super::rows::centre;
use super::totals::{NO_LABEL, SUM_WORDS, Scales, add_by_label, total};

/// Numbers that bodies add to the weights of their island: mass, external force, force that presses on it, stored energy.
const WEIGHTS: u32 = 4;

/// The leader of a body as far as it is known, and a shorter way there for those who ask next. `seen` is `parent` without its order of arrival: a
/// word from before is an older ancestor, and as good.
#[cube]
fn leader(seen: &mut Array<u32>, body: u32) -> u32 {
    let mut at = body;
    let mut up = seen[at as usize];
    while up != at {
        let over = seen[up as usize];
        if over != up {
            seen[at as usize] = over;
        }
        at = up;
        up = over;
    }
    at
}

/// Connects two bodies: of two leaders the larger follows the smaller. Which bodies end up together, and under whom, depends on no order.
#[cube]
fn unite(parent: &mut Array<Atomic<u32>>, seen: &mut Array<u32>, a: u32, b: u32) {
    let mut x = leader(seen, a);
    let mut y = leader(seen, b);
    while x != y {
        let high = x.max(y);
        let low = x.min(y);
        let before = parent[high as usize].fetch_min(low);
        y = low;
        x = low;
        if before != high {
            // Somebody was faster: it follows another one already, who has to come along.
            x = leader(seen, before);
            y = leader(seen, low);
        }
    }
}

/// Ends of every manifold, contacts of every body, and islands. `held` says which bodies touch something that does not move by forces.
#[cube(launch)]
pub fn join_islands(
    info: &Array<u32>,
    kind: &Array<u32>,
    touching: &Array<u32>,
    touching_count: &Array<u32>,
    owner: &Array<u32>,
    other: &Array<u32>,
    ends: &mut Array<u32>,
    degree: &mut Array<Atomic<u32>>,
    parent: &mut Array<Atomic<u32>>,
    seen: &mut Array<u32>,
    held: &mut Array<u32>,
    flags: &Array<u32>,
) {
    if flags[OVERFLOW as usize] == 0u32 && (ABSOLUTE_POS as u32) < touching_count[0usize] {
        let index = touching[ABSOLUTE_POS];
        let (own, there) = (owner[index as usize], other[index as usize]);
        let first = info[(own.min(there) * INFO_WORDS) as usize];
        let second = info[(own.max(there) * INFO_WORDS) as usize];
        ends[(2u32 * index) as usize] = first;
        ends[(2u32 * index + 1u32) as usize] = second;
        let moves0 = kind[first as usize] & MOVES == MOVES;
        let moves1 = kind[second as usize] & MOVES == MOVES;
        if moves0 {
            degree[first as usize].fetch_add(1u32);
            if !moves1 {
                held[first as usize] = 1u32;
            }
        }
        if moves1 {
            degree[second as usize].fetch_add(1u32);
            if !moves0 {
                held[second as usize] = 1u32;
            }
        }
        if moves0 && moves1 {
            unite(parent, seen, first, second);
        }
    }
}

/// Force that the points of a manifold bore for two steps \[N\]: what changed more than twofold was a blow.
#[cube]
fn steady(index: u32, count: u32, contact: &Array<f32>, matched: &Array<u32>, old_memory: &Array<f32>) -> f32 {
    let old_pair = matched[(2u32 * index) as usize];
    let lanes = matched[(2u32 * index + 1u32) as usize];
    let normal = load3(contact, index * CONTACT_WORDS);
    let mut sum = f32::new(0.0);
    if old_pair != NO_MATCH {
        for lane in 0..count {
            let old_lane = (lanes >> (8u32 * lane)) & NO_LANE;
            if old_lane != NO_LANE {
                let from = old_pair * MEMORY_WORDS + 16u32 * old_lane;
                let now = load3(old_memory, from).dot(normal).max(0.0);
                let before = old_memory[(from + 4u32) as usize];
                let less = now.min(before);
                if now.max(before) < 2.0 * less {
                    sum += less;
                }
            }
        }
    }
    sum
}

/// Energy that the springs of a soft manifold hold \[J\].
#[cube]
fn stored(index: u32, count: u32, contact: &Array<f32>, stiffness: f32) -> f32 {
    let mut sum = f32::new(0.0);
    for lane in 0..count {
        let overlap = contact[(index * CONTACT_WORDS + 7u32 + 4u32 * lane) as usize].min(0.0);
        sum += 0.5 * stiffness * overlap * overlap;
    }
    sum
}

/// Fastest motion of a led body where it touches \[m/s\].
#[cube]
fn led_speed(index: u32, count: u32, contact: &Array<f32>, motion: &Array<f32>, body: u32, com: Vec3) -> f32 {
    let velocity = load6(motion, body * MOTION_WORDS + 10u32);
    let mut fastest = f32::new(0.0);
    for lane in 0..count {
        let on = load3(contact, index * CONTACT_WORDS + 4u32 + 4u32 * lane);
        fastest = fastest.max(velocity.at(on.sub(com)).length());
    }
    fastest
}

/// Sorts the contacts of every body, finds the leader of its island, and adds what it weighs to that.
#[cube(launch)]
pub fn weigh_islands(
    info: &Array<u32>,
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    place: &Array<f32>,
    frame: &Array<f32>,
    material: &Array<f32>,
    owner: &Array<u32>,
    other: &Array<u32>,
    pair: &Array<u32>,
    contact: &Array<f32>,
    matched: &Array<u32>,
    old_memory: &Array<f32>,
    ends: &Array<u32>,
    first: &Array<u32>,
    entry: &mut Array<u32>,
    seen: &mut Array<u32>,
    label: &mut Array<u32>,
    held: &Array<u32>,
    supported: &mut Array<u32>,
    island: &mut Array<Atomic<u32>>,
    slots: u32,
    materials: u32,
    scales: &Scales,
    #[comptime] soft: bool,
    #[comptime] leads: bool,
) {
    let mut values = SharedMemory::<f32>::new(comptime!((WEIGHTS * UNITS) as usize));
    let body = ABSOLUTE_POS as u32;
    let mut of = NO_LABEL.runtime();
    let mut weight = f32::new(0.0);
    let mut external = f32::new(0.0);
    let mut pressed = f32::new(0.0);
    let mut spring = f32::new(0.0);
    if body < slots && kind[body as usize] & MOVES == MOVES {
        let start = first[body as usize];
        let count = first[(body + 1u32) as usize] - start;
        if count > 0u32 {
            sort_row(entry, start, count);
            of = leader(seen, body);
            weight = mass[(body * MASS_WORDS) as usize];
            external = weight * acceleration(mass, force, body).length();
            if held[body as usize] == 1u32 {
                supported[of as usize] = 1u32;
            }
            let mut fastest = f32::new(0.0);
            for i in 0..count {
                let code = entry[(start + i) as usize];
                let index = code / 2u32;
                let points = pair[(index * PAIR_WORDS + 2u32) as usize];
                let beyond = ends[(code ^ 1u32) as usize];
                let free = kind[beyond as usize] & MOVES == MOVES;
                if !free {
                    pressed += steady(index, points, contact, matched, old_memory);
                }
                if soft || leads {
                    let (own, there) = (owner[index as usize], other[index as usize]);
                    let (a, b) = (own.min(there), own.max(there));
                    if soft {
                        let kinds =
                            info[(a * INFO_WORDS + 5u32) as usize] * materials + info[(b * INFO_WORDS + 5u32) as usize];
                        // By the first of two bodies that move, once.
                        if code % 2u32 == 0u32 || !free {
                            spring +=
                                stored(index, points, contact, material[(kinds * MATERIAL_WORDS + 2u32) as usize]);
                        }
                    }
                    if leads {
                        if kind[beyond as usize] & LEADS == LEADS {
                            let mut com = centre(info, place, frame, a);
                            if code % 2u32 == 0u32 {
                                com = load3(contact, index * CONTACT_WORDS + 20u32).add(centre(info, place, frame, b));
                            }
                            fastest = fastest.max(led_speed(index, points, contact, motion, beyond, com));
                        }
                    }
                }
            }
            if leads {
                // Bits of numbers that are not negative are in their order.
                island[(of * ISLAND_WORDS + ISLAND_LED) as usize].fetch_max(u32::reinterpret(fastest));
            }
        }
        label[body as usize] = of;
    }
    values[UNIT_POS as usize] = weight * scales.mass;
    values[(UNITS + UNIT_POS) as usize] = external * scales.force;
    values[(2u32 * UNITS + UNIT_POS) as usize] = pressed * scales.force;
    values[(3u32 * UNITS + UNIT_POS) as usize] = spring * scales.energy;
    add_by_label(of, &values, island, ISLAND_WORDS.runtime(), ISLAND_WEIGHTS.runtime(), WEIGHTS);
}

/// Scales of an island.
#[derive(CubeType, Clone, Copy)]
pub struct IslandScale {
    /// Mass of all its bodies \[kg\].
    pub mass: f32,
    /// Acceleration that external forces would give it \[m/s²\].
    pub external: f32,
    /// Acceleration that turns a load into the mass it stands for \[m/s²\].
    pub reference: f32,
    /// Fastest motion of a led body where it acts on the island \[m/s\].
    pub led: f32,
    /// Energy that soft contacts can give in the step \[J\].
    pub stored: f32,
}

/// Scales of the island of a leader.
#[cube]
pub fn scale_of(island: &Array<u32>, leader: u32, scales: &Scales) -> IslandScale {
    let at = leader * ISLAND_WORDS + ISLAND_WEIGHTS;
    let mass = total(island, at) / scales.mass;
    let external = total(island, at + SUM_WORDS) / scales.force / mass;
    let pressed = total(island, at + 2u32 * SUM_WORDS) / scales.force / mass;
    IslandScale {
        mass,
        external,
        reference: external.max(0.5 * pressed),
        led: f32::reinterpret(island[(leader * ISLAND_WORDS + ISLAND_LED) as usize]),
        stored: total(island, at + 3u32 * SUM_WORDS) / scales.energy,
    }
}
