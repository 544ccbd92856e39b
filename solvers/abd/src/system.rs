//! Newton's equations as 12×12 blocks: one per body, one per pair of bodies in contact.
//!
//! Contacts are sorted by pair of bodies; every pair sums up its own (in parallel, without atomics), then pairs are
//! added to the bodies in order. The result does not depend on the number of threads.

use rayon::prelude::*;

use super::affine::{Mat12, Vec12};
use super::bodies::Bodies;
use super::contact::{Contact, PairSystem};
use super::friction::Friction;
use super::options::AbdOptions;
use drystone_solve::parts::block_ldl::BlockLdl;
use drystone_solve::parts::elimination::Elimination;
use drystone_solve::parts::krylov::{Stop, Workspace, cg};
use drystone_solve::parts::ldl::Ldl;

/// Above this many block updates per body on average the factor costs more than conjugate gradients.
const MAX_UPDATES: usize = 4000;

/// Residual, relative to the gradient, to which conjugate gradients solve.
const CG_TOLERANCE: f64 = 1e-8;
/// Most conjugate gradient iterations per solve.
const CG_ITERATIONS: usize = 2000;

/// How often in a row a pattern may be more than twice as large as needed before it is made anew.
const PATIENCE: u32 = 50;

/// What acts between bodies at an iterate.
pub struct Forces<'a> {
    pub contacts: &'a [Contact],
    /// Stiffness of every contact \[J\].
    pub stiffness: &'a (dyn Fn(&Contact) -> f64 + Sync),
    pub frictions: &'a [Friction],
    /// d̂ \[m\].
    pub reach: f64,
    /// Slip at which friction has its full size \[m\].
    pub edge: f64,
}

/// The block system and what is kept from solve to solve.
#[derive(Debug, Default)]
pub struct System {
    /// Node of every slot; `u32::MAX` for what does not move.
    node: Vec<u32>,
    slot: Vec<u32>,
    diagonal: Vec<Mat12>,
    /// Gradient of every node.
    pub gradient: Vec<Vec12>,
    pairs: Vec<[u32; 2]>,
    coupling: Vec<Mat12>,
    order: Vec<(u64, u32)>,
    factor: Option<BlockLdl<12>>,
    pattern: Vec<[u32; 2]>,
    pattern_nodes: usize,
    oversized: u32,
    workspace: Workspace,
}

impl System {
    /// Numbers the moving bodies.
    pub fn number(&mut self, moves: &[bool]) {
        self.node.clear();
        self.slot.clear();
        for (slot, &moves) in moves.iter().enumerate() {
            self.node.push(if moves { self.slot.len() as u32 } else { u32::MAX });
            if moves {
                self.slot.push(slot as u32);
            }
        }
    }

    /// Slots of the nodes.
    pub fn slots(&self) -> &[u32] {
        &self.slot
    }

    /// The block of a node itself.
    #[cfg(test)]
    pub fn diagonal_block(&self, node: usize) -> Mat12 {
        self.diagonal[node]
    }

    /// Builds gradient and matrix.
    pub fn assemble(&mut self, bodies: &Bodies, options: &AbdOptions, forces: &Forces, h: f64) {
        let own = |&slot: &u32| {
            let slot = slot as usize;
            (bodies.block(slot, options, h), bodies.gradient(slot, options, h))
        };
        let blocks: Vec<(Mat12, Vec12)> = self.slot.par_iter().with_min_len(64).map(own).collect();
        self.diagonal.clear();
        self.gradient.clear();
        for (block, gradient) in blocks {
            self.diagonal.push(block);
            self.gradient.push(gradient);
        }
        self.add_pairs(bodies, forces);
    }

