//! What one joint of a net does to one of its bodies.

use drystone_model::{DMat3, DVec3};

use super::Axes;
use super::rows::JointRow;
use drystone_solve::joint::geometric_stiffness_psd;
use drystone_solve::linalg::matrix::{Vec6, add_scaled};

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
