//! Mass, centre of mass and inertia.

use glamx::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// Mass, centre of mass and inertia tensor of a body or a shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the frame the properties were asked for \[m\].
    pub com: DVec3,
    /// Inertia tensor about the centre of mass, in the axes of that frame \[kg·m²\].
    pub inertia: DMat3,
}
