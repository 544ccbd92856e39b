//! Hysteresis of rods in bending after Dahl.
//!
//! Besides its elastic moment a joint of a rod carries a friction moment σ about each axis of bending,
//! which creeps towards ±σ_max as the bend κ changes: dσ/dκ = (σ_max − s σ)/τ with s = sign κ̇. Over
//! a step from (κ₀, σ₀) that integrates to
//!
//!   σ(κ) = s σ_max (1 − e^{−|κ−κ₀|/τ}) + σ₀ e^{−|κ−κ₀|/τ},   s = sign(κ − κ₀),
//!
//! a monotone function of κ, so it is solved for implicitly with everything else and no step is too
//! long for it. σ_max is the bending stiffness times `vbd.dahl_eps_max` \[rad\], τ is `vbd.dahl_tau`
//! \[rad\]. Bending to and fro between ±κ_m the moment settles to end points σ_m = σ_max tanh(κ_m/τ),
//! and each cycle turns 4 σ_max (κ_m − τ tanh(κ_m/τ)) into heat.

use drystone_kernels::elementary::exp;
use drystone_model::{Entity, Model, ModelBuilder};

use super::rows::{JointRow, RowStep};
use drystone_solve::joint::rod_constants;

/// Bend beyond which friction no longer grows, as a multiple of the elastic moment \[rad\].
const EPS_MAX: &str = "vbd.dahl_eps_max";
/// Bend over which friction follows \[rad\].
const TAU: &str = "vbd.dahl_tau";

/// Declares the attributes, off by default.
pub fn declare(scene: &mut ModelBuilder) {
    scene.declare_attribute(EPS_MAX, Entity::Joint, 0.0);
    scene.declare_attribute(TAU, Entity::Joint, 0.0);
}

fn constants(model: &Model, joint: usize) -> Option<[f64; 2]> {
    let value = |name: &str| model.attributes.joint.get(name).and_then(|values| values.get(joint)).copied();
    let [eps_max, tau] = [value(EPS_MAX)?, value(TAU)?];
    (eps_max > 0.0 && tau > 0.0).then_some([eps_max, tau])
}

/// Whether an axis of a rod joint has hysteresis.
pub fn wanted(model: &Model, joint: usize, axis: usize) -> bool {
    (axis == 3 || axis == 4) && constants(model, joint).is_some()
}

/// Starts from the moment of the step before; a hard axis has none.
pub fn prepare(row: &mut JointRow, model: &Model, joint: usize, step: &RowStep) {
    let Some([eps_max, tau]) = constants(model, joint) else { return };
    let (stiffness, _) = step.mode[1].constants(rod_constants(model, joint, row.axis as usize));
    let largest = if stiffness.is_finite() { stiffness * eps_max } else { 0.0 };
    (row.k, row.reference) = (1.0 / tau, step.start);
    (row.lower, row.upper) = (-largest, largest);
    row.lambda = row.force.clamp(-largest, largest);
}

/// Moment and its derivative at bend `q`. Where the motion starts, the derivative is the larger of the
/// two directions'.
pub fn law(row: &JointRow, q: f64) -> (f64, f64) {
    let change = q - row.reference;
    if change == 0.0 {
        return (row.lambda, steepest(row));
    }
    let limit = row.upper * change.signum();
    let left = exp(-change.abs() * row.k);
    let moment = limit + (row.lambda - limit) * left;
    (moment, (limit - row.lambda).abs() * row.k * left)
}

/// The largest derivative.
pub fn steepest(row: &JointRow) -> f64 {
    (row.upper + row.lambda.abs()) * row.k
}
