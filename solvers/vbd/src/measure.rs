//! What a step reached.

use drystone_model::{Model, State};

use super::bodies::Bodies;
use super::rows::Manifold;
use super::warm_start::pair_delta;
use drystone_solve::report::Report;

/// Penetration, energies and momenta after a step.
pub fn report(model: &Model, state: &State, manifolds: &[Manifold], bodies: &Bodies) -> Report {
    let mut report = Report::of_motion(model, state);
    for manifold in manifolds {
        let delta = pair_delta(bodies, manifold);
        let motion = manifold.motion(&delta);
        for point in manifold.points() {
            let gap = point.start_gap + point.displacement(&motion).x;
            report.max_penetration = report.max_penetration.max(-gap);
            report.contact_count += 1;
        }
    }
    report
}
