//! Cholesky factorisation of dense symmetric positive semi-definite matrices of any size, with diagonal
//! pivoting: what depends on other rows is found last and left out.

/// A pivot below this fraction of its diagonal entry is rounding error: the row depends on others.
const NO_PIVOT: f64 = 1e-13;

/// Pᵀ A P = L Lᵀ with the rows in pivot order.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    n: usize,
    /// L row by row in pivot order.
    lower: Vec<f64>,
    /// Row of A at every place of the pivot order.
    order: Vec<u32>,
    rank: usize,
    diagonal: Vec<f64>,
    work: Vec<f64>,
}

impl Cholesky {
    /// Factors the matrix of `n` rows, of which the lower triangle is read. Allocation-free once grown.
    pub fn factor(&mut self, n: usize, a: &[f64]) {
        self.n = n;
        self.lower.clear();
        self.lower.extend_from_slice(&a[..n * n]);
        self.order.clear();
        self.order.extend(0..n as u32);
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| a[i * n + i]));
        self.rank = 0;
        while self.rank < n {
            let place = self.rank;
            let Some(best) = self.best_pivot(place) else { break };
            self.swap(place, best);
            self.eliminate(place);
            self.rank += 1;
        }
    }

    /// The row whose pivot is the largest share of its diagonal entry; the first of equals.
    fn best_pivot(&self, place: usize) -> Option<usize> {
        let share = |i: usize| self.lower[i * self.n + i] / self.diagonal[i];
        let mut best = None;
        let mut most = NO_PIVOT;
        for i in place..self.n {
            if share(i) > most {
                (best, most) = (Some(i), share(i));
            }
        }
        best
    }

    /// Swaps two rows and columns of the lower triangle, `a` before `b`.
    fn swap(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        let n = self.n;
        self.order.swap(a, b);
        self.diagonal.swap(a, b);
        for k in 0..a {
            self.lower.swap(a * n + k, b * n + k);
        }
        for k in a + 1..b {
            self.lower.swap(k * n + a, b * n + k);
        }
        for k in b + 1..n {
            self.lower.swap(k * n + a, k * n + b);
        }
        self.lower.swap(a * n + a, b * n + b);
    }

    /// Takes the column of a pivot out of the rows below it.
    fn eliminate(&mut self, place: usize) {
        let n = self.n;
        let pivot = self.lower[place * n + place].sqrt();
        self.lower[place * n + place] = pivot;
        self.work.clear();
        self.work.resize(n, 0.0);
        for i in place + 1..n {
            self.lower[i * n + place] /= pivot;
            self.work[i] = self.lower[i * n + place];
        }
        for i in place + 1..n {
            let own = self.work[i];
            let row = &mut self.lower[i * n + place + 1..=i * n + i];
            row.iter_mut().zip(&self.work[place + 1..=i]).for_each(|(entry, other)| *entry -= own * other);
        }
    }

    /// Rows kept; `n` for a definite matrix.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Solves A x = b in place. Unknowns of rows left out come out zero, which solves any system that has
    /// a solution.
    pub fn solve(&mut self, x: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        self.work.clear();
        self.work.extend(self.order.iter().map(|&row| x[row as usize]));
        let work = &mut self.work;
        for i in 0..rank {
            let known: f64 = self.lower[i * n..i * n + i].iter().zip(&*work).map(|(l, x)| l * x).sum();
            work[i] = (work[i] - known) / self.lower[i * n + i];
        }
        work[rank..].fill(0.0);
        for i in (0..rank).rev() {
            work[i] /= self.lower[i * n + i];
            let value = work[i];
            let row = &self.lower[i * n..i * n + i];
            work[..i].iter_mut().zip(row).for_each(|(x, l)| *x -= l * value);
        }
        for (&row, value) in self.order.iter().zip(&*work) {
            x[row as usize] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Dense, max_abs_difference};
    use drystone_random::Random;

    /// B Bᵀ with B of the given rank.
    fn gram(n: usize, rank: usize, random: &mut Random) -> Dense {
        let b: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| random.signed()).collect()).collect();
        let mut a = Dense::zero(n);
        for i in 0..n {
            for j in 0..n {
                a.entry[i * n + j] = b[i].iter().zip(&b[j]).map(|(x, y)| x * y).sum();
            }
        }
        a
    }

    #[test]
    fn solves_definite_and_dependent_systems() {
        let mut random = Random::new(31);
        let mut factor = Cholesky::default();
        for (n, rank) in [(1, 1), (5, 9), (12, 20), (12, 7), (30, 11)] {
            let a = gram(n, rank, &mut random);
            let b = a.mul_vec(&(0..n).map(|_| random.signed()).collect::<Vec<_>>());
            factor.factor(n, &a.entry);
            assert_eq!(factor.rank(), n.min(rank));
            let mut x = b.clone();
            factor.solve(&mut x);
            assert!(max_abs_difference(&a.mul_vec(&x), &b) < 1e-10, "{n} of rank {rank}");
        }
    }

    #[test]
    fn rows_of_different_units_do_not_disturb_each_other() {
        let mut random = Random::new(32);
        let mut a = gram(6, 10, &mut random);
        let scale = [1e6, 1.0, 1e-6, 1e3, 1e-3, 1.0];
        for i in 0..6 {
            for j in 0..6 {
                a.entry[i * 6 + j] *= scale[i] * scale[j];
            }
        }
        let mut factor = Cholesky::default();
        factor.factor(6, &a.entry);
        assert_eq!(factor.rank(), 6);
        let wanted: Vec<f64> = scale.iter().map(|s| 1.0 / s).collect();
        let mut x = a.mul_vec(&wanted);
        factor.solve(&mut x);
        for i in 0..6 {
            assert!((x[i] * scale[i] - 1.0).abs() < 1e-9);
        }
    }
}
