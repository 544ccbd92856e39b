//! What is near: searched for once, with room for every body to move, then asked again and again how far bodies may go
//! and where they touch.

use drystone_collide::NearShapes;
use drystone_geometry::ccd::Ccd;
use drystone_model::DVec3;
use rayon::prelude::*;

use super::affine::Affine;
use super::contact::Contact;
use super::surface::{Extent, Placed, Surface};

/// Most pairs of features in a group.
const GROUP: usize = 2048;

/// Share of a gap to a half-space that may be walked in one go.
const BOLDNESS: f64 = 0.9;

/// Which features a pair is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    VertexTriangle,
    EdgeEdge,
    VertexPlane,
}

/// Pairs of features of two bodies, each with its distance when it was searched for \[m\].
#[derive(Debug)]
struct Group {
    kind: Kind,
    /// Slots of the bodies; that of the world for a half-space.
    slot: [u32; 2],
    /// Shapes the features are of.
    shape: [u32; 2],
    /// The smallest distance \[m\].
    nearest: f64,
    pairs: Vec<([u32; 2], f64)>,
}

/// Everything that can touch while bodies stay near where they were at the last search.
#[derive(Debug, Default)]
pub struct Near {
    groups: Vec<Group>,
    /// Placements at the last search, and how far from them it holds \[m\].
    place: Vec<Affine>,
    slack: Vec<f64>,
}

/// A straight motion from one place to another.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    pub from: &'a Placed,
    pub to: &'a Placed,
}

impl Way<'_> {
    fn extent<const N: usize>(&self, vertices: [u32; N]) -> Extent {
        let at = |place: &Placed| Extent::of(vertices.map(|v| place.x[v as usize]));
        at(self.from).joined(&at(self.to))
    }

    fn ends(&self, vertices: [u32; 4]) -> [[DVec3; 4]; 2] {
        [self.from, self.to].map(|place| vertices.map(|v| place.x[v as usize]))
    }
}

impl Near {
    /// Finds everything that can come nearer than `distance` beyond its separation while no vertex of a body leaves its
    /// place by more than the slack of its slot \[m\].
    pub fn search(&mut self, surface: &mut Surface, at: &Placed, slack: &[f64], distance: f64) {
        let reach = distance + surface.max_margin;
        self.place.clone_from(&at.q);
        self.slack.clear();
        self.slack.extend_from_slice(slack);
        self.groups.clear();
        let shape_slack: Vec<f64> = surface.shape_slot.iter().map(|&slot| slack[slot as usize]).collect();
        for NearShapes { shapes, vertex_triangle, edge_edge } in surface.stencils.candidates(&at.x, &shape_slack, reach)
        {
            let slot = shapes.map(|shape| surface.shape_slot[shape as usize]);
            self.add(Kind::VertexTriangle, slot, shapes, &vertex_triangle);
            self.add(Kind::EdgeEdge, slot, shapes, &edge_edge);
        }
        let mut pairs = Vec::new();
        for (shape, p) in surface.shapes_and_planes() {
            let plane = &surface.planes[p];
            let gaps = surface.shape_vertices[shape].clone().map(|v| ([v as u32, p as u32], plane.gap(at.x[v])));
            pairs.clear();
            pairs.extend(gaps.filter(|(_, gap)| *gap <= reach + shape_slack[shape]));
            let slot = [surface.shape_slot[shape], surface.shape_slot[plane.shape as usize]];
            self.add(Kind::VertexPlane, slot, [shape as u32, plane.shape], &pairs);
        }
    }

    fn add(&mut self, kind: Kind, slot: [u32; 2], shape: [u32; 2], pairs: &[([u32; 2], f64)]) {
        for part in pairs.chunks(GROUP) {
            let nearest = part.iter().map(|(_, gap)| *gap).fold(f64::INFINITY, f64::min);
            self.groups.push(Group { kind, slot, shape, nearest, pairs: part.to_vec() });
        }
    }

    /// Whether the last search holds for bodies at `q`.
    pub fn covers(&self, surface: &Surface, q: &[Affine]) -> bool {
        (0..q.len()).all(|slot| self.strayed(surface, slot, &q[slot]) <= self.slack[slot])
    }

    /// How far a vertex of a body is from its place at the last search, at most \[m\].
    fn strayed(&self, surface: &Surface, slot: usize, q: &Affine) -> f64 {
        q.farthest(&self.place[slot], surface.radius[slot])
    }

    fn strays(&self, surface: &Surface, way: Way) -> Vec<f64> {
        let of = |slot: usize, place: &Placed| self.strayed(surface, slot, &place.q[slot]);
        (0..self.place.len()).map(|slot| of(slot, way.from).max(of(slot, way.to))).collect()
    }

    /// Bodies that can come nearer than `distance` beyond their separation to anything on their way.
    pub fn meeting(&self, surface: &Surface, way: Way, distance: f64, mut meet: impl FnMut(usize)) {
        let course = Course { surface, way, stray: self.strays(surface, way), reach: distance + surface.max_margin };
        let meets: Vec<bool> = self.groups.par_iter().map(|group| course.meets(group)).collect();
        for (group, _) in self.groups.iter().zip(meets).filter(|(_, meets)| *meets) {
            group.slot.iter().for_each(|&slot| meet(slot as usize));
        }
    }

