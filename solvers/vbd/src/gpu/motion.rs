//! Bodies before and after the sweeps: where inertia leads them, and what their displacements mean.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load_quat, load_sym3, load3, load6, store_quat, store_sym3, store3, store6};
use drystone_collide::gpu::{CELL_WORDS, MOTION_WORDS, OVERFLOW, PLACE_WORDS};
use drystone_device::UNITS;
use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};
use drystone_kernels::single::rotation::{FreeRotation, exp_near, free_flight, log_near, slow_rotation, world_inertia};

use super::layout::{
    AIM_WORDS, END_WORDS, INVERSE_WORDS, LATER, LEADS, MASS_WORDS, MEMORY_WORDS, MOVES, ROUND, SIX_WORDS, STEPS,
};

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
    slots: u32,
    h: f32,
) {
    if ABSOLUTE_POS < slots as usize {
        let body = ABSOLUTE_POS as u32;
        let at = body * MOTION_WORDS;
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
/// there the body turns freely.
#[cube(launch)]
pub fn land(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    frame: &Array<f32>,
    aim: &Array<f32>,
    delta: &Array<f32>,
    first: &Array<u32>,
    ended: &mut Array<f32>,
    energy: &mut Array<f32>,
    slots: u32,
    h: f32,
    #[comptime] limits: bool,
) {
    if ABSOLUTE_POS < slots as usize && kind[ABSOLUTE_POS] & LEADS == LEADS {
        let (at, to) = (ABSOLUTE_POS as u32 * MOTION_WORDS, ABSOLUTE_POS as u32 * END_WORDS);
        let moved = load6(delta, ABSOLUTE_POS as u32 * SIX_WORDS);
        store6(ended, to, Vec6 { l: load3(motion, at + 10u32), a: load3(motion, at + 13u32) });
        store3(ended, to + 6u32, moved.a);
        store3(ended, to + 9u32, moved.a);
    }
    let mut predicted_energy = f32::new(0.0);
    let mut reached_energy = f32::new(0.0);
    if ABSOLUTE_POS < slots as usize && kind[ABSOLUTE_POS] & MOVES == MOVES {
        let body = ABSOLUTE_POS as u32;
        let at = body * MOTION_WORDS;
        let target = load6(aim, body * AIM_WORDS);
        let moved = load6(delta, body * SIX_WORDS);
        let (v, w) = (load3(motion, at + 10u32), load3(motion, at + 13u32));
        let a = acceleration(mass, force, body);
        let predicted = v.add_scaled(a, h);
        let turn = load_quat(frame, body * PLACE_WORDS + 4u32);
        let inertia = load_sym3(mass, body * MASS_WORDS + 1u32);
        let inverse = load_sym3(mass, body * MASS_WORDS + 7u32);
        // Where nothing touches, the external torque acts alone.
        let torque = load3(force, body * SIX_WORDS + 3u32);
        let mut linear = predicted;
        let free_spin = w.add_scaled(world_inertia(turn, inverse).mul(torque), h);
        let mut spin = free_spin;
        if first[ABSOLUTE_POS + 1] > first[ABSOLUTE_POS] {
            linear = predicted.add_scaled(moved.l.sub(target.l), 1.0 / h);
            spin = w.add_scaled(moved.a.sub(target.a), 1.0 / h);
            let m = mass[(body * MASS_WORDS) as usize];
            let here = world_inertia(turn, inertia);
            predicted_energy = 0.5 * (m * predicted.length_squared() + here.quadratic(free_spin))
                + LIFTING * m * h * h * a.length_squared();
            reached_energy = 0.5 * (m * linear.length_squared() + here.quadratic(spin));
        }
        let free = flight(kind[ABSOLUTE_POS], turn, spin, inertia, inverse, h);
        let to = body * END_WORDS;
        store6(ended, to, Vec6 { l: linear, a: free.angular_velocity });
        store3(ended, to + 6u32, free.rotation);
        store3(ended, to + 9u32, moved.a);
    }
    if limits {
        let mut room = SharedMemory::<f32>::new(comptime!(2 * UNITS as usize));
        room[UNIT_POS as usize] = predicted_energy;
        room[(UNITS + UNIT_POS) as usize] = reached_energy;
        sync_cube();
        add_up(&mut room);
        if UNIT_POS < 2u32 && CUBE_POS * 2 < energy.len() {
            energy[CUBE_POS * 2 + UNIT_POS as usize] = room[(UNITS * UNIT_POS) as usize];
        }
    }
}

/// Adds up two rows of numbers, a number a unit, in a fixed order; the sums are the first of each.
#[cube]
fn add_up(room: &mut SharedMemory<f32>) {
    #[unroll]
    for round in 0..8u32 {
        let half = comptime!(UNITS >> (round + 1u32));
        if UNIT_POS < half {
            room[UNIT_POS as usize] += room[(UNIT_POS + half) as usize];
            room[(UNITS + UNIT_POS) as usize] += room[(UNITS + UNIT_POS + half) as usize];
        }
        sync_cube();
    }
}

/// Scales the motion of the bodies in contact if all of them together would have more energy than inertia and external forces give them: contacts
/// only take energy, but sweeps that have not converged can add it. By the rule of `energy.rs`, for the scene as a whole.
#[cube(launch)]
pub fn limit(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    frame: &Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    neighbour: &Array<u32>,
    energy: &Array<f32>,
    ended: &mut Array<f32>,
    memory: &mut Array<f32>,
    flags: &Array<u32>,
    slots: u32,
    workgroups: u32,
    h: f32,
) {
    let mut room = SharedMemory::<f32>::new(comptime!(2 * UNITS as usize));
    let mut allowed = f32::new(0.0);
    let mut reached = f32::new(0.0);
    let mut part = UNIT_POS;
    while part < workgroups {
        allowed += energy[(2u32 * part) as usize];
        reached += energy[(2u32 * part + 1u32) as usize];
        part += UNITS;
    }
    room[UNIT_POS as usize] = allowed;
    room[(UNITS + UNIT_POS) as usize] = reached;
    sync_cube();
    add_up(&mut room);
    let (most, has) = (room[0usize], room[UNITS as usize]);
    if ABSOLUTE_POS < slots as usize && has > most && kind[ABSOLUTE_POS] & MOVES == MOVES {
        let body = ABSOLUTE_POS as u32;
        if first[ABSOLUTE_POS + 1] > first[ABSOLUTE_POS] {
            let scale = (most / has).sqrt();
            let at = body * MOTION_WORDS;
            let target = load6(aim, body * AIM_WORDS);
            let moved = load6(delta, body * SIX_WORDS);
            let (v, w) = (load3(motion, at + 10u32), load3(motion, at + 13u32));
            let predicted = v.add_scaled(acceleration(mass, force, body), h);
            let turn = load_quat(frame, body * PLACE_WORDS + 4u32);
            let inertia = load_sym3(mass, body * MASS_WORDS + 1u32);
            let inverse = load_sym3(mass, body * MASS_WORDS + 7u32);
            let linear = predicted.add_scaled(moved.l.sub(target.l), 1.0 / h).scale(scale);
            let spin = w.add_scaled(moved.a.sub(target.a), 1.0 / h).scale(scale);
            let now = Vec6 { l: target.l.add_scaled(linear.sub(predicted), h), a: target.a.add_scaled(spin.sub(w), h) };
            store6(delta, body * SIX_WORDS, now);
            let free = flight(kind[ABSOLUTE_POS], turn, spin, inertia, inverse, h);
            let to = body * END_WORDS;
            store6(ended, to, Vec6 { l: linear, a: free.angular_velocity });
            store3(ended, to + 6u32, free.rotation);
            store3(ended, to + 9u32, now.a);
            // What points remember is scaled too, by the later of their bodies.
            if flags[OVERFLOW as usize] == 0u32 {
                for i in first[ABSOLUTE_POS]..first[ABSOLUTE_POS + 1] {
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
    delta: &Array<f32>,
    ended: &Array<f32>,
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
            let end = load6(ended, from);
            let before = Vec6 { l: load3(motion, at + 10u32), a: load3(motion, at + 13u32) };
            store6(last, body * SIX_WORDS, end.sub(before).scale(1.0 / h));
            let position = load3(motion, at).add(moved.l);
            let step = Vec3 { x: position.x.round(), y: position.y.round(), z: position.z.round() };
            store3(motion, at, position.sub(step));
            cell[(body * CELL_WORDS) as usize] += step.x as i32;
            cell[(body * CELL_WORDS + 1u32) as usize] += step.y as i32;
            cell[(body * CELL_WORDS + 2u32) as usize] += step.z as i32;
            // What was pushed apart turns the body too, and is no velocity.
            let pushed = moved.a.sub(load3(ended, from + 9u32));
            let turned =
                exp_near(pushed).mul(exp_near(load3(ended, from + 6u32))).mul(exp_near(load3(motion, at + 7u32)));
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
