//! One step on the CPU, with the same kernels and the same numbers, to compare with.

use drystone_kernels::single::jacobi::{
    end_of_step, free_velocity, inverse_block, multiplier_step, point_mobility, point_rate, velocity_step,
    wrench_on_child, wrench_on_parent,
};
use drystone_kernels::single::math::{Sym3, Vec3, Vec6};
use drystone_kernels::single::rotation::world_inertia;

use super::equations::IMMOVABLE;
use super::system::{PointState, PointSystem, StepOptions};

/// Takes one step of `system` on one thread of the CPU, plainly: the twin of the GPU engines.
pub fn reference_step(system: &PointSystem, state: &mut PointState, options: &StepOptions) {
    let dt = options.dt;
    let kind = |body: u32| &system.kind[system.body_kind[body as usize] as usize];
    let bodies = 0..system.body_count() as u32;
    let free: Vec<_> = (bodies.clone())
        .map(|b| {
            let k = kind(b);
            let (q, v) = (state.orientation[b as usize], state.velocity[b as usize]);
            free_velocity(q, v, k.gravity, Vec3::default(), k.inverse_inertia, dt)
        })
        .collect();
    let inverse_inertia: Vec<Sym3> =
        bodies.clone().map(|b| world_inertia(state.orientation[b as usize], kind(b).inverse_inertia)).collect();
    let lever = |body: u32, anchor: u32| state.orientation[body as usize].rotate(system.anchor[anchor as usize]);
    let mobility = |body: u32, r: Vec3| point_mobility(kind(body).inverse_mass, inverse_inertia[body as usize], r);
    let prepared: Vec<(Vec3, Vec3, Sym3, Vec3)> = (0..system.constraint_count())
        .map(|c| {
            let (parent, child) = (system.parent[c], system.child[c]);
            let r1 = lever(child, system.child_anchor[c]);
            let mut delassus = mobility(child, r1);
            let mut r0 = Vec3::default();
            let mut from = system.anchor[system.parent_anchor[c] as usize];
            if parent != IMMOVABLE {
                r0 = lever(parent, system.parent_anchor[c]);
                from = state.position[parent as usize].add(r0);
                delassus = delassus.add(mobility(parent, r0));
            }
            let gap = state.position[child as usize].add(r1).sub(from);
            (r0, r1, inverse_block(delassus), gap.scale(options.stabilization / dt))
        })
        .collect();
    let velocities = |impulse: &[Vec3]| -> Vec<Vec6> {
        let mut wrench = vec![Vec6::default(); system.body_count()];
        for (c, &p) in impulse.iter().enumerate() {
            let (parent, child) = (system.parent[c], system.child[c] as usize);
            if parent != IMMOVABLE {
                wrench[parent as usize] = wrench[parent as usize].add(wrench_on_parent(p, prepared[c].0));
            }
            wrench[child] = wrench[child].add(wrench_on_child(p, prepared[c].1));
        }
        let step = |b: u32| {
            let i = b as usize;
            velocity_step(free[i], wrench[i], kind(b).inverse_mass, inverse_inertia[i])
        };
        bodies.clone().map(step).collect()
    };
    let mut solved = velocities(&state.impulse);
    for _ in 0..options.iterations {
        for (c, &(r0, r1, inverse, bias)) in prepared.iter().enumerate() {
            let v0 = if system.parent[c] == IMMOVABLE { Vec6::default() } else { solved[system.parent[c] as usize] };
            let rate = point_rate(v0, solved[system.child[c] as usize], r0, r1);
            state.impulse[c] = multiplier_step(state.impulse[c], inverse, rate, bias, options.relaxation);
        }
        solved = velocities(&state.impulse);
    }
    for b in bodies {
        let i = b as usize;
        let k = kind(b);
        let end = end_of_step(state.orientation[i], solved[i], k.inertia, k.inverse_inertia, dt);
        state.position[i] = state.position[i].add(end.displacement);
        state.orientation[i] = end.orientation;
        state.velocity[i] = end.velocity;
    }
}

/// Largest gap between the two anchors of a constraint \[m\].
pub fn largest_gap(system: &PointSystem, state: &PointState) -> f32 {
    let place = |body: u32, anchor: u32| {
        let local = system.anchor[anchor as usize];
        match body {
            IMMOVABLE => local,
            body => state.position[body as usize].add(state.orientation[body as usize].rotate(local)),
        }
    };
    (0..system.constraint_count())
        .map(|c| {
            let from = place(system.parent[c], system.parent_anchor[c]);
            place(system.child[c], system.child_anchor[c]).sub(from).length()
        })
        .fold(0.0, f32::max)
}
