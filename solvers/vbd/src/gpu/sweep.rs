//! The sweeps: steps of the bodies of a colour, and the dual step. The laws are those of `contact_law.rs`, `contact_block.rs`, `primal.rs` and `dual.rs`.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load_sym3, load3, load6, store3, store6};
use drystone_collide::gpu::{OVERFLOW, PAIR_WORDS};
use drystone_kernels::single::contact::{ContactForce, contact_force};
use drystone_kernels::single::math::{Block6, Mat3, Sym3, Vec3, Vec6};

use super::layout::{AIM_WORDS, DUAL_WORDS, MEMORY_WORDS, POINT_WORDS, ROW_POINTS, ROW_WORDS, SIX_WORDS};
use crate::method::{self, DualGain};
use crate::warm_start;

// The numbers of the CPU, where the reasons are.
const RELAXATION: f32 = method::RELAXATION as f32;
const LARGEST_GAIN: f32 = DualGain::CAREFUL.largest as f32;
const SMALLEST_GAIN: f32 = DualGain::CAREFUL.smallest as f32;
const GROW: f32 = DualGain::CAREFUL.grow as f32;
const SHRINK: f32 = DualGain::CAREFUL.shrink as f32;
const INSIDE: f32 = warm_start::INSIDE as f32;

/// Motion of the second body relative to the first at the first one's centre of mass.
#[cube]
fn pair_motion(delta: &Array<f32>, first: u32, second: u32, span: Vec3) -> Vec6 {
    let (d0, d1) = (load6(delta, first * SIX_WORDS), load6(delta, second * SIX_WORDS));
    Vec6 { l: d1.at(span).sub(d0.l), a: d1.a.sub(d0.a) }
}

/// Force of a point after a relative motion, with its gap less by `push`.
#[cube]
fn point_force(row: &Array<f32>, point: u32, normal: Vec3, motion: Vec6, push: f32) -> ContactForce {
    let moved = motion.at(load3(row, point));
    let along = moved.dot(normal);
    let slip = load3(row, point + 4u32).add(moved).add_scaled(normal, -along);
    let hardness = row[(point + 13u32) as usize];
    contact_force(
        row[(point + 3u32) as usize] - push + along,
        slip,
        hardness * row[(point + 7u32) as usize],
        load3(row, point + 8u32),
        hardness * row[(point + 11u32) as usize],
        row[(point + 12u32) as usize],
        row[(point + 14u32) as usize],
    )
}

/// One step of a body, everything around it held. With `pushing` only if it has an overlap to be taken back, which is part of its gaps then.
#[cube]
fn step_body(
    body: u32,
    first: &Array<u32>,
    entry: &Array<u32>,
    ends: &Array<u32>,
    pair: &Array<u32>,
    row: &Array<f32>,
    dual: &Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    #[comptime] pushing: bool,
) {
    let own = load6(delta, body * SIX_WORDS);
    let away = load6(aim, body * AIM_WORDS).sub(own);
    let mass = aim[(body * AIM_WORDS + 6u32) as usize];
    let inertia = load_sym3(aim, body * AIM_WORDS + 7u32);
    let mut force = away.l.scale(mass);
    let mut torque = inertia.mul(away.a).add(load3(aim, body * AIM_WORDS + 13u32));
    let mut ll = Sym3 { xx: mass, xy: 0.0, xz: 0.0, yy: mass, yz: 0.0, zz: mass };
    let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    let mut al = Mat3 { r0: zero, r1: zero, r2: zero };
    let mut aa = inertia;
    let from = first[body as usize];
    let to = first[(body + 1u32) as usize];
    let mut steps = to > from;
    let mut pushed = false;
    for i in from..to {
        let code = entry[i as usize];
        let index = code / 2u32;
        let second = code % 2u32 == 1u32;
        let at_row = index * ROW_WORDS;
        let normal = load3(row, at_row);
        let span = load3(row, at_row + 3u32);
        let motion = pair_motion(delta, ends[(2u32 * index) as usize], ends[(2u32 * index + 1u32) as usize], span);
        let count = pair[(index * PAIR_WORDS + 2u32) as usize];
        for lane in 0..count {
            let point = at_row + ROW_POINTS + POINT_WORDS * lane;
            let mut push = f32::new(0.0);
            if pushing {
                push = dual[(index * DUAL_WORDS + 8u32 * lane + 6u32) as usize];
                pushed = pushed || push > 0.0;
            }
            let answer = point_force(row, point, normal, motion, push);
            if answer.normal > 0.0 {
                let a = row[(point + 13u32) as usize] * row[(point + 11u32) as usize];
                let b = row[(point + 12u32) as usize] * answer.stick;
                let mut f = normal.scale(answer.normal).add(answer.friction);
                let mut r = load3(row, point);
                if second {
                    r = r.add(span);
                } else {
                    f = f.neg();
                }
                force = force.add(f);
                torque = torque.add(r.cross(f));
                // b (1, [r]×) twice over, and a − b along (n, r × n).
                let c = a - b;
                let m = r.cross(normal);
                ll = ll.add(Sym3::scaled_outer(normal, c)).add(Sym3::scaled_identity(b));
                al = al.add(Mat3::outer(m.scale(c), normal)).add(Mat3::scaled_cross(r, b));
                aa = aa.add(Sym3::scaled_outer(m, c)).add(Sym3::scaled_lever(r, b));
            }
        }
    }
    if pushing {
        steps = steps && pushed;
    }
    if steps {
        let step = Block6 { ll, al, aa }.solve(Vec6 { l: force, a: torque });
        store6(delta, body * SIX_WORDS, own.add(step.scale(RELAXATION)));
    }
}

