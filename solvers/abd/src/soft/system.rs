//! Newton's equations of bodies and particles together: nodes of three unknowns.
//!
//! A particle is a node. The twelve coordinates of a body are four: the columns of its matrix and its centre of mass, of which each of
//! its points is a sum with constant weights. So a contact, an element or an attachment adds 3×3 blocks between nodes whatever it acts
//! on, and a particle that a body holds is written as the sum of that body's nodes, which eliminates it exactly.

use drystone_model::{DMat3, DVec3};
use drystone_soft::{Matrix, Mesh};
use drystone_solve::linalg::block_ldl::BlockLdl;
use drystone_solve::linalg::krylov::{Ending, Stop, Workspace, cg};
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{Mat, add_scaled};

use super::super::affine::{Mat12, Vec12};
use super::super::pattern::Pattern;
use super::multigrid::Multigrid;

/// Residual, relative to the right-hand side, to which conjugate gradients solve.
const CG_TOLERANCE: f64 = 1e-8;
/// Most iterations per solution.
const CG_ITERATIONS: usize = 4000;

pub type Mat3 = Mat<f64, 3, 3>;

/// The nodes a point is a sum of, with weights; none for a point that stays where it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts {
    node: [u32; 4],
    weight: [f64; 4],
    count: usize,
}

impl Parts {
    /// A particle that is a node.
    pub fn node(node: u32) -> Self {
        Self { node: [node, 0, 0, 0], weight: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    /// A point of the body of number `body` among those that move, at a place of its rest shape.
    pub fn of_body(body: usize, rest: DVec3) -> Self {
        let first = 4 * body as u32;
        Self { node: [first, first + 1, first + 2, first + 3], weight: [rest.x, rest.y, rest.z, 1.0], count: 4 }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.node.iter().copied().zip(self.weight).take(self.count)
    }
}

/// The part of the system that is not between bodies.
#[derive(Debug, Default)]
pub struct SoftSystem {
    bodies: usize,
    /// Gradient by every particle that is a node.
    pub gradient: Vec<[f64; 3]>,
    diagonal: Vec<Mat3>,
    /// Blocks between nodes, with the rows of the first.
    coupling: Vec<([u32; 2], Mat3)>,
    pub pattern: Pattern,
    factor: Option<BlockLdl<3>>,
    /// Where factoring was refused: what conjugate gradients are preconditioned by.
    multigrid: Option<Multigrid>,
    pairs: Vec<[u32; 2]>,
    flat: Vec<[f64; 3]>,
    workspace: Workspace,
    /// Whether all solutions since the last assembly are solutions.
    pub solved: bool,
}

/// The rest of the system: what bodies add by themselves and among each other.
pub struct OfBodies<'a> {
    pub diagonal: &'a mut [Mat12],
    pub gradient: &'a mut [Vec12],
}

fn mat3(block: &DMat3) -> Mat3 {
    Mat::from_fn(|r, s| block.col(s)[r])
}

impl SoftSystem {
    /// Begins an assembly for a number of bodies that move and of particles that are nodes.
    pub fn begin(&mut self, bodies: usize, particles: usize) {
        self.bodies = bodies;
        self.gradient.clear();
        self.gradient.resize(particles, [0.0; 3]);
        self.diagonal.clear();
        self.diagonal.resize(particles, Mat3::ZERO);
        self.coupling.clear();
        self.solved = true;
    }

    /// Adds to the gradient by a point.
    pub fn add_gradient(&mut self, of: &mut OfBodies, point: &Parts, gradient: DVec3) {
        for (node, weight) in point.iter() {
            let node = node as usize;
            for r in 0..3 {
                match node.checked_sub(4 * self.bodies) {
                    None => of.gradient[node / 4][4 * r + node % 4] += weight * gradient[r],
                    Some(own) => self.gradient[own][r] += weight * gradient[r],
                }
            }
        }
    }

    /// Adds the symmetric block of a point with itself.
    pub fn add_own(&mut self, of: &mut OfBodies, point: &Parts, block: &DMat3) {
        for (a, wa) in point.iter() {
            for (b, wb) in point.iter() {
                self.add_inner(of, [a, b], &(*block * (wa * wb)));
            }
        }
    }

    /// Adds the block between two points, with the rows of the first, and its transpose.
    pub fn add_between(&mut self, of: &mut OfBodies, one: &Parts, other: &Parts, block: &DMat3) {
        for (a, wa) in one.iter() {
            for (b, wb) in other.iter() {
                let block = *block * (wa * wb);
                if self.owner(a) == self.owner(b) {
                    self.add_inner(of, [a, b], &block);
                    self.add_inner(of, [b, a], &block.transpose());
                } else {
                    self.coupling.push(([a, b], mat3(&block)));
                }
            }
        }
    }

