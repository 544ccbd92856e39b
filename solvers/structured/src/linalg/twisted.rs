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

    /// Factors the row and eliminates its unknown `x`, after what the row before took; returns what it takes from the next.
    #[inline]
    pub fn eliminate(&mut self, x: &mut DVec3, taken: &Taken) -> Taken {
        let inverse = (self.diagonal - taken.diagonal).inverse();
        let gain = inverse * self.coupling;
        *x -= taken.rhs;
        let taken = Taken { diagonal: self.coupling.transpose() * gain, rhs: gain.transpose() * *x };
        (self.diagonal, self.coupling) = (inverse, gain);
        taken
    }

    /// [`TwistedNode::eliminate`] of a row that is factored.
    #[inline]
    pub fn reduce(&self, x: &mut DVec3, taken: DVec3) -> DVec3 {
        *x -= taken;
        self.coupling.transpose() * *x
    }

    /// The unknown of an eliminated row, given that of the next one towards the middle.
    #[inline]
    pub fn substitute(&self, x: DVec3, next: DVec3) -> DVec3 {
        self.diagonal * x - self.coupling * next
    }
}

/// What the elimination of a row takes from the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// From its diagonal block.
    pub diagonal: DMat3,
    /// From its right-hand side.
    pub rhs: DVec3,
}

impl Taken {
    /// Before the first row.
    pub const NOTHING: Self = Self { diagonal: DMat3::ZERO, rhs: DVec3::ZERO };
}

/// Row that is eliminated last.
pub fn middle(count: usize) -> usize {
    count / 2
}

/// The first half of a solve with factors: eliminates towards the middle.
pub fn reduce(node: &[TwistedNode], x: &mut [DVec3]) {
    let Some(x) = Halves::of(x) else { return };
    let (left, right) = (&node[..x.before.len()], &node[x.before.len() + 1..]);
    let (a, b) = both(
        left.len(),
        || left.iter().zip(x.before).fold(DVec3::ZERO, |taken, (node, x)| node.reduce(x, taken)),
        || right.iter().zip(x.after).rev().fold(DVec3::ZERO, |taken, (node, x)| node.reduce(x, taken)),
    );
    *x.middle -= a + b;
}

/// The second half: from the middle outwards.
pub fn substitute(node: &[TwistedNode], x: &mut [DVec3]) {
    let Some(x) = Halves::of(x) else { return };
    let (left, rest) = node.split_at(x.before.len());
    *x.middle = rest[0].diagonal * *x.middle;
    let first = *x.middle;
    let back = |next: DVec3, (node, x): (&TwistedNode, &mut DVec3)| {
        *x = node.substitute(*x, next);
        *x
    };
    both(
        left.len(),
        || left.iter().zip(x.before).rev().fold(first, back),
        || rest[1..].iter().zip(x.after).fold(first, back),
    );
}

/// Rows on both sides of the one that is eliminated last.
pub struct Halves<'a, T> {
    /// Rows before it.
    pub before: &'a mut [T],
    /// The row itself.
    pub middle: &'a mut T,
    /// Rows after it.
    pub after: &'a mut [T],
}

impl<'a, T> Halves<'a, T> {
    /// Splits the rows; none if there are none.
    pub fn of(all: &'a mut [T]) -> Option<Self> {
        let (before, rest) = all.split_at_mut(middle(all.len()));
        let (middle, after) = rest.split_first_mut()?;
        Some(Self { before, middle, after })
    }
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

    /// Factors in place and takes the first half of a solve for `x` along, as the chain does while it forms its nodes.
    fn factor_and_reduce(node: &mut [TwistedNode], x: &mut [DVec3]) {
        let (Some(nodes), Some(x)) = (Halves::of(node), Halves::of(x)) else { return };
        let (a, b) = both(
            nodes.before.len(),
            || nodes.before.iter_mut().zip(x.before).fold(Taken::NOTHING, |t, (node, x)| node.eliminate(x, &t)),
            || nodes.after.iter_mut().zip(x.after).rev().fold(Taken::NOTHING, |t, (node, x)| node.eliminate(x, &t)),
        );
        nodes.middle.diagonal = (nodes.middle.diagonal - a.diagonal - b.diagonal).inverse();
        *x.middle -= a.rhs + b.rhs;
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
