//! Multipliers follow the forces after each sweep; penalties follow the loads.

use drystone_kernels::double::math::Vec6;

use super::options::AvbdOptions;
use super::recipe::{Penalty, Recipe};
use super::rows::{Manifold, Point};

/// What the update of multipliers and penalties needs to know about the step.
#[derive(Clone, Copy, Debug)]
pub struct DualStep<'a> {
    /// The method's constants.
    pub recipe: &'a Recipe,
    /// Ramp parameters, for the published method.
    pub avbd: &'a AvbdOptions,
    /// Share of the update that is applied.
    pub share: f64,
}

/// Updates the multipliers and penalties of a manifold.
pub fn update(manifold: &mut Manifold, delta: &[Vec6; 2], step: &DualStep) {
    let load_to_penalty = manifold.load_to_penalty;
    let motion = manifold.motion(delta);
    for point in manifold.points_mut() {
        let displacement = point.displacement(&motion);
        let answer = point.force(displacement);
        point.lambda = point.lambda.add_scaled(answer.force.sub(point.lambda), step.share);
        raise_penalty(point, point.offset.x + displacement.x, load_to_penalty, step);
    }
}

/// Lets the penalty of a point grow, never shrink, within a step.
pub fn raise_penalty(point: &mut Point, gap: f64, load_to_penalty: f64, step: &DualStep) {
    match step.recipe.penalty {
        // The share of a finite stiffness belongs to the penalty the step began with.
        _ if point.hardness < 1.0 => {}
        Penalty::LoadScaled { .. } => {
            let rho = point.lambda.x.min(point.load_cap) * load_to_penalty;
            point.rho_n = point.rho_n.max(rho);
            point.rho_t = point.rho_t.max(rho);
        }
        Penalty::Delassus => {}
        Penalty::Ramp => {
            if point.lambda.x > 0.0 {
                let grown = (point.rho_n + step.avbd.beta_linear * gap.abs()).min(step.avbd.k_max);
                point.rho_n = grown;
                point.rho_t = grown;
            }
        }
    }
}
