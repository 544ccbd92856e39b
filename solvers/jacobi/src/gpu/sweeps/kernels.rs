//! The kernels of a sweep. Arrays are in tiles, see [`Tiles`](super::super::tiles::Tiles).

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::{accelerated, velocity_step, wrench_on_child, wrench_on_parent};
use drystone_kernels::single::math::{Mat3, Vec3, Vec6};
use drystone_kernels::single::rows::{RowBounds, RowJacobian, row_step, within_bounds};

use super::super::equations::{BODY_WORDS, IMMOVABLE, POINT_WORDS, ROW_WORDS};
use super::super::memory::{load_sym3, load_vec3, load_vec6, store_vec3, store_vec6, zero6};
use super::super::point::{load_point, stepped};
use super::super::tiles::TILE;

/// Distance of the words of an item.
const T: u32 = TILE as u32;

/// First word of an item of so many words.
#[cube]
fn at(item: u32, #[comptime] words: u32) -> u32 {
    item / T * comptime!(words * T) + item % T
}

#[cube]
fn velocity_of(velocity: &Array<f32>, body: u32) -> Vec6 {
    let mut v = zero6();
    if body != IMMOVABLE {
        v = load_vec6(velocity, at(body, 6u32), T);
    }
    v
}

/// Velocities of both ends of a constraint.
#[derive(CubeType, Clone, Copy)]
struct Ends {
    v0: Vec6,
    v1: Vec6,
}

#[cube]
fn load_ends(ends: &Array<u32>, velocity: &Array<f32>, constraint: u32) -> Ends {
    let first = at(constraint, 2u32);
    Ends { v0: velocity_of(velocity, ends[first as usize]), v1: velocity_of(velocity, ends[(first + T) as usize]) }
}

/// Stores the extrapolated multipliers and what the next extrapolation starts from.
#[cube]
fn store_step(
    impulse: &mut Array<f32>,
    before: &mut Array<f32>,
    constraint: u32,
    p: Vec3,
    stepped: Vec3,
    weight: f32,
    #[comptime] nesterov: bool,
) {
    let first = at(constraint, 3u32);
    let previous = load_vec3(before, first, T);
    store_vec3(impulse, first, T, accelerated(stepped, previous, weight));
    if nesterov {
        store_vec3(before, first, T, stepped);
    } else {
        store_vec3(before, first, T, p);
    }
}

#[cube(launch)]
pub(super) fn sweep_points(
    ends: &Array<u32>,
    point: &Array<f32>,
    velocity: &Array<f32>,
    impulse: &mut Array<f32>,
    before: &mut Array<f32>,
    points: u32,
    relaxation: f32,
    weight: f32,
    #[comptime] nesterov: bool,
) {
    if ABSOLUTE_POS < points as usize {
        let i = ABSOLUTE_POS as u32;
        let ends = load_ends(ends, velocity, i);
        let point = load_point(point, at(i, comptime!(POINT_WORDS as u32)), T, true);
        let p = load_vec3(impulse, at(i, 3u32), T);
        let stepped = stepped(point, p, ends.v0, ends.v1, relaxation);
        store_step(impulse, before, i, p, stepped, weight, nesterov);
    }
}

#[cube]
fn load_mat3(from: &Array<f32>, first: u32) -> Mat3 {
    Mat3 {
        r0: load_vec3(from, first, T),
        r1: load_vec3(from, first + 3u32 * T, T),
        r2: load_vec3(from, first + 6u32 * T, T),
    }
}

#[cube]
fn load_jacobian(row: &Array<f32>, first: u32) -> RowJacobian {
    RowJacobian {
        linear: load_mat3(row, first),
        angular0: load_mat3(row, first + 9u32 * T),
        angular1: load_mat3(row, first + 18u32 * T),
    }
}

#[cube(launch)]
pub(super) fn sweep_rows(
    ends: &Array<u32>,
    row: &Array<f32>,
    velocity: &Array<f32>,
    impulse: &mut Array<f32>,
    before: &mut Array<f32>,
    rows: u32,
    relaxation: f32,
    weight: f32,
    #[comptime] nesterov: bool,
) {
    if ABSOLUTE_POS < rows as usize {
        let i = ABSOLUTE_POS as u32;
        let ends = load_ends(ends, velocity, i);
        let first = at(i, comptime!(ROW_WORDS as u32));
        let rate = load_jacobian(row, first).rate(ends.v0, ends.v1);
        let inverse = load_sym3(row, first + 27u32 * T, T);
        let softness = load_vec3(row, first + 33u32 * T, T);
        let bias = load_vec3(row, first + 36u32 * T, T);
        let bounds = RowBounds {
            lower: load_vec3(row, first + 39u32 * T, T),
            upper: load_vec3(row, first + 42u32 * T, T),
            friction: row[(first + 45u32 * T) as usize],
        };
        let p = load_vec3(impulse, at(i, 3u32), T);
        let stepped = within_bounds(row_step(p, inverse, rate, bias, softness, relaxation), bounds);
        store_step(impulse, before, i, p, stepped, weight, nesterov);
    }
}

/// Adds the impulse on a body of one of the constraints around it; `code` is its entry in the list.
#[cube]
fn with_wrench(
    sum: Vec6,
    code: u32,
    point: &Array<f32>,
    point_impulse: &Array<f32>,
    row: &Array<f32>,
    row_impulse: &Array<f32>,
) -> Vec6 {
    let constraint = code / 4u32;
    let second = code % 2u32 == 1u32;
    let mut wrench = sum;
    if (code / 2u32) % 2u32 == 0u32 {
        let p = load_vec3(point_impulse, at(constraint, 3u32), T);
        let first = at(constraint, comptime!(POINT_WORDS as u32));
        if second {
            wrench = wrench.add(wrench_on_child(p, load_vec3(point, first + 3u32 * T, T)));
        } else {
            wrench = wrench.add(wrench_on_parent(p, load_vec3(point, first, T)));
        }
    } else {
        let p = load_vec3(row_impulse, at(constraint, 3u32), T);
        let jacobian = load_jacobian(row, at(constraint, comptime!(ROW_WORDS as u32)));
        if second {
            wrench = wrench.add(jacobian.wrench_on_child(p));
        } else {
            wrench = wrench.add(jacobian.wrench_on_parent(p));
        }
    }
    wrench
}

#[cube(launch)]
pub(super) fn sweep_bodies(
    body: &Array<f32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    point: &Array<f32>,
    point_impulse: &Array<f32>,
    row: &Array<f32>,
    row_impulse: &Array<f32>,
    velocity: &mut Array<f32>,
    bodies: u32,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let mut wrench = zero6();
        for at_entry in first[ABSOLUTE_POS]..first[ABSOLUTE_POS + 1] {
            wrench = with_wrench(wrench, entry[at_entry as usize], point, point_impulse, row, row_impulse);
        }
        let word = at(i, comptime!(BODY_WORDS as u32));
        let inverse_inertia = load_sym3(body, word + T, T);
        let free = load_vec6(body, word + 7u32 * T, T);
        let solved = velocity_step(free, wrench, body[word as usize], inverse_inertia);
        store_vec6(velocity, at(i, 6u32), T, solved);
    }
}
