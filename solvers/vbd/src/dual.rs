//! Multipliers follow the forces after each sweep; penalties follow the loads.

use drystone_kernels::double::math::{Vec3, Vec6};

use super::options::AvbdOptions;
use super::recipe::{Gain, Penalty, Recipe};
use super::rows::{Manifold, Point};

/// What the update of multipliers and penalties needs to know about the step.
#[derive(Clone, Copy, Debug)]
pub struct DualStep<'a> {
    /// The method's constants.
    pub recipe: &'a Recipe,
    /// Ramp parameters, for the published method.
    pub avbd: &'a AvbdOptions,
}

/// Updates the multipliers and penalties of a manifold.
pub fn update(manifold: &mut Manifold, delta: &[Vec6; 2], step: &DualStep) {
    let load_to_penalty = manifold.load_to_penalty;
    let motion = manifold.motion(delta);
    for point in manifold.points_mut() {
        let displacement = point.displacement(&motion);
        let answer = point.force(displacement);
        let update = answer.force.sub(point.lambda);
        point.gain = next_gain(point, update, &step.recipe.gain);
        point.lambda = point.lambda.add_scaled(update, point.gain);
        point.last_update = update;
        raise_penalty(point, point.offset.x + displacement.x, load_to_penalty, step);
    }
}

/// One sweep leaves the bodies short of where the multipliers want them, and multipliers that run ahead
/// of the bodies swing. A point whose update turns back takes smaller ones from there on.
fn next_gain(point: &Point, update: Vec3, gain: &Gain) -> f64 {
    match update.dot(point.last_update) < 0.0 {
        true => (point.gain * gain.shrink).max(gain.smallest),
        false => (point.gain * gain.grow).min(gain.largest),
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
