//! No island gains kinetic energy beyond what inertia, external forces, springs, drives and kinematic bodies give it.
//!
//! Converged contacts and joints only take energy: an island held by things at rest could as well stand still, and one that
//! floats could move on rigidly. Sweeps that have not converged can add energy: the multipliers of jammed bodies, which no
//! motion satisfies, grow from step to step and let go at once. The motion of an island that would gain is scaled back, and
//! so are the multipliers it remembers.

use std::mem::take;

use drystone_kernels::double::math::Vec6;
use drystone_kernels::elementary::powi;

use super::bodies::Bodies;
use super::island_scales::{IslandScale, IslandScales};
use super::islands::Islands;
use drystone_solve::parallel;
use drystone_solve::whole::{Whole, carried};

/// Energy that taking back deep overlaps may cost, as a share of twice the energy of a fall of one step.
pub const LIFTING: f64 = 0.1;

/// Kinetic energies of an island \[J\], and what became of it.
#[derive(Clone, Copy, Debug, Default)]
struct Budget {
    whole: Whole,
    /// What inertia and external forces would have.
    predicted: f64,
    /// What the solved motion has.
    reached: f64,
    /// What it may have.
    allowed: f64,
    /// Scale of the motion about standing still, or about that of the whole.
    scale: f64,
}

/// The energies of all islands in contact or held by nothing.
#[derive(Clone, Debug, Default)]
pub struct Energies {
    by_leader: Vec<Budget>,
    by_body: Vec<Share>,
    /// Bodies whose islands are looked at.
    judged: Vec<u32>,
}

/// What a body adds to the budget of its island.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// Velocities that it was solved to fly with.
    motion: Vec6,
    /// Its part of what inertia and external forces would have, and of what the solved motion has \[J\].
    predicted: f64,
    reached: f64,
}

impl Energies {
    /// Scales the solved displacements of every island that would gain energy. Returns whether there was one.
    pub fn limit(
        &mut self,
        bodies: &mut Bodies,
        islands: &Islands,
        island_scales: &IslandScales,
        member: &[bool],
        h: f64,
    ) -> bool {
        let count = bodies.world();
        let judged =
            |bodies: &Bodies, body: usize| bodies.moves[body] && (islands.touched(body) || islands.floats(body));
        let mut judged_bodies = take(&mut self.judged);
        judged_bodies.clear();
        parallel::choose(count, |body| judged(bodies, body), &mut judged_bodies);
        let none = judged_bodies.is_empty();
        self.judged = judged_bodies;
        if none {
            return false;
        }
        self.by_leader.resize(count, Budget::default());
        for leader in islands.leaders() {
            self.by_leader[leader] = Budget { scale: 1.0, ..Budget::default() };
        }
        for body in (0..count).filter(|&body| bodies.moves[body] && islands.floats(body)) {
            self.by_leader[islands.leader(body)].whole.add_place(bodies.mass[body], bodies.path_start(body));
        }
        self.by_body.resize(count, Share::default());
        let all = &*bodies;
        parallel::each(&mut self.by_body, |body, share| {
            if judged(all, body) {
                let motion = reached(all, body, member[body]);
                let [predicted, reached] = [predicted(all, body, h), motion].map(|motion| energy(all, body, motion));
                *share = Share { motion, predicted, reached };
            }
        });
        for body in (0..count).filter(|&body| judged(bodies, body)) {
            let budget = &mut self.by_leader[islands.leader(body)];
            let Share { motion, predicted, reached } = self.by_body[body];
            if islands.floats(body) {
                let lever = budget.whole.lever(bodies.path_start(body));
                budget.whole.add_motion((bodies.mass[body], bodies.inertia[body]), lever, motion);
            }
            budget.predicted += predicted;
            budget.reached += reached;
        }
        let mut any = false;
        for leader in (0..count).filter(|&leader| judged(bodies, leader) && islands.leader(leader) == leader) {
            let budget = &mut self.by_leader[leader];
            let rigid = if islands.floats(leader) { 0.5 * h * h * budget.whole.twice_energy() } else { 0.0 };
            budget.allowed = allowed(island_scales.of(leader), budget.predicted, h);
            if budget.reached > budget.allowed && islands.touched(leader) {
                budget.scale = scale_to(budget.allowed - rigid, budget.reached - rigid);
                any = true;
            }
        }
        if any {
            for body in 0..count {
                let budget = &self.by_leader[islands.leader(body)];
                if judged(bodies, body) && budget.scale < 1.0 {
                    let motion = self.by_body[body].motion;
                    let lever = budget.whole.lever(bodies.path_start(body));
                    let about =
                        if islands.floats(body) { carried(budget.whole.motion(), lever) } else { Vec6::default() };
                    set_reached(bodies, body, member[body], about.add(motion.sub(about).scale(budget.scale)));
                }
            }
        }
        any
    }

