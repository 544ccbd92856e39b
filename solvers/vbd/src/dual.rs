//! Multipliers follow the forces after each sweep; penalties follow the loads.

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
            follow(lanes, manifold, course, &answer, &self.recipe.gain);
            match self.recipe.penalty {
                Penalty::LoadScaled { .. } => raise_with_load(lanes, manifold, course),
                Penalty::Delassus => {}
                Penalty::Ramp => ramp(manifold, answer.gap.store(), self.avbd),
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

/// Lets penalties grow with the violation, as published.
fn ramp(manifold: &mut Manifold, gap: [f64; LANES], avbd: &AvbdOptions) {
    for lane in 0..manifold.count as usize {
        if manifold.load[lane] > 0.0 && manifold.hardness[lane] == 1.0 {
            let grown = (manifold.rho_n[lane] + avbd.beta_linear * gap[lane].abs()).min(avbd.k_max);
            manifold.rho_n[lane] = grown;
            manifold.rho_t[lane] = grown;
        }
    }
}
