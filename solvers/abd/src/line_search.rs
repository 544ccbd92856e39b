//! How much of Newton's step is taken: as much as is free of collisions and lowers the energy.
//!
//! Bodies that act on each other take the same share of their steps; where something is in their way they and it take
//! less, and all others what they can. So the tightest gap of a scene does not hold up the rest of it, and every group
//! goes down its own energy.

use super::affine::{Turn, turn_linear};
use super::bodies::Bodies;
use super::contact::Contact;
use super::foresight::ROUNDS;
use super::newton::{CLOSE_ENOUGH, Newton, Problem};
use super::soft::{At, SoftContact};
use super::surface::Surface;
use super::swept_motion::SweptMotion;
use drystone_solve::clock::Clock;
use drystone_solve::graph::union;
use drystone_solve::linalg::matrix::dot;
use drystone_solve::report::Phase;

/// Share of the decrease that the slope promises which a step must reach (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// How much further than it has just gone a body may go before what is near it is searched anew: what hit it is likely
/// to take it on.
const MORE_SLACK: f64 = 4.0;

/// Steps shorter than this share of Newton's are not worth taking.
const SHORTEST: f64 = 1e-9;

/// A step that does not lower the energy is shortened to this share at most.
const SHORTEN_MOST: f64 = 0.3;

/// Rounds in which groups of bodies are given shares of their own, at most.
const OWN_ROUNDS: u32 = 12;

/// Rounds in which joints are closed after a step, at most.
const CLOSING_ROUNDS: usize = 12;

/// What a step is worth.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Whether it is larger than what counts as none.
    pub matters: bool,
    /// Whether what it runs into may change it.
    pub foresee: bool,
}

impl Newton {
    /// Takes the longest step along Newton's that is safe and lowers the energy; returns the new energy. A step that is too
    /// small to matter is not tried for long: rounding may be all that is left to gain.
    pub(super) fn search_line(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        (energy, effort): (f64, Effort),
        clock: &mut Clock,
    ) -> Option<f64> {
        let contact_distance = problem.scale.contact_distance;
        // Joints that are open are closed first, whatever energy that takes.
        let open = self.joints.openness() > CLOSE_ENOUGH;
        let mut islands = self.islands(bodies);
        self.share.clear();
        self.share.resize(bodies.q.len(), 1.0);
        let (mut rounds, mut least) = (0, 1.0);
        let mut foresight = if effort.foresee { ROUNDS } else { 0 };
        let mut concerned: Vec<bool> = (0..bodies.q.len()).map(|slot| self.active.on(slot)).collect();
        while least > SHORTEST {
            let closed = self.set_trial(problem, bodies, &concerned) || open;
            clock.lap(Phase::Iterate);
            surface.place_some(&mut self.trial, |slot| concerned[slot]);
            clock.lap(Phase::Bounds);
            if !self.find_near(bodies, surface, contact_distance) {
                // What is near is known anew: all of it counts again.
                (0..concerned.len()).for_each(|slot| concerned[slot] = self.active.on(slot));
            }
            clock.lap(Phase::Pairs);
            let motion = SweptMotion { from: &self.here, to: &self.trial };
            let touched = |slot: [u32; 2]| slot.iter().any(|&slot| concerned[slot as usize]);
            let collisions =
                if closed { self.near.collisions(surface, motion, contact_distance, touched) } else { Vec::new() };
            let free = if closed { self.free_for_particles(problem, surface) } else { 1.0 };
            clock.lap(Phase::Ccd);
            if foresight > 0 && rounds == 0 && !collisions.is_empty() {
                foresight -= 1;
                let found = self.collided(problem, surface, &collisions);
                clock.lap(Phase::Contacts);
                if self.look_ahead(problem, bodies, surface, &found, clock) {
                    islands = self.islands(bodies);
                    continue;
                }
            }
            let mut part = 0.5;
            if closed && collisions.is_empty() && free == 1.0 {
                let active = &self.active;
                let contacts = self.near.contacts(surface, &self.trial, contact_distance, |slot| active.concerns(slot));
                let touching = self.particle_contacts(problem, bodies, surface);
                let lower = self.energy(problem, bodies, &self.trial.q, &contacts)
                    + self.particle_energy(problem, At::Trial, &touching);
                clock.lap(Phase::Contacts);
                let slope = if open { f64::INFINITY } else { self.slope() };
                if lower <= energy + SUFFICIENT * slope {
                    self.accept(bodies, contacts, touching);
                    return Some(lower);
                }
                if !effort.matters {
                    return None;
                }
                if foresight > 0 && rounds == 0 {
                    foresight -= 1;
                    if self.look_ahead(problem, bodies, surface, &contacts, clock) {
                        islands = self.islands(bodies);
                        continue;
                    }
                }
                // Where a parabola through what is known is lowest.
                let lowest = -0.5 * slope / (lower - energy - slope);
                part = if lowest > SHORTEN_MOST { lowest.min(0.5) } else { SHORTEN_MOST };
            }
            rounds += 1;
            if rounds == OWN_ROUNDS {
                islands.fill(0);
                self.share.fill(least);
            }
            let whole = if collisions.is_empty() && free == 1.0 { part } else { free };
            self.shorten(&islands, &collisions, whole, &mut concerned);
            let of_particles = if self.soft.is_some() { self.common_share() } else { 1.0 };
            least = self.system.slots().iter().map(|&slot| self.share[slot as usize]).fold(of_particles, f64::min);
        }
        None
    }

