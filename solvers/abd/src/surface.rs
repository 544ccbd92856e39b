//! The collision surfaces of all bodies: triangles and half-spaces, where they are, what is near, how far they may go.

use drystone_collide::{Candidates, Stencils};
use drystone_geometry::ccd::Ccd;
use drystone_geometry::{Shape, Tessellation};
use drystone_model::{BodyKind, DVec3, Model, WORLD};
use rayon::prelude::*;

use super::affine::Affine;

/// Vertices handed to a thread at a time.
const CHUNK: usize = 512;

/// Pairs handed to a thread at a time.
const PAIR_CHUNK: usize = 4096;

/// Share of a gap to a half-space that may be walked in one go.
const BOLDNESS: f64 = 0.9;

/// A half-space, which never moves: normal · x ≥ offset outside.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub normal: DVec3,
    pub offset: f64,
    pub shape: u32,
}

impl Plane {
    pub fn gap(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

/// A vertex near a half-space.
pub type VertexPlane = [u32; 2];

/// Surfaces, and what of them is near.
#[derive(Debug)]
pub struct Surface {
    pub stencils: Stencils,
    /// Slot of the body of every vertex; the world has the last slot.
    pub vertex_slot: Vec<u32>,
    /// Rest position of every vertex from the centre of mass of its body \[m\].
    pub vertex_rest: Vec<DVec3>,
    pub planes: Vec<Plane>,
    /// Pairs of vertices and half-spaces selected last.
    pub vertex_plane: Vec<VertexPlane>,
    near_triangles: Candidates,
    near_edges: Candidates,
    near_planes: Candidates,
    /// Placements at the last search, and how far from them it holds \[m\].
    place: Vec<Affine>,
    slack: Vec<f64>,
    shape_slack: Vec<f64>,
    stray: Vec<f64>,
    /// Slot of the body of every shape.
    shape_slot: Vec<u32>,
    /// Distance of the farthest vertex from the centre of mass, per slot \[m\].
    pub radius: Vec<f64>,
    /// Largest sum of the margins of two shapes \[m\].
    pub max_margin: f64,
    /// Margin of every shape \[m\].
    pub margin: Vec<f64>,
    /// Whether a plane and a shape may touch, plane by plane.
    plane_meets: Vec<bool>,
    shape_count: usize,
    /// First vertex of every shape in a row of vertices, and the end.
    shape_vertices: Vec<std::ops::Range<usize>>,
}

impl Surface {
    pub fn new(model: &Model, segments: usize, min_separation: f64) -> Self {
        let detail = Tessellation { segments, ..Tessellation::default() };
        let is_plane = |shape: usize| matches!(model.shape_geometry[shape], Shape::HalfSpace);
        let stencils = Stencils::of_shapes(model, &detail, |shape| !is_plane(shape));
        let world = model.body_count() as u32;
        let slot = |body: u32| if body == WORLD { world } else { body };
        let com = |body: u32| if body == WORLD { DVec3::ZERO } else { model.body_com[body as usize] };
        let vertex_slot: Vec<u32> = stencils.vertex_body.iter().map(|&body| slot(body)).collect();
        let vertex_rest: Vec<DVec3> =
            stencils.vertex_rest.iter().zip(&stencils.vertex_body).map(|(rest, &body)| *rest - com(body)).collect();
        let mut radius = vec![0.0_f64; model.body_count() + 1];
        for (slot, rest) in vertex_slot.iter().zip(&vertex_rest) {
            radius[*slot as usize] = radius[*slot as usize].max(rest.length());
        }
        let planes: Vec<Plane> =
            (0..model.shape_count()).filter(|&shape| is_plane(shape)).map(|shape| plane(model, shape)).collect();
        let mut shape_vertices = vec![0..0; model.shape_count()];
        for (vertex, &shape) in stencils.vertex_shape.iter().enumerate() {
            let range = &mut shape_vertices[shape as usize];
            *range = if *range == (0..0) { vertex..vertex + 1 } else { range.start..vertex + 1 };
        }
        let meets = |plane: &Plane, shape: usize| stencils.may_touch(plane.shape as usize, shape);
        let plane_meets = planes
            .iter()
            .flat_map(|p| (0..model.shape_count()).map(move |s| (p, s)))
            .map(|(p, s)| meets(p, s))
            .collect();
        let margin: Vec<f64> = model.shape_margin.iter().map(|m| m + 0.5 * min_separation).collect();
        let max_margin = 2.0 * margin.iter().copied().fold(0.0, f64::max);
        Self {
            vertex_slot,
            vertex_rest,
            planes,
            vertex_plane: Vec::new(),
            near_triangles: Vec::new(),
            near_edges: Vec::new(),
            near_planes: Vec::new(),
            place: Vec::new(),
            slack: Vec::new(),
            shape_slack: Vec::new(),
            stray: Vec::new(),
            shape_slot: model.shape_body.iter().map(|&body| slot(body)).collect(),
            radius,
            max_margin,
            margin,
            plane_meets,
            shape_count: model.shape_count(),
            shape_vertices,
            stencils,
        }
    }

    /// Positions of all vertices \[m\].
    pub fn place(&self, q: &[Affine], x: &mut Vec<DVec3>) {
        let at = |v: usize| q[self.vertex_slot[v] as usize].point(self.vertex_rest[v]);
        (0..self.vertex_rest.len()).into_par_iter().with_min_len(CHUNK).map(at).collect_into_vec(x);
    }

    /// The separation two shapes keep \[m\].
    pub fn separation(&self, shape0: u32, shape1: u32) -> f64 {
        self.margin[shape0 as usize] + self.margin[shape1 as usize]
    }

    /// Finds everything that can come nearer than `distance` beyond its separation while no vertex of a body leaves its
    /// place by more than the slack of its slot \[m\]. `x` are the vertices at the placements `q`.
    pub fn search(&mut self, x: &[DVec3], q: &[Affine], slack: &[f64], distance: f64) {
        let reach = distance + self.max_margin;
        self.place.clear();
        self.place.extend_from_slice(q);
        self.slack.clear();
        self.slack.extend_from_slice(slack);
        self.shape_slack.clear();
        self.shape_slack.extend(self.shape_slot.iter().map(|&slot| slack[slot as usize]));
        (self.near_triangles, self.near_edges) = self.stencils.candidates(x, &self.shape_slack, reach);
        self.near_planes.clear();
        for (p, plane) in self.planes.iter().enumerate() {
            for shape in (0..self.shape_count).filter(|shape| self.plane_meets[p * self.shape_count + shape]) {
                for v in self.shape_vertices[shape].clone() {
                    let gap = plane.gap(x[v]);
                    if gap <= reach + self.shape_slack[shape] {
                        self.near_planes.push(([v as u32, p as u32], gap));
                    }
                }
            }
        }
    }

    /// Whether the last search holds for bodies at `q`.
    pub fn covers(&self, q: &[Affine]) -> bool {
        (0..q.len()).all(|slot| self.strayed(slot, &q[slot]) <= self.slack[slot])
    }

    /// How far a vertex of a body is from its place at the last search, at most \[m\].
    pub fn strayed(&self, slot: usize, q: &Affine) -> f64 {
        q.farthest(&self.place[slot], self.radius[slot])
    }

    /// Of what the last search found, selects the pairs that can be nearer than `distance` beyond their separation
    /// while vertices go straight from one place to another. No pair is nearer than it was less what its bodies have
    /// strayed, and none is nearer than the boxes of its ways.
    pub fn select(&mut self, from: Placed, to: Placed, distance: f64) {
        let reach = distance + self.max_margin;
        let stray = |slot: usize| self.strayed(slot, &from.q[slot]).max(self.strayed(slot, &to.q[slot]));
        self.stray = (0..from.q.len()).map(stray).collect();
        let Self { stencils, stray, vertex_slot, near_triangles, near_edges, near_planes, vertex_plane, .. } = self;
        let stray_of = |vertex: u32| stray[vertex_slot[vertex as usize] as usize];
        let Stencils { vertex_triangle, edge_edge, triangle_vertex, edge_vertex, .. } = stencils;
        keep_near(near_triangles, vertex_triangle, |&([v, t], gap)| {
            let corners = triangle_vertex[t as usize];
            gap - stray_of(v) - stray_of(corners[0]) <= reach
                && way([v], from.x, to.x).within(&way(corners, from.x, to.x), reach)
        });
        keep_near(near_edges, edge_edge, |&([a, b], gap)| {
            let [first, second] = [a, b].map(|e| edge_vertex[e as usize]);
            gap - stray_of(first[0]) - stray_of(second[0]) <= reach
                && way(first, from.x, to.x).within(&way(second, from.x, to.x), reach)
        });
        keep_near(near_planes, vertex_plane, |&([v, _], gap)| gap - stray_of(v) <= reach);
    }

    /// Share of a step that is safe for the pairs selected last: 1 if all of it is.
    pub fn bound(&self, x: &[DVec3], dx: &[DVec3]) -> f64 {
        let mut bound = self.stencils.found_bound(x, dx, &Ccd::default(), |a, b| self.separation(a, b));
        for &[v, p] in &self.vertex_plane {
            let (v, plane) = (v as usize, &self.planes[p as usize]);
            let gap = plane.gap(x[v]) - self.separation(self.stencils.vertex_shape[v], plane.shape);
            let approach = -plane.normal.dot(dx[v]);
            if approach > BOLDNESS * gap {
                bound = bound.min((BOLDNESS * gap / approach).max(0.0));
            }
        }
        bound
    }

    /// Vertices on the wrong side of a half-space they may touch.
    pub fn sunk_vertices(&self, x: &[DVec3]) -> Vec<VertexPlane> {
        let all = (0..self.planes.len()).flat_map(|p| (0..self.shape_count).map(move |s| (p, s)));
        let meeting = all.filter(|&(p, shape)| self.plane_meets[p * self.shape_count + shape]);
        meeting
            .flat_map(|(p, shape)| self.shape_vertices[shape].clone().map(move |v| [v as u32, p as u32]))
            .filter(|&[v, p]| {
                let separation = self.separation(self.stencils.vertex_shape[v as usize], self.planes[p as usize].shape);
                self.planes[p as usize].gap(x[v as usize]) <= separation
            })
            .collect()
    }
}

/// Bodies somewhere: their placements and the vertices there.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub q: &'a [Affine],
    pub x: &'a [DVec3],
}

/// The box of some points.
pub struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    pub fn of<const N: usize>(points: [DVec3; N]) -> Self {
        let (mut low, mut high) = (points[0], points[0]);
        for p in &points[1..] {
            (low, high) = (low.min(*p), high.max(*p));
        }
        Self { low, high }
    }

