//! What a step reached.

use drystone_model::{Model, State};

use super::bodies::Bodies;
use super::rows::Rows;
use drystone_solve::parallel;
use drystone_solve::report::Report;

/// Penetration, energies and momenta after a step with so many contact points.
pub fn measure(model: &Model, state: &State, rows: &Rows, bodies: &Bodies, points: usize) -> Report {
    let mut report = Report::of_motion(model, state);
    report.contact_count = points;
    let [deepest] = parallel::largest(rows.manifolds.len(), |index| {
        let (manifold, dual) = (&rows.manifolds[index], &rows.duals[index]);
        let motion = manifold.motion(&bodies.pair_delta(manifold));
        let gap = |lane| dual.start_gap[lane] + motion.at(manifold.lever.get(lane)).dot(manifold.normal);
        [(0..manifold.count as usize).map(|lane| -gap(lane)).fold(0.0, f64::max)]
    });
    report.max_penetration = Some(deepest);
    report
}
