//! The mass of a body from the shapes it wears.

use drystone_geometry::{DMat3, DVec3, MassProperties, Pose, Shape};
use glamx::Vec3Swizzles;

use super::bodies::{BodyDef, MassSource};
use super::shapes::ShapeDef;
use crate::model::BodyKind;

/// Stands in for the mass of a body whose shapes have none, so that one fault is not reported twice.
pub(super) const PLACEHOLDER: MassProperties = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia: DMat3::IDENTITY };

const NOTHING: MassProperties = MassProperties { mass: 0.0, com: DVec3::ZERO, inertia: DMat3::ZERO };

/// Mass, centre and inertia of a body, or why a shape has none.
pub(super) fn body_mass<'a>(
    body: &BodyDef,
    shapes: impl Iterator<Item = &'a ShapeDef>,
) -> Result<MassProperties, String> {
    match (body.mass, body.kind) {
        (MassSource::Given(mass), _) => Ok(mass),
        (MassSource::Density, BodyKind::Dynamic) => sum_of_shapes(shapes),
        (MassSource::Density, _) => Ok(NOTHING),
        (MassSource::Total(total), _) => {
            let shapes = sum_of_shapes(shapes)?;
            let inertia = if shapes.mass > 0.0 { shapes.inertia * (total / shapes.mass) } else { shapes.inertia };
            Ok(MassProperties { mass: total, com: shapes.com, inertia })
        }
    }
}

fn sum_of_shapes<'a>(shapes: impl Iterator<Item = &'a ShapeDef>) -> Result<MassProperties, String> {
    let parts: Vec<MassProperties> =
        shapes.filter(|shape| shape.material.density != 0.0).map(shape_mass).collect::<Result<_, _>>()?;
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    if mass == 0.0 {
        return Ok(NOTHING);
    }
    let com = parts.iter().map(|part| part.com * part.mass).sum::<DVec3>() / mass;
    let inertia = parts.iter().fold(DMat3::ZERO, |sum, part| sum + part.inertia + steiner(part.mass, part.com - com));
    Ok(MassProperties { mass, com, inertia })
}

/// What a point mass at `arm` adds to the inertia about the origin.
fn steiner(mass: f64, arm: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * mass
}

fn shape_mass(shape: &ShapeDef) -> Result<MassProperties, String> {
    let own = own_mass(&shape.geometry, shape.material.density)?;
    Ok(place(&own, &shape.pose))
}

fn place(own: &MassProperties, pose: &Pose) -> MassProperties {
    let rotation = DMat3::from_quat(pose.rotation);
    MassProperties {
        mass: own.mass,
        com: pose.transform_point(own.com),
        inertia: rotation * own.inertia * rotation.transpose(),
    }
}

fn own_mass(shape: &Shape, density: f64) -> Result<MassProperties, String> {
    use std::f64::consts::PI;
    let (volume, per_mass) = match *shape {
        Shape::Sphere { radius } => (4.0 / 3.0 * PI * radius.powi(3), DVec3::splat(0.4 * radius * radius)),
        Shape::Box { half } => {
            let square = half * half / 3.0;
            (8.0 * half.element_product(), square.yzx() + square.zxy())
        }
        Shape::Capsule { radius: r, half_height: h } => {
            let tube = 2.0 * PI * r * r * h;
            let balls = 4.0 / 3.0 * PI * r.powi(3);
            let volume = tube + balls;
            let about_z = tube * r * r / 2.0 + balls * 0.4 * r * r;
            let across = tube * (r * r / 4.0 + h * h / 3.0) + balls * (0.4 * r * r + h * h + 0.75 * h * r);
            (volume, DVec3::new(across, across, about_z) / volume)
        }
        _ => return Err("has no mass properties yet".into()),
    };
    let mass = density * volume;
    Ok(MassProperties { mass, com: DVec3::ZERO, inertia: DMat3::from_diagonal(per_mass * mass) })
}