    /// The share of the world's slot, which nothing but a share of all changes.
    fn common_share(&self) -> f64 {
        self.share.last().copied().unwrap_or(1.0)
    }

    /// The share of the way to the trial that is free for particles and what they may meet.
    fn free_for_particles(&mut self, problem: &Problem, surface: &Surface) -> f64 {
        let Some(soft) = &mut self.soft else { return 1.0 };
        let placed = [&self.here, &self.trial];
        soft.find_near(surface, placed, [At::Here, At::Trial], problem.scale.contact_distance);
        soft.free_share(surface, placed, &problem.scale)
    }

    /// Contacts of particles at the trial.
    fn particle_contacts(&self, problem: &Problem, bodies: &Bodies, surface: &Surface) -> Vec<SoftContact> {
        let Some(soft) = &self.soft else { return Vec::new() };
        soft.contacts_at(surface, &self.trial, At::Trial, &bodies.contact_mass, &problem.scale)
    }

    fn accept(&mut self, bodies: &mut Bodies, contacts: Vec<Contact>, touching: Vec<SoftContact>) {
        self.contacts = contacts;
        if let Some(soft) = &mut self.soft {
            soft.accept(touching);
        }
        bodies.q.copy_from_slice(&self.trial.q);
        std::mem::swap(&mut self.here, &mut self.trial);
    }

    /// Shortens the steps of groups that collide, and of all to a part of the whole; marks the bodies of these. Of two
    /// that go different shares the one that goes further gives way, down to what the other goes: no group ends up
    /// shorter than all would together.
    fn shorten(&mut self, islands: &[u32], collisions: &[([u32; 2], f64)], whole: f64, concerned: &mut [bool]) {
        let mut factor = vec![whole; islands.len()];
        for (pair, time) in collisions {
            let share = pair.map(|slot| if self.active.on(slot as usize) { self.share[slot as usize] } else { 0.0 });
            let least = if share[0] == share[1] { 0.0 } else { share[0].min(share[1]) };
            for k in (0..2).filter(|&k| share[k] > least) {
                let island = islands[pair[k] as usize] as usize;
                factor[island] = factor[island].min((time * share[k]).max(least) / share[k]);
            }
        }
        for slot in 0..islands.len() {
            let factor = factor[islands[slot] as usize];
            concerned[slot] = self.active.on(slot) && factor < 1.0;
            self.share[slot] *= factor;
        }
    }

