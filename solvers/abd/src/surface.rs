//! The collision surfaces of all bodies: triangles and half-spaces, and where they are.

use drystone_collide::Stencils;
use drystone_geometry::{Aabb, Shape, Tessellation};
use drystone_model::{BodyKind, DVec3, Model, WORLD};
use rayon::prelude::*;

use super::affine::Affine;

/// Vertices handed to a thread at a time.
const CHUNK: usize = 512;

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

/// What rounding does to a point that is taken to the frame of a body, relative to its coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Surfaces, and which of them may touch.
#[derive(Debug)]
pub struct Surface {
    pub stencils: Stencils,
    /// Slot of the body of every vertex; the world has the last slot.
    pub vertex_slot: Vec<u32>,
    /// Rest position of every vertex from the centre of mass of its body \[m\].
    pub vertex_rest: Vec<DVec3>,
    pub planes: Vec<Plane>,
    /// Slot of the body of every shape.
    pub shape_slot: Vec<u32>,
    /// Centre of mass in the frame of the body, per slot \[m\].
    com: Vec<DVec3>,
    /// Distance of the farthest vertex from the centre of mass, per slot \[m\].
    pub radius: Vec<f64>,
    /// Largest sum of the margins of two shapes \[m\].
    pub max_margin: f64,
    /// Mean length of the edges of every shape \[m\].
    pub spacing: Vec<f64>,
    /// Margin of every shape \[m\].
    pub margin: Vec<f64>,
    /// Whether a plane and a shape may touch, plane by plane.
    plane_meets: Vec<bool>,
    /// First vertex of every shape in a row of vertices, and the end.
    pub shape_vertices: Vec<std::ops::Range<usize>>,
}

impl Surface {
    pub fn new(model: &Model, segments: usize, min_separation: f64) -> Self {
        let detail = Tessellation { segments, ..Tessellation::default() };
        let is_plane = |shape: usize| matches!(model.shape_geometry[shape], Shape::HalfSpace);
        let stencils = Stencils::of_shapes(model, &detail, |shape| model.is_solid(shape) && !is_plane(shape));
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
        let solid_planes = (0..model.shape_count()).filter(|&shape| model.is_solid(shape) && is_plane(shape));
        let planes: Vec<Plane> = solid_planes.map(|shape| plane(model, shape)).collect();
        let mut shape_vertices = vec![0..0; model.shape_count()];
        for (vertex, &shape) in stencils.vertex_shape.iter().enumerate() {
            let range = &mut shape_vertices[shape as usize];
            *range = if *range == (0..0) { vertex..vertex + 1 } else { range.start..vertex + 1 };
        }
        let mut spacing = vec![[0.0_f64; 2]; model.shape_count()];
        for &[a, b] in &stencils.edge_vertex {
            let length = stencils.vertex_rest[a as usize].distance(stencils.vertex_rest[b as usize]);
            let of = &mut spacing[stencils.vertex_shape[a as usize] as usize];
            *of = [of[0] + length, of[1] + 1.0];
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
            shape_slot: model.shape_body.iter().map(|&body| slot(body)).collect(),
            com: model.body_com.iter().copied().chain([DVec3::ZERO]).collect(),
            radius,
            max_margin,
            spacing: spacing.iter().map(|[sum, count]| sum / count.max(1.0)).collect(),
            margin,
            plane_meets,
            shape_vertices,
            stencils,
        }
    }

    /// Places all vertices for bodies at `q`.
    pub fn place(&self, q: &[Affine], placed: &mut Placed) {
        placed.q.clear();
        placed.q.extend_from_slice(q);
        placed.x.resize(self.vertex_rest.len(), DVec3::ZERO);
        placed.bounds.resize(self.shape_vertices.len(), Aabb::EMPTY);
        self.place_some(placed, |_| true);
    }

    /// Brings the vertices of some bodies up to date with where `placed.q` has these.
    pub fn place_some(&self, placed: &mut Placed, some: impl Fn(usize) -> bool) {
        let Placed { q, x, bounds } = placed;
        let mut left = x.as_mut_slice();
        let mut parts = Vec::new();
        for (shape, bounds) in bounds.iter_mut().enumerate() {
            let (own, others) = left.split_at_mut(self.shape_vertices[shape].len());
            left = others;
            if some(self.shape_slot[shape] as usize) && !own.is_empty() {
                parts.push((shape, own, bounds));
            }
        }
        parts.into_par_iter().for_each(|(shape, own, bounds)| {
            let place = &q[self.shape_slot[shape] as usize];
            let rest = &self.vertex_rest[self.shape_vertices[shape].clone()];
            let chunks = own.par_chunks_mut(CHUNK).zip(rest.par_chunks(CHUNK));
            let extents = chunks.map(|(own, rest)| {
                own.iter_mut().zip(rest).for_each(|(x, rest)| *x = place.point(*rest));
                own.iter().fold(Aabb::EMPTY, |all, &x| all.grown_to(x))
            });
            *bounds = extents.reduce(|| Aabb::EMPTY, Aabb::union);
        });
    }

    /// What of a body at `q` a box in the world can cover, as a box in its frame at rest.
    pub fn to_rest(&self, slot: u32, q: &Affine, region: &Aabb) -> Aabb {
        let inverse = q.linear.inverse();
        let (center, half) = (region.center(), 0.5 * region.extent());
        let rounding = ROUNDING * (center.abs() + q.position.abs() + half).max_element();
        let wide = inverse.abs() * (half + DVec3::splat(rounding));
        Aabb::from_center_half(inverse * (center - q.position) + self.com[slot as usize], wide)
    }

    /// The separation two shapes keep \[m\].
    pub fn separation(&self, shape0: u32, shape1: u32) -> f64 {
        self.margin[shape0 as usize] + self.margin[shape1 as usize]
    }

    /// Pairs of shapes and half-spaces that may touch.
    pub fn shapes_and_planes(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let shapes = self.shape_slot.len();
        let all = (0..self.planes.len()).flat_map(move |p| (0..shapes).map(move |s| (s, p)));
        all.filter(move |&(s, p)| self.plane_meets[p * shapes + s])
    }

    /// Vertices on the wrong side of a half-space they may touch.
    pub fn sunk_vertices(&self, x: &[DVec3]) -> Vec<VertexPlane> {
        self.shapes_and_planes()
            .flat_map(|(shape, p)| self.shape_vertices[shape].clone().map(move |v| [v as u32, p as u32]))
            .filter(|&[v, p]| {
                let separation = self.separation(self.stencils.vertex_shape[v as usize], self.planes[p as usize].shape);
                self.planes[p as usize].gap(x[v as usize]) <= separation
            })
            .collect()
    }
}

/// Bodies somewhere: their placements, the vertices there and the boxes of all shapes.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    pub q: Vec<Affine>,
    pub x: Vec<DVec3>,
    pub bounds: Vec<Aabb>,
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
