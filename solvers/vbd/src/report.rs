//! What a step reached.

use drystone_model::{Model, State};

use super::bodies::Bodies;
use super::rows::Rows;
use drystone_solve::report::Report;

/// Penetration, energies and momenta after a step.
pub fn measure(model: &Model, state: &State, rows: &Rows, bodies: &Bodies) -> Report {
    let mut report = Report::of_motion(model, state);
    let mut deepest = 0.0_f64;
    for (manifold, dual) in rows.manifolds.iter().zip(&rows.duals) {
        let delta = bodies.pair_delta(manifold);
        let motion = manifold.motion(&delta);
        for lane in 0..manifold.count as usize {
            let gap = dual.start_gap[lane] + motion.at(manifold.lever.get(lane)).dot(manifold.normal);
            deepest = deepest.max(-gap);
            report.contact_count += 1;
        }
    }
    report.max_penetration = Some(deepest);
    report
}
