//! One level: Gauss–Seidel by colours.

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;

use crate::matrix::Matrix;

/// Unknowns of one level and what its sweeps need.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// Where each colour starts; one more than colours.
    colors: Vec<u32>,
    /// Inverses of the diagonal blocks.
    inverse: Vec<DMat3>,
    /// The unknowns.
    pub x: Vec<DVec3>,
    /// The right side.
    pub b: Vec<DVec3>,
    /// What is left of it.
    pub r: Vec<DVec3>,
}

impl Level {
    /// A level whose nodes stand in the order of colours.
    pub fn new(colors: Vec<u32>) -> Self {
        let count = colors.last().map_or(0, |&count| count as usize);
        let zero = vec![DVec3::ZERO; count];
        Self { colors, inverse: vec![DMat3::ZERO; count], x: zero.clone(), b: zero.clone(), r: zero }
    }

    /// Takes a new matrix over.
    pub fn update(&mut self, matrix: &Matrix) {
        parallel::each(&mut self.inverse, |row, inverse| *inverse = matrix.value[matrix.start[row] as usize].inverse());
    }

    /// Begins from nothing.
    pub fn start(&mut self) {
        self.x.fill(DVec3::ZERO);
    }

    /// A sweep from the first colour to the last.
    pub fn forward(&mut self, matrix: &Matrix) {
        (0..self.colors.len() - 1).for_each(|color| self.sweep(matrix, color));
    }

    /// A sweep from the last colour to the first.
    pub fn backward(&mut self, matrix: &Matrix) {
        (0..self.colors.len() - 1).rev().for_each(|color| self.sweep(matrix, color));
    }

    /// Solves the rows of one colour, which do not know of each other.
    fn sweep(&mut self, matrix: &Matrix, color: usize) {
        let (from, to) = (self.colors[color] as usize, self.colors[color + 1] as usize);
        let Self { inverse, x, b, r, .. } = self;
        parallel::each(&mut r[from..to], |i, new| {
            let row = from + i;
            *new = inverse[row] * (b[row] - matrix.others_times(row, x));
        });
        x[from..to].copy_from_slice(&r[from..to]);
    }

    /// What is left of the right side.
    pub fn residual(&mut self, matrix: &Matrix) {
        let Self { x, b, r, .. } = self;
        parallel::each(r, |row, r| *r = b[row] - matrix.row_times(row, x));
    }
}
