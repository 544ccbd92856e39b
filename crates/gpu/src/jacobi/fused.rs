//! Whole frames in one launch: every connected group stays with its workgroup, bodies in registers and
//! what neighbours need of each other in shared memory, through all iterations of all frames asked for.
//!
//! A unit holds one body and one constraint. In a forest the constraint is the one that hangs its own
//! body from its parent, so that only the parent's side goes through shared memory: three words of
//! point velocity down and three words of impulse up per iteration.

use cubecl::prelude::*;
use drystone_device::{Buffer, DeviceError, Gpu};
use drystone_kernels::single::jacobi::{
    FreeMotion, end_of_step, free_motion, inverse_block, multiplier_step, point_mobility, velocity_step,
    wrench_on_child, wrench_on_parent,
};
use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};
use drystone_kernels::single::rotation::{exp, world_inertia};

use super::memory::*;
use super::pack::{NONE16, Packing};
use super::system::{PointState, PointSystem, StepOptions};

/// What the kernel is specialised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    /// Units per workgroup.
    width: u32,
    /// Most entries of a body.
    degree: u32,
    /// Whether a unit's constraint is the one of its own body.
    forest: bool,
    /// Whether no body feels the gyroscopic term.
    round: bool,
    /// Whether position errors are taken back.
    stabilized: bool,
}

