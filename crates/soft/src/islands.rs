//! Which particles go up or down together, and how much of a way each of these groups takes.
//!
//! Pieces that touch each other, or the same body that moves, are an island: what one of them gains another may pay for, and nobody
//! else may. Every island takes a share of its own of a way that does not bring what was promised, so that one that is jammed does not hold up
//! others.

use drystone_solve::graph::union::{find, flatten, unite};

use crate::mesh::Mesh;
use crate::touch::{Touch, Touches};

/// No island: nothing of it moves.
const NONE: u32 = u32::MAX;

/// The islands of a step.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// Island of every particle that moves.
    of: Vec<u32>,
    /// Bodies that move, by slot ascending, with their island.
    bodies: Vec<(u32, u32)>,
    /// Whether neither a pin nor something led nor what does not move holds it.
    floats: Vec<bool>,
    /// Pieces beside a pin, by their leaders.
    pinned: Vec<bool>,
    leader: Vec<u32>,
    /// Share of the way that each takes, and whether it is settled.
    pub share: Vec<f64>,
    settled: Vec<bool>,
}

impl Islands {
    /// For the particles of a mesh; `leader` is the first of the piece of each.
    pub fn new(mesh: &Mesh, leader: &[u32]) -> Self {
        let mut pinned = vec![false; mesh.free];
        for node in 0..mesh.free {
            pinned[leader[node] as usize] |= mesh.neighbours[node].iter().any(|&other| other as usize >= mesh.free);
        }
        Self { pinned, ..Self::default() }
    }

    /// Finds those of a step; `leader` is the first of the piece of every particle, `held` says which are led.
    pub fn find(&mut self, leader: &[u32], touches: &Touches, held: &[bool]) {
        let free = held.len();
        let Self { of, bodies, floats, pinned, leader: first, .. } = self;
        first.clear();
        first.extend_from_slice(&leader[..free]);
        bodies.clear();
        let mut at_body: Vec<(u32, u32)> = Vec::new();
        for touch in touches.all() {
            let mut rows = free_corners(touch, free);
            let Some(one) = rows.next() else { continue };
            rows.for_each(|other| unite(first, one, other));
            at_body.extend(touch.ground.body.filter(|_| !touch.fixed).map(|body| (body, one)));
        }
        at_body.sort_unstable();
        at_body.dedup();
        for two in at_body.windows(2).filter(|two| two[0].0 == two[1].0) {
            unite(first, two[0].1, two[1].1);
        }
        flatten(first);
        of.clear();
        of.resize(free, NONE);
        floats.clear();
        for row in 0..free {
            let own = first[row] as usize;
            if of[own] == NONE {
                of[own] = floats.len() as u32;
                floats.push(true);
            }
            of[row] = of[own];
            let leads_pinned = leader[row] as usize == row && pinned[row];
            floats[of[row] as usize] &= !held[row] && !leads_pinned;
        }
        at_body.dedup_by_key(|(body, _)| *body);
        bodies.extend(at_body.into_iter().map(|(body, row)| (body, of[find(first, row) as usize])));
        for touch in touches.all() {
            let led = touch.fixed || touch.corners().any(|(particle, _)| particle as usize >= free);
            if let Some(row) = free_corners(touch, free).next().filter(|_| led) {
                floats[of[row as usize] as usize] = false;
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.floats.len()
    }

    /// The island of a particle that moves.
    pub fn of(&self, row: usize) -> usize {
        self.of[row] as usize
    }

    /// The island of particles, if one of them moves.
    pub fn of_corners(&self, corners: impl IntoIterator<Item = u32>) -> Option<usize> {
        let island = |corner: u32| self.of.get(corner as usize).map(|&island| island as usize);
        corners.into_iter().find_map(island)
    }

    /// The island of a body, if particles touch it.
    pub fn of_body(&self, slot: u32) -> Option<usize> {
        let at = self.bodies.binary_search_by_key(&slot, |&(body, _)| body).ok()?;
        Some(self.bodies[at].1 as usize)
    }

    /// Whether nothing holds it that does not move.
    pub fn floats(&self, island: usize) -> bool {
        self.floats[island]
    }

    /// Begins a search with the whole way for all.
    pub fn begin_search(&mut self) {
        let count = self.count();
        self.share.clear();
        self.share.resize(count, 1.0);
        self.settled.clear();
        self.settled.resize(count, false);
    }

    /// Halves the shares of islands not settled for which `goes` does not hold. Returns whether all are settled.
    pub fn narrow(&mut self, goes: impl Fn(usize, f64) -> bool) -> bool {
        let mut all = true;
        for island in 0..self.share.len() {
            if !self.settled[island] {
                self.settled[island] = goes(island, self.share[island]);
                if !self.settled[island] {
                    self.share[island] *= 0.5;
                    all = false;
                }
            }
        }
        all
    }

    /// Ends a search: who is not settled goes nowhere.
    pub fn give_up(&mut self) {
        let left = self.share.iter_mut().zip(&self.settled).filter(|(_, settled)| !**settled);
        left.for_each(|(share, _)| *share = 0.0);
    }
}

/// Particles of a contact that move.
fn free_corners(touch: &Touch, free: usize) -> impl Iterator<Item = u32> + '_ {
    touch.corners().map(|(particle, _)| particle).filter(move |&particle| (particle as usize) < free)
}