    /// Pairs of bodies, at least one of them concerned, that cannot go all the way, and the share they can.
    pub fn collisions(
        &self,
        surface: &Surface,
        way: Way,
        distance: f64,
        concerned: impl Fn([u32; 2]) -> bool + Sync,
    ) -> Vec<([u32; 2], f64)> {
        let course = Course { surface, way, stray: self.strays(surface, way), reach: distance + surface.max_margin };
        let share = |group: &Group| {
            let share = if concerned(group.slot) { course.free_share(group) } else { 1.0 };
            (share < 1.0).then_some((group.slot, share))
        };
        self.groups.par_iter().filter_map(share).collect()
    }

    /// All contacts of bodies that are concerned, in order.
    pub fn contacts(
        &self,
        surface: &Surface,
        at: &Placed,
        distance: f64,
        concerned: impl Fn([u32; 2]) -> bool + Sync,
    ) -> Vec<Contact> {
        let way = Way { from: at, to: at };
        let course = Course { surface, way, stray: self.strays(surface, way), reach: distance + surface.max_margin };
        let of = |group: &Group| {
            let mut found = Vec::new();
            if concerned(group.slot) && course.is_near(group) {
                let near = group.pairs.iter().filter(|(_, gap)| gap - course.strayed(group) <= course.reach);
                found.extend(near.filter_map(|&(pair, _)| course.contact(group.kind, pair, distance)));
            }
            found
        };
        let found: Vec<Vec<Contact>> = self.groups.par_iter().map(of).collect();
        let mut all = Vec::with_capacity(found.iter().map(Vec::len).sum());
        found.iter().for_each(|part| all.extend_from_slice(part));
        all
    }
}

/// A motion, with how far it is from where things were searched for.
struct Course<'a> {
    surface: &'a Surface,
    way: Way<'a>,
    stray: Vec<f64>,
    reach: f64,
}

impl Course<'_> {
    fn strayed(&self, group: &Group) -> f64 {
        self.stray[group.slot[0] as usize] + self.stray[group.slot[1] as usize]
    }

    /// No pair is nearer than it was less what its bodies have strayed, and none is nearer than the boxes of its ways.
    fn is_near(&self, group: &Group) -> bool {
        let bounds = |shape: u32| self.way.from.bounds[shape as usize].joined(&self.way.to.bounds[shape as usize]);
        group.nearest - self.strayed(group) <= self.reach
            && (group.kind == Kind::VertexPlane || bounds(group.shape[0]).within(&bounds(group.shape[1]), self.reach))
    }

    fn pair_is_near(&self, kind: Kind, [a, b]: [u32; 2]) -> bool {
        let (way, stencils) = (&self.way, &self.surface.stencils);
        match kind {
            Kind::VertexTriangle => {
                way.extent([a]).within(&way.extent(stencils.triangle_vertex[b as usize]), self.reach)
            }
            Kind::EdgeEdge => {
                let [a, b] = [a, b].map(|edge| stencils.edge_vertex[edge as usize]);
                way.extent(a).within(&way.extent(b), self.reach)
            }
            Kind::VertexPlane => true,
        }
    }

    fn near_pairs<'g>(&'g self, group: &'g Group) -> impl Iterator<Item = [u32; 2]> + 'g {
        let room = self.reach + self.strayed(group);
        let near = group.pairs.iter().filter(move |(_, gap)| *gap <= room).map(|(pair, _)| *pair);
        near.filter(|&pair| self.pair_is_near(group.kind, pair))
    }

    fn meets(&self, group: &Group) -> bool {
        self.is_near(group) && self.near_pairs(group).next().is_some()
    }

    /// Share of the motion that is safe for a group: 1 if all of it is.
    fn free_share(&self, group: &Group) -> f64 {
        if !self.is_near(group) {
            return 1.0;
        }
        self.near_pairs(group).fold(1.0, |most, pair| self.time(group, pair, most).map_or(most, |time| time.min(most)))
    }

    /// When a pair collides, if before `max_time`.
    fn time(&self, group: &Group, pair: [u32; 2], max_time: f64) -> Option<f64> {
        let min_separation = self.surface.separation(group.shape[0], group.shape[1]);
        let ccd = Ccd { min_separation, max_time, ..Ccd::default() };
        let stencils = &self.surface.stencils;
        match group.kind {
            Kind::VertexTriangle => {
                let [start, end] = self.way.ends(stencils.vertex_triangle_vertices(pair));
                ccd.point_triangle(start, end)
            }
            Kind::EdgeEdge => {
                let [start, end] = self.way.ends(stencils.edge_edge_vertices(pair));
                ccd.edge_edge(start, end)
            }
            Kind::VertexPlane => self.time_to_plane(pair, min_separation),
        }
    }

    /// A pair as a contact where the way begins, if nearer than `distance` there.
    fn contact(&self, kind: Kind, pair: [u32; 2], distance: f64) -> Option<Contact> {
        let (surface, stencils) = (self.surface, &self.surface.stencils);
        let at = |v: u32| self.way.from.x[v as usize];
        match kind {
            Kind::VertexTriangle => {
                let points = stencils.vertex_triangle_vertices(pair).map(at);
                Contact::vertex_triangle(surface, pair, points, distance)
            }
            Kind::EdgeEdge => Contact::edge_edge(surface, pair, stencils.edge_edge_vertices(pair).map(at), distance),
            Kind::VertexPlane => Contact::vertex_plane(surface, pair, at(pair[0]), distance),
        }
    }

    fn time_to_plane(&self, [v, p]: [u32; 2], separation: f64) -> Option<f64> {
        let plane = &self.surface.planes[p as usize];
        let [from, to] = [self.way.from, self.way.to].map(|place| plane.gap(place.x[v as usize]) - separation);
        let (room, approach) = (BOLDNESS * from, from - to);
        (approach > room).then(|| (room / approach).max(0.0))
    }
}