/// One step of every body of a colour.
#[cube(launch)]
pub fn sweep_color(
    listed: &Array<u32>,
    color_start: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    ends: &Array<u32>,
    pair: &Array<u32>,
    row: &Array<f32>,
    dual: &Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    flags: &Array<u32>,
    color: u32,
    #[comptime] pushing: bool,
) {
    let at = color_start[color as usize] + ABSOLUTE_POS as u32;
    if at < color_start[(color + 1u32) as usize] && flags[OVERFLOW as usize] == 0u32 {
        step_body(listed[at as usize], first, entry, ends, pair, row, dual, aim, delta, pushing);
    }
}

/// Multipliers of a manifold go a share of the way to the forces, and penalties grow with the loads. After the last sweep points remember what
/// they bear.
#[cube]
fn update_manifold(
    index: u32,
    pair: &Array<u32>,
    ends: &Array<u32>,
    delta: &Array<f32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    last: bool,
) {
    let count = pair[(index * PAIR_WORDS + 2u32) as usize];
    if count > 0u32 {
        let at_row = index * ROW_WORDS;
        let normal = load3(row, at_row);
        let span = load3(row, at_row + 3u32);
        let load_to_penalty = row[(at_row + 6u32) as usize];
        let motion = pair_motion(delta, ends[(2u32 * index) as usize], ends[(2u32 * index + 1u32) as usize], span);
        for lane in 0..count {
            let point = at_row + ROW_POINTS + POINT_WORDS * lane;
            let state = index * DUAL_WORDS + 8u32 * lane;
            let answer = point_force(row, point, normal, motion, 0.0);
            let load = row[(point + 7u32) as usize];
            let friction = load3(row, point + 8u32);
            let more_load = answer.normal - load;
            let more_friction = answer.friction.sub(friction);
            let agreement = more_load * dual[(state + 1u32) as usize] + more_friction.dot(load3(dual, state + 2u32));
            let now = dual[state as usize];
            let mut gain = (now * GROW).min(LARGEST_GAIN);
            if agreement < 0.0 {
                gain = (now * SHRINK).max(SMALLEST_GAIN);
            }
            let new_load = load + more_load * gain;
            let new_friction = friction.add_scaled(more_friction, gain);
            dual[state as usize] = gain;
            dual[(state + 1u32) as usize] = more_load;
            store3(dual, state + 2u32, more_friction);
            row[(point + 7u32) as usize] = new_load;
            store3(row, point + 8u32, new_friction);
            if row[(point + 13u32) as usize] >= 1.0 {
                let rho = new_load.min(dual[(state + 5u32) as usize]) * load_to_penalty;
                row[(point + 11u32) as usize] = row[(point + 11u32) as usize].max(rho);
                row[(point + 12u32) as usize] = row[(point + 12u32) as usize].max(rho);
            }
            if last {
                let kept = index * MEMORY_WORDS + 16u32 * lane;
                let mut force = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
                let mut stuck = f32::new(0.0);
                if new_load > 0.0 {
                    force = normal.scale(new_load).add(new_friction);
                    if new_friction.length() < row[(point + 14u32) as usize] * new_load * INSIDE {
                        stuck = f32::new(1.0);
                    }
                }
                store3(memory, kept, force);
                memory[(kept + 5u32) as usize] = gain;
                memory[(kept + 6u32) as usize] = stuck;
            }
        }
    }
}

