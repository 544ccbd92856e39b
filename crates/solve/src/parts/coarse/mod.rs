//! Coarse correction for large graphs of contacts and joints: aggregation multigrid whose coarse
//! unknowns are again rigid motions.
//!
//! Block descent passes information one body per sweep. Here neighbouring bodies are grouped, each group
//! may move rigidly (six unknowns, exactly those of a body), the equations of the groups follow from
//! those of the bodies (Galerkin), and the groups are grouped again until a few are left. One cycle
//! smooths on every level on the way down and up. It is symmetric, so it may precondition conjugate
//! gradients, which is where it is strongest: groups that stay rigid make each correction too stiff,
//! and `cg` finds the right length.
//!
//! Measured, iterations of `cg` to eight digits with cycles | with the bodies' own blocks: wall of 16² boxes
//! 18 | 101, wall of 40² 19 | 258, tower of 400 19 | 400, pile of 9³ 18 | 72, hanging sheet of 32²
//! welded boxes 41 | 749. It does not help where neighbours do not move rigidly together: a lattice pinned
//! at single points shears freely, and there the blocks alone need fewer iterations (192 against 383).

mod aggregate;
mod dense;
mod level;

use glamx::DVec3;

use self::dense::DenseCholesky;
use self::level::Level;
use super::couples;
use super::matrix::{Mat6, Vec6};

/// Groups are no longer grouped when this few are left: they are solved directly.
const DIRECT_NODES: usize = 48;

/// Sweeps in either direction on the last level when it is too large to be solved directly.
const LAST_SWEEPS: usize = 10;

/// The fraction of the softest error modes that one cycle removes on a coarse level. Measured on a
/// welded sheet of 64²: 72 iterations with 0.05, 89 with 0.15, 109 with 0.3.
const SOFTEST_MODE: f64 = 0.05;

/// A hierarchy of block matrices. Keeps its buffers between steps.
#[derive(Clone, Debug, Default)]
pub struct Multilevel {
    levels: Vec<Level>,
    level_count: usize,
    /// The caller's constraint of every edge of the finest level.
    source: Vec<u32>,
    direct: DenseCholesky,
}

impl Multilevel {
    /// Takes over a graph: `position` are the bodies' centres of mass \[m\], `constraints` their
    /// couplings; those that do not join two bodies that move are left out. All blocks become zero.
    pub fn set_structure(&mut self, moves: &[bool], position: &[DVec3], constraints: &[[u32; 2]]) {
        let coupled = (0u32..).zip(constraints).filter(|&(_, &pair)| couples(moves, pair));
        self.source.clear();
        self.source.extend(coupled.map(|(index, _)| index));
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let finest = &mut self.levels[0];
        finest.position.clear();
        finest.position.extend_from_slice(position);
        finest.edges.clear();
        finest.edges.extend(self.source.iter().map(|&index| constraints[index as usize]));
        finest.set_structure();
        self.level_count = 1;
        while self.levels[self.level_count - 1].position.len() > DIRECT_NODES && self.add_level() {}
    }

    /// Whether there was something left to group.
    fn add_level(&mut self) -> bool {
        if self.levels.len() == self.level_count {
            self.levels.push(Level::default());
        }
        let (fine, coarse) = self.levels.split_at_mut(self.level_count);
        let (fine, coarse) = (&mut fine[self.level_count - 1], &mut coarse[0]);
        if fine.edges.is_empty() || !fine.coarsen(coarse) {
            return false;
        }
        self.level_count += 1;
        true
    }

    /// Sets the matrix and factors all levels. `diagonal(body)` is the block of a body, `coupling(index)`
    /// that of a constraint: rows of its first body, columns of its second. Blocks of bodies that do not
    /// move may be zero; their unknowns stay zero. The whole must be positive semi-definite.
    pub fn fill(&mut self, diagonal: impl Fn(usize) -> Mat6<f64>, coupling: impl Fn(usize) -> Mat6<f64>) {
        let Some(finest) = self.levels.first_mut() else { return };
        finest.diagonal.iter_mut().enumerate().for_each(|(body, block)| *block = diagonal(body));
        let couplings = finest.coupling.iter_mut().zip(&self.source);
        couplings.for_each(|(block, &index)| *block = coupling(index as usize));
        for k in 0..self.level_count {
            let (fine, coarse) = self.levels.split_at_mut(k + 1);
            if k + 1 < self.level_count {
                fine[k].restrict_blocks(&mut coarse[0]);
            }
            fine[k].factor();
        }
        let last = &self.levels[self.level_count - 1];
        if last.position.len() <= DIRECT_NODES {
            self.direct.factor(&last.diagonal, &last.edges, &last.coupling);
        }
    }

    /// One cycle: `x` becomes an approximate solution of H x = r, linear and symmetric in `r`. Both are
    /// indexed by body.
    pub fn cycle(&mut self, r: &[Vec6<f64>], x: &mut [Vec6<f64>]) {
        let Some(finest) = self.levels.first_mut() else { return };
        finest.r.copy_from_slice(r);
        self.cycle_from(0);
        x.copy_from_slice(&self.levels[0].x);
    }

    /// Smooths, corrects by the next level, smooths back.
    fn cycle_from(&mut self, k: usize) {
        if k + 1 == self.level_count {
            return self.solve_last();
        }
        let (fine, coarse) = self.levels.split_at_mut(k + 1);
        fine[k].x.fill([0.0; 6]);
        fine[k].sweep(false);
        fine[k].restrict(&mut coarse[0]);
        if k + 2 == self.level_count {
            self.solve_last();
        } else {
            self.correct(k + 1);
        }
        let (fine, coarse) = self.levels.split_at_mut(k + 1);
        fine[k].prolong(&coarse[0]);
        fine[k].sweep(true);
    }

    /// Two cycles of a level with the step lengths that suit groups too stiff.
    fn correct(&mut self, k: usize) {
        let [first, second] = step_lengths();
        self.cycle_from(k);
        self.levels[k].keep_going(first);
        self.cycle_from(k);
        self.levels[k].finish_going(second);
    }

    fn solve_last(&mut self) {
        let last = &mut self.levels[self.level_count - 1];
        if last.position.len() <= DIRECT_NODES {
            return self.direct.solve(&last.r, &mut last.x);
        }
        last.x.fill([0.0; 6]);
        (0..LAST_SWEEPS).for_each(|_| last.sweep(false));
        (0..LAST_SWEEPS).for_each(|_| last.sweep(true));
    }

    /// Number of unknown groups on every level, bodies first.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.levels[..self.level_count].iter().map(|level| level.position.len())
    }

    /// H times a vector, as the finest level sees it.
    pub fn apply(&mut self, v: &[Vec6<f64>], out: &mut [Vec6<f64>]) {
        let Some(finest) = self.levels.first_mut() else { return };
        finest.x.copy_from_slice(v);
        finest.r.fill([0.0; 6]);
        out.iter_mut().enumerate().for_each(|(body, out)| *out = finest.residual_at(body).map(|x| -x));
    }
}

/// Step lengths of the Chebyshev polynomial of degree two for the cycles' error modes. Linear and the
/// same for every right-hand side, so the whole stays symmetric; positive wherever the cycle is.
fn step_lengths() -> [f64; 2] {
    let (middle, half) = (0.5 * (1.0 + SOFTEST_MODE), 0.5 * (1.0 - SOFTEST_MODE));
    [-1.0, 1.0].map(|sign| 1.0 / (middle + sign * half * std::f64::consts::FRAC_1_SQRT_2))
}

#[cfg(test)]
mod tests;
