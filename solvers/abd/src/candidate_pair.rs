//! Two shapes that may touch, and the pairs of their features that can while the bodies stay near each other as they were.

use drystone_collide::{Candidates, NearFeatures, Side};
use drystone_geometry::Aabb;
use drystone_geometry::ccd::Ccd;
use rayon::prelude::*;

use super::affine::Affine;
use super::contact::Contact;
use super::drift::{Drift, Places};
use super::surface::{Placed, Surface};
use super::swept_motion::{Query, SweptMotion};
use super::touch::Touch;

/// Pairs of features handed to a thread at a time, where two shapes have more.
const CHUNK: usize = 2048;

/// Share of d̂ that a motion leaves between features that were further apart.
pub(super) const ENOUGH: f64 = 0.5;

/// What is known of the features of two shapes.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// All that matter, which had this distance at most when they were searched for \[m\].
    Within(f64),
    /// They are too many to list, as bodies move by more than the size of the features.
    TooMany,
}

/// Bodies that come nearer by more than this many mean lengths of their edges are searched for what their ways meet, not for all that is
/// around.
const WIDE: f64 = 0.5;

/// Of the features of two shapes that come near at the instant at which these collide, the nearest that count.
const MOST_AHEAD: usize = 16;

/// Of the gap that continuous detection found to be left, the share that a way may differ by and still count as looked at.
const ALIKE: f64 = 0.5;

/// A way that continuous detection has looked at.
#[derive(Clone, Copy, Debug)]
struct Looked {
    from: Places,
    to: Places,
    /// Shares of their steps that the bodies went.
    share: [f64; 2],
    /// Share of the way that is free.
    free: f64,
    /// Gap that is left up to there, at least \[m\].
    left: f64,
}

impl Looked {
    /// Whether it says that another way is free: one that leads to nearly the same places as a part of it.
    fn covers(&self, from: &Places, to: &Places, share: [f64; 2], radius: [f64; 2]) -> bool {
        if self.from != *from {
            return false;
        }
        let leader = usize::from(self.to[0] == self.from[0]);
        let part = share[leader] / self.share[leader];
        let off = |k: usize| {
            if to[k] == from[k] && self.to[k] == self.from[k] {
                return 0.0;
            }
            to[k].farthest(&self.from[k].towards(&self.to[k], part), radius[k])
        };
        // NaN: bodies that did not move at all.
        part <= self.free && off(0) + off(1) <= ALIKE * self.left
    }
}

/// A shape and another or a half-space.
#[derive(Debug)]
pub struct Pair {
    /// Slots of the bodies.
    pub slot: [u32; 2],
    pub shape: [u32; 2],
    /// The half-space, if the second is one.
    plane: Option<u32>,
    /// Where the bodies were when features were searched for, and all pairs of these up to a distance \[m\].
    place: Places,
    searched: f64,
    features: NearFeatures,
    vertex_plane: Candidates,
    /// The smallest distance of all \[m\].
    nearest: f64,
    /// Where contacts were looked for last, and the least gap there, at most d̂ \[m\].
    gap: Option<(Places, f64)>,
    looked: Option<Looked>,
}

impl Pair {
    /// Of two shapes, or of a shape and a half-space, not yet searched.
    pub fn new(surface: &Surface, shape: [u32; 2], plane: Option<u32>) -> Self {
        let slot = shape.map(|shape| surface.shape_slot[shape as usize]);
        Self {
            slot,
            shape,
            plane,
            place: Places::default(),
            searched: f64::NEG_INFINITY,
            features: NearFeatures::default(),
            vertex_plane: Candidates::new(),
            nearest: f64::INFINITY,
            gap: None,
            looked: None,
        }
    }

    /// What it is sorted by.
    pub fn key(&self) -> (Option<u32>, [u32; 2]) {
        (self.plane, self.shape)
    }

    fn separation(&self, surface: &Surface) -> f64 {
        surface.separation(self.shape[0], self.shape[1])
    }

    /// Distances of the farthest points from the centres of mass \[m\].
    fn radius(&self, surface: &Surface) -> [f64; 2] {
        let [first, second] = self.slot.map(|slot| surface.radius[slot as usize]);
        [first, if self.plane.is_some() { f64::INFINITY } else { second }]
    }

    fn places(&self, at: &Placed) -> Places {
        self.slot.map(|slot| at.q[slot as usize])
    }

    /// Whether the boxes of the ways come as near as counts.
    fn is_near(&self, query: &Query, distance: f64) -> bool {
        let first = query.motion.shape_bounds(self.shape[0]);
        match self.plane {
            None => first.within(&query.motion.shape_bounds(self.shape[1]), distance),
            Some(plane) => {
                let plane = &query.surface.planes[plane as usize];
                plane.gap(first.center()) - plane.normal.abs().dot(0.5 * first.extent())
                    <= distance + ROUNDING * first.min.abs().max(first.max.abs()).max_element()
            }
        }
    }

