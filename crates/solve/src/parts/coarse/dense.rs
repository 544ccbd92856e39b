//! Direct solution of the last few groups.

use crate::parts::cholesky::Cholesky;
use crate::parts::matrix::{Mat6, Vec6};

/// A dense Cholesky factor of a block matrix.
#[derive(Clone, Debug, Default)]
pub struct DenseCholesky {
    n: usize,
    matrix: Vec<f64>,
    factor: Cholesky,
}

impl DenseCholesky {
    /// Assembles and factors. Rows without a pivot are dropped: their unknowns come out zero.
    pub fn factor(&mut self, diagonal: &[Mat6<f64>], edges: &[[u32; 2]], coupling: &[Mat6<f64>]) {
        self.n = 6 * diagonal.len();
        self.matrix.clear();
        self.matrix.resize(self.n * self.n, 0.0);
        for (node, block) in diagonal.iter().enumerate() {
            self.add(node, node, block);
        }
        for (&[a, b], block) in edges.iter().zip(coupling) {
            self.add(a as usize, b as usize, block);
            self.add(b as usize, a as usize, &block.transpose());
        }
        self.factor.factor(self.n, &self.matrix);
    }

    fn add(&mut self, row_node: usize, column_node: usize, block: &Mat6<f64>) {
        for (i, row) in block.0.iter().enumerate() {
            let start = (6 * row_node + i) * self.n + 6 * column_node;
            self.matrix[start..start + 6].iter_mut().zip(row).for_each(|(to, from)| *to += from);
        }
    }

    pub fn solve(&mut self, r: &[Vec6<f64>], x: &mut [Vec6<f64>]) {
        x.copy_from_slice(r);
        self.factor.solve(x.as_flattened_mut());
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
