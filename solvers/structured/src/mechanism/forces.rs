//! What every joint transmits.

use drystone_model::{Control, DVec3, Model, State};

use super::error::MechanismError;
use crate::{ConstraintSystem, StructuredOptions};
use drystone_solve::linalg::block6::split;
use drystone_solve::linalg::matrix::{Vec6, add_scaled};

/// Force and torque a joint exerts on its child, world frame; its parent feels the opposite at the same
/// point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointForce {
    /// \[N\].
    pub force: DVec3,
    /// About the origin of the child's joint frame \[N·m\].
    pub torque: DVec3,
}

/// What every joint of a moving mechanism transmits at an instant: what holds its locked axes, and its
/// springs, drives and the user's efforts. Stops are taken as open and dry friction as absent.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
/// use drystone_structured::mechanism::joint_forces;
/// let mut scene = ModelBuilder::new();
/// let lamp = scene.add_body(BodyDef::dynamic("lamp").at(DVec3::NEG_Z).sphere(0.1).mass(3.0));
/// scene.add_joint(JointDef::ball(WORLD, lamp, DVec3::ZERO));
/// let model = scene.finalize()?;
/// let forces = joint_forces(&model, &model.state(), &model.control())?;
/// assert!((forces[0].force - DVec3::Z * 3.0 * 9.81).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn joint_forces(model: &Model, state: &State, control: &Control) -> Result<Vec<JointForce>, MechanismError> {
    let mut mechanism = ConstraintSystem::new(model, StructuredOptions::default());
    mechanism.forward_dynamics(model, state, control)?;
    Ok((0..model.joint_count()).map(|joint| transmitted(&mechanism, model, state, joint)).collect())
}

/// Sums the rows on the child, or against the parent where the child does not move.
fn transmitted(mechanism: &ConstraintSystem, model: &Model, state: &State, joint: usize) -> JointForce {
    let block = &mechanism.blocks[joint];
    let moves = |body: u32| mechanism.bodies.moves.get(body as usize) == Some(&true);
    let (parent, child) = (model.joint_parent[joint], model.joint_child[joint]);
    let (side, sign, body) = if moves(child) { (1, 1.0, child) } else { (0, -1.0, parent) };
    let mut wrench: Vec6<f64> = block.push[side];
    for row in 0..block.count {
        add_scaled(&mut wrench, mechanism.multiplier[joint][row], &block.jacobian[row][side]);
    }
    mechanism.coupling_wrench(joint, side, &mut wrench);
    let (force, torque) = split(&wrench);
    let origin = model.joint_frames(state, joint).1.translation;
    let arm = origin - model.body_centre(state, body);
    JointForce { force: sign * force, torque: sign * (torque - arm.cross(force)) }
}
