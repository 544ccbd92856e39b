//! Dual step: after each sweep multipliers move towards the contact forces, and penalties grow with the loads.

use drystone_kernels::double::math::Vec3;
use drystone_kernels::lanes::{Lanes, Simd4, Task};

use super::bodies::Bodies;
use super::contact_law::{self, PointForces};
use super::method::{DualGain, MethodConstants, Penalty};
use super::options::AvbdOptions;
use super::rows::{DualState, LANES, Manifold};
use super::simd::SimdVec3;

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
            let motion = manifold.motion(&self.bodies.pair_delta(manifold));
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
    use crate::rows::PairMotion;
    use drystone_kernels::lanes;

    fn pressed(soft: bool, viscous: f64) -> (Manifold, DualState) {
        let mut manifold = Manifold { count: 1, ..Manifold::default() };
        let mut dual = DualState::default();
        manifold.rho_n[0] = 100.0;
        manifold.rho_t[0] = 100.0;
        manifold.gap[0] = -0.0005;
        (dual.k_max[0], dual.soft[0], dual.viscous[0], dual.start_gap[0]) = (1000.0, soft, viscous, -0.01);
        (manifold, dual)
    }

    /// Moves bodies of which only the second does, by a displacement along x and z, and updates a point pressed along z.
    fn update(manifold: &mut Manifold, dual: &mut DualState, moved: [f64; 2]) {
        struct Update<'a>(&'a mut Manifold, &'a mut DualState, PairMotion);
        impl Task for Update<'_> {
            type Output = ();
            #[inline(always)]
            fn run<L: Lanes>(self, lanes: L) {
                let forces = contact_law::point_forces(lanes, self.0, &self.2);
                update_multipliers(lanes, self.0, self.1, &forces, &GAIN);
            }
        }
        let motion = PairMotion { linear: Vec3::new(moved[0], 0.0, moved[1]), angular: Vec3::default() };
        lanes::run(Update(manifold, dual, motion));
    }

    const GAIN: DualGain = DualGain { first: 0.5, largest: 0.8, smallest: 0.1, grow: 1.05, shrink: 0.7 };

    /// A sticking point with multipliers of 10 N along z and 1 N along x, penalties 100 and 50 N/m.
    fn loaded() -> (Manifold, DualState) {
        let mut manifold = Manifold { count: 1, normal: Vec3::new(0.0, 0.0, 1.0), ..Manifold::default() };
        (manifold.load[0], manifold.rho_n[0], manifold.rho_t[0], manifold.mu[0]) = (10.0, 100.0, 50.0, 1.0);
        manifold.hardness[0] = 1.0;
        manifold.friction.set(0, Vec3::new(1.0, 0.0, 0.0));
        let mut dual = DualState::default();
        dual.gain[0] = GAIN.first;
        (manifold, dual)
    }

    /// λ ← λ + η (f − λ): an overlap raises the load, a gap lowers it, a slip along x lowers the friction along x.
    #[test]
    fn multipliers_go_the_share_eta_of_the_way_to_the_forces() {
        for (along, z) in [(0.0, -0.01), (0.0, 0.01), (0.02, 0.0), (-0.02, -0.01)] {
            let (mut manifold, mut dual) = loaded();
            update(&mut manifold, &mut dual, [along, z]);
            let eta = 0.5 * 1.05;
            let (load, friction) = (10.0 - eta * 100.0 * z, 1.0 - eta * 50.0 * along);
            assert!((manifold.load[0] - load).abs() < 1e-12, "{} for {load}", manifold.load[0]);
            let f = manifold.friction.get(0);
            assert!((f.x - friction).abs() < 1e-12 && f.y == 0.0 && f.z == 0.0, "{f:?} for {friction}");
            assert_eq!(dual.gain[0], eta);
        }
    }

    /// Where the bodies are where the multipliers want them, nothing changes.
    #[test]
    fn a_solved_point_keeps_its_multipliers() {
        let (mut manifold, mut dual) = loaded();
        update(&mut manifold, &mut dual, [0.0, 0.0]);
        assert_eq!((manifold.load[0], manifold.friction.get(0)), (10.0, Vec3::new(1.0, 0.0, 0.0)));
    }

    /// η grows by 5 % up to 0.8 while updates keep their sign, and shrinks to 0.7 of itself, down to 0.1, at each that turns.
    #[test]
    fn the_dual_step_grows_and_shrinks_as_updates_agree_and_turn() {
        let (mut manifold, mut dual) = loaded();
        let mut eta = 0.5;
        for _ in 0..20 {
            update(&mut manifold, &mut dual, [0.0, -0.01]);
            eta = (1.05_f64 * eta).min(0.8);
            assert!((dual.gain[0] - eta).abs() < 1e-15, "{} for {eta}", dual.gain[0]);
        }
        assert_eq!(eta, 0.8);
        for turn in 0..10 {
            update(&mut manifold, &mut dual, [0.0, if turn % 2 == 0 { 0.01 } else { -0.01 }]);
            eta = (0.7 * eta).max(0.1);
            assert!((dual.gain[0] - eta).abs() < 1e-15, "{} for {eta}", dual.gain[0]);
        }
        assert_eq!(eta, 0.1);
    }

    /// ρ ← max(ρ, λ_n / length), with the load no larger than its cap; a soft point keeps its penalty.
    #[test]
    fn penalties_grow_with_the_load_up_to_its_cap_and_never_shrink() {
        struct Raise<'a>(&'a mut Manifold, &'a DualState);
        impl Task for Raise<'_> {
            type Output = ();
            #[inline(always)]
            fn run<L: Lanes>(self, lanes: L) {
                raise_with_load(lanes, self.0, self.1);
            }
        }
        for (load, cap, hardness, want) in [
            (10.0, 1e9, 1.0, [200.0, 200.0]),
            (10.0, 4.0, 1.0, [100.0, 80.0]),
            (1.0, 1e9, 1.0, [100.0, 50.0]),
            (10.0, 1e9, 0.9, [100.0, 50.0]),
        ] {
            let (mut manifold, mut dual) = loaded();
            (manifold.load[0], manifold.hardness[0], manifold.load_to_penalty) = (load, hardness, 20.0);
            dual.load_cap[0] = cap;
            lanes::run(Raise(&mut manifold, &dual));
            assert_eq!([manifold.rho_n[0], manifold.rho_t[0]], want);
        }
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
