//! Joints that a step opened are closed again.
//!
//! Bodies turn and stretch in a step, and joints open by the square of that. They are closed by rigid motions, which stretch nothing: the
//! smallest in the norm of Newton's matrix without joints, so that bodies in contact are not pushed into each other. Rows are those of
//! where the bodies are; with weights far above everything else they leave so little that a few rounds reach rounding. Every group of
//! bodies is closed by itself, and those that cannot be are told.

use drystone_kernels::elementary::powi;
use drystone_model::{DMat3, DVec3};
use drystone_solve::graph::elimination::Elimination;
use drystone_solve::linalg::block_ldl::BlockLdl;
use drystone_solve::linalg::block6::split;
use drystone_solve::linalg::matrix::{Mat, Mat6, Vec6, add_scaled};

use super::affine::{Affine, Mat12, Turn};
use super::bodies::Bodies;
use super::joints::{Joints, RigidRow};
use super::pattern::Pattern;

/// Weight of the rows, times the mass behind them over h².
const WEIGHT: f64 = 1e8;

/// Rounds at most.
const ROUNDS: usize = 12;

/// Joint errors below this many times their rounding count as closed when no round makes them smaller.
pub const CLOSE_ENOUGH: f64 = 1e3;

/// A round that leaves more than this share of the error is not worth another.
const STALLED: f64 = 0.9;

/// Newton's matrix over rigid motions, and what is kept from round to round.
#[derive(Debug, Default)]
pub struct Closing {
    diagonal: Vec<Mat6<f64>>,
    pairs: Vec<[u32; 2]>,
    coupling: Vec<Mat6<f64>>,
    pattern: Pattern,
    /// With contacts if their pattern does not fill up, with joints alone otherwise.
    factor: Option<BlockLdl<6>>,
    joints_only: bool,
    rows: Vec<RigidRow>,
    step: Vec<Vec6<f64>>,
}

/// The coordinates of a body as its rigid motions change them, small translations and then turns about its centre of mass.
fn motions(linear: &DMat3) -> Mat<f64, 12, 6> {
    Mat::from_fn(|i, k| {
        let (row, column) = (i / 4, i % 4);
        match (k < 3, column == 3) {
            (true, true) => f64::from(u8::from(row == k)),
            (false, false) => DVec3::AXES[k - 3].cross(linear.col(column))[row],
            _ => 0.0,
        }
    })
}

impl Closing {
    /// Forgets the pattern: where a step begins nothing may depend on those before.
    pub fn begin(&mut self) {
        self.pattern = Pattern::default();
        self.factor = None;
        self.joints_only = false;
    }

    /// Takes Newton's matrix over: the blocks of the bodies at `linear`, and of pairs of them.
    pub fn reduce(&mut self, linear: &[DMat3], diagonal: &[Mat12], pairs: &[[u32; 2]], coupling: &[Mat12]) {
        let motions: Vec<Mat<f64, 12, 6>> = linear.iter().map(motions).collect();
        let of = |block: &Mat12, a: usize, b: usize| motions[a].transpose_mul(&block.mul(&motions[b]));
        self.diagonal.clear();
        self.diagonal.extend(diagonal.iter().enumerate().map(|(node, block)| of(block, node, node)));
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        self.coupling.clear();
        self.coupling.extend(pairs.iter().zip(coupling).map(|(&[a, b], block)| of(block, a as usize, b as usize)));
        if self.pattern.fit(diagonal.len(), pairs) {
            self.factor = self.pattern.order();
            self.joints_only = self.factor.is_none();
        }
    }

    /// Closes the joints of bodies that are `wanted`, group by group as `leader` says. Returns which groups stay open, by their leaders.
    pub fn close(
        &mut self,
        joints: &Joints,
        bodies: &Bodies,
        node_of: impl Fn(u32) -> Option<usize>,
        (wanted, leader): (&[bool], &[u32]),
        (q, h): (&mut [Affine], f64),
    ) -> Vec<bool> {
        let mut left = vec![false; leader.len()];
        let mut live: Vec<bool> = wanted.to_vec();
        let mut before = vec![f64::INFINITY; leader.len()];
        for round in 0..=ROUNDS {
            let mut rows = std::mem::take(&mut self.rows);
            joints.rigid_rows(q, &live, &mut rows);
            let group = |row: &RigidRow| leader[row.body(&live)] as usize;
            let mut open = vec![0.0_f64; leader.len()];
            for row in &rows {
                let error = row.value.abs() / row.rounding;
                let most = &mut open[group(row)];
                *most = if error.is_nan() { f64::INFINITY } else { most.max(error) };
            }
            let closed = |k: usize| open[k] <= 1.0 || (open[k] < CLOSE_ENOUGH && open[k] > 0.5 * before[k]);
            let fails = |k: usize| !closed(k) && (open[k] >= STALLED * before[k] || round == ROUNDS);
            (0..leader.len()).filter(|&k| fails(k)).for_each(|k| left[k] = true);
            rows.retain(|row| !closed(group(row)) && !fails(group(row)));
            let goes_on = |slot: usize| live[slot] && !closed(leader[slot] as usize) && !fails(leader[slot] as usize);
            live = (0..live.len()).map(goes_on).collect();
            let done = rows.is_empty();
            if !done {
                self.solve(bodies, &rows, &node_of, &live, h);
                self.apply(&node_of, &live, q);
            }
            before = open;
            self.rows = rows;
            if done {
                break;
            }
        }
        left
    }

