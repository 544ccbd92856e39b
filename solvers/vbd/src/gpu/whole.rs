//! Islands that nothing holds, as rigid bodies: what they weigh about their leader, the momentum that sweeps left behind, and the one that external
//! forces alone would give. By the rules of `momentum.rs` of the CPU.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{between_cells, load_quat, load_sym3, load3, load6};
use drystone_collide::gpu::{CELL_WORDS, MOTION_WORDS, PLACE_WORDS};
use drystone_device::UNITS;
use drystone_kernels::single::math::{Sym3, Vec3, Vec6};
use drystone_kernels::single::rotation::world_inertia;

use super::layout::{AIM_WORDS, MASS_WORDS, MOVES, SIX_WORDS, WHOLE_WORDS};
use super::motion::acceleration;
use super::totals::{NO_LABEL, SUM_WORDS, Scales, add_by_label, total};

/// Numbers of a whole: mass, mass times lever (3), inertia about the leader (6), missing momentum and angular momentum (3 + 3), momentum and
/// angular momentum of free flight (3 + 3).
pub const NUMBERS: u32 = 22;

/// Whether a body is part of an island that nothing holds.
#[cube]
pub fn floats(label: &Array<u32>, supported: &Array<u32>, body: u32) -> bool {
    let of = label[body as usize];
    let mut floats = false;
    if of != NO_LABEL {
        floats = supported[of as usize] == 0u32;
    }
    floats
}

/// Where a body is from its leader \[m\].
#[cube]
pub fn from_leader(cell: &Array<i32>, frame: &Array<f32>, leader: u32, body: u32) -> Vec3 {
    let cells = between_cells(cell, leader * CELL_WORDS, cell, body * CELL_WORDS);
    cells.add(load3(frame, body * PLACE_WORDS).sub(load3(frame, leader * PLACE_WORDS)))
}

#[cube]
fn put3(values: &mut SharedMemory<f32>, number: u32, v: Vec3) {
    values[(number * UNITS + UNIT_POS) as usize] = v.x;
    values[((number + 1u32) * UNITS + UNIT_POS) as usize] = v.y;
    values[((number + 2u32) * UNITS + UNIT_POS) as usize] = v.z;
}

/// Adds bodies to the whole of their island where nothing holds it.
#[cube(launch)]
pub fn gather_wholes(
    kind: &Array<u32>,
    mass: &Array<f32>,
    force: &Array<f32>,
    motion: &Array<f32>,
    cell: &Array<i32>,
    frame: &Array<f32>,
    aim: &Array<f32>,
    delta: &Array<f32>,
    label: &Array<u32>,
    supported: &Array<u32>,
    whole: &mut Array<Atomic<u32>>,
    slots: u32,
    h: f32,
    scales: &Scales,
) {
    let mut values = SharedMemory::<f32>::new(comptime!((NUMBERS * UNITS) as usize));
    let any = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0u32 {
        any[0usize].store(0u32);
    }
    sync_cube();
    let body = ABSOLUTE_POS as u32;
    let mut of = NO_LABEL.runtime();
    if body < slots && kind[body as usize] & MOVES == MOVES && floats(label, supported, body) {
        of = label[body as usize];
        any[0usize].store(1u32);
        let m = mass[(body * MASS_WORDS) as usize];
        let turn = load_quat(frame, body * PLACE_WORDS + 4u32);
        let inertia = world_inertia(turn, load_sym3(mass, body * MASS_WORDS + 1u32));
        let inverse = world_inertia(turn, load_sym3(mass, body * MASS_WORDS + 7u32));
        let r = from_leader(cell, frame, of, body);
        // The torque of the aim holds that of rolling friction too, which is a force of the inside: the user's alone is missing.
        let torque = load3(force, body * SIX_WORDS + 3u32);
        let away = load6(aim, body * AIM_WORDS).sub(load6(delta, body * SIX_WORDS)).scale(1.0 / h);
        let v = load3(motion, body * MOTION_WORDS + 10u32).add_scaled(acceleration(mass, force, body), h);
        let w = load3(motion, body * MOTION_WORDS + 13u32).add_scaled(inverse.mul(torque), h);
        let lost = away.l.scale(m);
        let lost_spin = inertia.mul(away.a).add_scaled(torque, h).add(r.cross(lost));
        let linear = v.scale(m);
        let angular = inertia.mul(w).add(r.cross(linear));
        let about = inertia.add(Sym3::scaled_lever(r, m));
        let (l, p) = (scales.length, scales.momentum);
        values[UNIT_POS as usize] = m * scales.mass;
        put3(&mut values, 1u32, r.scale(m * scales.mass * l));
        put3(&mut values, 4u32, Vec3 { x: about.xx, y: about.xy, z: about.xz }.scale(scales.mass * l * l));
        put3(&mut values, 7u32, Vec3 { x: about.yy, y: about.yz, z: about.zz }.scale(scales.mass * l * l));
        put3(&mut values, 10u32, lost.scale(p));
        put3(&mut values, 13u32, lost_spin.scale(p * l));
        put3(&mut values, 16u32, linear.scale(p));
        put3(&mut values, 19u32, angular.scale(p * l));
    }
    sync_cube();
    if any[0usize].load() == 1u32 {
        add_by_label(of, &values, whole, WHOLE_WORDS.runtime(), 0u32.runtime(), NUMBERS);
    }
}

