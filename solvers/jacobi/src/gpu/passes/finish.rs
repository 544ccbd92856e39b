//! The end of a frame.

use cubecl::prelude::*;

use super::super::memory::*;
use super::super::motion::{load_motion, moved, store_motion};

#[cube(launch)]
pub(super) fn integrate(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
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
        store_motion(body, i, bodies, moved(kind, motion, solved, dt, round));
    }
}
