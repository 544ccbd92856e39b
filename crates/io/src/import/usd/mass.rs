//! Masses: given, or from densities of what bodies wear.

use drystone_model::{DMat3, DVec3, MassProperties};

use super::super::fault::Log;
use super::layer::Spec;
use super::scene::{Body, Units};

/// Mass \[kg\] and density \[kg/m³\] that a prim gives itself.
pub(super) fn given(spec: &Spec, units: &Units, log: &mut Log) -> (Option<f64>, Option<f64>) {
    let mut positive = |name: &str| {
        let value = spec.number(log, name)?;
        if value < 0.0 {
            log.fault(spec.place, format!("{}: `{name}` is negative", spec.called()), "give zero or more");
        }
        Some(value).filter(|&value| value > 0.0)
    };
    if !spec.wears("PhysicsMassAPI") {
        return (None, None);
    }
    let (mass, density) = (positive("physics:mass"), positive("physics:density"));
    (mass.map(|mass| mass * units.mass), density.map(|density| density * units.density()))
}

/// Mass, centre and inertia of a body in its frame.
pub(super) fn of_body(body: &Body<'_>, units: &Units, log: &mut Log) -> MassProperties {
    let spec = body.spec;
    let (mass, density) = given(spec, units, log);
    let mut sum = MassProperties::ZERO;
    for collider in &body.colliders {
        let Ok(unit) = collider.shape.geometry.mass_properties(1.0) else { continue };
        let density = collider.density.or(density).unwrap_or(collider.shape.material.density);
        let weight = collider.mass.unwrap_or(unit.mass * density);
        sum = sum + unit.scaled_to_mass(weight).transformed(&collider.shape.pose);
    }
    if let Some(mass) = mass {
        sum = if sum.mass > 0.0 { sum.scaled_to_mass(mass) } else { MassProperties { mass, ..MassProperties::ZERO } };
    }
    if !spec.wears("PhysicsMassAPI") {
        return sum;
    }
    if let Some(centre) = spec.given_vector(log, "physics:centerOfMass") {
        sum.com = body.pose.inverse() * body.map.point(centre);
    }
    let moments = spec.given_vector(log, "physics:diagonalInertia").filter(|moments| *moments != DVec3::ZERO);
    if let Some(moments) = moments {
        let turn = DMat3::from_quat(spec.rotation(log, "physics:principalAxes").unwrap_or_default());
        sum.inertia = turn * DMat3::from_diagonal(moments * units.inertia()) * turn.transpose();
    }
    sum
}
