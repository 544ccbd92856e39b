//! Linear-time solution of the saddle system of bodies and joints on trees,
//!
//! ```text
//!   [  M  −Jᵀ ] [ x ]   [ f ]
//!   [ −J  −C  ] [ λ ] = [ g ],   that is   M x = f + Jᵀλ   and   J x = −g − C λ :
//! ```
//!
//! the bodies' moves x under forces f and joint forces λ that close the joint errors g up to the
//! compliance C. C = 0 is a hard joint; C = 1/ρ is the spring ρ of the penalty form, without ever
//! adding the large ρ to the small M. That is what single precision needs: a stiff or hard joint
//! costs no digits here. What does is a large mass ratio, the ratio itself times a rounding error:
//! 1 % of the forces at 50,000:1 in `f32`, which the next solve on the residual repairs.
//!
//! Bodies and joints are both nodes of the tree, eliminated from the leaves. With A the block of a
//! body when its turn comes, J_c and J_p the rows of the joint it hangs by, for it and for its parent:
//!
//!   Y = A⁻¹ J_cᵀ,  S = C + J_c Y,  Z = S⁻¹ J_p,  A_parent += J_pᵀ Z
//!
//! A of a parent so becomes its articulated inertia: what it weighs with everything that hangs on it.

use rayon::prelude::*;

use super::tree_layout::{SingularBlock, TreeLayout, TreeSlot, with_parent};
use drystone_solve::graph::forest::{Forest, NONE};
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{Mat, Mat6, Vec6};
use drystone_solve::linalg::real::Real;

/// A saddle system over trees of bodies and joints, and its factor. Keeps its buffers between steps.
#[derive(Clone, Debug, Default)]
pub struct SaddleSolver<T> {
    layout: TreeLayout,
    nodes: Vec<Node<T>>,
    work: Vec<Unknowns<T>>,
}

/// The blocks of a body and of the joint it hangs by.
#[derive(Clone, Copy, Debug)]
pub struct SaddleBlocks<T> {
    /// Block of the body, positive definite: inertia and whatever else acts on it alone.
    pub mass: Mat6<T>,
    /// Number of rows of the joint, at most 6; 0 if there is none. Rows beyond are not read.
    pub row_count: usize,
    /// Joint rows for the body: times its move they give the change of the joint's coordinates.
    pub child: Mat6<T>,
    /// Joint rows for the parent. Not read at a root.
    pub parent: Mat6<T>,
    /// Compliance of the joint: symmetric, positive semi-definite, zero for a hard joint.
    pub compliance: Mat6<T>,
}

