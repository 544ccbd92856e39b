//! The sweep: every body in turn takes its own Newton step, the others held.

use drystone_kernels::double::math::{Block6, Vec3, Vec6};

use super::bodies::Bodies;
use super::joint::{JointBlock, Joints};
use super::rows::Manifold;
use crate::parts::adjacency::Adjacency;
use crate::parts::matrix::{self, Mat6};

/// Everything a body's step reads.
pub struct Surroundings<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// All contacts.
    pub manifolds: &'a [Manifold],
    /// Contacts of every body.
    pub contacts: &'a Adjacency,
    /// All joints.
    pub joints: &'a Joints,
    /// Swept joints of every body.
    pub joints_of: &'a Adjacency,
}

impl Surroundings<'_> {
    /// The Newton step of one body with everything around it held.
    #[inline]
    pub fn body_step(&self, body: usize) -> Vec6 {
        let jointed = self.joints_of.degree(body) > 0;
        let mut force = if jointed { self.bodies.inertial_force_exact(body) } else { self.bodies.inertial_force(body) };
        let mut block = self.bodies.inertial_block(body);
        add_contacts(self.bodies, self.manifolds, self.contacts, body, &mut force, &mut block, |_| 1.0);
        if jointed {
            self.add_joints(body, &mut force, &mut block);
        }
        block.solve(force)
    }

    fn add_joints(&self, body: usize, force: &mut Vec6, block: &mut Block6) {
        for incidence in self.joints_of.of(body) {
            let joint = incidence.constraint();
            let axes = self.joints.axes(joint, self.bodies);
            let (gradient, diagonal) = JointBlock::end(&axes, self.joints.rows(joint), incidence.end());
            *force = force.sub(kernel_vec6(&gradient));
            *block = block.add(kernel_block(&diagonal));
        }
    }
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

fn kernel_vec6(v: &matrix::Vec6<f64>) -> Vec6 {
    Vec6 { l: Vec3::new(v[0], v[1], v[2]), a: Vec3::new(v[3], v[4], v[5]) }
}

fn kernel_block(m: &Mat6<f64>) -> Block6 {
    use drystone_kernels::double::math::{Mat3, Sym3};
    let m = &m.0;
    let sym = |o: usize| Sym3 {
        xx: m[o][o],
        xy: m[o][o + 1],
        xz: m[o][o + 2],
        yy: m[o + 1][o + 1],
        yz: m[o + 1][o + 2],
        zz: m[o + 2][o + 2],
    };
    let row = |i: usize| Vec3::new(m[i][0], m[i][1], m[i][2]);
    Block6 { ll: sym(0), al: Mat3 { r0: row(3), r1: row(4), r2: row(5) }, aa: sym(3) }
}
