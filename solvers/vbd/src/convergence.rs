//! Islands that have converged are left out of the remaining sweeps. Each island is judged by itself, so that it moves as if
//! it were alone.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use drystone_kernels::double::math::Vec6;
use drystone_solve::parallel;

use super::bodies::Bodies;
use super::displacements::Displacements;
use super::islands::Islands;

/// Which islands still move.
#[derive(Clone, Debug, Default)]
pub struct Convergence {
    /// The body that stands for the island of every body.
    leader: Vec<u32>,
    /// Squared move of a sweep below which an island has converged \[m²\], by leader; negative if it never does.
    goal: Vec<f64>,
    /// Largest squared move of the sweep \[m²\], by leader.
    largest: Moves,
    /// Whether a body is still swept.
    pub active: Vec<bool>,
}

/// Largest moves, which threads raise together. Numbers that are not negative are in the order of their bits.
#[derive(Debug, Default)]
struct Moves(Vec<AtomicU64>);

/// A copy of a solver begins its sweeps anew.
impl Clone for Moves {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Moves {
    fn get(&self, leader: u32) -> f64 {
        f64::from_bits(self.0[leader as usize].load(Ordering::Relaxed))
    }

    fn raise(&self, leader: u32, moved: f64) {
        let place = &self.0[leader as usize];
        if moved > f64::from_bits(place.load(Ordering::Relaxed)) {
            place.fetch_max(moved.to_bits(), Ordering::Relaxed);
        }
    }

    fn reset(&mut self, count: usize) {
        self.0.resize_with(count, AtomicU64::default);
        self.0.iter_mut().for_each(|place| *place.get_mut() = 0);
    }
}

impl Convergence {
    /// Begins a pass over a step: everything in the `busy` worlds moves. An island has converged when a sweep moves none of its bodies by more than
    /// the `tolerance` times the fall h² a of a step; bodies of wide `nets` keep their islands going.
    pub fn begin(
        &mut self,
        bodies: &Bodies,
        islands: &Islands,
        nets: &[bool],
        busy: impl Fn(usize) -> bool + Sync,
        tolerance: f64,
        h: f64,
    ) {
        let count = bodies.world();
        self.leader.resize(count, 0);
        self.goal.resize(count, 0.0);
        self.active.resize(count + 1, false);
        self.largest.reset(count);
        parallel::each2(&mut self.leader, &mut self.goal, |body, leader, goal| {
            *leader = islands.leader(body) as u32;
            // All bodies of an island have its reference acceleration.
            let fall = tolerance * h * h * bodies.reference[body];
            *goal = if tolerance == 0.0 { -1.0 } else { fall * fall };
        });
        parallel::each(&mut self.active, |body, active| *active = bodies.moves[body] && busy(islands.leader(body)));
        for (body, _) in nets.iter().enumerate().take(count).filter(|(_, net)| **net) {
            self.goal[self.leader[body] as usize] = -1.0;
        }
    }

    /// Notes that a sweep moved a body by a squared mean way \[m²\].
    pub fn note(&self, body: usize, moved: f64) {
        self.largest.raise(self.leader[body], moved);
    }

    /// Hands the displacements of a sweep back, and notes how far it moved everything.
    pub fn take_in(&self, displacements: &Displacements, delta: &mut [Vec6]) {
        parallel::each_piece(&mut delta[..self.leader.len()], |start, piece| {
            // Neighbours are mostly of one island: it is told once.
            let (mut leader, mut most) = (self.leader[start], 0.0);
            for (body, delta) in (start..).zip(piece) {
                *delta = displacements.get(body);
                if self.leader[body] != leader {
                    self.largest.raise(leader, most);
                    (leader, most) = (self.leader[body], 0.0);
                }
                most = f64::max(most, displacements.moved(body));
            }
            self.largest.raise(leader, most);
        });
    }

    /// Ends a sweep. Returns whether any island still moves.
    pub fn end_sweep(&mut self) -> bool {
        let Self { leader, goal, largest, active } = self;
        let any = AtomicBool::new(false);
        parallel::each2(active, leader, |_, active, &mut leader| {
            *active &= largest.get(leader) > goal[leader as usize];
            if *active && !any.load(Ordering::Relaxed) {
                any.store(true, Ordering::Relaxed);
            }
        });
        largest.reset(leader.len());
        any.into_inner()
    }
}
