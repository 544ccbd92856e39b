//! The sweep: every body in turn takes its own Newton step, the others held.

use drystone_kernels::double::math::{Block6, Vec6};
use drystone_kernels::lanes::{self, FourRows, Lanes, Task};

use super::bodies::Bodies;
use super::contact_block::ContactSum;
use super::displacements::Displacements;
use super::joint::Swept;
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

/// Newton steps of bodies of one colour, each with everything around it held. They are taken in place.
pub struct BodySteps<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// Their displacements.
    pub displacements: &'a Displacements,
    /// All manifolds.
    pub manifolds: &'a [Manifold],
    /// Manifolds of every body.
    pub contacts: &'a Adjacency,
    /// The bodies to step.
    pub batch: &'a [u32],
    /// Which bodies may move.
    pub only: &'a [bool],
    /// Whose bodies are stepped elsewhere.
    pub swept: &'a Swept,
    /// Share of the step that is taken by a body in contact.
    pub relaxation: f64,
}

impl BodySteps<'_> {
    #[inline(always)]
    fn steps(&self, body: usize) -> bool {
        self.only[body] && !self.swept.holds(body)
    }
}

impl Task for BodySteps<'_> {
    /// The largest step, squared \[m²\].
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> f64 {
        let mut four = Four::new(lanes);
        let mut bodies = self.batch.iter().map(|&body| body as usize).filter(|&body| self.steps(body)).peekable();
        while let Some(body) = bodies.next() {
            four.add(lanes, &self, body, bodies.peek().copied());
            if four.count == 4 {
                four.solve(lanes, &self);
            }
        }
        if four.count > 0 {
            four.solve(lanes, &self);
        }
        four.largest
    }
}

/// Up to four bodies whose blocks are solved side by side.
struct Four<L: Lanes> {
    count: usize,
    body: [usize; 4],
    delta: [Vec6; 4],
    /// What their inertia asks for.
    own: FourRows,
    contacts: [ContactSum<L>; 4],
    /// The largest step so far, squared \[m²\].
    largest: f64,
}

impl<L: Lanes> Four<L> {
    #[inline(always)]
    fn new(lanes: L) -> Self {
        let (own, contacts) = (FourRows::identity(), [ContactSum::new(lanes); 4]);
        Self { count: 0, body: [0; 4], delta: [Vec6::default(); 4], own, contacts, largest: 0.0 }
    }

    /// Adds a body. The manifolds of the `next` one are asked for meanwhile: in large scenes sweeps wait for memory.
    #[inline(always)]
    fn add(&mut self, lanes: L, task: &BodySteps, body: usize, next: Option<usize>) {
        let BodySteps { bodies, displacements, manifolds, contacts, .. } = task;
        let (lane, delta) = (self.count, displacements.get(body));
        // Summed where it stays: it is a kilobyte.
        let sum = &mut self.contacts[lane];
        *sum = ContactSum::new(lanes);
        let mut ahead = next.map(|next| contacts.of(next));
        for incidence in contacts.of(body) {
            if let Some(incidence) = ahead.as_mut().and_then(Iterator::next) {
                manifolds[incidence.constraint()].prefetch();
            }
            let manifold = &manifolds[incidence.constraint()];
            sum.add(manifold, &manifold.motion(&displacements.pair(manifold)), incidence.end(), 1.0);
        }
        self.own.set(lane, bodies.inertial_force_at(body, delta), bodies.inertial_block(body));
        (self.body[lane], self.delta[lane]) = (body, delta);
        self.count += 1;
    }

    /// Steps those there are; lanes left over keep a block of before, which is positive definite.
    #[inline(always)]
    fn solve(&mut self, lanes: L, task: &BodySteps) {
        let (force, block) = self.own.load(lanes);
        let (wrench, stiffness) = ContactSum::finish_four(&self.contacts);
        let solved = block.add(stiffness).solve(force.add(wrench)).store();
        for lane in 0..self.count {
            let body = self.body[lane];
            // What stands alone is solved by its full step.
            let relaxation = if task.contacts.degree(body) == 0 { 1.0 } else { task.relaxation };
            let BodyStep { step, moved } = BodyStep::new(task.bodies, body, solved[lane].scale(relaxation));
            task.displacements.set(body, lanes.round(self.delta[lane].add(step)), moved);
            self.largest = self.largest.max(step.l.length_squared());
        }
        self.count = 0;
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
        let mut sum = ContactSum::new(lanes);
        for incidence in self.contacts.of(self.body) {
            let (manifold, side) = (&self.manifolds[incidence.constraint()], incidence.end());
            let other = manifold.body[1 - side] as usize;
            let weight = if self.members.get(other) == Some(&true) { 2.0 } else { 1.0 };
            sum.add(manifold, &manifold.motion(&self.bodies.pair_delta(manifold)), side, weight);
        }
        sum.finish()
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
