//! Contact rows from manifolds and what their points remember: the rules of `row_builder.rs`, four units per pair of shapes that touch.

use cubecl::prelude::*;
use drystone_collide::gpu::memory::{load_quat, load_sym3, load3, store3};
use drystone_collide::gpu::{
    CONTACT_WORDS, DYNAMIC, INFO_WORDS, LED, MOTION_WORDS, NO_LANE, NO_MATCH, OVERFLOW, PAIR_WORDS, PLACE_WORDS,
};
use drystone_device::UNITS;
use drystone_kernels::single::math::{Sym3, Vec3, Vec6};

use super::islands::scale_of;
use super::layout::{
    DUAL_WORDS, INVERSE_WORDS, MATERIAL_WORDS, MEMORY_WORDS, MOVES, POINT_WORDS, ROW_POINTS, ROW_WORDS, SIX_WORDS,
};
use super::totals::Scales;
use crate::method::{self, DualGain};
use crate::{anchors, row_builder};

// The numbers of the CPU, where the reasons are.
const IMPACT_ALLOWANCE: f32 = row_builder::IMPACT_ALLOWANCE as f32;
const SHALLOW: f32 = row_builder::SHALLOW as f32;
const PUSH: f32 = row_builder::PUSH as f32;
const CLOSE: f32 = row_builder::CLOSE as f32;
const NO_ACCELERATION: f32 = row_builder::NO_ACCELERATION as f32;
const LOAD_GROWTH: f32 = row_builder::LOAD_GROWTH as f32;
const FACTOR: f32 = method::FACTOR as f32;
const RATE: f32 = (1.0 - method::ALPHA) as f32;
const FIRST_GAIN: f32 = DualGain::CAREFUL.first as f32;
/// Gaps that may be none but for rounding, as a share of what they are the difference of: half a metre in a cell, and the levers. A body would fall
/// into every one of them, and never come back up: noise would be a way down.
const ROUNDING: f32 = 1.2e-7;
const ROLLED: f32 = anchors::ROLLED as f32;

/// What the rows of a step need to know beyond arrays.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub struct RowScalars {
    /// Step \[s\].
    pub h: f32,
    /// Number of materials.
    pub materials: u32,
}

/// Velocity of a body.
#[cube]
fn velocity(motion: &Array<f32>, body: u32) -> Vec6 {
    Vec6 { l: load3(motion, body * MOTION_WORDS + 10u32), a: load3(motion, body * MOTION_WORDS + 13u32) }
}

/// Centre of mass of the body of a shape from the place of the shape; the shape itself where nothing moves.
#[cube]
pub fn centre(info: &Array<u32>, place: &Array<f32>, frame: &Array<f32>, shape: u32) -> Vec3 {
    let mut at = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    if info[(shape * INFO_WORDS + 4u32) as usize] & (DYNAMIC | LED) != 0u32 {
        let body = info[(shape * INFO_WORDS) as usize];
        at = load3(frame, body * PLACE_WORDS).sub(load3(place, shape * PLACE_WORDS));
    }
    at
}

/// Inverse effective mass of one body along a direction at a lever \[1/kg\].
#[cube]
fn mobility(inverse_mass: f32, inverse: Sym3, lever: Vec3, along: Vec3) -> f32 {
    inverse_mass + inverse.quadratic(lever.cross(along))
}

/// Normal force and torque of a manifold in the step before.
#[derive(CubeType, Clone, Copy)]
struct Held {
    load: f32,
    torque: Vec3,
}

/// What the points of a manifold remember of its torque, and of the load that bounds it.
#[cube]
fn remembered(old_memory: &Array<f32>, old_pair: u32, lanes: u32, count: u32, normal: Vec3) -> Held {
    let mut held = Held { load: 0.0, torque: Vec3 { x: 0.0, y: 0.0, z: 0.0 } };
    if old_pair != NO_MATCH {
        for lane in 0..count {
            let old_lane = (lanes >> (8u32 * lane)) & NO_LANE;
            if old_lane != NO_LANE {
                let from = old_pair * MEMORY_WORDS + 16u32 * old_lane;
                held.load += load3(old_memory, from).dot(normal).max(0.0);
                held.torque = load3(old_memory, from + 13u32);
            }
        }
    }
    held
}

/// Torsional and rolling friction by the rule of `rolling_friction.rs`: the torque of the step before less what stops the spin, each part at
/// most its radius times the load.
#[cube]
fn rolling_torque(held: Held, stop: Vec3, normal: Vec3, about: f32, across: f32) -> Vec3 {
    let trial = held.torque.sub(stop);
    let most = about * held.load;
    let along = trial.dot(normal).min(most).max(-most);
    let mut rest = trial.reject(normal);
    let (length, limit) = (rest.length(), across * held.load);
    if length > limit {
        rest = rest.scale(limit / length);
    }
    normal.scale(along).add(rest)
}

