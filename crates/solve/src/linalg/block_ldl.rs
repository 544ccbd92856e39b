//! Direct solution of H x = r for a graph of bodies with N×N blocks (6 for rigid, 12 for affine bodies), H symmetric positive definite.
//!
//! With D the diagonal block of a body when its turn comes, C_j its couplings to the bodies left
//! around it (rows: body, columns: j) and G_j = D⁻¹ C_j:
//!
//!   factor:  D_j −= C_jᵀ G_j,  C_jk −= C_jᵀ G_k
//!   solve:   r_j −= G_jᵀ r,  then backwards  x = D⁻¹ r − Σ G_j x_j
//!
//! On a tree every body has one neighbour left, and this is the linear-time elimination from the
//! leaves; a loop adds a second neighbour to the bodies along it.

use drystone_kernels::lanes::{self, Lanes, Task};

use super::ldl::Ldl;
use super::matrix::Mat;
use crate::graph::elimination::Elimination;

/// A block matrix over a joint graph and its factor.
#[derive(Clone, Debug, Default)]
pub struct BlockLdl<const N: usize = 6> {
    order: Elimination,
    diagonal: Vec<Mat<f64, N, N>>,
    coupling: Vec<Mat<f64, N, N>>,
    gain: Vec<Mat<f64, N, N>>,
    /// Which couplings are not zero: a pattern may have room for more than there are.
    live: Vec<bool>,
    factor: Vec<Ldl<f64, N>>,
    /// Nodes that take part.
    present: Vec<bool>,
    work: Vec<[f64; N]>,
}

/// The factoring of a matrix, compiled for wide registers where there are any.
struct Factoring<'a, const N: usize>(&'a mut BlockLdl<N>);

impl<const N: usize> Task for Factoring<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        self.0.eliminate();
    }
}

impl<const N: usize> BlockLdl<N> {
    /// A matrix of zeros with the given pattern.
    pub fn new(order: Elimination) -> Self {
        let (nodes, entries) = (order.count(), order.entry_count());
        Self {
            order,
            diagonal: vec![Mat::ZERO; nodes],
            coupling: vec![Mat::ZERO; entries],
            gain: vec![Mat::ZERO; entries],
            live: vec![false; entries],
            factor: vec![Ldl::default(); nodes],
            present: vec![false; nodes],
            work: vec![[0.0; N]; nodes],
        }
    }

    /// Sets all blocks to zero. Nodes whose diagonal block is not asked for afterwards take no part: what they are given
    /// as a right-hand side comes back as it is.
    pub fn clear(&mut self) {
        self.present.fill(false);
        self.live.fill(false);
    }

