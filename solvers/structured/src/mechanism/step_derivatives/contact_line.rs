//! The equations of the contact forces, differentiated. They are found before the joints are closed at the end of the step:
//! rows of joints and contacts are straight here, and all belong to the start.

use super::super::error::{ContactEdge, MechanismError};
use super::super::matrix::{Elimination, Matrix};
use super::linear::{Change, Linear, rate};
use super::touching::{Sliding, Touch, Touching, refusal};
use drystone_solve::linalg::matrix::{Vec6, add_scaled, dot};

/// Motion by forces that are not determined, relative to that by one of them alone, which counts as none.
const NO_MOTION: f64 = 1.0e-7;

/// A row of a joint or a contact.
struct Row {
    /// Places of its bodies among those that move.
    place: [Option<usize>; 2],
    jacobian: [Vec6<f64>; 2],
    compliance: f64,
}

/// The rows of joints, then those of the contacts, for the velocities before joints are closed.
pub(super) struct ContactLine<'s> {
    touching: &'s Touching,
    row: Vec<Row>,
    /// First row of every contact.
    start: Vec<usize>,
    /// Motion along the two tangents of every contact by a unit of friction \[1/kg\].
    weight: Vec<f64>,
    elimination: Elimination,
}

impl<'s> ContactLine<'s> {
    pub(super) fn new(linear: &Linear<'s, '_>, touching: &'s Touching) -> Result<Self, MechanismError> {
        let mut row = Vec::new();
        for joint in &linear.joints {
            row.extend((0..joint.before.count).map(|k| Row {
                place: joint.place,
                jacobian: joint.before.jacobian[k],
                compliance: joint.before.compliance[k],
            }));
        }
        let mut start = Vec::new();
        for touch in &touching.touch {
            start.push(row.len());
            let place = touch.body.map(|body| linear.place_of(body));
            row.extend(touch.row.iter().map(|row| Row { place, jacobian: row.jacobian, compliance: row.compliance }));
        }
        let mut matrix = gram(linear, &row);
        let mut weight = Vec::new();
        for (touch, &first) in touching.touch.iter().zip(&start) {
            let own = if touch.sliding.is_some() { matrix.get(first + 1, first + 1) } else { 0.0 };
            weight.push(own);
            if let Some(sliding) = &touch.sliding {
                slide(&mut matrix, sliding, first, own);
            }
        }
        let own = Self { touching, row, start, weight, elimination: Elimination::new(matrix) };
        own.check(linear)?;
        Ok(own)
    }

    /// Refuses forces that the equations leave open and that move bodies: where contacts slide, how they share a load
    /// decides the friction.
    fn check(&self, linear: &Linear) -> Result<(), MechanismError> {
        for open in self.elimination.open_directions() {
            let motion = self.motion(linear, &open);
            let moves = self.row.iter().map(|row| along(row, &motion).abs()).fold(0.0, f64::max);
            let single = self.row.iter().zip(&open).map(|(row, x)| x.abs() * self.own_weight(linear, row));
            if moves > NO_MOTION * single.fold(0.0, f64::max) {
                let touch = self.touching.touch.iter().find(|touch| touch.sliding.is_some());
                let bodies = touch.map_or([0; 2], |touch| touch.body);
                return Err(refusal(linear.step.model, bodies, ContactEdge::Undetermined));
            }
        }
        Ok(())
    }

    fn own_weight(&self, linear: &Linear, row: &Row) -> f64 {
        let of = |side: usize| {
            row.place[side].map_or(0.0, |at| dot(&row.jacobian[side], &linear.body(at, 0).respond(&row.jacobian[side])))
        };
        of(0) + of(1)
    }

    /// What multipliers make the bodies do.
    fn motion(&self, linear: &Linear, lambda: &[f64]) -> Vec<Vec6<f64>> {
        let mut impulse = vec![[0.0; 6]; linear.bodies.len()];
        self.row.iter().zip(lambda).for_each(|(row, lambda)| push(row, *lambda, &mut impulse));
        impulse.iter().enumerate().map(|(at, impulse)| linear.body(at, 0).respond(impulse)).collect()
    }

    /// Change of the impulses of the contacts on the bodies, Jᵀ λ.
    pub(super) fn respond(&self, linear: &Linear, change: &Change) -> Vec<Vec6<f64>> {
        let Touching { velocity, joint: lambda, touch } = self.touching;
        let mut by_contacts = vec![[0.0; 6]; linear.bodies.len()];
        touch.iter().for_each(|touch| turned_pushes(linear, touch, change, &mut by_contacts));
        let mut impulse = linear.pushed(change, velocity, |joint| lambda[joint.joint]);
        impulse.iter_mut().zip(&by_contacts).for_each(|(sum, by)| add_scaled(sum, 1.0, by));
        let motion: Vec<Vec6<f64>> =
            impulse.iter().enumerate().map(|(at, impulse)| linear.body(at, 0).respond(impulse)).collect();
        let mut right = self.joint_targets(linear, change, &motion);
        for ((touch, &first), &weight) in touch.iter().zip(&self.start).zip(&self.weight) {
            let mut wanted = contact_targets(linear, touch, change, velocity);
            for (k, wanted) in wanted.iter_mut().enumerate() {
                *wanted -= along(&self.row[first + k], &motion);
            }
            if let Some(sliding) = &touch.sliding {
                let across = sliding.across([wanted[1], wanted[2]]);
                (0..2).for_each(|k| wanted[1 + k] = weight * sliding.per_slip * across[k]);
            }
            right.extend(wanted);
        }
        let lambda = self.elimination.solve(&right);
        let contacts = linear.rows[0]..self.row.len();
        contacts.for_each(|row| push(&self.row[row], lambda[row], &mut by_contacts));
        by_contacts
    }

