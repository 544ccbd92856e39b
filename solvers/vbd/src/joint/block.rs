//! Gradient and stiffness of one joint in the unknowns of its two bodies.

use drystone_model::{DMat3, DVec3};

use super::Axes;
use super::rows::JointRow;
use drystone_solve::joint::geometric_stiffness_psd;
use drystone_solve::linalg::matrix::{Mat6, Vec6, add_scaled};

/// What a joint adds to the equations of its bodies.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointBlock {
    /// Gradient of the energy for parent and child: minus the force on them.
    pub gradient: [Vec6<f64>; 2],
    /// Diagonal blocks of parent and child.
    pub diagonal: [Mat6<f64>; 2],
    /// Rows of the child, columns of the parent.
    pub coupling: Mat6<f64>,
}

impl JointBlock {
    /// At the given coordinates, with the geometric stiffness of the forces last solved for. Inlined: handed back by memory it took
    /// 7 % of the instructions of jointed scenes.
    #[inline(always)]
    pub fn new(axes: &Axes, rows: &[JointRow]) -> Self {
        let mut block = Self::default();
        let mut pull = DVec3::ZERO;
        for row in rows {
            let axis = row.axis as usize;
            let (force, stiffness) = row.law(axes.value[axis]);
            let [parent, child] = &axes.jacobian[axis];
            if axis >= 3 {
                block.add_turn(force, stiffness, child);
                continue;
            }
            add_scaled(&mut block.gradient[0], force, parent);
            add_scaled(&mut block.gradient[1], force, child);
            if stiffness > 0.0 {
                block.diagonal[0].add_outer(stiffness, parent, parent);
                block.diagonal[1].add_outer(stiffness, child, child);
                block.coupling.add_outer(stiffness, child, parent);
            }
            pull += axes.direction.col(axis) * row.force;
        }
        // Leaving it out makes long chains under tension explode.
        block.diagonal[0].add_angular(stiffness_of(-pull, axes.lever[0]));
        block.diagonal[1].add_angular(stiffness_of(pull, axes.lever[1]));
        block
    }

    /// Adds a row along a rotation: it turns the parent as much backwards as the child forwards, and moves neither. The same sums as
    /// those of any row, without the products with zero and those that differ by their sign.
    #[inline(always)]
    fn add_turn(&mut self, force: f64, stiffness: f64, child: &Vec6<f64>) {
        let row = [child[3], child[4], child[5]];
        for i in 0..3 {
            self.gradient[0][3 + i] -= force * row[i];
            self.gradient[1][3 + i] += force * row[i];
        }
        if stiffness > 0.0 {
            for i in 0..3 {
                for j in 0..3 {
                    let product = stiffness * row[i] * row[j];
                    self.diagonal[0].0[3 + i][3 + j] += product;
                    self.diagonal[1].0[3 + i][3 + j] += product;
                    self.coupling.0[3 + i][3 + j] -= product;
                }
            }
        }
    }
}

/// Force on one of the two bodies and its geometric stiffness, without that of the rows.
pub fn one_side(axes: &Axes, rows: &[JointRow], side: usize) -> (Vec6<f64>, DMat3) {
    let (mut force, mut pull) = ([0.0; 6], DVec3::ZERO);
    for row in rows {
        let axis = row.axis as usize;
        add_scaled(&mut force, -row.law(axes.value[axis]).0, &axes.jacobian[axis][side]);
        if axis < 3 {
            pull += axes.direction.col(axis) * row.force;
        }
    }
    (force, stiffness_of(if side == 0 { -pull } else { pull }, axes.lever[side]))
}

fn stiffness_of(pull: DVec3, lever: DVec3) -> DMat3 {
    if pull == DVec3::ZERO { DMat3::ZERO } else { geometric_stiffness_psd(pull, lever) }
}
