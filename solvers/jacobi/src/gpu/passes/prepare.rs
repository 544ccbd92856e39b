//! The start of a frame: free motion, inertia, levers and blocks.

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::{inverse_block, point_mobility};
use drystone_kernels::single::math::{Sym3, Vec3};
use drystone_kernels::single::rotation::world_inertia;

use super::super::equations::IMMOVABLE;
use super::super::memory::*;
use super::super::motion::{load_motion, unconstrained};
use super::super::point::{Point, store_point};

#[cube(launch)]
pub(super) fn prepare_bodies(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    body: &Array<f32>,
    prepared: &mut Array<f32>,
    bodies: u32,
    dt: f32,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let kind = load_kind(kinds, body_kind[ABSOLUTE_POS]);
        let motion = load_motion(body, i, bodies);
        store_vec6(prepared, i, bodies, unconstrained(kind, motion, dt));
        store_sym3(prepared, i + 6u32 * bodies, bodies, world_inertia(motion.q, kind.inverse_inertia));
    }
}

/// One end of a constraint.
#[derive(CubeType, Clone, Copy)]
struct End {
    lever: Vec3,
    place: Vec3,
    mobility: Sym3,
}

#[cube]
fn load_end(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    body: &Array<f32>,
    prepared_body: &Array<f32>,
    at: u32,
    anchor: Vec3,
    bodies: u32,
) -> End {
    let lever = load_quat(body, at + 3u32 * bodies, bodies).rotate(anchor);
    let inverse_mass = kinds[(body_kind[at as usize] * KIND_WORDS) as usize];
    let inverse_inertia = load_sym3(prepared_body, at + 6u32 * bodies, bodies);
    End {
        lever,
        place: load_vec3(body, at, bodies).add(lever),
        mobility: point_mobility(inverse_mass, inverse_inertia, lever),
    }
}

#[cube(launch)]
pub(super) fn prepare_constraints(
    kinds: &Array<f32>,
    anchors: &Array<f32>,
    body_kind: &Array<u32>,
    topology: &Array<u32>,
    body: &Array<f32>,
    prepared_body: &Array<f32>,
    prepared: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
    bias_rate: f32,
) {
    if ABSOLUTE_POS < constraints as usize {
        let i = ABSOLUTE_POS as u32;
        let parent = topology[ABSOLUTE_POS];
        let child = topology[(constraints + i) as usize];
        let anchor0 = load_anchor(anchors, topology[(2u32 * constraints + i) as usize]);
        let anchor1 = load_anchor(anchors, topology[(3u32 * constraints + i) as usize]);
        let second = load_end(kinds, body_kind, body, prepared_body, child, anchor1, bodies);
        let mut r0 = zero3();
        let mut from = anchor0;
        let mut delassus = second.mobility;
        if parent != IMMOVABLE {
            let first = load_end(kinds, body_kind, body, prepared_body, parent, anchor0, bodies);
            r0 = first.lever;
            from = first.place;
            delassus = delassus.add(first.mobility);
        }
        let bias = second.place.sub(from).scale(bias_rate);
        store_point(prepared, i, constraints, Point { r0, r1: second.lever, inverse: inverse_block(delassus), bias });
    }
}
