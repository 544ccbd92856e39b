//! Pairs of shapes that can meet within the step: counted per shape, then listed.
//!
//! A pair belongs to one of its shapes, its owner: the one that moves, or of two that move the first in number. So the ground, which
//! meets everything, owns nothing. The pairs of an owner are a row, sorted by the other shape.

use cubecl::prelude::*;
use drystone_kernels::single::math::Vec3;

use super::memory::{between_cells, load_quat, load3};
use super::place::BOUND_WORDS;
use super::shapes::{ABSENT, CELL_WORDS, DYNAMIC, INFO_WORDS, PLACE_WORDS, SIZE_WORDS};
use super::tree::LEAF;

/// Word of the flags of a run: which capacity was too small, zero while none was.
pub const OVERFLOW: u32 = 0;
/// Word of the flags of a run: how many pairs there were in the last step.
pub const PAIR_DEMAND: u32 = 1;
/// Shapes that a search notes for a shape, so that listing them needs no second walk.
pub const NOTED: u32 = 16;
/// Bit of [`OVERFLOW`]: more pairs than there was room for.
pub const TOO_MANY_PAIRS: u32 = 1;

/// Whether two boxes share a point.
#[cube]
fn overlaps(low: Vec3, high: Vec3, of: &Array<f32>, first: u32) -> bool {
    let (other_low, other_high) = (load3(of, first), load3(of, first + 4u32));
    low.x <= other_high.x
        && low.y <= other_high.y
        && low.z <= other_high.z
        && other_low.x <= high.x
        && other_low.y <= high.y
        && other_low.z <= high.z
}

/// Whether `shape`, which moves, is the owner of a pair with `other`, and the two may touch.
#[cube]
fn owns(info: &Array<u32>, shape: u32, other: u32) -> bool {
    let (a, b) = (shape * INFO_WORDS, other * INFO_WORDS);
    let flags = info[(b + 4u32) as usize];
    let first = shape < other || flags & DYNAMIC == 0u32;
    let groups = info[(a + 2u32) as usize] & info[(b + 3u32) as usize];
    let back = info[(b + 2u32) as usize] & info[(a + 3u32) as usize];
    first
        && shape != other
        && flags & ABSENT == 0u32
        && info[a as usize] != info[b as usize]
        && info[(a + 6u32) as usize] == info[(b + 6u32) as usize]
        && groups != 0u32
        && back != 0u32
}

/// The node that follows a node and everything below it in the order of a walk; 0 at the end.
#[cube]
fn after(node: u32) -> u32 {
    let mut next = node + 1u32;
    while next & 1u32 == 0u32 {
        next = next >> 1u32;
    }
    if next == 1u32 {
        next = 0u32;
    }
    next
}

/// Whether the box of a shape reaches a half-space.
#[cube]
fn reaches_plane(
    low: Vec3,
    high: Vec3,
    plane: u32,
    size: &Array<f32>,
    cell: &Array<i32>,
    place: &Array<f32>,
    margin: f32,
) -> bool {
    let up = load_quat(place, plane * PLACE_WORDS + 4u32).rotate(Vec3 { x: 0.0, y: 0.0, z: 1.0 });
    let at = plane * CELL_WORDS;
    let base = load3(place, plane * PLACE_WORDS).add(Vec3 {
        x: cell[at as usize] as f32,
        y: cell[(at + 1u32) as usize] as f32,
        z: cell[(at + 2u32) as usize] as f32,
    });
    let (middle, half) = (low.add(high).scale(0.5), high.sub(low).scale(0.5));
    let lowest = up.dot(middle.sub(base)) - (up.x.abs() * half.x + up.y.abs() * half.y + up.z.abs() * half.z);
    lowest <= 0.5 * margin + size[(plane * SIZE_WORDS + 11u32) as usize]
}

/// Numbers of a search.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub struct SearchScalars {
    /// Number of shapes.
    pub shapes: u32,
    /// Number of shapes in the tree.
    pub members: u32,
    /// Leaves of the tree.
    pub leaves: u32,
    /// Number of half-spaces.
    pub planes: u32,
    /// Contacts are found up to this distance in any case \[m\].
    pub margin: f32,
}

