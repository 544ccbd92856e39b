//! Products with the matrix of a net: from forces of joints to motions of bodies and on to gaps.

use drystone_solve::parallel::Shared;
use rayon::prelude::*;

use super::iteration::ROWS;
use super::{CHUNK, Net};
use drystone_solve::graph::csr::Csr;
use drystone_solve::linalg::matrix::{Vec6, add_scaled, dot};

impl Net {
    /// The residual of the first guess.
    pub(super) fn start_from(&mut self, descent: &[Vec6<f64>]) {
        self.multiply(Of::Change);
        let Self { block, moved, .. } = &mut *self;
        let nodes = moved.par_iter_mut().zip(&*block).zip(descent).shared(CHUNK);
        nodes.for_each(|((moved, block), descent)| *moved = block.half_solve(descent));
        let mut residual = std::mem::take(&mut self.residual);
        self.apply_rows(&mut residual);
        residual.par_iter_mut().zip(&self.product).shared(ROWS).for_each(|(r, q)| *r -= q);
        self.residual = residual;
    }

    /// The product of the matrix with the changes or the search direction.
    pub(super) fn multiply(&mut self, of: Of) {
        let mut product = std::mem::take(&mut self.product);
        let v = match of {
            Of::Change => &self.change,
            Of::Search => &self.search,
        };
        push(&mut self.moved, &self.rows_at, &self.half, v);
        self.apply_rows(&mut product);
        let v = match of {
            Of::Change => &self.change,
            Of::Search => &self.search,
        };
        let rows = product.par_iter_mut().zip(v).zip(&self.compliance).shared(ROWS);
        rows.for_each(|((q, v), compliance)| *q += compliance * v);
        self.product = product;
    }

    /// Changes of the coordinates when the bodies move.
    fn apply_rows(&self, out: &mut [f64]) {
        let along = |half: &[Vec6<f64>; 2], ends: &[u32; 2], end: usize| match self.moved.get(ends[end] as usize) {
            Some(moved) => dot(&half[end], moved),
            None => 0.0,
        };
        let rows = out.par_iter_mut().zip(&self.half).zip(&self.row_ends).shared(CHUNK);
        rows.for_each(|((out, half), ends)| *out = along(half, ends, 0) + along(half, ends, 1));
    }

    /// Motions from the changes of the forces; `x` holds the descent on entry.
    pub(super) fn finish(&mut self, x: &mut [Vec6<f64>]) {
        push(&mut self.moved, &self.rows_at, &self.half, &self.change);
        let nodes = x.par_iter_mut().zip(&self.block).zip(&self.moved).shared(CHUNK);
        nodes.for_each(|((x, block), moved)| {
            let mut half = block.half_solve(x);
            add_scaled(&mut half, -1.0, moved);
            *x = block.finish_solve(&half);
        });
    }
}

/// Which vector to multiply.
pub(super) enum Of {
    Change,
    Search,
}

/// Sums what the rows do to every body.
fn push(moved: &mut [Vec6<f64>], rows_at: &Csr, half: &[[Vec6<f64>; 2]], v: &[f64]) {
    moved.par_iter_mut().shared(CHUNK).enumerate().for_each(|(node, sum)| {
        *sum = [0.0; 6];
        for &entry in rows_at.row(node) {
            let (row, end) = (entry as usize / 2, entry as usize % 2);
            add_scaled(sum, v[row], &half[row][end]);
        }
    });
}
