//! Inverse dynamics of any mechanism, loops included, by what its drives can do.

use drystone_model::{Axis, Control, DVec3, JointId, Model, State};

use super::error::MechanismError;
use crate::{ConstraintSystem, StructuredOptions};
use drystone_solve::joint::JointGeometry;
use drystone_solve::linalg::matrix::dot;

/// Pivot, relative to the largest entry, below which an axis counts as dependent on the others. Rounding
/// of the solves leaves 1e-12 of a pivot that should be zero.
const DEPENDENT: f64 = 1e-9;

/// An axis of a joint that is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrivenAxis {
    /// The joint.
    pub joint: JointId,
    /// The axis.
    pub axis: Axis,
}

/// Efforts \[N\], \[N·m\] of driven axes that give them the accelerations asked for \[m/s²\],
/// \[rad/s²\]; everything else of the mechanism follows. They replace what `control.joint_f` says of these
/// axes; springs and other efforts act as they are.
///
/// Accelerations are affine in the efforts: one solve without and one for each of the axes give that map,
/// which is then inverted. For trees without loops, all axes at once are cheaper by
/// [`super::JointSpace::inverse_dynamics`].
///
/// # Panics
/// If there are not as many accelerations as axes.
pub fn driving_efforts(
    model: &Model,
    state: &State,
    control: &Control,
    driven: &[DrivenAxis],
    accelerations: &[f64],
) -> Result<Vec<f64>, MechanismError> {
    assert_eq!(driven.len(), accelerations.len(), "an acceleration for every driven axis");
    let mut mechanism = ConstraintSystem::new(model, StructuredOptions::default());
    let mut trial = control.clone();
    let effort = |trial: &mut Control, axis: &DrivenAxis, effort: f64| {
        trial.joint_f[axis.joint.built_index()][axis.axis as usize] = effort;
    };
    driven.iter().for_each(|axis| effort(&mut trial, axis, 0.0));
    mechanism.forward_dynamics(model, state, &trial)?;
    let idle: Vec<f64> = driven.iter().map(|axis| axis_acceleration(&mechanism, model, state, axis)).collect();
    let size = driven.len();
    let mut map = vec![0.0; size * size];
    for (column, axis) in driven.iter().enumerate() {
        effort(&mut trial, axis, 1.0);
        mechanism.forward_dynamics(model, state, &trial)?;
        effort(&mut trial, axis, 0.0);
        for (row, axis) in driven.iter().enumerate() {
            map[row * size + column] = axis_acceleration(&mechanism, model, state, axis) - idle[row];
        }
    }
    let wanted = accelerations.iter().zip(&idle).map(|(wanted, idle)| wanted - idle).collect();
    eliminate(map, wanted).map_err(|index| MechanismError::Dependent {
        joint: model.joint_name[driven[index].joint.built_index()].clone(),
        axis: format!("{:?}", driven[index].axis),
    })
}

/// Acceleration of a coordinate from those of the bodies: J v̇ + c.
fn axis_acceleration(mechanism: &ConstraintSystem, model: &Model, state: &State, axis: &DrivenAxis) -> f64 {
    let joint = axis.joint.built_index();
    let geometry = JointGeometry::new(model, joint, model.body_count(), true);
    let bodies = geometry.body.map(|body| &mechanism.bodies.body[body]);
    let placement = bodies.map(|body| body.placement);
    let axes = geometry.axes(placement, DVec3::from_array(state.joint_angle[joint]));
    let product = geometry.velocity_products(placement, bodies.map(|body| body.velocity), &axes);
    let index = axis.axis as usize;
    let moved = |side: usize| dot(&axes.jacobian[index][side], &mechanism.motion[geometry.body[side]]);
    moved(0) + moved(1) + product[index]
}

/// Solves a symmetric positive system by elimination in the given order; the index without a pivot if there
/// is one.
fn eliminate(mut map: Vec<f64>, mut right: Vec<f64>) -> Result<Vec<f64>, usize> {
    let size = right.len();
    for pivot in 0..size {
        let whole = map[pivot * size + pivot];
        let known: f64 = (0..pivot).map(|k| map[pivot * size + k] * map[k * size + pivot]).sum();
        let left = whole - known;
        // A held axis does not answer at all; NaN is refused too.
        if left.is_nan() || left <= DEPENDENT * whole || whole <= 0.0 {
            return Err(pivot);
        }
        map[pivot * size + pivot] = left;
        for row in pivot + 1..size {
            let below: f64 = (0..pivot).map(|k| map[row * size + k] * map[k * size + pivot]).sum();
            map[row * size + pivot] = (map[row * size + pivot] - below) / left;
            let beside: f64 = (0..pivot).map(|k| map[pivot * size + k] * map[k * size + row]).sum();
            map[pivot * size + row] -= beside;
        }
    }
    for row in 0..size {
        right[row] -= (0..row).map(|k| map[row * size + k] * right[k]).sum::<f64>();
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| map[row * size + k] * right[k]).sum();
        right[row] = (right[row] - known) / map[row * size + row];
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_solves_and_names_the_dependent_row() {
        let solved = eliminate(vec![4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0], vec![1.0, 2.0, 3.0]).unwrap();
        for (row, right) in [([4.0, 1.0, 0.5], 1.0), ([1.0, 3.0, 0.2], 2.0), ([0.5, 0.2, 2.0], 3.0)] {
            let product: f64 = row.iter().zip(&solved).map(|(a, x)| a * x).sum();
            assert!((product - right).abs() < 1e-14);
        }
        assert_eq!(eliminate(vec![1.0, 2.0, 2.0, 4.0], vec![1.0, 1.0]), Err(1));
        assert_eq!(eliminate(vec![0.0], vec![1.0]), Err(0));
    }
}
