//! Newton's step with a model that knows more than second derivatives where the iteration stands.
//!
//! A barrier is steep: its parabola at a distance says little about half of that distance, and nothing of contacts that begin
//! within the step. So the model keeps the barrier itself, over distances taken to first order: their normals and nearest
//! points stay, and in affine coordinates nothing else makes them bend. It is solved by a few linear systems. Each
//! takes every barrier as its parabola about the distance at which it carries the load of the solution before. Contacts
//! that the step would run into enter with the normals of the instant at which it does.

use std::collections::HashSet;

use super::affine::{Turn, Vec12};
use super::barrier::Barrier;
use super::bodies::Bodies;
use super::contact::Contact;
use super::newton::{Newton, Problem};
use super::surface::Surface;
use super::swept_motion::SweptMotion;
use super::touch::Id;
use drystone_kernels::elementary::{exp, ln};
use drystone_solve::clock::Clock;
use drystone_solve::linalg::matrix::dot;

/// Linear systems after the first, each time contacts are added, at most.
const REFINEMENTS: usize = 3;

/// How far from where its barrier was expanded a contact may end, relative to the smaller of its distances to zero and to d̂.
const CLOSE: f64 = 0.5;

/// Rounds of adding what the step runs into.
pub(super) const ROUNDS: u32 = 3;

/// Of the approach that is left when two bodies meet, how much of it away features still enter with the first.
const REACH: f64 = 0.1;

/// Rounds of Newton's method for the distance that carries a load.
const CARRYING_ROUNDS: usize = 4;

const NONE: Vec12 = [0.0; 12];

impl Newton {
    /// Whether the step can be refined. What particles run into is not looked for, and over more than the size of a body its distances do
    /// not stay linear.
    pub(super) fn can_foresee(&self, bodies: &Bodies, surface: &Surface) -> bool {
        self.soft.is_none() && self.is_short(bodies, surface)
    }

    /// Whether the step moves no point of a body by more than its radius.
    fn is_short(&self, bodies: &Bodies, surface: &Surface) -> bool {
        self.system.slots().iter().zip(&self.step).all(|(&slot, step)| {
            let (slot, radius) = (slot as usize, surface.radius[slot as usize]);
            Turn::new(&bodies.q[slot], step).travel_bound(radius) <= radius
        })
    }

    /// Expands every barrier where it is, without contacts ahead.
    pub(super) fn expand_here(&mut self) {
        self.ahead.clear();
        self.slip.clear();
        self.slip.resize(self.frictions.len(), None);
        self.about.clear();
        self.about.extend(self.contacts.iter().map(|contact| contact.distance));
    }

    /// Solves until every contact ends near where its barrier was expanded. A step that would not go down, or goes
    /// too far for the model, is not taken.
    pub(super) fn refine(&mut self, problem: &Problem, bodies: &Bodies, surface: &Surface, clock: &mut Clock) {
        let mut good = self.step.clone();
        for _ in 0..REFINEMENTS {
            if !self.expand_at_loads(problem, bodies) {
                break;
            }
            if self.descent(&self.step) < 0.0 && self.is_short(bodies, surface) {
                good.clone_from(&self.step);
            }
            self.solve_model(problem, bodies, (surface, true), clock);
        }
        let down = self.descent(&self.step) < 0.0;
        if !down || !self.is_short(bodies, surface) {
            self.step = good;
        }
    }

    /// Slope of the energy along a step \[J\].
    fn descent(&self, step: &[Vec12]) -> f64 {
        self.gradient.iter().zip(step).map(|(gradient, step)| dot(gradient, step)).sum()
    }

    /// Expands every barrier about the distance at which it carries the load of the last solution; returns whether that is
    /// elsewhere for any.
    fn expand_at_loads(&mut self, problem: &Problem, bodies: &Bodies) -> bool {
        let Self { contacts, ahead, about, step, system, frictions, slip, active, .. } = self;
        let of = |slot: u32| system.node_of(slot).map_or(&NONE, |node| &step[node]);
        let mut changed = false;
        for (contact, about) in contacts.iter().chain(ahead.iter()).zip(about.iter_mut()) {
            if contact.fading.is_some() {
                continue;
            }
            let barrier = Barrier { d_hat: problem.scale.contact_distance, separation: contact.separation };
            let end = contact.distance + contact.growth(contact.slot.map(of));
            let reach = barrier.d_hat + contact.separation;
            let here = barrier.at(*about);
            let load = -(here.slope + here.curvature * (end - *about));
            let (gap, room) = (*about - contact.separation, (reach - *about).max(0.01 * barrier.d_hat));
            let known = if *about < reach { (end - *about).abs() <= CLOSE * gap.min(room) } else { end >= reach };
            if known {
                continue;
            }
            changed = true;
            *about = if *about >= reach {
                // New: what stops the bodies within the step.
                let yielding = problem.yielding(bodies, contact);
                barrier.carrying(yielding * (reach - end).max(0.0))
            } else if load > 0.0 {
                barrier.carrying(load)
            } else {
                end.min(reach)
            };
        }
        for (friction, slip) in frictions.iter().zip(slip.iter_mut()) {
            if active.concerns(friction.slot) {
                let steps = friction.slot.map(of);
                let (end, known) = friction.after(&bodies.start, &bodies.q, problem.scale.edge, steps, *slip);
                if !known {
                    changed = true;
                    *slip = Some(end);
                }
            }
        }
        changed
    }