impl<T: Real> Default for SaddleBlocks<T> {
    fn default() -> Self {
        Self { mass: Mat::ZERO, row_count: 0, child: Mat::ZERO, parent: Mat::ZERO, compliance: Mat::ZERO }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<T> {
    blocks: SaddleBlocks<T>,
    body: Ldl<T, 6>,
    joint: Ldl<T, 6>,
    /// Yᵀ, one row per joint row.
    response: Mat6<T>,
    /// Z, one row per joint row.
    transfer: Mat6<T>,
}

impl<T: Real> Default for Node<T> {
    fn default() -> Self {
        let (body, joint) = (Ldl::default(), Ldl::default());
        Self { blocks: SaddleBlocks::default(), body, joint, response: Mat::ZERO, transfer: Mat::ZERO }
    }
}

#[derive(Clone, Copy, Debug)]
struct Unknowns<T> {
    body: Vec6<T>,
    joint: Vec6<T>,
}

impl<T: Real> SaddleSolver<T> {
    /// Takes over the first `tree_count` trees of a forest ([`Forest::jointed_tree_count`] to leave
    /// out single bodies) and sets all blocks to zero.
    pub fn set_structure(&mut self, forest: &Forest, tree_count: usize) {
        self.layout.set(forest, tree_count);
        self.nodes.clear();
        self.nodes.resize(self.layout.slots.len(), Node::default());
    }

    /// The slots, parents before children.
    #[cfg(test)]
    fn slots(&self) -> &[TreeSlot] {
        &self.layout.slots
    }

    /// Sets the blocks of every body and the joint it hangs by, in parallel. They are used up by
    /// [`SaddleSolver::factor`] and hold their old values until set.
    pub fn fill(&mut self, blocks: impl Fn(&TreeSlot, &mut SaddleBlocks<T>) + Sync) {
        let nodes = self.nodes.par_iter_mut().with_min_len(64);
        nodes.zip(&self.layout.slots).for_each(|(node, slot)| blocks(slot, &mut node.blocks));
    }

    /// Factors. Joint rows that repeat other rows of the same joint are left out (their multipliers
    /// come out zero); their number is returned. On error, when a body's block is not positive
    /// definite, solves still give finite numbers but not the solution.
    pub fn factor(&mut self) -> Result<usize, SingularBlock> {
        let parents = &self.layout.parents;
        self.layout.for_each_tree(&mut self.nodes, |first, nodes| {
            for local in (0..nodes.len()).rev() {
                let (node, parent) = with_parent(nodes, local, parents[first + local], first);
                node.eliminate_body();
                if let Some(parent) = parent {
                    node.eliminate_joint(&mut parent.blocks.mass);
                }
            }
        });
        if let Some((node, slot)) = self.nodes.iter().zip(&self.layout.slots).find(|(node, _)| node.body.rank() < 6) {
            return Err(SingularBlock { body: slot.body, rank: node.body.rank() });
        }
        Ok(self.nodes.iter().map(|node| node.rows() - node.joint.rank()).sum())
    }

    /// Solves in place. `body` is indexed by body: f on entry, x on return. `joint` is indexed by joint
    /// as in the forest's list: g on entry, λ on return, in the first `row_count` entries. Bodies and
    /// joints outside the trees keep their values.
    pub fn solve(&mut self, body: &mut [Vec6<T>], joint: &mut [Vec6<T>]) {
        let Self { layout, nodes, work } = self;
        work.clear();
        work.extend(layout.slots.iter().map(|slot| Unknowns {
            body: body[slot.body as usize],
            joint: slot.joint.map_or([T::ZERO; 6], |held| joint[held.constraint()]),
        }));
        layout.for_each_tree(work, |first, unknowns| {
            let parents = &layout.parents[first..first + unknowns.len()];
            let nodes = &nodes[first..first + unknowns.len()];
            for local in (0..unknowns.len()).rev() {
                let (own, parent) = with_parent(unknowns, local, parents[local], first);
                nodes[local].upward(own, parent);
            }
            for local in 0..unknowns.len() {
                let parent = (parents[local] != NONE).then(|| unknowns[parents[local] as usize - first].body);
                nodes[local].downward(&mut unknowns[local], parent);
            }
        });
        for (slot, unknowns) in layout.slots.iter().zip(work) {
            body[slot.body as usize] = unknowns.body;
            if let Some(held) = slot.joint {
                joint[held.constraint()] = unknowns.joint;
            }
        }
    }
}

impl<T: Real> Node<T> {
    fn rows(&self) -> usize {
        self.blocks.row_count.min(6)
    }

    /// Factors the body and the joint it hangs by.
    fn eliminate_body(&mut self) {
        self.body = Ldl::semidefinite(&self.blocks.mass);
        let rows = self.rows();
        let mut complement = self.blocks.compliance;
        for i in 0..rows {
            self.response.0[i] = self.body.solve(&self.blocks.child.0[i]);
            for j in 0..=i {
                complement.0[i][j] += drystone_solve::linalg::matrix::dot(&self.blocks.child.0[j], &self.response.0[i]);
            }
        }
        self.joint = Ldl::leading(&complement, rows);
    }

    /// Hands what hangs on the joint over to the parent's block.
    fn eliminate_joint(&mut self, parent: &mut Mat6<T>) {
        let rows = self.rows();
        let mut held = self.blocks.parent;
        held.0[rows..].fill([T::ZERO; 6]);
        self.transfer = self.joint.solve_mat(&held);
        for i in 0..rows {
            parent.add_outer(T::ONE, &held.0[i], &self.transfer.0[i]);
        }
    }

    /// On entry (f, g); on return A⁻¹ f and S⁻¹ (g + J_c A⁻¹ f), the latter handed to the parent.
    fn upward(&self, own: &mut Unknowns<T>, parent: Option<&mut Unknowns<T>>) {
        let rows = self.rows();
        let mut error = own.joint;
        for i in 0..rows {
            error[i] += drystone_solve::linalg::matrix::dot(&self.response.0[i], &own.body);
        }
        own.joint = self.joint.solve(&error);
        own.body = self.body.solve(&own.body);
        if let Some(parent) = parent {
            for i in 0..rows {
                drystone_solve::linalg::matrix::add_scaled(&mut parent.body, -own.joint[i], &self.blocks.parent.0[i]);
            }
        }
    }

    /// Completes (x, λ) once the parent's x is known.
    fn downward(&self, own: &mut Unknowns<T>, parent: Option<Vec6<T>>) {
        for i in 0..self.rows() {
            let from_parent = parent.map_or(T::ZERO, |x| drystone_solve::linalg::matrix::dot(&self.transfer.0[i], &x));
            own.joint[i] = -own.joint[i] - from_parent;
            drystone_solve::linalg::matrix::add_scaled(&mut own.body, own.joint[i], &self.response.0[i]);
        }
    }
}

#[cfg(test)]
#[path = "saddle_solve_tests.rs"]
mod tests;
