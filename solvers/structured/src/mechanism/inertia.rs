//! The mass matrix, from the inertias of what hangs beyond every joint.

use drystone_model::{DMat3, DVec3, State, Twist};

use super::joint_space::JointSpace;

/// A symmetric matrix over the freedoms of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct MassMatrix {
    size: usize,
    values: Vec<f64>,
}

impl MassMatrix {
    /// Number of freedoms.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The entry of two freedoms \[kg, kg·m or kg·m²\].
    ///
    /// # Panics
    /// If one of them does not exist.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    /// All entries, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The product with a vector over the freedoms.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.size.max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, x)| a * x).sum()).collect()
    }
}

/// Inertia of a group of bodies moving as one, about a common point: total mass, first moment and
/// inertia tensor, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Composite {
    pub(super) mass: f64,
    pub(super) first: DVec3,
    pub(super) inertia: DMat3,
}

impl Composite {
    fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.first += other.first;
        self.inertia += other.inertia;
    }

    /// Linear momentum and angular momentum about the common point of a motion given there.
    pub(super) fn momentum(&self, motion: Twist) -> (DVec3, DVec3) {
        let Twist { linear, angular } = motion;
        (self.mass * linear + angular.cross(self.first), self.inertia * angular + self.first.cross(linear))
    }
}

/// Composites of what hangs from every body, and the columns of all freedoms at the same point.
pub(super) struct Seen {
    /// Of every body in order with all that hangs from it.
    pub(super) beyond: Vec<Composite>,
    /// Motion of the material at the common point per unit of every freedom.
    pub(super) columns: Vec<Twist>,
}

impl JointSpace<'_> {
    /// Centre of mass of all moving bodies \[m\], and their mass \[kg\].
    pub(super) fn centre(&self, state: &State) -> (DVec3, f64) {
        let bodies = self.order.iter().map(|hung| hung.body);
        let (mut first, mut mass) = (DVec3::ZERO, 0.0);
        for body in bodies {
            let own = self.model.body_mass[body as usize];
            first += own * self.model.body_centre(state, body);
            mass += own;
        }
        (first / mass, mass)
    }

    /// The total centre of mass is the common point, so that nothing is lost far from the origin.
    pub(super) fn seen_from_centre(&self, state: &State) -> Seen {
        let (centre, _) = self.centre(state);
        let axes = self.all_axes(state);
        let mut columns = Vec::with_capacity(self.freedoms().len());
        let mut beyond = Vec::with_capacity(self.order.len());
        for (hung, axes) in self.order.iter().zip(&axes) {
            let body = hung.body as usize;
            let arm = self.model.body_centre(state, hung.body) - centre;
            let mass = self.model.body_mass[body];
            let steiner = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer(arm);
            let inertia = self.model.body_inertia_world(state, body) + mass * steiner;
            beyond.push(Composite { mass, first: mass * arm, inertia });
            columns.extend(hung.freedoms().map(|freedom| {
                let Twist { linear, angular } = self.column(state, hung, axes.as_ref(), freedom);
                Twist { linear: linear - angular.cross(arm), angular }
            }));
        }
        for index in (0..self.order.len()).rev() {
            if let Some(from) = self.order[index].from {
                let own = beyond[index];
                beyond[from].add(&own);
            }
        }
        Seen { beyond, columns }
    }

    /// The mass matrix: kinetic energy is half of rates · matrix · rates, rotors of drives included.
    ///
    /// Composite bodies: time proportional to freedoms times depth of the tree, besides the zeros.
    pub fn mass_matrix(&self, state: &State) -> MassMatrix {
        let size = self.freedoms().len();
        let mut matrix = MassMatrix { size, values: vec![0.0; size * size] };
        let Seen { beyond, columns } = self.seen_from_centre(state);
        for (index, hung) in self.order.iter().enumerate() {
            for freedom in hung.freedoms() {
                let (linear, angular) = beyond[index].momentum(columns[freedom]);
                let mut at = Some(index);
                while let Some(place) = at {
                    for other in self.order[place].freedoms() {
                        let Twist { linear: v, angular: w } = columns[other];
                        let value = v.dot(linear) + w.dot(angular);
                        matrix.values[freedom * size + other] = value;
                        matrix.values[other * size + freedom] = value;
                    }
                    at = self.order[place].from;
                }
                if let Some(step) = hung.by {
                    let rotor = self.model.joint_armature[step.joint as usize][self.axis(freedom)];
                    matrix.values[freedom * size + freedom] += rotor;
                }
            }
        }
        matrix
    }
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}
