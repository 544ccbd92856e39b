//! Particles against particles: points against triangles and edges against edges, from a tree that follows the surface.

use drystone_geometry::bvh::{Bvh, MovingBox, MovingBvh};
use drystone_geometry::distance::triangle_triangle::intersect;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DVec3};
use drystone_model::{Meeting, Model, WORLD};
use drystone_parallel::Shared;
use rayon::prelude::*;

use crate::CHUNK;
use crate::following::FollowingTree;

/// Two parts of the surface near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothPair {
    /// A particle and the corners of a triangle, or the ends of two edges.
    pub particle: [u32; 4],
    /// Weights of the nearest points, those of the second part negative.
    pub weight: [f64; 4],
    /// How far the particles are along the normal from the nearest point of the second part \[m\].
    pub reach: [f64; 4],
    /// From the second part to the first, at the nearest points.
    pub normal: DVec3,
    /// Between the nearest points \[m\].
    pub distance: f64,
    /// How many of the particles are the first part: one or two.
    pub first: usize,
}

impl ClothPair {
    /// Whether the nearest points lie within edges and triangles: those at ends belong to other pairs as well.
    pub fn is_inner(&self) -> bool {
        self.first == 1 || self.weight.iter().all(|weight| *weight != 0.0)
    }
}

/// Surfaces of all cloth and soft bodies, and strings.
#[derive(Clone, Debug, Default)]
pub struct ClothSurface {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Particles that are part of something, ascending.
    vertices: Vec<u32>,
    /// The first of those that every particle is sewn to, itself included: they count as one.
    sewn: Vec<u32>,
    /// Who may meet at all.
    meeting: Meeting,
    triangle_tree: FollowingTree<MovingBvh>,
    edge_tree: FollowingTree<MovingBvh>,
}

/// Where particles are, and where they go.
#[derive(Clone, Copy)]
pub struct ClothState<'a> {
    /// Positions \[m\].
    pub q: &'a [DVec3],
    /// Where each goes, straight and evenly \[m\].
    pub to: &'a [DVec3],
    /// How far around that parts of the surface are looked for \[m\].
    pub room: &'a [f64],
    /// Whether particles may stop at any part of their way instead.
    pub may_stop: bool,
    /// Which particles can meet at all: those of one group.
    pub group: &'a [u32],
    /// Which pairs are wanted.
    pub wanted: &'a (dyn Fn(&ClothPair) -> bool + Sync),
}

impl ClothState<'_> {
    /// The boxes that corners are in at the start and at the end.
    fn bounds(&self, corners: &[u32]) -> MovingBox {
        let around = |at: &[DVec3]| {
            let boxes = corners.iter().map(|&corner| {
                let corner = corner as usize;
                Aabb::new(at[corner], at[corner]).inflated(self.room[corner])
            });
            boxes.fold(Aabb::EMPTY, Aabb::union)
        };
        let [start, end] = [around(self.q), around(self.to)];
        if self.may_stop { [start.union(end); 2] } else { [start, end] }
    }
}

impl ClothSurface {
    /// The surfaces of a model; particles with a radius take part.
    pub fn new(model: &Model) -> Self {
        let takes_part = |particle: &u32| model.particle_radius[*particle as usize] > 0.0;
        let (triangles, edges) = parts(model, |corners| corners.iter().all(takes_part));
        let mut vertices: Vec<u32> = triangles.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        Self { triangles, edges, vertices, sewn: sewn(model), meeting: Meeting::new(model), ..Self::default() }
    }

    /// Whether nothing can meet.
    pub fn is_empty(&self) -> bool {
        self.edges.len() < 2
    }

    /// Replaces `out` by all pairs wanted of those that may meet, by part; their parts share no particle and do not touch yet.
    pub fn pairs(&mut self, state: &ClothState, out: &mut Vec<ClothPair>) {
        out.clear();
        self.triangle_tree.fit(self.triangles.iter().map(|corners| state.bounds(corners)));
        self.edge_tree.fit(self.edges.iter().map(|ends| state.bounds(ends)));
        let (triangle_tree, edge_tree) = (self.triangle_tree.tree(), self.edge_tree.tree());
        let points = self.vertices.par_chunks(CHUNK).shared(1).map(|vertices| {
            let mut found = Vec::new();
            for &vertex in vertices {
                let from = found.len();
                let near = state.bounds(&[vertex]);
                triangle_tree.overlaps(&near, |triangle| {
                    found.extend(self.point(vertex, self.triangles[triangle as usize], state));
                });
                found[from..].sort_by_key(|pair: &ClothPair| pair.particle);
            }
            found
        });
        let points: Vec<Vec<ClothPair>> = points.collect();
        let numbers: Vec<u32> = (0..self.edges.len() as u32).collect();
        let edges = numbers.par_chunks(CHUNK).shared(1).map(|chunk| {
            let mut found = Vec::new();
            for &edge in chunk {
                let from = found.len();
                let near = state.bounds(&self.edges[edge as usize]);
                edge_tree.overlaps(&near, |other| {
                    if other > edge {
                        found.extend(self.edge([edge, other].map(|edge| self.edges[edge as usize]), state));
                    }
                });
                found[from..].sort_by_key(|pair: &ClothPair| pair.particle);
            }
            found
        });
        let edges: Vec<Vec<ClothPair>> = edges.collect();
        out.extend(points.into_iter().chain(edges).flatten());
    }

