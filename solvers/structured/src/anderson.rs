//! Anderson's acceleration of a fixed-point iteration x ← g(x).
//!
//! Of the last few iterates it takes the affine combination whose misses g(x) − x add up to the least, and goes on from there.
//! For a linear g that is what minimal residuals do; near a fixed point most g are.

/// Iterates that are combined.
const WINDOW: usize = 6;
/// Share of the squares of the misses that is added to keep combinations bounded.
const DAMPING: f64 = 1.0e-12;

/// The iterates of one iteration.
#[derive(Clone, Debug, Default)]
pub struct Anderson {
    /// Iterate and miss before this one.
    last: Option<[Vec<f64>; 2]>,
    /// Differences of iterates and of misses, newest last.
    difference: Vec<[Vec<f64>; 2]>,
}

impl Anderson {
    /// Begins a new iteration.
    pub fn restart(&mut self) {
        self.last = None;
        self.difference.clear();
    }

    /// The next iterate after `x`, which misses by `miss` = g(x) − x; it replaces `x`.
    pub fn advance(&mut self, x: &mut [f64], miss: &[f64]) {
        if let Some([last_x, last_miss]) = self.last.take() {
            if self.difference.len() == WINDOW {
                self.difference.remove(0);
            }
            self.difference.push([minus(x, &last_x), minus(miss, &last_miss)]);
        }
        self.last = Some([x.to_vec(), miss.to_vec()]);
        let share = self.least_squares(miss);
        for (i, x) in x.iter_mut().enumerate() {
            *x += miss[i];
            for ([of_x, of_miss], share) in self.difference.iter().zip(&share) {
                *x -= share * (of_x[i] + of_miss[i]);
            }
        }
    }

    /// The shares of the differences that leave least of the miss, by the normal equations and Cholesky's factors.
    fn least_squares(&self, miss: &[f64]) -> Vec<f64> {
        let n = self.difference.len();
        let column = |k: usize| &self.difference[k][1];
        let mut factor = [[0.0; WINDOW]; WINDOW];
        let mut share: Vec<f64> = (0..n).map(|k| dot(column(k), miss)).collect();
        let trace: f64 = (0..n).map(|k| dot(column(k), column(k))).sum();
        for i in 0..n {
            for j in 0..=i {
                let mut rest = dot(column(i), column(j)) - (0..j).map(|k| factor[i][k] * factor[j][k]).sum::<f64>();
                if i == j {
                    rest = (rest + DAMPING * trace).max(DAMPING * trace).sqrt();
                    factor[i][i] = rest;
                } else {
                    factor[i][j] = if factor[j][j] > 0.0 { rest / factor[j][j] } else { 0.0 };
                }
            }
        }
        let divide = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        for i in 0..n {
            let rest = share[i] - (0..i).map(|k| factor[i][k] * share[k]).sum::<f64>();
            share[i] = divide(rest, factor[i][i]);
        }
        for i in (0..n).rev() {
            let rest = share[i] - (i + 1..n).map(|k| factor[k][i] * share[k]).sum::<f64>();
            share[i] = divide(rest, factor[i][i]);
        }
        share
    }
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;

    /// A linear map of n dimensions is solved in n + 1 passes, also one that passes alone would run away from.
    #[test]
    fn a_linear_map_is_solved_in_as_many_passes_as_it_has_dimensions() {
        let mut random = Random::new(7);
        const N: usize = 4;
        for size in [0.5, 3.0] {
            let matrix: [[f64; N]; N] = std::array::from_fn(|_| std::array::from_fn(|_| size * random.signed()));
            let offset: [f64; N] = std::array::from_fn(|_| random.signed());
            let miss = |x: &[f64]| -> Vec<f64> { (0..N).map(|i| offset[i] + dot(&matrix[i], x) - x[i]).collect() };
            let (mut x, mut anderson) = (vec![0.0; N], Anderson::default());
            let first = dot(&miss(&x), &miss(&x)).sqrt();
            for _ in 0..N + 2 {
                let by = miss(&x);
                anderson.advance(&mut x, &by);
            }
            let left = dot(&miss(&x), &miss(&x)).sqrt();
            assert!(left < 1e-6 * first, "{size}: {left} of {first}");
        }
    }

    /// Fixed points stay: no difference is left to combine.
    #[test]
    fn what_misses_nothing_stays() {
        let (mut x, mut anderson) = (vec![1.0, 2.0], Anderson::default());
        for _ in 0..3 {
            anderson.advance(&mut x, &[0.0, 0.0]);
        }
        assert_eq!(x, [1.0, 2.0]);
    }
}