    /// Makes sure that all features are known that can come nearer than `distance` while the bodies drift so, unless they
    /// drift so far that these are too many. Nothing if none can.
    fn known(
        &mut self,
        query: &Query,
        distance: f64,
        drift: impl Fn(&Places, &Places, [f64; 2], f64) -> Drift,
    ) -> Option<Known> {
        if !self.is_near(query, distance) {
            return None;
        }
        let radius = self.radius(query.surface);
        let [from, to] = [query.motion.from, query.motion.to].map(|at| self.places(at));
        let here = drift(&from, &to, radius, distance).before(distance);
        let spacing = self.shape.map(|shape| query.surface.spacing[shape as usize]);
        if self.plane.is_none() && here > distance + WIDE * spacing[0].min(spacing[1]) {
            return Some(Known::TooMany);
        }
        let mut limit = Drift::between(&self.place, &from, radius, distance).before(here);
        if limit.is_nan() || limit > self.searched {
            self.search(query.surface, query.motion.from, 2.0 * (here + query.distance));
            limit = here;
        }
        (self.nearest <= limit).then_some(Known::Within(limit))
    }

    /// Features whose ways come within `distance` of each other, as seen by someone who goes along with the bodies where they meet.
    fn features_on_way(&self, query: &Query, distance: f64) -> NearFeatures {
        let Query { surface, motion: SweptMotion { from, to }, .. } = *query;
        let [a, b] = self.shape.map(|shape| from.bounds[shape as usize]);
        let meeting = a.intersection(b).center();
        let moved = |k: usize| {
            let [from, to] = [from, to].map(|at| &at.q[self.slot[k] as usize]);
            to.linear * (from.linear.inverse() * (meeting - from.position)) + to.position - meeting
        };
        let along = 0.5 * (moved(0) + moved(1));
        let to_rest = self.slot.map(|slot| move |region: &Aabb| surface.to_rest(slot, &from.q[slot as usize], region));
        let side = |k: usize| {
            let (shape, slot) = (self.shape[k] as usize, self.slot[k] as usize);
            let there = Affine { position: to.q[slot].position - along, ..to.q[slot] };
            let end = Aabb { min: to.bounds[shape].min - along, max: to.bounds[shape].max - along };
            Side {
                shape: self.shape[k],
                bounds: from.bounds[shape].union(end),
                travel: there.farthest(&from.q[slot], surface.radius[slot]),
                to_rest: &to_rest[k],
            }
        };
        surface.stencils.near_on_way([&from.x, &to.x], along, [side(0), side(1)], distance)
    }

    fn search(&mut self, surface: &Surface, at: &Placed, distance: f64) {
        self.place = self.places(at);
        self.searched = distance;
        match self.plane {
            Some(p) => {
                let plane = &surface.planes[p as usize];
                let vertices = surface.shape_vertices[self.shape[0] as usize].clone();
                let gaps = vertices.map(|v| ([v as u32, p], plane.gap(at.x[v])));
                self.vertex_plane.clear();
                self.vertex_plane.extend(gaps.filter(|(_, gap)| *gap <= distance));
            }
            None => {
                let to_rest =
                    self.slot.map(|slot| move |region: &Aabb| surface.to_rest(slot, &at.q[slot as usize], region));
                let side = |k: usize| {
                    let shape = self.shape[k];
                    Side { shape, bounds: at.bounds[shape as usize], travel: 0.0, to_rest: &to_rest[k] }
                };
                self.features = surface.stencils.near(&at.x, [side(0), side(1)], distance);
            }
        }
        let lists = [&self.features.vertex_triangle, &self.features.edge_edge, &self.vertex_plane];
        self.nearest = lists.into_iter().flatten().map(|(_, gap)| *gap).fold(f64::INFINITY, f64::min);
    }

    /// Whether the bodies can touch, wherever each of them is on its way.
    pub fn meets(&mut self, query: &Query) -> bool {
        let apart = |from: &Places, to: &Places, radius, _| Drift::apart(from, to, radius);
        let distance = query.distance + self.separation(query.surface);
        let limit = match self.known(query, distance, apart) {
            None => return false,
            Some(Known::TooMany) => return true,
            Some(Known::Within(limit)) => limit,
        };
        let radius = self.radius(query.surface);
        let [from, to] = [query.motion.from, query.motion.to].map(|at| self.places(at));
        let here = Drift::apart(&from, &to, radius).before(distance);
        let at = |v: u32| query.motion.from.x[v as usize];
        let surface = query.surface;
        let touches = |list: &Candidates, touch: &dyn Fn([u32; 2]) -> bool| {
            list.iter().any(|(pair, gap)| *gap <= limit && touch(*pair))
        };
        touches(&self.vertex_plane, &|[v, p]| surface.planes[p as usize].gap(at(v)) <= here)
            || touches(&self.features.vertex_triangle, &|pair| {
                query.vertex_passes(pair, distance) && Touch::vertex_triangle(surface, pair, at, here).is_some()
            })
            || touches(&self.features.edge_edge, &|pair| {
                query.edges_pass(pair, distance) && Touch::edge_edge(surface, pair, at, here).is_some()
            })
    }

