//! The sweep: every body in turn takes its own Newton step, the others held.

use drystone_kernels::double::math::{Block6, Vec6};
use drystone_kernels::lanes::{self, FourRows, Lanes, Task};

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
        let Self { bodies, manifolds, contacts, batch, only, relaxation, steps } = self;
        let mut four = Four::new(lanes);
        for (place, &body) in batch.iter().enumerate() {
            let body = body as usize;
            steps[place] = BodyStep::default();
            if only[body] {
                let sum = contact_sum(lanes, bodies, manifolds, contacts, body, |_| 1.0);
                // What stands alone is solved by its full step.
                let relaxation = if contacts.degree(body) == 0 { 1.0 } else { relaxation };
                four.add(bodies, body, sum, place, relaxation);
                if four.count == 4 {
                    four.solve(lanes, bodies, steps);
                }
            }
        }
        four.solve(lanes, bodies, steps);
    }
}

/// Up to four bodies whose blocks are solved side by side.
struct Four<L: Lanes> {
    count: usize,
    body: [usize; 4],
    /// Where their steps go.
    place: [usize; 4],
    relaxation: [f64; 4],
    /// What their inertia asks for.
    own: FourRows,
    contacts: [ContactSum<L>; 4],
}

impl<L: Lanes> Four<L> {
    #[inline(always)]
    fn new(lanes: L) -> Self {
        let own = FourRows::identity();
        let contacts = [ContactSum::new(lanes); 4];
        Self { count: 0, body: [0; 4], place: [0; 4], relaxation: [0.0; 4], own, contacts }
    }

    #[inline(always)]
    fn add(&mut self, bodies: &Bodies, body: usize, contacts: ContactSum<L>, place: usize, relaxation: f64) {
        let lane = self.count;
        self.own.set(lane, bodies.inertial_force(body), bodies.inertial_block(body));
        self.contacts[lane] = contacts;
        (self.body[lane], self.place[lane], self.relaxation[lane]) = (body, place, relaxation);
        self.count += 1;
    }

    /// Solves those there are; lanes left over keep a block of before, which is positive definite.
    #[inline(always)]
    fn solve(&mut self, lanes: L, bodies: &Bodies, steps: &mut [BodyStep]) {
        let (force, block) = self.own.load(lanes);
        let (wrench, stiffness) = ContactSum::finish_four(&self.contacts);
        let solved = block.add(stiffness).solve(force.add(wrench)).store();
        for lane in 0..self.count {
            let step = solved[lane].scale(self.relaxation[lane]);
            steps[self.place[lane]] = BodyStep::new(bodies, self.body[lane], step);
        }
        self.count = 0;
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
) -> ContactSum<L> {
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
    sum
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
    match contacts.degree(body) {
        0 => Default::default(),
        _ => lanes::run(MemberTerms { bodies, manifolds, contacts, body, members }),
    }
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
        contact_sum(lanes, self.bodies, self.manifolds, self.contacts, self.body, weight).finish()
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
