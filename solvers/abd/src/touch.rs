//! Which features touch, each pair of them once.
//!
//! The barrier counts every vertex against every triangle and every edge against every edge. Where a corner lies on a corner, all
//! triangles and edges around both have the same two nearest points, dozens of them: they are one touch that counts so many times.

use drystone_geometry::Aabb;
use drystone_geometry::distance::{Nearest, edge_edge, point_triangle};
use drystone_model::DVec3;

use super::contact::Fading;
use super::surface::Surface;

/// The features that are nearest to each other: a kind and the numbers of vertices, edges or triangles.
pub type Id = [u32; 4];

/// A vertex and the inside of a triangle.
const FACE: u32 = 0;
/// The insides of two edges.
const EDGES: u32 = 1;
/// A vertex and a half-space.
pub const PLANE: u32 = 2;
/// A vertex and the inside of an edge, by its vertices.
const EDGE: u32 = 3;
/// Two vertices.
const CORNERS: u32 = 4;
/// Two edges that are nearly parallel, with whatever of them is nearest.
const PARALLEL: u32 = 5;

/// How many touches back the same features are looked for. Where they recur they do so soon; what is missed counts apart.
const RECENT: usize = 32;

/// Two features that are near.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub stencil: [u32; 4],
    /// How many of the vertices are on the first side.
    pub split: usize,
    pub nearest: Nearest<4, Id>,
    /// Present for edges that are nearly parallel.
    pub fading: Option<Fading>,
    /// How many pairs of a vertex and a triangle or of two edges it stands for.
    pub count: u32,
}

impl Touch {
    /// A vertex and a triangle, if nearer than `distance` \[m\].
    pub fn vertex_triangle(
        surface: &Surface,
        pair: [u32; 2],
        at: impl Fn(u32) -> DVec3,
        distance: f64,
    ) -> Option<Self> {
        Self::of_vertex_and_triangle(surface.stencils.vertex_triangle_vertices(pair), pair[1], at, distance)
    }

    /// A vertex and the corners of a triangle of this number.
    #[inline(always)]
    pub fn of_vertex_and_triangle(
        stencil: [u32; 4],
        triangle: u32,
        at: impl Fn(u32) -> DVec3,
        distance: f64,
    ) -> Option<Self> {
        let v = stencil[0];
        let [p, a, b, c] = stencil.map(at);
        if !Aabb::from_points([p]).within(&Aabb::from_points([a, b, c]), distance) {
            return None;
        }
        let nearest = point_triangle::nearest(p, [a, b, c]);
        if nearest.distance_squared() >= distance * distance {
            return None;
        }
        let corner = |k: usize| stencil[1 + k % 3];
        let id = match nearest.region {
            point_triangle::Region::Face => [FACE, v, triangle, 0],
            point_triangle::Region::Edge(k) => on_edge(v, [corner(k), corner(k + 1)]),
            point_triangle::Region::Vertex(k) => corners(v, corner(k)),
        };
        Some(Self { stencil, split: 1, nearest: nearest.named(id), fading: None, count: 1 })
    }

    /// Two edges, if nearer than `distance` \[m\].
    pub fn edge_edge(surface: &Surface, pair: [u32; 2], at: impl Fn(u32) -> DVec3, distance: f64) -> Option<Self> {
        let rest = |v: u32| surface.vertex_rest[v as usize];
        Self::of_edges(surface.stencils.edge_edge_vertices(pair), pair, (at, rest), distance)
    }

    /// The ends of two edges of these numbers: where they are, and where they are at rest.
    #[inline(always)]
    pub fn of_edges(
        stencil: [u32; 4],
        pair: [u32; 2],
        (at, rest): (impl Fn(u32) -> DVec3, impl Fn(u32) -> DVec3),
        distance: f64,
    ) -> Option<Self> {
        let [a, b, c, d] = stencil.map(at);
        if !Aabb::from_points([a, b]).within(&Aabb::from_points([c, d]), distance) {
            return None;
        }
        let nearest = edge_edge::nearest([a, b], [c, d]);
        if nearest.distance_squared() >= distance * distance {
            return None;
        }
        let fading = Fading::new([b - a, d - c], stencil.map(rest));
        let (first, second) = ([stencil[0], stencil[1]], [stencil[2], stencil[3]]);
        let id = match nearest.region {
            _ if fading.is_some() => [PARALLEL, pair[0], pair[1], 0],
            edge_edge::Region::Inside => [EDGES, pair[0], pair[1], 0],
            edge_edge::Region::EndInside(i) => on_edge(first[i], second),
            edge_edge::Region::InsideEnd(j) => on_edge(second[j], first),
            edge_edge::Region::EndEnd(i, j) => corners(first[i], second[j]),
        };
        Some(Self { stencil, split: 2, nearest: nearest.named(id), fading, count: 1 })
    }

    /// Adds it to others, or to the count of one of the same features.
    pub fn add_to(self, others: &mut Vec<Self>) {
        let recent = others.len().saturating_sub(RECENT);
        let same = |other: &&mut Self| other.nearest.region == self.nearest.region;
        match others[recent..].iter_mut().find(same).filter(|_| self.is_shared()) {
            Some(same) => same.count += self.count,
            None => others.push(self),
        }
    }

    fn is_shared(&self) -> bool {
        matches!(self.nearest.region[0], EDGE | CORNERS)
    }
}

fn on_edge(v: u32, [a, b]: [u32; 2]) -> Id {
    [EDGE, v, a.min(b), a.max(b)]
}

fn corners(v: u32, w: u32) -> Id {
    [CORNERS, v.min(w), v.max(w), 0]
}
