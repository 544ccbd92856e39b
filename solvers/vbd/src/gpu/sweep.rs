//! The sweeps: steps of the bodies of a colour. The laws are those of `contact_block.rs` and `primal.rs`.
//!
//! Eight units step a body: two of its manifolds at a time, four points each. Their sums meet in shared memory and are added up in the order of
//! the units. A manifold is read by its two bodies alone; once the body of the later colour has moved, both are where this sweep leaves them, and
//! the units of that body take the dual step of the manifold at once.

use cubecl::prelude::*;
use drystone_collide::gpu::OVERFLOW;
use drystone_collide::gpu::memory::{load_sym3, load3, load6, store6};
use drystone_kernels::single::math::{Block6, Mat3, Sym3, Vec3, Vec6};

use super::dual::{point_at, point_force, relative_motion, update_point};
use super::layout::{AIM_WORDS, COLOR_STARTS, COLORS, DUAL_WORDS, LATER, ROW_WORDS, SIX_WORDS};
use crate::method;

// The number of the CPU, where the reason is.
const RELAXATION: f32 = method::RELAXATION as f32;

/// Units that step a body: four for the points of a manifold, twice.
pub const LANES: u32 = 8;
/// Units of a workgroup that sweeps a part of a colour.
pub const COLOR_UNITS: u32 = 64;
/// Units of a workgroup that sweeps colours one after the other.
pub const GROUP_UNITS: u32 = 256;
/// Sums of a body: force (3), torque (3), block (6 + 9 + 6). An odd number, so that units of a lockstep group are on different memory banks.
const SUMS: u32 = 27;

/// What the units of a body add up.
#[derive(CubeType, Clone, Copy)]
struct Sums {
    force: Vec3,
    torque: Vec3,
    ll: Sym3,
    al: Mat3,
    aa: Sym3,
}

#[cube]
fn no_sums() -> Sums {
    let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    let nothing = Sym3 { xx: 0.0, xy: 0.0, xz: 0.0, yy: 0.0, yz: 0.0, zz: 0.0 };
    Sums { force: zero, torque: zero, ll: nothing, al: Mat3 { r0: zero, r1: zero, r2: zero }, aa: nothing }
}

/// Inertia pulls a body to where it aims at.
#[cube]
fn inertial(aim: &Array<f32>, body: u32, own: Vec6) -> Sums {
    let away = load6(aim, body * AIM_WORDS).sub(own);
    let mass = aim[(body * AIM_WORDS + 6u32) as usize];
    let inertia = load_sym3(aim, body * AIM_WORDS + 7u32);
    let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    Sums {
        force: away.l.scale(mass),
        torque: inertia.mul(away.a).add(load3(aim, body * AIM_WORDS + 13u32)),
        ll: Sym3 { xx: mass, xy: 0.0, xz: 0.0, yy: mass, yz: 0.0, zz: mass },
        al: Mat3 { r0: zero, r1: zero, r2: zero },
        aa: inertia,
    }
}

#[cube]
fn share3(room: &mut SharedMemory<f32>, at: u32, v: Vec3) {
    room[at as usize] = v.x;
    room[(at + 1u32) as usize] = v.y;
    room[(at + 2u32) as usize] = v.z;
}

#[cube]
fn shared3(room: &SharedMemory<f32>, at: u32) -> Vec3 {
    Vec3 { x: room[at as usize], y: room[(at + 1u32) as usize], z: room[(at + 2u32) as usize] }
}

#[cube]
fn share_sym3(room: &mut SharedMemory<f32>, at: u32, m: Sym3) {
    share3(room, at, Vec3 { x: m.xx, y: m.xy, z: m.xz });
    share3(room, at + 3u32, Vec3 { x: m.yy, y: m.yz, z: m.zz });
}

#[cube]
fn shared_sym3(room: &SharedMemory<f32>, at: u32) -> Sym3 {
    let (a, b) = (shared3(room, at), shared3(room, at + 3u32));
    Sym3 { xx: a.x, xy: a.y, xz: a.z, yy: b.x, yz: b.y, zz: b.z }
}

