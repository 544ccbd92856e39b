//! Islands that have converged are left out of the remaining sweeps. Each island is judged by itself, so that it moves as if
//! it were alone.

use drystone_model::Model;

use super::bodies::Bodies;
use super::islands::Islands;

/// Which islands still move.
#[derive(Clone, Debug, Default)]
pub struct Convergence {
    /// The body that stands for the island of every body.
    leader: Vec<u32>,
    /// Squared move of a sweep below which an island has converged \[m²\], by leader; negative if it never does.
    goal: Vec<f64>,
    /// Largest squared move of the sweep \[m²\], by leader.
    largest: Vec<f64>,
    /// Whether a body is still swept.
    pub active: Vec<bool>,
}

impl Convergence {
    /// Begins a pass over a step: everything in the `busy` worlds moves. An island has converged when a sweep moves none of its bodies by more than
    /// the `tolerance` times the fall h² a of a step; bodies of wide `nets` keep their islands going.
    pub fn begin(
        &mut self,
        model: &Model,
        bodies: &Bodies,
        islands: &Islands,
        nets: &[bool],
        busy: impl Fn(usize) -> bool,
        tolerance: f64,
        h: f64,
    ) {
        let count = model.body_count();
        self.leader.clear();
        self.leader.extend((0..count).map(|body| islands.leader(body) as u32));
        for list in [&mut self.goal, &mut self.largest] {
            list.clear();
            list.resize(count, 0.0);
        }
        self.active.clear();
        let moving = bodies.moves.iter().enumerate();
        self.active.extend(moving.map(|(body, &moves)| moves && busy(islands.leader(body))));
        for body in 0..count {
            let goal = &mut self.goal[self.leader[body] as usize];
            let fall = tolerance * h * h * bodies.reference[body];
            let always = nets[body] || *goal < 0.0 || tolerance == 0.0;
            *goal = if always { -1.0 } else { fall * fall };
        }
    }

    /// Notes that a sweep moved a body by a squared mean way \[m²\].
    pub fn note(&mut self, body: usize, moved: f64) {
        let largest = &mut self.largest[self.leader[body] as usize];
        *largest = largest.max(moved);
    }

    /// Ends a sweep. Returns whether any island still moves.
    pub fn end_sweep(&mut self) -> bool {
        let mut any = false;
        for (active, &leader) in self.active.iter_mut().zip(&self.leader) {
            *active &= self.largest[leader as usize] > self.goal[leader as usize];
            any |= *active;
        }
        self.largest.fill(0.0);
        any
    }
}
