//! The equations of a net too wide for elimination body by body: conjugate gradients on the forces of its
//! joints, preconditioned by a direct solution that may be several steps old.
//!
//! With A the block of a body (inertia, geometric stiffness, contacts), which couples no two bodies, J the
//! rows of the joints and k their stiffnesses, a Newton step Δ and the change φ of the forces solve
//!
//!   (1/k + J A⁻¹ Jᵀ) φ = J A⁻¹ g,    A Δ = g − Jᵀ φ,    g the descent at the iterate.
//!
//! The residual of the first equations is the gap that the joints would be left with, so they are
//! solved to a length. However early that is, forces on the two ends of a joint stay opposite, and momentum is
//! kept. As a preconditioner the matrix is factored in single precision ([`Fronts`]); a factor
//! serves until conjugate gradients get slow, which for a net that swings is after some ten steps, and for one at
//! rest never.

mod factor;
mod iteration;
mod product;

use drystone_solve::parallel::Shared;
use rayon::prelude::*;

pub use factor::Basis;

use super::fronts::Fronts;
use drystone_solve::graph::csr::Csr;
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{Mat6, Vec6};

/// Nodes per partial sum; sums run in a fixed order for any number of threads.
const CHUNK: usize = 256;
/// Share of the first residual at which a Newton step is solved well enough.
const FORCING: f64 = 1.0e-3;
/// One joint row of a Newton step.
#[derive(Clone, Copy, Debug)]
pub struct NetRow {
    /// Derivatives of its coordinate by the motions of its two bodies.
    pub jacobian: [Vec6<f64>; 2],
    /// Derivative of its force by the coordinate; zero if the force is fixed.
    pub stiffness: f64,
    /// First guess for the change of its force.
    pub change: f64,
    /// Length that a unit of the coordinate stands for: one or a lever.
    pub length: f64,
}

/// The equations of a net.
#[derive(Clone, Debug)]
pub struct Net {
    /// Joint of every row, and which of its rows it is.
    row_of: Vec<[u32; 2]>,
    /// Nodes of every row.
    row_ends: Vec<[u32; 2]>,
    /// Rows at every node, twice their number plus the end.
    rows_at: Csr,
    /// Joints at every node, likewise.
    joints: Csr,
    fronts: Fronts,
    basis: Basis,
    block: Vec<Ldl<f64, 6>>,
    /// Rows times the inverse roots of the blocks of their ends.
    half: Vec<[Vec6<f64>; 2]>,
    compliance: Vec<f64>,
    length: Vec<f64>,
    /// Changes of the forces.
    change: Vec<f64>,
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    search: Vec<f64>,
    product: Vec<f64>,
    /// What rows do to the bodies.
    moved: Vec<Vec6<f64>>,
    sums: Vec<f64>,
}

impl Net {
    /// For `count` nodes and joints between them, or to something outside, with the given rows.
    pub fn new(count: usize, ends: &[[u32; 2]], row_start: Vec<u32>) -> Self {
        let rows = row_start[ends.len()] as usize;
        let mut rows_at = Csr::default();
        let entries = ends.iter().enumerate().flat_map(|(joint, ends)| {
            let rows = row_start[joint]..row_start[joint + 1];
            rows.flat_map(move |row| [0, 1].map(|end| (ends[end as usize] as usize, 2 * row + end)))
        });
        rows_at.build(count, entries.filter(|&(node, _)| node < count));
        let mut joints = Csr::default();
        let entries = ends
            .iter()
            .zip(0..)
            .flat_map(|(ends, joint)| [0, 1].map(|end| (ends[end as usize] as usize, 2 * joint + end)));
        joints.build(count, entries.filter(|&(node, _)| node < count));
        Self {
            fronts: Fronts::new(count, ends, &row_start),
            row_of: row_list(&row_start, |joint, index| [joint as u32, index]),
            row_ends: row_list(&row_start, |joint, _| ends[joint]),
            rows_at,
            joints,
            basis: Basis::default(),
            block: vec![Ldl::default(); count],
            half: vec![[[0.0; 6]; 2]; rows],
            compliance: vec![0.0; rows],
            length: vec![0.0; rows],
            change: vec![0.0; rows],
            residual: vec![0.0; rows],
            preconditioned: vec![0.0; rows],
            search: vec![0.0; rows],
            product: vec![0.0; rows],
            moved: vec![[0.0; 6]; count],
            sums: Vec::new(),
        }
    }