    fn solve(
        &mut self,
        bodies: &Bodies,
        rows: &[RigidRow],
        node_of: &impl Fn(u32) -> Option<usize>,
        live: &[bool],
        h: f64,
    ) {
        let ends = |row: &RigidRow| row.slot.map(|slot| node_of(slot).filter(|_| live[slot as usize]));
        if self.joints_only {
            let pairs = rows.iter().map(ends).filter_map(|[a, b]| Some([a? as u32, b? as u32]));
            let order = Elimination::new(self.diagonal.len(), pairs, usize::MAX / self.diagonal.len().max(1));
            self.factor = order.map(BlockLdl::new);
        }
        let Self { diagonal, pairs, coupling, factor: Some(factor), joints_only, step, .. } = self else { return };
        step.clear();
        step.resize(diagonal.len(), [0.0; 6]);
        factor.clear();
        let mut present = vec![false; diagonal.len()];
        for node in (0..live.len()).filter(|&slot| live[slot]).filter_map(|slot| node_of(slot as u32)) {
            *factor.diagonal_mut(node as u32) = diagonal[node];
            present[node] = true;
        }
        let both = |[a, b]: &[u32; 2]| present[*a as usize] && present[*b as usize];
        for (&[a, b], block) in pairs.iter().zip(coupling.iter()).filter(|(pair, _)| !*joints_only && both(pair)) {
            factor.add_coupling(a, b, block);
        }
        for row in rows {
            let ends = ends(row);
            let yielding: f64 = (0..2)
                .filter(|&k| ends[k].is_some())
                .map(|k| bodies.rigid_yielding(row.slot[k] as usize, split(&row.by[k])))
                .sum();
            if yielding <= 0.0 {
                continue;
            }
            let weight = WEIGHT / (yielding * powi(h, 2));
            for k in 0..2 {
                if let Some(node) = ends[k] {
                    factor.diagonal_mut(node as u32).add_outer(weight, &row.by[k], &row.by[k]);
                    add_scaled(&mut step[node], -weight * row.value, &row.by[k]);
                }
            }
            if let [Some(a), Some(b)] = ends {
                let mut block = Mat6::ZERO;
                block.add_outer(weight, &row.by[0], &row.by[1]);
                factor.add_coupling(a as u32, b as u32, &block);
            }
        }
        factor.factor();
        factor.solve(step);
    }

    fn apply(&self, node_of: &impl Fn(u32) -> Option<usize>, live: &[bool], q: &mut [Affine]) {
        for slot in (0..live.len()).filter(|&slot| live[slot]) {
            if let Some(node) = node_of(slot as u32) {
                let (translation, rotation) = split(&self.step[node]);
                q[slot] = q[slot].stepped(&Turn { translation, rotation, stretch: DMat3::ZERO }, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::add_force;

    /// The columns are what small translations and turns do to the coordinates, by finite differences.
    #[test]
    fn motions_are_small_rigid_motions() {
        let linear =
            DMat3::from_cols(DVec3::new(0.9, 0.3, -0.2), DVec3::new(-0.25, 1.05, 0.1), DVec3::new(0.1, -0.2, 0.95));
        let (at, by, h) = (Affine { linear, position: DVec3::new(1.0, 2.0, 3.0) }, motions(&linear), 1e-6);
        for k in 0..6 {
            let moved = |h: f64| {
                let unit = |on: bool, axis: usize| if on { h * DVec3::AXES[axis] } else { DVec3::ZERO };
                let (translation, rotation) = (unit(k < 3, k % 3), unit(k >= 3, k % 3));
                at.stepped(&Turn { translation, rotation, stretch: DMat3::ZERO }, 1.0).to_array()
            };
            let (after, before) = (moved(h), moved(-h));
            for i in 0..12 {
                assert!(((after[i] - before[i]) / (2.0 * h) - by.0[i][k]).abs() < 1e-8, "{i} {k}");
            }
        }
    }

    /// A force at a point is itself and its moment about the centre of mass.
    #[test]
    fn a_force_becomes_a_wrench() {
        let linear = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
        let (force, rest) = (DVec3::new(1.0, -2.0, 0.5), DVec3::new(0.3, 0.2, -0.7));
        let mut pulled = [0.0; 12];
        add_force(&mut pulled, force, &crate::affine::arm(1.0, rest));
        let (linear_part, moment) = split(&motions(&linear).transpose_mul_vec(&pulled));
        assert!((linear_part - force).length() < 1e-15);
        assert!((moment - (linear * rest).cross(force)).length() < 1e-15);
    }
}
