//! Block tridiagonal systems with 3×3 blocks, symmetric positive definite, eliminated from both ends towards
//! the middle: no more work than from one end, half the critical path, and two halves that run in parallel.

use glamx::{DMat3, DVec3};

/// Blocks below which one thread does both halves: handing over costs more.
const SEQUENTIAL: usize = 8192;

/// A row of blocks: the diagonal one, and the one that couples to the next row on the way to the middle
/// (rows: this, columns: next). Factored: the inverse of the eliminated diagonal, and its product with the
/// coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistedNode {
    /// Diagonal block, or its inverse once eliminated.
    pub diagonal: DMat3,
    /// Coupling towards the middle, or the gain G = D⁻¹ C.
    pub coupling: DMat3,
}

impl TwistedNode {
    /// A row on its own with nothing to solve for.
    pub const EMPTY: Self = Self { diagonal: DMat3::IDENTITY, coupling: DMat3::ZERO };
}

/// Row that is eliminated last.
pub fn middle(count: usize) -> usize {
    count / 2
}

/// Factors in place and takes the first half of a solve for `x` along.
pub fn factor_and_reduce(node: &mut [TwistedNode], x: &mut [DVec3]) {
    let Some((parts, parts_x)) = split(node, x) else { return };
    let ([left, right], [left_x, right_x]) = (parts.halves, parts_x.halves);
    let (a, b) = both(
        left.len() + right.len(),
        || reduce_half(left.iter_mut().zip(left_x.iter_mut())),
        || reduce_half(right.iter_mut().zip(right_x.iter_mut()).rev()),
    );
    parts.middle.diagonal = (parts.middle.diagonal - a.0 - b.0).inverse();
    *parts_x.middle -= a.1 + b.1;
}

/// The first half of a solve with factors: eliminates towards the middle.
pub fn reduce(node: &[TwistedNode], x: &mut [DVec3]) {
    let middle = middle(node.len());
    if node.is_empty() {
        return;
    }
    let (left_x, rest) = x.split_at_mut(middle);
    let (own, right_x) = rest.split_at_mut(1);
    let forward = |(node, x): (&TwistedNode, &mut DVec3), taken: DVec3| {
        *x -= taken;
        node.coupling.transpose() * *x
    };
    let (a, b) = both(
        node.len(),
        || node[..middle].iter().zip(left_x).fold(DVec3::ZERO, |taken, pair| forward(pair, taken)),
        || node[middle + 1..].iter().zip(right_x).rev().fold(DVec3::ZERO, |taken, pair| forward(pair, taken)),
    );
    own[0] -= a + b;
}

/// The second half: from the middle outwards.
pub fn substitute(node: &[TwistedNode], x: &mut [DVec3]) {
    let middle = middle(node.len());
    if node.is_empty() {
        return;
    }
    let (left_x, rest) = x.split_at_mut(middle);
    let (own, right_x) = rest.split_at_mut(1);
    own[0] = node[middle].diagonal * own[0];
    let first = own[0];
    let back = |(node, x): (&TwistedNode, &mut DVec3), next: DVec3| {
        *x = node.diagonal * *x - node.coupling * next;
        *x
    };
    both(
        node.len(),
        || node[..middle].iter().zip(left_x).rev().fold(first, |next, pair| back(pair, next)),
        || node[middle + 1..].iter().zip(right_x).fold(first, |next, pair| back(pair, next)),
    );
}

struct Split<'a, T> {
    halves: [&'a mut [T]; 2],
    middle: &'a mut T,
}

fn split<'a, T, U>(node: &'a mut [T], x: &'a mut [U]) -> Option<(Split<'a, T>, Split<'a, U>)> {
    Some((split_one(node)?, split_one(x)?))
}

fn split_one<T>(all: &mut [T]) -> Option<Split<'_, T>> {
    let (left, rest) = all.split_at_mut(middle(all.len()));
    let (middle, right) = rest.split_first_mut()?;
    Some(Split { halves: [left, right], middle })
}

/// Eliminates the rows of a half; returns what is taken from the diagonal and the right-hand side of the
/// middle.
fn reduce_half<'a>(rows: impl Iterator<Item = (&'a mut TwistedNode, &'a mut DVec3)>) -> (DMat3, DVec3) {
    let mut taken = (DMat3::ZERO, DVec3::ZERO);
    for (node, x) in rows {
        let inverse = (node.diagonal - taken.0).inverse();
        let gain = inverse * node.coupling;
        *x -= taken.1;
        taken = (node.coupling.transpose() * gain, gain.transpose() * *x);
        (node.diagonal, node.coupling) = (inverse, gain);
    }
    taken
}

fn both<A: Send, B: Send>(count: usize, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if count < SEQUENTIAL { (a(), b()) } else { rayon::join(a, b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::testing::{Dense, Random, max_abs_difference};

    fn random_matrix(random: &mut Random) -> DMat3 {
        DMat3::from_cols_array(&std::array::from_fn(|_| random.signed()))
    }

    #[test]
    fn agrees_with_dense_elimination() {
        let mut random = Random::new(61);
        for count in [1, 2, 3, 4, 7, 20] {
            let mut dense = Dense::zero(3 * count);
            let mut node = vec![TwistedNode::EMPTY; count];
            let rows = |m: DMat3| std::array::from_fn::<_, 3, _>(|i| std::array::from_fn::<_, 3, _>(|j| m.col(j)[i]));
            for i in 0..count {
                let b = random_matrix(&mut random);
                node[i].diagonal = b * b.transpose() + DMat3::IDENTITY * 4.0;
                dense.add_block(3 * i, 3 * i, &rows(node[i].diagonal));
                if i + 1 < count {
                    let c = random_matrix(&mut random);
                    dense.add_block(3 * i, 3 * i + 3, &rows(c));
                    dense.add_block(3 * i + 3, 3 * i, &rows(c.transpose()));
                    if i < middle(count) {
                        node[i].coupling = c;
                    } else {
                        node[i + 1].coupling = c.transpose();
                    }
                }
            }
            for again in [false, true] {
                let b: Vec<f64> = (0..3 * count).map(|_| random.signed()).collect();
                let mut x: Vec<DVec3> = b.chunks(3).map(DVec3::from_slice).collect();
                if again {
                    reduce(&node, &mut x);
                } else {
                    factor_and_reduce(&mut node, &mut x);
                }
                substitute(&node, &mut x);
                let flat: Vec<f64> = x.iter().flat_map(|x| x.to_array()).collect();
                assert!(max_abs_difference(&flat, &dense.solve(&b)) < 1e-12, "{count} {again}");
            }
        }
    }
}
