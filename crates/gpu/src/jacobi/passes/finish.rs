//! The end of a frame.

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::FreeMotion;

use super::super::memory::*;
use super::super::motion::{load_motion, moved, store_motion};

#[cube(launch)]
pub(super) fn integrate(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    prepared: &Array<f32>,
    velocity: &Array<f32>,
    body: &mut Array<f32>,
    bodies: u32,
    dt: f32,
    #[comptime] round: bool,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let kind = load_kind(kinds, body_kind[ABSOLUTE_POS]);
        let motion = load_motion(body, i, bodies);
        let solved = load_vec6(velocity, i, bodies);
        let mut free = FreeMotion { velocity: solved, rotation: zero3() };
        if comptime!(!round) {
            free.velocity = load_vec6(prepared, i, bodies);
            free.rotation = load_vec3(prepared, i + 12u32 * bodies, bodies);
        }
        store_motion(body, i, bodies, moved(kind, motion, free, solved, dt, round));
    }
}