    /// Contacts at the instants at which the step as it stands runs into something.
    pub(super) fn collided(
        &mut self,
        problem: &Problem,
        surface: &Surface,
        collisions: &[([u32; 2], f64)],
    ) -> Vec<Contact> {
        let motion = SweptMotion { from: &self.here, to: &self.trial };
        self.near.ahead(surface, motion, problem.scale.contact_distance, REACH, collisions)
    }

    /// Adds contacts that the step as it stands runs into, and solves again. Returns whether it is another step.
    pub(super) fn look_ahead(
        &mut self,
        problem: &Problem,
        bodies: &Bodies,
        surface: &Surface,
        found: &[Contact],
        clock: &mut Clock,
    ) -> bool {
        let known: HashSet<Id> = self.contacts.iter().chain(&self.ahead).map(|contact| contact.id).collect();
        let [here, trial] = [&self.here, &self.trial].map(|at| &at.q);
        let nearer = |contact: &Contact| contact.distance_at(trial) < contact.distance_at(here);
        let new =
            |contact: &&Contact| self.active.concerns(contact.slot) && !known.contains(&contact.id) && nearer(contact);
        let before = self.ahead.len();
        let fresh: Vec<Contact> = found
            .iter()
            .filter(new)
            .map(|c| {
                // Where nothing touches yet, nothing pushes: the model must not say otherwise.
                let reach = problem.scale.contact_distance + c.separation;
                c.as_ahead(c.distance_at(here).max(reach))
            })
            .collect();
        self.ahead.extend(fresh);
        if self.ahead.len() == before {
            return false;
        }
        self.about.resize(self.contacts.len() + self.ahead.len(), f64::INFINITY);
        let before = self.step.clone();
        self.refine(problem, bodies, surface, clock);
        self.turn_steps(bodies);
        before != self.step
    }
}

impl Problem<'_> {
    /// Load over stiffness that holds a contact whose bodies would come nearer by a unit in a step \[1/m²\].
    fn yielding(&self, bodies: &Bodies, contact: &Contact) -> f64 {
        let [a, b] = contact.slot.map(|slot| bodies.contact_mass[slot as usize]);
        let reduced = if a.min(b) > 0.0 { a * b / (a + b) } else { a.max(b) };
        reduced / (self.scale.h * self.scale.h * self.stiffness(bodies, contact))
    }
}

impl Barrier {
    /// The distance at which the slope is minus `load` \[1/m\]: at d̂ for none.
    pub fn carrying(&self, load: f64) -> f64 {
        let relative = load * self.d_hat;
        // Right for small and for large loads without a separation: −b′ d̂ ≈ 24 (1 − x)² and 2/x with x = d/d̂.
        let mut gap = self.d_hat / (1.0 + (relative / 24.0).sqrt() + 0.5 * relative);
        for _ in 0..CARRYING_ROUNDS {
            let b = self.at(self.separation + gap);
            // Newton's method on logarithms, in which the slope is nearly straight.
            let off = ln(-b.slope / load) * b.slope / (gap * b.curvature);
            if !off.is_finite() {
                break;
            }
            gap = (gap * exp(-off.clamp(-1.0, 1.0))).min(self.d_hat);
        }
        self.separation + gap
    }
}

#[cfg(test)]
mod tests {
    use drystone_kernels::elementary::powi;

    use super::*;

    /// Loads over ten orders of size: the slope at the distance found is minus the load.
    #[test]
    fn a_load_is_carried_at_the_distance_where_the_slope_is_minus_it() {
        for separation in [0.0, 2e-4, 2e-3] {
            let barrier = Barrier { d_hat: 1e-3, separation };
            for power in -3..8 {
                let load = powi(10.0, power);
                let found = -barrier.at(barrier.carrying(load)).slope;
                assert!((found / load - 1.0).abs() < 0.02, "{separation} {load:e}: {found:e}");
            }
            assert_eq!(barrier.carrying(0.0), separation + barrier.d_hat);
        }
    }
}
