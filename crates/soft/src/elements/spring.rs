//! Springs.

use drystone_geometry::{DMat3, DVec3};
use drystone_kernels::double::elements::spring::Spring as Present;
use drystone_model::Model;

use super::{Element, Hardness, RELAXATION, here};
use crate::convert::{symmetric, to_dvec3, vec3};
use crate::mesh::Mesh;

/// A spring between two particles.
#[derive(Clone, Debug)]
pub struct Spring {
    corners: [u32; 2],
    rest: f64,
    /// \[N/m\].
    pub stiffness: f64,
    /// \[N·s/m\].
    damping: f64,
    /// Force kept from step to step \[N\].
    pub multiplier: f64,
    pub hardness: Hardness,
    /// Length at the start of the step \[m\].
    before: f64,
    present: Present,
    /// Force along the spring \[N\], and how it grows \[N/m\].
    tension: f64,
    slope: f64,
    /// What makes it firm across \[N\].
    pull: f64,
    elastic: f64,
}

/// Springs of a model.
pub fn all(model: &Model, mesh: &Mesh) -> Vec<Spring> {
    let spring = |index: usize| Spring {
        corners: here(mesh, model.spring_particle[index]),
        rest: model.spring_length[index],
        stiffness: model.spring_stiffness[index],
        damping: model.spring_damping[index],
        multiplier: 0.0,
        hardness: Hardness::WHOLE,
        before: 0.0,
        present: Present::default(),
        tension: 0.0,
        slope: 0.0,
        pull: 0.0,
        elastic: 0.0,
    };
    (0..model.spring_particle.len()).map(spring).collect()
}

impl Spring {
    fn at(&self, x: &[DVec3]) -> Present {
        let [a, b] = self.corners.map(|corner| vec3(x[corner as usize]));
        Present::new(a, b, self.rest)
    }

    /// Rest length \[m\].
    pub fn rest(&self) -> f64 {
        self.rest
    }

    /// Stretch by rest length; none of a spring without length.
    pub fn stretch(&self) -> f64 {
        if self.rest > 0.0 { self.present.stretch / self.rest } else { 0.0 }
    }

    /// Moves the multiplier toward the elastic force.
    pub fn update_multiplier(&mut self) {
        self.multiplier += RELAXATION * (self.elastic - self.multiplier);
    }
}

impl Element for Spring {
    fn corners(&self) -> &[u32] {
        &self.corners
    }

    fn begin(&mut self, x: &[DVec3]) {
        self.before = self.at(x).length;
    }

    fn evaluate(&mut self, x: &[DVec3], h: f64) {
        let present = self.at(x);
        let stiffness = self.hardness.stiffness * self.stiffness;
        let viscous = self.damping / h;
        self.elastic = self.hardness.multiplier * self.multiplier + stiffness * present.stretch;
        self.tension = self.elastic + viscous * (present.length - self.before);
        self.slope = stiffness + viscous;
        // Where a multiplier carries the load, its pull says how firm the spring is sideways: the present one swings with the sweeps.
        self.pull = if self.hardness.multiplier > 0.0 { self.multiplier } else { self.tension };
        self.present = present;
    }

    fn evaluate_alone(&mut self, x: &[DVec3], h: f64) {
        self.evaluate(x, h);
        self.pull = self.tension;
    }

    fn force(&self, corner: usize) -> DVec3 {
        to_dvec3(self.present.force(if corner == 0 { self.tension } else { -self.tension }))
    }

    fn block(&self, a: usize, b: usize) -> DMat3 {
        let block = symmetric(self.present.block(self.slope, self.pull));
        if a == b { block } else { -block }
    }

    fn stored(&self, x: &[DVec3]) -> f64 {
        let stretch = self.at(x).stretch;
        0.5 * self.stiffness * stretch * stretch
    }

    fn energy(&self, x: &[DVec3], h: f64) -> f64 {
        let present = self.at(x);
        let stretch = present.stretch;
        let moved = present.length - self.before;
        self.hardness.multiplier * self.multiplier * stretch
            + 0.5 * self.hardness.stiffness * self.stiffness * stretch * stretch
            + 0.5 * self.damping / h * moved * moved
    }
}
