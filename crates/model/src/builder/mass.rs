//! The mass of a body from the shapes it wears.

use drystone_geometry::{DMat3, DVec3, MassProperties, Pose};

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
    let own = shape.geometry.mass_properties(shape.material.density).map_err(|error| error.to_string())?;
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
