//! Bodies before and after the sweeps: where inertia leads them, and what their displacements mean.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load_quat, load_sym3, load3, load6, store_quat, store_sym3, store3, store6};
use drystone_collide::gpu::{CELL_WORDS, MOTION_WORDS, OVERFLOW, PLACE_WORDS};
use drystone_device::UNITS;
use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};
use drystone_kernels::single::rotation::{FreeRotation, exp_near, free_flight, log_near, slow_rotation, world_inertia};

use super::islands::scale_of;
use super::layout::{
    AIM_WORDS, END_WORDS, INVERSE_WORDS, ISLAND_ENERGIES, ISLAND_WORDS, LATER, LEADS, MASS_WORDS, MEMORY_WORDS, MOVES,
    ROUND, SIX_WORDS, STEPS,
};
use super::lift::{lifted, turns_fast};
use super::totals::{NO_LABEL, SUM_WORDS, Scales, add_by_label, total};
use super::whole::{carried, floats, from_leader, whole_of};

/// Turn below which the formula of second order is closer than single precision integrates \[rad\].
const SLOW: f32 = 2.0e-3;
/// Turn that is folded into the orientation, so that what is added up stays small \[rad\].
const FOLD: f32 = 0.1;

/// The number of the CPU, where the reason is.
const LIFTING: f32 = crate::energy::LIFTING as f32;

/// How a body turns by itself.
#[cube]
fn flight(kind: u32, turn: Quat, spin: Vec3, inertia: Sym3, inverse: Sym3, h: f32) -> FreeRotation {
    let mut free = FreeRotation { rotation: spin.scale(h), angular_velocity: spin };
    if kind & ROUND == 0u32 {
        if spin.length() * h < SLOW {
            free = slow_rotation(turn, spin, inertia, inverse, h);
        } else {
            let end = free_flight(turn, spin, Vec3 { x: 0.0, y: 0.0, z: 0.0 }, inertia, inverse, h);
            free = FreeRotation { rotation: log_near(end.turn), angular_velocity: end.angular_velocity };
        }
    }
    free
}

/// Where a body is, and where inertia and external forces lead it by the first-order rule.
#[cube(launch)]
pub fn predict(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    frame: &mut Array<f32>,
    aim: &mut Array<f32>,
    inverse: &mut Array<f32>,
    delta: &mut Array<f32>,
    degree: &mut Array<u32>,
    overlapping: &mut Array<u32>,
    parent: &mut Array<u32>,
    held: &mut Array<u32>,
    supported: &mut Array<u32>,
    island: &mut Array<u32>,
    slots: u32,
    h: f32,
) {
    if ABSOLUTE_POS < slots as usize {
        let body = ABSOLUTE_POS as u32;
        let at = body * MOTION_WORDS;
        parent[ABSOLUTE_POS] = body;
        held[ABSOLUTE_POS] = 0u32;
        supported[ABSOLUTE_POS] = 0u32;
        for k in 0..ISLAND_WORDS {
            island[(body * ISLAND_WORDS + k) as usize] = 0u32;
        }
        let turn = exp_near(load3(motion, at + 7u32)).mul(load_quat(motion, at + 3u32)).normalize();
        store3(frame, body * PLACE_WORDS, load3(motion, at));
        store_quat(frame, body * PLACE_WORDS + 4u32, turn);
        degree[ABSOLUTE_POS] = 0u32;
        overlapping[ABSOLUTE_POS] = 0u32;
        let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        store6(delta, body * SIX_WORDS, Vec6 { l: zero, a: zero });
        inverse[(body * INVERSE_WORDS) as usize] = 0.0;
        let nothing = Sym3 { xx: 0.0, xy: 0.0, xz: 0.0, yy: 0.0, yz: 0.0, zz: 0.0 };
        store_sym3(inverse, body * INVERSE_WORDS + 1u32, nothing);
        if kind[ABSOLUTE_POS] & LEADS == LEADS {
            // What is led moves as it is told, whatever touches it.
            let led = Vec6 { l: load3(motion, at + 10u32), a: load3(motion, at + 13u32) };
            store6(delta, body * SIX_WORDS, led.scale(h));
        }
        if kind[ABSOLUTE_POS] & MOVES == MOVES {
            let m = mass[(body * MASS_WORDS) as usize];
            let inertia = load_sym3(mass, body * MASS_WORDS + 1u32);
            let inverse_inertia = load_sym3(mass, body * MASS_WORDS + 7u32);
            let a = acceleration(mass, force, body);
            let (v, spin) = (load3(motion, at + 10u32), load3(motion, at + 13u32));
            let free = flight(kind[ABSOLUTE_POS], turn, spin, inertia, inverse_inertia, h);
            let to = body * AIM_WORDS;
            store6(aim, to, Vec6 { l: v.scale(h).add_scaled(a, h * h), a: free.rotation });
            aim[(to + 6u32) as usize] = m / (h * h);
            store_sym3(aim, to + 7u32, world_inertia(turn, inertia).scale(1.0 / (h * h)));
            store3(aim, to + 13u32, load3(force, body * SIX_WORDS + 3u32));
            inverse[(body * INVERSE_WORDS) as usize] = 1.0 / m;
            store_sym3(inverse, body * INVERSE_WORDS + 1u32, world_inertia(turn, inverse_inertia));
        }
    }
}

