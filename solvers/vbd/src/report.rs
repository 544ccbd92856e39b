//! What a step reached.

use drystone_kernels::lanes::{self, Lanes, Simd4, Task};
use drystone_model::{Model, State};

use super::bodies::Bodies;
use super::rows::{DualState, Manifold, Rows};
use super::simd::SimdVec3;
use drystone_solve::parallel;
use drystone_solve::report::Report;

/// Penetration, energies and momenta after a step with so many contact points.
pub fn measure(model: &Model, state: &State, rows: &Rows, bodies: &Bodies, points: usize) -> Report {
    let mut report = Report::of_motion(model, state);
    report.contact_count = points;
    let [deepest] = parallel::largest_of_pieces(rows.manifolds.len(), |piece| {
        let (manifolds, duals) = (&rows.manifolds[piece.clone()], &rows.duals[piece]);
        [lanes::run(Deepest { bodies, manifolds, duals })]
    });
    report.max_penetration = Some(deepest);
    report
}

/// The deepest overlap of some manifolds after the step \[m\].
struct Deepest<'a> {
    bodies: &'a Bodies,
    manifolds: &'a [Manifold],
    duals: &'a [DualState],
}

impl Task for Deepest<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> f64 {
        let zero = Simd4::splat(lanes, 0.0);
        let mut deepest = zero;
        for (manifold, dual) in self.manifolds.iter().zip(self.duals) {
            let motion = manifold.motion(&self.bodies.pair_delta(manifold));
            let lever = SimdVec3::load(lanes, &manifold.lever);
            let turn = SimdVec3::splat(lanes, motion.angular).cross(lever);
            let along = SimdVec3::splat(lanes, motion.linear).add(turn).dot(SimdVec3::splat(lanes, manifold.normal));
            let depth = zero - (Simd4::load(lanes, &dual.start_gap) + along);
            let used = Simd4::load(lanes, manifold.in_use());
            deepest = used.where_positive(depth, zero).max(deepest);
        }
        deepest.store().into_iter().fold(0.0, f64::max)
    }
}
