//! Puts the equations of a Newton step of a joint island together.

use drystone_kernels::lanes::{self, Lanes, Task};
use drystone_solve::linalg::matrix::{self, Mat6};

use super::array;
use super::block::{JointBlock, one_side};
use super::coupling::add_cross;
use super::island::{Equations, JointIsland, NO_NODE, SolveContext};
use super::net::NetRow;
use super::rows::JointRow;
use crate::primal;

/// The assembly of an island, compiled for wide registers where there are any.
struct Assembling<'a, 'b>(&'a mut JointIsland, &'a SolveContext<'b>);

impl Task for Assembling<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        self.0.put_together(self.1);
    }
}

impl JointIsland {
    /// Descent and matrix at the current iterate.
    pub(super) fn assemble(&mut self, context: &SolveContext) {
        lanes::run(Assembling(self, context));
    }

    #[inline(always)]
    fn put_together(&mut self, context: &SolveContext) {
        let Self { bodies, joints, ends, coupled, equations, axes, descent, .. } = self;
        let rows = |place: usize| context.joints.rows(joints[place] as usize);
        match equations {
            Equations::Direct(solver) => {
                solver.clear();
                for (node, &body) in bodies.iter().enumerate() {
                    let (force, block) = body_terms(context, body as usize);
                    descent[node] = force;
                    solver.diagonal_mut(node as u32).add_scaled(1.0, &block);
                }
                for (place, (axes, &ends)) in axes.iter().zip(&*ends).enumerate() {
                    let block = JointBlock::new(axes, rows(place));
                    for side in (0..2).filter(|&side| ends[side] != NO_NODE) {
                        matrix::add_scaled(&mut descent[ends[side] as usize], -1.0, &block.gradient[side]);
                        solver.diagonal_mut(ends[side]).add_scaled(1.0, &block.diagonal[side]);
                    }
                    if !ends.contains(&NO_NODE) {
                        solver.add_coupling(ends[1], ends[0], &block.coupling);
                    }
                }
                for &[place, other] in &*coupled {
                    let of = |place: usize| (&axes[place], ends[place]);
                    let follows = |row: &&JointRow| {
                        row.partner.is_some_and(|partner| partner.follows && partner.joint == joints[other])
                    };
                    for row in rows(place).iter().filter(follows) {
                        if let Some(partner) = &row.partner {
                            add_cross(solver, row, partner, [of(place), of(other)]);
                        }
                    }
                }
            }
            Equations::Net(net) => {
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
