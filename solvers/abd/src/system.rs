//! Newton's equations as 12×12 blocks: one per body, one per pair of bodies in contact.
//!
//! Contacts are sorted by pair of bodies; every pair sums up its own (in parallel, without atomics), then pairs are
//! added to the bodies in order. The result does not depend on the number of threads.

use rayon::prelude::*;

use super::active_set::ActiveSet;
use super::affine::{Affine, Mat12, Vec12};
use super::bodies::Bodies;
use super::closing::Closing;
use super::contact::{Contact, PairSystem};
use super::friction::Friction;
use super::joints::{Joints, Term};
use super::options::AbdOptions;
use super::pattern::Pattern;
use super::soft::{OfBodies, SoftSystem};
use drystone_kernels::lanes::{self, Lanes, Task};
use drystone_solve::linalg::block_ldl::BlockLdl;
use drystone_solve::linalg::krylov::{Ending, Stop, Workspace, cg, norm};
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{add_scaled, dot};

/// Residual, relative to the gradient, to which conjugate gradients solve.
const CG_TOLERANCE: f64 = 1e-8;
/// Most conjugate gradient iterations per solve.
const CG_ITERATIONS: usize = 2000;

/// Error of the rows, relative to what there was, to which their multipliers are found.
const ROW_TOLERANCE: f64 = 1e-10;
/// Share of what rounding may leave of rows below which nothing is asked of them.
const ROW_ROUNDING: f64 = 1.0 / 64.0;
/// Most iterations for that.
const ROW_ITERATIONS: usize = 50;

/// What acts between bodies at an iterate.
pub struct Forces<'a> {
    pub contacts: &'a [Contact],
    /// Contacts that begin within the step.
    pub ahead: &'a [Contact],
    /// Distance about which the barrier of every contact, then of every one ahead, is a parabola \[m\].
    pub about: &'a [f64],
    /// Stiffness of every contact \[J\].
    pub stiffness: &'a (dyn Fn(&Contact) -> f64 + Sync),
    pub frictions: &'a [Friction],
    /// The slip through which the work of every friction is a parabola, if not expanded where it is \[m\].
    pub slip: &'a [Option<f64>],
    /// What joints hold: errors, and weights that keep the matrix definite until the multipliers hold them.
    pub rows: &'a [Term],
    /// What joints push along: slopes and curvatures.
    pub pushes: &'a [Term],
    /// d̂ \[m\].
    pub contact_distance: f64,
    /// Slip at which friction has its full size \[m\].
    pub edge: f64,
    /// Whether bodies are where they were at the last assembly, and only forces between them are taken differently.
    pub refined: bool,
    /// Bodies looked at; the others stay where they are.
    pub active: &'a ActiveSet,
}

/// The block system and what is kept from solve to solve.
#[derive(Debug, Default)]
pub struct System {
    /// Node of every slot; `u32::MAX` for what does not move.
    node: Vec<u32>,
    slot: Vec<u32>,
    /// Block and gradient of inertia and rigidity of every node.
    own: Vec<(Mat12, Vec12)>,
    diagonal: Vec<Mat12>,
    /// Nodes that are looked at.
    wanted: Vec<bool>,
    /// Gradient of every node.
    pub gradient: Vec<Vec12>,
    pairs: Vec<[u32; 2]>,
    coupling: Vec<Mat12>,
    order: Vec<(u64, u32)>,
    factor: Option<BlockLdl<12>>,
    pattern: Pattern,
    workspace: Workspace,
    row_workspace: Workspace,
    /// The same over rigid motions, to close joints with.
    pub closing: Closing,
    /// Multiplier of every row in the last solution \[N or N·m\].
    pub multiplier: Vec<f64>,
    /// What particles add; there only with particles.
    pub soft: Option<Box<SoftSystem>>,
    /// Step of every particle that is a node, in the last solution \[m\].
    pub particle_step: Vec<[f64; 3]>,
    particle_scratch: Vec<[f64; 3]>,
    /// Whether the last solutions solve the system: conjugate gradients may give up.
    solved: bool,
}