    /// Pairs of triangles that share a point where particles are at `q` and may not, by their corners, in their order.
    pub fn crossings(&self, q: &[DVec3]) -> Vec<[[u32; 3]; 2]> {
        let corners = |t: u32| self.triangles[t as usize].map(|corner| q[corner as usize]);
        let boxes: Vec<Aabb> = (0..self.triangles.len() as u32).map(|t| Aabb::from_points(corners(t))).collect();
        let mut found: Vec<[u32; 2]> = Vec::new();
        Bvh::build(&boxes).self_pairs(|a, b| {
            let [one, other] = [a, b].map(|t| &self.triangles[t as usize]);
            if self.can_meet(one, other) && intersect(corners(a), corners(b)) {
                found.push([a.min(b), a.max(b)]);
            }
        });
        found.sort_unstable();
        found.into_iter().map(|pair| pair.map(|t| self.triangles[t as usize])).collect()
    }

    /// Whether two parts can meet: they have no particle in common, nor two that are sewn together, and the user lets them.
    fn can_meet(&self, one: &[u32], other: &[u32]) -> bool {
        let seam = |&particle: &u32| self.sewn[particle as usize];
        let share = one.iter().any(|particle| other.iter().any(|end| seam(end) == seam(particle)));
        !share && self.meeting.allows(one, other)
    }

    fn point(&self, vertex: u32, triangle: [u32; 3], state: &ClothState) -> Option<ClothPair> {
        if !self.can_meet(&[vertex], &triangle) || state.group[vertex as usize] != state.group[triangle[0] as usize] {
            return None;
        }
        let particle = [vertex, triangle[0], triangle[1], triangle[2]];
        let corners = triangle.map(|corner| state.q[corner as usize]);
        let nearest = point_triangle::nearest(state.q[vertex as usize], corners);
        pair(particle, nearest.weights, nearest.separation, 1, state)
    }

    fn edge(&self, [one, other]: [[u32; 2]; 2], state: &ClothState) -> Option<ClothPair> {
        if !self.can_meet(&one, &other) || state.group[one[0] as usize] != state.group[other[0] as usize] {
            return None;
        }
        let particle = [one[0], one[1], other[0], other[1]];
        let at = |ends: [u32; 2]| ends.map(|end| state.q[end as usize]);
        let nearest = edge_edge::nearest(at(one), at(other));
        pair(particle, nearest.weights, nearest.separation, 2, state)
    }
}

/// Triangles, and edges once each: their sides, and springs with an end on no triangle. Of those that `wanted` says.
pub(crate) fn parts(model: &Model, wanted: impl Fn(&[u32]) -> bool) -> (Vec<[u32; 3]>, Vec<[u32; 2]>) {
    let triangles: Vec<[u32; 3]> = model.triangle_particle.iter().filter(|t| wanted(&t[..])).copied().collect();
    let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut covered = vec![false; model.particle_count()];
    triangles.iter().flatten().for_each(|&particle| covered[particle as usize] = true);
    let string = |ends: &&[u32; 2]| wanted(&ends[..]) && !ends.iter().all(|&end| covered[end as usize]);
    let strings = model.spring_particle.iter().filter(string);
    let mut edges: Vec<[u32; 2]> = sides.chain(strings.copied()).map(sorted).collect();
    edges.sort_unstable();
    edges.dedup();
    (triangles, edges)
}

/// The first of the particles that every particle is sewn to.
fn sewn(model: &Model) -> Vec<u32> {
    let mut first: Vec<u32> = (0..model.particle_count() as u32).collect();
    let leader = |first: &[u32], mut particle: u32| {
        while first[particle as usize] != particle {
            particle = first[particle as usize];
        }
        particle
    };
    for (&one, &other) in model.attachment_particle.iter().zip(&model.attachment_other) {
        if other != WORLD {
            let [a, b] = [one, other].map(|particle| leader(&first, particle));
            first[a.max(b) as usize] = a.min(b);
        }
    }
    (0..first.len() as u32).map(|particle| leader(&first, particle)).collect()
}

fn pair(particle: [u32; 4], weight: [f64; 4], apart: DVec3, first: usize, state: &ClothState) -> Option<ClothPair> {
    let normal = apart.try_normalize()?;
    let at = |corner: usize| state.q[particle[corner] as usize];
    let base = (first..4).map(|corner| -weight[corner] * at(corner)).sum::<DVec3>();
    let reach = std::array::from_fn(|corner| normal.dot(at(corner) - base));
    let pair = ClothPair { particle, weight, reach, normal, distance: apart.length(), first };
    (state.wanted)(&pair).then_some(pair)
}
