//! Direct solution of the last few groups.

use crate::parts::matrix::{Mat6, Vec6};

/// Pivots below this fraction of their diagonal entry count as zero: groups that nothing holds.
const NO_PIVOT: f64 = 1e-13;

/// A dense Cholesky factor L of a block matrix, row by row.
#[derive(Clone, Debug, Default)]
pub struct DenseCholesky {
    n: usize,
    lower: Vec<f64>,
    x: Vec<f64>,
}

impl DenseCholesky {
    /// Assembles and factors. Rows without a pivot are dropped: their unknowns come out zero.
    pub fn factor(&mut self, diagonal: &[Mat6<f64>], edges: &[[u32; 2]], coupling: &[Mat6<f64>]) {
        self.n = 6 * diagonal.len();
        self.lower.clear();
        self.lower.resize(self.n * self.n, 0.0);
        for (node, block) in diagonal.iter().enumerate() {
            self.add(node, node, block);
        }
        for (&[a, b], block) in edges.iter().zip(coupling) {
            self.add(a as usize, b as usize, block);
            self.add(b as usize, a as usize, &block.transpose());
        }
        for i in 0..self.n {
            let entry = self.lower[i * self.n + i];
            for j in 0..=i {
                let (before, row) = self.lower.split_at_mut(i * self.n);
                let known = |other: &[f64]| row[..j].iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
                if j < i {
                    let other = &before[j * self.n..j * self.n + j + 1];
                    let (rest, pivot) = (row[j] - known(&other[..j]), other[j]);
                    row[j] = if pivot > 0.0 { rest / pivot } else { 0.0 };
                } else {
                    let rest = row[i] - known(&row[..i]);
                    row[i] = if rest > NO_PIVOT * entry { rest.sqrt() } else { 0.0 };
                }
            }
        }
    }

    fn add(&mut self, row_node: usize, column_node: usize, block: &Mat6<f64>) {
        for (i, row) in block.0.iter().enumerate() {
            let start = (6 * row_node + i) * self.n + 6 * column_node;
            self.lower[start..start + 6].iter_mut().zip(row).for_each(|(to, from)| *to += from);
        }
    }

    pub fn solve(&mut self, r: &[Vec6<f64>], x: &mut [Vec6<f64>]) {
        let n = self.n;
        self.x.clear();
        self.x.extend_from_slice(r.as_flattened());
        for i in 0..n {
            let (row, pivot) = (&self.lower[i * n..i * n + i], self.lower[i * n + i]);
            let known: f64 = row.iter().zip(&self.x).map(|(l, x)| l * x).sum();
            self.x[i] = if pivot > 0.0 { (self.x[i] - known) / pivot } else { 0.0 };
        }
        for i in (0..n).rev() {
            let pivot = self.lower[i * n + i];
            self.x[i] = if pivot > 0.0 { self.x[i] / pivot } else { 0.0 };
            let value = self.x[i];
            let row = &self.lower[i * n..i * n + i];
            self.x[..i].iter_mut().zip(row).for_each(|(x, l)| *x -= l * value);
        }
        x.as_flattened_mut().copy_from_slice(&self.x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::testing::{Dense, Random, max_abs_difference};

    #[test]
    fn agrees_with_elimination_and_drops_what_nothing_holds() {
        let mut random = Random::new(1);
        let mut diagonal = vec![Mat6::diagonal([20.0; 6]); 5];
        diagonal[3] = Mat6::ZERO;
        let edges = [[0, 1], [2, 1], [4, 0]];
        let coupling: Vec<Mat6<f64>> = edges.iter().map(|_| Mat6::from_fn(|_, _| random.signed())).collect();
        let mut dense = Dense::zero(30);
        diagonal.iter().enumerate().for_each(|(i, block)| dense.add_block(6 * i, 6 * i, &block.0));
        dense.add_block(18, 18, &Mat6::<f64>::identity().0);
        for (&[a, b], block) in edges.iter().zip(&coupling) {
            dense.add_block(6 * a as usize, 6 * b as usize, &block.0);
            dense.add_block(6 * b as usize, 6 * a as usize, &block.transpose().0);
        }
        let mut r: Vec<Vec6<f64>> = (0..5).map(|_| std::array::from_fn(|_| random.signed())).collect();
        let mut direct = DenseCholesky::default();
        direct.factor(&diagonal, &edges, &coupling);
        let mut x = vec![[0.0; 6]; 5];
        direct.solve(&r, &mut x);
        assert_eq!(x[3], [0.0; 6]);
        r[3] = [0.0; 6];
        assert!(max_abs_difference(x.as_flattened(), &dense.solve(r.as_flattened())) < 1e-13);
    }
}
