//! Which coordinates of a joint are held exactly: its list of projections that must vanish.

use drystone_model::{AxisMode, DVec3, JointKind, Model};

use super::axes::{JointGeometry, Placement};
use crate::linalg::matrix::Vec6;

/// A coordinate that is held at a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldAxis {
    /// Coordinate, 0 to 5.
    pub axis: u8,
    /// Where it is held \[m or rad\]; zero but for distance joints.
    pub at: f64,
}

/// One row of a hard joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRow {
    /// Coordinate, 0 to 5.
    pub axis: u8,
    /// Error g: the coordinate less where it is held \[m or rad\].
    pub value: f64,
    /// Rows J of the parent and of the child: ġ = J₀ v₀ + J₁ v₁ with v the linear and angular velocity.
    pub jacobian: [Vec6<f64>; 2],
    /// Velocity-product term c: g̈ = J v̇ + c \[m/s² or rad/s²\].
    pub product: f64,
}

/// The hard rows of a joint in axis order: locked axes without elasticity, rigid axes of rods, a distance
/// with equal bounds. Free joints, limits, drives and elastic axes give none.
pub fn held_axes(model: &Model, joint: usize, out: &mut Vec<HeldAxis>) {
    match model.joint_kind[joint] {
        JointKind::Free => {}
        JointKind::Distance => {
            let [least, most] = model.joint_distance[joint];
            if least == most && model.joint_stiffness[joint][0].is_infinite() {
                out.push(HeldAxis { axis: 0, at: least });
            }
        }
        _ => out.extend(
            (0..6).filter(|&axis| is_held(model, joint, axis)).map(|axis| HeldAxis { axis: axis as u8, at: 0.0 }),
        ),
    }
}

fn is_held(model: &Model, joint: usize, axis: usize) -> bool {
    if model.joint_rod[joint].is_some() {
        return rod_constants(model, joint, axis).0.is_infinite();
    }
    let angular = usize::from(axis >= 3);
    model.joint_axis[joint][axis] == AxisMode::Locked && model.joint_stiffness[joint][angular].is_infinite()
}

/// Stiffness and damping of an axis of a rod \[N/m or N·m/rad\], \[N·s/m or N·m·s/rad\].
pub fn rod_constants(model: &Model, joint: usize, axis: usize) -> (f64, f64) {
    let Some(rod) = model.joint_rod[joint] else { return (0.0, 0.0) };
    match axis {
        0 | 1 => (rod.shear, rod.damping_linear),
        2 => (rod.stretch, rod.damping_linear),
        3 | 4 => (rod.bend, rod.damping_angular),
        _ => (rod.twist, rod.damping_angular),
    }
}

impl JointGeometry {
    /// Appends the rows of the held axes at the given placements and velocities; angles on the branch next
    /// to `hint`.
    pub fn rows(
        &self,
        held: &[HeldAxis],
        placement: [Placement; 2],
        velocity: [Vec6<f64>; 2],
        hint: DVec3,
        out: &mut Vec<JointRow>,
    ) {
        let axes = self.axes(placement, hint);
        let product = self.velocity_products(placement, velocity, &axes);
        out.extend(held.iter().map(|held| {
            let k = held.axis as usize;
            let value = axes.value[k] - held.at;
            JointRow { axis: held.axis, value, jacobian: axes.jacobian[k], product: product[k] }
        }));
    }
}