    /// Takes over a Newton step: descent and block of every node, given its joints as twice their number plus
    /// the end; and every row of a joint.
    pub fn set(
        &mut self,
        descent: &mut [Vec6<f64>],
        node: impl Fn(usize, &[u32]) -> (Vec6<f64>, Mat6<f64>) + Sync,
        row: impl Fn(usize, usize) -> NetRow + Sync,
    ) {
        let joints = &self.joints;
        let nodes = self.block.par_iter_mut().zip(descent).shared(CHUNK).enumerate();
        nodes.for_each(|(index, (factor, descent))| {
            let (force, block) = node(index, joints.row(index));
            (*descent, *factor) = (force, Ldl::semidefinite(&block));
        });
        let Self { row_of, row_ends, block, half, compliance, length, change, .. } = self;
        let rows = half.par_iter_mut().zip(compliance).zip(length).zip(change).zip(row_of).zip(row_ends);
        rows.shared(CHUNK).for_each(|(((((half, compliance), length), change), &mut [joint, index]), ends)| {
            let row = row(joint as usize, index as usize);
            // A force that is fixed has an equation of its own: no change.
            let acts = row.stiffness > 0.0;
            *half = [0, 1].map(|end| match block.get(ends[end] as usize) {
                Some(block) if acts => block.half_solve(&row.jacobian[end]),
                _ => [0.0; 6],
            });
            (*compliance, *change) = if acts { (1.0 / row.stiffness, row.change) } else { (1.0, 0.0) };
            *length = row.length;
        });
    }

    /// Solves for the motion, within a gap of `tolerance` [m] or a thousandth of the first one; `x` holds the
    /// descent on entry.
    pub fn solve(&mut self, x: &mut [Vec6<f64>], tolerance: f64) {
        self.start_from(x);
        let goal = tolerance.max(FORCING * self.gap());
        if self.gap() > goal {
            self.iterate(goal);
        }
        self.finish(x);
    }

    /// By how much a row gives under the change of its force \[m or rad\]. The motions give it too, but with what
    /// is left of the gap, which the stiffness would turn into a force that nothing exerts.
    pub fn give(&self, row: usize) -> f64 {
        self.change[row] * self.compliance[row]
    }
}

/// One entry per row.
fn row_list<T>(row_start: &[u32], entry: impl Fn(usize, u32) -> T) -> Vec<T> {
    let joints = row_start.windows(2).enumerate();
    joints
        .flat_map(|(joint, rows)| (0..rows[1] - rows[0]).map(move |index| (joint, index)))
        .map(|(j, i)| entry(j, i))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;
    use drystone_solve::testing::{Dense, grid, max_abs_difference};

    /// Rows of a joint, random but the same for the same arguments; `drift` turns them.
    fn row(joint: usize, index: usize, drift: f64) -> NetRow {
        let mut random = Random::new((17 * joint + index) as u64);
        let mut vector = || std::array::from_fn(|_| random.signed() + drift * random.signed());
        NetRow {
            jacobian: [vector(), vector()],
            stiffness: if index == 2 { 0.0 } else { 1.0e3 },
            change: 0.1,
            length: 1.0,
        }
    }

    #[test]
    fn the_motion_is_that_of_springs_with_a_fresh_and_with_an_old_factor() {
        let mut edges = grid(5);
        edges.push([0, u32::MAX]);
        let row_start: Vec<u32> = (0..=edges.len() as u32).map(|joint| 3 * joint).collect();
        let mut net = Net::new(25, &edges, row_start);
        for drift in [0.0, 0.1, 0.5] {
            let mut dense = Dense::zero(150);
            let block = |node: usize| Mat6::<f64>::diagonal([1.0 + node as f64; 6]);
            (0..25).for_each(|node| dense.add_block(6 * node, 6 * node, &block(node).0));
            for (joint, ends) in edges.iter().enumerate() {
                for index in 0..2 {
                    let row = row(joint, index, drift);
                    for (a, b) in
                        [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().filter(|&(a, b)| ends[a.max(b)] != u32::MAX)
                    {
                        let mut outer = Mat6::<f64>::ZERO;
                        outer.add_outer(row.stiffness, &row.jacobian[a], &row.jacobian[b]);
                        dense.add_block(6 * ends[a] as usize, 6 * ends[b] as usize, &outer.0);
                    }
                }
            }
            let mut random = Random::new(9);
            let descent: Vec<Vec6<f64>> = (0..25).map(|_| std::array::from_fn(|_| random.signed())).collect();
            let expected = dense.solve(descent.as_flattened());
            let mut x = vec![[0.0; 6]; 25];
            net.set(&mut x, |node, _| (descent[node], block(node)), |joint, index| row(joint, index, drift));
            // A thousandth of what is left, again and again.
            for _ in 0..6 {
                x.copy_from_slice(&descent);
                net.solve(&mut x, 1e-12);
            }
            assert!(max_abs_difference(x.as_flattened(), &expected) < 1e-8, "drift {drift}");
        }
    }

    #[test]
    fn a_restored_factor_is_the_same() {
        let edges = grid(4);
        let row_start: Vec<u32> = (0..=edges.len() as u32).map(|joint| 2 * joint).collect();
        let mut net = Net::new(16, &edges, row_start);
        let mut twin = net.clone();
        let solve = |net: &mut Net, drift: f64| {
            let mut x = vec![[0.0; 6]; 16];
            net.set(&mut x, |_, _| ([1.0; 6], Mat6::identity()), |joint, index| row(joint, index, drift));
            net.solve(&mut x, 1e-6);
            x
        };
        solve(&mut net, 0.0);
        assert!(twin.set_basis(net.basis()));
        assert_eq!(solve(&mut net, 0.1), solve(&mut twin, 0.1));
        assert!(!Net::new(2, &[[0, 1]], vec![0, 1]).set_basis(net.basis()));
    }
}
