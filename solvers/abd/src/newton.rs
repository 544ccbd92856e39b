//! One step by projected Newton: every iterate is free of intersections, every accepted one lowers the energy.

use drystone_model::DVec3;
use rayon::prelude::*;

use super::active_set::ActiveSet;
use super::affine::{Affine, Turn, Vec12};
use super::bodies::Bodies;
use super::candidates::Near;
use super::contact::Contact;
use super::friction::{Friction, Memory};
use super::joints::{JointScale, Joints};
use super::line_search::Effort;
use super::options::AbdOptions;
use super::soft::{At, Soft, SoftContact};
use super::surface::{Placed, Surface};
use super::swept_motion::SweptMotion;
use super::system::{Forces, System};
use drystone_solve::clock::Clock;
use drystone_solve::report::{Ending, Phase};

/// Items per parallel task.
const CHUNK: usize = 256;

/// How much further than its next move a body may go before what is near it is searched anew, and how far in any case, relative to
/// its size.
const SLACK: f64 = 2.0;
const MORE_SLACK: f64 = 0.02;

/// Part of its radius that a body goes at a time, in as many parts at most.
const PART: f64 = 3.0;
const MOST_PARTS: f64 = 16.0;

/// Residual of all parts but the last, over d̂, and their iterations at most.
const COARSE: f64 = 1.0;
const COARSE_ITERATIONS: u32 = 40;

/// Weight of the rows of joints in Newton's matrix, times the mass behind them over h².
const ROW_WEIGHT: f64 = 1e8;

/// Sizes of a step.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Time step \[s\].
    pub h: f64,
    /// d̂ \[m\].
    pub contact_distance: f64,
    /// Barrier stiffness per mass \[J/kg\].
    pub stiffness: f64,
    /// Slip at which friction has its full size \[m\].
    pub edge: f64,
    /// Largest displacement that counts as none \[m\].
    pub tolerance: f64,
}

impl Scale {
    /// What joints need of it.
    pub fn of_joints(&self) -> JointScale {
        JointScale { h: self.h, contact_distance: self.contact_distance, edge: self.edge }
    }

    pub fn row_weight(&self) -> f64 {
        ROW_WEIGHT / (self.h * self.h)
    }
}

/// What a step reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub iterations: u32,
    pub ending: Ending,
    /// Largest displacement Newton's method still asked for \[m\].
    pub residual: f64,
}

/// The iteration and its buffers.
#[derive(Debug, Default)]
pub struct Newton {
    pub(super) near: Near,
    pub(super) here: Placed,
    pub(super) trial: Placed,
    /// How far bodies may go before what is near is searched anew \[m\].
    pub(super) slack: Vec<f64>,
    pub(super) active: ActiveSet,
    /// Share of its step that every body takes.
    pub(super) share: Vec<f64>,
    pub(super) step: Vec<Vec12>,
    /// Gradient of the energy at the iterate, node by node.
    pub(super) gradient: Vec<Vec12>,
    /// Contacts that begin within the step, as far as it is known to run into them.
    pub(super) ahead: Vec<Contact>,
    /// Distance about which the barrier of every contact, then of every one ahead, is expanded \[m\].
    pub(super) about: Vec<f64>,
    /// Slip through which the work of every friction is a parabola, if not expanded where it is \[m\].
    pub(super) slip: Vec<Option<f64>>,
    pub(super) turns: Vec<Turn>,
    /// Energy of every body at the iterate, with a part of what acts on it; the world's slot has that of particles \[J\].
    pub(super) energy: Vec<f64>,
    pub joints: Joints,
    /// Contacts of the bodies looked at.
    pub contacts: Vec<Contact>,
    /// Contacts between the others.
    pub(super) held: Vec<Contact>,
    pub(super) frictions: Vec<Friction>,
    pub memory: Memory,
    pub system: System,
    /// The particles, if there are some. With them all bodies are looked at, and go the same share of their steps.
    pub soft: Option<Box<Soft>>,
    /// Where vertices of bodies were at the start of the step, with particles \[m\].
    pub start_x: Vec<DVec3>,
}