/// Adds up the sums of the units of a body; each of them gets all.
#[cube]
fn together(sums: Sums, room: &mut SharedMemory<f32>) -> Sums {
    let mine = UNIT_POS * SUMS;
    share3(room, mine, sums.force);
    share3(room, mine + 3u32, sums.torque);
    share_sym3(room, mine + 6u32, sums.ll);
    share3(room, mine + 12u32, sums.al.r0);
    share3(room, mine + 15u32, sums.al.r1);
    share3(room, mine + 18u32, sums.al.r2);
    share_sym3(room, mine + 21u32, sums.aa);
    sync_cube();
    let lane = UNIT_POS % LANES;
    let all = (UNIT_POS - lane) * SUMS;
    #[unroll]
    for k in 0..4u32 {
        let at = all + lane + k * LANES;
        if lane + k * LANES < SUMS {
            let mut sum = room[at as usize];
            #[unroll]
            for other in 1..LANES {
                sum += room[(at + other * SUMS) as usize];
            }
            room[at as usize] = sum;
        }
    }
    sync_cube();
    Sums {
        force: shared3(room, all),
        torque: shared3(room, all + 3u32),
        ll: shared_sym3(room, all + 6u32),
        al: Mat3 { r0: shared3(room, all + 12u32), r1: shared3(room, all + 15u32), r2: shared3(room, all + 18u32) },
        aa: shared_sym3(room, all + 21u32),
    }
}

/// Motion of a manifold that a body is the first or the second of.
#[cube]
fn motion_of(own: Vec6, other: Vec6, span: Vec3, second: bool) -> Vec6 {
    let mut motion = relative_motion(own, other, span);
    if second {
        motion = relative_motion(other, own, span);
    }
    motion
}

/// One step of a body, everything around it held; every unit of the workgroup must come along, with a body or without. With `pushing` overlaps that
/// are to be taken back are part of its gaps.
#[cube]
fn step_body(
    body: u32,
    present: bool,
    room: &mut SharedMemory<f32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    neighbour: &Array<u32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    last: bool,
    #[comptime] pushing: bool,
    #[comptime] fused: bool,
) {
    let unit = UNIT_POS % LANES;
    let lane = unit % 4u32;
    let own = load6(delta, body * SIX_WORDS);
    let mut from = 0u32;
    let mut to = 0u32;
    let mut sums = no_sums();
    if present {
        from = first[body as usize];
        to = first[(body + 1u32) as usize];
        if unit == 0u32 {
            let inertia = inertial(aim, body, own);
            sums.force = inertia.force;
            sums.torque = inertia.torque;
            sums.ll = inertia.ll;
            sums.aa = inertia.aa;
        }
    }
    let mut i = from + unit / 4u32;
    while i < to {
        let (code, beyond) = (entry[i as usize] & (LATER - 1u32), neighbour[i as usize]);
        let index = code / 2u32;
        if lane <= beyond % 4u32 {
            let second = code % 2u32 == 1u32;
            let normal = load3(row, index * ROW_WORDS);
            let span = load3(row, index * ROW_WORDS + 3u32);
            let motion = motion_of(own, load6(delta, (beyond / 4u32) * SIX_WORDS), span, second);
            let point = point_at(index, lane);
            let mut push = f32::new(0.0);
            if pushing {
                push = dual[(index * DUAL_WORDS + 8u32 * lane + 6u32) as usize];
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
                sums.force = sums.force.add(f);
                sums.torque = sums.torque.add(r.cross(f));
                // b (1, [r]×) twice over, and a − b along (n, r × n).
                let c = a - b;
                let m = r.cross(normal);
                sums.ll = sums.ll.add(Sym3::scaled_outer(normal, c)).add(Sym3::scaled_identity(b));
                sums.al = sums.al.add(Mat3::outer(m.scale(c), normal)).add(Mat3::scaled_cross(r, b));
                sums.aa = sums.aa.add(Sym3::scaled_outer(m, c)).add(Sym3::scaled_lever(r, b));
            }
        }
        i += 2u32;
    }
    let all = together(sums, room);
    if to > from {
        let block = Block6 { ll: all.ll, al: all.al, aa: all.aa };
        let now = own.add(block.solve(Vec6 { l: all.force, a: all.torque }).scale(RELAXATION));
        if unit == 0u32 {
            store6(delta, body * SIX_WORDS, now);
        }
        if fused {
            let mut k = from + unit / 4u32;
            while k < to {
                let (code, beyond) = (entry[k as usize], neighbour[k as usize]);
                if code >= LATER && lane <= beyond % 4u32 {
                    let index = (code - LATER) / 2u32;
                    let normal = load3(row, index * ROW_WORDS);
                    let span = load3(row, index * ROW_WORDS + 3u32);
                    let other = load6(delta, (beyond / 4u32) * SIX_WORDS);
                    let motion = motion_of(now, other, span, code % 2u32 == 1u32);
                    update_point(index, lane, normal, motion, row, dual, memory, last);
                }
                k += 2u32;
            }
        }
    }
}

