//! Block tridiagonal systems with 3×3 blocks, symmetric positive definite, eliminated from both ends towards
//! the middle: no more work than from one end, half the critical path, and two halves that run in parallel.

use glamx::{DMat3, DVec3};

/// Blocks below which one thread does both halves: handing over costs more.
const SEQUENTIAL: usize = 8192;

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric(pub [f64; 6]);

impl Symmetric {
    /// The product with a vector.
    #[inline(always)]
    pub fn times(&self, v: DVec3) -> DVec3 {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        DVec3::new(xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z)
    }

    /// The inverse, by cofactors.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
        let scale = 1.0 / (xx * a + xy * b + xz * c);
        Self([a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy].map(|x| x * scale))
    }

    /// This with the entries of another added by `sign`.
    #[inline(always)]
    pub fn plus(&self, sign: f64, other: &Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + sign * other.0[k]))
    }

    /// The product with a matrix.
    #[inline(always)]
    fn times_matrix(&self, m: &DMat3) -> DMat3 {
        DMat3::from_cols(self.times(m.x_axis), self.times(m.y_axis), self.times(m.z_axis))
    }
}

/// A row that was eliminated: the inverse of what was left of its diagonal block, and the gain G = D⁻¹ C with the block
/// that couples to the next row on the way to the middle (rows: this, columns: next).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// D⁻¹.
    pub inverse: Symmetric,
    /// G.
    pub gain: DMat3,
}

impl Row {
    /// Factors a row and eliminates its unknown `x`, after what the row before took; also returns what it takes from the next.
    #[inline(always)]
    pub fn eliminate(diagonal: &Symmetric, coupling: &DMat3, x: &mut DVec3, taken: &Taken) -> (Self, Taken) {
        let inverse = diagonal.plus(-1.0, &taken.diagonal).inverse();
        let gain = inverse.times_matrix(coupling);
        *x -= taken.rhs;
        let (c, g) = (coupling, &gain);
        let diagonal = Symmetric([
            c.x_axis.dot(g.x_axis),
            c.x_axis.dot(g.y_axis),
            c.x_axis.dot(g.z_axis),
            c.y_axis.dot(g.y_axis),
            c.y_axis.dot(g.z_axis),
            c.z_axis.dot(g.z_axis),
        ]);
        let taken = Taken { diagonal, rhs: reduce(&gain, *x) };
        (Self { inverse, gain }, taken)
    }
}

/// What an eliminated row with right-hand side `x` takes from that of the next.
#[inline(always)]
pub fn reduce(gain: &DMat3, x: DVec3) -> DVec3 {
    DVec3::new(gain.x_axis.dot(x), gain.y_axis.dot(x), gain.z_axis.dot(x))
}

/// The unknown of an eliminated row, given that of the next one towards the middle.
#[inline(always)]
pub fn substitute(inverse: &Symmetric, gain: &DMat3, x: DVec3, next: DVec3) -> DVec3 {
    inverse.times(x) - *gain * next
}

/// What the elimination of a row takes from the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// From its diagonal block.
    pub diagonal: Symmetric,
    /// From its right-hand side.
    pub rhs: DVec3,
}

/// Row that is eliminated last.
pub fn middle(count: usize) -> usize {
    count / 2
}

/// Does both halves, of about `count` rows each, in parallel if that pays.
pub fn both<A: Send, B: Send>(count: usize, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if 2 * count < SEQUENTIAL { (a(), b()) } else { rayon::join(a, b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;
    use drystone_solve::testing::{Dense, max_abs_difference};

    fn random_matrix(random: &mut Random) -> DMat3 {
        DMat3::from_cols_array(&std::array::from_fn(|_| random.signed()))
    }

    fn symmetric(m: &DMat3) -> Symmetric {
        Symmetric([m.x_axis.x, m.y_axis.x, m.z_axis.x, m.y_axis.y, m.z_axis.y, m.z_axis.z])
    }

    /// Eliminates rows in order; what is left is taken from the row after them.
    fn eliminated(rows: &[(Symmetric, DMat3)], x: &mut [DVec3]) -> (Vec<Row>, Taken) {
        let mut taken = Taken::default();
        let step = |((diagonal, coupling), x): (&(Symmetric, DMat3), &mut DVec3)| {
            let (row, next) = Row::eliminate(diagonal, coupling, x, &taken);
            taken = next;
            row
        };
        (rows.iter().zip(x).map(step).collect(), taken)
    }

    #[test]
    fn agrees_with_dense_elimination() {
        let mut random = Random::new(61);
        for count in [1, 2, 3, 4, 7, 20] {
            let mut dense = Dense::zero(3 * count);
            let (mut diagonal, mut coupling) = (Vec::new(), Vec::new());
            let rows = |m: DMat3| std::array::from_fn::<_, 3, _>(|i| std::array::from_fn::<_, 3, _>(|j| m.col(j)[i]));
            for i in 0..count {
                let b = random_matrix(&mut random);
                let own = b * b.transpose() + DMat3::IDENTITY * 4.0;
                dense.add_block(3 * i, 3 * i, &rows(own));
                diagonal.push(symmetric(&own));
                let c = random_matrix(&mut random);
                if i + 1 < count {
                    dense.add_block(3 * i, 3 * i + 3, &rows(c));
                    dense.add_block(3 * i + 3, 3 * i, &rows(c.transpose()));
                }
                coupling.push(c);
            }
            let b: Vec<f64> = (0..3 * count).map(|_| random.signed()).collect();
            let mut x: Vec<DVec3> = b.chunks(3).map(DVec3::from_slice).collect();
            let last = middle(count);
            let before: Vec<_> = (0..last).map(|i| (diagonal[i], coupling[i])).collect();
            let after: Vec<_> = (last + 1..count).rev().map(|i| (diagonal[i], coupling[i - 1].transpose())).collect();
            let mut mirrored: Vec<DVec3> = x[last + 1..].iter().rev().copied().collect();
            let (a, from_a) = eliminated(&before, &mut x[..last]);
            let (b_rows, from_b) = eliminated(&after, &mut mirrored);
            let left = diagonal[last].plus(-1.0, &from_a.diagonal).plus(-1.0, &from_b.diagonal);
            x[last] = left.inverse().times(x[last] - from_a.rhs - from_b.rhs);
            let back = |rows: &[Row], x: &mut [DVec3], mut next: DVec3| {
                for (row, x) in rows.iter().zip(x).rev() {
                    *x = substitute(&row.inverse, &row.gain, *x, next);
                    next = *x;
                }
            };
            let found = x[last];
            back(&a, &mut x[..last], found);
            back(&b_rows, &mut mirrored, found);
            x[last + 1..].iter_mut().rev().zip(mirrored).for_each(|(x, found)| *x = found);
            let flat: Vec<f64> = x.iter().flat_map(|x| x.to_array()).collect();
            assert!(max_abs_difference(&flat, &dense.solve(&b)) < 1e-12, "{count}");
        }
    }
}