/// Everything an iteration reads.
pub struct Problem<'a> {
    pub options: &'a AbdOptions,
    pub scale: Scale,
    /// Way of every shape's surface against its body in the step \[m\]; empty without conveyor belts.
    pub belt: &'a [DVec3],
    /// Square root of the coefficient of friction of every shape.
    pub roughness: &'a [f64],
}

impl Problem<'_> {
    pub(super) fn stiffness(&self, bodies: &Bodies, contact: &Contact) -> f64 {
        let [a, b] = contact.slot.map(|slot| bodies.contact_mass[slot as usize]);
        self.scale.stiffness * a.max(b) * contact.weight
    }
}

impl Newton {
    pub fn new(joints: Joints) -> Self {
        Self { joints, ..Self::default() }
    }

    /// Solves a step for bodies that have been aimed; `bodies.q` holds the answer. Without one if the pairs of bodies that
    /// touch in it are not `welcome`: nothing is remembered of it then.
    pub fn solve(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        clock: &mut Clock,
        welcome: impl FnOnce(&Bodies, &[[u32; 2]]) -> bool,
    ) -> Option<Outcome> {
        self.system.number(&bodies.moves);
        self.system.closing.begin();
        self.begin(problem, bodies, surface, clock);
        let mut outcome = Outcome { ending: Ending::Converged, ..Outcome::default() };
        self.approach(problem, bodies, surface, (&mut outcome, clock));
        for pass in 0..problem.options.friction_passes {
            let rubbed: Vec<[u32; 2]> =
                self.frictions.iter().filter(|_| pass > 0).map(|friction| friction.slot).collect();
            let particles_rub = |soft: &Option<Box<Soft>>| soft.as_ref().is_some_and(|soft| soft.rubs());
            let rubbed_before = particles_rub(&self.soft);
            self.lag_friction(problem, bodies);
            if pass > 0 {
                let particles = rubbed_before || particles_rub(&self.soft);
                if rubbed.is_empty() && self.frictions.is_empty() && !particles {
                    break;
                }
                // Bodies that have parted are let go of as well.
                let touching = self.contacts.iter().map(|contact| contact.slot).chain(rubbed);
                self.active.widen(touching, self.joints.slots());
            }
            let before = outcome.iterations;
            let limits = (problem.scale.tolerance, problem.options.max_iterations);
            self.iterate(problem, limits, (bodies, surface), (&mut outcome, clock));
            self.contacts.append(&mut self.held);
            // One step that changes nothing: friction agrees with the loads already.
            if outcome.ending != Ending::Converged || outcome.iterations - before <= 1 {
                break;
            }
        }
        if !welcome(bodies, &self.touching()) {
            return None;
        }
        self.joints.keep(&bodies.q);
        self.memory.keep(&self.frictions, &bodies.start, &bodies.q, problem.scale.edge);
        Some(outcome)
    }

    /// Pairs of slots that act on each other: near contact, or by the friction of an iterate at which they were.
    pub fn touching(&self) -> Vec<[u32; 2]> {
        let near = self.contacts.iter().map(|contact| contact.slot);
        near.chain(self.frictions.iter().map(|friction| friction.slot)).collect()
    }

