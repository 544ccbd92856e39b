//! The preconditioner of a net: its matrix, factored in single precision at some earlier step.

use drystone_solve::parallel::Shared;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::fronts::RowEnds;
use super::Net;
use super::iteration::ROWS;
use drystone_solve::linalg::matrix::{Vec6, dot};

/// Least compliance of a row in the factor, as a share of the diagonal: single precision resolves no less, and rows that
/// say the same twice would leave no pivot. Conjugate gradients know the true one.
const FACTOR_COMPLIANCE: f64 = 1.0e-5;

/// What a factor was made of, so that a checkpoint can make the same again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// Rows times the inverse roots of the blocks, scaled.
    rows: Vec<RowEnds>,
    /// Inverse stiffnesses, scaled.
    diagonal: Vec<f32>,
    /// Scales: inverse roots of the diagonal of the matrix.
    scale: Vec<f64>,
    /// Whether conjugate gradients were slow with it.
    stale: bool,
}

impl Basis {
    /// Whether there is a factor, and conjugate gradients are not slow with it.
    pub(super) fn serves(&self) -> bool {
        !self.rows.is_empty() && !self.stale
    }
}

impl Net {
    /// Factors the matrix as it is now.
    pub(super) fn factor(&mut self) {
        let Self { basis, half, compliance, fronts, .. } = self;
        basis.scale.clear();
        let diagonal = |(half, compliance): (&[Vec6<f64>; 2], &f64)| {
            1.0 / (compliance + dot(&half[0], &half[0]) + dot(&half[1], &half[1])).sqrt()
        };
        basis.scale.extend(half.iter().zip(&*compliance).map(diagonal));
        basis.rows.clear();
        let scaled = half.iter().zip(&basis.scale);
        basis.rows.extend(scaled.map(|(half, scale)| half.map(|end| end.map(|x| (x * scale) as f32))));
        basis.diagonal.clear();
        let scaled = compliance.iter().zip(&basis.scale);
        let own = |(compliance, scale): (&f64, &f64)| (compliance * scale * scale).max(FACTOR_COMPLIANCE) as f32;
        basis.diagonal.extend(scaled.map(own));
        basis.stale = false;
        fronts.factor(&basis.rows, &basis.diagonal);
    }

    /// What the factor was made of.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Forgets the factor of the steps before.
    pub fn forget(&mut self) {
        self.basis = Basis::default();
    }

    /// Makes the factor of a checkpoint again. False if it is of another net.
    pub fn set_basis(&mut self, basis: &Basis) -> bool {
        let rows = self.half.len();
        let fits = basis.rows.len() == rows && basis.diagonal.len() == rows && basis.scale.len() == rows;
        if fits {
            self.basis = basis.clone();
            self.fronts.factor(&basis.rows, &basis.diagonal);
        }
        fits
    }

    /// Notes whether conjugate gradients were slow with the factor.
    pub(super) fn judge_factor(&mut self, slow: bool) {
        self.basis.stale = slow;
    }

    /// Applies the factor to the residual.
    pub(super) fn precondition(&mut self) {
        let Self { preconditioned, residual, basis, fronts, .. } = self;
        let scaled = preconditioned.par_iter_mut().zip(&*residual).zip(&basis.scale).shared(ROWS);
        scaled.for_each(|((z, r), scale)| *z = r * scale);
        fronts.solve(preconditioned);
        preconditioned.par_iter_mut().zip(&basis.scale).shared(ROWS).for_each(|(z, scale)| *z *= scale);
    }
}
