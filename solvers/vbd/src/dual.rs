//! Multipliers follow the forces after each sweep; penalties follow the loads.

use drystone_kernels::double::math::Vec3;
use drystone_kernels::lanes::{Lanes, Simd4, Task};

use super::bodies::Bodies;
use super::contact_law::{self, PointForces, SimdVec3};
use super::method::{DualGain, MethodConstants, Penalty};
use super::options::AvbdOptions;
use super::rows::{DualState, LANES, Manifold};
use super::warm_start::pair_delta;

/// One update of the multipliers and penalties of some manifolds.
pub struct DualStep<'a> {
    /// The method's constants.
    pub method: &'a MethodConstants,
    /// Ramp parameters, for the published method.
    pub avbd: &'a AvbdOptions,
    /// All bodies.
    pub bodies: &'a Bodies,
    /// Bodies whose islands still move; the multipliers of the others stay.
    pub active: &'a [bool],
    /// Whether no sweep follows: what springs exert is left where multipliers are, to be read.
    pub last: bool,
    /// The manifolds to update.
    pub manifolds: &'a mut [Manifold],
    /// Their dual states.
    pub duals: &'a mut [DualState],
}

impl Task for DualStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (manifold, dual) in self.manifolds.iter_mut().zip(self.duals) {
            if !manifold.body.iter().any(|&body| self.active[body as usize]) {
                continue;
            }
            let motion = manifold.motion(&pair_delta(self.bodies, manifold));
            let forces = contact_law::point_forces(lanes, manifold, &motion);
            let displaced = (forces.gap - Simd4::load(lanes, &manifold.gap)).store();
            update_multipliers(lanes, manifold, dual, &forces, &self.method.gain);
            match self.method.penalty {
                Penalty::LoadScaled { .. } => raise_with_load(lanes, manifold, dual),
                Penalty::Delassus => {}
                Penalty::Ramp => ramp(manifold, dual, &displaced, self.avbd, self.last),
            }
        }
    }
}

/// Moves the multipliers a share of the way to the forces.
///
/// One sweep leaves the bodies short of where the multipliers want them, and multipliers that run ahead
/// of the bodies swing. A point whose update turns back takes smaller ones from there on.
#[inline(always)]
fn update_multipliers<L: Lanes>(
    lanes: L,
    manifold: &mut Manifold,
    dual: &mut DualState,
    forces: &PointForces<L>,
    gain: &DualGain,
) {
    let number = |x| Simd4::splat(lanes, x);
    let load = Simd4::load(lanes, &manifold.load);
    let friction = SimdVec3::load(lanes, &manifold.friction);
    let (more_load, more_friction) = (forces.normal - load, forces.friction.sub(friction));
    let agreement =
        more_load * Simd4::load(lanes, &dual.last_load) + more_friction.dot(SimdVec3::load(lanes, &dual.last_friction));
    let now = Simd4::load(lanes, &dual.gain);
    let smaller = (now * number(gain.shrink)).max(number(gain.smallest));
    let larger = (now * number(gain.grow)).min(number(gain.largest));
    let step_length = (number(0.0) - agreement).where_positive(smaller, larger);
    manifold.load = (load + more_load * step_length).store();
    manifold.friction = friction.add(more_friction.scale(step_length)).store();
    dual.gain = step_length.store();
    dual.last_load = more_load.store();
    dual.last_friction = more_friction.store();
}

/// Lets penalties grow with the loads, never shrink, within a step. The share of a finite stiffness belongs
/// to the penalty the step began with.
#[inline(always)]
fn raise_with_load<L: Lanes>(lanes: L, manifold: &mut Manifold, dual: &DualState) {
    let load = Simd4::load(lanes, &manifold.load).min(Simd4::load(lanes, &dual.load_cap));
    let soft = Simd4::splat(lanes, 1.0) - Simd4::load(lanes, &manifold.hardness);
    let rho = soft.where_positive(Simd4::splat(lanes, 0.0), load * Simd4::splat(lanes, manifold.load_to_penalty));
    manifold.rho_n = Simd4::load(lanes, &manifold.rho_n).max(rho).store();
    manifold.rho_t = Simd4::load(lanes, &manifold.rho_t).max(rho).store();
}

