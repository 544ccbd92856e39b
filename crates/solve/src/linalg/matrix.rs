//! Small dense matrices of fixed size, row by row.

use super::real::Real;

/// A matrix of `R` rows and `C` columns; entry (i, j) is `m.0[i][j]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat<T, const R: usize, const C: usize>(pub [[T; C]; R]);

/// A 3×3 block.
pub type Mat3<T> = Mat<T, 3, 3>;
/// A 6×6 block: rows and columns are linear x, y, z, then angular x, y, z.
pub type Mat6<T> = Mat<T, 6, 6>;
/// A spatial vector: linear x, y, z, then angular x, y, z.
pub type Vec6<T> = [T; 6];

impl<T: Real, const R: usize, const C: usize> Default for Mat<T, R, C> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<T: Real, const R: usize, const C: usize> Mat<T, R, C> {
    /// All entries zero.
    pub const ZERO: Self = Self([[T::ZERO; C]; R]);

    /// The matrix with entry (i, j) given by `entry(i, j)`.
    pub fn from_fn(mut entry: impl FnMut(usize, usize) -> T) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }

    /// The transpose.
    pub fn transpose(&self) -> Mat<T, C, R> {
        Mat::from_fn(|i, j| self.0[j][i])
    }

    /// Matrix times vector.
    pub fn mul_vec(&self, v: &[T; C]) -> [T; R] {
        std::array::from_fn(|i| dot(&self.0[i], v))
    }

    /// Transpose times vector, without forming the transpose.
    pub fn transpose_mul_vec(&self, v: &[T; R]) -> [T; C] {
        let mut out = [T::ZERO; C];
        for i in 0..R {
            add_scaled(&mut out, v[i], &self.0[i]);
        }
        out
    }

    /// Matrix product.
    pub fn mul<const K: usize>(&self, other: &Mat<T, C, K>) -> Mat<T, R, K> {
        let mut out = Mat::ZERO;
        for i in 0..R {
            for k in 0..C {
                add_scaled(&mut out.0[i], self.0[i][k], &other.0[k]);
            }
        }
        out
    }

    /// Transpose times matrix, without forming the transpose.
    pub fn transpose_mul<const K: usize>(&self, other: &Mat<T, R, K>) -> Mat<T, C, K> {
        let mut out = Mat::ZERO;
        for k in 0..R {
            for i in 0..C {
                add_scaled(&mut out.0[i], self.0[k][i], &other.0[k]);
            }
        }
        out
    }

    /// Subtracts the product of the transpose of one matrix and another.
    #[inline(always)]
    pub fn subtract_transpose_mul<const K: usize>(&mut self, a: &Mat<T, K, R>, b: &Mat<T, K, C>) {
        for i in 0..R {
            // Summed in registers.
            let mut row = self.0[i];
            for k in 0..K {
                add_scaled(&mut row, -a.0[k][i], &b.0[k]);
            }
            self.0[i] = row;
        }
    }

    /// Adds `scale · a bᵀ`.
    #[inline(always)]
    pub fn add_outer(&mut self, scale: T, a: &[T; R], b: &[T; C]) {
        for i in 0..R {
            add_scaled(&mut self.0[i], scale * a[i], b);
        }
    }

    /// Adds `scale · other`.
    #[inline(always)]
    pub fn add_scaled(&mut self, scale: T, other: &Self) {
        for i in 0..R {
            add_scaled(&mut self.0[i], scale, &other.0[i]);
        }
    }
}

impl<T: Real, const N: usize> Mat<T, N, N> {
    /// The diagonal matrix.
    pub fn diagonal(d: [T; N]) -> Self {
        Self::from_fn(|i, j| if i == j { d[i] } else { T::ZERO })
    }

    /// Ones on the diagonal.
    pub fn identity() -> Self {
        Self::diagonal([T::ONE; N])
    }
}

/// Inner product.
pub fn dot<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> T {
    let mut sum = T::ZERO;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

/// `out += scale · v`.
#[inline(always)]
pub fn add_scaled<T: Real, const N: usize>(out: &mut [T; N], scale: T, v: &[T; N]) {
    for i in 0..N {
        out[i] += scale * v[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Mat<f64, 2, 3> = Mat([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);

    #[test]
    fn products_by_hand() {
        assert_eq!(A.mul_vec(&[1.0, 0.0, -1.0]), [-2.0, -2.0]);
        assert_eq!(A.transpose_mul_vec(&[1.0, -1.0]), [-3.0, -3.0, -3.0]);
        assert_eq!(A.mul(&A.transpose()), Mat([[14.0, 32.0], [32.0, 77.0]]));
        assert_eq!(A.transpose_mul(&A), A.transpose().mul(&A));
    }

    #[test]
    fn sums_by_hand() {
        let mut m = Mat::<f64, 2, 2>::identity();
        m.add_outer(2.0, &[1.0, 2.0], &[3.0, 4.0]);
        assert_eq!(m, Mat([[7.0, 8.0], [12.0, 17.0]]));
        m.add_scaled(-1.0, &Mat::diagonal([7.0, 17.0]));
        assert_eq!(m, Mat([[0.0, 8.0], [12.0, 0.0]]));
    }
}