/// An island that nothing holds, as one body.
#[derive(CubeType, Clone, Copy)]
pub struct Whole {
    /// From the leader to the centre of mass \[m\].
    pub centre: Vec3,
    /// Rigid motion that has the momentum left behind.
    pub missing: Vec6,
    /// Rigid motion that has the momentum of free flight.
    pub free: Vec6,
    /// Kinetic energy of that \[J\].
    pub energy: f32,
}

#[cube]
fn sum3(sums: &Array<u32>, at: u32, number: u32) -> Vec3 {
    let first = at + number * SUM_WORDS;
    Vec3 { x: total(sums, first), y: total(sums, first + SUM_WORDS), z: total(sums, first + 2u32 * SUM_WORDS) }
}

/// The whole of the island of a leader.
#[cube]
pub fn whole_of(sums: &Array<u32>, leader: u32, scales: &Scales) -> Whole {
    let at = leader * WHOLE_WORDS;
    let (l, p) = (1.0 / scales.length, 1.0 / scales.momentum);
    let weigh = 1.0 / scales.mass;
    let mass = total(sums, at) * weigh;
    let centre = sum3(sums, at, 1u32).scale(weigh * l / mass);
    let (a, b) = (sum3(sums, at, 4u32), sum3(sums, at, 7u32));
    let about_leader = Sym3 { xx: a.x, xy: a.y, xz: a.z, yy: b.x, yz: b.y, zz: b.z }.scale(weigh * l * l);
    let inertia = about_leader.add(Sym3::scaled_lever(centre, -mass)).cholesky();
    let lost = sum3(sums, at, 10u32).scale(p);
    let lost_spin = sum3(sums, at, 13u32).scale(p * l).sub(centre.cross(lost));
    let linear = sum3(sums, at, 16u32).scale(p);
    let angular = sum3(sums, at, 19u32).scale(p * l).sub(centre.cross(linear));
    let free = Vec6 { l: linear.scale(1.0 / mass), a: inertia.solve(angular) };
    Whole {
        centre,
        missing: Vec6 { l: lost.scale(1.0 / mass), a: inertia.solve(lost_spin) },
        free,
        energy: 0.5 * (free.l.dot(linear) + free.a.dot(angular)),
    }
}

/// A rigid motion as a body at a lever has it.
#[cube]
pub fn carried(motion: Vec6, lever: Vec3) -> Vec6 {
    Vec6 { l: motion.at(lever), a: motion.a }
}
