//! Multipliers follow the forces after each sweep; penalties follow the loads.

use drystone_kernels::double::math::Vec3;
use drystone_kernels::lanes::{Four, Lanes, Task};

use super::bodies::Bodies;
use super::options::AvbdOptions;
use super::recipe::{Gain, Penalty, Recipe};
use super::rows::{Course, LANES, Manifold};
use super::warm_start::pair_delta;
use super::wide::{self, Answer, Wide3};

/// One update of the multipliers and penalties of some manifolds.
pub struct DualStep<'a> {
    /// The method's constants.
    pub recipe: &'a Recipe,
    /// Ramp parameters, for the published method.
    pub avbd: &'a AvbdOptions,
    /// All bodies.
    pub bodies: &'a Bodies,
    /// Bodies whose groups still move; the multipliers of the others stay.
    pub active: &'a [bool],
    /// Whether no sweep follows: what springs exert is left where multipliers are, to be read.
    pub last: bool,
    /// The manifolds to update.
    pub manifolds: &'a mut [Manifold],
    /// Their courses.
    pub courses: &'a mut [Course],
}

impl Task for DualStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (manifold, course) in self.manifolds.iter_mut().zip(self.courses) {
            if !manifold.body.iter().any(|&body| self.active[body as usize]) {
                continue;
            }
            let motion = manifold.motion(&pair_delta(self.bodies, manifold));
            let answer = wide::answer(lanes, manifold, &motion);
            let displaced = (answer.gap - Four::load(lanes, &manifold.gap)).store();
            follow(lanes, manifold, course, &answer, &self.recipe.gain);
            match self.recipe.penalty {
                Penalty::LoadScaled { .. } => raise_with_load(lanes, manifold, course),
                Penalty::Delassus => {}
                Penalty::Ramp => ramp(manifold, course, &displaced, self.avbd, self.last),
            }
        }
    }
}

/// Moves the multipliers a share of the way to the forces.
///
/// One sweep leaves the bodies short of where the multipliers want them, and multipliers that run ahead
/// of the bodies swing. A point whose update turns back takes smaller ones from there on.
#[inline(always)]
fn follow<L: Lanes>(lanes: L, manifold: &mut Manifold, course: &mut Course, answer: &Answer<L>, gain: &Gain) {
    let number = |x| Four::splat(lanes, x);
    let load = Four::load(lanes, &manifold.load);
    let friction = Wide3::load(lanes, &manifold.friction);
    let (more_load, more_friction) = (answer.normal - load, answer.friction.sub(friction));
    let agreement =
        more_load * Four::load(lanes, &course.last_load) + more_friction.dot(Wide3::load(lanes, &course.last_friction));
    let now = Four::load(lanes, &course.gain);
    let smaller = (now * number(gain.shrink)).max(number(gain.smallest));
    let larger = (now * number(gain.grow)).min(number(gain.largest));
    let share = (number(0.0) - agreement).where_positive(smaller, larger);
    manifold.load = (load + more_load * share).store();
    manifold.friction = friction.add(more_friction.scale(share)).store();
    course.gain = share.store();
    course.last_load = more_load.store();
    course.last_friction = more_friction.store();
}

/// Lets penalties grow with the loads, never shrink, within a step. The share of a finite stiffness belongs
/// to the penalty the step began with.
#[inline(always)]
fn raise_with_load<L: Lanes>(lanes: L, manifold: &mut Manifold, course: &Course) {
    let load = Four::load(lanes, &manifold.load).min(Four::load(lanes, &course.load_cap));
    let soft = Four::splat(lanes, 1.0) - Four::load(lanes, &manifold.hardness);
    let rho = soft.where_positive(Four::splat(lanes, 0.0), load * Four::splat(lanes, manifold.load_to_penalty));
    manifold.rho_n = Four::load(lanes, &manifold.rho_n).max(rho).store();
    manifold.rho_t = Four::load(lanes, &manifold.rho_t).max(rho).store();
}

