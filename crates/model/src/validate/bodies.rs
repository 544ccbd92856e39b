//! Bodies: poses, velocities, mass and inertia.

use drystone_geometry::DMat3;
use drystone_geometry::mass::symmetric_eigen;

use super::{check_names, check_world_index, numbers};
use crate::error::{Entity, Faults};
use crate::model::{BodyKind, Model};
use crate::state::Twist;

/// Slack of the triangle inequality and of symmetry, relative to the largest moment: rounding in
/// the sum of many shapes, far below any modelling error.
const INERTIA_TOLERANCE: f64 = 1e-9;

pub(super) fn check(model: &Model, faults: &mut Faults) {
    check_names(faults, Entity::Body, &model.body_name);
    for (body, name) in model.body_name.iter().enumerate() {
        faults.about(Entity::Body, body, name);
        check_world_index(model, faults, model.body_world[body]);
        numbers::pose(faults, "q", &model.body_q[body]);
        numbers::vector(faults, "qd", model.body_qd[body].linear);
        numbers::vector(faults, "qd", model.body_qd[body].angular);
        if model.body_kind[body] == BodyKind::Static && model.body_qd[body] != Twist::default() {
            faults.add("qd", "a static body has a velocity", "make it kinematic, or leave the velocity out");
        }
        numbers::vector(faults, "com", model.body_com[body]);
        for rate in model.body_damping[body] {
            numbers::not_negative(faults, "damping", rate);
        }
        numbers::finite(faults, "gravity_scale", model.body_gravity_scale[body]);
        for drag in &model.body_drag[body] {
            numbers::pose(faults, "drag.pose", &drag.pose);
            for (field, values) in [("drag.linear", drag.linear), ("drag.quadratic", drag.quadratic)] {
                for value in values {
                    numbers::not_negative(faults, field, value);
                }
            }
        }
        check_mass(faults, model.body_kind[body], model.body_mass[body], &model.body_inertia[body]);
    }
}

fn check_mass(faults: &mut Faults, kind: BodyKind, mass: f64, inertia: &DMat3) {
    let needed = kind == BodyKind::Dynamic;
    if mass == 0.0 && !needed {
        return;
    }
    if mass == 0.0 {
        let remedy = "add a shape with a density, give the mass properties, or make the body static or kinematic";
        faults.add("mass", "a dynamic body needs a mass, this one has none", remedy);
    } else if numbers::positive(faults, "mass", mass) {
        check_inertia(faults, inertia);
    }
}

fn check_inertia(faults: &mut Faults, inertia: &DMat3) {
    let columns = inertia.to_cols_array();
    if !columns.into_iter().all(|value| numbers::finite(faults, "inertia", value)) {
        return;
    }
    let size = columns.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    let skew = *inertia - inertia.transpose();
    if skew.to_cols_array().iter().any(|value| value.abs() > INERTIA_TOLERANCE * size) {
        faults.add("inertia", "the tensor is not symmetric", "give the same products of inertia on both sides");
        return;
    }
    let (moments, _) = symmetric_eigen(*inertia);
    let (least, most) = (moments.min_element(), moments.max_element());
    if least <= 0.0 {
        let problem = format!("the principal moments {moments} are not all positive");
        faults.add("inertia", problem, "give the body extent in all three directions, or an explicit inertia");
    } else if moments.element_sum() - 2.0 * most < -INERTIA_TOLERANCE * most {
        let problem = format!("the principal moments {moments} violate the triangle inequality: no mass has them");
        faults.add("inertia", problem, "no moment may exceed the sum of the other two; check units and products");
    }
}
