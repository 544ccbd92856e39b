//! Whole frames in one launch: every connected group stays with its workgroup, bodies in registers and
//! what neighbours need of each other in shared memory, through all iterations of all frames asked for.
//!
//! A unit holds one body and one constraint. In a forest the constraint is the one that hangs its own
//! body from its parent, so that only the parent's side goes through shared memory: three words of
//! point velocity down and three words of impulse up per iteration.

mod kernel;
mod unit;

use cubecl::prelude::*;
use drystone_device::{Buffer, DeviceError, Gpu};

use super::pack::Packing;
use super::system::{PointState, PointSystem, StepOptions};
use super::transfer::{Places, StateBuffers};
use kernel::fused_frames;
use unit::{NONE_KIND, Shape};

/// A system on the device whose groups all fit workgroups.
#[derive(Debug)]
pub(super) struct Fused {
    packing: Packing,
    round: bool,
    kinds: Buffer<f32>,
    anchors: Buffer<f32>,
    body_kind: Buffer<u32>,
    ends: Buffer<u32>,
    /// Anchor on the first body, then on the second, by slot.
    constraint_anchor: Buffer<u32>,
    entry: Buffer<u32>,
    state: StateBuffers,
}

impl Places for Packing {
    fn of_body(&self, body: usize) -> usize {
        self.body_slot[body] as usize
    }

    fn of_constraint(&self, constraint: usize) -> usize {
        self.constraint_slot[constraint] as usize
    }
}

impl Fused {
    pub fn new<R: Runtime>(gpu: &Gpu<R>, system: &PointSystem, packing: Packing) -> Self {
        let slots = packing.slots();
        let mut body_kind = vec![NONE_KIND; slots];
        for (&slot, &kind) in packing.body_slot.iter().zip(&system.body_kind) {
            body_kind[slot as usize] = kind;
        }
        let mut constraint_anchor = vec![0; 2 * slots];
        for (constraint, &slot) in packing.constraint_slot.iter().enumerate() {
            constraint_anchor[slot as usize] = system.parent_anchor[constraint];
            constraint_anchor[slots + slot as usize] = system.child_anchor[constraint];
        }
        Self {
            round: system.is_round(),
            kinds: Buffer::from_slice(gpu, &system.kind_words()),
            anchors: Buffer::from_slice(gpu, &system.anchor_words()),
            body_kind: Buffer::from_slice(gpu, &body_kind),
            ends: Buffer::from_slice(gpu, &packing.ends(system)),
            constraint_anchor: Buffer::from_slice(gpu, &constraint_anchor),
            entry: Buffer::from_slice(gpu, &packing.entry),
            state: StateBuffers::new(gpu, slots, slots),
            packing,
        }
    }

    /// Takes `state` to the device.
    pub fn upload<R: Runtime>(&mut self, gpu: &Gpu<R>, state: &PointState) {
        self.state.upload(gpu, state, &self.packing);
    }

    /// Brings the device's state back into `state`, which has the right sizes.
    pub fn download<R: Runtime>(&self, gpu: &Gpu<R>, state: &mut PointState) -> Result<(), DeviceError> {
        self.state.download(gpu, state, &self.packing)
    }

    /// Takes `frames` steps in one launch.
    pub fn frames<R: Runtime>(&mut self, gpu: &Gpu<R>, options: &StepOptions, frames: u32) {
        if self.packing.blocks == 0 {
            return;
        }
        let shape = Shape {
            width: self.packing.width,
            degree: self.packing.degree,
            forest: self.packing.forest,
            round: self.round,
            stabilized: options.stabilization > 0.0,
        };
        fused_frames::launch::<R>(
            gpu.client(),
            gpu.cubes(self.packing.blocks),
            CubeDim::new_1d(shape.width),
            self.kinds.arg(),
            self.anchors.arg(),
            self.body_kind.arg(),
            self.ends.arg(),
            self.constraint_anchor.arg(),
            self.entry.arg(),
            self.state.body.arg(),
            self.state.impulse.arg(),
            options.dt,
            options.relaxation,
            options.stabilization / options.dt,
            options.iterations,
            frames,
            shape,
        );
    }

    /// Bytes of memory that a frame has to move at least: state and impulses in and out, topology in.
    pub fn bytes_per_frame(&self) -> usize {
        let words_both_ways = PointState::BODY_WORDS + 3;
        let words_in = 4 + self.packing.degree as usize;
        self.packing.slots() * 4 * (2 * words_both_ways + words_in)
    }
}
