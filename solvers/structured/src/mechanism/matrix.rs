//! Dense matrices and the solution of equations that may depend on each other.

/// A matrix, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    pub(super) fn set_column(&mut self, column: usize, values: &[f64]) {
        for (row, value) in values.iter().enumerate() {
            self.values[row * self.columns + column] = *value;
        }
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.columns + column] += value;
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// An entry.
    ///
    /// # Panics
    /// If there is no such row or column.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.values[row * self.columns + column]
    }

    /// The product with a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.columns.max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, x)| a * x).sum()).collect()
    }
}

/// Pivot, relative to the first, below which the rows left depend on those before.
const DEPENDENT: f64 = 1e-11;

/// A square matrix eliminated with pivots from all rows and columns, those that are left over dropped.
#[derive(Clone, Debug)]
pub(super) struct Elimination {
    size: usize,
    rank: usize,
    values: Vec<f64>,
    row: Vec<usize>,
    column: Vec<usize>,
}

impl Elimination {
    pub(super) fn new(matrix: Matrix) -> Self {
        let size = matrix.rows;
        let mut own =
            Self { size, rank: 0, values: matrix.values, row: (0..size).collect(), column: (0..size).collect() };
        let mut first = 0.0;
        for pivot in 0..size {
            let largest = own.largest_from(pivot);
            let value = own.at(largest.0, largest.1).abs();
            first = if pivot == 0 { value } else { first };
            if value.is_nan() || value <= DEPENDENT * first {
                break;
            }
            own.row.swap(pivot, largest.0);
            own.column.swap(pivot, largest.1);
            own.eliminate(pivot);
            own.rank += 1;
        }
        own
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[self.row[row] * self.size + self.column[column]]
    }

    fn largest_from(&self, pivot: usize) -> (usize, usize) {
        let mut largest = (pivot, pivot);
        for row in pivot..self.size {
            for column in pivot..self.size {
                if self.at(row, column).abs() > self.at(largest.0, largest.1).abs() {
                    largest = (row, column);
                }
            }
        }
        largest
    }

    fn eliminate(&mut self, pivot: usize) {
        let inverse = 1.0 / self.at(pivot, pivot);
        for row in pivot + 1..self.size {
            let factor = self.at(row, pivot) * inverse;
            let (own, above) = (self.row[row] * self.size, self.row[pivot] * self.size);
            self.values[own + self.column[pivot]] = factor;
            if factor != 0.0 {
                for &column in &self.column[pivot + 1..] {
                    self.values[own + column] -= factor * self.values[above + column];
                }
            }
        }
    }

    /// Directions that the matrix takes to zero, as far as it is eliminated: one for every unknown left open.
    pub(super) fn open_directions(&self) -> Vec<Vec<f64>> {
        let open = |free: usize| {
            let right: Vec<f64> = (0..self.rank).map(|row| -self.at(row, free)).collect();
            let mut x = self.back(&right);
            x[self.column[free]] = 1.0;
            x
        };
        (self.rank..self.size).map(open).collect()
    }

    /// A solution; unknowns that the equations leave open are zero.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut y: Vec<f64> = self.row.iter().map(|&row| right[row]).collect();
        for row in 0..self.rank {
            let known: f64 = (0..row).map(|k| self.at(row, k) * y[k]).sum();
            y[row] -= known;
        }
        self.back(&y)
    }

    /// The unknowns from the eliminated equations, those left open being zero.
    fn back(&self, y: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.size];
        for row in (0..self.rank).rev() {
            let known: f64 = (row + 1..self.rank).map(|k| self.at(row, k) * x[self.column[k]]).sum();
            x[self.column[row]] = (y[row] - known) / self.at(row, row);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_equations_that_agree_are_solved() {
        // The third row is the sum of the first two.
        let rows = [[2.0, 1.0, 0.0], [0.0, -1.0, 3.0], [2.0, 0.0, 3.0]];
        let mut matrix = Matrix::zero(3, 3);
        rows.iter().enumerate().for_each(|(i, row)| row.iter().enumerate().for_each(|(j, a)| matrix.add(i, j, *a)));
        let right = matrix.times(&[0.3, -0.7, 1.1]);
        let solved = Elimination::new(matrix.clone()).solve(&right);
        let back = matrix.times(&solved);
        assert!(back.iter().zip(&right).all(|(a, b)| (a - b).abs() < 1e-14), "{solved:?}");
        let open = Elimination::new(matrix.clone()).open_directions();
        assert!(open.len() == 1 && matrix.times(&open[0]).iter().all(|x| x.abs() < 1e-14), "{open:?}");
    }
}
