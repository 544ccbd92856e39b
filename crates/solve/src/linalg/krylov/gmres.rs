//! Generalised minimal residuals of Saad and Schultz, for systems of any kind that few products solve.

use super::{Ending, Outcome, Stop, combine, dot, norm, residual_of};
use drystone_kernels::elementary::hypot;

/// A new direction below this share of its product is rounding: the space is used up.
const USED_UP: f64 = 1.0e-14;

/// Solves A x = b for any A. `x` holds the first guess and receives the answer. Every product keeps a vector and is made orthogonal to
/// all before it, so this is for few of them: the work grows with the square of their number.
pub fn gmres(mut apply: impl FnMut(&[f64], &mut [f64]), b: &[f64], x: &mut [f64], stop: Stop) -> Outcome {
    let mut residual = vec![0.0; b.len()];
    let start = residual_of(&mut apply, b, x, &mut residual);
    if start <= stop.residual {
        return Outcome { ending: Ending::Converged, iterations: 0, residual: start };
    }
    let mut space =
        Space { basis: vec![scaled(&residual, 1.0 / start)], column: vec![], turn: vec![], rest: vec![start] };
    let mut ending = Ending::IterationLimit;
    for _ in 0..stop.max_iterations.min(b.len()) {
        let (left, used_up) = space.extend(&mut apply);
        if left <= stop.residual || used_up {
            ending = if left <= stop.residual { Ending::Converged } else { Ending::Breakdown };
            break;
        }
    }
    let iterations = space.column.len();
    space.add_best(x);
    Outcome { ending, iterations, residual: residual_of(&mut apply, b, x, &mut residual) }
}

/// The space spanned so far: A times its basis is the next basis times a matrix of columns, which rotations have made triangular.
struct Space {
    basis: Vec<Vec<f64>>,
    column: Vec<Vec<f64>>,
    /// Cosine and sine of every rotation.
    turn: Vec<[f64; 2]>,
    /// The residual in the rotated basis.
    rest: Vec<f64>,
}

impl Space {
    /// Adds a direction; returns the norm of the residual that is left, and whether there is no other direction.
    fn extend(&mut self, apply: &mut impl FnMut(&[f64], &mut [f64])) -> (f64, bool) {
        let last = self.column.len();
        let mut next = vec![0.0; self.basis[last].len()];
        apply(&self.basis[last], &mut next);
        let size = norm(&next);
        let mut column = Vec::with_capacity(last + 1);
        for basis in &self.basis {
            let share = dot(&next, basis);
            combine(&mut next, -share, basis, 1.0);
            column.push(share);
        }
        let new = norm(&next);
        for (i, [c, s]) in self.turn.iter().enumerate() {
            (column[i], column[i + 1]) = (c * column[i] + s * column[i + 1], c * column[i + 1] - s * column[i]);
        }
        let length = hypot(column[last], new);
        let [c, s] = if length > 0.0 { [column[last] / length, new / length] } else { [1.0, 0.0] };
        column[last] = length;
        let rest = self.rest[last];
        self.rest[last] = c * rest;
        self.rest.push(-s * rest);
        self.turn.push([c, s]);
        self.column.push(column);
        let used_up = new <= USED_UP * size;
        if !used_up {
            self.basis.push(scaled(&next, 1.0 / new));
        }
        ((s * rest).abs(), used_up)
    }

    /// Adds the combination of the basis that leaves least.
    fn add_best(&self, x: &mut [f64]) {
        let count = self.column.len();
        let mut share = vec![0.0; count];
        for i in (0..count).rev() {
            let known: f64 = (i + 1..count).map(|j| self.column[j][i] * share[j]).sum();
            // A direction that A takes to nothing is of no use.
            share[i] = if self.column[i][i] > 0.0 { (self.rest[i] - known) / self.column[i][i] } else { 0.0 };
        }
        share.iter().zip(&self.basis).for_each(|(share, basis)| combine(x, *share, basis, 1.0));
    }
}

fn scaled(x: &[f64], by: f64) -> Vec<f64> {
    x.iter().map(|x| x * by).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;

    fn product(matrix: &[Vec<f64>]) -> impl FnMut(&[f64], &mut [f64]) + '_ {
        move |x, out| out.iter_mut().zip(matrix).for_each(|(out, row)| *out = dot(row, x))
    }

    #[test]
    fn any_matrix_is_solved_in_as_many_products_as_it_has_rows() {
        let mut random = Random::new(3);
        for n in [1, 5, 30] {
            let matrix: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random.signed()).collect()).collect();
            let expected: Vec<f64> = (0..n).map(|_| random.signed()).collect();
            let (mut b, mut x) = (vec![0.0; n], vec![0.0; n]);
            product(&matrix)(&expected, &mut b);
            let outcome = gmres(product(&matrix), &b, &mut x, Stop::relative(1e-13, &b, 100));
            assert!(outcome.iterations <= n && outcome.residual < 1e-10 * norm(&b), "{n} {outcome:?}");
            let off = x.iter().zip(&expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(off < 1e-7, "{n}: {off}");
        }
    }

    /// One and a matrix of rank two: three products, however large.
    #[test]
    fn a_change_of_rank_two_takes_three_products() {
        let mut random = Random::new(4);
        let [u, v, p, q, b] = [0; 5].map(|_| (0..50).map(|_| random.signed()).collect::<Vec<f64>>());
        let mut x = vec![0.0; 50];
        let apply = |x: &[f64], out: &mut [f64]| {
            let [a, b] = [dot(&v, x), dot(&q, x)];
            (0..50).for_each(|i| out[i] = x[i] + u[i] * a + p[i] * b);
        };
        let outcome = gmres(apply, &b, &mut x, Stop::relative(1e-10, &b, 50));
        assert_eq!((outcome.ending, outcome.iterations), (Ending::Converged, 3));
    }

    #[test]
    fn what_cannot_be_solved_ends() {
        let mut x = vec![0.0; 2];
        let outcome = gmres(
            |x, out| out.copy_from_slice(&[x[0], 0.0]),
            &[1.0, 1.0],
            &mut x,
            Stop { residual: 1e-9, max_iterations: 9 },
        );
        assert!(outcome.ending != Ending::Converged && x.iter().all(|x| x.is_finite()), "{outcome:?} {x:?}");
    }
}
