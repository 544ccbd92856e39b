//! How a step depends on where it began, on what was asked of it and on the masses.
//!
//! A step of `structured` ends where these equations hold (variational: k₁ = k₂ = h/2; with springs, drives or
//! limits in the model: k₁ = h, k₂ = 0), with bodies advanced by the map q₁ = A(q₀, u) that keeps momenta:
//!
//! ```text
//!   M₀ u = M₀ v₀ + k₁ f(q₀) + J₀ᵀ Λ,   g(q₁) = g(q₀),   J_e u + C Λ_e = w(q₀, v₀)     e: springs and drives
//!   M₁ v₁ = p(u) + k₂ f(q₁) + J₁ᵀ λ,   J₁ v₁ = 0
//! ```
//!
//! Contacts come first: a line of its own finds their impulses with straight rows (`contact_line`), which then act like outer forces.
//! Their derivatives are linear equations for the changes of u, Λ, v₁ and λ: one elimination for the rows of each line, one
//! solution for every parameter. Only the change of a joint's own rows with its two bodies, and of one body's turn with its
//! spin, are differences, of closed formulas in twelve and six numbers.

mod contact_line;
mod floating;
mod linear;
mod taken;
mod touching;

use drystone_model::{BodyId, Control, DVec3, Model, State};

use super::error::MechanismError;
use super::inverse::DrivenAxis;
use super::matrix::Matrix;
use crate::Level;
use drystone_solve::linalg::block6::spatial;
use drystone_solve::linalg::matrix::add_scaled;
use linear::{Change, Linear};
use taken::TakenStep;

/// Derivatives of the end of one step. Rows are the moving bodies of [`StepDerivatives::body`], twelve each: displacement of the
/// centre of mass \[m\], rotation vector \[rad\], velocity of the centre of mass \[m/s\], angular velocity \[rad/s\], all in world axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepDerivatives {
    /// The bodies that move.
    pub body: Vec<BodyId>,
    /// By the same twelve numbers of every body at the start of the step. Displacements shall be such as the joints allow; any others
    /// leave the joints as open as they make them.
    pub state: Matrix,
    /// By force \[N\] and torque \[N·m\] on every body of the list during the step (`Control::body_f`), six columns each.
    pub force: Matrix,
    /// By the effort of every axis asked for \[N or N·m\] (`Control::joint_f`).
    pub effort: Matrix,
    /// By the drive target of every axis asked for \[m or rad\] (`Control::joint_target`).
    pub target: Matrix,
    /// By the mass of every body of the list \[kg\], its inertia kept.
    pub mass: Matrix,
}

/// Derivatives of a step of `dt` seconds under `structured` as it is by default, from a state whose joints are closed; `axes` are
/// those whose efforts and drive targets are asked about. Trees and loops, springs and drives, and contacts while the same of them
/// are open, stick and slide. Costs the cube of the number of locked axes and contact rows once, its square for every column, and
/// twelve collision detections for every body in contact.
///
/// # Errors
/// If a limit, dry friction in a joint or a drive that can saturate takes part, a contact is between open, sticking and sliding, or
/// the step is too long to be taken in one piece: its parts are then asked for one by one.
pub fn step_derivatives(
    model: &Model,
    state: &State,
    control: &Control,
    dt: f64,
    axes: &[DrivenAxis],
) -> Result<StepDerivatives, MechanismError> {
    let step = TakenStep::new(model, state, control, dt)?;
    Ok(Linear::new(&step)?.derivatives(axes))
}

impl Linear<'_, '_> {
    fn still(&self) -> Change {
        let zero = vec![[0.0; 6]; self.bodies.len()];
        Change {
            place: zero.clone(),
            velocity: zero.clone(),
            kick: [zero.clone(), zero],
            target: Vec::new(),
            mass: None,
        }
    }

    fn derivatives(&self, axes: &[DrivenAxis]) -> StepDerivatives {
        let count = self.bodies.len();
        let rows = 12 * count;
        let mut out = StepDerivatives {
            body: self.bodies.iter().map(|&body| BodyId(body as u32)).collect(),
            state: Matrix::zero(rows, rows),
            force: Matrix::zero(rows, 6 * count),
            effort: Matrix::zero(rows, axes.len()),
            target: Matrix::zero(rows, axes.len()),
            mass: Matrix::zero(rows, count),
        };
        let kicks = self.step.kicks;
        for body in 0..count {
            for k in 0..6 {
                let mut change = self.still();
                change.place[body][k] = 1.0;
                out.state.set_column(12 * body + k, &self.respond(&change));
                let mut change = self.still();
                change.velocity[body][k] = 1.0;
                out.state.set_column(12 * body + 6 + k, &self.respond(&change));
                let mut change = self.still();
                (0..2).for_each(|line| change.kick[line][body][k] = kicks[line]);
                let mut column = self.respond(&change);
                self.floating.iter().for_each(|group| group.push(body, k, self.step.h, &mut column));
                out.force.set_column(6 * body + k, &column);
            }
            let mut change = self.still();
            let weight = self.step.model.body_gravity(self.bodies[body]);
            (0..2).for_each(|line| change.kick[line][body] = spatial(weight * kicks[line], DVec3::ZERO));
            change.mass = Some(body);
            out.mass.set_column(body, &self.respond(&change));
        }
        for (column, axis) in axes.iter().enumerate() {
            out.effort.set_column(column, &self.respond(&self.effort(axis)));
            out.target.set_column(column, &self.respond(&self.target(axis)));
        }
        out
    }

    /// A unit of effort along an axis. Efforts are linear.
    fn effort(&self, axis: &DrivenAxis) -> Change {
        let mut change = self.still();
        let at = axis.joint.built_index();
        let Some(joint) = self.joints.iter().find(|joint| joint.joint == at) else { return change };
        let system = &self.step.system;
        let places = [(self.step.level, &system.start), (Level::Projection, &system.bodies.body)];
        for (line, (level, bodies)) in places.into_iter().enumerate() {
            let by = self
                .step
                .by_control(at, level, bodies, |control, sign| control.joint_f[at][axis.axis as usize] += sign);
            for side in 0..2 {
                if let Some(end) = joint.place[side] {
                    add_scaled(&mut change.kick[line][end], self.step.kicks[line], &by.push[side]);
                }
            }
        }
        change
    }

    /// A unit of a drive's target.
    fn target(&self, axis: &DrivenAxis) -> Change {
        let mut change = self.still();
        let at = axis.joint.built_index();
        let Some(joint) = self.joints.iter().find(|joint| joint.joint == at) else { return change };
        let by = self.step.by_control(at, self.step.level, &self.step.system.start, |control, sign| {
            control.joint_target[at][axis.axis as usize] += sign;
        });
        change.target = vec![0.0; self.rows[0]];
        (0..by.count).for_each(|row| change.target[joint.start[0] + row] = by.target[row]);
        change
    }
}