    /// The body of a node, or the particle itself.
    fn owner(&self, node: u32) -> u32 {
        if (node as usize) < 4 * self.bodies { node / 4 } else { node }
    }

    /// Adds a block between nodes of one owner.
    fn add_inner(&mut self, of: &mut OfBodies, [a, b]: [u32; 2], block: &DMat3) {
        let (a, b) = (a as usize, b as usize);
        match a.checked_sub(4 * self.bodies) {
            Some(own) => self.diagonal[own].add_scaled(1.0, &mat3(block)),
            None => {
                let target = &mut of.diagonal[a / 4];
                for r in 0..3 {
                    for s in 0..3 {
                        target.0[4 * r + a % 4][4 * s + b % 4] += block.col(s)[r];
                    }
                }
            }
        }
    }

    /// Factors the matrix with what is between bodies, if that does not fill up too much.
    pub fn refactor(&mut self, diagonal: &[Mat12], pairs: &[[u32; 2]], coupling: &[Mat12]) {
        let nodes = 4 * self.bodies + self.diagonal.len();
        let own = (0..self.bodies as u32)
            .flat_map(|body| [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|pair| pair.map(|c| 4 * body + c)));
        let between = pairs.iter().flat_map(|&[a, b]| (0..16).map(move |k| [4 * a + k / 4, 4 * b + k % 4]));
        self.pairs.clear();
        self.pairs.extend(own.chain(between));
        self.pairs.extend(self.coupling.iter().map(|&([a, b], _)| [a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        if self.pattern.fit(nodes, &self.pairs) {
            self.factor = self.pattern.order();
        }
        let Some(factor) = &mut self.factor else { return };
        factor.clear();
        let part = |block: &Mat12, c: usize, d: usize| -> Mat3 { Mat::from_fn(|r, s| block.0[4 * r + c][4 * s + d]) };
        for (body, block) in (0..).zip(diagonal) {
            for c in 0..4 {
                *factor.diagonal_mut(4 * body + c) = part(block, c as usize, c as usize);
                for d in c + 1..4 {
                    factor.add_coupling(4 * body + c, 4 * body + d, &part(block, c as usize, d as usize));
                }
            }
        }
        for (node, block) in (4 * self.bodies as u32..).zip(&self.diagonal) {
            *factor.diagonal_mut(node) = *block;
        }
        for (&[a, b], block) in pairs.iter().zip(coupling) {
            for (c, d) in (0..16).map(|k| (k / 4, k % 4)) {
                factor.add_coupling(4 * a + c, 4 * b + d, &part(block, c as usize, d as usize));
            }
        }
        for ([a, b], block) in &self.coupling {
            factor.add_coupling(*a, *b, block);
        }
        factor.factor();
    }

    /// Whether the last matrix was too large to be factored, and so most likely the next.
    pub fn is_iterative(&self) -> bool {
        self.factor.is_none() && self.pattern != Pattern::default()
    }

    /// Takes over what particles are preconditioned by; `place` tells the particle of a node.
    pub fn precondition(&mut self, mesh: &Mesh, matrix: &Matrix, place: &[u32]) {
        let multigrid = self.multigrid.get_or_insert_with(|| Multigrid::new(mesh, matrix));
        multigrid.update(matrix, place, |node| &self.diagonal[node]);
    }

    /// Goes on with the order chosen for a pattern.
    pub fn resume(&mut self, pattern: Pattern) {
        self.factor = pattern.order();
        self.pattern = pattern;
    }

    /// Solves in place, by the factor if there is one.
    pub fn solve(
        &mut self,
        bodies: &mut [Vec12],
        particles: &mut [[f64; 3]],
        (diagonal, pairs, coupling): (&[Mat12], &[[u32; 2]], &[Mat12]),
    ) {
        if self.factor.is_none() {
            self.solve_iteratively(bodies, particles, (diagonal, pairs, coupling));
            return;
        }
        let Self { factor, flat, .. } = self;
        flat.clear();
        flat.extend(bodies.iter().flat_map(|q| [0, 1, 2, 3].map(|c| [q[c], q[4 + c], q[8 + c]])));
        flat.extend_from_slice(particles);
        factor.iter_mut().for_each(|factor| factor.solve(flat));
        let (of_bodies, rest) = flat.split_at(4 * bodies.len());
        for (q, columns) in bodies.iter_mut().zip(of_bodies.chunks_exact(4)) {
            *q = std::array::from_fn(|i| columns[i % 4][i / 4]);
        }
        particles.copy_from_slice(rest);
    }

    /// Conjugate gradients, preconditioned by the inverse of every body's own block and by a multigrid cycle over the particles.
    fn solve_iteratively(
        &mut self,
        bodies: &mut [Vec12],
        particles: &mut [[f64; 3]],
        (diagonal, pairs, coupling): (&[Mat12], &[[u32; 2]], &[Mat12]),
    ) {
        let of_bodies: Vec<Ldl<f64, 12>> = diagonal.iter().map(Ldl::semidefinite).collect();
        let mut multigrid = self.multigrid.take();
        let of_particles: Vec<Ldl<f64, 3>> = match &multigrid {
            Some(_) => Vec::new(),
            None => self.diagonal.iter().map(Ldl::semidefinite).collect(),
        };
        let count = bodies.len();
        let Self { diagonal: own, coupling: mixed, workspace, .. } = self;
        let place = |node: u32, r: usize| match (node as usize).checked_sub(4 * count) {
            None => 12 * (node as usize / 4) + 4 * r + node as usize % 4,
            Some(particle) => 12 * count + 3 * particle + r,
        };
        let apply = |v: &[f64], out: &mut [f64]| {
            let ((v_bodies, v_rest), (out_bodies, out_rest)) = (v.split_at(12 * count), out.split_at_mut(12 * count));
            let (v_bodies, out_bodies) = (v_bodies.as_chunks::<12>().0, out_bodies.as_chunks_mut::<12>().0);
            for ((out, v), block) in out_bodies.iter_mut().zip(v_bodies).zip(diagonal) {
                *out = block.mul_vec(v);
            }
            for (&[a, b], block) in pairs.iter().zip(coupling) {
                let (a, b) = (a as usize, b as usize);
                add_scaled(&mut out_bodies[a], 1.0, &block.mul_vec(&v_bodies[b]));
                add_scaled(&mut out_bodies[b], 1.0, &block.transpose_mul_vec(&v_bodies[a]));
            }
            let (v_rest, out_rest) = (v_rest.as_chunks::<3>().0, out_rest.as_chunks_mut::<3>().0);
            for ((out, v), block) in out_rest.iter_mut().zip(v_rest).zip(own.iter()) {
                *out = block.mul_vec(v);
            }
            for ([a, b], block) in mixed.iter() {
                let [at_a, at_b] = [a, b].map(|&node| [0, 1, 2].map(|r| place(node, r)));
                for r in 0..3 {
                    for s in 0..3 {
                        out[at_a[r]] += block.0[r][s] * v[at_b[s]];
                        out[at_b[s]] += block.0[r][s] * v[at_a[r]];
                    }
                }
            }
        };
        let precondition = |r: &[f64], out: &mut [f64]| {
            let ((r_bodies, r_rest), (out_bodies, out_rest)) = (r.split_at(12 * count), out.split_at_mut(12 * count));
            let (r_bodies, out_bodies) = (r_bodies.as_chunks::<12>().0, out_bodies.as_chunks_mut::<12>().0);
            out_bodies.iter_mut().zip(r_bodies).zip(&of_bodies).for_each(|((out, r), inverse)| *out = inverse.solve(r));
            let (r_rest, out_rest) = (r_rest.as_chunks::<3>().0, out_rest.as_chunks_mut::<3>().0);
            match &mut multigrid {
                Some(multigrid) => multigrid.cycle(r_rest, out_rest),
                None => {
                    let solved = out_rest.iter_mut().zip(r_rest).zip(&of_particles);
                    solved.for_each(|((out, r), inverse)| *out = inverse.solve(r));
                }
            }
        };
        let mut right = bodies.as_flattened().to_vec();
        right.extend_from_slice(particles.as_flattened());
        let mut x = vec![0.0; right.len()];
        let stop = Stop::relative(CG_TOLERANCE, &right, CG_ITERATIONS);
        let outcome = cg(apply, precondition, &right, &mut x, stop, workspace);
        self.solved &= outcome.ending == Ending::Converged;
        self.multigrid = multigrid;
        let (of_bodies, rest) = x.split_at(12 * count);
        bodies.as_flattened_mut().copy_from_slice(of_bodies);
        particles.as_flattened_mut().copy_from_slice(rest);
    }
}