/// External acceleration of a body \[m/s²\].
#[cube]
pub fn acceleration(mass: &Array<f32>, force: &Array<f32>, body: u32) -> Vec3 {
    let m = mass[(body * MASS_WORDS) as usize].max(1.0e-30);
    load3(mass, body * MASS_WORDS + 13u32).add_scaled(load3(force, body * SIX_WORDS), 1.0 / m)
}

/// Velocity that the displacement of a body means, and how it turned for it. In contact the spin changes at the start of the step; from
/// there the body turns freely. Islands that nothing holds first get back the momentum that sweeps left behind. Energies are added up by island.
#[cube(launch)]
pub fn land(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    cell: &Array<i32>,
    frame: &Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    label: &Array<u32>,
    supported: &Array<u32>,
    whole: &Array<u32>,
    ended: &mut Array<f32>,
    island: &mut Array<Atomic<u32>>,
    slots: u32,
    h: f32,
    scales: &Scales,
) {
    let mut values = SharedMemory::<f32>::new(comptime!((2 * UNITS) as usize));
    if ABSOLUTE_POS < slots as usize && kind[ABSOLUTE_POS] & LEADS == LEADS {
        let (at, to) = (ABSOLUTE_POS as u32 * MOTION_WORDS, ABSOLUTE_POS as u32 * END_WORDS);
        let moved = load6(delta, ABSOLUTE_POS as u32 * SIX_WORDS);
        store6(ended, to, Vec6 { l: load3(motion, at + 10u32), a: load3(motion, at + 13u32) });
        store3(ended, to + 6u32, moved.a);
        store3(ended, to + 9u32, moved.a);
    }
    let mut of = NO_LABEL.runtime();
    let mut predicted_energy = f32::new(0.0);
    let mut reached_energy = f32::new(0.0);
    if ABSOLUTE_POS < slots as usize && kind[ABSOLUTE_POS] & MOVES == MOVES {
        let body = ABSOLUTE_POS as u32;
        let at = body * MOTION_WORDS;
        let target = load6(aim, body * AIM_WORDS);
        let mut moved = load6(delta, body * SIX_WORDS);
        let (v, w) = (load3(motion, at + 10u32), load3(motion, at + 13u32));
        let predicted = v.add_scaled(acceleration(mass, force, body), h);
        let turn = load_quat(frame, body * PLACE_WORDS + 4u32);
        let inertia = load_sym3(mass, body * MASS_WORDS + 1u32);
        let inverse = load_sym3(mass, body * MASS_WORDS + 7u32);
        // Where nothing touches, the external torque acts alone.
        let torque = load3(force, body * SIX_WORDS + 3u32);
        let mut linear = predicted;
        let free_spin = w.add_scaled(world_inertia(turn, inverse).mul(torque), h);
        let mut spin = free_spin;
        of = label[ABSOLUTE_POS];
        if of != NO_LABEL {
            if floats(label, supported, body) {
                let all = whole_of(whole, of, scales);
                let lever = from_leader(cell, frame, of, body).sub(all.centre);
                moved = moved.add(carried(all.missing, lever).scale(h));
                store6(delta, body * SIX_WORDS, moved);
            }
            linear = predicted.add_scaled(moved.l.sub(target.l), 1.0 / h);
            spin = w.add_scaled(moved.a.sub(target.a), 1.0 / h);
            let m = mass[(body * MASS_WORDS) as usize];
            let here = world_inertia(turn, inertia);
            predicted_energy = 0.5 * (m * predicted.length_squared() + here.quadratic(free_spin));
            reached_energy = 0.5 * (m * linear.length_squared() + here.quadratic(spin));
        }
        let free = flight(kind[ABSOLUTE_POS], turn, spin, inertia, inverse, h);
        let to = body * END_WORDS;
        store6(ended, to, Vec6 { l: linear, a: free.angular_velocity });
        store3(ended, to + 6u32, free.rotation);
        store3(ended, to + 9u32, moved.a);
    }
    values[UNIT_POS as usize] = predicted_energy * scales.energy;
    values[(UNITS + UNIT_POS) as usize] = reached_energy * scales.energy;
    add_by_label(of, &values, island, ISLAND_WORDS.runtime(), ISLAND_ENERGIES.runtime(), 2u32);
}