    /// Lets bodies that meet nothing on their way go straight to their targets, and finds the contacts of the others.
    fn begin(&mut self, problem: &Problem, bodies: &mut Bodies, surface: &mut Surface, clock: &mut Clock) {
        let contact_distance = problem.scale.contact_distance;
        surface.place(&bodies.q, &mut self.here);
        self.trial.clone_from(&self.here);
        self.slack.clear();
        self.slack.resize(bodies.moves.len(), 0.0);
        for &slot in self.system.slots() {
            let slot = slot as usize;
            self.trial.q[slot] = bodies.target[slot];
            let way = bodies.target[slot].farthest(&bodies.q[slot], surface.radius[slot]);
            self.slack[slot] = SLACK * way + contact_distance + MORE_SLACK * surface.radius[slot];
        }
        surface.place_some(&mut self.trial, |slot| bodies.moves[slot]);
        clock.lap(Phase::Bounds);
        if ![&self.here, &self.trial].iter().all(|at| self.near.covers(surface, &at.q)) {
            self.near.search(surface, &self.here, &self.slack, contact_distance);
        }
        self.active.begin(&bodies.moves);
        let active = &mut self.active;
        self.near.meeting(surface, SweptMotion { from: &self.here, to: &self.trial }, contact_distance, |slot| {
            active.add(slot)
        });
        self.joints.mark(|slot| active.add(slot));
        if self.soft.is_some() {
            self.system.slots().iter().for_each(|&slot| active.add(slot as usize));
            self.start_x.clone_from(&self.here.x);
        }
        for &slot in self.system.slots() {
            let slot = slot as usize;
            if !self.active.on(slot) {
                bodies.q[slot] = bodies.target[slot];
                self.here.q[slot] = bodies.target[slot];
            }
        }
        clock.lap(Phase::Pairs);
        surface.place_some(&mut self.here, |slot| bodies.moves[slot] && !self.active.on(slot));
        self.trial.clone_from(&self.here);
        clock.lap(Phase::Bounds);
        self.held.clear();
        self.contacts = self.near.contacts(surface, &self.here, contact_distance, |_| true);
        if let Some(soft) = &mut self.soft {
            soft.find_near(surface, [&self.here; 2], [At::Here; 2], contact_distance);
            soft.contacts = soft.contacts_at(surface, &self.here, At::Here, &bodies.contact_mass, &problem.scale);
        }
        clock.lap(Phase::Contacts);
    }

    fn lag_friction(&mut self, problem: &Problem, bodies: &Bodies) {
        if let Some(soft) = &mut self.soft {
            soft.lag_friction(&problem.scale, problem.roughness, problem.belt);
        }
        let Self { contacts, frictions, memory, .. } = self;
        frictions.clear();
        for contact in contacts.iter() {
            let coefficient = contact.shape.iter().map(|&shape| problem.roughness[shape as usize]).product::<f64>();
            if coefficient > 0.0 {
                let force = problem.stiffness(bodies, contact) * contact.load(problem.scale.contact_distance);
                let [first, second] =
                    contact.shape.map(|shape| problem.belt.get(shape as usize).copied().unwrap_or_default());
                let belt = first - second;
                frictions.push(Friction::new(
                    contact,
                    force,
                    coefficient,
                    belt,
                    memory,
                    problem.scale.contact_distance,
                ));
            }
        }
    }

    /// Bodies that would go further than their size meet on the way what no model at its beginning knows. They are taken there part by
    /// part: inertia aims at points along its way, where nothing has to be exact.
    fn approach(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        (outcome, clock): (&mut Outcome, &mut Clock),
    ) {
        let looked_at = self.system.slots().iter().map(|&slot| slot as usize).filter(|&slot| self.active.on(slot));
        let looked_at: Vec<usize> = looked_at.collect();
        let way = |&slot: &usize| bodies.target[slot].farthest(&bodies.start[slot], surface.radius[slot]);
        let sizes = looked_at.iter().map(|slot| way(slot) / (PART * surface.radius[*slot].max(f64::MIN_POSITIVE)));
        let parts = sizes.fold(0.0, f64::max).ceil().min(MOST_PARTS);
        if parts <= 1.0 || self.soft.is_some() {
            return;
        }
        self.lag_friction(problem, bodies);
        let (all, whole) = (self.active.clone(), bodies.target.clone());
        for part in 1..parts as u32 {
            looked_at.iter().for_each(|&slot| bodies.aim_at_part(slot, &whole[slot], f64::from(part) / parts));
            self.iterate(
                problem,
                (COARSE * problem.scale.contact_distance, COARSE_ITERATIONS),
                (bodies, surface),
                (outcome, clock),
            );
            self.contacts.append(&mut self.held);
            self.active.clone_from(&all);
        }
        bodies.target = whole;
    }