/// Lets penalties grow with the violation, as published: k ← min(k_max, k + β · overlap) where a point presses. `displaced` is
/// how far the points have come apart since the start of the step \[m\].
///
/// A soft point is a spring with damping that scales with its stiffness and acts while the iterate closes the gap; what
/// it exerts is no multiplier.
fn ramp(manifold: &mut Manifold, course: &Course, displaced: &[f64; LANES], avbd: &AvbdOptions, last: bool) {
    for lane in 0..manifold.count as usize {
        let pressed = manifold.load[lane] > 0.0;
        let viscous = if course.soft[lane] && displaced[lane] < 0.0 { course.viscous[lane] } else { 0.0 };
        if course.soft[lane] && !last {
            manifold.load[lane] = 0.0;
            manifold.friction.set(lane, Vec3::default());
        }
        let overlap = -(course.start_gap[lane] + displaced[lane]);
        let k = manifold.rho_t[lane];
        let grown = if pressed { k + avbd.beta_linear * overlap.max(0.0) } else { k }.min(course.k_max[lane]);
        manifold.rho_t[lane] = grown;
        manifold.rho_n[lane] = grown * (1.0 + viscous);
        if course.soft[lane] {
            manifold.gap[lane] = course.start_gap[lane] / (1.0 + viscous);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(soft: bool, viscous: f64) -> (Manifold, Course) {
        let mut manifold = Manifold { count: 1, ..Manifold::default() };
        let mut course = Course::default();
        manifold.rho_n[0] = 100.0;
        manifold.rho_t[0] = 100.0;
        (course.k_max[0], course.soft[0], course.viscous[0], course.start_gap[0]) = (1000.0, soft, viscous, -0.01);
        (manifold, course)
    }

    /// k ← min(k_max, k + β · overlap) in every iteration, with the whole overlap where the iterate is.
    #[test]
    fn the_ramp_grows_by_beta_times_the_overlap_up_to_its_largest() {
        let avbd = AvbdOptions { beta_linear: 1e4, ..AvbdOptions::default() };
        for soft in [false, true] {
            let (mut manifold, course) = pressed(soft, 0.0);
            let displaced = [-0.002, 0.0, 0.0, 0.0];
            for n in 1..20 {
                manifold.load[0] = 1.0;
                ramp(&mut manifold, &course, &displaced, &avbd, false);
                let want = (100.0 + f64::from(n) * 1e4 * 0.012).min(1000.0);
                assert!((manifold.rho_n[0] - want).abs() < 1e-9, "{n}: {}", manifold.rho_n[0]);
            }
            manifold.load[0] = 0.0;
            manifold.rho_t[0] = 300.0;
            ramp(&mut manifold, &course, &displaced, &avbd, false);
            assert_eq!(manifold.rho_n[0], 300.0, "what does not press does not stiffen");
        }
    }

    /// A soft point carries no multiplier from sweep to sweep; what it exerts in the end can be read.
    #[test]
    fn the_multiplier_of_a_soft_point_stays_zero() {
        let avbd = AvbdOptions::default();
        let (mut manifold, course) = pressed(true, 0.0);
        manifold.load[0] = 7.0;
        ramp(&mut manifold, &course, &[0.0; LANES], &avbd, false);
        assert_eq!(manifold.load[0], 0.0);
        manifold.load[0] = 7.0;
        ramp(&mut manifold, &course, &[0.0; LANES], &avbd, true);
        assert_eq!(manifold.load[0], 7.0);
        let (mut hard, course) = pressed(false, 0.0);
        hard.load[0] = 7.0;
        ramp(&mut hard, &course, &[0.0; LANES], &avbd, false);
        assert_eq!(hard.load[0], 7.0);
    }

    /// Damping is a share of the stiffness at work, and acts while the iterate closes the gap: −k g − k v d for d < 0.
    #[test]
    fn damping_scales_with_the_stiffness_and_looks_at_the_iterate() {
        let avbd = AvbdOptions { beta_linear: 0.0, ..AvbdOptions::default() };
        for (displaced, viscous) in [(-0.003, 0.5), (0.003, 0.0)] {
            let (mut manifold, course) = pressed(true, 0.5);
            manifold.load[0] = 1.0;
            ramp(&mut manifold, &course, &[displaced, 0.0, 0.0, 0.0], &avbd, false);
            let force = -manifold.rho_n[0] * (manifold.gap[0] + displaced);
            let want = 100.0 * (0.01 - displaced) - 100.0 * viscous * displaced;
            assert!((force - want).abs() < 1e-12, "{force} instead of {want}");
        }
    }
}
