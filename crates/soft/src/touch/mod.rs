//! Contacts of particles: points of the mesh that keep to one side of a plane, which a body or other particles carry; and bonds, which
//! hold a point where a body is.
//!
//! A point is a weighted sum of at most four particles. Against a body the weights sum to one; against other particles those of the
//! other side are negative. The force follows the law of the rigid contacts: a multiplier kept from step to step and a penalty beside
//! it, and Coulomb's cone.

mod firmness;
mod rows;

use drystone_geometry::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::convert::outer;
pub use firmness::{Piece, Scale};
pub use rows::Touches;

/// Share of the way that a bond is open at the start of a step that is taken back in it.
const DRAWN: f64 = 0.5;
/// Part of the change of its force that the multiplier of a bond follows, as with elements.
const GAIN: f64 = 0.6;

/// What a point touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Slot of the body, or none: other particles.
    pub body: Option<u32>,
    /// From the body's centre of mass to the point at the start of the step \[m\].
    pub lever: DVec3,
    /// How far the body carries its side in this step \[m\].
    pub carried: DVec3,
    /// How far a conveyor belt carries its surface beyond that \[m\].
    pub belt: DVec3,
}

/// What makes a bond of a contact: the point is held from all sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// From where it is held to the point, at the start of the step \[m\].
    pub offset: DVec3,
    /// How far the body carries its side beyond what its displacement says to first order: where its turn leads \[m\]. Of the last
    /// sweep; in the next one it stays.
    pub bend: DVec3,
    /// Most of the offset that is taken back in a step if the bond is hard \[m\].
    pub most: f64,
}

impl Bond {
    /// Offset that the law sees if nothing moves \[m\].
    fn open(&self, hard: bool) -> DVec3 {
        let share = if hard { DRAWN.min(self.most / self.offset.length()) } else { 1.0 };
        // Nothing open: the share is not a number.
        if share.is_nan() { -self.bend } else { share * self.offset - self.bend }
    }
}

/// A contact.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// What it is known by from step to step: kind, then particles and shape by the model's index.
    pub key: [u32; 5],
    /// Particles by the mesh's index, and their weights; unused ones have none.
    pub particle: [u32; 4],
    /// See `particle`.
    pub weight: [f64; 4],
    /// What it touches.
    pub ground: Ground,
    /// Holds the point from all sides; the normal and friction do not count then, and the multiplier is all in `tangent`.
    pub bond: Option<Bond>,
    /// Away from what is touched.
    pub normal: DVec3,
    /// Gap at the start of the step, from the plane \[m\].
    pub gap: f64,
    /// Overlap at the start of the step \[m\]: how much of it is taken back is another matter than where the plane is.
    pub overlap: f64,
    /// Coefficients of friction while sticking and while sliding.
    pub friction: [f64; 2],
    /// \[N/m\]; infinite means hard.
    pub stiffness: f64,
    /// Damping over the length of the step \[N/m\]: acts while a contact of finite stiffness closes.
    pub viscous: f64,
    /// Penalty \[N/m\].
    pub penalty: f64,
    /// Force kept from step to step \[N\]: along the normal, and across.
    pub multiplier: f64,
    /// See `multiplier`.
    pub tangent: DVec3,
    /// Whether it stuck when last looked at.
    pub stuck: bool,
    /// Share of the overlap that is taken back in the step.
    recovered: f64,
    /// Whether it touches a body that does not move by forces.
    pub(crate) fixed: bool,
    /// Weighted place at the start of the step \[m\].
    start: DVec3,
    /// Force on the point where the particles were last \[N\], and how it grows against it \[N/m\].
    force: DVec3,
    slope: [f64; 2],
    cone: f64,
    /// Whether it closed when last looked at.
    closing: bool,
}

/// What is kept of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchMemory {
    /// See [`Touch::key`].
    pub key: [u32; 5],
    /// Force along the normal \[N\].
    pub normal: f64,
    /// Force across it \[N\].
    pub tangent: [f64; 3],
    /// Whether it stuck.
    pub stuck: bool,
}

impl Touch {
    /// A contact of one particle with a body.
    pub fn with_body(particle: u32, ground: Ground, normal: DVec3, gap: f64) -> Self {
        Self::new([particle, 0, 0, 0], [1.0, 0.0, 0.0, 0.0], ground, normal, gap)
    }

    /// A contact of a weighted point.
    pub fn new(particle: [u32; 4], weight: [f64; 4], ground: Ground, normal: DVec3, gap: f64) -> Self {
        Self {
            key: [0; 5],
            particle,
            weight,
            ground,
            bond: None,
            normal,
            gap,
            overlap: (-gap).max(0.0),
            friction: [0.0; 2],
            stiffness: f64::INFINITY,
            viscous: 0.0,
            closing: false,
            penalty: 0.0,
            multiplier: 0.0,
            tangent: DVec3::ZERO,
            stuck: true,
            recovered: 0.0,
            fixed: false,
            start: DVec3::ZERO,
            force: DVec3::ZERO,
            slope: [0.0; 2],
            cone: 0.0,
        }
    }

    /// Holds a particle at a body.
    pub fn bound(particle: u32, ground: Ground, bond: Bond, stiffness: f64) -> Self {
        Self { bond: Some(bond), stiffness, ..Self::with_body(particle, ground, DVec3::Z, 0.0) }
    }

