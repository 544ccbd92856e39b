//! One step by projected Newton: every iterate is free of intersections, every accepted one lowers the energy.

use drystone_model::DVec3;
use rayon::prelude::*;

use super::affine::{Affine, Turn, Vec12};
use super::bodies::Bodies;
use super::contact::Contact;
use super::friction::{Friction, Memory};
use super::options::AbdOptions;
use super::surface::Surface;
use super::system::{Forces, System};
use drystone_solve::clock::Clock;
use drystone_solve::report::{Ending, Phase};

/// Pairs per parallel task.
const CHUNK: usize = 256;

/// Share of the decrease that the slope promises which a step must reach (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// Steps shorter than this share of Newton's are not worth taking.
const SHORTEST: f64 = 1e-9;

/// Sizes of a step.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Time step \[s\].
    pub h: f64,
    /// d̂ \[m\].
    pub reach: f64,
    /// Barrier stiffness per mass \[J/kg\].
    pub stiffness: f64,
    /// Slip at which friction has its full size \[m\].
    pub edge: f64,
    /// Largest displacement that counts as none \[m\].
    pub tolerance: f64,
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
    x: Vec<DVec3>,
    x_trial: Vec<DVec3>,
    dx: Vec<DVec3>,
    q_trial: Vec<Affine>,
    step: Vec<Vec12>,
    turns: Vec<Turn>,
    pub contacts: Vec<Contact>,
    frictions: Vec<Friction>,
    pub memory: Memory,
    pub system: System,
}

/// Everything an iteration reads.
pub struct Problem<'a> {
    pub options: &'a AbdOptions,
    pub scale: Scale,
    /// Square root of the coefficient of friction of every shape.
    pub roughness: &'a [f64],
}

impl Problem<'_> {
    fn stiffness(&self, bodies: &Bodies, contact: &Contact) -> f64 {
        let [a, b] = contact.slot.map(|slot| bodies.contact_mass[slot as usize]);
        self.scale.stiffness * a.max(b)
    }
}

impl Newton {
    /// Solves a step for bodies that have been aimed; `bodies.q` holds the answer.
    pub fn solve(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        clock: &mut Clock,
    ) -> Outcome {
        self.system.number(&bodies.moves);
        self.begin(problem, bodies, surface);
        clock.lap(Phase::Pairs);
        let mut outcome = Outcome::default();
        for pass in 0..problem.options.friction_passes.max(1) {
            self.lag_friction(problem, bodies);
            if pass > 0 && self.frictions.is_empty() {
                break;
            }
            let before = outcome.iterations;
            self.iterate(problem, bodies, surface, (&mut outcome, clock));
            // One step that changes nothing: friction agrees with the loads already.
            if outcome.ending != Ending::Converged || outcome.iterations - before <= 1 {
                break;
            }
        }
        self.memory.keep(&self.frictions, &bodies.start, &bodies.q, problem.scale.edge);
        outcome
    }

    /// Lets bodies that meet nothing on their way go straight to their targets, and finds the contacts of the others.
    fn begin(&mut self, problem: &Problem, bodies: &mut Bodies, surface: &mut Surface) {
        surface.place(&bodies.q, &mut self.x);
        self.q_trial.clone_from(&bodies.q);
        for &slot in self.system.slots() {
            self.q_trial[slot as usize] = bodies.target[slot as usize];
        }
        self.place_trial(surface);
        surface.search(&self.x, &self.dx, problem.scale.reach);
        let mut meets = vec![false; bodies.moves.len()];
        for_each_slot(surface, |slot| meets[slot as usize] = true);
        for &slot in self.system.slots() {
            let slot = slot as usize;
            if !meets[slot] {
                bodies.q[slot] = bodies.target[slot];
            }
        }
        surface.place(&bodies.q, &mut self.x);
        self.contacts = find_contacts(surface, &self.x, problem.scale.reach);
    }

    fn lag_friction(&mut self, problem: &Problem, bodies: &Bodies) {
        let Self { contacts, frictions, memory, .. } = self;
        frictions.clear();
        for contact in contacts.iter() {
            let coefficient = contact.shape.iter().map(|&shape| problem.roughness[shape as usize]).product::<f64>();
            if coefficient > 0.0 {
                let force = problem.stiffness(bodies, contact) * contact.load(problem.scale.reach);
                frictions.push(Friction::new(contact, force, coefficient, memory));
            }
        }
    }

    fn iterate(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        (outcome, clock): (&mut Outcome, &mut Clock),
    ) {
        let scale = problem.scale;
        let mut energy = self.energy(problem, bodies, &bodies.q, &self.contacts);
        for _ in 0..problem.options.max_iterations {
            outcome.iterations += 1;
            let slope = self.newton_step(problem, bodies, clock);
            let reach = self.turns.iter().zip(self.system.slots()).map(|(t, &s)| t.reach(surface.radius[s as usize]));
            outcome.residual = reach.fold(0.0, f64::max);
            let done = outcome.residual <= scale.tolerance;
            match self.search_line(problem, bodies, surface, (energy, slope), clock) {
                Some(lower) => energy = lower,
                None => {
                    outcome.ending = if done { Ending::Converged } else { Ending::Stuck };
                    return;
                }
            }
            if done {
                outcome.ending = Ending::Converged;
                return;
            }
        }
        outcome.ending = Ending::Slow;
    }

