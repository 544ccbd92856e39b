//! Bodies that touch nothing but each other keep their momentum, however few the iterations.
//!
//! Sweeps that have not converged leave a rest of momentum behind. It is given back to the group as a
//! rigid motion of the whole, the smallest change of velocities that does it, which no contact within
//! the group feels.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
use drystone_model::DVec3;

use super::bodies::Bodies;
use super::convert::vec3;
use super::islands::Islands;

/// What is summed over a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Group {
    mass: f64,
    centre: DVec3,
    inertia: Sym3,
    linear: Vec3,
    angular: Vec3,
}

/// Gives every floating group the momentum that external forces leave it with.
pub fn restore(bodies: &mut Bodies, islands: &Islands, groups: &mut Vec<Group>) {
    let count = bodies.world();
    let floats = |bodies: &Bodies, body: usize| bodies.moves[body] && islands.floats(islands.leader(body));
    if !(0..count).any(|body| floats(bodies, body)) {
        return;
    }
    groups.clear();
    groups.resize(count, Group::default());
    for body in (0..count).filter(|&body| floats(bodies, body)) {
        let group = &mut groups[islands.leader(body)];
        group.mass += bodies.mass[body];
        group.centre += bodies.mass[body] * bodies.com[body];
    }
    for body in (0..count).filter(|&body| floats(bodies, body)) {
        let group = &mut groups[islands.leader(body)];
        let lever = vec3(bodies.com[body] - group.centre / group.mass);
        let missing = missing_motion(bodies, body);
        let linear = missing.l.scale(bodies.mass[body]);
        group.linear = group.linear.add(linear);
        group.angular = group.angular.add(lever.cross(linear)).add(bodies.inertia[body].mul(missing.a));
        group.inertia = group.inertia.add(bodies.inertia[body]).add(Sym3::scaled_lever(lever, bodies.mass[body]));
    }
    for body in 0..count {
        if floats(bodies, body) {
            let group = &groups[islands.leader(body)];
            let lever = vec3(bodies.com[body] - group.centre / group.mass);
            let turn = group.inertia.cholesky().solve(group.angular);
            let whole = Vec6 { l: group.linear.scale(1.0 / group.mass).add(turn.cross(lever)), a: turn };
            bodies.delta[body] = bodies.delta[body].add(whole);
            bodies.place(body);
        }
    }
}

/// Displacement by which a body misses the one that external forces alone would give.
fn missing_motion(bodies: &Bodies, body: usize) -> Vec6 {
    let away = bodies.target[body].sub(bodies.delta[body]);
    // Torques are not part of the target.
    Vec6 { l: away.l, a: away.a.add(bodies.inertia[body].cholesky().solve(bodies.torque[body])) }
}