    fn iterate(
        &mut self,
        problem: &Problem,
        (tolerance, max_iterations): (f64, u32),
        (bodies, surface): (&mut Bodies, &mut Surface),
        (outcome, clock): (&mut Outcome, &mut Clock),
    ) {
        self.active.sort(&mut self.contacts, &mut self.held);
        self.note_energy(problem, bodies);
        for iteration in 0..max_iterations {
            if self.active.is_empty() && self.soft.is_none() {
                outcome.ending = Ending::Converged;
                return;
            }
            outcome.iterations += 1;
            self.newton_step(problem, bodies, surface, clock);
            if iteration == 0 && !self.joints.rows.is_empty() {
                // The forces of the joints are known now, and what they stiffen.
                self.newton_step(problem, bodies, surface, clock);
            }
            let travel = |(turn, &slot): (&Turn, &u32)| (slot, turn.travel_bound(surface.radius[slot as usize]));
            self.active.note(self.turns.iter().zip(self.system.slots()).map(travel));
            let longest = self.soft.as_ref().map_or(0.0, |soft| soft.longest());
            outcome.residual = self.active.residual().max(longest);
            let done = outcome.residual <= tolerance && self.system.is_solved();
            let foresee = problem.options.foresight && !done && self.can_foresee(bodies, surface);
            if foresee {
                self.refine(problem, bodies, surface, clock);
                self.turn_steps(bodies);
            }
            let effort = Effort { tolerance, matters: !done, foresee };
            let mut moved = self.search_line(problem, bodies, surface, effort, clock);
            if !moved && foresee {
                // Where the model leads nowhere, the second derivatives may.
                self.newton_step(problem, bodies, surface, clock);
                moved = self.search_line(problem, bodies, surface, Effort { foresee: false, ..effort }, clock);
            }
            if !moved && !done {
                outcome.ending = Ending::Stuck;
                return;
            }
            let changed = self.refocus(done, tolerance);
            if done && !changed {
                outcome.ending = Ending::Converged;
                return;
            }
            if changed {
                self.trial.clone_from(&self.here);
                self.active.sort(&mut self.contacts, &mut self.held);
                self.note_energy(problem, bodies);
            }
        }
        outcome.ending = Ending::Slow;
    }

    /// Chooses the bodies to look at next: fewer while there is something left to do, all that are connected once there
    /// is not. Returns whether they are others.
    fn refocus(&mut self, done: bool, tolerance: f64) -> bool {
        let Self { active, contacts, held, frictions, joints, .. } = self;
        let acting = contacts.iter().map(|c| c.slot).chain(frictions.iter().map(|f| f.slot));
        if done {
            active.verify(acting.chain(held.iter().map(|c| c.slot)).chain(joints.slots()))
        } else {
            self.soft.is_none() && active.narrow(tolerance, acting, joints.slots())
        }
    }

    /// Newton's step of every node.
    pub(super) fn newton_step(&mut self, problem: &Problem, bodies: &Bodies, surface: &Surface, clock: &mut Clock) {
        self.expand_here();
        self.solve_model(problem, bodies, (surface, false), clock);
        self.gradient.clone_from(&self.system.gradient);
        if let Some(soft) = &mut self.soft {
            soft.take_step(self.system.first_particle(), &self.system.particle_step);
        }
        self.turn_steps(bodies);
    }

    /// Solves for the step with barriers as they are expanded; `refined` if it did so before at the same iterate.
    pub(super) fn solve_model(
        &mut self,
        problem: &Problem,
        bodies: &Bodies,
        (surface, refined): (&Surface, bool),
        clock: &mut Clock,
    ) {
        let scale = problem.scale;
        let active = &self.active;
        self.joints.linearize(bodies, &bodies.q, scale.row_weight(), |slot| active.on(slot));
        let forces = Forces {
            contacts: &self.contacts,
            ahead: &self.ahead,
            about: &self.about,
            stiffness: &|contact| problem.stiffness(bodies, contact),
            frictions: &self.frictions,
            slip: &self.slip,
            rows: &self.joints.rows,
            pushes: &self.joints.pushes,
            contact_distance: scale.contact_distance,
            edge: scale.edge,
            refined,
            active: &self.active,
        };
        self.system.assemble(bodies, problem.options, &forces);
        if let Some(soft) = &mut self.soft {
            let ways = [&self.start_x[..], &self.here.x];
            self.system.assemble_particles(soft.nodes(), |system, of, node| {
                soft.assemble(surface, (&bodies.q, ways), &scale, node, (system, of));
            });
        }
        clock.lap(Phase::Assemble);
        self.system.solve((&self.joints.rows, &self.joints.rounding), &mut self.step);
        self.joints.note_forces(&self.system.multiplier, &bodies.q);
        clock.lap(Phase::Iterate);
    }