/// The dual step of all manifolds.
#[cube(launch)]
pub fn dual_step(
    start: &Array<u32>,
    pair: &Array<u32>,
    ends: &Array<u32>,
    delta: &Array<f32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    flags: &Array<u32>,
    shapes: u32,
    last: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if flags[OVERFLOW as usize] == 0u32 && index < start[shapes as usize] {
        update_manifold(index, pair, ends, delta, row, dual, memory, last == 1u32);
    }
}

/// All sweeps of a small scene in one workgroup, which waits for itself between colours: the same steps, without a launch for each.
#[cube(launch)]
pub fn sweep_small(
    listed: &Array<u32>,
    color_start: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    ends: &Array<u32>,
    start: &Array<u32>,
    pair: &Array<u32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    flags: &Array<u32>,
    shapes: u32,
    colors: u32,
    sweeps: u32,
    #[comptime] pushing: bool,
) {
    let mut pairs = start[shapes as usize];
    let halted = flags[OVERFLOW as usize] != 0u32;
    if halted {
        pairs = 0u32;
    }
    for sweep in 0..sweeps {
        for color in 0..colors {
            let mut at = color_start[color as usize] + UNIT_POS;
            let mut end = color_start[(color + 1u32) as usize];
            if halted {
                end = 0u32;
            }
            while at < end {
                step_body(listed[at as usize], first, entry, ends, pair, row, dual, aim, delta, pushing);
                at += CUBE_DIM;
            }
            sync_storage();
        }
        if !pushing {
            let mut index = UNIT_POS;
            while index < pairs {
                update_manifold(index, pair, ends, delta, row, dual, memory, sweep + 1u32 == sweeps);
                index += CUBE_DIM;
            }
            sync_storage();
        }
    }
}

/// Deepest overlap after the step and number of points, folded over so many manifolds that there is one result per workgroup.
#[cube(launch)]
pub fn measure(
    start: &Array<u32>,
    pair: &Array<u32>,
    ends: &Array<u32>,
    delta: &Array<f32>,
    row: &Array<f32>,
    dual: &Array<f32>,
    figure: &mut Array<f32>,
    shapes: u32,
    workgroups: u32,
    #[comptime] units: u32,
) {
    let mut depths = SharedMemory::<f32>::new(units as usize);
    let mut counts = SharedMemory::<f32>::new(units as usize);
    let mut deepest = f32::new(0.0);
    let mut points = f32::new(0.0);
    let total = start[shapes as usize];
    let mut index = ABSOLUTE_POS as u32;
    while index < total {
        let count = pair[(index * PAIR_WORDS + 2u32) as usize];
        if count > 0u32 {
            let normal = load3(row, index * ROW_WORDS);
            let span = load3(row, index * ROW_WORDS + 3u32);
            let motion = pair_motion(delta, ends[(2u32 * index) as usize], ends[(2u32 * index + 1u32) as usize], span);
            for lane in 0..count {
                let lever = load3(row, index * ROW_WORDS + ROW_POINTS + POINT_WORDS * lane);
                let gap = dual[(index * DUAL_WORDS + 8u32 * lane + 7u32) as usize] + motion.at(lever).dot(normal);
                deepest = deepest.max(-gap);
                points += 1.0;
            }
        }
        index += workgroups * units;
    }
    depths[UNIT_POS as usize] = deepest;
    counts[UNIT_POS as usize] = points;
    sync_cube();
    if UNIT_POS == 0 {
        for unit in 1..units {
            deepest = deepest.max(depths[unit as usize]);
            points += counts[unit as usize];
        }
        figure[CUBE_POS] = deepest;
        figure[CUBE_POS + workgroups as usize] = points;
    }
}
