//! LDLᵀ of small symmetric matrices, positive definite or only semi-definite.

use thiserror::Error;

use super::matrix::Mat;
use super::real::Real;

/// A pivot counts as zero below this many times its estimated rounding error. The estimate starts at
/// one rounding of the pivot's own diagonal entry, so rows of different units (mass, inertia) do not
/// disturb each other, and carries along what elimination by small pivots magnifies.
pub(super) const PIVOT_ERRORS: f64 = 8.0;

/// The matrix is not positive definite to working precision.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("pivot {row} is {pivot:e} for a diagonal entry of {diagonal:e}: the matrix is not positive definite")]
pub struct NotPositiveDefinite {
    /// Row of the first bad pivot.
    pub row: usize,
    /// The pivot, in the units of the diagonal entry.
    pub pivot: f64,
    /// The diagonal entry.
    pub diagonal: f64,
}

/// A = L D Lᵀ with unit lower L. Solves cost 2 N² operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ldl<T, const N: usize> {
    /// L below the diagonal; zero elsewhere.
    lower: Mat<T, N, N>,
    /// 1/D, zero for dropped pivots.
    inverse_pivot: [T; N],
    rank: usize,
}

impl<T: Real, const N: usize> Default for Ldl<T, N> {
    fn default() -> Self {
        Self { lower: Mat::ZERO, inverse_pivot: [T::ZERO; N], rank: 0 }
    }
}

impl<T: Real, const N: usize> Ldl<T, N> {
    /// Factors a positive definite matrix, of which only the lower triangle is read.
    pub fn new(a: &Mat<T, N, N>) -> Result<Self, NotPositiveDefinite> {
        let (factor, bad) = Self::eliminate(a, N);
        bad.map_or(Ok(factor), Err)
    }

    /// Factors a positive semi-definite matrix: rows that depend on earlier ones are dropped, so that
    /// [`Ldl::solve`] answers zero there and solves the rest. For a right-hand side in the range of A
    /// that is an exact solution; it is finite for any other. Negative pivots are dropped as well.
    /// [`Ldl::rank`] says how many rows were kept.
    #[inline(always)]
    pub fn semidefinite(a: &Mat<T, N, N>) -> Self {
        Self::leading(a, N)
    }

    /// [`Ldl::semidefinite`] of the leading `rows` rows and columns; the others count as zero.
    #[inline(always)]
    pub fn leading(a: &Mat<T, N, N>, rows: usize) -> Self {
        Self::eliminate(a, rows.min(N)).0
    }

    #[inline(always)]
    fn eliminate(a: &Mat<T, N, N>, rows: usize) -> (Self, Option<NotPositiveDefinite>) {
        let mut factor = Self::default();
        let mut error = [T::ZERO; N];
        let mut bad = None;
        for i in 0..rows {
            // Row i of L D, from which row i of L follows by scaling.
            let mut scaled = a.0[i];
            for j in 0..i {
                for k in 0..j {
                    let correction = scaled[k] * factor.lower.0[j][k];
                    scaled[j] -= correction;
                }
            }
            let mut pivot = a.0[i][i];
            error[i] = T::EPSILON * a.0[i][i];
            for j in 0..i {
                let lower = scaled[j] * factor.inverse_pivot[j];
                factor.lower.0[i][j] = lower;
                pivot -= lower * scaled[j];
                error[i] += lower * lower * error[j];
            }
            if pivot > T::of(PIVOT_ERRORS) * error[i] && pivot.to_f64().is_finite() {
                factor.inverse_pivot[i] = T::ONE / pivot;
                factor.rank += 1;
            } else {
                let (pivot, diagonal) = (pivot.to_f64(), a.0[i][i].to_f64());
                bad = bad.or(Some(NotPositiveDefinite { row: i, pivot, diagonal }));
            }
        }
        (factor, bad)
    }