/// Walks the tree for a shape: writes the shapes that it may touch and owns a pair with from `to` on, as many as there is `space` for, and
/// returns how many there are.
#[cube]
fn walk(
    shape: u32,
    info: &Array<u32>,
    size: &Array<f32>,
    cell: &Array<i32>,
    place: &Array<f32>,
    bound: &Array<f32>,
    planes: &Array<u32>,
    order: &Array<u32>,
    ordered: &Array<f32>,
    node: &Array<f32>,
    other: &mut Array<u32>,
    to: u32,
    space: u32,
    scalars: &SearchScalars,
) -> u32 {
    let mut found = 0u32;
    let own_flags = info[(shape * INFO_WORDS + 4u32) as usize];
    if own_flags & DYNAMIC == DYNAMIC && own_flags & ABSENT == 0u32 {
        let first = shape * BOUND_WORDS;
        let (low, high) = (load3(bound, first), load3(bound, first + 4u32));
        let mut at_node = 1u32;
        if scalars.members == 0u32 {
            at_node = 0u32;
        }
        while at_node != 0u32 {
            let mut next = after(at_node);
            if overlaps(low, high, node, at_node * BOUND_WORDS) {
                if at_node >= scalars.leaves {
                    let leaf = (at_node - scalars.leaves) * LEAF;
                    #[unroll]
                    for k in 0..LEAF {
                        let at = (leaf + k).min(scalars.members - 1u32);
                        let there = order[at as usize];
                        let meets = overlaps(low, high, ordered, at * BOUND_WORDS) && leaf + k < scalars.members;
                        if meets {
                            if owns(info, shape, there) {
                                if found < space {
                                    other[(to + found) as usize] = there;
                                }
                                found += 1u32;
                            }
                        }
                    }
                } else {
                    next = at_node * 2u32;
                }
            }
            at_node = next;
        }
        for k in 0..scalars.planes {
            let plane = planes[k as usize];
            if owns(info, shape, plane) && reaches_plane(low, high, plane, size, cell, place, scalars.margin) {
                if found < space {
                    other[(to + found) as usize] = plane;
                }
                found += 1u32;
            }
        }
    }
    found
}

/// Counts the pairs of every shape in the tree, neighbours in the tree side by side: they walk the same way. The first few found are noted.
#[cube(launch)]
pub fn search_pairs(
    info: &Array<u32>,
    size: &Array<f32>,
    cell: &Array<i32>,
    place: &Array<f32>,
    bound: &Array<f32>,
    planes: &Array<u32>,
    order: &Array<u32>,
    ordered: &Array<f32>,
    node: &Array<f32>,
    count: &mut Array<u32>,
    noted: &mut Array<u32>,
    touching_count: &mut Array<u32>,
    scalars: &SearchScalars,
) {
    if ABSOLUTE_POS == 0 {
        touching_count[0usize] = 0u32;
    }
    if ABSOLUTE_POS < scalars.members as usize {
        let shape = order[ABSOLUTE_POS];
        let to = shape * NOTED;
        count[shape as usize] = walk(
            shape,
            info,
            size,
            cell,
            place,
            bound,
            planes,
            order,
            ordered,
            node,
            noted,
            to,
            NOTED.runtime(),
            scalars,
        );
    }
}

/// Lists the pairs of every shape in its row: those that were noted, or what another walk finds where there are more.
#[cube(launch)]
pub fn list_pairs(
    info: &Array<u32>,
    size: &Array<f32>,
    cell: &Array<i32>,
    place: &Array<f32>,
    bound: &Array<f32>,
    planes: &Array<u32>,
    order: &Array<u32>,
    ordered: &Array<f32>,
    node: &Array<f32>,
    count: &Array<u32>,
    noted: &Array<u32>,
    start: &Array<u32>,
    kept_start: &mut Array<u32>,
    flags: &mut Array<u32>,
    owner: &mut Array<u32>,
    other: &mut Array<u32>,
    capacity: u32,
    scalars: &SearchScalars,
) {
    if ABSOLUTE_POS < scalars.shapes as usize {
        let shape = ABSOLUTE_POS as u32;
        let row = start[ABSOLUTE_POS];
        let demand = start[scalars.shapes as usize];
        let open = demand <= capacity && flags[OVERFLOW as usize] == 0u32;
        if shape == 0u32 && flags[OVERFLOW as usize] == 0u32 {
            flags[PAIR_DEMAND as usize] = demand;
            if demand > capacity {
                flags[OVERFLOW as usize] = TOO_MANY_PAIRS;
            }
        }
        // What is remembered stays as it is once a list was too short, however many steps were launched ahead.
        if open {
            kept_start[ABSOLUTE_POS] = row;
            if shape == 0u32 {
                kept_start[scalars.shapes as usize] = demand;
            }
            let found = count[ABSOLUTE_POS];
            if found > NOTED {
                walk(shape, info, size, cell, place, bound, planes, order, ordered, node, other, row, found, scalars);
            } else {
                for k in 0..found {
                    other[(row + k) as usize] = noted[(shape * NOTED + k) as usize];
                }
            }
            for k in 0..found {
                owner[(row + k) as usize] = shape;
            }
            sort_row(other, row, found);
        }
    }
}

/// Sorts a short row in place, by insertion.
#[cube]
pub fn sort_row(row: &mut Array<u32>, first: u32, count: u32) {
    for i in 1..count {
        let value = row[(first + i) as usize];
        let mut at = i;
        let mut going = true;
        while going {
            going = false;
            if at > 0u32 {
                let before = row[(first + at - 1u32) as usize];
                if before > value {
                    row[(first + at) as usize] = before;
                    at -= 1u32;
                    going = true;
                }
            }
        }
        row[(first + at) as usize] = value;
    }
}

/// From the first to the second of two shapes, world axes \[m\].
#[cube]
pub fn between_shapes(cell: &Array<i32>, place: &Array<f32>, a: u32, b: u32) -> Vec3 {
    let cells = between_cells(cell, a * CELL_WORDS, cell, b * CELL_WORDS);
    cells.add(load3(place, b * PLACE_WORDS).sub(load3(place, a * PLACE_WORDS)))
}
