//! Puts the equations of a Newton step of a net together.

use drystone_solve::linalg::matrix::{self, Mat6};

use super::array;
use super::block::one_side;
use super::island::{JointIsland, SolveContext, Solver};
use super::net::NetRow;
use crate::primal;

impl JointIsland {
    /// Descent, blocks and rows at the current iterate.
    pub(super) fn assemble(&mut self, context: &SolveContext) {
        let Self { bodies, joints, solver, axes, descent, .. } = self;
        let Solver::Net(net) = solver else { return };
        let rows = |place: usize| context.joints.rows(joints[place] as usize);
        let node = |node: usize, at: &[u32]| {
            let (mut force, mut block) = body_terms(context, bodies[node] as usize);
            for &entry in at {
                let (place, side) = (entry as usize / 2, entry as usize % 2);
                let (pull, stiffness) = one_side(&axes[place], rows(place), side);
                matrix::add_scaled(&mut force, 1.0, &pull);
                block.add_angular(stiffness);
            }
            (force, block)
        };
        let row = |place: usize, index: usize| {
            let (axes, row) = (&axes[place], &rows(place)[index]);
            let axis = row.axis as usize;
            let (force, stiffness) = row.law(axes.value[axis]);
            let length = if axis < 3 { 1.0 } else { context.joints.geometry[joints[place] as usize].size() };
            NetRow { jacobian: axes.jacobian[axis], stiffness, change: row.force - force, length }
        };
        net.set(descent, node, row);
    }
}

/// Force on a body and its block, without joints.
fn body_terms(context: &SolveContext, body: usize) -> (matrix::Vec6<f64>, Mat6<f64>) {
    let SolveContext { bodies, manifolds, contacts, member, .. } = *context;
    if let Some(near) = context.near {
        return (array(bodies.pull_to(body, near[body])), primal::mat6(&bodies.inertial_block(body)));
    }
    let (mut force, mut block) = (bodies.inertial_force_exact(body), bodies.inertial_block(body));
    if contacts.degree(body) > 0 {
        let (contact_force, contact_block) = primal::contact_terms(bodies, manifolds, contacts, body, member);
        force = force.add(contact_force);
        block = block.add(contact_block);
    }
    (array(force), primal::mat6(&block))
}