    /// Number of pivots kept; N for a positive definite matrix.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Solves A x = b.
    pub fn solve(&self, b: &[T; N]) -> [T; N] {
        let mut x = *b;
        for i in 1..N {
            for j in 0..i {
                let known = self.lower.0[i][j] * x[j];
                x[i] -= known;
            }
        }
        for i in 0..N {
            x[i] *= self.inverse_pivot[i];
        }
        for i in (0..N).rev() {
            // A dropped unknown is zero, whatever the rows below say.
            if self.inverse_pivot[i] == T::ZERO {
                continue;
            }
            for j in i + 1..N {
                let known = self.lower.0[j][i] * x[j];
                x[i] -= known;
            }
        }
        x
    }

    /// The first half of a solution, D^(−1/2) L⁻¹ b: inner products of such vectors are products with A⁻¹.
    pub fn half_solve(&self, b: &[T; N]) -> [T; N] {
        let mut x = *b;
        for i in 1..N {
            for j in 0..i {
                let known = self.lower.0[i][j] * x[j];
                x[i] -= known;
            }
        }
        std::array::from_fn(|i| x[i] * self.inverse_pivot[i].sqrt())
    }

    /// The second half, L⁻ᵀ D^(−1/2) y: what [`Ldl::half_solve`] left becomes the solution.
    pub fn finish_solve(&self, y: &[T; N]) -> [T; N] {
        let mut x: [T; N] = std::array::from_fn(|i| y[i] * self.inverse_pivot[i].sqrt());
        for i in (0..N).rev().filter(|&i| self.inverse_pivot[i] != T::ZERO) {
            for j in i + 1..N {
                let known = self.lower.0[j][i] * x[j];
                x[i] -= known;
            }
        }
        x
    }

    /// Solves A X = B for all columns at once.
    #[inline(always)]
    pub fn solve_mat<const K: usize>(&self, b: &Mat<T, N, K>) -> Mat<T, N, K> {
        let mut x = *b;
        for i in 1..N {
            for j in 0..i {
                let (above, below) = x.0.split_at_mut(i);
                super::matrix::add_scaled(&mut below[0], -self.lower.0[i][j], &above[j]);
            }
        }
        for i in 0..N {
            x.0[i].iter_mut().for_each(|entry| *entry *= self.inverse_pivot[i]);
        }
        for i in (0..N).rev().filter(|&i| self.inverse_pivot[i] != T::ZERO) {
            let (above, below) = x.0.split_at_mut(i + 1);
            for j in i + 1..N {
                super::matrix::add_scaled(&mut above[i], -self.lower.0[j][i], &below[j - i - 1]);
            }
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::max_abs_difference;
    use drystone_random::Random;

    fn spd<const N: usize>(random: &mut Random) -> Mat<f64, N, N> {
        let b = Mat::<f64, N, N>::from_fn(|_, _| random.signed());
        let mut a = b.mul(&b.transpose());
        a.add_scaled(0.1, &Mat::identity());
        a
    }

    #[test]
    fn solves_what_it_factored() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let a = spd::<6>(&mut random);
            let x: [f64; 6] = std::array::from_fn(|_| random.signed());
            let factor = Ldl::new(&a).unwrap();
            assert_eq!(factor.rank(), 6);
            assert!(max_abs_difference(&factor.solve(&a.mul_vec(&x)), &x) < 1e-11);
            let half = factor.half_solve(&a.mul_vec(&x));
            assert!(
                (crate::linalg::matrix::dot(&half, &half) - crate::linalg::matrix::dot(&x, &a.mul_vec(&x))).abs()
                    < 1e-11
            );
            assert!(max_abs_difference(&factor.finish_solve(&half), &x) < 1e-11);
        }
    }

    #[test]
    fn columns_at_once_equal_one_by_one() {
        let mut random = Random::new(2);
        let factor = Ldl::new(&spd::<6>(&mut random)).unwrap();
        let b = Mat::<f64, 6, 4>::from_fn(|_, _| random.signed());
        let x = factor.solve_mat(&b).transpose();
        for (k, column) in b.transpose().0.iter().enumerate() {
            assert!(max_abs_difference(&factor.solve(column), &x.0[k]) < 1e-12);
        }
    }

