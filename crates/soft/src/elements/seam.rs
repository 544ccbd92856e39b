//! Seams: two particles that are to be in one place.

use drystone_geometry::{DMat3, DVec3};
use drystone_model::{Model, WORLD};

use super::{Element, RELAXATION, here};
use crate::mesh::Mesh;

/// Share of the way that a seam is open at the start of a step that is taken back in it.
const DRAWN: f64 = 0.5;
/// Most of it that is taken back, as a share of the distance to the neighbours: wide seams close gently.
const GENTLE: f64 = 0.25;

/// Two particles sewn together.
#[derive(Clone, Debug)]
pub struct Seam {
    corners: [u32; 2],
    /// Mean distance at rest of its particles from their neighbours \[m\].
    pub edge: f64,
    /// Force kept from step to step, on the second particle \[N\].
    pub multiplier: DVec3,
    /// Penalty \[N/m\].
    pub penalty: f64,
    /// How far it may be open when the step ends, from the second particle to the first \[m\].
    left: DVec3,
    /// Force in the state worked out \[N\].
    pull: DVec3,
}

/// Seams of a model.
pub fn all(model: &Model, mesh: &Mesh) -> Vec<Seam> {
    let ends = model.attachment_particle.iter().zip(&model.attachment_other).filter(|(_, other)| **other != WORLD);
    let seam = |(&one, &other): (&u32, &u32)| {
        let corners = here(mesh, [one, other]);
        Seam {
            corners,
            edge: mean_edge(mesh, corners),
            multiplier: DVec3::ZERO,
            penalty: 0.0,
            left: DVec3::ZERO,
            pull: DVec3::ZERO,
        }
    };
    ends.map(seam).collect()
}

/// Mean distance of two particles from their neighbours, each other aside; their own if they have no others.
fn mean_edge(mesh: &Mesh, [one, other]: [u32; 2]) -> f64 {
    let length = |a: u32, b: u32| mesh.rest[a as usize].distance(mesh.rest[b as usize]);
    let of = |node: u32, beside: u32| {
        mesh.edges[node as usize].iter().filter(move |&&near| near != beside).map(move |&near| length(node, near))
    };
    let lengths: Vec<f64> = of(one, other).chain(of(other, one)).filter(|&length| length > 0.0).collect();
    if lengths.is_empty() { length(one, other) } else { lengths.iter().sum::<f64>() / lengths.len() as f64 }
}

impl Seam {
    fn gap(&self, x: &[DVec3]) -> DVec3 {
        let [one, other] = self.corners.map(|corner| x[corner as usize]);
        one - other - self.left
    }

    /// Moves the multiplier toward the force.
    pub fn update_multiplier(&mut self) {
        self.multiplier += RELAXATION * (self.pull - self.multiplier);
    }
}

impl Element for Seam {
    fn corners(&self) -> &[u32] {
        &self.corners
    }

    fn begin(&mut self, x: &[DVec3]) {
        self.left = DVec3::ZERO;
        let open = self.gap(x);
        let width = open.length();
        if width > 0.0 {
            self.left = (1.0 - DRAWN.min(GENTLE * self.edge / width)) * open;
        }
    }

    fn evaluate(&mut self, x: &[DVec3], _h: f64) {
        self.pull = self.multiplier + self.penalty * self.gap(x);
    }

    fn force(&self, corner: usize) -> DVec3 {
        if corner == 0 { -self.pull } else { self.pull }
    }

    fn block(&self, a: usize, b: usize) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(if a == b { self.penalty } else { -self.penalty }))
    }

    fn stored(&self, _x: &[DVec3]) -> f64 {
        0.0
    }

    fn energy(&self, x: &[DVec3], _h: f64) -> f64 {
        let gap = self.gap(x);
        self.multiplier.dot(gap) + 0.5 * self.penalty * gap.length_squared()
    }
}
