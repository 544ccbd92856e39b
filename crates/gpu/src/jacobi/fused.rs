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

/// The constraints around a body other than that of its own slot.
#[derive(CubeType)]
struct Around {
    /// Offer slot of each entry, or [`NONE16`].
    offer: Array<u32>,
    /// Lever of the body at each entry, world frame.
    lever: Array<f32>,
}

#[cube]
fn lever_of(around: &Around, #[comptime] entry: u32) -> Vec3 {
    Vec3 {
        x: around.lever[comptime!(entry * 3) as usize],
        y: around.lever[comptime!(entry * 3 + 1) as usize],
        z: around.lever[comptime!(entry * 3 + 2) as usize],
    }
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
    let width = comptime!(shape.width);
    let sides = comptime!(if shape.forest { 1u32 } else { 2u32 });
    let degree = comptime!(shape.degree);
    // What a body offers to a constraint: mobility at the start of a frame, then point velocities.
    let room = comptime!(width * sides);
    let mut offers = SharedMemory::<f32>::new(comptime!((room * 6) as usize));
    let mut places = SharedMemory::<f32>::new(comptime!(if shape.stabilized { (room * 3) as usize } else { 1usize }));
    let mut impulses = SharedMemory::<f32>::new(comptime!((width * 3) as usize));

    let slots = body_kind.len() as u32;
    let block = CUBE_POS as u32;
    let slot = block * width + UNIT_POS;
    let unit = UNIT_POS;

    // The body of this unit.
    let mut has_body = false;
    let mut kind = Kind {
        inverse_mass: 0.0f32,
        gravity: zero3(),
        inertia: Sym3::scaled_identity(0.0f32),
        inverse_inertia: Sym3::scaled_identity(0.0f32),
    };
    let mut x = zero3();
    let mut q = Quat { x: 0.0f32, y: 0.0f32, z: 0.0f32, w: 1.0f32 };
    let mut v = zero6();
    // The constraint of this unit.
    let mut parent = NONE16.runtime();
    let mut child = NONE16.runtime();
    let mut p = zero3();
    let mut anchor0 = zero3();
    let mut anchor1 = zero3();
    // The other constraints around the body.
    let mut around = Around {
        offer: Array::<u32>::new(comptime!(degree.max(1) as usize)),
        lever: Array::<f32>::new(comptime!((degree.max(1) * 3) as usize)),
    };
    let mut local = Array::<f32>::new(comptime!((degree.max(1) * 3) as usize));
    #[unroll]
    for k in 0..degree {
        around.offer[k as usize] = NONE16.runtime();
    }
    if slot < slots {
        let index = body_kind[slot as usize];
        has_body = index != NONE_KIND;
        if has_body {
            kind = load_kind(kinds, index);
            x = load_vec3(body, slot, slots);
            q = load_quat(body, slot + 3u32 * slots, slots);
            v = load_vec6(body, slot + 7u32 * slots, slots);
            #[unroll]
            for k in 0..degree {
                let entry = entries[(k * slots + slot) as usize];
                if entry != NONE16 {
                    let constraint = entry / 2u32;
                    let side = entry % 2u32;
                    around.offer[k as usize] = side * width + constraint;
                    let a =
                        load_anchor(anchors, constraint_anchor[(side * slots + block * width + constraint) as usize]);
                    local[comptime!(k * 3) as usize] = a.x;
                    local[comptime!(k * 3 + 1) as usize] = a.y;
                    local[comptime!(k * 3 + 2) as usize] = a.z;
                }
            }
        }
        let packed = ends[slot as usize];
        parent = packed & NONE16;
        child = packed >> 16u32;
        if child != NONE16 {
            p = load_vec3(impulse, slot, slots);
            anchor0 = load_anchor(anchors, constraint_anchor[slot as usize]);
            anchor1 = load_anchor(anchors, constraint_anchor[(slots + slot) as usize]);
        }
    }

    for _frame in 0..frames {
        let inverse_inertia = world_inertia(q, kind.inverse_inertia);
        let mut free = FreeMotion { velocity: v, rotation: zero3() };
        if comptime!(shape.round) {
            free.velocity.l = v.l.add_scaled(kind.gravity, dt);
        } else {
            free = free_motion(q, v, kind.gravity, zero3(), kind.inertia, kind.inverse_inertia, dt);
        }
        // Offer mobilities and anchor places to the constraints around.
        #[unroll]
        for k in 0..degree {
            let to = around.offer[k as usize];
            if to != NONE16 {
                let a = Vec3 {
                    x: local[comptime!(k * 3) as usize],
                    y: local[comptime!(k * 3 + 1) as usize],
                    z: local[comptime!(k * 3 + 2) as usize],
                };
                let r = q.rotate(a);
                around.lever[comptime!(k * 3) as usize] = r.x;
                around.lever[comptime!(k * 3 + 1) as usize] = r.y;
                around.lever[comptime!(k * 3 + 2) as usize] = r.z;
                share_sym3(&mut offers, to, room, point_mobility(kind.inverse_mass, inverse_inertia, r));
                if comptime!(shape.stabilized) {
                    share_vec3(&mut places, to, room, x.add(r));
                }
            }
        }
        share_vec3(&mut impulses, unit, width, p);
        sync_cube();
        // The constraint's block, and the impulses of the last frame as the start.
        let r1 = q.rotate(anchor1);
        let mut delassus = Sym3::scaled_identity(0.0f32);
        let mut bias = zero3();
        if child != NONE16 {
            if parent != NONE16 {
                delassus = shared_sym3(&offers, unit, room);
            }
            if comptime!(shape.forest) {
                delassus = delassus.add(point_mobility(kind.inverse_mass, inverse_inertia, r1));
            } else {
                delassus = delassus.add(shared_sym3(&offers, width + unit, room));
            }
            if comptime!(shape.stabilized) {
                let mut from = anchor0;
                if parent != NONE16 {
                    from = shared_vec3(&places, unit, room);
                }
                let mut to = x.add(r1);
                if comptime!(!shape.forest) {
                    to = shared_vec3(&places, width + unit, room);
                }
                bias = to.sub(from).scale(bias_rate);
            }
        }
        let inverse = inverse_block(delassus);
        let mut solved =
            solved_velocity(&around, &impulses, free.velocity, p, r1, kind.inverse_mass, inverse_inertia, shape);
        sync_cube();
        for _iteration in 0..iterations {
            #[unroll]
            for k in 0..degree {
                let to = around.offer[k as usize];
                if to != NONE16 {
                    share_vec3(&mut offers, to, room, solved.at(lever_of(&around, k)));
                }
            }
            sync_cube();
            if child != NONE16 {
                let mut rate = solved.at(r1);
                if comptime!(!shape.forest) {
                    rate = shared_vec3(&offers, width + unit, room);
                }
                if parent != NONE16 {
                    rate = rate.sub(shared_vec3(&offers, unit, room));
                }
                p = multiplier_step(p, inverse, rate, bias, relaxation);
                share_vec3(&mut impulses, unit, width, p);
            }
            sync_cube();
            solved =
                solved_velocity(&around, &impulses, free.velocity, p, r1, kind.inverse_mass, inverse_inertia, shape);
        }
        if has_body {
            if comptime!(shape.round) {
                x = x.add_scaled(solved.l, dt);
                q = exp(solved.a.scale(dt)).mul(q).normalize();
                v = solved;
            } else {
                let end = end_of_step(q, free, solved, kind.inertia, kind.inverse_inertia, dt);
                x = x.add(end.displacement);
                q = end.orientation;
                v = end.velocity;
            }
        }
        sync_cube();
    }

    if has_body {
        store_vec3(body, slot, slots, x);
        store_quat(body, slot + 3u32 * slots, slots, q);
        store_vec6(body, slot + 7u32 * slots, slots, v);
    }
    if child != NONE16 {
        store_vec3(impulse, slot, slots, p);
    }
}

/// Velocity of the body under the impulses of all constraints around it.
#[cube]
fn solved_velocity(
    around: &Around,
    impulses: &SharedMemory<f32>,
    free: Vec6,
    own: Vec3,
    own_lever: Vec3,
    inverse_mass: f32,
    inverse_inertia: Sym3,
    #[comptime] shape: Shape,
) -> Vec6 {
    let width = comptime!(shape.width);
    let mut wrench = zero6();
    if comptime!(shape.forest) {
        wrench = wrench_on_child(own, own_lever);
    }
    #[unroll]
    for k in 0..comptime!(shape.degree) {
        let at = around.offer[k as usize];
        if at != NONE16 {
            let lever = lever_of(around, k);
            if comptime!(shape.forest) {
                wrench = wrench.add(wrench_on_parent(shared_vec3(impulses, at, width), lever));
            } else {
                let p = shared_vec3(impulses, at % width, width);
                if at < width {
                    wrench = wrench.add(wrench_on_parent(p, lever));
                } else {
                    wrench = wrench.add(wrench_on_child(p, lever));
                }
            }
        }
    }
    velocity_step(free, wrench, inverse_mass, inverse_inertia)
}
