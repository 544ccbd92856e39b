//! One step by projected Newton: every iterate is free of intersections, every accepted one lowers the energy.

use drystone_model::{DMat3, DVec3};
use rayon::prelude::*;

use super::affine::{Affine, Turn, Vec12, turn_linear};
use super::bodies::Bodies;
use super::contact::Contact;
use super::friction::{Friction, Memory};
use super::joints::{JointScale, Joints};
use super::options::AbdOptions;
use super::surface::{Placed, Surface};
use super::system::{Forces, System};
use drystone_solve::clock::Clock;
use drystone_solve::report::{Ending, Phase};

/// Pairs per parallel task.
const CHUNK: usize = 256;

/// Share of the decrease that the slope promises which a step must reach (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// How much further than its next move a body may go before what is near it is searched anew.
const SLACK: f64 = 1.5;

/// The same once a body has gone further: what hit it is likely to take it on.
const MORE_SLACK: f64 = 4.0;

/// Steps shorter than this share of Newton's are not worth taking.
const SHORTEST: f64 = 1e-9;

/// Weight of the rows of joints in Newton's matrix, times the mass behind them over h².
const ROW_WEIGHT: f64 = 1e5;

/// Rounds in which joints are closed after a step, at most.
const CLOSING_ROUNDS: usize = 12;

/// Joint errors below this many times their rounding count as closed when no round makes them smaller.
const CLOSE_ENOUGH: f64 = 1e3;

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

impl Scale {
    /// What joints need of it.
    pub fn of_joints(&self) -> JointScale {
        JointScale { h: self.h, reach: self.reach, edge: self.edge }
    }