    /// Takes the steps of all bodies apart into turns and the rest.
    pub(super) fn turn_steps(&mut self, bodies: &Bodies) {
        self.turns.clear();
        let slots = self.system.slots();
        self.turns.extend(slots.iter().zip(&self.step).map(|(&slot, step)| Turn::new(&bodies.q[slot as usize], step)));
    }

    /// Takes note of the incremental potential where everything is.
    fn note_energy(&mut self, problem: &Problem, bodies: &Bodies) {
        let mut energy = vec![0.0; bodies.q.len()];
        self.energies(problem, bodies, (&bodies.q, &self.contacts), |_| true, &mut energy);
        let touching = self.soft.as_ref().map_or(&[][..], |soft| &soft.contacts);
        *energy.last_mut().unwrap_or(&mut 0.0) += self.particle_energy(problem, At::Here, touching);
        self.energy = energy;
    }

    /// The part of it that particles have, here or at the trial \[J\].
    pub(super) fn particle_energy(&self, problem: &Problem, at: At, contacts: &[SoftContact]) -> f64 {
        let placed = if at == At::Here { &self.here } else { &self.trial };
        let of = |soft: &Soft| soft.whole_energy(at, &placed.q, [&self.start_x, &placed.x], contacts, &problem.scale);
        self.soft.as_deref().map_or(0.0, of)
    }

    /// Adds the incremental potential of bodies looked at that are wanted, whole groups of them, up to what does not change with them; what
    /// acts between two is added to one of them \[J\].
    pub(super) fn energies(
        &self,
        problem: &Problem,
        bodies: &Bodies,
        (q, contacts): (&[Affine], &[Contact]),
        wanted: impl Fn(usize) -> bool + Sync,
        out: &mut [f64],
    ) {
        let (scale, active) = (problem.scale, &self.active);
        let counts = |slot: usize| active.on(slot) && wanted(slot);
        let one = |slot: [u32; 2]| slot.map(|slot| slot as usize).into_iter().find(|&slot| counts(slot));
        let of_body = |slot: &u32| {
            let slot = *slot as usize;
            if counts(slot) { bodies.energy(slot, &q[slot], problem.options) } else { 0.0 }
        };
        let of_friction = |friction: &Friction| {
            if one(friction.slot).is_some() { friction.energy(&bodies.start, q, scale.edge) } else { 0.0 }
        };
        let of_contact = |contact: &Contact| {
            let stiffness = one(contact.slot).map(|_| problem.stiffness(bodies, contact));
            stiffness.map_or(0.0, |stiffness| stiffness * contact.energy(scale.contact_distance))
        };
        let slots = self.system.slots();
        values(slots, of_body).iter().zip(slots).for_each(|(value, &slot)| out[slot as usize] += value);
        let barriers = values(contacts, of_contact);
        let barriers = barriers.iter().zip(contacts).map(|(value, contact)| (contact.slot, *value));
        let rubbed = values(&self.frictions, of_friction);
        let rubbed = rubbed.iter().zip(&self.frictions).map(|(value, friction)| (friction.slot, *value));
        for (slot, value) in barriers.chain(rubbed) {
            if let Some(slot) = one(slot) {
                out[slot] += value;
            }
        }
        self.joints.energies(q, counts, |slot, value| {
            if let Some(slot) = one(slot.map(|slot| slot as u32)) {
                out[slot] += value;
            }
        });
    }
}

/// The value of every item, in order.
fn values<T: Sync>(items: &[T], value: impl Fn(&T) -> f64 + Sync + Send) -> Vec<f64> {
    items.par_iter().with_min_len(CHUNK).map(value).collect()
}

#[cfg(test)]
#[path = "newton_tests.rs"]
mod tests;