/// Most energy an island may have: what it would have by itself, what led bodies moving at their speed can make of it, what is stored, and a
/// little for lifting what overlaps. By the rule of `energy.rs`.
#[cube]
fn allowed_energy(island: &Array<u32>, leader: u32, h: f32, scales: &Scales) -> f32 {
    let scale = scale_of(island, leader, scales);
    let predicted = total(island, leader * ISLAND_WORDS + ISLAND_ENERGIES) / scales.energy;
    let led = 2.0 * (0.5 * scale.mass).sqrt() * scale.led;
    let fall = h * scale.external;
    let root = predicted.sqrt() + led;
    root * root + scale.stored + LIFTING * scale.mass * fall * fall
}

/// Scales the motion of an island that would have more energy than inertia, external forces, springs and led bodies give it, about standing still
/// or, where nothing holds it, about its motion as a whole: contacts only take energy, but sweeps that have not converged can add it.
#[cube(launch)]
pub fn limit(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    cell: &Array<i32>,
    frame: &Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    label: &Array<u32>,
    supported: &Array<u32>,
    whole: &Array<u32>,
    island: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    neighbour: &Array<u32>,
    ended: &mut Array<f32>,
    memory: &mut Array<f32>,
    flags: &Array<u32>,
    slots: u32,
    h: f32,
    scales: &Scales,
) {
    let body = ABSOLUTE_POS as u32;
    let mut of = NO_LABEL.runtime();
    if body < slots && kind[body as usize] & MOVES == MOVES {
        of = label[body as usize];
    }
    if of != NO_LABEL {
        let most = allowed_energy(island, of, h, scales);
        let has = total(island, of * ISLAND_WORDS + ISLAND_ENERGIES + SUM_WORDS) / scales.energy;
        if has > most {
            let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
            let mut about = Vec6 { l: zero, a: zero };
            let mut rigid = f32::new(0.0);
            if floats(label, supported, body) {
                let all = whole_of(whole, of, scales);
                about = carried(all.free, from_leader(cell, frame, of, body).sub(all.centre));
                rigid = all.energy;
            }
            let mut scale = f32::new(1.0);
            if has - rigid > 0.0 {
                scale = ((most - rigid).max(0.0) / (has - rigid)).sqrt().min(1.0);
            }
            let at = body * MOTION_WORDS;
            let target = load6(aim, body * AIM_WORDS);
            let moved = load6(delta, body * SIX_WORDS);
            let (v, w) = (load3(motion, at + 10u32), load3(motion, at + 13u32));
            let predicted = v.add_scaled(acceleration(mass, force, body), h);
            let turn = load_quat(frame, body * PLACE_WORDS + 4u32);
            let inertia = load_sym3(mass, body * MASS_WORDS + 1u32);
            let inverse = load_sym3(mass, body * MASS_WORDS + 7u32);
            let reached = Vec6 {
                l: predicted.add_scaled(moved.l.sub(target.l), 1.0 / h),
                a: w.add_scaled(moved.a.sub(target.a), 1.0 / h),
            };
            let v = about.add(reached.sub(about).scale(scale));
            let now = Vec6 { l: target.l.add_scaled(v.l.sub(predicted), h), a: target.a.add_scaled(v.a.sub(w), h) };
            store6(delta, body * SIX_WORDS, now);
            let free = flight(kind[body as usize], turn, v.a, inertia, inverse, h);
            let to = body * END_WORDS;
            store6(ended, to, Vec6 { l: v.l, a: free.angular_velocity });
            store3(ended, to + 6u32, free.rotation);
            store3(ended, to + 9u32, now.a);
            // What points remember is scaled too, by the later of their bodies.
            if flags[OVERFLOW as usize] == 0u32 {
                for i in first[body as usize]..first[(body + 1u32) as usize] {
                    let code = entry[i as usize];
                    if code >= LATER {
                        for lane in 0..neighbour[i as usize] % 4u32 + 1u32 {
                            let kept = ((code - LATER) / 2u32) * MEMORY_WORDS + 16u32 * lane;
                            store3(memory, kept, load3(memory, kept).scale(scale));
                        }
                    }
                }
            }
        }
    }
}

