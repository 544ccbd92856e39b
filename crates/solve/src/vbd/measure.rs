//! What a step reached.

use drystone_model::{BodyKind, DVec3, Model, State};

use super::bodies::{Bodies, world_inertia};
use super::rows::Manifold;
use super::warm_start::pair_delta;
use crate::report::Report;

/// Penetration, energies and momenta after a step.
pub fn report(model: &Model, state: &State, manifolds: &[Manifold], bodies: &Bodies) -> Report {
    let mut report = Report::default();
    for manifold in manifolds {
        let delta = pair_delta(bodies, manifold);
        let motion = manifold.motion(&delta);
        for point in manifold.points() {
            let gap = point.start_gap + point.displacement(&motion).x;
            report.max_penetration = report.max_penetration.max(-gap);
            report.contact_count += 1;
        }
    }
    let (mut momentum, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for body in 0..model.body_count() {
        if model.body_kind[body] != BodyKind::Dynamic {
            continue;
        }
        let (pose, twist, mass) = (state.body_q[body], state.body_qd[body], model.body_mass[body]);
        let com = pose.transform_point(model.body_com[body]);
        let spin = world_inertia(&pose, model.body_inertia[body]) * twist.angular;
        report.kinetic_energy += 0.5 * (mass * twist.linear.length_squared() + twist.angular.dot(spin));
        report.potential_energy -= mass * model.world_gravity[model.body_world[body] as usize].dot(com);
        momentum += mass * twist.linear;
        angular += com.cross(mass * twist.linear) + spin;
    }
    report.momentum = momentum.to_array();
    report.angular_momentum = angular.to_array();
    report
}