    #[test]
    fn works_across_units_and_in_single_precision() {
        // A light pebble far from its joint: linear and angular rows differ by 10¹² in size.
        let scale = [1e6, 1e6, 1e6, 1e-6, 1e-6, 1e-6];
        let mut random = Random::new(3);
        let unit = spd::<6>(&mut random);
        let a = Mat::from_fn(|i, j| (unit.0[i][j] * scale[i] * scale[j]) as f32);
        let x: [f32; 6] = std::array::from_fn(|i| (random.signed() / scale[i]) as f32);
        let solved = Ldl::new(&a).unwrap().solve(&a.mul_vec(&x));
        for i in 0..6 {
            assert!((solved[i] - x[i]).abs() < 1e-3 / scale[i] as f32, "{i}: {} {}", solved[i], x[i]);
        }
    }

    fn largest(v: &[f64]) -> f64 {
        v.iter().fold(0.0, |largest, x| x.abs().max(largest))
    }

    /// Where the rows that are kept nearly depend on each other, L is large, and a dropped row repeats what rounding left of theirs as
    /// many times: the residual is a rounding of A x per product, times L.
    #[test]
    fn semidefinite_input_still_gives_a_solution() {
        let mut random = Random::new(4);
        for trial in 0..500 {
            let rank = 1 + trial % 5;
            let mut a = Mat::<f64, 6, 6>::ZERO;
            for _ in 0..rank {
                let v: [f64; 6] = std::array::from_fn(|_| random.signed());
                a.add_outer(1.0, &v, &v);
            }
            let known: [f64; 6] = std::array::from_fn(|_| random.signed());
            let b = a.mul_vec(&known);
            let error = Ldl::new(&a).unwrap_err();
            assert_eq!(error.row, rank);
            let factor = Ldl::semidefinite(&a);
            assert_eq!(factor.rank(), rank);
            let grown = 1.0 + largest(factor.lower.0.as_flattened());
            let columns = Mat::from_fn(|i, _: usize| b[i]);
            let many: Mat<f64, 6, 2> = factor.solve_mat(&columns);
            for x in [factor.solve(&b), many.transpose().0[1]] {
                let size = largest(a.0.as_flattened()) * (largest(&x) + largest(&known));
                let left = max_abs_difference(&a.mul_vec(&x), &b) / (f64::EPSILON * size * grown);
                assert!(left < 36.0, "{left} roundings, L up to {grown}");
            }
        }
    }

    #[test]
    fn a_dependent_row_in_the_middle_is_dropped() {
        let v = [[1.0, 2.0, 0.5], [0.0, 0.0, 3.0]];
        let mut a = Mat::<f64, 3, 3>::ZERO;
        v.iter().for_each(|v| a.add_outer(1.0, v, v));
        let factor = Ldl::semidefinite(&a);
        assert_eq!(factor.rank(), 2);
        let b = a.mul_vec(&[0.3, -1.0, 2.0]);
        assert!(max_abs_difference(&a.mul_vec(&factor.solve(&b)), &b) < 1e-14);
    }

    #[test]
    fn refuses_indefinite_and_not_finite_input() {
        let error = Ldl::new(&Mat::diagonal([1.0, -2.0, 3.0])).unwrap_err();
        assert_eq!((error.row, error.pivot), (1, -2.0));
        assert!(Ldl::new(&Mat::diagonal([1.0, f64::NAN])).is_err());
        assert!(Ldl::new(&Mat::diagonal([f64::INFINITY, 1.0])).is_err());
    }

    #[test]
    fn the_leading_part_alone() {
        let mut random = Random::new(5);
        let a = spd::<6>(&mut random);
        let factor = Ldl::leading(&a, 4);
        let small = Ldl::new(&Mat::<f64, 4, 4>::from_fn(|i, j| a.0[i][j])).unwrap();
        let x = factor.solve(&[1.0, -2.0, 3.0, 0.5, 9.0, 9.0]);
        assert!(max_abs_difference(&x[..4], &small.solve(&[1.0, -2.0, 3.0, 0.5])) < 1e-12);
        assert_eq!(&x[4..], [0.0, 0.0]);
    }
}