    fn row_weight(&self) -> f64 {
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
    x: Vec<DVec3>,
    x_trial: Vec<DVec3>,
    dx: Vec<DVec3>,
    /// How far bodies may go before what is near is searched anew \[m\].
    slack: Vec<f64>,
    q_trial: Vec<Affine>,
    step: Vec<Vec12>,
    turns: Vec<Turn>,
    closing: Vec<Vec12>,
    turned: Vec<DMat3>,
    pub joints: Joints,
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
    pub fn new(joints: Joints) -> Self {
        Self { joints, ..Self::default() }
    }

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
        self.joints.keep(&bodies.q);
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
        self.slack.clear();
        self.slack.resize(bodies.moves.len(), 0.0);
        for &slot in self.system.slots() {
            let slot = slot as usize;
            let way = bodies.target[slot].farthest(&bodies.q[slot], surface.radius[slot]);
            self.slack[slot] = SLACK * way + problem.scale.reach;
        }
        surface.search(&self.x, &bodies.q, &self.slack, problem.scale.reach);
        let (start, trial) = (Placed { q: &bodies.q, x: &self.x }, Placed { q: &self.q_trial, x: &self.x_trial });
        surface.select(start, trial, problem.scale.reach);
        let mut meets = vec![false; bodies.moves.len()];
        for_each_slot(surface, |slot| meets[slot as usize] = true);
        self.joints.mark(|slot| meets[slot] = true);
        for &slot in self.system.slots() {
            let slot = slot as usize;
            if !meets[slot] {
                bodies.q[slot] = bodies.target[slot];
            }
        }
        surface.place(&bodies.q, &mut self.x);
        let here = Placed { q: &bodies.q, x: &self.x };
        surface.select(here, here, problem.scale.reach);
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
        for iteration in 0..problem.options.max_iterations {
            outcome.iterations += 1;
            let mut slope = self.newton_step(problem, bodies, clock);
            if iteration == 0 && !self.joints.rows.is_empty() {
                // The forces of the joints are known now, and what they stiffen.
                slope = self.newton_step(problem, bodies, clock);
            }
            // Joints that are open are closed first, whatever energy that takes.
            if self.joints.openness() > CLOSE_ENOUGH {
                slope = f64::INFINITY;
            }
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
        self.joints.linearize(bodies, &bodies.q, scale.row_weight());
        let forces = Forces {
            contacts: &self.contacts,
            stiffness: &|contact| problem.stiffness(bodies, contact),
            frictions: &self.frictions,
            rows: &self.joints.rows,
            pushes: &self.joints.pushes,
            reach: scale.reach,
            edge: scale.edge,
        };
        self.system.assemble(bodies, problem.options, &forces, scale.h);
        clock.lap(Phase::Graph);
        self.system.solve(&self.joints.rows, &mut self.step);
        self.joints.note_forces(&self.system.multiplier, &bodies.q);
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
        let open = slope == f64::INFINITY;
        let mut closed = self.set_trial(problem, bodies, surface, share) || open;
        self.find_near(bodies, surface, reach);
        clock.lap(Phase::Pairs);
        while share > SHORTEST {
            let bound = if closed { surface.bound(&self.x, &self.dx) } else { 1.0 };
            clock.lap(Phase::Bounds);
            if bound >= 1.0 && closed {
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
            closed = self.set_trial(problem, bodies, surface, share) || open;
            self.find_near(bodies, surface, reach);
            clock.lap(Phase::Pairs);
        }
        None
    }

    /// Selects what bodies can meet on their way to the trial; searches anew where that leads out of what is known.
    fn find_near(&mut self, bodies: &Bodies, surface: &mut Surface, reach: f64) {
        if !surface.covers(&self.q_trial) {
            for &slot in self.system.slots() {
                let slot = slot as usize;
                let way = self.q_trial[slot].farthest(&bodies.q[slot], surface.radius[slot]);
                self.slack[slot] = self.slack[slot].max(MORE_SLACK * way);
            }
            surface.search(&self.x, &bodies.q, &self.slack, reach);
        }
        let (from, to) = (Placed { q: &bodies.q, x: &self.x }, Placed { q: &self.q_trial, x: &self.x_trial });
        surface.select(from, to, reach);
    }

    /// Sets the trial to a share of the step with all joints closed; returns whether they could be.
    fn set_trial(&mut self, problem: &Problem, bodies: &Bodies, surface: &Surface, share: f64) -> bool {
        self.q_trial.clone_from(&bodies.q);
        for (turn, &slot) in self.turns.iter().zip(self.system.slots()) {
            self.q_trial[slot as usize] = bodies.q[slot as usize].stepped(turn, share);
        }
        let closed = self.joints.rows.is_empty() || self.close_joints(problem, bodies);
        self.place_trial(surface);
        closed
    }

    /// Turning and stretching together opens joints by the square of the step. Closes them again, by the smallest
    /// motion the matrix of the step knows, until rounding is all that is left.
    fn close_joints(&mut self, problem: &Problem, bodies: &Bodies) -> bool {
        let Self { joints, system, closing, q_trial, turned, .. } = self;
        let mut before = f64::INFINITY;
        for _ in 0..CLOSING_ROUNDS {
            joints.linearize(bodies, q_trial, problem.scale.row_weight());
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
            turned.extend(q_trial.iter().zip(&bodies.q).map(|(to, from)| to.rotation() * from.rotation().transpose()));
            joints.rows.iter_mut().for_each(|row| row.turn_back(turned));
            system.close(&joints.rows, closing);
            for (step, &slot) in closing.iter().zip(system.slots()) {
                let (q, turned) = (&mut q_trial[slot as usize], turned[slot as usize]);
                *q = q.stepped(&Turn::new(q, &turn_linear(turned, step)), 1.0);
            }
        }
        false
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
        of_bodies + of_contacts + of_friction + self.joints.energy(q)
    }
}

/// A sum that does not depend on the number of threads.
fn ordered_sum<T: Sync>(items: &[T], value: impl Fn(&T) -> f64 + Sync) -> f64 {
    let parts: Vec<f64> = items.par_chunks(CHUNK).map(|chunk| chunk.iter().map(&value).sum()).collect();
    parts.iter().sum()
}

/// All contacts among the pairs selected last, in their order.
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
    let mut all = Vec::with_capacity(found.iter().flatten().map(Vec::len).sum());
    found.iter().flatten().for_each(|part| all.extend_from_slice(part));
    all
}

/// Visits the bodies of all pairs selected last.
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
