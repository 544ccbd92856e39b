//! Folds of sheets: by a quadratic form where the sheet is flat at rest, by the angle where it is not.

use drystone_geometry::{DMat3, DVec3};
use drystone_kernels::double::elements::bending::{FlatFold, Fold as Present, turned};
use drystone_model::{Model, WORLD};

use super::{Element, here};
use crate::convert::{outer, to_dvec3, vec3};
use crate::mesh::Mesh;

/// Rest angles up to this are flat \[rad\].
const FLAT: f64 = 1e-9;

/// Two triangles that share an edge: opposite corners, then the ends of the edge.
#[derive(Clone, Debug)]
pub struct Fold {
    corners: [u32; 4],
    /// Torque per angle \[N·m\], and per rate of angle \[N·m·s\].
    stiffness: f64,
    damping: f64,
    form: Form,
    /// Angle, or bend vector, at the start of the step.
    before: DVec3,
    force: [DVec3; 4],
    slope: f64,
    slopes: [DVec3; 4],
}

#[derive(Clone, Debug)]
enum Form {
    /// Weights of the corners: what they sum up to is the bend.
    Flat([f64; 4]),
    /// The angle at rest \[rad\].
    Angle(f64),
}

/// Folds of a model that resist.
pub fn all(model: &Model, mesh: &Mesh) -> Vec<Fold> {
    let bends = |edge: &usize| model.edge_material[*edge] != [0.0; 2] && model.edge_particle[*edge][1] != WORLD;
    (0..model.edge_particle.len()).filter(bends).map(|edge| fold(model, mesh, edge)).collect()
}

fn fold(model: &Model, mesh: &Mesh, edge: usize) -> Fold {
    let [stiffness, damping] = model.edge_material[edge].map(|per_length| per_length * model.edge_length[edge]);
    let [p, q, a, b] = model.edge_particle[edge].map(|particle| vec3(model.particle_q[particle as usize]));
    let rest = model.edge_angle[edge];
    let form = if rest.abs() <= FLAT {
        let weights = FlatFold::new(p, q, a, b);
        Form::Flat([weights.p, weights.q, weights.a, weights.b])
    } else {
        Form::Angle(rest)
    };
    Fold {
        corners: here(mesh, model.edge_particle[edge]),
        stiffness,
        damping,
        form,
        before: DVec3::ZERO,
        force: [DVec3::ZERO; 4],
        slope: 0.0,
        slopes: [DVec3::ZERO; 4],
    }
}

impl Fold {
    fn bend(&self, weights: &[f64; 4], x: &[DVec3]) -> DVec3 {
        self.corners.iter().zip(weights).map(|(&corner, &weight)| weight * x[corner as usize]).sum()
    }

    fn at(&self, x: &[DVec3]) -> Present {
        let [p, q, a, b] = self.corners.map(|corner| vec3(x[corner as usize]));
        Present::new(p, q, a, b)
    }
}

impl Fold {
    /// Squares of the bend, and of its change since the start of the step.
    fn bent_and_moved(&self, x: &[DVec3]) -> [f64; 2] {
        match &self.form {
            Form::Flat(weights) => {
                let bend = self.bend(weights, x);
                [bend.length_squared(), bend.distance_squared(self.before)]
            }
            Form::Angle(rest) => {
                let angle = self.at(x).angle;
                [*rest, self.before.x].map(|from| turned(from, angle)).map(|turn| turn * turn)
            }
        }
    }
}

impl Element for Fold {
    fn corners(&self) -> &[u32] {
        &self.corners
    }

    fn begin(&mut self, x: &[DVec3]) {
        self.before = match &self.form {
            Form::Flat(weights) => self.bend(weights, x),
            Form::Angle(_) => DVec3::new(self.at(x).angle, 0.0, 0.0),
        };
    }

    fn evaluate(&mut self, x: &[DVec3], h: f64) {
        let viscous = self.damping / h;
        self.slope = self.stiffness + viscous;
        match &self.form {
            Form::Flat(weights) => {
                let bend = self.bend(weights, x);
                let pull = -(self.stiffness * bend + viscous * (bend - self.before));
                self.force = weights.map(|weight| weight * pull);
            }
            Form::Angle(rest) => {
                let now = self.at(x);
                let torque = self.stiffness * turned(*rest, now.angle) + viscous * turned(self.before.x, now.angle);
                self.slopes = [now.p, now.q, now.a, now.b].map(to_dvec3);
                self.force = self.slopes.map(|slope| -torque * slope);
            }
        }
    }

    fn force(&self, corner: usize) -> DVec3 {
        self.force[corner]
    }

    fn block(&self, a: usize, b: usize) -> DMat3 {
        match &self.form {
            Form::Flat(weights) => DMat3::from_diagonal(DVec3::splat(self.slope * weights[a] * weights[b])),
            Form::Angle(_) => outer(self.slopes[a], self.slopes[b], self.slope),
        }
    }

    fn stored(&self, x: &[DVec3]) -> f64 {
        0.5 * self.stiffness * self.bent_and_moved(x)[0]
    }

    fn energy(&self, x: &[DVec3], h: f64) -> f64 {
        let [bent, moved] = self.bent_and_moved(x);
        0.5 * (self.stiffness * bent + self.damping / h * moved)
    }
}