/// Writes poses and velocities, unless the step has to be taken again.
#[cube(launch)]
pub fn finish(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    delta: &Array<f32>,
    ended: &Array<f32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    info: &Array<u32>,
    size: &Array<f32>,
    shape_cell: &Array<i32>,
    place: &Array<f32>,
    owner: &Array<u32>,
    other: &Array<u32>,
    motion: &mut Array<f32>,
    cell: &mut Array<i32>,
    last: &mut Array<f32>,
    jolted: &mut Array<u32>,
    flags: &mut Array<u32>,
    slots: u32,
    h: f32,
) {
    if ABSOLUTE_POS < slots as usize && flags[OVERFLOW as usize] == 0u32 {
        let body = ABSOLUTE_POS as u32;
        // The world is the last slot and moves by nothing.
        if body == slots - 1u32 {
            flags[STEPS as usize] += 1u32;
        }
        if kind[ABSOLUTE_POS] & (MOVES | LEADS) != 0u32 {
            let (at, from) = (body * MOTION_WORDS, body * END_WORDS);
            let moved = load6(delta, body * SIX_WORDS);
            let mut end = load6(ended, from);
            let before = Vec6 { l: load3(motion, at + 10u32), a: load3(motion, at + 13u32) };
            // What was pushed apart turns the body too, and is no velocity.
            let pushed = moved.a.sub(load3(ended, from + 9u32));
            let turned =
                exp_near(pushed).mul(exp_near(load3(ended, from + 6u32))).mul(exp_near(load3(motion, at + 7u32)));
            let mut position = load3(motion, at).add(moved.l);
            let (start, stop) = (first[ABSOLUTE_POS], first[ABSOLUTE_POS + 1]);
            if stop > start && turns_fast(before.a, end.a, h) && kind[ABSOLUTE_POS] & MOVES == MOVES {
                let m = mass[(body * MASS_WORDS) as usize];
                let inertia = load_sym3(mass, body * MASS_WORDS + 1u32);
                let turn = turned.mul(load_quat(motion, at + 3u32)).normalize();
                let gyration = (inertia.trace() / (3.0 * m)).sqrt();
                let way = lifted(
                    body,
                    position,
                    turn,
                    gyration,
                    info,
                    size,
                    cell,
                    shape_cell,
                    place,
                    owner,
                    other,
                    entry,
                    start,
                    stop,
                    LATER.runtime(),
                );
                position = position.add(way);
                // What lifting costs is taken from the motion, as far as there is any.
                let work = -m * acceleration(mass, force, body).dot(way);
                let energy = 0.5 * (m * end.l.length_squared() + world_inertia(turn, inertia).quadratic(end.a));
                if work > 0.0 && energy > 0.0 {
                    end = end.scale((1.0 - work / energy).max(0.0).sqrt());
                }
            }
            store6(last, body * SIX_WORDS, end.sub(before).scale(1.0 / h));
            let step = Vec3 { x: position.x.round(), y: position.y.round(), z: position.z.round() };
            store3(motion, at, position.sub(step));
            cell[(body * CELL_WORDS) as usize] += step.x as i32;
            cell[(body * CELL_WORDS + 1u32) as usize] += step.y as i32;
            cell[(body * CELL_WORDS + 2u32) as usize] += step.z as i32;
            let mut turn = log_near(turned);
            if turn.length_squared() > FOLD * FOLD {
                store_quat(motion, at + 3u32, exp_near(turn).mul(load_quat(motion, at + 3u32)).normalize());
                turn = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
            }
            store3(motion, at + 7u32, turn);
            store3(motion, at + 10u32, end.l);
            store3(motion, at + 13u32, end.a);
            jolted[ABSOLUTE_POS] = 0u32;
        }
    }
}
