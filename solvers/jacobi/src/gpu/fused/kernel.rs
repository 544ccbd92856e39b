//! The kernel of whole frames and its parts.

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::{
    inverse_block, multiplier_step, point_mobility, velocity_step, wrench_on_child, wrench_on_parent,
};
use drystone_kernels::single::math::{Sym3, Vec3, Vec6};
use drystone_kernels::single::rotation::world_inertia;

use super::super::memory::*;
use super::super::motion::{Motion, moved, store_motion, unconstrained};
use super::super::pack::NONE16;
use super::unit::{
    Duty, NONE_KIND, OtherConstraints, Prepared, Shape, Shared, duty, find_other_constraints, lever_of, load_body,
    load_some_kind,
};

#[cube(launch)]
pub(super) fn fused_frames(
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
    let mut others = find_other_constraints(entries, duty, shape);
    let mut motion = load_body(body, duty);
    let mut p = zero3();
    if duty.child != NONE16 {
        p = load_vec3(impulse, duty.slot, duty.slots);
    }
    for _frame in 0..frames {
        // Kinds and anchors are fetched anew in every frame: they are in the cache, and registers that
        // hold them through the iterations would keep workgroups off the device.
        let kind = load_some_kind(kinds, duty);
        offer_mobility(&mut shared, &mut others, anchors, constraint_anchor, duty, kind, motion, shape);
        share_vec3(&mut shared.impulses, UNIT_POS, shape.width, p);
        sync_cube();
        let prepared = prepare(&shared, anchors, constraint_anchor, duty, kind, motion, dt, bias_rate, shape);
        let mut solved = solved_velocity(&others, &shared.impulses, prepared, p, shape);
        sync_cube();
        for _iteration in 0..iterations {
            #[unroll]
            for k in 0..shape.degree {
                let to = others.offer[k as usize];
                if to != NONE16 {
                    share_vec3(&mut shared.offers, to, room, solved.at(lever_of(&others, k)));
                }
            }
            sync_cube();
            if duty.child != NONE16 {
                let rate = constraint_rate(&shared.offers, duty, solved, prepared.lever, shape);
                p = multiplier_step(p, prepared.inverse, rate, prepared.bias, relaxation);
                share_vec3(&mut shared.impulses, UNIT_POS, shape.width, p);
            }
            sync_cube();
            solved = solved_velocity(&others, &shared.impulses, prepared, p, shape);
        }
        let kind = load_some_kind(kinds, duty);
        motion = moved(kind, motion, solved, dt, shape.round);
        sync_cube();
    }
    if duty.kind != NONE_KIND {
        store_motion(body, duty.slot, duty.slots, motion);
    }
    if duty.child != NONE16 {
        store_vec3(impulse, duty.slot, duty.slots, p);
    }
}

/// Bodies offer their mobilities and anchor places to the constraints around.
#[cube]
fn offer_mobility(
    shared: &mut Shared,
    others: &mut OtherConstraints,
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
        let to = others.offer[k as usize];
        if to != NONE16 {
            let side = to / shape.width;
            let constraint = duty.first + to % shape.width;
            let anchor = load_anchor(anchors, constraint_anchor[(side * duty.slots + constraint) as usize]);
            let r = motion.q.rotate(anchor);
            others.lever[comptime!(k * 3) as usize] = r.x;
            others.lever[comptime!(k * 3 + 1) as usize] = r.y;
            others.lever[comptime!(k * 3 + 2) as usize] = r.z;
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
    let mut prepared = Prepared {
        inverse_mass: kind.inverse_mass,
        inverse_inertia: world_inertia(motion.q, kind.inverse_inertia),
        free: unconstrained(kind, motion, dt),
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
    others: &OtherConstraints,
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
        let at = others.offer[k as usize];
        if at != NONE16 {
            let lever = lever_of(others, k);
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
    velocity_step(prepared.free, wrench, prepared.inverse_mass, prepared.inverse_inertia)
}