    /// Weight of a corner, if the contact is one with other particles.
    fn tied_weight(&self, corner: u8) -> f64 {
        if self.ground.body.is_none() { self.weight[usize::from(corner)].abs() } else { 0.0 }
    }

    /// Particles that have a weight.
    pub fn corners(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.particle.into_iter().zip(self.weight).filter(|&(_, weight)| weight != 0.0)
    }

    /// Force on the point \[N\]; what is touched feels the opposite.
    pub fn force(&self) -> DVec3 {
        self.force
    }

    /// How the force grows against a motion of the point \[N/m\].
    pub fn stiffness_block(&self) -> DMat3 {
        let [along, across] = self.slope;
        DMat3::from_diagonal(DVec3::splat(across)) + outer(self.normal, self.normal, along - across)
    }

    /// Motion of the point against what it touches since the start of the step \[m\].
    fn moved(&self, x: &[DVec3]) -> DVec3 {
        let now: DVec3 = self.corners().map(|(particle, weight)| weight * x[particle as usize]).sum();
        now - self.start - self.ground.carried
    }

    /// Gap that the law sees \[m\]: of an overlap, the part that is taken back.
    fn gap_after(&self, moved: DVec3) -> f64 {
        let left = if self.stiffness.is_infinite() { (1.0 - self.recovered) * self.overlap } else { 0.0 };
        self.gap + left + self.normal.dot(moved)
    }

    /// Force along the normal before it is cut at zero \[N\], and how it grows \[N/m\].
    fn normal_force(&self, moved: DVec3) -> (f64, f64) {
        let (elastic, slope) = self.elastic_force(moved);
        if !self.closing {
            return (elastic, slope);
        }
        (elastic - self.viscous * self.normal.dot(moved), slope + self.viscous)
    }

    /// The same without damping.
    fn elastic_force(&self, moved: DVec3) -> (f64, f64) {
        let share = self.share();
        let slope = share * self.penalty;
        (share * self.multiplier - slope * self.gap_after(moved), slope)
    }

    /// Part of the penalty that is felt: it acts in series with the stiffness.
    fn share(&self) -> f64 {
        if self.stiffness.is_finite() { self.stiffness / (self.stiffness + self.penalty) } else { 1.0 }
    }

    /// Force of a bond \[N\], and how it grows \[N/m\].
    fn bond_force(&self, bond: &Bond, moved: DVec3) -> (DVec3, f64) {
        let share = self.share();
        let slope = share * self.penalty;
        (share * self.tangent - slope * (bond.open(self.stiffness.is_infinite()) + moved), slope)
    }

    /// Friction before it is cut at the cone \[N\].
    fn friction_wanted(&self, moved: DVec3) -> DVec3 {
        let slip = moved - self.ground.belt;
        self.tangent - self.penalty * (slip - self.normal * self.normal.dot(slip))
    }

    fn linearise(&mut self, x: &[DVec3]) {
        let moved = self.moved(x);
        if let Some(bond) = &self.bond {
            let (force, slope) = self.bond_force(bond, moved);
            (self.force, self.slope) = (force, [slope; 2]);
            return;
        }
        if self.viscous > 0.0 {
            self.closing = self.elastic_force(moved).0 > 0.0 && self.normal.dot(moved) < 0.0;
        }
        let (normal, slope) = self.normal_force(moved);
        if normal <= 0.0 {
            (self.force, self.slope, self.cone) = (DVec3::ZERO, [0.0; 2], 0.0);
            self.stuck = true;
            return;
        }
        let wanted = self.friction_wanted(moved);
        let [held, sliding] = self.friction;
        let size = wanted.length();
        self.cone = normal * if self.stuck { held } else { sliding };
        self.stuck = size <= self.cone;
        if !self.stuck {
            self.cone = normal * sliding;
        }
        let share = if size > self.cone { self.cone / size } else { 1.0 };
        self.slope = [slope, share * self.penalty];
        self.force = normal * self.normal + share * wanted;
    }

    fn energy(&self, x: &[DVec3]) -> f64 {
        let moved = self.moved(x);
        if let Some(bond) = &self.bond {
            let (force, slope) = self.bond_force(bond, moved);
            return 0.5 * force.length_squared() / slope;
        }
        let (normal, slope) = self.normal_force(moved);
        let pressed = if normal > 0.0 { 0.5 * normal * normal / slope } else { 0.0 };
        let size = self.friction_wanted(moved).length();
        let rubbed = if size <= self.cone { 0.5 * size * size } else { self.cone * (size - 0.5 * self.cone) };
        pressed + if self.cone > 0.0 { rubbed / self.penalty } else { 0.0 }
    }

    /// Work done while parting, by no more than `most` \[J\].
    fn parting(&self, x: &[DVec3], most: f64) -> f64 {
        self.normal.dot(self.force).max(0.0) * self.normal.dot(self.moved(x)).clamp(0.0, most)
    }

    fn update_multiplier(&mut self, x: &[DVec3]) {
        if self.bond.is_some() {
            self.tangent += GAIN * (self.force - self.tangent);
            return;
        }
        // Damping has no memory.
        let damped = if self.closing { -self.viscous * self.normal.dot(self.moved(x)) } else { 0.0 };
        self.multiplier = (self.normal.dot(self.force) - damped).max(0.0);
        self.tangent = self.force - self.normal * self.normal.dot(self.force);
    }
}
