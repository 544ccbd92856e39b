//! The sweep: every body in turn takes its own Newton step, the others held.

use drystone_kernels::double::contact::{add_contact_stiffness, wrench};
use drystone_kernels::double::math::Vec6;

use super::bodies::Bodies;
use super::rows::Manifold;
use crate::parts::adjacency::Adjacency;

/// The Newton step of one body with everything around it held.
#[inline]
pub fn body_step(bodies: &Bodies, manifolds: &[Manifold], adjacency: &Adjacency, body: usize) -> Vec6 {
    let mut force = bodies.inertial_force(body);
    let mut block = bodies.inertial_block(body);
    for incidence in adjacency.of(body) {
        let manifold = &manifolds[incidence.constraint()];
        let side = incidence.end();
        let sign = if side == 1 { 1.0 } else { -1.0 };
        let delta = [bodies.delta[manifold.body[0] as usize], bodies.delta[manifold.body[1] as usize]];
        for point in &manifold.point[..manifold.count as usize] {
            let answer = point.force(manifold.normal, point.relative(&delta));
            if answer.normal > 0.0 {
                let lever = point.lever[side];
                force = force.add(wrench(answer.force.scale(sign), lever));
                let tangential = point.rho_t * answer.stick;
                let normal = point.hardness * point.rho_n - tangential;
                block = add_contact_stiffness(block, manifold.normal, lever, normal, tangential);
            }
        }
    }
    block.solve(force)
}