    /// Share of the motion that is free, of bodies that go these shares of their steps: 1 if all of it is. Detection leaves a known part of
    /// the gap of before, so that a way which hardly differs from a part of one that was looked at need not be looked at.
    pub fn free_share(&mut self, query: &Query, share: [f64; 2]) -> f64 {
        let [from, to] = [query.motion.from, query.motion.to].map(|at| self.places(at));
        if from == to || self.looked.is_some_and(|looked| looked.covers(&from, &to, share, self.radius(query.surface)))
        {
            return 1.0;
        }
        let free = self.detect(query);
        self.looked = self.gap.filter(|(at, _)| *at == from).map(|(_, gap)| {
            let left = Ccd { enough: ENOUGH * query.distance, ..Ccd::default() }.left(gap);
            Looked { from, to, share, free, left }
        });
        free
    }

    fn detect(&mut self, query: &Query) -> f64 {
        let (separation, enough) = (self.separation(query.surface), ENOUGH * query.distance);
        let near = enough + separation;
        let on_way;
        let (features, limit) = match self.known(query, near, Drift::along) {
            None => return 1.0,
            Some(Known::Within(limit)) => (&self.features, limit),
            Some(Known::TooMany) => {
                on_way = self.features_on_way(query, near);
                (&on_way, f64::INFINITY)
            }
        };
        let (motion, stencils) = (&query.motion, &query.surface.stencils);
        let ccd = Ccd { min_separation: separation, enough, ..Ccd::default() };
        let by_plane = least(&self.vertex_plane, limit, 1.0, |pair, _| query.time_to_plane(pair, &ccd));
        let by_vertices = least(&features.vertex_triangle, limit, by_plane, |pair, before| {
            if !query.vertex_passes(pair, near) {
                return None;
            }
            let [start, end] = motion.ends(stencils.vertex_triangle_vertices(pair));
            Ccd { before, ..ccd }.point_triangle(start, end)
        });
        least(&features.edge_edge, limit, by_vertices, |pair, before| {
            if !query.edges_pass(pair, near) {
                return None;
            }
            let [start, end] = motion.ends(stencils.edge_edge_vertices(pair));
            Ccd { before, ..ccd }.edge_edge(start, end)
        })
    }

    /// Adds contacts at a time of the way at which nothing touches yet.
    pub fn add_ahead(&mut self, query: &Query, time: f64, reach: f64, contacts: &mut Vec<Contact>) {
        let (surface, separation) = (query.surface, self.separation(query.surface));
        let radius = self.radius(surface);
        let [from, to] = [query.motion.from, query.motion.to].map(|at| self.places(at));
        let approach = (1.0 - time) * Drift::along(&from, &to, radius, query.distance).before(0.0);
        let near = query.distance + separation + if approach.is_finite() { reach * approach } else { 0.0 };
        // Of the features that detection looked at; a search for more would cost more than they are worth.
        let enough = ENOUGH * query.distance + separation;
        let on_way;
        let (features, limit) = match self.known(query, enough, Drift::along) {
            None => return,
            Some(Known::Within(limit)) => (&self.features, limit),
            Some(Known::TooMany) => {
                on_way = self.features_on_way(query, enough);
                (&on_way, f64::INFINITY)
            }
        };
        let [start, end] = [query.motion.from, query.motion.to].map(|place| &place.x);
        let at = |v: u32| start[v as usize].lerp(end[v as usize], time);
        for (pair, _) in self.vertex_plane.iter().filter(|(_, gap)| *gap <= limit) {
            contacts.extend(Contact::vertex_plane(surface, *pair, at(pair[0]), near - separation));
        }
        let mut touches = Vec::new();
        gather(&features.vertex_triangle, limit, &mut touches, |pair| Touch::vertex_triangle(surface, pair, at, near));
        gather(&features.edge_edge, limit, &mut touches, |pair| Touch::edge_edge(surface, pair, at, near));
        touches.sort_by(|a, b| a.nearest.distance_squared().total_cmp(&b.nearest.distance_squared()));
        touches.truncate(MOST_AHEAD);
        contacts.extend(touches.iter().map(|touch| Contact::new(surface, touch, separation)));
    }

