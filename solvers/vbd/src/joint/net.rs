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

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::fronts::{Fronts, RowEnds};
use drystone_solve::graph::csr::Csr;
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{Mat6, Vec6, add_scaled, dot};

/// Nodes per partial sum; sums run in a fixed order for any number of threads.
const CHUNK: usize = 256;
/// Share of the first residual at which a Newton step is solved well enough.
const FORCING: f64 = 1.0e-3;
/// Iterations with a fresh factor: rounding and stiffness beyond single precision need a few.
const FRESH_ITERATIONS: usize = 24;
/// Iterations after which a factor counts as too old: as dear as factoring.
const STALE_ITERATIONS: usize = 12;

/// Least compliance of a row in the factor, as a share of the diagonal: single precision resolves no less, and rows that
/// say the same twice would leave no pivot. Conjugate gradients know the true one.
const FACTOR_COMPLIANCE: f64 = 1.0e-5;

/// What a factor was made of, so that a checkpoint can make the same again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// Rows times the inverse roots of the blocks, scaled.
    rows: Vec<RowEnds>,
    /// Inverse stiffnesses, scaled.
    diagonal: Vec<f32>,
    /// Scales: inverse roots of the diagonal of the matrix.
    scale: Vec<f64>,
    /// Whether conjugate gradients were slow with it.
    stale: bool,
}

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
        let nodes = self.block.par_iter_mut().zip(descent).with_min_len(CHUNK).enumerate();
        nodes.for_each(|(index, (factor, descent))| {
            let (force, block) = node(index, joints.row(index));
            (*descent, *factor) = (force, Ldl::semidefinite(&block));
        });
        let Self { row_of, row_ends, block, half, compliance, length, change, .. } = self;
        let rows = half.par_iter_mut().zip(compliance).zip(length).zip(change).zip(row_of).zip(row_ends);
        rows.with_min_len(CHUNK).for_each(|(((((half, compliance), length), change), &mut [joint, index]), ends)| {
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

    /// The residual of the first guess.
    fn start_from(&mut self, descent: &[Vec6<f64>]) {
        self.multiply(Of::Change);
        let Self { block, moved, .. } = &mut *self;
        let nodes = moved.par_iter_mut().zip(&*block).zip(descent).with_min_len(CHUNK);
        nodes.for_each(|((moved, block), descent)| *moved = block.half_solve(descent));
        let mut residual = std::mem::take(&mut self.residual);
        self.apply_rows(&mut residual);
        residual.iter_mut().zip(&self.product).for_each(|(r, q)| *r -= q);
        self.residual = residual;
    }

    /// The largest gap left \[m\].
    fn gap(&self) -> f64 {
        self.residual.iter().zip(&self.length).fold(0.0, |worst: f64, (r, length)| worst.max((r * length).abs()))
    }

    fn iterate(&mut self, goal: f64) {
        if !self.basis.rows.is_empty() && !self.basis.stale {
            let used = self.conjugate_gradients(goal, STALE_ITERATIONS);
            self.basis.stale = used >= STALE_ITERATIONS;
            if self.gap() <= goal {
                return;
            }
        }
        self.factor();
        self.conjugate_gradients(goal, FRESH_ITERATIONS);
    }

    /// Factors the matrix as it is now.
    fn factor(&mut self) {
        let Self { basis, half, compliance, fronts, .. } = self;
        basis.scale.clear();
        let diagonal = |(half, compliance): (&[Vec6<f64>; 2], &f64)| {
            1.0 / (compliance + dot(&half[0], &half[0]) + dot(&half[1], &half[1])).sqrt()
        };
        basis.scale.extend(half.iter().zip(&*compliance).map(diagonal));
        basis.rows.clear();
        let scaled = half.iter().zip(&basis.scale);
        basis.rows.extend(scaled.map(|(half, scale)| half.map(|end| end.map(|x| (x * scale) as f32))));
        basis.diagonal.clear();
        let scaled = compliance.iter().zip(&basis.scale);
        let own = |(compliance, scale): (&f64, &f64)| (compliance * scale * scale).max(FACTOR_COMPLIANCE) as f32;
        basis.diagonal.extend(scaled.map(own));
        basis.stale = false;
        fronts.factor(&basis.rows, &basis.diagonal);
    }

    /// What the factor was made of.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Forgets the factor of the steps before.
    pub fn forget(&mut self) {
        self.basis = Basis::default();
    }

    /// Makes the factor of a checkpoint again. False if it is of another net.
    pub fn set_basis(&mut self, basis: &Basis) -> bool {
        let rows = self.half.len();
        let fits = basis.rows.len() == rows && basis.diagonal.len() == rows && basis.scale.len() == rows;
        if fits {
            self.basis = basis.clone();
            self.fronts.factor(&basis.rows, &basis.diagonal);
        }
        fits
    }

    /// Up to some iterations towards a gap; returns how many were used.
    fn conjugate_gradients(&mut self, goal: f64, iterations: usize) -> usize {
        let mut last = 0.0;
        for iteration in 0..iterations {
            if self.gap() <= goal {
                return iteration;
            }
            self.precondition();
            let size = inner(&self.residual, &self.preconditioned, &mut self.sums);
            // Something that is not a number, or nothing.
            if size.is_nan() || size <= 0.0 {
                return iterations;
            }
            let keep = if iteration == 0 { 0.0 } else { size / last };
            last = size;
            self.search.iter_mut().zip(&self.preconditioned).for_each(|(p, z)| *p = z + keep * *p);
            self.multiply(Of::Search);
            let curvature = inner(&self.search, &self.product, &mut self.sums);
            if curvature.is_nan() || curvature <= 0.0 {
                return iterations;
            }
            let length = size / curvature;
            let Self { change, residual, search, product, .. } = self;
            change.iter_mut().zip(&*search).for_each(|(x, p)| *x += length * p);
            residual.iter_mut().zip(&*product).for_each(|(r, q)| *r -= length * q);
        }
        iterations
    }

    fn precondition(&mut self) {
        let Self { preconditioned, residual, basis, fronts, .. } = self;
        let scaled = preconditioned.iter_mut().zip(&*residual).zip(&basis.scale);
        scaled.for_each(|((z, r), scale)| *z = r * scale);
        fronts.solve(preconditioned);
        preconditioned.iter_mut().zip(&basis.scale).for_each(|(z, scale)| *z *= scale);
    }

    /// The product of the matrix with the changes or the search direction.
    fn multiply(&mut self, of: Of) {
        let mut product = std::mem::take(&mut self.product);
        let v = match of {
            Of::Change => &self.change,
            Of::Search => &self.search,
        };
        push(&mut self.moved, &self.rows_at, &self.half, v);
        self.apply_rows(&mut product);
        let v = match of {
            Of::Change => &self.change,
            Of::Search => &self.search,
        };
        product.iter_mut().zip(v).zip(&self.compliance).for_each(|((q, v), compliance)| *q += compliance * v);
        self.product = product;
    }

    /// Changes of the coordinates when the bodies move.
    fn apply_rows(&self, out: &mut [f64]) {
        let along = |half: &[Vec6<f64>; 2], ends: &[u32; 2], end: usize| match self.moved.get(ends[end] as usize) {
            Some(moved) => dot(&half[end], moved),
            None => 0.0,
        };
        let rows = out.par_iter_mut().zip(&self.half).zip(&self.row_ends).with_min_len(CHUNK);
        rows.for_each(|((out, half), ends)| *out = along(half, ends, 0) + along(half, ends, 1));
    }

    /// Motions from the changes of the forces; `x` holds the descent on entry.
    fn finish(&mut self, x: &mut [Vec6<f64>]) {
        push(&mut self.moved, &self.rows_at, &self.half, &self.change);
        let nodes = x.par_iter_mut().zip(&self.block).zip(&self.moved).with_min_len(CHUNK);
        nodes.for_each(|((x, block), moved)| {
            let mut half = block.half_solve(x);
            add_scaled(&mut half, -1.0, moved);
            *x = block.finish_solve(&half);
        });
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

/// Which vector to multiply.
enum Of {
    Change,
    Search,
}

/// Sums what the rows do to every body.
fn push(moved: &mut [Vec6<f64>], rows_at: &Csr, half: &[[Vec6<f64>; 2]], v: &[f64]) {
    moved.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(|(node, sum)| {
        *sum = [0.0; 6];
        for &entry in rows_at.row(node) {
            let (row, end) = (entry as usize / 2, entry as usize % 2);
            add_scaled(sum, v[row], &half[row][end]);
        }
    });
}

fn inner(a: &[f64], b: &[f64], sums: &mut Vec<f64>) -> f64 {
    let chunks = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).with_min_len(16);
    chunks.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum()).collect_into_vec(sums);
    sums.iter().sum()
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
