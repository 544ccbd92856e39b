//! The mass of a body from the shapes it wears.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_geometry::{DMat3, DVec3, MassProperties, Shape, ShapeError};

use super::bodies::{BodyDef, MassSource};
use super::shapes::ShapeDef;
use crate::model::BodyKind;

/// Stands in for the mass of a body whose shapes have none, so that one fault is not reported twice.
pub(super) const PLACEHOLDER: MassProperties = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia: DMat3::IDENTITY };

/// Weighs shapes; integrates over a mesh or hull that many bodies share only once.
#[derive(Default)]
pub(super) struct Scales {
    of_unit_density: BTreeMap<usize, MassProperties>,
}

impl Scales {
    /// Mass, centre and inertia of a body, or why one of its shapes has none.
    pub(super) fn body<'a>(
        &mut self,
        body: &BodyDef,
        shapes: impl Iterator<Item = &'a ShapeDef>,
    ) -> Result<MassProperties, ShapeError> {
        match (body.mass, body.kind) {
            (MassSource::Given(mass), _) => Ok(mass),
            (MassSource::Density, BodyKind::Dynamic) => self.sum(shapes),
            (MassSource::Density, _) => Ok(MassProperties::ZERO),
            (MassSource::Total(total), _) => {
                let sum = self.sum(shapes)?;
                Ok(if sum.mass > 0.0 { sum.scaled_to_mass(total) } else { MassProperties { mass: total, ..sum } })
            }
        }
    }

    fn sum<'a>(&mut self, shapes: impl Iterator<Item = &'a ShapeDef>) -> Result<MassProperties, ShapeError> {
        shapes
            .filter(|shape| shape.material.density != 0.0 && !shape.sensor)
            .map(|shape| Ok(self.shape(&shape.geometry, shape.material.density)?.transformed(&shape.pose)))
            .sum()
    }

    fn shape(&mut self, shape: &Shape, density: f64) -> Result<MassProperties, ShapeError> {
        let address = match shape {
            Shape::Mesh(mesh) => Arc::as_ptr(mesh).addr(),
            Shape::Hull(hull) => Arc::as_ptr(hull).addr(),
            _ => {
                shape.validate()?;
                return shape.mass_properties(density);
            }
        };
        let known = self.of_unit_density.get(&address).copied();
        let unit = known.map_or_else(|| shape.mass_properties(1.0), Ok)?;
        self.of_unit_density.insert(address, unit);
        Ok(unit.scaled_to_mass(unit.mass * density))
    }
}
