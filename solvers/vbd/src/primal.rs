//! The sweep: every body in turn takes its own Newton step, the others held.

use drystone_kernels::double::math::{Block6, Vec6};

use super::bodies::Bodies;
use super::rows::Manifold;
use drystone_solve::parts::adjacency::Adjacency;
use drystone_solve::parts::matrix::Mat6;

/// The Newton step of one body with everything around it held.
#[inline]
pub fn body_step(bodies: &Bodies, manifolds: &[Manifold], contacts: &Adjacency, body: usize) -> Vec6 {
    let mut force = bodies.inertial_force(body);
    let mut block = bodies.inertial_block(body);
    add_contacts(bodies, manifolds, contacts, body, &mut force, &mut block, |_| 1.0);
    block.solve(force)
}

#[inline(always)]
fn add_contacts(
    bodies: &Bodies,
    manifolds: &[Manifold],
    contacts: &Adjacency,
    body: usize,
    force: &mut Vec6,
    block: &mut Block6,
    weight: impl Fn(usize) -> f64,
) {
    for incidence in contacts.of(body) {
        let manifold = &manifolds[incidence.constraint()];
        let side = incidence.end();
        let weight = weight(manifold.body[1 - side] as usize);
        let delta = [bodies.delta[manifold.body[0] as usize], bodies.delta[manifold.body[1] as usize]];
        let sum = manifold.sum(&delta, side, weight);
        if sum.a > 0.0 {
            *force = force.add(sum.wrench(manifold.frame));
            *block = block.add(sum.stiffness(manifold.frame));
        }
    }
}

/// Force and stiffness of the contacts of a body that moves together with all `members`. A contact
/// with another member couples the two; leaving the coupling out is safe when both ends carry the
/// stiffness twice.
pub fn contact_terms(
    bodies: &Bodies,
    manifolds: &[Manifold],
    contacts: &Adjacency,
    body: usize,
    members: &[bool],
) -> (Vec6, Block6) {
    let (mut force, mut block) = (Vec6::default(), Block6::default());
    let weight = |other: usize| if members[other] { 2.0 } else { 1.0 };
    add_contacts(bodies, manifolds, contacts, body, &mut force, &mut block, weight);
    (force, block)
}

/// The block as a plain matrix.
pub fn mat6(block: &Block6) -> Mat6<f64> {
    let sym = |s: &drystone_kernels::double::math::Sym3| [[s.xx, s.xy, s.xz], [s.xy, s.yy, s.yz], [s.xz, s.yz, s.zz]];
    let (ll, aa) = (sym(&block.ll), sym(&block.aa));
    let al = [block.al.r0, block.al.r1, block.al.r2].map(|r| [r.x, r.y, r.z]);
    Mat6::from_fn(|i, j| match (i < 3, j < 3) {
        (true, true) => ll[i][j],
        (false, true) => al[i - 3][j],
        (true, false) => al[j - 3][i],
        (false, false) => aa[i - 3][j - 3],
    })
}
