//! Mesh stencils for barrier solvers: pairs of a vertex and a triangle and of two edges of different bodies
//! that are, or may come, within a distance. Positions are the solver's own, so bodies may be affine or deform.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::ccd::Ccd;
use drystone_geometry::distance::triangle_triangle;
use drystone_geometry::{Aabb, DVec3, Tessellation};
use drystone_model::{Model, State, WORLD};
use rayon::prelude::*;

use crate::CHUNK;
use crate::near::{Boxes, Features, Motion, NearShapes, Way, near_shapes};
use crate::shapes::ShapeTable;

/// A vertex and a triangle, by index into [`Stencils`]' vertices and triangles.
pub type VertexTriangle = [u32; 2];

/// Two edges, by index into [`Stencils`]' edges, smaller first.
pub type EdgeEdge = [u32; 2];

/// Pairs of features, each with its distance \[m\].
pub type Candidates = Vec<([u32; 2], f64)>;

/// The triangle surfaces of all shapes of a model, and the pairs of their features that are near.
///
/// ```
/// use drystone_collide::Stencils;
/// use drystone_geometry::{DVec3, Tessellation, ccd::Ccd};
/// use drystone_model::{BodyDef, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.add_body(BodyDef::fixed("table").cuboid(DVec3::splat(0.5)));
/// scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 1.1).cuboid(DVec3::splat(0.5)));
/// let model = scene.finalize()?;
/// let mut stencils = Stencils::new(&model, &Tessellation::default());
/// let mut x = Vec::new();
/// stencils.rigid_positions(&model.state(), &mut x);
/// stencils.refresh(&x, 0.2);
/// assert!(!stencils.vertex_triangle.is_empty());
/// // The crate may fall a good part of the 0.1 m it is above the table, but not all of 1 m.
/// let fall: Vec<DVec3> = stencils.vertex_body.iter().map(|&body| DVec3::NEG_Z * f64::from(body)).collect();
/// let share = stencils.step_bound(&x, &fall, &Ccd::default());
/// assert!(share > 0.05 && share < 0.1);
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stencils {
    /// Rest position of every vertex in the frame of its body \[m\] (world frame for [`WORLD`]).
    pub vertex_rest: Vec<DVec3>,
    /// Body of every vertex.
    pub vertex_body: Vec<u32>,
    /// Shape of every vertex.
    pub vertex_shape: Vec<u32>,
    /// Vertices of every edge.
    pub edge_vertex: Vec<[u32; 2]>,
    /// Vertices of every triangle, counter-clockwise from outside.
    pub triangle_vertex: Vec<[u32; 3]>,
    /// Pairs found by the last refresh, sorted.
    pub vertex_triangle: Vec<VertexTriangle>,
    /// Pairs found by the last refresh, sorted.
    pub edge_edge: Vec<EdgeEdge>,
    pub(crate) shape_features: Vec<Features>,
    boxes: Boxes,
    swept_vertex_triangle: Vec<VertexTriangle>,
    swept_edge_edge: Vec<EdgeEdge>,
    table: ShapeTable,
}

impl Stencils {
    /// The surfaces of a model; curved shapes are cut into triangles as `tessellation` says.
    pub fn new(model: &Model, tessellation: &Tessellation) -> Self {
        Self::of_shapes(model, tessellation, |_| true)
    }

    /// The surfaces of some shapes of a model, for solvers that treat the others (half-spaces, say) themselves.
    pub fn of_shapes(model: &Model, tessellation: &Tessellation, take: impl Fn(usize) -> bool) -> Self {
        let mut stencils = Self { table: ShapeTable::new(model), ..Self::default() };
        stencils.shape_features.resize_with(model.shape_count(), Features::default);
        for shape in (0..model.shape_count()).filter(|&shape| take(shape)) {
            stencils.add_shape(model, shape, tessellation);
        }
        stencils
    }

    /// Whether two shapes of the model may touch: same world, different bodies, one of them moved by forces, groups
    /// that agree, no filter.
    pub fn may_touch(&self, shape0: usize, shape1: usize) -> bool {
        self.table.may_touch(shape0, shape1)
    }