    /// A coupling to add to.
    #[inline(always)]
    fn enliven<'a>(entry: usize, live: &mut [bool], coupling: &'a mut [Mat<f64, N, N>]) -> &'a mut Mat<f64, N, N> {
        if !std::mem::replace(&mut live[entry], true) {
            coupling[entry] = Mat::ZERO;
        }
        &mut coupling[entry]
    }

    /// The diagonal block of a node.
    pub fn diagonal_mut(&mut self, node: u32) -> &mut Mat<f64, N, N> {
        let place = self.order.place(node);
        if !std::mem::replace(&mut self.present[place], true) {
            self.diagonal[place] = Mat::ZERO;
        }
        &mut self.diagonal[place]
    }

    /// Adds to the coupling of two nodes that share an edge; `block` has the rows of `a` and the
    /// columns of `b`.
    pub fn add_coupling(&mut self, a: u32, b: u32, block: &Mat<f64, N, N>) {
        let Some((entry, flipped)) = self.order.entry_of(a, b) else {
            debug_assert!(false, "nodes {a} and {b} share no edge");
            return;
        };
        let own = Self::enliven(entry, &mut self.live, &mut self.coupling);
        if flipped { own.add_scaled(1.0, &block.transpose()) } else { own.add_scaled(1.0, block) }
    }

    /// Factors, using up the blocks. Pivots that fail are left out, as [`Ldl::semidefinite`] does.
    pub fn factor(&mut self) {
        lanes::run(Factoring(self));
    }

    #[inline(always)]
    fn eliminate(&mut self) {
        let Self { order, diagonal, coupling, gain, live, factor, present, .. } = self;
        let mut updates = order.updates();
        for place in 0..order.count() {
            let range = order.entries(place);
            if !present[place] {
                let pairs = range.len() * range.len().saturating_sub(1) / 2;
                updates = &updates[pairs..];
                continue;
            }
            factor[place] = Ldl::semidefinite(&diagonal[place]);
            for entry in range.clone().filter(|&entry| live[entry]) {
                gain[entry] = factor[place].solve_mat(&coupling[entry]);
            }
            for (a, &later) in range.clone().zip(order.later(place)) {
                let (targets, rest) = updates.split_at(range.end - a - 1);
                updates = rest;
                if !live[a] {
                    continue;
                }
                let own = coupling[a];
                diagonal[later as usize].subtract_transpose_mul(&own, &gain[a]);
                for (b, &target) in (a + 1..range.end).zip(targets) {
                    if live[b] {
                        Self::enliven(target as usize, live, coupling).subtract_transpose_mul(&own, &gain[b]);
                    }
                }
            }
        }
    }

    /// Solves in place; `x` is indexed by node and holds the right-hand side on entry.
    pub fn solve(&mut self, x: &mut [[f64; N]]) {
        let Self { order, gain, live, factor, present, work, .. } = self;
        for (node, value) in x.iter().enumerate() {
            work[order.place(node as u32)] = *value;
        }
        for place in (0..order.count()).filter(|&place| present[place]) {
            let own = work[place];
            for (entry, &later) in order.entries(place).zip(order.later(place)).filter(|(entry, _)| live[*entry]) {
                let taken = gain[entry].transpose_mul_vec(&own);
                (0..N).for_each(|i| work[later as usize][i] -= taken[i]);
            }
        }
        for place in (0..order.count()).rev().filter(|&place| present[place]) {
            let mut own = factor[place].solve(&work[place]);
            for (entry, &later) in order.entries(place).zip(order.later(place)).filter(|(entry, _)| live[*entry]) {
                let pull = gain[entry].mul_vec(&work[later as usize]);
                (0..N).for_each(|i| own[i] -= pull[i]);
            }
            work[place] = own;
        }
        for (node, value) in x.iter_mut().enumerate() {
            *value = work[order.place(node as u32)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::matrix::{Mat6, Vec6};
    use crate::testing::{Dense, max_abs_difference};
    use drystone_random::Random;

    /// Springs along random edges on top of unit masses, solved by blocks and densely.
    fn worst_error(count: usize, edges: &[[u32; 2]], random: &mut Random) -> f64 {
        let order = Elimination::new(count, edges.iter().copied(), usize::MAX / count).unwrap();
        let mut solver = BlockLdl::<6>::new(order);
        let mut dense = Dense::zero(6 * count);
        for node in 0..count {
            *solver.diagonal_mut(node as u32) = Mat6::identity();
            dense.add_block(6 * node, 6 * node, &Mat6::<f64>::identity().0);
        }
        for &[a, b] in edges {
            let rows = [0, 1].map(|_| Mat6::<f64>::from_fn(|_, _| random.signed()));
            let block = |i: usize, j: usize| rows[i].transpose_mul(&rows[j]);
            let corner = [6 * a as usize, 6 * b as usize];
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                dense.add_block(corner[i], corner[j], &block(i, j).0);
            }
            solver.diagonal_mut(a).add_scaled(1.0, &block(0, 0));
            solver.diagonal_mut(b).add_scaled(1.0, &block(1, 1));
            solver.add_coupling(a, b, &block(0, 1));
        }
        let mut x: Vec<Vec6<f64>> = (0..count).map(|_| std::array::from_fn(|_| random.signed())).collect();
        let expected = dense.solve(x.as_flattened());
        solver.factor();
        solver.solve(&mut x);
        max_abs_difference(x.as_flattened(), &expected)
    }

    #[test]
    fn agrees_with_dense_elimination_on_trees_rings_and_random_graphs() {
        let mut random = Random::new(11);
        let chain: Vec<_> = (1..12).map(|i| [i, i - 1]).collect();
        assert!(worst_error(12, &chain, &mut random) < 1e-9);
        let ring: Vec<_> = (0..12).map(|i| [i, (i + 1) % 12]).collect();
        assert!(worst_error(12, &ring, &mut random) < 1e-9);
        for edge_count in [5, 15, 40] {
            let edges: Vec<_> = (0..edge_count)
                .map(|_| [random.below(12) as u32, random.below(12) as u32])
                .filter(|[a, b]| a != b)
                .collect();
            assert!(worst_error(12, &edges, &mut random) < 1e-8);
        }
    }
}
