//! Rods and cables: what they are made of and how they lie.

use drystone_kernels::elementary::powi;
use std::f64::consts::PI;

use drystone_geometry::DVec3;

use crate::id::{BodyId, JointId};
use crate::joint::RodStiffness;
use crate::material::Material;

/// What a rod is made of: a solid round cross-section of one isotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodMaterial {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Poisson's ratio ν \[1\]; the shear modulus is E/(2(1 + ν)) unless `shear` is given.
    pub poisson: f64,
    /// Shear modulus G \[Pa\], if not from Poisson's ratio.
    pub shear: Option<f64>,
    /// Ratio of damping to stiffness \[s\]: a strain that alternates over a time much shorter than
    /// this meets mostly damping.
    pub damping: f64,
    /// Density and surface.
    pub surface: Material,
}

impl Default for RodMaterial {
    /// Soft rubber.
    fn default() -> Self {
        Self { young: 1e6, poisson: 0.5, shear: None, damping: 0.0, surface: Material::default() }
    }
}

/// The shape in which a rod carries no load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RodRest {
    /// As it is built.
    #[default]
    AsBuilt,
    /// Straight and untwisted, wherever its points are.
    Straight,
}

/// A rod to be added.
///
/// ```
/// use drystone_model::{DVec3, ModelBuilder, RodDef, RodMaterial};
/// let mut scene = ModelBuilder::new();
/// let points: Vec<DVec3> = (0..=20).map(|i| DVec3::new(0.1 * i as f64, 0.0, 1.0)).collect();
/// let rod = scene.add_rod(RodDef::new(points, 0.01, RodMaterial::default()));
/// assert_eq!((rod.bodies.len(), rod.joints.len()), (20, 19));
/// # scene.finalize()?; Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RodDef {
    /// Prefix of the names of segments and joints.
    pub name: String,
    /// Points along the centre line, world frame \[m\]; one segment between every two.
    pub points: Vec<DVec3>,
    /// Radius \[m\].
    pub radius: f64,
    /// What it is made of.
    pub material: RodMaterial,
    /// Whether the last point is joined to the first.
    pub closed: bool,
    /// Shape without load.
    pub rest: RodRest,
    /// Turn of the cross-section from one end to the other, spread evenly, on top of none \[rad\].
    /// It loads the rod if the rest shape is [`RodRest::Straight`].
    pub twist: f64,
}

impl RodDef {
    /// An open rod whose rest shape is as built.
    pub fn new(points: Vec<DVec3>, radius: f64, material: RodMaterial) -> Self {
        Self { name: String::new(), points, radius, material, closed: false, rest: RodRest::AsBuilt, twist: 0.0 }
    }

    /// Sets the prefix of the names.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Joins the last point to the first.
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Makes the rest shape straight and untwisted.
    pub fn straight_at_rest(mut self) -> Self {
        self.rest = RodRest::Straight;
        self
    }

    /// Turns the cross-section from one end to the other, spread evenly \[rad\].
    pub fn twisted(mut self, twist: f64) -> Self {
        self.twist = twist;
        self
    }
}

/// What a rod became. Segment bodies have their frame at the middle, +Z along the segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rod {
    /// Segments in order; for a graph, one per edge.
    pub bodies: Vec<BodyId>,
    /// Joints in order; for a closed rod the last one closes it.
    pub joints: Vec<JointId>,
}

impl RodMaterial {
    /// Stiffness of a joint that stands for `length` \[m\] of rod of the given radius \[m\]:
    /// EA/L, GA/L, EI/L and GJ/L.
    pub fn stiffness(&self, radius: f64, length: f64) -> RodStiffness {
        let shear = self.shear.unwrap_or(self.young / (2.0 * (1.0 + self.poisson)));
        let area = PI * powi(radius, 2);
        let second_moment = PI * powi(radius, 4) / 4.0;
        let (stretch, bend) = (self.young * area / length, self.young * second_moment / length);
        RodStiffness {
            stretch,
            shear: shear * area / length,
            bend,
            twist: shear * 2.0 * second_moment / length,
            damping_linear: self.damping * stretch,
            damping_angular: self.damping * bend,
        }
    }

    pub(super) fn fault(&self) -> Option<&'static str> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        if !positive(self.young) || !self.shear.is_none_or(positive) {
            return Some("a modulus is not a positive number");
        }
        if !(self.poisson > -1.0 && self.poisson <= 0.5) {
            return Some("Poisson's ratio is not above -1 and at most 0.5");
        }
        let sound = positive(self.surface.density) && self.damping.is_finite() && self.damping >= 0.0;
        (!sound).then_some("density must be positive and damping not negative")
    }
}
