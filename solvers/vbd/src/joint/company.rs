//! Joint islands of several worlds side by side: one island of every world in a lane.
//!
//! Worlds of one robot have islands of one structure. Each keeps its own bodies, joints and contacts; only its Newton steps are
//! taken together with those of others, with the result that it has alone.

use std::sync::Arc;

use super::four::{FourIslands, Shape};
use super::island::SolveContext;
use super::pace::Pace;
use super::projection::OPEN;
use super::{JointIslands, Joints};
use crate::bodies::Bodies;
use crate::rows::Manifold;
use drystone_solve::graph::adjacency::Adjacency;

/// Lanes: as many worlds go side by side.
pub const LANES: usize = 4;

/// Islands of up to four worlds, and room to step them.
#[derive(Clone, Debug, Default)]
pub struct Company {
    fours: Vec<FourIslands>,
    shapes: Vec<Arc<Shape>>,
}

/// A world in the company.
pub struct Part<'a> {
    /// Its joint islands.
    pub islands: &'a mut JointIslands,
    /// Its bodies.
    pub bodies: &'a mut Bodies,
    /// Its joints.
    pub joints: &'a mut Joints,
    /// Its contacts.
    pub manifolds: &'a [Manifold],
    /// Contacts of every body.
    pub contacts: &'a Adjacency,
    /// Which bodies still move.
    pub active: &'a [bool],
    /// Whether it takes part in the sweep.
    pub going: bool,
    /// Squared largest translation of its last step \[m²\].
    pub moved: f64,
}

impl Company {
    /// Puts the islands of worlds side by side, where all have the same structure; whether they have.
    pub fn gather(&mut self, worlds: &[(&JointIslands, &Joints)]) -> bool {
        let [(first, _), others @ ..] = worlds else { return false };
        let alike = |other: &JointIslands| {
            other.fours.len() == first.fours.len()
                && other.islands.len() == first.islands.len()
                && other.fours.iter().zip(&first.fours).all(|(own, four)| own.count == 1 && own.is_like(four))
        };
        let fits = !others.is_empty()
            && worlds.len() <= LANES
            && !first.fours.is_empty()
            && first.fours.len() == first.islands.len()
            && alike(first)
            && others.iter().all(|(other, _)| alike(other));
        if !fits {
            return false;
        }
        if !self.shapes.iter().map(Arc::as_ptr).eq(first.fours.iter().map(|four| Arc::as_ptr(four.shape()))) {
            self.fours.clone_from(&first.fours);
            self.shapes = first.fours.iter().map(|four| four.shape().clone()).collect();
        }
        for (index, four) in self.fours.iter_mut().enumerate() {
            four.count = worlds.len();
            for lane in 0..LANES {
                let (islands, joints) = worlds.get(lane).unwrap_or(&worlds[0]);
                let island = &islands.islands[islands.fours[index].islands[0] as usize];
                four.seat(lane, &island.bodies, &island.joints, &joints.geometry);
            }
        }
        true
    }

    /// Takes the coordinates of all joints where the bodies are, and says in which worlds a joint is open.
    pub fn measure(&mut self, parts: &mut [Part]) -> [bool; LANES] {
        let mut open = [false; LANES];
        parts.iter_mut().for_each(|part| part.joints.refresh_couplings(part.bodies));
        for (index, four) in self.fours.iter_mut().enumerate() {
            let places = [0, 1, 2, 3].map(|lane| {
                let part = parts.get(lane).unwrap_or(&parts[0]);
                (&*part.joints, &*part.bodies)
            });
            let ways = four.measure_each(&places);
            for (lane, part) in parts.iter_mut().enumerate() {
                open[lane] |= ways[lane] > OPEN || ways[lane].is_nan();
                let island = part.islands.fours[index].islands[0] as usize;
                part.islands.keep(island, four, lane);
            }
        }
        open
    }

    /// The Newton steps of a sweep, as [`JointIslands::step`] takes them in every world that is `going`.
    pub fn sweep(&mut self, parts: &mut [Part], pace: &Pace) {
        let first = pace.iteration == 0;
        parts.iter_mut().for_each(|part| part.moved = 0.0);
        let coupled = self.fours.iter().any(|four| four.coupled);
        for four in &mut self.fours {
            four.begin_sweep(first);
            four.survey_each(|lane, four| {
                let Part { active, contacts, going, .. } = parts[lane];
                let moves = going && four.holds(lane, |body| active[body]);
                [moves, moves && four.holds(lane, |body| contacts.degree(body) > 0)]
            });
        }
        for newton in 0..pace.most() {
            if coupled {
                parts.iter_mut().for_each(|part| part.joints.refresh_couplings(part.bodies));
            }
            let mut any = false;
            {
                let around = [0, 1, 2, 3].map(|lane| parts.get(lane).unwrap_or(&parts[0]).context());
                for four in &mut self.fours {
                    let due = [0, 1, 2, 3].map(|lane| lane < four.count && four.is_due(lane, newton, pace));
                    if due.contains(&true) {
                        four.newton(&around, first && newton == 0, due);
                        any = true;
                    }
                    four.due = due;
                }
            }
            if !any {
                break;
            }
            for (lane, part) in parts.iter_mut().enumerate() {
                self.apply(lane, part);
            }
        }
        for (lane, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.going) {
            for (own, four) in part.islands.fours.iter_mut().zip(&self.fours) {
                own.progress[0] = four.progress[lane];
            }
            // What goes by itself tells its own last step, what is touched that of the last round.
            let alone = self.fours.iter().filter(|four| !four.rounds(lane) && four.progress[lane].stepped);
            part.moved = alone.map(|four| four.progress[lane].moved).fold(part.moved, f64::max);
        }
    }

    /// Hands over what the lane of a world came to in a round.
    fn apply(&self, lane: usize, part: &mut Part) {
        let mut round = None;
        for four in self.fours.iter().filter(|four| four.due[lane]) {
            four.apply(lane, part.bodies, part.joints);
            if four.rounds(lane) {
                round = Some(f64::max(round.unwrap_or(0.0), four.progress[lane].moved));
            }
        }
        part.moved = round.unwrap_or(part.moved);
    }
}

impl Part<'_> {
    fn context(&self) -> SolveContext<'_> {
        let JointIslands { member, node, .. } = &*self.islands;
        let Self { bodies, joints, manifolds, contacts, .. } = self;
        SolveContext { bodies, joints, manifolds, contacts, member, node, near: None }
    }
}