    fn add_shape(&mut self, model: &Model, shape: usize, tessellation: &Tessellation) {
        let mesh = model.shape_geometry[shape].to_mesh(tessellation);
        let counts = |all: &Self| [all.vertex_rest.len(), all.edge_vertex.len(), all.triangle_vertex.len()];
        let before = counts(self).map(|count| count as u32);
        let first = before[0];
        let pose = &model.shape_pose[shape];
        for &vertex in &mesh.vertices {
            self.vertex_rest.push(*pose * vertex);
            self.vertex_body.push(model.shape_body[shape]);
            self.vertex_shape.push(shape as u32);
        }
        self.edge_vertex.extend(mesh.edges().iter().map(|edge| edge.map(|v| v + first)));
        self.triangle_vertex.extend(mesh.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
        let after = counts(self).map(|count| count as u32);
        let range = |k: usize| before[k]..after[k];
        self.shape_features[shape] = Features { vertex: range(0), edge: range(1), triangle: range(2) };
    }

    /// Fills `x` with the positions of all vertices when bodies are rigid \[m\].
    pub fn rigid_positions(&self, state: &State, x: &mut Vec<DVec3>) {
        x.clear();
        x.extend(
            self.vertex_rest
                .iter()
                .zip(&self.vertex_body)
                .map(|(&rest, &body)| if body == WORLD { rest } else { state.body_q[body as usize] * rest }),
        );
    }

    /// Finds all pairs nearer than `distance` \[m\] with the vertices at `x` \[m\].
    pub fn refresh(&mut self, x: &[DVec3], distance: f64) {
        self.find(Motion { x, way: Way::Still, distance });
    }

    /// Finds all pairs that can come nearer than `distance` \[m\] while the vertices move from `x` to `x + dx` \[m\]:
    /// those whose distance at the start is no more than what their motion can close.
    pub fn refresh_swept(&mut self, x: &[DVec3], dx: &[DVec3], distance: f64) {
        self.find(Motion { x, way: Way::Straight(dx), distance });
    }

    /// All pairs, with their distances at `x` \[m\], that can come nearer than `distance` while every vertex stays within
    /// the slack of its shape \[m\], by pairs of shapes. The lists of the last refresh stay as they are.
    pub fn candidates(&mut self, x: &[DVec3], slack: &[f64], distance: f64) -> Vec<NearShapes> {
        let mut boxes = std::mem::take(&mut self.boxes);
        let found = near_shapes(self, Motion { x, way: Way::Within(slack), distance }, &mut boxes);
        self.boxes = boxes;
        found
    }

    /// The largest part of the step `dx` after which all features of different bodies are still further apart than
    /// `ccd.min_separation`, as far as additive continuous detection can tell: 1 if all of it is safe.
    pub fn step_bound(&mut self, x: &[DVec3], dx: &[DVec3], ccd: &Ccd) -> f64 {
        self.swap_results();
        self.find(Motion { x, way: Way::Straight(dx), distance: ccd.min_separation });
        let bound = self.found_bound(x, dx, ccd);
        self.swap_results();
        bound
    }

    /// As [`Stencils::step_bound`], by the pairs the last refresh found alone.
    fn found_bound(&self, x: &[DVec3], dx: &[DVec3], ccd: &Ccd) -> f64 {
        let end = |vertices: [u32; 4]| vertices.map(|v| x[v as usize] + dx[v as usize]);
        let start = |vertices: [u32; 4]| vertices.map(|v| x[v as usize]);
        let by_vertices = least(&self.vertex_triangle, 1.0, |pair, max_time| {
            let stencil = self.vertex_triangle_vertices(pair);
            Ccd { max_time, ..*ccd }.point_triangle(start(stencil), end(stencil))
        });
        least(&self.edge_edge, by_vertices, |pair, max_time| {
            let stencil = self.edge_edge_vertices(pair);
            Ccd { max_time, ..*ccd }.edge_edge(start(stencil), end(stencil))
        })
    }

    /// Pairs of triangles that share a point with the vertices at `x` \[m\], of shapes that may touch, sorted. The signs
    /// behind the answer are exact.
    pub fn intersections(&self, x: &[DVec3]) -> Vec<[u32; 2]> {
        let corners = |t: u32| self.triangle_vertex[t as usize].map(|v| x[v as usize]);
        let bounds = (0..self.triangle_vertex.len() as u32).map(|t| Aabb::from_points(corners(t))).collect::<Vec<_>>();
        let mut near = Vec::new();
        Bvh::build(&bounds).self_pairs(|a, b| {
            let [va, vb] = [a, b].map(|t| self.triangle_vertex[t as usize][0]);
            if self.meet(va, vb) {
                near.push([a, b]);
            }
        });
        near.retain(|&[a, b]| triangle_triangle::intersect(corners(a), corners(b)));
        near.sort_unstable();
        near
    }

    /// The four vertices of a vertex–triangle pair: the vertex, then the corners.
    pub fn vertex_triangle_vertices(&self, [vertex, triangle]: VertexTriangle) -> [u32; 4] {
        let [a, b, c] = self.triangle_vertex[triangle as usize];
        [vertex, a, b, c]
    }

    /// The four vertices of a pair of edges.
    pub fn edge_edge_vertices(&self, [first, second]: EdgeEdge) -> [u32; 4] {
        let ([a, b], [c, d]) = (self.edge_vertex[first as usize], self.edge_vertex[second as usize]);
        [a, b, c, d]
    }

    /// Keeps the result of the last refresh apart while a step is bounded.
    fn swap_results(&mut self) {
        std::mem::swap(&mut self.vertex_triangle, &mut self.swept_vertex_triangle);
        std::mem::swap(&mut self.edge_edge, &mut self.swept_edge_edge);
    }

    fn meet(&self, vertex0: u32, vertex1: u32) -> bool {
        let shape = |vertex: u32| self.vertex_shape[vertex as usize] as usize;
        self.table.may_touch(shape(vertex0), shape(vertex1))
    }

    fn find(&mut self, motion: Motion) {
        let mut boxes = std::mem::take(&mut self.boxes);
        let found = near_shapes(self, motion, &mut boxes);
        self.vertex_triangle.clear();
        self.vertex_triangle.extend(found.iter().flat_map(|near| &near.vertex_triangle).map(|(pair, _)| *pair));
        self.vertex_triangle.par_sort_unstable();
        self.edge_edge.clear();
        self.edge_edge.extend(found.iter().flat_map(|near| &near.edge_edge).map(|(pair, _)| *pair));
        self.edge_edge.par_sort_unstable();
        self.boxes = boxes;
    }
}

/// The least time over all pairs, at most `limit`. No pair is followed beyond the least time known, and the smallest of
/// numbers does not depend on the order.
fn least(pairs: &[[u32; 2]], limit: f64, time: impl Fn([u32; 2], f64) -> Option<f64> + Sync) -> f64 {
    let in_chunk = |chunk: &[[u32; 2]]| {
        chunk.iter().fold(limit, |least, &pair| time(pair, least).map_or(least, |found| found.min(least)))
    };
    pairs.par_chunks(CHUNK).map(in_chunk).reduce(|| limit, f64::min)
}