    fn joined(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether another box is within `reach` along every axis, with room for rounding.
    pub fn within(&self, other: &Self, reach: f64) -> bool {
        let apart = (self.low - other.high).max(other.low - self.high).max_element();
        apart <= reach + ROUNDING * self.low.abs().max(self.high.abs()).max_element()
    }
}

/// What rounding does to the difference of two coordinates, relative to them.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The box of the straight ways of some vertices.
fn way<const N: usize>(vertices: [u32; N], from: &[DVec3], to: &[DVec3]) -> Extent {
    Extent::of(vertices.map(|v| from[v as usize])).joined(&Extent::of(vertices.map(|v| to[v as usize])))
}

/// Keeps some pairs, in their order.
fn keep_near(all: &Candidates, kept: &mut Vec<[u32; 2]>, near: impl Fn(&([u32; 2], f64)) -> bool + Sync) {
    let parts: Vec<Vec<[u32; 2]>> = all
        .par_chunks(PAIR_CHUNK)
        .map(|chunk| chunk.iter().filter(|item| near(item)).map(|(pair, _)| *pair).collect())
        .collect();
    kept.clear();
    parts.iter().for_each(|part| kept.extend_from_slice(part));
}

/// The half-space of a shape in the world. Only the world and static bodies wear one, so it stays.
fn plane(model: &Model, shape: usize) -> Plane {
    let body = model.shape_body[shape];
    let pose = match body {
        WORLD => model.shape_pose[shape],
        body => {
            debug_assert_eq!(model.body_kind[body as usize], BodyKind::Static);
            model.body_q[body as usize] * model.shape_pose[shape]
        }
    };
    let normal = pose.transform_vector(DVec3::Z);
    Plane { normal, offset: normal.dot(pose.translation), shape: shape as u32 }
}