impl Forces<'_> {
    /// First item of every kind in the common numbering: contacts, frictions, rows, pushes.
    fn firsts(&self) -> [usize; 3] {
        let frictions = self.contacts.len() + self.ahead.len();
        let rows = frictions + self.frictions.len();
        [frictions, rows, rows + self.rows.len()]
    }

    #[inline(always)]
    fn add_item(&self, item: usize, firsts: [usize; 3], bodies: &Bodies, out: &mut PairSystem) {
        let [frictions, rows, pushes] = firsts;
        if item < frictions {
            let contact = self.contacts.get(item).unwrap_or_else(|| &self.ahead[item - self.contacts.len()]);
            contact.add_to((self.stiffness)(contact), self.contact_distance, self.about[item], out);
        } else if item < rows {
            self.frictions[item - frictions].add_to(
                &bodies.start,
                &bodies.q,
                self.edge,
                self.slip[item - frictions],
                out,
            );
        } else if item >= pushes {
            let push = &self.pushes[item - pushes];
            out.add_outer(push.curvature, &push.by);
            (0..2).for_each(|k| add_scaled(&mut out.gradient[k], push.value, &push.by[k]));
        }
    }
}

/// The sum of all that acts between two bodies but rows, which the closing of joints does without, compiled for wide registers where there are any.
struct PairSum<'a, 'f> {
    forces: &'a Forces<'f>,
    firsts: [usize; 3],
    bodies: &'a Bodies,
    group: &'a [(u64, u32)],
}

impl Task for PairSum<'_, '_> {
    type Output = PairSystem;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> PairSystem {
        let mut pair = PairSystem::ZERO;
        let Self { forces, firsts, bodies, group } = self;
        group.iter().for_each(|&(_, item)| forces.add_item(item as usize, firsts, bodies, &mut pair));
        pair
    }
}

/// Adds `weight` times the direction of a term to the nodes it acts on.
fn spread(term: &Term, nodes: &[u32; 2], weight: f64, out: &mut [Vec12]) {
    for k in 0..2 {
        if let Some(out) = out.get_mut(nodes[k] as usize) {
            add_scaled(out, weight, &term.by[k]);
        }
    }
}

/// The change of a term's coordinate with a step.
fn along(term: &Term, nodes: &[u32; 2], step: &[Vec12]) -> f64 {
    (0..2).filter_map(|k| step.get(nodes[k] as usize).map(|step| dot(step, &term.by[k]))).sum()
}