    fn add_pairs(&mut self, bodies: &Bodies, forces: &Forces) {
        let Self { order, .. } = self;
        let count = forces.contacts.len();
        let key = |slot: [u32; 2]| u64::from(slot[0]) << 32 | u64::from(slot[1]);
        order.clear();
        order.extend(forces.contacts.iter().enumerate().map(|(i, c)| (key(c.slot), i as u32)));
        order.extend(forces.frictions.iter().enumerate().map(|(i, f)| (key(f.slot), (count + i) as u32)));
        order.par_sort_unstable();
        let groups: Vec<&[(u64, u32)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
        let sum = |group: &&[(u64, u32)]| {
            let mut pair = PairSystem::ZERO;
            for &(_, item) in *group {
                let item = item as usize;
                match forces.contacts.get(item) {
                    Some(contact) => contact.add_to((forces.stiffness)(contact), forces.reach, &mut pair),
                    None => {
                        forces.frictions[item - count].add_to(&bodies.start, &bodies.q, forces.edge, &mut pair);
                    }
                }
            }
            pair
        };
        let sums: Vec<PairSystem> = groups.par_iter().with_min_len(4).map(sum).collect();
        self.pairs.clear();
        self.coupling.clear();
        for (group, sum) in groups.iter().zip(sums) {
            let slots = [(group[0].0 >> 32) as usize, (group[0].0 & 0xffff_ffff) as usize];
            let nodes = slots.map(|slot| self.node[slot]);
            for k in 0..2 {
                if let Some(block) = self.diagonal.get_mut(nodes[k] as usize) {
                    block.add_scaled(1.0, &sum.diagonal[k]);
                    let gradient = &mut self.gradient[nodes[k] as usize];
                    (0..12).for_each(|i| gradient[i] += sum.gradient[k][i]);
                }
            }
            if nodes.iter().all(|&node| node != u32::MAX) {
                self.pairs.push(nodes);
                self.coupling.push(sum.coupling);
            }
        }
    }

    /// Solves for the step of every node: H δ = −g.
    pub fn solve(&mut self, step: &mut Vec<Vec12>) {
        step.clear();
        step.extend(self.gradient.iter().map(|g| g.map(|x| -x)));
        self.fit_pattern();
        let Some(factor) = &mut self.factor else { return self.solve_iteratively(step) };
        factor.clear();
        for (node, block) in self.diagonal.iter().enumerate() {
            *factor.diagonal_mut(node as u32) = *block;
        }
        for (&[a, b], block) in self.pairs.iter().zip(&self.coupling) {
            factor.add_coupling(a, b, block);
        }
        factor.factor();
        factor.solve(step);
    }

    /// Keeps the order of elimination as long as it covers all pairs and is not far too large.
    fn fit_pattern(&mut self) {
        let covered = self.pattern_nodes == self.slot.len()
            && self.pairs.iter().all(|pair| self.pattern.binary_search(pair).is_ok());
        self.oversized = if self.pattern.len() > 2 * self.pairs.len() { self.oversized + 1 } else { 0 };
        if covered && self.oversized < PATIENCE {
            return;
        }
        let keep = self.pattern_nodes == self.slot.len() && self.oversized < PATIENCE;
        if !keep {
            self.pattern.clear();
        }
        self.pattern.extend_from_slice(&self.pairs);
        self.pattern.sort_unstable();
        self.pattern.dedup();
        (self.pattern_nodes, self.oversized) = (self.slot.len(), 0);
        let order = Elimination::new(self.slot.len(), self.pattern.iter().copied(), MAX_UPDATES);
        self.factor = order.map(BlockLdl::new);
    }

    /// Conjugate gradients with the inverse of every body's own block.
    fn solve_iteratively(&mut self, step: &mut [Vec12]) {
        let inverse: Vec<Ldl<f64, 12>> = self.diagonal.par_iter().map(Ldl::semidefinite).collect();
        let Self { diagonal, pairs, coupling, workspace, .. } = self;
        let apply = |v: &[f64], out: &mut [f64]| {
            let (v, out) = (v.as_chunks::<12>().0, out.as_chunks_mut::<12>().0);
            out.par_iter_mut().enumerate().for_each(|(node, out)| *out = diagonal[node].mul_vec(&v[node]));
            for (&[a, b], block) in pairs.iter().zip(coupling.iter()) {
                let (a, b) = (a as usize, b as usize);
                drystone_solve::parts::matrix::add_scaled(&mut out[a], 1.0, &block.mul_vec(&v[b]));
                drystone_solve::parts::matrix::add_scaled(&mut out[b], 1.0, &block.transpose_mul_vec(&v[a]));
            }
        };
        let precondition = |r: &[f64], out: &mut [f64]| {
            let (r, out) = (r.as_chunks::<12>().0, out.as_chunks_mut::<12>().0);
            out.par_iter_mut().enumerate().for_each(|(node, out)| *out = inverse[node].solve(&r[node]));
        };
        let right = step.as_flattened().to_vec();
        let stop = Stop::relative(CG_TOLERANCE, &right, CG_ITERATIONS);
        step.fill([0.0; 12]);
        cg(apply, precondition, &right, step.as_flattened_mut(), stop, workspace);
    }
}
