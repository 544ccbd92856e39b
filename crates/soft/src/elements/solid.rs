//! Tetrahedra.

use drystone_geometry::{DMat3, DVec3};
use drystone_kernels::double::elements::tetrahedron::Tetrahedron;
use drystone_kernels::double::math::Vec3;
use drystone_kernels::elementary;
use drystone_model::Model;

use super::{Element, here};
use crate::convert::{mat3, to_dvec3, vec3};
use crate::mesh::Mesh;

/// A tetrahedron of rubber.
#[derive(Clone, Debug)]
pub struct Solid {
    corners: [u32; 4],
    weight: [Vec3; 4],
    volume: f64,
    mu: f64,
    lambda: f64,
    /// \[Pa·s\].
    damping: f64,
    before: Tetrahedron,
    present: Tetrahedron,
    /// Damping over the time step \[Pa\].
    viscous: f64,
}

/// Tetrahedra of a model.
pub fn all(model: &Model, mesh: &Mesh) -> Vec<Solid> {
    let solid = |index: usize| {
        let rest = model.tet_rest[index];
        let [mu, lambda, damping] = model.tet_material[index];
        let [b, c, d] = [rest.row(0), rest.row(1), rest.row(2)];
        Solid {
            corners: here(mesh, model.tet_particle[index]),
            weight: [-(b + c + d), b, c, d].map(vec3),
            volume: 1.0 / (6.0 * rest.determinant()),
            mu,
            lambda,
            damping,
            before: Tetrahedron::default(),
            present: Tetrahedron::default(),
            viscous: 0.0,
        }
    };
    (0..model.tet_particle.len()).map(solid).collect()
}

impl Solid {
    fn at(&self, x: &[DVec3]) -> Tetrahedron {
        let [a, b, c, d] = self.corners.map(|corner| x[corner as usize]);
        let edges = [b - a, c - a, d - a].map(vec3);
        let column = |axis: fn(Vec3) -> f64| {
            let weighted = |edge: usize| edges[edge].scale(axis(self.weight[edge + 1]));
            weighted(0).add(weighted(1)).add(weighted(2))
        };
        Tetrahedron::new(column(|w| w.x), column(|w| w.y), column(|w| w.z), self.mu, self.lambda)
    }

    /// Stretch along the direction that is longest: the root of the largest eigenvalue of `FᵀF`, in closed form.
    pub fn stretch(&self) -> f64 {
        let Tetrahedron { f0, f1, f2, volume, .. } = self.present;
        let [a, b, c] = [f0, f1, f2].map(Vec3::length_squared);
        let mean = (a + b + c) / 3.0;
        let (s01, s02, s12) = (f0.dot(f1), f0.dot(f2), f1.dot(f2));
        let (a, b, c) = (a - mean, b - mean, c - mean);
        let spread = ((a * a + b * b + c * c + 2.0 * (s01 * s01 + s02 * s02 + s12 * s12)) / 6.0).sqrt();
        // The determinant of what is left of a multiple of one, by that of the whole: the sum of its diagonal is zero.
        let squares = 0.5 * (a * a + b * b + c * c) + s01 * s01 + s02 * s02 + s12 * s12;
        let left = volume * volume - mean * mean * mean + mean * squares;
        let turn = if spread > 0.0 { (0.5 * left / (spread * spread * spread)).clamp(-1.0, 1.0) } else { 0.0 };
        let angle = elementary::atan2((1.0 - turn * turn).sqrt(), turn) / 3.0;
        (mean + 2.0 * spread * elementary::cos(angle)).sqrt() - 1.0
    }

    /// Whether it is inside out.
    pub fn is_inverted(&self) -> bool {
        self.present.volume < 0.0
    }
}

impl Element for Solid {
    fn corners(&self) -> &[u32] {
        &self.corners
    }

    fn begin(&mut self, x: &[DVec3]) {
        self.before = self.at(x);
    }

    fn evaluate(&mut self, x: &[DVec3], h: f64) {
        self.present = self.at(x);
        self.viscous = self.damping / h;
    }

    fn force(&self, corner: usize) -> DVec3 {
        let b = self.weight[corner];
        let mut force = self.present.force(b);
        if self.viscous > 0.0 {
            force = force.add_scaled(self.present.strained_since(self.before, b), -self.viscous);
        }
        self.volume * to_dvec3(force)
    }

    fn block(&self, a: usize, b: usize) -> DMat3 {
        let (a, b) = (self.weight[a], self.weight[b]);
        let mut block = self.present.block(a, b);
        if self.viscous > 0.0 {
            block = block.add(self.present.viscous_block(a, b).scale(self.viscous));
        }
        mat3(block) * self.volume
    }

    fn stored(&self, x: &[DVec3]) -> f64 {
        self.volume * self.at(x).energy()
    }

    fn energy(&self, x: &[DVec3], h: f64) -> f64 {
        let now = self.at(x);
        let mut energy = now.energy();
        if self.damping > 0.0 {
            energy += 0.5 * self.damping / h * strain_since(now, self.before);
        }
        self.volume * energy
    }
}

/// `|½ (FᵀF − F₀ᵀF₀)|²`.
fn strain_since(now: Tetrahedron, before: Tetrahedron) -> f64 {
    let columns = |s: Tetrahedron| [s.f0, s.f1, s.f2];
    let (now, before) = (columns(now), columns(before));
    let entry = |i: usize, j: usize| 0.5 * (now[i].dot(now[j]) - before[i].dot(before[j]));
    (0..9).map(|at| entry(at / 3, at % 3)).map(|e| e * e).sum()
}