impl Shape {
    /// Offers a workgroup has room for: one per constraint and side that goes through shared memory.
    fn room(self) -> u32 {
        if self.forest { self.width } else { 2 * self.width }
    }
}

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
    body: Buffer<f32>,
    impulse: Buffer<f32>,
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
        let kinds: Vec<f32> = system.kind.iter().flat_map(|kind| kind.words()).collect();
        let anchors: Vec<f32> = system.anchor.iter().flat_map(|a| [a.x, a.y, a.z]).collect();
        Self {
            round: system.is_round(),
            kinds: Buffer::from_slice(gpu, &kinds),
            anchors: Buffer::from_slice(gpu, &anchors),
            body_kind: Buffer::from_slice(gpu, &body_kind),
            ends: Buffer::from_slice(gpu, &packing.ends(system)),
            constraint_anchor: Buffer::from_slice(gpu, &constraint_anchor),
            entry: Buffer::from_slice(gpu, &packing.entry),
            body: Buffer::new(gpu, slots * PointState::BODY_WORDS),
            impulse: Buffer::new(gpu, slots * 3),
            packing,
        }
    }

    /// Takes `state` to the device.
    pub fn upload<R: Runtime>(&mut self, gpu: &Gpu<R>, state: &PointState) {
        let slots = self.packing.slots();
        let mut words = vec![0.0; slots * PointState::BODY_WORDS];
        for (body, &slot) in self.packing.body_slot.iter().enumerate() {
            for (component, word) in state.body_words(body).into_iter().enumerate() {
                words[component * slots + slot as usize] = word;
            }
        }
        self.body.upload(gpu, &words);
        let mut words = vec![0.0; slots * 3];
        for (constraint, &slot) in self.packing.constraint_slot.iter().enumerate() {
            let p = state.impulse[constraint];
            for (component, word) in [p.x, p.y, p.z].into_iter().enumerate() {
                words[component * slots + slot as usize] = word;
            }
        }
        self.impulse.upload(gpu, &words);
    }

    /// Brings the device's state back into `state`, which has the right sizes.
    pub fn download<R: Runtime>(&self, gpu: &Gpu<R>, state: &mut PointState) -> Result<(), DeviceError> {
        let slots = self.packing.slots();
        let words = self.body.read(gpu)?;
        for (body, &slot) in self.packing.body_slot.iter().enumerate() {
            state.set_body(body, |component| words[component * slots + slot as usize]);
        }
        let words = self.impulse.read(gpu)?;
        for (constraint, &slot) in self.packing.constraint_slot.iter().enumerate() {
            let word = |component| words[component * slots + slot as usize];
            state.impulse[constraint] = Vec3 { x: word(0), y: word(1), z: word(2) };
        }
        Ok(())
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
            self.body.arg(),
            self.impulse.arg(),
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

/// Kind of an empty slot.
const NONE_KIND: u32 = u32::MAX;

/// What a unit works on.
#[derive(CubeType, Clone, Copy)]
struct Duty {
    /// Slot of its body and of its constraint.
    slot: u32,
    /// Number of slots: the stride between components.
    slots: u32,
    /// First slot of the workgroup.
    first: u32,
    /// Kind of the body, or [`NONE_KIND`].
    kind: u32,
    /// Unit of the constraint's first body, or [`NONE16`].
    parent: u32,
    /// Unit of its second body, or [`NONE16`] if there is no constraint.
    child: u32,
}

#[cube]
fn duty(body_kind: &Array<u32>, ends: &Array<u32>, #[comptime] shape: Shape) -> Duty {
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

/// A body in motion.
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
struct Motion {
    x: Vec3,
    q: Quat,
    v: Vec6,
}

#[cube]
fn load_motion(body: &Array<f32>, duty: Duty) -> Motion {
    let mut motion = Motion { x: zero3(), q: Quat { x: 0.0f32, y: 0.0f32, z: 0.0f32, w: 1.0f32 }, v: zero6() };
    if duty.kind != NONE_KIND {
        motion.x = load_vec3(body, duty.slot, duty.slots);
        motion.q = load_quat(body, duty.slot + 3u32 * duty.slots, duty.slots);
        motion.v = load_vec6(body, duty.slot + 7u32 * duty.slots, duty.slots);
    }
    motion
}

#[cube]
fn store_motion(body: &mut Array<f32>, duty: Duty, motion: Motion) {
    if duty.kind != NONE_KIND {
        store_vec3(body, duty.slot, duty.slots, motion.x);
        store_quat(body, duty.slot + 3u32 * duty.slots, duty.slots, motion.q);
        store_vec6(body, duty.slot + 7u32 * duty.slots, duty.slots, motion.v);
    }
}

/// The constraints around a body other than that of its own slot.
#[derive(CubeType)]
struct Around {
    /// Offer slot of each entry, or [`NONE16`].
    offer: Array<u32>,
    /// Lever of the body at each entry, world frame.
    lever: Array<f32>,
}

#[cube]
fn find_around(entries: &Array<u32>, duty: Duty, #[comptime] shape: Shape) -> Around {
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
    Around { offer, lever }
}

#[cube]
fn lever_of(around: &Around, #[comptime] entry: u32) -> Vec3 {
    Vec3 {
        x: around.lever[comptime!(entry * 3) as usize],
        y: around.lever[comptime!(entry * 3 + 1) as usize],
        z: around.lever[comptime!(entry * 3 + 2) as usize],
    }
}

/// What a workgroup shares.
#[derive(CubeType)]
struct Shared {
    /// What bodies offer to constraints: mobilities at the start of a frame, then point velocities.
    offers: SharedMemory<f32>,
    /// Places of the anchors.
    places: SharedMemory<f32>,
    /// Impulses of the constraints.
    impulses: SharedMemory<f32>,
}

/// What stays the same through the iterations of a frame.
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
struct Prepared {
    inverse_mass: f32,
    inverse_inertia: Sym3,
    free: FreeMotion,
    /// Lever of the body at the constraint of its own slot.
    lever: Vec3,
    /// Inverse block of the constraint.
    inverse: Sym3,
    bias: Vec3,
}

#[cube(launch)]
fn fused_frames(
    kinds: &Array<f32>,
    anchors: &Array<f32>,
    body_kind: &Array<u32>,
    ends: &Array<u32>,
    constraint_anchor: &Array<u32>,
    entries: &Array<u32>,
    body: &mut Array<f32>,
    impulse: &mut Array<f32>,
    dt: f32,
    relaxation: f32,
    bias_rate: f32,
    iterations: u32,
    frames: u32,
    #[comptime] shape: Shape,
) {
    let room = comptime!(shape.room());
    let mut shared = Shared {
        offers: SharedMemory::<f32>::new(comptime!((room * 6) as usize)),
        places: SharedMemory::<f32>::new(comptime!(if shape.stabilized { (room * 3) as usize } else { 1usize })),
        impulses: SharedMemory::<f32>::new(comptime!((shape.width * 3) as usize)),
    };
    let duty = duty(body_kind, ends, shape);
    let mut around = find_around(entries, duty, shape);
    let mut motion = load_motion(body, duty);
    let mut p = zero3();
    if duty.child != NONE16 {
        p = load_vec3(impulse, duty.slot, duty.slots);
    }
    for _frame in 0..frames {
        // Kinds and anchors are fetched anew in every frame: they are in the cache, and registers that
        // hold them through the iterations would keep workgroups off the device.
        let kind = load_some_kind(kinds, duty);
        offer_mobility(&mut shared, &mut around, anchors, constraint_anchor, duty, kind, motion, shape);
        share_vec3(&mut shared.impulses, UNIT_POS, shape.width, p);
        sync_cube();
        let prepared = prepare(&shared, anchors, constraint_anchor, duty, kind, motion, dt, bias_rate, shape);
        let mut solved = solved_velocity(&around, &shared.impulses, prepared, p, shape);
        sync_cube();
        for _iteration in 0..iterations {
            #[unroll]
            for k in 0..shape.degree {
                let to = around.offer[k as usize];
                if to != NONE16 {
                    share_vec3(&mut shared.offers, to, room, solved.at(lever_of(&around, k)));
                }
            }
            sync_cube();
            if duty.child != NONE16 {
                let rate = constraint_rate(&shared.offers, duty, solved, prepared.lever, shape);
                p = multiplier_step(p, prepared.inverse, rate, prepared.bias, relaxation);
                share_vec3(&mut shared.impulses, UNIT_POS, shape.width, p);
            }
            sync_cube();
            solved = solved_velocity(&around, &shared.impulses, prepared, p, shape);
        }
        motion = moved(kinds, duty, motion, prepared.free, solved, dt, shape);
        sync_cube();
    }
    store_motion(body, duty, motion);
    if duty.child != NONE16 {
        store_vec3(impulse, duty.slot, duty.slots, p);
    }
}

#[cube]
fn load_some_kind(kinds: &Array<f32>, duty: Duty) -> Kind {
    // Empty slots take the first kind; nobody looks at what becomes of them.
    load_kind(kinds, select(duty.kind == NONE_KIND, 0u32, duty.kind))
}

/// Bodies offer their mobilities and anchor places to the constraints around.
#[cube]
fn offer_mobility(
    shared: &mut Shared,
    around: &mut Around,
    anchors: &Array<f32>,
    constraint_anchor: &Array<u32>,
    duty: Duty,
    kind: Kind,
    motion: Motion,
    #[comptime] shape: Shape,
) {
    let room = comptime!(shape.room());
    let inverse_inertia = world_inertia(motion.q, kind.inverse_inertia);
    #[unroll]
    for k in 0..shape.degree {
        let to = around.offer[k as usize];
        if to != NONE16 {
            let side = to / shape.width;
            let constraint = duty.first + to % shape.width;
            let anchor = load_anchor(anchors, constraint_anchor[(side * duty.slots + constraint) as usize]);
            let r = motion.q.rotate(anchor);
            around.lever[comptime!(k * 3) as usize] = r.x;
            around.lever[comptime!(k * 3 + 1) as usize] = r.y;
            around.lever[comptime!(k * 3 + 2) as usize] = r.z;
            share_sym3(&mut shared.offers, to, room, point_mobility(kind.inverse_mass, inverse_inertia, r));
            if comptime!(shape.stabilized) {
                share_vec3(&mut shared.places, to, room, motion.x.add(r));
            }
        }
    }
}

/// Free motion of the body, block and bias of the constraint.
#[cube]
fn prepare(
    shared: &Shared,
    anchors: &Array<f32>,
    constraint_anchor: &Array<u32>,
    duty: Duty,
    kind: Kind,
    motion: Motion,
    dt: f32,
    bias_rate: f32,
    #[comptime] shape: Shape,
) -> Prepared {
    let room = comptime!(shape.room());
    let unit = UNIT_POS;
    let mut free = FreeMotion { velocity: motion.v, rotation: zero3() };
    if comptime!(shape.round) {
        free.velocity.l = motion.v.l.add_scaled(kind.gravity, dt);
    } else {
        free = free_motion(motion.q, motion.v, kind.gravity, zero3(), kind.inertia, kind.inverse_inertia, dt);
    }
    let mut prepared = Prepared {
        inverse_mass: kind.inverse_mass,
        inverse_inertia: world_inertia(motion.q, kind.inverse_inertia),
        free,
        lever: zero3(),
        inverse: Sym3::scaled_identity(0.0f32),
        bias: zero3(),
    };
    if duty.child != NONE16 {
        let mut delassus = Sym3::scaled_identity(0.0f32);
        if duty.parent != NONE16 {
            delassus = shared_sym3(&shared.offers, unit, room);
        }
        if comptime!(shape.forest) {
            let anchor = constraint_anchor[(duty.slots + duty.slot) as usize];
            prepared.lever = motion.q.rotate(load_anchor(anchors, anchor));
            let own = point_mobility(kind.inverse_mass, prepared.inverse_inertia, prepared.lever);
            delassus = delassus.add(own);
        } else {
            delassus = delassus.add(shared_sym3(&shared.offers, shape.width + unit, room));
        }
        prepared.inverse = inverse_block(delassus);
        if comptime!(shape.stabilized) {
            let mut from = load_anchor(anchors, constraint_anchor[duty.slot as usize]);
            if duty.parent != NONE16 {
                from = shared_vec3(&shared.places, unit, room);
            }
            let mut to = motion.x.add(prepared.lever);
            if comptime!(!shape.forest) {
                to = shared_vec3(&shared.places, shape.width + unit, room);
            }
            prepared.bias = to.sub(from).scale(bias_rate);
        }
    }
    prepared
}

/// Rate of the constraint from the point velocities of its ends.
#[cube]
fn constraint_rate(
    offers: &SharedMemory<f32>,
    duty: Duty,
    solved: Vec6,
    lever: Vec3,
    #[comptime] shape: Shape,
) -> Vec3 {
    let room = comptime!(shape.room());
    let mut rate = solved.at(lever);
    if comptime!(!shape.forest) {
        rate = shared_vec3(offers, shape.width + UNIT_POS, room);
    }
    if duty.parent != NONE16 {
        rate = rate.sub(shared_vec3(offers, UNIT_POS, room));
    }
    rate
}

/// Velocity of the body under the impulses of all constraints around it.
#[cube]
fn solved_velocity(
    around: &Around,
    impulses: &SharedMemory<f32>,
    prepared: Prepared,
    own: Vec3,
    #[comptime] shape: Shape,
) -> Vec6 {
    let mut wrench = zero6();
    if comptime!(shape.forest) {
        wrench = wrench_on_child(own, prepared.lever);
    }
    #[unroll]
    for k in 0..shape.degree {
        let at = around.offer[k as usize];
        if at != NONE16 {
            let lever = lever_of(around, k);
            if comptime!(shape.forest) {
                wrench = wrench.add(wrench_on_parent(shared_vec3(impulses, at, shape.width), lever));
            } else {
                let p = shared_vec3(impulses, at % shape.width, shape.width);
                if at < shape.width {
                    wrench = wrench.add(wrench_on_parent(p, lever));
                } else {
                    wrench = wrench.add(wrench_on_child(p, lever));
                }
            }
        }
    }
    velocity_step(prepared.free.velocity, wrench, prepared.inverse_mass, prepared.inverse_inertia)
}

/// The body at the end of a frame.
#[cube]
fn moved(
    kinds: &Array<f32>,
    duty: Duty,
    motion: Motion,
    free: FreeMotion,
    solved: Vec6,
    dt: f32,
    #[comptime] shape: Shape,
) -> Motion {
    let mut end = Motion { x: motion.x.add_scaled(solved.l, dt), q: motion.q, v: solved };
    if comptime!(shape.round) {
        end.q = exp(solved.a.scale(dt)).mul(motion.q).normalize();
    } else {
        let kind = load_some_kind(kinds, duty);
        let turned = end_of_step(motion.q, free, solved, kind.inertia, kind.inverse_inertia, dt);
        end.q = turned.orientation;
        end.v = turned.velocity;
    }
    end
}
