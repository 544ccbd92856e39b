//! What a unit of a workgroup holds.

use cubecl::prelude::*;
use drystone_kernels::single::math::{Sym3, Vec3, Vec6};

use super::super::memory::*;
use super::super::motion::{Motion, load_motion, resting};
use super::super::pack::NONE16;

/// What the kernel is specialised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// Units per workgroup.
    pub width: u32,
    /// Most entries of a body.
    pub degree: u32,
    /// Whether a unit's constraint is the one of its own body.
    pub forest: bool,
    /// Whether no body feels the gyroscopic term.
    pub round: bool,
    /// Whether position errors are taken back.
    pub stabilized: bool,
}

impl Shape {
    /// Offers a workgroup has room for: one per constraint and side that goes through shared memory.
    pub fn room(self) -> u32 {
        if self.forest { self.width } else { 2 * self.width }
    }
}

/// Kind of an empty slot.
pub(super) const NONE_KIND: u32 = u32::MAX;

/// What a unit works on.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Duty {
    /// Slot of its body and of its constraint.
    pub slot: u32,
    /// Number of slots: the stride between components.
    pub slots: u32,
    /// First slot of the workgroup.
    pub first: u32,
    /// Kind of the body, or [`NONE_KIND`].
    pub kind: u32,
    /// Unit of the constraint's first body, or [`NONE16`].
    pub parent: u32,
    /// Unit of its second body, or [`NONE16`] if there is no constraint.
    pub child: u32,
}

#[cube]
pub(super) fn duty(body_kind: &Array<u32>, ends: &Array<u32>, #[comptime] shape: Shape) -> Duty {
    let slots = body_kind.len() as u32;
    let first = CUBE_POS as u32 * shape.width;
    let slot = first + UNIT_POS;
    let mut kind = NONE_KIND.runtime();
    let mut packed = (NONE16 | NONE16 << 16).runtime();
    if slot < slots {
        kind = body_kind[slot as usize];
        packed = ends[slot as usize];
    }
    Duty { slot, slots, first, kind, parent: packed & NONE16, child: packed >> 16u32 }
}

#[cube]
pub(super) fn load_body(body: &Array<f32>, duty: Duty) -> Motion {
    let mut motion = resting();
    if duty.kind != NONE_KIND {
        motion = load_motion(body, duty.slot, duty.slots);
    }
    motion
}

#[cube]
pub(super) fn load_some_kind(kinds: &Array<f32>, duty: Duty) -> Kind {
    // Empty slots take the first kind; nobody looks at what becomes of them.
    load_kind(kinds, select(duty.kind == NONE_KIND, 0u32, duty.kind))
}

/// The constraints around a body other than that of its own slot.
#[derive(CubeType)]
pub(super) struct OtherConstraints {
    /// Offer slot of each entry, or [`NONE16`].
    pub offer: Array<u32>,
    /// Lever of the body at each entry, world frame.
    pub lever: Array<f32>,
}

#[cube]
pub(super) fn find_other_constraints(entries: &Array<u32>, duty: Duty, #[comptime] shape: Shape) -> OtherConstraints {
    let mut offer = Array::<u32>::new(comptime!(shape.degree.max(1) as usize));
    let lever = Array::<f32>::new(comptime!((shape.degree.max(1) * 3) as usize));
    #[unroll]
    for k in 0..shape.degree {
        let mut entry = NONE16.runtime();
        if duty.kind != NONE_KIND {
            entry = entries[(k * duty.slots + duty.slot) as usize];
        }
        offer[k as usize] = select(entry == NONE16, entry, (entry % 2u32) * shape.width + entry / 2u32);
    }
    OtherConstraints { offer, lever }
}

#[cube]
pub(super) fn lever_of(others: &OtherConstraints, #[comptime] entry: u32) -> Vec3 {
    Vec3 {
        x: others.lever[comptime!(entry * 3) as usize],
        y: others.lever[comptime!(entry * 3 + 1) as usize],
        z: others.lever[comptime!(entry * 3 + 2) as usize],
    }
}

/// What a workgroup shares.
#[derive(CubeType)]
pub(super) struct Shared {
    /// What bodies offer to constraints: mobilities at the start of a frame, then point velocities.
    pub offers: SharedMemory<f32>,
    /// Places of the anchors.
    pub places: SharedMemory<f32>,
    /// Impulses of the constraints.
    pub impulses: SharedMemory<f32>,
}

/// What stays the same through the iterations of a frame.
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
pub(super) struct Prepared {
    pub inverse_mass: f32,
    pub inverse_inertia: Sym3,
    /// Velocity before constraints.
    pub free: Vec6,
    /// Lever of the body at the constraint of its own slot.
    pub lever: Vec3,
    /// Inverse block of the constraint.
    pub inverse: Sym3,
    pub bias: Vec3,
}
