//! Linear-time solution of H x = r on trees of bodies, H symmetric positive definite with one 6×6
//! block per body and one per tree joint.
//!
//! Eliminating leaves first changes only the parent's diagonal block: no fill, one 6×6 factorisation
//! and one 6×6 product per body, whatever the shape of the tree. With D the diagonal block of a body
//! when its turn comes, C its coupling to the parent (rows: body, columns: parent) and G = D⁻¹C:
//!
//!   factor, leaf → root:  D_parent −= Cᵀ G
//!   solve,  leaf → root:  r_parent −= Gᵀ r,    root → leaf:  x = D⁻¹ r − G x_parent

use rayon::prelude::*;

use super::forest::{Forest, NONE};
use super::ldl::Ldl;
use super::matrix::{Mat6, Vec6};
use super::real::Real;
use super::tree_layout::{SingularBlock, TreeLayout, TreeSlot, with_parent};

/// A block matrix over trees of bodies and its factor. Keeps its buffers between steps.
#[derive(Clone, Debug, Default)]
pub struct TreeSolver<T> {
    layout: TreeLayout,
    nodes: Vec<Node<T>>,
    work: Vec<Vec6<T>>,
}

/// The blocks of one body.
#[derive(Clone, Copy, Debug)]
pub struct TreeBlocks<T> {
    /// The body's own block: inertia, contacts, joints to anything, geometric stiffness.
    pub diagonal: Mat6<T>,
    /// Rows of the body, columns of its parent. Of no meaning at a root.
    pub coupling: Mat6<T>,
}

#[derive(Clone, Copy, Debug)]
struct Node<T> {
    blocks: TreeBlocks<T>,
    factor: Ldl<T, 6>,
    gain: Mat6<T>,
}

impl<T: Real> TreeSolver<T> {
    /// Takes over the first `tree_count` trees of a forest ([`Forest::jointed_tree_count`] to leave
    /// out single bodies) and sets all blocks to zero.
    pub fn set_structure(&mut self, forest: &Forest, tree_count: usize) {
        self.layout.set(forest, tree_count);
        let blocks = TreeBlocks { diagonal: Mat6::ZERO, coupling: Mat6::ZERO };
        let empty = Node { blocks, factor: Ldl::default(), gain: Mat6::ZERO };
        self.nodes.clear();
        self.nodes.resize(self.layout.slots.len(), empty);
    }

    /// The slots, parents before children.
    pub fn slots(&self) -> &[TreeSlot] {
        &self.layout.slots
    }

    /// Sets the blocks of every body, in parallel. They are used up by [`TreeSolver::factor`] and hold
    /// their old values until set.
    pub fn fill(&mut self, blocks: impl Fn(&TreeSlot, &mut TreeBlocks<T>) + Sync) {
        let nodes = self.nodes.par_iter_mut().with_min_len(64);
        nodes.zip(&self.layout.slots).for_each(|(node, slot)| blocks(slot, &mut node.blocks));
    }

    /// Factors. On error the pivots that fail are left out and [`TreeSolver::solve`] still gives finite
    /// numbers, but not the solution.
    pub fn factor(&mut self) -> Result<(), SingularBlock> {
        let parents = &self.layout.parents;
        self.layout.for_each_tree(&mut self.nodes, |first, nodes| {
            for local in (0..nodes.len()).rev() {
                let (node, parent) = with_parent(nodes, local, parents[first + local], first);
                node.factor = Ldl::semidefinite(&node.blocks.diagonal);
                if let Some(parent) = parent {
                    node.gain = node.factor.solve_mat(&node.blocks.coupling);
                    let taken = node.blocks.coupling.transpose_mul(&node.gain);
                    parent.blocks.diagonal.add_scaled(-T::ONE, &taken);
                }
            }
        });
        let bad = self.nodes.iter().zip(&self.layout.slots).find(|(node, _)| node.factor.rank() < 6);
        bad.map_or(Ok(()), |(node, slot)| Err(SingularBlock { body: slot.body, rank: node.factor.rank() }))
    }