/// Builds the rows of every manifold, what its points remember from now on, and how much the motion of its bodies conflicts with it.
#[cube(launch)]
pub fn build_rows(
    info: &Array<u32>,
    place: &Array<f32>,
    frame: &Array<f32>,
    motion: &Array<f32>,
    kind: &Array<u32>,
    label: &Array<u32>,
    island: &Array<u32>,
    inverse: &Array<f32>,
    last: &Array<f32>,
    jolted: &Array<u32>,
    material: &Array<f32>,
    touching: &Array<u32>,
    touching_count: &Array<u32>,
    owner: &Array<u32>,
    other: &Array<u32>,
    pair: &Array<u32>,
    contact: &Array<f32>,
    matched: &Array<u32>,
    old_memory: &Array<f32>,
    memory: &mut Array<f32>,
    row: &mut Array<f32>,
    dual: &mut Array<f32>,
    ends: &Array<u32>,
    disagreement: &mut Array<f32>,
    overlapping: &mut Array<u32>,
    flags: &Array<u32>,
    scalars: &RowScalars,
    scales: &Scales,
    #[comptime] rolls: bool,
) {
    // Four units a manifold, a point each; what belongs to all of them every one works out for itself.
    let lane = UNIT_POS % 4u32;
    let mut fights = SharedMemory::<f32>::new(comptime!((2 * UNITS) as usize));
    let mut fight = f32::new(0.0);
    let mut fight_last = f32::new(0.0);
    let mut present = false;
    let mut index = 0u32;
    if flags[OVERFLOW as usize] == 0u32 && (ABSOLUTE_POS / 4) < touching_count[0usize] as usize {
        present = true;
        index = touching[ABSOLUTE_POS / 4];
        let (own, there) = (owner[index as usize], other[index as usize]);
        let (a, b) = (own.min(there), own.max(there));
        let (first, second) = (ends[(2u32 * index) as usize], ends[(2u32 * index + 1u32) as usize]);
        let count = pair[(index * PAIR_WORDS + 2u32) as usize];
        let h = scalars.h;
        let moves0 = kind[first as usize] & MOVES == MOVES;
        let moves1 = kind[second as usize] & MOVES == MOVES;
        let mut leader = label[first as usize];
        if !moves0 {
            leader = label[second as usize];
        }
        let scale = scale_of(island, leader, scales);
        let found = index * CONTACT_WORDS;
        let normal = load3(contact, found);
        let between = load3(contact, found + 20u32);
        let com0 = centre(info, place, frame, a);
        let com1 = between.add(centre(info, place, frame, b));
        let span = com0.sub(com1);
        let (turn0, turn1) =
            (load_quat(place, a * PLACE_WORDS + 4u32).matrix(), load_quat(place, b * PLACE_WORDS + 4u32).matrix());
        let (v0, v1) = (velocity(motion, first), velocity(motion, second));
        let mut middle = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        for other in 0..count {
            let on = load3(contact, found + 4u32 + 4u32 * other);
            let gap = contact[(found + 7u32 + 4u32 * other) as usize];
            middle = middle.add(on.add_scaled(normal, 0.5 * gap).sub(com0));
        }
        middle = middle.scale(1.0 / count as f32);
        let linear = v1.at(span).sub(v0.l);
        let angular = v1.a.sub(v0.a);
        let approach = -linear.add(angular.cross(middle)).dot(normal);
        let (pull0, pull1) = (load3(last, first * SIX_WORDS), load3(last, second * SIX_WORDS));
        let stopped = scale.reference + pull0.length().max(pull1.length()) + approach.max(0.0) / h;
        let load_to_penalty = FACTOR / (h * h * stopped.max(NO_ACCELERATION));
        let to = index * ROW_WORDS;
        if lane == 0u32 {
            store3(row, to, normal);
            store3(row, to + 3u32, span);
            row[(to + 6u32) as usize] = load_to_penalty;
        }

        let inverse_mass0 = inverse[(first * INVERSE_WORDS) as usize];
        let inverse_mass1 = inverse[(second * INVERSE_WORDS) as usize];
        let inertia0 = load_sym3(inverse, first * INVERSE_WORDS + 1u32);
        let inertia1 = load_sym3(inverse, second * INVERSE_WORDS + 1u32);
        let mut axis = Vec3 { x: 1.0, y: 0.0, z: 0.0 };
        if normal.x.abs() >= 0.6 {
            axis = Vec3 { x: 0.0, y: 1.0, z: 0.0 };
        }
        let across = normal.cross(axis);
        let t = across.scale(1.0 / across.length());
        let s = normal.cross(t);
        let materials =
            info[(a * INFO_WORDS + 5u32) as usize] * scalars.materials + info[(b * INFO_WORDS + 5u32) as usize];
        let hold = material[(materials * MATERIAL_WORDS) as usize];
        let slide = material[(materials * MATERIAL_WORDS + 1u32) as usize];
        let stiffness = material[(materials * MATERIAL_WORDS + 2u32) as usize];
        let damping = material[(materials * MATERIAL_WORDS + 3u32) as usize];
        let fresh = jolted[first as usize] + jolted[second as usize] > 0u32;
        let old_pair = matched[(2u32 * index) as usize];
        let lanes = matched[(2u32 * index + 1u32) as usize];
        let last_linear = pull1.add(load3(last, second * SIX_WORDS + 3u32).cross(span)).sub(pull0);
        let last_angular = load3(last, second * SIX_WORDS + 3u32).sub(load3(last, first * SIX_WORDS + 3u32));
        let mut torque = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        if rolls {
            let radii = materials * MATERIAL_WORDS + 4u32;
            let (about, across) = (material[radii as usize], material[(radii + 1u32) as usize]);
            if about + across > 0.0 {
                let held = remembered(old_memory, old_pair, lanes, count, normal);
                let ahead = v1.a.add_scaled(load3(last, second * SIX_WORDS + 3u32), h);
                let spin = ahead.sub(v0.a).add_scaled(load3(last, first * SIX_WORDS + 3u32), -h);
                let stop = inertia0.add(inertia1).cholesky().solve(spin).scale(1.0 / h);
                torque = rolling_torque(held, stop, normal, about, across);
            }
        }
        if lane < count {
            let on0 = load3(contact, found + 4u32 + 4u32 * lane);
            let gap = contact[(found + 7u32 + 4u32 * lane) as usize];
            let on1 = on0.add_scaled(normal, gap);
            let lever = on0.add_scaled(normal, 0.5 * gap).sub(com0);
            let lever1 = lever.add(span);
            let old_lane = (lanes >> (8u32 * lane)) & NO_LANE;
            let matches = old_pair != NO_MATCH && old_lane != NO_LANE && !fresh;
            let mut from = 0u32;
            let mut force = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
            let mut old_load = f32::new(0.0);
            let mut before = f32::new(0.0);
            let mut gain = f32::new(0.0);
            let mut held = f32::new(0.0);
            if matches {
                from = old_pair * MEMORY_WORDS + 16u32 * old_lane;
                force = load3(old_memory, from);
                old_load = old_memory[(from + 3u32) as usize];
                before = old_memory[(from + 4u32) as usize];
                gain = old_memory[(from + 5u32) as usize];
                held = old_memory[(from + 6u32) as usize];
            }
            let stuck = held > 0.5;
            if gain <= 0.0 {
                gain = f32::new(FIRST_GAIN);
            }
            // Anchors, kept while the point stays near where the surfaces stuck together.
            let mut anchor0 = turn0.mul_transposed(on0);
            let mut anchor1 = turn1.mul_transposed(on1.sub(between));
            let mut apart = on1.sub(on0);
            if stuck {
                let kept0 = load3(old_memory, from + 7u32);
                let kept1 = load3(old_memory, from + 10u32);
                let (at0, at1) = (turn0.mul(kept0), turn1.mul(kept1).add(between));
                let mut arm = f32::new(3.0e38);
                if moves0 {
                    arm = lever.length_squared();
                }
                if moves1 {
                    arm = arm.min(lever1.length_squared());
                }
                if on0.sub(at0).length_squared() <= ROLLED * ROLLED * arm {
                    anchor0 = kept0;
                    anchor1 = kept1;
                    apart = at1.sub(at0);
                }
            }
            let mut keep = f32::new(0.0);
            if stuck {
                keep = f32::new(RATE);
            }
            // Penalties of the bodies alone.
            let nn =
                mobility(inverse_mass0, inertia0, lever, normal) + mobility(inverse_mass1, inertia1, lever1, normal);
            let tt = mobility(inverse_mass0, inertia0, lever, t) + mobility(inverse_mass1, inertia1, lever1, t);
            let ss = mobility(inverse_mass0, inertia0, lever, s) + mobility(inverse_mass1, inertia1, lever1, s);
            let ts =
                inertia0.mul(lever.cross(t)).dot(lever.cross(s)) + inertia1.mul(lever1.cross(t)).dot(lever1.cross(s));
            let half = 0.5 * (tt - ss);
            let across_mass = 0.5 * (tt + ss) + (half * half + ts * ts).sqrt();
            let mut rho_n = 1.0 / (h * h * nn);
            let mut rho_t = 1.0 / (h * h * across_mass);
            // Multipliers from memory, capped.
            let along = force.dot(normal);
            let mut load = along.max(0.0);
            let mut friction = force.add_scaled(normal, -along);
            let bearable = IMPACT_ALLOWANCE * rho_n * h * h * scale.reference;
            let (less, more) = (load.min(before), load.max(before));
            let mut steady = f32::new(0.0);
            if more < 2.0 * less {
                steady = less;
            }
            let most = LOAD_GROWTH * old_load + bearable.max(steady);
            let borne = load;
            if load > most {
                friction = friction.scale(most / load);
                load = most;
            }
            let load_cap = most.min(FACTOR * scale.mass / (h * h) / load_to_penalty);
            let rho = load_to_penalty * load.min(load_cap);
            rho_n = rho_n.max(rho);
            rho_t = rho_t.max(rho);
            // Inherited overlap.
            let fall = h * h * scale.external;
            let overlap = (-gap).max(0.0);
            let shallow = overlap.min(SHALLOW * fall);
            let mut push = PUSH * (shallow - CLOSE * fall).max(0.0);
            let unsure = ROUNDING * (1.0 + lever.length() + lever1.length());
            let mut row_gap = (gap - unsure).max(0.0) - RATE * (overlap - shallow);
            let mut hardness = f32::new(1.0);
            if stiffness > 0.0 {
                let mut viscous = f32::new(0.0);
                if linear.add(angular.cross(lever)).dot(normal) < 0.0 {
                    viscous = damping / h;
                }
                let total = stiffness + viscous;
                row_gap = gap;
                if gap < 0.0 {
                    row_gap = gap * stiffness / total;
                }
                hardness = total / (total + rho_n);
                push = f32::new(0.0);
            }
            let mut mu = slide;
            if stuck || !matches {
                mu = hold;
            }
            if push > 0.0 {
                // Several may write it: they write the same.
                overlapping[first as usize] = 1u32;
                overlapping[second as usize] = 1u32;
            }
            let point = to + ROW_POINTS + POINT_WORDS * lane;
            store3(row, point, lever);
            row[(point + 3u32) as usize] = row_gap;
            store3(row, point + 4u32, apart.reject(normal).scale(keep));
            row[(point + 7u32) as usize] = load;
            store3(row, point + 8u32, friction);
            row[(point + 11u32) as usize] = rho_n;
            row[(point + 12u32) as usize] = rho_t;
            row[(point + 13u32) as usize] = hardness;
            row[(point + 14u32) as usize] = mu;
            let state = index * DUAL_WORDS + 8u32 * lane;
            dual[state as usize] = gain;
            dual[(state + 1u32) as usize] = 0.0;
            store3(dual, state + 2u32, Vec3 { x: 0.0, y: 0.0, z: 0.0 });
            dual[(state + 5u32) as usize] = load_cap;
            dual[(state + 6u32) as usize] = push;
            dual[(state + 7u32) as usize] = gap;
            let kept = index * MEMORY_WORDS + 16u32 * lane;
            memory[(kept + 3u32) as usize] = load;
            memory[(kept + 4u32) as usize] = borne;
            store3(memory, kept + 7u32, anchor0);
            store3(memory, kept + 10u32, anchor1);
            store3(memory, kept + 13u32, torque);
            if load > 0.0 {
                let v = linear.add(angular.cross(lever));
                let w = last_linear.add(last_angular.cross(lever));
                fight = rho_n * v.dot(normal) * v.dot(normal);
                fight_last = rho_n * w.dot(normal) * w.dot(normal);
                if stuck {
                    fight += rho_t * v.reject(normal).length_squared();
                    fight_last += rho_t * w.reject(normal).length_squared();
                }
            }
        }
    }
    fights[UNIT_POS as usize] = fight;
    fights[(UNITS + UNIT_POS) as usize] = fight_last;
    sync_cube();
    if present && lane == 0u32 {
        for other in 1..4u32 {
            fight += fights[(UNIT_POS + other) as usize];
            fight_last += fights[(UNITS + UNIT_POS + other) as usize];
        }
        disagreement[(2u32 * index) as usize] = scalars.h * scalars.h * fight;
        disagreement[(2u32 * index + 1u32) as usize] = scalars.h * scalars.h * fight_last;
    }
}
