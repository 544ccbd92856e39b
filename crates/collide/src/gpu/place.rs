//! Where every shape is, how far it can get within the step, and its place on the curve that orders the tree.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Mat3, Vec3};

use super::memory::{load_quat, load3, store_quat, store3};
use super::shapes::{BOX, CAPSULE, CELL_WORDS, DYNAMIC, INFO_WORDS, LED, PLACE_WORDS, SIZE_WORDS, SPHERE};

/// Numbers of a box: least corner, how far a point may stray (turning and falling), largest corner, one unused.
pub const BOUND_WORDS: u32 = 8;
/// Numbers of a body's motion: offset in its cell (3), reference orientation (4), turn since (3), velocity (3), spin (3).
pub const MOTION_WORDS: u32 = 16;
/// Rounding of single precision that boxes are widened by, as a share of their coordinates.
const ROUNDING: f32 = 4.0e-7;

/// Where the curve starts and how many of its steps are in a metre.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub struct Curve {
    /// Least corner \[m\].
    pub x: f32,
    /// Least corner \[m\].
    pub y: f32,
    /// Least corner \[m\].
    pub z: f32,
    /// Steps per metre.
    pub scale: f32,
}

/// Places all shapes. Those that do not move keep the placement they have.
#[cube(launch)]
pub fn place_shapes(
    info: &Array<u32>,
    size: &Array<f32>,
    body_cell: &Array<i32>,
    frame: &Array<f32>,
    motion: &Array<f32>,
    cell: &mut Array<i32>,
    place: &mut Array<f32>,
    bound: &mut Array<f32>,
    shapes: u32,
    dt: f32,
    margin: f32,
) {
    if ABSOLUTE_POS < shapes as usize {
        let shape = ABSOLUTE_POS as u32;
        let (at_info, at_size) = (shape * INFO_WORDS, shape * SIZE_WORDS);
        let (at_cell, at_place) = (shape * CELL_WORDS, shape * PLACE_WORDS);
        let mut stray = f32::new(0.0);
        let mut sweep = Vec3::new(0.0, 0.0, 0.0);
        if info[(at_info + 4u32) as usize] & (DYNAMIC | LED) != 0u32 {
            let body = info[at_info as usize];
            let turn = load_quat(frame, body * PLACE_WORDS + 4u32);
            let at = load3(frame, body * PLACE_WORDS).add(turn.rotate(load3(size, at_size)));
            store3(place, at_place, at);
            store_quat(place, at_place + 4u32, turn.mul(load_quat(size, at_size + 3u32)).normalize());
            for k in 0..3u32 {
                cell[(at_cell + k) as usize] = body_cell[(body * CELL_WORDS + k) as usize];
            }
            sweep = load3(motion, body * MOTION_WORDS + 10u32).scale(dt);
            let spin = load3(motion, body * MOTION_WORDS + 13u32).length();
            stray = spin * dt * size[(at_size + 10u32) as usize] + dt * dt * size[(at_size + 13u32) as usize];
        }
        let turn = load_quat(place, at_place + 4u32).matrix();
        let half = half_extent(info[(at_info + 1u32) as usize], load3(size, at_size + 7u32), turn);
        let middle = load3(place, at_place).add(Vec3 {
            x: cell[at_cell as usize] as f32,
            y: cell[(at_cell + 1u32) as usize] as f32,
            z: cell[(at_cell + 2u32) as usize] as f32,
        });
        let widest = middle.x.abs().max(middle.y.abs()).max(middle.z.abs()) + half.x.max(half.y).max(half.z);
        let inflation = stray + 0.5 * margin + size[(at_size + 11u32) as usize] + ROUNDING * widest;
        let reach = half.add(Vec3 { x: inflation, y: inflation, z: inflation });
        let (low, high) = (middle.sub(reach), middle.add(reach));
        let first = shape * BOUND_WORDS;
        store3(
            bound,
            first,
            Vec3 { x: low.x + sweep.x.min(0.0), y: low.y + sweep.y.min(0.0), z: low.z + sweep.z.min(0.0) },
        );
        bound[(first + 3u32) as usize] = stray;
        store3(
            bound,
            first + 4u32,
            Vec3 { x: high.x + sweep.x.max(0.0), y: high.y + sweep.y.max(0.0), z: high.z + sweep.z.max(0.0) },
        );
    }
}

/// Half the sides of the box around a shape in an orientation \[m\].
#[cube]
fn half_extent(kind: u32, size: Vec3, turn: Mat3) -> Vec3 {
    let mut half = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    if kind == SPHERE {
        half = Vec3 { x: size.x, y: size.x, z: size.x };
    }
    if kind == BOX {
        half = Vec3 {
            x: turn.r0.x.abs() * size.x + turn.r0.y.abs() * size.y + turn.r0.z.abs() * size.z,
            y: turn.r1.x.abs() * size.x + turn.r1.y.abs() * size.y + turn.r1.z.abs() * size.z,
            z: turn.r2.x.abs() * size.x + turn.r2.y.abs() * size.y + turn.r2.z.abs() * size.z,
        };
    }
    if kind == CAPSULE {
        half = Vec3 {
            x: turn.r0.z.abs() * size.y + size.x,
            y: turn.r1.z.abs() * size.y + size.x,
            z: turn.r2.z.abs() * size.y + size.x,
        };
    }
    half
}

/// Puts two zeros before each of the ten lowest bits.
#[cube]
fn spread_bits(x: u32) -> u32 {
    let a = (x | (x << 16u32)) & 0x0300_00ffu32;
    let b = (a | (a << 8u32)) & 0x0300_f00fu32;
    let c = (b | (b << 4u32)) & 0x030c_30c3u32;
    (c | (c << 2u32)) & 0x0924_9249u32
}

/// Where a coordinate lies on the curve, in whole steps.
#[cube]
fn curve_step(x: f32, low: f32, scale: f32) -> u32 {
    ((x - low) * scale).max(0.0).min(1023.0) as u32
}

/// Morton numbers of the middles of the boxes of some shapes.
#[cube(launch)]
pub fn curve_keys(bound: &Array<f32>, shape: &Array<u32>, key: &mut Array<u32>, count: u32, curve: &Curve) {
    if ABSOLUTE_POS < count as usize {
        let first = shape[ABSOLUTE_POS] * BOUND_WORDS;
        let middle = load3(bound, first).add(load3(bound, first + 4u32)).scale(0.5);
        let x = spread_bits(curve_step(middle.x, curve.x, curve.scale));
        let y = spread_bits(curve_step(middle.y, curve.y, curve.scale));
        let z = spread_bits(curve_step(middle.z, curve.z, curve.scale));
        key[ABSOLUTE_POS] = x | (y << 1u32) | (z << 2u32);
    }
}