    /// Solves in place; `x` is indexed by body and holds the right-hand side on entry. Bodies outside
    /// the trees keep their values.
    pub fn solve(&mut self, x: &mut [Vec6<T>]) {
        let Self { layout, nodes, work } = self;
        layout.gather(x, work);
        layout.for_each_tree(work, |first, x| {
            let nodes = &nodes[first..first + x.len()];
            let parents = &layout.parents[first..first + x.len()];
            for local in (1..x.len()).rev() {
                let (r, parent) = with_parent(x, local, parents[local], first);
                let taken = nodes[local].gain.transpose_mul_vec(r);
                if let Some(parent) = parent {
                    (0..6).for_each(|i| parent[i] -= taken[i]);
                }
            }
            for local in 0..x.len() {
                x[local] = nodes[local].factor.solve(&x[local]);
                if parents[local] != NONE {
                    let pull = nodes[local].gain.mul_vec(&x[parents[local] as usize - first]);
                    (0..6).for_each(|i| x[local][i] -= pull[i]);
                }
            }
        });
        layout.scatter(work, x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::testing::{Counted, Dense, Random, max_abs_difference};

    /// A random spring network over a forest: each joint adds a positive semi-definite 12×12.
    struct Network {
        forest: Forest,
        diagonal: Vec<Mat6<f64>>,
        /// By child body.
        coupling: Vec<Mat6<f64>>,
    }

    fn random_matrix(random: &mut Random) -> Mat6<f64> {
        Mat6::from_fn(|_, _| random.signed())
    }

    impl Network {
        fn new(count: usize, joints: &[[u32; 2]], random: &mut Random) -> Self {
            let mut forest = Forest::default();
            forest.build(&vec![true; count], joints);
            let mut diagonal = vec![Mat6::identity(); count];
            let mut coupling = vec![Mat6::ZERO; count];
            let parents = forest.parents().iter().map(|&parent| forest.bodies().get(parent as usize));
            for (&child, parent) in forest.bodies().iter().zip(parents) {
                let Some(&parent) = parent else { continue };
                let (a, b) = (random_matrix(random), random_matrix(random));
                diagonal[child as usize].add_scaled(30.0, &a.transpose_mul(&a));
                diagonal[parent as usize].add_scaled(30.0, &b.transpose_mul(&b));
                coupling[child as usize].add_scaled(30.0, &a.transpose_mul(&b));
            }
            Self { forest, diagonal, coupling }
        }

        fn solver<T: Real>(&self) -> TreeSolver<T> {
            let cast = |m: &Mat6<f64>| Mat6::from_fn(|i, j| T::of(m.0[i][j]));
            let mut solver = TreeSolver::default();
            solver.set_structure(&self.forest, usize::MAX);
            solver.fill(|slot, blocks| {
                blocks.diagonal = cast(&self.diagonal[slot.body as usize]);
                blocks.coupling = cast(&self.coupling[slot.body as usize]);
            });
            solver.factor().unwrap();
            solver
        }

        fn dense(&self) -> Dense {
            let mut dense = Dense::zero(6 * self.diagonal.len());
            for (slot, &body) in self.forest.bodies().iter().enumerate() {
                let row = 6 * body as usize;
                dense.add_block(row, row, &self.diagonal[body as usize].0);
                if let Some(&parent) = self.forest.bodies().get(self.forest.parents()[slot] as usize) {
                    let c = &self.coupling[body as usize];
                    dense.add_block(row, 6 * parent as usize, &c.0);
                    dense.add_block(6 * parent as usize, row, &c.transpose().0);
                }
            }
            dense
        }
    }

    fn random_tree(count: usize, random: &mut Random) -> Vec<[u32; 2]> {
        (1..count).filter(|&i| i % 13 != 7).map(|i| [random.below(i) as u32, i as u32]).collect()
    }

    #[test]
    fn agrees_with_dense_elimination_on_random_forests() {
        let mut random = Random::new(1);
        for count in [1, 2, 5, 20, 60] {
            let joints = random_tree(count, &mut random);
            let network = Network::new(count, &joints, &mut random);
            let mut solver = network.solver::<f64>();
            let dense = network.dense();
            for _ in 0..3 {
                let b: Vec<f64> = (0..6 * count).map(|_| random.signed()).collect();
                let mut x: Vec<Vec6<f64>> = b.as_chunks().0.to_vec();
                solver.solve(&mut x);
                assert!(max_abs_difference(x.as_flattened(), &dense.solve(&b)) < 1e-11);
                assert!(max_abs_difference(&dense.mul_vec(x.as_flattened()), &b) < 1e-11);
            }
        }
    }

    #[test]
    fn work_grows_linearly_whatever_the_shape() {
        let chain: fn(u32) -> [u32; 2] = |i| [i - 1, i];
        let star: fn(u32) -> [u32; 2] = |i| [0, i];
        let binary: fn(u32) -> [u32; 2] = |i| [(i - 1) / 2, i];
        for shape in [chain, star, binary] {
            let operations = |count: usize| {
                let joints: Vec<_> = (1..count as u32).map(shape).collect();
                let network = Network::new(count, &joints, &mut Random::new(3));
                Counted::reset();
                let mut solver = network.solver::<Counted>();
                solver.solve(&mut vec![[Counted::ONE; 6]; count]);
                Counted::count() as f64
            };
            let per_body = (operations(400) - operations(200)) / 200.0;
            let per_body_later = (operations(1600) - operations(800)) / 800.0;
            assert_eq!(per_body, per_body_later);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let mut random = Random::new(8);
        let joints: Vec<_> = (1..600u32).filter(|i| i % 7 != 0).map(|i| [i - 1, i]).collect();
        let network = Network::new(600, &joints, &mut random);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut x = vec![[1.0; 6]; 600];
                network.solver::<f64>().solve(&mut x);
                x
            })
        };
        assert_eq!(run(1), run(4));
    }

    #[test]
    fn names_the_body_without_inertia_and_stays_finite() {
        let mut forest = Forest::default();
        forest.build(&[true; 3], &[[0, 1], [1, 2]]);
        let mut solver = TreeSolver::<f64>::default();
        solver.set_structure(&forest, 1);
        solver.fill(|slot, blocks| {
            let linear = if slot.body == 1 { 0.0 } else { 1.0 };
            blocks.diagonal = Mat6::diagonal([linear, 1.0, 1.0, 1.0, 1.0, 1.0]);
        });
        assert_eq!(solver.factor(), Err(SingularBlock { body: 1, rank: 5 }));
        let mut x = [[1.0; 6]; 3];
        solver.solve(&mut x);
        assert!(x.as_flattened().iter().all(|x| x.is_finite()));
    }

    #[test]
    fn refilling_does_not_allocate() {
        let mut random = Random::new(2);
        let network = Network::new(50, &random_tree(50, &mut random), &mut random);
        let mut solver = network.solver::<f64>();
        let mut x = vec![[1.0; 6]; 50];
        solver.solve(&mut x);
        let buffers = (solver.nodes.as_ptr(), solver.work.as_ptr(), solver.layout.slots.as_ptr());
        solver.set_structure(&network.forest, usize::MAX);
        solver.fill(|_, blocks| blocks.diagonal = Mat6::identity());
        solver.factor().unwrap();
        solver.solve(&mut x);
        assert_eq!(buffers, (solver.nodes.as_ptr(), solver.work.as_ptr(), solver.layout.slots.as_ptr()));
    }
}
