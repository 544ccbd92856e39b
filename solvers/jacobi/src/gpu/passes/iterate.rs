//! One iteration, in one pass or two.

use cubecl::prelude::*;
use drystone_kernels::single::jacobi::{velocity_step, wrench_on_child, wrench_on_parent};
use drystone_kernels::single::math::Vec6;

use super::super::equations::IMMOVABLE;
use super::super::memory::*;
use super::super::point::{load_point, stepped};

#[cube]
fn velocity_of(velocity: &Array<f32>, body: u32, bodies: u32) -> Vec6 {
    let mut v = zero6();
    if body != IMMOVABLE {
        v = load_vec6(velocity, body, bodies);
    }
    v
}

/// The pass over the constraints.
#[cube(launch)]
pub(super) fn update_multipliers(
    topology: &Array<u32>,
    prepared: &Array<f32>,
    velocity: &Array<f32>,
    impulse: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
    relaxation: f32,
    #[comptime] stabilized: bool,
) {
    if ABSOLUTE_POS < constraints as usize {
        let i = ABSOLUTE_POS as u32;
        let point = load_point(prepared, i, constraints, stabilized);
        let v0 = velocity_of(velocity, topology[ABSOLUTE_POS], bodies);
        let v1 = load_vec6(velocity, topology[(constraints + i) as usize], bodies);
        let p = load_vec3(impulse, i, constraints);
        store_vec3(impulse, i, constraints, stepped(point, p, v0, v1, relaxation));
    }
}

/// The pass over the bodies.
#[cube(launch)]
pub(super) fn update_velocities(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    first_entry: &Array<u32>,
    entry: &Array<u32>,
    prepared_body: &Array<f32>,
    prepared_constraint: &Array<f32>,
    impulse: &Array<f32>,
    velocity: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
) {
    if ABSOLUTE_POS < bodies as usize {
        let mut wrench = zero6();
        for at in first_entry[ABSOLUTE_POS]..first_entry[ABSOLUTE_POS + 1] {
            let code = entry[at as usize];
            let constraint = code / 2u32;
            let side = code % 2u32;
            let p = load_vec3(impulse, constraint, constraints);
            let lever = load_vec3(prepared_constraint, constraint + side * 3u32 * constraints, constraints);
            if side == 0u32 {
                wrench = wrench.add(wrench_on_parent(p, lever));
            } else {
                wrench = wrench.add(wrench_on_child(p, lever));
            }
        }
        let i = ABSOLUTE_POS as u32;
        store_vec6(velocity, i, bodies, pushed(kinds, body_kind, prepared_body, i, wrench, bodies));
    }
}

/// One iteration of a body and all constraints around it. Both ends of a constraint find the same new
/// multiplier; its second body, which always moves, stores it.
#[cube(launch)]
pub(super) fn update_both(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    topology: &Array<u32>,
    first_entry: &Array<u32>,
    entry: &Array<u32>,
    prepared_body: &Array<f32>,
    prepared: &Array<f32>,
    impulse: &Array<f32>,
    velocity: &Array<f32>,
    next_impulse: &mut Array<f32>,
    next_velocity: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
    relaxation: f32,
    #[comptime] stabilized: bool,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let own = load_vec6(velocity, i, bodies);
        let mut wrench = zero6();
        for at in first_entry[ABSOLUTE_POS]..first_entry[ABSOLUTE_POS + 1] {
            let code = entry[at as usize];
            let constraint = code / 2u32;
            let second = code % 2u32 == 1u32;
            let point = load_point(prepared, constraint, constraints, stabilized);
            let mut v0 = own;
            let mut v1 = own;
            if second {
                v0 = velocity_of(velocity, topology[constraint as usize], bodies);
            } else {
                v1 = load_vec6(velocity, topology[(constraints + constraint) as usize], bodies);
            }
            let p = stepped(point, load_vec3(impulse, constraint, constraints), v0, v1, relaxation);
            if second {
                store_vec3(next_impulse, constraint, constraints, p);
                wrench = wrench.add(wrench_on_child(p, point.r1));
            } else {
                wrench = wrench.add(wrench_on_parent(p, point.r0));
            }
        }
        store_vec6(next_velocity, i, bodies, pushed(kinds, body_kind, prepared_body, i, wrench, bodies));
    }
}

/// Velocity of a body under the impulses of the constraints around it.
#[cube]
fn pushed(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    prepared_body: &Array<f32>,
    body: u32,
    wrench: Vec6,
    bodies: u32,
) -> Vec6 {
    let inverse_mass = kinds[(body_kind[body as usize] * KIND_WORDS) as usize];
    let inverse_inertia = load_sym3(prepared_body, body + 6u32 * bodies, bodies);
    velocity_step(load_vec6(prepared_body, body, bodies), wrench, inverse_mass, inverse_inertia)
}
