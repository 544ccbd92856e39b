//! What is near: pairs of shapes, each of which knows its features that can touch. Both are searched for with room to
//! move and kept from step to step while bodies stay within it; answers do not depend on what is kept.

use drystone_geometry::Aabb;
use rayon::prelude::*;

use super::affine::Affine;
use super::candidate_pair::Pair;
use super::contact::Contact;
use super::surface::{Placed, Surface};
use super::swept_motion::{Query, SweptMotion};

/// Pairs handed to a thread at a time.
const CHUNK: usize = 16;

/// Everything that can touch while bodies stay near where they were at the last search.
#[derive(Debug, Default)]
pub struct Near {
    /// Sorted.
    pairs: Vec<Pair>,
    /// Placements at the last search, and how far from them it holds \[m\].
    place: Vec<Affine>,
    slack: Vec<f64>,
}

impl Near {
    /// Finds all shapes that can come nearer than `distance` beyond their separation while no vertex of a body leaves its
    /// place by more than the slack of its slot \[m\].
    pub fn search(&mut self, surface: &Surface, at: &Placed, slack: &[f64], distance: f64) {
        let range = distance + surface.max_margin;
        self.place.clone_from(&at.q);
        self.slack.clear();
        self.slack.extend_from_slice(slack);
        let grown = |shape: usize| {
            let size = at.bounds[shape].min.abs().max(at.bounds[shape].max.abs()).max_element();
            let room = slack[surface.shape_slot[shape] as usize] + 0.5 * range;
            at.bounds[shape].inflated(room + 4.0 * f64::EPSILON * (size + room))
        };
        let bounds: Vec<Aabb> = (0..at.bounds.len()).map(grown).collect();
        let shapes = surface.stencils.meeting(&bounds);
        let shapes = shapes.into_iter().map(|shapes| Pair::new(surface, shapes, None));
        let planes = surface.shapes_and_planes().map(|(shape, plane)| {
            let shapes = [shape as u32, surface.planes[plane].shape];
            Pair::new(surface, shapes, Some(plane as u32))
        });
        let mut known = std::mem::take(&mut self.pairs).into_iter().peekable();
        self.pairs.extend(shapes.chain(planes).map(|pair| {
            while known.next_if(|old| old.key() < pair.key()).is_some() {}
            known.next_if(|old| old.key() == pair.key()).unwrap_or(pair)
        }));
    }

    /// Whether the last search holds for bodies at `q`.
    pub fn covers(&self, surface: &Surface, q: &[Affine]) -> bool {
        self.place.len() == q.len()
            && (0..q.len()).all(|slot| q[slot].farthest(&self.place[slot], surface.radius[slot]) <= self.slack[slot])
    }

    /// Bodies that can come nearer than `distance` beyond their separation to anything, wherever each of them is on its
    /// way.
    pub fn meeting(&mut self, surface: &Surface, motion: SweptMotion, distance: f64, mut meet: impl FnMut(usize)) {
        let query = Query { surface, motion, distance };
        let meets: Vec<bool> = self.pairs.par_iter_mut().with_min_len(CHUNK).map(|pair| pair.meets(&query)).collect();
        for (pair, _) in self.pairs.iter().zip(meets).filter(|(_, meets)| *meets) {
            pair.slot.iter().for_each(|&slot| meet(slot as usize));
        }
    }

    /// Pairs of bodies, at least one of them concerned, that cannot go all the way, and the share they can. All go their `share` of ways
    /// that begin where they are, so that what is known of longer ones holds.
    pub fn collisions(
        &mut self,
        surface: &Surface,
        (motion, share): (SweptMotion, &[f64]),
        distance: f64,
        concerned: impl Fn([u32; 2]) -> bool + Sync,
    ) -> Vec<([u32; 2], f64)> {
        let query = Query { surface, motion, distance };
        let free = |pair: &mut Pair| {
            let share = pair.slot.map(|slot| share[slot as usize]);
            let free = if concerned(pair.slot) { pair.free_share(&query, share) } else { 1.0 };
            (free < 1.0).then_some((pair.slot, free))
        };
        self.pairs.par_iter_mut().with_min_len(CHUNK).filter_map(free).collect()
    }

    /// Contacts at the instants at which pairs of bodies collide, and what is within `reach` times the approach left then, with their distances
    /// at the start.
    pub fn ahead(
        &mut self,
        surface: &Surface,
        motion: SweptMotion,
        distance: f64,
        reach: f64,
        collisions: &[([u32; 2], f64)],
    ) -> Vec<Contact> {
        let query = Query { surface, motion, distance };
        let mut found = Vec::new();
        let mut collisions = collisions.iter().peekable();
        for pair in &mut self.pairs {
            // One entry for every pair of shapes that collides, in order.
            if let Some((_, time)) = collisions.next_if(|(slot, _)| *slot == pair.slot) {
                pair.add_ahead(&query, *time, reach, &mut found);
            }
        }
        found
    }

    /// All contacts of bodies that are concerned, in order.
    pub fn contacts(
        &mut self,
        surface: &Surface,
        at: &Placed,
        distance: f64,
        concerned: impl Fn([u32; 2]) -> bool + Sync,
    ) -> Vec<Contact> {
        let query = Query { surface, motion: SweptMotion::still(at), distance };
        let of = |pairs: &mut [Pair]| {
            let mut found = Vec::new();
            let concerned = pairs.iter_mut().filter(|pair| concerned(pair.slot));
            concerned.for_each(|pair| pair.add_contacts(&query, &mut found));
            found
        };
        let found: Vec<Vec<Contact>> = self.pairs.par_chunks_mut(CHUNK).map(of).collect();
        found.concat()
    }
}
