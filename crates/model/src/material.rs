//! What a surface is made of.

use serde::{Deserialize, Serialize};

/// Surface and bulk properties of a shape. Two touching materials are combined by [`Material::mix`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Material {
    /// Density \[kg/m³\]; mass properties follow from it unless a mass is given.
    pub density: f64,
    /// Coefficient of friction while sticking \[1\].
    pub friction_static: f64,
    /// Coefficient of friction while sliding \[1\].
    pub friction_dynamic: f64,
    /// Ratio of separating to approaching normal speed \[1\].
    pub restitution: f64,
    /// Normal contact stiffness \[N/m\]; infinite means hard.
    pub stiffness: f64,
    /// Normal contact damping while approaching \[N·s/m\].
    pub damping: f64,
    /// Torsional friction about the contact normal, as a radius \[m\].
    pub friction_torsional: f64,
    /// Rolling resistance, as a radius \[m\].
    pub friction_rolling: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            density: 1000.0,
            friction_static: 0.6,
            friction_dynamic: 0.6,
            restitution: 0.0,
            stiffness: f64::INFINITY,
            damping: 0.0,
            friction_torsional: 0.0,
            friction_rolling: 0.0,
        }
    }
}

impl Material {
    /// Sets static and dynamic friction to the same coefficient \[1\].
    pub fn set_friction(&mut self, friction: f64) {
        (self.friction_static, self.friction_dynamic) = (friction, friction);
    }

    /// The properties of a contact between two materials: friction coefficients by geometric mean,
    /// restitution by the larger, stiffnesses in series, damping by the mean, radii by the larger.
    /// Density is meaningless for a contact and set to zero.
    pub fn mix(&self, other: &Self) -> Self {
        let series = |a: f64, b: f64| {
            let (soft, stiff) = (a.min(b), a.max(b));
            if stiff.is_infinite() || soft == 0.0 { soft } else { soft * (stiff / (soft + stiff)) }
        };
        Self {
            density: 0.0,
            friction_static: (self.friction_static * other.friction_static).sqrt(),
            friction_dynamic: (self.friction_dynamic * other.friction_dynamic).sqrt(),
            restitution: self.restitution.max(other.restitution),
            stiffness: series(self.stiffness, other.stiffness),
            damping: 0.5 * (self.damping + other.damping),
            friction_torsional: self.friction_torsional.max(other.friction_torsional),
            friction_rolling: self.friction_rolling.max(other.friction_rolling),
        }
    }
}
