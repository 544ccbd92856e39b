//! What ended deep in a half-space after a fast turn is lifted out, without a velocity: rows are linear in the turn, and a body that turns by a good
//! part of a radian in a step ends with corners in the ground that no row knew of. By the rule of `depenetration.rs`.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{between_cells, load_quat, load3};
use drystone_collide::gpu::{BOX, CAPSULE, CELL_WORDS, HALF_SPACE, INFO_WORDS, PLACE_WORDS, SIZE_WORDS, SPHERE};
use drystone_kernels::single::math::{Quat, Vec3};

// The numbers of the CPU, where the reasons are.
const FAST_TURN: f32 = crate::depenetration::FAST_TURN as f32;
const SLOP: f32 = crate::depenetration::SLOP as f32;

/// Whether a body turns so fast that linear rows say too little about where it ends.
#[cube]
pub fn turns_fast(before: Vec3, after: Vec3, h: f32) -> bool {
    before.length_squared().max(after.length_squared()) * h * h > FAST_TURN * FAST_TURN
}

/// How far a shape reaches down from its middle \[m\].
#[cube]
fn reach(kind: u32, size: Vec3, turn: Quat, up: Vec3) -> f32 {
    let axes = turn.matrix();
    let along = axes.mul_transposed(up);
    let mut reach = size.x;
    if kind == BOX {
        reach = along.x.abs() * size.x + along.y.abs() * size.y + along.z.abs() * size.z;
    }
    if kind == CAPSULE {
        reach = size.x + along.z.abs() * size.y;
    }
    if kind == SPHERE {
        reach = size.x;
    }
    reach
}

/// How far a body has to be moved along the normals of the half-spaces that it ended deep in \[m\], from a centre of mass in its cell and an
/// orientation.
#[cube]
pub fn lifted(
    body: u32,
    at: Vec3,
    turn: Quat,
    gyration: f32,
    info: &Array<u32>,
    size: &Array<f32>,
    cell: &Array<i32>,
    shape_cell: &Array<i32>,
    place: &Array<f32>,
    owner: &Array<u32>,
    other: &Array<u32>,
    entry: &Array<u32>,
    from: u32,
    to: u32,
    later: u32,
) -> Vec3 {
    let mut way = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    for i in from..to {
        let index = (entry[i as usize] & (later - 1u32)) / 2u32;
        let (own, plane) = (owner[index as usize], other[index as usize]);
        // What moves owns the pair.
        if info[(plane * INFO_WORDS + 1u32) as usize] == HALF_SPACE {
            let (at_size, at_plane) = (own * SIZE_WORDS, plane * PLACE_WORDS);
            let up = load_quat(place, at_plane + 4u32).rotate(Vec3 { x: 0.0, y: 0.0, z: 1.0 });
            let cells = between_cells(shape_cell, plane * CELL_WORDS, cell, body * CELL_WORDS);
            let middle = at.add(way).add(turn.rotate(load3(size, at_size)));
            let height = up.dot(cells.add(middle.sub(load3(place, at_plane))));
            let turned = turn.mul(load_quat(size, at_size + 3u32));
            let down = reach(info[(own * INFO_WORDS + 1u32) as usize], load3(size, at_size + 7u32), turned, up);
            let skins = size[(at_size + 11u32) as usize] + size[(plane * SIZE_WORDS + 11u32) as usize];
            let depth = down + skins - height - SLOP * gyration;
            way = way.add_scaled(up, depth.max(0.0));
        }
    }
    way
}
