//! The sweep: every body in turn takes its own Newton step, the others held.

use drystone_kernels::double::math::{Block6, Vec6};
use drystone_kernels::lanes::{self, Lanes, Task};

use super::bodies::Bodies;
use super::contact_block::ContactSum;
use super::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;
use drystone_solve::linalg::matrix::Mat6;

/// The Newton step of a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyStep {
    /// By how much it moves on.
    pub step: Vec6,
    /// How far its matter moves: squared mean way \[m²\].
    pub moved: f64,
}

impl BodyStep {
    /// A step and what it means for the matter of its body.
    #[inline(always)]
    pub fn new(bodies: &Bodies, body: usize, step: Vec6) -> Self {
        let inertia = bodies.inertia[body];
        let radius_squared = (inertia.xx + inertia.yy + inertia.zz) / (3.0 * bodies.mass[body]);
        Self { step, moved: step.l.length_squared() + radius_squared * step.a.length_squared() }
    }
}

/// The Newton steps of some bodies, each with everything around it held.
pub struct BodySteps<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// All manifolds.
    pub manifolds: &'a [Manifold],
    /// Manifolds of every body.
    pub contacts: &'a Adjacency,
    /// The bodies to step.
    pub batch: &'a [u32],
    /// Which bodies may move.
    pub only: &'a [bool],
    /// Share of the step that is taken by a body in contact.
    pub relaxation: f64,
    /// Where the steps go.
    pub steps: &'a mut [BodyStep],
}

impl Task for BodySteps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (&body, step) in self.batch.iter().zip(self.steps) {
            let body = body as usize;
            if !self.only[body] {
                *step = BodyStep::default();
                continue;
            }
            let (wrench, stiffness) = contact_sum(lanes, self.bodies, self.manifolds, self.contacts, body, |_| 1.0);
            let force = self.bodies.inertial_force(body).add(wrench);
            let block = self.bodies.inertial_block(body).add(stiffness);
            // What stands alone is solved by its full step.
            let relaxation = if self.contacts.degree(body) == 0 { 1.0 } else { self.relaxation };
            *step = BodyStep::new(self.bodies, body, lanes.solve(block, force).scale(relaxation));
        }
    }
}

#[inline(always)]
fn contact_sum<L: Lanes>(
    lanes: L,
    bodies: &Bodies,
    manifolds: &[Manifold],
    contacts: &Adjacency,
    body: usize,
    weight: impl Fn(usize) -> f64,
) -> (Vec6, Block6) {
    let mut sum = ContactSum::new(lanes);
    for incidence in contacts.of(body) {
        let manifold = &manifolds[incidence.constraint()];
        let side = incidence.end();
        sum.add(
            manifold,
            &manifold.motion(&bodies.pair_delta(manifold)),
            side,
            weight(manifold.body[1 - side] as usize),
        );
    }
    sum.finish()
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
    lanes::run(MemberTerms { bodies, manifolds, contacts, body, members })
}

struct MemberTerms<'a> {
    bodies: &'a Bodies,
    manifolds: &'a [Manifold],
    contacts: &'a Adjacency,
    body: usize,
    members: &'a [bool],
}

impl Task for MemberTerms<'_> {
    type Output = (Vec6, Block6);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let weight = |other: usize| if self.members.get(other) == Some(&true) { 2.0 } else { 1.0 };
        contact_sum(lanes, self.bodies, self.manifolds, self.contacts, self.body, weight)
    }
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