    /// Right-hand sides of the rows of joints.
    fn joint_targets(&self, linear: &Linear, change: &Change, motion: &[Vec6<f64>]) -> Vec<f64> {
        let mut right = vec![0.0; linear.rows[0]];
        for joint in &linear.joints {
            linear.add_targets(joint, 0..joint.before.count, change, &self.touching.velocity, &mut right);
            for row in 0..joint.before.count {
                right[joint.start[0] + row] -= rate(joint, &joint.before.jacobian[row], motion);
            }
        }
        right
    }
}

impl Sliding {
    /// The part of a motion along the tangents that is across the slip.
    fn across(&self, [a, b]: [f64; 2]) -> [f64; 2] {
        let along = self.direction[0] * a + self.direction[1] * b;
        [a - along * self.direction[0], b - along * self.direction[1]]
    }
}

/// J M⁻¹ Jᵀ + C.
fn gram(linear: &Linear, rows: &[Row]) -> Matrix {
    let mut matrix = Matrix::zero(rows.len(), rows.len());
    for (i, row) in rows.iter().enumerate() {
        matrix.add(i, i, row.compliance);
        for side in 0..2 {
            let Some(at) = row.place[side] else { continue };
            let moved = linear.body(at, 0).respond(&row.jacobian[side]);
            for (j, other) in rows.iter().enumerate() {
                for end in (0..2).filter(|&end| other.place[end] == Some(at)) {
                    matrix.add(i, j, dot(&other.jacobian[end], &moved));
                }
            }
        }
    }
    matrix
}

/// Puts δλ_t + μ d δλ_n + (μ λ_n / s)(1 − d dᵀ) δw_t = 0 in place of δw_t = 0, in the units of the rows.
fn slide(matrix: &mut Matrix, sliding: &Sliding, first: usize, weight: f64) {
    for column in 0..matrix.columns() {
        let motion = [matrix.get(first + 1, column), matrix.get(first + 2, column)];
        let across = sliding.across(motion);
        (0..2).for_each(|k| matrix.add(first + 1 + k, column, weight * sliding.per_slip * across[k] - motion[k]));
    }
    for k in 0..2 {
        matrix.add(first + 1 + k, first + 1 + k, weight);
        matrix.add(first + 1 + k, first, weight * sliding.friction * sliding.direction[k]);
    }
}

fn along(row: &Row, motion: &[Vec6<f64>]) -> f64 {
    (0..2).filter_map(|side| Some(dot(&row.jacobian[side], &motion[row.place[side]?]))).sum()
}

fn push(row: &Row, lambda: f64, impulse: &mut [Vec6<f64>]) {
    for side in 0..2 {
        if let Some(at) = row.place[side] {
            add_scaled(&mut impulse[at], lambda, &row.jacobian[side]);
        }
    }
}

/// Displacements of the bodies of a contact, by their place among its twelve.
fn displacements<'c>(
    linear: &'c Linear,
    touch: &'c Touch,
    change: &'c Change,
) -> impl Iterator<Item = (usize, f64)> + 'c {
    (0..12).filter_map(|input| {
        let amount = change.place[linear.place_of(touch.body[input / 6])?][input % 6];
        (amount != 0.0).then_some((input, amount))
    })
}

/// Adds what contacts that move with their bodies exert otherwise than before, with the forces they have.
fn turned_pushes(linear: &Linear, touch: &Touch, change: &Change, impulse: &mut [Vec6<f64>]) {
    for (input, amount) in displacements(linear, touch, change) {
        for (by, lambda) in touch.by_place[input].iter().zip(&touch.lambda) {
            for side in 0..2 {
                if let Some(at) = linear.place_of(touch.body[side]) {
                    add_scaled(&mut impulse[at], amount * lambda, &by.jacobian[side]);
                }
            }
        }
    }
}

/// Changes of what the rows of a contact want of the velocities.
fn contact_targets(linear: &Linear, touch: &Touch, change: &Change, velocity: &[Vec6<f64>]) -> Vec<f64> {
    let mut wanted = vec![0.0; touch.row.len()];
    for (input, amount) in displacements(linear, touch, change) {
        for (wanted, by) in wanted.iter_mut().zip(&touch.by_place[input]) {
            let turned: f64 = (0..2).map(|side| dot(&by.jacobian[side], &velocity[touch.body[side]])).sum();
            *wanted += amount * (by.target - turned);
        }
    }
    wanted
}