    /// Newton's step of every node; returns the slope of the energy along it \[J\].
    fn newton_step(&mut self, problem: &Problem, bodies: &Bodies, clock: &mut Clock) -> f64 {
        let scale = problem.scale;
        let forces = Forces {
            contacts: &self.contacts,
            stiffness: &|contact| problem.stiffness(bodies, contact),
            frictions: &self.frictions,
            reach: scale.reach,
            edge: scale.edge,
        };
        self.system.assemble(bodies, problem.options, &forces, scale.h);
        clock.lap(Phase::Graph);
        self.system.solve(&mut self.step);
        clock.lap(Phase::Iterate);
        self.turns.clear();
        let slots = self.system.slots();
        self.turns.extend(slots.iter().zip(&self.step).map(|(&slot, step)| Turn::new(&bodies.q[slot as usize], step)));
        self.system.gradient.iter().zip(&self.step).map(|(g, d)| drystone_solve::parts::matrix::dot(g, d)).sum()
    }

    /// Takes the longest step along Newton's that is safe and lowers the energy; returns the new energy.
    fn search_line(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        (energy, slope): (f64, f64),
        clock: &mut Clock,
    ) -> Option<f64> {
        let reach = problem.scale.reach;
        let mut share = 1.0;
        self.set_trial(bodies, surface, share);
        // Shorter steps of turning bodies leave the chord of the full one by the bend.
        let bend = self.turns.iter().zip(self.system.slots()).map(|(t, &s)| t.bend(surface.radius[s as usize]));
        surface.search(&self.x, &self.dx, reach + bend.fold(0.0, f64::max));
        clock.lap(Phase::Pairs);
        while share > SHORTEST {
            let bound = surface.bound(&self.x, &self.dx);
            clock.lap(Phase::Bounds);
            if bound >= 1.0 {
                let contacts = find_contacts(surface, &self.x_trial, reach);
                let lower = self.energy(problem, bodies, &self.q_trial, &contacts);
                clock.lap(Phase::Contacts);
                if lower <= energy + SUFFICIENT * share * slope {
                    self.contacts = contacts;
                    bodies.q.copy_from_slice(&self.q_trial);
                    std::mem::swap(&mut self.x, &mut self.x_trial);
                    return Some(lower);
                }
            }
            share *= if bound < 1.0 { bound } else { 0.5 };
            self.set_trial(bodies, surface, share);
        }
        None
    }

    fn set_trial(&mut self, bodies: &Bodies, surface: &Surface, share: f64) {
        self.q_trial.clone_from(&bodies.q);
        for (turn, &slot) in self.turns.iter().zip(self.system.slots()) {
            self.q_trial[slot as usize] = bodies.q[slot as usize].stepped(turn, share);
        }
        self.place_trial(surface);
    }

    fn place_trial(&mut self, surface: &Surface) {
        surface.place(&self.q_trial, &mut self.x_trial);
        self.dx.clear();
        self.dx.extend(self.x_trial.iter().zip(&self.x).map(|(to, from)| *to - *from));
    }

    /// The incremental potential \[J\].
    fn energy(&self, problem: &Problem, bodies: &Bodies, q: &[Affine], contacts: &[Contact]) -> f64 {
        let scale = problem.scale;
        let slots = self.system.slots();
        let of_bodies =
            ordered_sum(slots, |&slot| bodies.energy(slot as usize, &q[slot as usize], problem.options, scale.h));
        let of_contacts = ordered_sum(contacts, |c| problem.stiffness(bodies, c) * c.energy(scale.reach));
        let of_friction = ordered_sum(&self.frictions, |f| f.energy(&bodies.start, q, scale.edge));
        of_bodies + of_contacts + of_friction
    }
}

/// A sum that does not depend on the number of threads.
fn ordered_sum<T: Sync>(items: &[T], value: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts: Vec<f64> = items.par_chunks(CHUNK).map(|chunk| chunk.iter().map(&value).sum()).collect();
    parts.iter().sum()
}

/// All contacts among the pairs of the last search, in their order.
fn find_contacts(surface: &Surface, x: &[DVec3], reach: f64) -> Vec<Contact> {
    let of = |pairs: &[[u32; 2]], contact: fn(&Surface, &[DVec3], [u32; 2], f64) -> Option<Contact>| {
        let chunks = pairs.par_chunks(CHUNK);
        let found = chunks.map(|c| c.iter().filter_map(|&pair| contact(surface, x, pair, reach)).collect::<Vec<_>>());
        found.collect::<Vec<_>>()
    };
    let stencils = &surface.stencils;
    let found = [
        of(&stencils.vertex_triangle, Contact::vertex_triangle),
        of(&stencils.edge_edge, Contact::edge_edge),
        of(&surface.vertex_plane, Contact::vertex_plane),
    ];
    found.into_iter().flatten().flatten().collect()
}

/// Visits the bodies of all pairs of the last search.
fn for_each_slot(surface: &Surface, mut visit: impl FnMut(u32)) {
    let stencils = &surface.stencils;
    let mut vertex = |v: u32| visit(surface.vertex_slot[v as usize]);
    for &[v, t] in &stencils.vertex_triangle {
        vertex(v);
        vertex(stencils.triangle_vertex[t as usize][0]);
    }
    for &[a, b] in &stencils.edge_edge {
        vertex(stencils.edge_vertex[a as usize][0]);
        vertex(stencils.edge_vertex[b as usize][0]);
    }
    surface.vertex_plane.iter().for_each(|&[v, _]| vertex(v));
}

#[cfg(test)]
#[path = "newton_tests.rs"]
mod tests;