    /// Which bodies act on each other, directly or through others: every body has the number of one of them.
    fn islands(&self, bodies: &Bodies) -> Vec<u32> {
        if self.joints.any() || self.soft.is_some() {
            return vec![0; bodies.q.len()];
        }
        let mut label: Vec<u32> = (0..bodies.q.len() as u32).collect();
        let slots = self.contacts.iter().chain(&self.ahead).map(|c| c.slot);
        let slots = slots.chain(self.frictions.iter().map(|f| f.slot));
        for [a, b] in slots.filter(|slot| slot.iter().all(|&slot| self.active.on(slot as usize))) {
            union::unite(&mut label, a, b);
        }
        union::flatten(&mut label);
        label
    }

    /// Slope of the energy along the step that bodies take \[J\].
    fn slope(&self) -> f64 {
        let slots = self.system.slots().iter().zip(self.gradient.iter().zip(&self.step));
        let of_bodies: f64 =
            slots.map(|(&slot, (gradient, step))| self.share[slot as usize] * dot(gradient, step)).sum();
        let of_particles = match (&self.soft, &self.system.soft) {
            (Some(soft), Some(system)) => {
                self.common_share() * soft.slope(self.system.first_particle(), &system.gradient)
            }
            _ => 0.0,
        };
        of_bodies + of_particles
    }

    /// Makes sure that what can be met on the way to the trial is known; returns whether it was.
    fn find_near(&mut self, bodies: &Bodies, surface: &mut Surface, contact_distance: f64) -> bool {
        let known = self.near.covers(surface, &self.trial.q);
        if !known {
            for &slot in self.system.slots() {
                let slot = slot as usize;
                let way = self.trial.q[slot].farthest(&bodies.q[slot], surface.radius[slot]);
                self.slack[slot] = self.slack[slot].max(MORE_SLACK * way);
            }
            self.near.search(surface, &self.here, &self.slack, contact_distance);
        }
        known
    }

    /// Sets the trial of some bodies to their share of the step with all joints closed; returns whether they could be.
    fn set_trial(&mut self, problem: &Problem, bodies: &Bodies, some: &[bool]) -> bool {
        for (turn, &slot) in self.turns.iter().zip(self.system.slots()) {
            let slot = slot as usize;
            if some[slot] {
                self.trial.q[slot] = bodies.q[slot].stepped(turn, self.share[slot]);
            }
        }
        let closed = self.joints.rows.is_empty() || self.close_joints(problem, bodies);
        let share = self.common_share();
        if let Some(soft) = &mut self.soft {
            soft.set_trial(share, &self.trial.q);
        }
        closed
    }

    /// Turning and stretching together opens joints by the square of the step. Closes them again, by the smallest
    /// motion the matrix of the step knows, until rounding is all that is left.
    fn close_joints(&mut self, problem: &Problem, bodies: &Bodies) -> bool {
        let Self { joints, system, closing, trial, turned, .. } = self;
        let mut before = f64::INFINITY;
        for _ in 0..CLOSING_ROUNDS {
            joints.linearize(bodies, &trial.q, problem.scale.row_weight());
            let open = joints.openness();
            if open <= 1.0 || (open < CLOSE_ENOUGH && open > 0.5 * before) {
                return true;
            }
            if open.is_nan() || open >= 0.9 * before {
                return false;
            }
            before = open;
            // The matrix knows bodies as they were turned at the iterate: rows go there, and the step comes back.
            turned.clear();
            turned.extend(trial.q.iter().zip(&bodies.q).map(|(to, from)| to.rotation() * from.rotation().transpose()));
            joints.rows.iter_mut().for_each(|row| row.turn_back(turned));
            system.close(&joints.rows, closing);
            for (step, &slot) in closing.iter().zip(system.slots()) {
                let (q, turned) = (&mut trial.q[slot as usize], turned[slot as usize]);
                *q = q.stepped(&Turn::new(q, &turn_linear(turned, step)), 1.0);
            }
        }
        false
    }
}
