//! What goes to the device and what comes back.

use cubecl::prelude::*;
use drystone_collide::gpu::{CELL_WORDS, MOTION_WORDS, split};
use drystone_device::{Buffer, Gpu};
use drystone_kernels::double::math::Vec3;
use drystone_kernels::double::rotation;
use drystone_model::{DQuat, DVec3, Model, Pose, State, Twist};
use drystone_solve::convert::{quat, to_dquat};

/// Bodies to be changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub slot: Vec<u32>,
    pub motion: Vec<f32>,
    pub cell: Vec<i32>,
    pub jolted: Vec<u32>,
}

impl Changes {
    /// Adds a body in a state; `jolted` says that its contacts are to forget what they bore.
    pub fn add(&mut self, model: &Model, state: &State, body: usize, jolted: bool) {
        self.slot.push(body as u32);
        let (cell, motion) = words(model, body, &state.body_q[body], &state.body_qd[body]);
        self.motion.extend(motion);
        self.cell.extend(cell);
        self.jolted.push(u32::from(jolted));
    }
}

/// A body in words.
fn words(
    model: &Model,
    body: usize,
    pose: &Pose,
    twist: &Twist,
) -> ([i32; CELL_WORDS as usize], [f32; MOTION_WORDS as usize]) {
    let ([i, j, k], [x, y, z]) = split(pose.transform_point(model.body_com[body]));
    let turn = pose.rotation;
    let (v, w) = (twist.linear, twist.angular);
    let turn = [turn.x, turn.y, turn.z, turn.w].map(|x| x as f32);
    let [vx, vy, vz, wx, wy, wz] = [v.x, v.y, v.z, w.x, w.y, w.z].map(|x| x as f32);
    ([i, j, k, 0], [x, y, z, turn[0], turn[1], turn[2], turn[3], 0.0, 0.0, 0.0, vx, vy, vz, wx, wy, wz])
}

/// The pose and velocity of a body from its words.
pub fn body_state(model: &Model, body: usize, motion: &[f32], cell: &[i32]) -> (Pose, Twist) {
    let words: &[f32] = &motion[body * MOTION_WORDS as usize..][..MOTION_WORDS as usize];
    let cell = &cell[body * CELL_WORDS as usize..][..3];
    let number = |k: usize| f64::from(words[k]);
    let vector = |k: usize| DVec3::new(number(k), number(k + 1), number(k + 2));
    let com = DVec3::new(f64::from(cell[0]), f64::from(cell[1]), f64::from(cell[2])) + vector(0);
    let reference = DQuat::from_xyzw(number(3), number(4), number(5), number(6));
    let since = rotation::exp(Vec3::new(number(7), number(8), number(9)));
    let turn = to_dquat(since.mul(quat(reference)).normalize());
    let pose = Pose { rotation: turn, translation: com - turn * model.body_com[body] };
    (pose, Twist { linear: vector(10), angular: vector(13) })
}

/// Changes on their way.
pub struct Patch {
    pub slot: Buffer<u32>,
    pub motion: Buffer<f32>,
    pub cell: Buffer<i32>,
    pub jolted: Buffer<u32>,
}

impl Patch {
    pub fn new<R: Runtime>(gpu: &Gpu<R>, changes: &Changes) -> Self {
        Self {
            slot: Buffer::from_slice(gpu, &changes.slot),
            motion: Buffer::from_slice(gpu, &changes.motion),
            cell: Buffer::from_slice(gpu, &changes.cell),
            jolted: Buffer::from_slice(gpu, &changes.jolted),
        }
    }
}

/// Writes changes to their bodies.
#[cube(launch)]
pub fn change_bodies(
    slot: &Array<u32>,
    new_motion: &Array<f32>,
    new_cell: &Array<i32>,
    new_jolted: &Array<u32>,
    motion: &mut Array<f32>,
    cell: &mut Array<i32>,
    jolted: &mut Array<u32>,
    count: u32,
) {
    if ABSOLUTE_POS < count as usize {
        let from = ABSOLUTE_POS as u32;
        let to = slot[ABSOLUTE_POS];
        for k in 0..MOTION_WORDS {
            motion[(to * MOTION_WORDS + k) as usize] = new_motion[(from * MOTION_WORDS + k) as usize];
        }
        for k in 0..CELL_WORDS {
            cell[(to * CELL_WORDS + k) as usize] = new_cell[(from * CELL_WORDS + k) as usize];
        }
        jolted[to as usize] = new_jolted[ABSOLUTE_POS].max(jolted[to as usize]);
    }
}