    /// Adds all contacts where the way begins, in order.
    pub fn add_contacts(&mut self, query: &Query, contacts: &mut Vec<Contact>) {
        let (surface, separation) = (query.surface, self.separation(query.surface));
        let near = query.distance + separation;
        self.gap = Some((self.places(query.motion.from), query.distance));
        let Some(Known::Within(limit)) = self.known(query, near, |_, _, _, _| Drift::NONE) else { return };
        let first = contacts.len();
        let at = |v: u32| query.motion.from.x[v as usize];
        for (pair, _) in self.vertex_plane.iter().filter(|(_, gap)| *gap <= limit) {
            contacts.extend(Contact::vertex_plane(surface, *pair, at(pair[0]), query.distance));
        }
        let mut touches = Vec::new();
        gather(&self.features.vertex_triangle, limit, &mut touches, |pair| {
            Touch::vertex_triangle(surface, pair, at, near)
        });
        gather(&self.features.edge_edge, limit, &mut touches, |pair| Touch::edge_edge(surface, pair, at, near));
        contacts.extend(touches.iter().map(|touch| Contact::new(surface, touch, separation)));
        if let Some((_, gap)) = &mut self.gap {
            *gap = contacts[first..].iter().map(|contact| contact.distance - separation).fold(*gap, f64::min);
        }
    }
}

/// What rounding does to the height of a box above a plane, relative to its coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The least time over all candidates within a limit, at most `most`. No pair is followed beyond the least time known, and
/// what is found before that does not depend on it.
fn least(candidates: &Candidates, limit: f64, most: f64, time: impl Fn([u32; 2], f64) -> Option<f64> + Sync) -> f64 {
    let of = |part: &[([u32; 2], f64)]| {
        let near = part.iter().filter(|(_, gap)| *gap <= limit);
        near.fold(most, |least, (pair, _)| time(*pair, least).map_or(least, |found| found.min(least)))
    };
    if candidates.len() <= CHUNK {
        return of(candidates);
    }
    candidates.par_chunks(CHUNK).map(of).reduce(|| most, f64::min)
}

/// Adds what touches of all candidates within a limit, in order.
fn gather(
    candidates: &Candidates,
    limit: f64,
    touches: &mut Vec<Touch>,
    touch: impl Fn([u32; 2]) -> Option<Touch> + Sync,
) {
    let of = |(pair, gap): &([u32; 2], f64)| if *gap <= limit { touch(*pair) } else { None };
    if candidates.len() <= CHUNK {
        candidates.iter().filter_map(of).for_each(|touch| touch.add_to(touches));
    } else {
        let found: Vec<Touch> = candidates.par_iter().with_min_len(CHUNK).filter_map(of).collect();
        found.into_iter().for_each(|touch| touch.add_to(touches));
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::{DQuat, DVec3};

    use super::super::affine::Turn;
    use super::*;

    /// Bodies that turn by a tenth of a radian: a shorter step of both is known as far as its ends differ from a part of the way by less
    /// than half of the gap, and the way itself up to where it is free.
    #[test]
    fn a_part_of_a_way_is_known_as_far_as_turns_do_not_bend_it() {
        let from: Places = [0.0, 1.0].map(|x| Affine::rigid(DVec3::X * x, DQuat::from_rotation_y(x)));
        let step = |k: usize, share: f64| {
            let rotation = DVec3::new(0.1, 0.02 * k as f64, 0.0);
            from[k].stepped(&Turn { translation: DVec3::Z, rotation, stretch: drystone_model::DMat3::ZERO }, share)
        };
        let to = |share: f64| [step(0, share), step(1, share)];
        let looked = |free: f64, left: f64| Looked { from, to: to(1.0), share: [1.0; 2], free, left };
        let radius = [0.5, 0.5];
        let bend = to(0.5)[0].farthest(&from[0].towards(&to(1.0)[0], 0.5), radius[0]);
        assert!((1e-4..2e-3).contains(&bend), "{bend}");
        assert!(looked(1.0, 10.0 * bend).covers(&from, &to(0.5), [0.5; 2], radius));
        assert!(!looked(1.0, bend).covers(&from, &to(0.5), [0.5; 2], radius));
        assert!(!looked(0.4, 10.0 * bend).covers(&from, &to(0.5), [0.5; 2], radius));
        // One goes another share than both did.
        assert!(!looked(1.0, 10.0 * bend).covers(&from, &[to(0.5)[0], to(0.3)[1]], [0.5, 0.3], radius));
        // They start elsewhere.
        assert!(!looked(1.0, 10.0 * bend).covers(&to(0.1), &to(0.5), [0.5; 2], radius));
    }
}