/// Lets penalties grow with the violation, as published: k ← min(k_max, k + β |C|) where a point presses, with what is left of
/// the error at the start of the step at a hard point, and the whole overlap at a soft one. `displaced` is
/// how far the points have come apart since the start of the step \[m\].
///
/// A soft point is a spring with damping that scales with its stiffness and acts while the iterate closes the gap; what
/// it exerts is no multiplier.
fn ramp(manifold: &mut Manifold, dual: &DualState, displaced: &[f64; LANES], avbd: &AvbdOptions, last: bool) {
    for lane in 0..manifold.count as usize {
        let pressed = manifold.load[lane] > 0.0;
        let viscous = if dual.soft[lane] && displaced[lane] < 0.0 { dual.viscous[lane] } else { 0.0 };
        if dual.soft[lane] && !last {
            manifold.load[lane] = 0.0;
            manifold.friction.set(lane, Vec3::default());
        }
        let inherited = if dual.soft[lane] { dual.start_gap[lane] } else { manifold.gap[lane] };
        let error = (inherited + displaced[lane]).abs();
        let k = manifold.rho_t[lane];
        let grown = if pressed { k + avbd.beta_linear * error } else { k }.min(dual.k_max[lane]);
        manifold.rho_t[lane] = grown;
        manifold.rho_n[lane] = grown * (1.0 + viscous);
        if dual.soft[lane] {
            manifold.gap[lane] = dual.start_gap[lane] / (1.0 + viscous);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(soft: bool, viscous: f64) -> (Manifold, DualState) {
        let mut manifold = Manifold { count: 1, ..Manifold::default() };
        let mut dual = DualState::default();
        manifold.rho_n[0] = 100.0;
        manifold.rho_t[0] = 100.0;
        manifold.gap[0] = -0.0005;
        (dual.k_max[0], dual.soft[0], dual.viscous[0], dual.start_gap[0]) = (1000.0, soft, viscous, -0.01);
        (manifold, dual)
    }

    /// k ← min(k_max, k + β |C|) in every iteration, where the iterate is: with the whole overlap of a soft point, and with the
    /// share of it that a hard one corrects.
    #[test]
    fn the_ramp_grows_by_beta_times_the_error_up_to_its_largest() {
        let avbd = AvbdOptions { beta_linear: 1e4, ..AvbdOptions::default() };
        for soft in [false, true] {
            let (mut manifold, dual) = pressed(soft, 0.0);
            let displaced = [-0.002, 0.0, 0.0, 0.0];
            for n in 1..40 {
                manifold.load[0] = 1.0;
                ramp(&mut manifold, &dual, &displaced, &avbd, false);
                let want = (100.0 + f64::from(n) * 1e4 * if soft { 0.012 } else { 0.0025 }).min(1000.0);
                assert!((manifold.rho_n[0] - want).abs() < 1e-9, "{n}: {}", manifold.rho_n[0]);
            }
            manifold.load[0] = 0.0;
            manifold.rho_t[0] = 300.0;
            ramp(&mut manifold, &dual, &displaced, &avbd, false);
            assert_eq!(manifold.rho_n[0], 300.0, "what does not press does not stiffen");
        }
    }

    /// A soft point carries no multiplier from sweep to sweep; what it exerts in the end can be read.
    #[test]
    fn the_multiplier_of_a_soft_point_stays_zero() {
        let avbd = AvbdOptions::default();
        let (mut manifold, dual) = pressed(true, 0.0);
        manifold.load[0] = 7.0;
        ramp(&mut manifold, &dual, &[0.0; LANES], &avbd, false);
        assert_eq!(manifold.load[0], 0.0);
        manifold.load[0] = 7.0;
        ramp(&mut manifold, &dual, &[0.0; LANES], &avbd, true);
        assert_eq!(manifold.load[0], 7.0);
        let (mut hard, dual) = pressed(false, 0.0);
        hard.load[0] = 7.0;
        ramp(&mut hard, &dual, &[0.0; LANES], &avbd, false);
        assert_eq!(hard.load[0], 7.0);
    }

    /// Damping is a share of the stiffness at work, and acts while the iterate closes the gap: −k g − k v d for d < 0.
    #[test]
    fn damping_scales_with_the_stiffness_and_looks_at_the_iterate() {
        let avbd = AvbdOptions { beta_linear: 0.0, ..AvbdOptions::default() };
        for (displaced, viscous) in [(-0.003, 0.5), (0.003, 0.0)] {
            let (mut manifold, dual) = pressed(true, 0.5);
            manifold.load[0] = 1.0;
            ramp(&mut manifold, &dual, &[displaced, 0.0, 0.0, 0.0], &avbd, false);
            let force = -manifold.rho_n[0] * (manifold.gap[0] + displaced);
            let want = 100.0 * (0.01 - displaced) - 100.0 * viscous * displaced;
            assert!((force - want).abs() < 1e-12, "{force} instead of {want}");
        }
    }
}