    /// By what the motion of the island of a body was scaled.
    pub fn scale(&self, leader: usize) -> f64 {
        self.by_leader[leader].scale
    }

    /// Most kinetic energy that the island of a body may have after the step \[J\].
    pub fn allowed(&self, leader: usize) -> f64 {
        self.by_leader[leader].allowed
    }
}

/// Most energy an island may have: what it would have by itself, what led bodies moving at their speed can make of it,
/// what is stored, and a little for lifting what overlaps. (By what external forces give, not by what presses on the island: two
/// steps of a blow press with a hundred times its weight.)
fn allowed(island: &IslandScale, predicted: f64, h: f64) -> f64 {
    let led = 2.0 * (0.5 * island.mass).sqrt() * island.led;
    let fall = h * island.external;
    powi(predicted.sqrt() + led, 2) + island.stored + LIFTING * island.mass * fall * fall
}

/// What the motion about that of the whole is scaled by, given the energy it may have and the energy it has \[J\]. What moves as one
/// to round-off has none, or less, and is left alone.
fn scale_to(allowed: f64, energy: f64) -> f64 {
    if energy > 0.0 { (allowed.max(0.0) / energy).sqrt().min(1.0) } else { 1.0 }
}

/// Velocities at the start of the step with which a body would fly to where it was solved to be.
fn reached(bodies: &Bodies, body: usize, jointed: bool) -> Vec6 {
    let linear = bodies.velocity_of_displacement(body).l;
    let angular = match jointed {
        true => bodies.velocity[body].a.add_scaled(bodies.rotation_to_target(body), -1.0 / bodies.step[body]),
        false => bodies.struck_spin(body),
    };
    Vec6 { l: linear, a: angular }
}

/// Moves a body to where it would fly with these velocities.
fn set_reached(bodies: &mut Bodies, body: usize, jointed: bool, motion: Vec6) {
    let step = bodies.step[body];
    bodies.delta[body].l = bodies.target[body].l.add_scaled(motion.l.sub(bodies.target_velocity[body].l), step);
    let turn = motion.a.sub(bodies.velocity[body].a).scale(step);
    bodies.turn_from_target(body, turn, jointed);
    bodies.place(body);
}

/// Velocities that inertia and external forces alone would give.
fn predicted(bodies: &Bodies, body: usize, h: f64) -> Vec6 {
    let v = bodies.velocity[body];
    let turned = bodies.inv_inertia[body].mul(bodies.torque[body]);
    Vec6 { l: v.l.add_scaled(bodies.acceleration[body], h), a: v.a.add_scaled(turned, h) }
}

/// Kinetic energy \[J\]; masses are over the squared step.
fn energy(bodies: &Bodies, body: usize, v: Vec6) -> f64 {
    let step = bodies.step[body];
    0.5 * step * step * (bodies.mass[body] * v.l.length_squared() + bodies.inertia[body].quadratic(v.a))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies that move as one have no energy but that of the whole, and rounding may make it less than none.
    #[test]
    fn what_moves_as_one_is_not_scaled_by_what_is_no_number() {
        assert_eq!(scale_to(1.0, 4.0), 0.5);
        assert_eq!(scale_to(-1e-18, 1e-18), 0.0);
        for energy in [0.0, -1e-18] {
            assert_eq!(scale_to(-1e-18, energy), 1.0);
        }
    }

    /// A blow that lasts two steps presses on an island like a weight; it buys no energy.
    #[test]
    fn what_presses_on_a_group_buys_no_energy() {
        let mut at_rest = IslandScale::default();
        (at_rest.mass, at_rest.external, at_rest.reference) = (10.0, 9.81, 9.81);
        let mut pressed = at_rest;
        pressed.reference = 2000.0;
        let h = 1.0 / 60.0;
        assert_eq!(allowed(&pressed, 5.0, h), allowed(&at_rest, 5.0, h));
        let most = 5.0 + 0.1 * 10.0 * (h * 9.81_f64).powi(2);
        assert!((allowed(&at_rest, 5.0, h) - most).abs() < 1e-12, "{} J, not {most} J", allowed(&at_rest, 5.0, h));
    }
}
