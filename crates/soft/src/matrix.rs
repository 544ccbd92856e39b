//! Symmetric matrices of 3×3 blocks by rows.

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;

/// Rows of blocks; the first of every row is that of the diagonal.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// Where each row starts; one more than rows.
    pub start: Vec<u32>,
    /// Column of every block.
    pub column: Vec<u32>,
    /// The blocks.
    pub value: Vec<DMat3>,
    /// The block that every one below the diagonal is the transpose of; none for others.
    twin: Vec<u32>,
    transposed: Vec<DMat3>,
}

/// No twin.
const NONE: u32 = u32::MAX;

impl Matrix {
    /// A matrix of zeros whose row `i` has blocks on the diagonal and at `neighbours[i]`.
    pub fn new(neighbours: &[Vec<u32>]) -> Self {
        let mut start = vec![0];
        let mut column = Vec::new();
        for (row, others) in (0..).zip(neighbours) {
            column.push(row);
            column.extend(others.iter().copied().filter(|&other| other != row));
            start.push(column.len() as u32);
        }
        let value = vec![DMat3::ZERO; column.len()];
        let transposed = value.clone();
        let mut matrix = Self { start, column, value, twin: Vec::new(), transposed };
        let twin = |row: usize, entry: usize| {
            let column = matrix.column[entry];
            let place = (column < row as u32).then(|| matrix.place(column as usize, row as u32)).flatten();
            place.map_or(NONE, |place| matrix.start[column as usize] + place as u32)
        };
        let rows = 0..matrix.row_count();
        matrix.twin = rows
            .flat_map(|row| matrix.row(row).map(move |entry| (row, entry)))
            .map(|(row, entry)| twin(row, entry))
            .collect();
        matrix
    }

    /// Makes the blocks below the diagonal those above it, transposed.
    pub fn mirror(&mut self) {
        let Self { value, twin, transposed, .. } = self;
        let below = |entry: usize| (twin[entry] != NONE).then(|| twin[entry] as usize);
        parallel::each(transposed, |entry, transposed| {
            if let Some(twin) = below(entry) {
                *transposed = value[twin].transpose();
            }
        });
        parallel::each(value, |entry, value| {
            if below(entry).is_some() {
                *value = transposed[entry];
            }
        });
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.start.len() - 1
    }

    /// Entries of a row.
    #[inline]
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }

    /// Place of a column within its row.
    pub fn place(&self, row: usize, column: u32) -> Option<usize> {
        self.column[self.row(row)].iter().position(|&at| at == column)
    }

    /// Row `row` times `x`.
    #[inline]
    pub fn row_times(&self, row: usize, x: &[DVec3]) -> DVec3 {
        let range = self.row(row);
        let blocks = self.value[range.clone()].iter().zip(&self.column[range]);
        blocks.fold(DVec3::ZERO, |sum, (block, &column)| sum + *block * x[column as usize])
    }

    /// Row `row` times `x`, without the diagonal.
    #[inline]
    pub fn others_times(&self, row: usize, x: &[DVec3]) -> DVec3 {
        let range = self.start[row] as usize + 1..self.start[row + 1] as usize;
        let blocks = self.value[range.clone()].iter().zip(&self.column[range]);
        blocks.fold(DVec3::ZERO, |sum, (block, &column)| sum + *block * x[column as usize])
    }

    /// `out = self · x`.
    pub fn apply(&self, x: &[DVec3], out: &mut [DVec3]) {
        parallel::each(out, |row, out| *out = self.row_times(row, x));
    }
}

/// `Σ a·b`, summed in pieces of fixed size so that it is the same for any number of threads.
pub fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.chunks(parallel::PIECE)
        .zip(b.chunks(parallel::PIECE))
        .map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>())
        .sum()
}