/// Node of a slot in the list of all, if it moves.
fn node_in(node: &[u32], slot: u32) -> Option<usize> {
    Some(node[slot as usize]).filter(|&node| node != u32::MAX).map(|node| node as usize)
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

    /// Node of a slot, if it moves.
    pub fn node_of(&self, slot: u32) -> Option<usize> {
        node_in(&self.node, slot)
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
    pub fn assemble(&mut self, bodies: &Bodies, options: &AbdOptions, forces: &Forces) {
        if !forces.refined {
            let own = |&slot: &u32| {
                let slot = slot as usize;
                match forces.active.on(slot) {
                    true => (bodies.block(slot, options), bodies.gradient(slot, options)),
                    false => (Mat12::identity(), [0.0; 12]),
                }
            };
            self.slot.par_iter().with_min_len(64).map(own).collect_into_vec(&mut self.own);
        }
        self.wanted.clear();
        self.wanted.extend(self.slot.iter().map(|&slot| forces.active.on(slot as usize)));
        self.diagonal.clear();
        self.gradient.clear();
        for (block, gradient) in &self.own {
            self.diagonal.push(*block);
            self.gradient.push(*gradient);
        }
        self.add_pairs(bodies, forces);
        if !forces.rows.is_empty() {
            let linear: Vec<_> = self.slot.iter().map(|&slot| bodies.q[slot as usize].linear).collect();
            self.closing.reduce(&linear, &self.diagonal, &self.pairs, &self.coupling);
            self.add_rows(forces.rows);
        }
        self.solved = true;
    }

    /// Whether the solutions since the last assembly solve the system.
    pub fn is_solved(&self) -> bool {
        self.solved && self.soft.as_ref().is_none_or(|soft| soft.solved)
    }

    /// First node of particles.
    pub fn first_particle(&self) -> usize {
        4 * self.slot.len()
    }

    /// Adds what particles do, to what was assembled of the bodies.
    pub fn assemble_particles(
        &mut self,
        nodes: usize,
        add: impl FnOnce(&mut SoftSystem, OfBodies, &dyn Fn(u32) -> Option<usize>),
    ) {
        let Self { soft: Some(soft), slot, node, diagonal, gradient, .. } = self else { return };
        soft.begin(slot.len(), nodes);
        add(soft, OfBodies { diagonal, gradient }, &|slot| node_in(node, slot));
    }

    fn add_pairs(&mut self, bodies: &Bodies, forces: &Forces) {
        let Self { order, .. } = self;
        let firsts = forces.firsts();
        let key = |slot: [u32; 2]| u64::from(slot[0]) << 32 | u64::from(slot[1]);
        order.clear();
        order.extend(forces.contacts.iter().chain(forces.ahead).map(|c| (key(c.slot), 0)));
        order.extend(forces.frictions.iter().map(|f| (key(f.slot), 0)));
        order.extend(forces.rows.iter().chain(forces.pushes).map(|term| (key(term.slot), 0)));
        order.iter_mut().enumerate().for_each(|(i, (_, item))| *item = i as u32);
        order.retain(|(key, _)| forces.active.concerns([(key >> 32) as u32, *key as u32]));
        order.par_sort_unstable();
        let groups: Vec<&[(u64, u32)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
        let sum = |group: &&[(u64, u32)]| lanes::run(PairSum { forces, firsts, bodies, group });
        let sums: Vec<PairSystem> = groups.par_iter().with_min_len(4).map(sum).collect();
        self.pairs.clear();
        self.coupling.clear();
        for (group, sum) in groups.iter().zip(sums) {
            let slots = [(group[0].0 >> 32) as usize, (group[0].0 & 0xffff_ffff) as usize];
            let nodes = slots.map(|slot| if forces.active.on(slot) { self.node[slot] } else { u32::MAX });
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

    /// Closes the joints of bodies that are wanted where they are, group by group; returns the groups that stay open.
    pub fn close(
        &mut self,
        joints: &Joints,
        bodies: &Bodies,
        groups: (&[bool], &[u32]),
        places: (&mut [Affine], f64),
    ) -> Vec<bool> {
        let Self { closing, node, .. } = self;
        closing.close(joints, bodies, |slot| node_in(node, slot), groups, places)
    }

    /// Adds the weights of rows to the blocks of their bodies, whose pairs are there already.
    fn add_rows(&mut self, rows: &[Term]) {
        for row in rows {
            let nodes = row.slot.map(|slot| self.node[slot as usize]);
            for k in 0..2 {
                if let Some(block) = self.diagonal.get_mut(nodes[k] as usize) {
                    block.add_outer(row.curvature, &row.by[k], &row.by[k]);
                }
            }
            if let Ok(pair) = self.pairs.binary_search(&nodes) {
                self.coupling[pair].add_outer(row.curvature, &row.by[0], &row.by[1]);
            }
        }
    }

    /// Solves for the step of every node: H δ = −g where rows ask for nothing, G δ = −c where they do.
    /// The rows are known to their `rounding`.
    pub fn solve(&mut self, (rows, rounding): (&[Term], &[f64]), step: &mut Vec<Vec12>) {
        step.clear();
        step.extend(self.gradient.iter().map(|g| g.map(|x| -x)));
        if let Some(soft) = &self.soft {
            self.particle_step.clear();
            self.particle_step.extend(soft.gradient.iter().map(|g| g.map(|x| -x)));
        }
        self.refactor();
        self.solve_held(rows, rounding, step);
    }

    /// With the weights W of the rows in the matrix, K = H + GᵀWG, the step is δ = K⁻¹(r − GᵀWc − Gᵀλ) for the λ that
    /// closes the rows: G K⁻¹ Gᵀ λ = G δ₀ + c, by conjugate gradients. W is nearly the inverse of that matrix, so
    /// that W (G δ₀ + c) is a good first guess and a few solutions do. Rows that say the same thing twice do no harm as long as nothing is
    /// asked of them below their rounding, where they contradict each other.
    fn solve_held(&mut self, rows: &[Term], rounding: &[f64], step: &mut [Vec12]) {
        let node = |slot: u32| self.node[slot as usize];
        let nodes: Vec<[u32; 2]> = rows.iter().map(|row| row.slot.map(node)).collect();
        for (row, nodes) in rows.iter().zip(&nodes) {
            spread(row, nodes, -row.curvature * row.value, step);
        }
        let mut particles = std::mem::take(&mut self.particle_step);
        self.apply_inverse(step, &mut particles);
        if rows.is_empty() {
            self.particle_step = particles;
            return;
        }
        let mut scratch = std::mem::take(&mut self.particle_scratch);
        scratch.resize(particles.len(), [0.0; 3]);
        let open: Vec<f64> = rows.iter().zip(&nodes).map(|(row, nodes)| row.value + along(row, nodes, step)).collect();
        let mut moved = vec![[0.0; 12]; step.len()];
        let (mut workspace, mut multiplier) =
            (std::mem::take(&mut self.row_workspace), std::mem::take(&mut self.multiplier));
        multiplier.clear();
        multiplier.extend(rows.iter().zip(&open).map(|(row, open)| row.curvature * open));
        let apply = |v: &[f64], out: &mut [f64]| {
            moved.fill([0.0; 12]);
            rows.iter().zip(&nodes).zip(v).for_each(|((row, nodes), v)| spread(row, nodes, *v, &mut moved));
            scratch.fill([0.0; 3]);
            self.apply_inverse(&mut moved, &mut scratch);
            out.iter_mut().zip(rows.iter().zip(&nodes)).for_each(|(out, (row, n))| *out = along(row, n, &moved));
        };
        let weigh = |r: &[f64], out: &mut [f64]| {
            out.iter_mut().zip(r).zip(rows).for_each(|((out, r), row)| *out = row.curvature * r);
        };
        let floor = ROW_ROUNDING * norm(rounding);
        let stop = Stop { residual: (ROW_TOLERANCE * norm(&open)).max(floor), max_iterations: ROW_ITERATIONS };
        let outcome = cg(apply, weigh, &open, &mut multiplier, stop, &mut workspace);
        self.solved &= outcome.residual <= norm(&open).max(floor);
        moved.fill([0.0; 12]);
        rows.iter().zip(&nodes).zip(&multiplier).for_each(|((row, n), v)| spread(row, n, -v, &mut moved));
        scratch.fill([0.0; 3]);
        self.apply_inverse(&mut moved, &mut scratch);
        particles.iter_mut().zip(&scratch).for_each(|(step, moved)| add_scaled(step, 1.0, moved));
        (self.row_workspace, self.multiplier) = (workspace, multiplier);
        (self.particle_step, self.particle_scratch) = (particles, scratch);
        step.iter_mut().zip(&moved).for_each(|(step, moved)| add_scaled(step, 1.0, moved));
    }

    fn apply_inverse(&mut self, x: &mut [Vec12], particles: &mut [[f64; 3]]) {
        let Self { soft, factor, diagonal, pairs, coupling, .. } = self;
        match (soft, factor) {
            (Some(soft), _) => soft.solve(x, particles, (diagonal, pairs, coupling)),
            (None, Some(factor)) => factor.solve(x),
            (None, None) => self.solve_iteratively(x),
        }
    }

    fn refactor(&mut self) {
        if let Some(soft) = &mut self.soft {
            soft.refactor(&self.diagonal, &self.pairs, &self.coupling);
            return;
        }
        if self.pattern.fit(self.slot.len(), &self.pairs) {
            self.factor = self.pattern.order();
        }
        let Some(factor) = &mut self.factor else { return };
        factor.clear();
        for (node, block) in self.diagonal.iter().enumerate().filter(|(node, _)| self.wanted[*node]) {
            *factor.diagonal_mut(node as u32) = *block;
        }
        for (&[a, b], block) in self.pairs.iter().zip(&self.coupling) {
            factor.add_coupling(a, b, block);
        }
        factor.factor();
    }

    /// What the order of elimination was chosen for.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Goes on with the order chosen for a pattern.
    pub fn resume(&mut self, pattern: Pattern) {
        self.factor = pattern.order();
        self.pattern = pattern;
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
                add_scaled(&mut out[a], 1.0, &block.mul_vec(&v[b]));
                add_scaled(&mut out[b], 1.0, &block.transpose_mul_vec(&v[a]));
            }
        };
        let precondition = |r: &[f64], out: &mut [f64]| {
            let (r, out) = (r.as_chunks::<12>().0, out.as_chunks_mut::<12>().0);
            out.par_iter_mut().enumerate().for_each(|(node, out)| *out = inverse[node].solve(&r[node]));
        };
        let right = step.as_flattened().to_vec();
        let stop = Stop::relative(CG_TOLERANCE, &right, CG_ITERATIONS);
        step.fill([0.0; 12]);
        let outcome = cg(apply, precondition, &right, step.as_flattened_mut(), stop, workspace);
        self.solved &= outcome.ending == Ending::Converged;
    }
}