/// One step of every body of a colour, by however many workgroups there are.
#[cube(launch)]
pub fn sweep_color(
    listed: &Array<u32>,
    overlapping: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    neighbour: &Array<u32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    flags: &Array<u32>,
    color: u32,
    last: u32,
    #[comptime] pushing: bool,
    #[comptime] fused: bool,
) {
    let mut room = SharedMemory::<f32>::new((COLOR_UNITS * SUMS) as usize);
    let mut end = flags[(COLOR_STARTS + color + 1u32) as usize];
    if flags[OVERFLOW as usize] != 0u32 {
        end = 0u32;
    }
    let mut base = flags[(COLOR_STARTS + color) as usize] + CUBE_POS as u32 * (COLOR_UNITS / LANES);
    while base < end {
        let at = base + UNIT_POS / LANES;
        let body = listed[at.min(end - 1u32) as usize];
        let mut present = at < end;
        if pushing {
            present = present && overlapping[body as usize] == 1u32;
        }
        let ends = last == 1u32;
        step_body(
            body, present, &mut room, first, entry, neighbour, row, dual, memory, aim, delta, ends, pushing, fused,
        );
        sync_cube();
        base += CUBE_COUNT as u32 * (COLOR_UNITS / LANES);
    }
}

/// Colours from one on, one after the other, by one workgroup that waits for itself: all sweeps of a small scene, or the small colours of a
/// large one. The same steps, without a launch for each. `last` says whether the last of these sweeps is that of the step.
#[cube(launch)]
pub fn sweep_group(
    listed: &Array<u32>,
    overlapping: &Array<u32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    neighbour: &Array<u32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    memory: &mut Array<f32>,
    aim: &Array<f32>,
    delta: &mut Array<f32>,
    flags: &Array<u32>,
    first_color: u32,
    sweeps: u32,
    last: u32,
    #[comptime] pushing: bool,
    #[comptime] fused: bool,
) {
    let mut room = SharedMemory::<f32>::new((GROUP_UNITS * SUMS) as usize);
    let mut colors = flags[COLORS as usize];
    if flags[OVERFLOW as usize] != 0u32 {
        colors = 0u32;
    }
    for sweep in 0..sweeps {
        for color in first_color..colors {
            let end = flags[(COLOR_STARTS + color + 1u32) as usize];
            let mut base = flags[(COLOR_STARTS + color) as usize];
            while base < end {
                let at = base + UNIT_POS / LANES;
                let body = listed[at.min(end - 1u32) as usize];
                let mut present = at < end;
                if pushing {
                    present = present && overlapping[body as usize] == 1u32;
                }
                let ends = last == 1u32 && sweep + 1u32 == sweeps;
                step_body(
                    body, present, &mut room, first, entry, neighbour, row, dual, memory, aim, delta, ends, pushing,
                    fused,
                );
                sync_cube();
                base += GROUP_UNITS / LANES;
            }
            sync_storage();
        }
    }
}
