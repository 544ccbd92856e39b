//! Mesh stencils for barrier solvers: pairs of a vertex and a triangle and of two edges of different bodies. Positions
//! are the solver's own, so bodies may be affine.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::{Aabb, DVec3, Tessellation};
use drystone_model::{Model, State, WORLD};

use crate::feature_pairs::Features;
use crate::shapes::ShapeTable;

/// The triangle surfaces of all shapes of a model. Edges are those at which they bend
/// ([`creases`](drystone_geometry::TriMesh::creases)).
///
/// ```
/// use drystone_collide::{Side, Stencils};
/// use drystone_geometry::{Aabb, DVec3, Tessellation};
/// use drystone_model::{BodyDef, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.add_body(BodyDef::fixed("table").cuboid(DVec3::splat(0.5)));
/// scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 1.1).cuboid(DVec3::splat(0.5)));
/// let model = scene.finalize()?;
/// let stencils = Stencils::new(&model, &Tessellation::default());
/// let mut x = Vec::new();
/// stencils.rigid_positions(&model.state(), &mut x);
/// let bounds: Vec<Aabb> = (0..2).map(|shape| stencils.bounds(&x, shape)).collect();
/// assert_eq!(stencils.meeting(&[bounds[0], bounds[1].inflated(0.2)]), [[0, 1]]);
/// let down = |b: &Aabb| Aabb { min: b.min - DVec3::Z * 1.1, max: b.max - DVec3::Z * 1.1 };
/// let table = Side { shape: 0, bounds: bounds[0], travel: 0.0, to_rest: &|b| *b };
/// let block = Side { shape: 1, bounds: bounds[1], travel: 0.0, to_rest: &down };
/// let near = stencils.near(&x, [table, block], 0.2);
/// assert!(near.edge_edge.iter().all(|(_, distance)| (0.1 - 1e-12..0.2).contains(distance)));
/// # assert!(!near.edge_edge.is_empty());
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
    pub(crate) shape_features: Vec<Features>,
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
        self.edge_vertex.extend(mesh.creases().iter().map(|edge| edge.map(|v| v + first)));
        self.triangle_vertex.extend(mesh.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
        let after = counts(self).map(|count| count as u32);
        self.shape_features[shape] = Features::new(self, before, after);
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

    /// The box of a shape with the vertices at `x` \[m\]; empty for a shape left out.
    pub fn bounds(&self, x: &[DVec3], shape: usize) -> Aabb {
        let own = &self.shape_features[shape].vertex;
        Aabb::from_points(x[own.start as usize..own.end as usize].iter().copied())
    }

    /// Pairs of shapes that may touch and whose boxes do, smaller first, sorted.
    pub fn meeting(&self, bounds: &[Aabb]) -> Vec<[u32; 2]> {
        // Shapes that the solver treats itself have no features here.
        let present: Vec<usize> = (0..bounds.len()).filter(|&shape| !bounds[shape].is_empty()).collect();
        let boxes: Vec<Aabb> = present.iter().map(|&shape| bounds[shape]).collect();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        Bvh::build(&boxes).self_pairs(|a, b| {
            let (a, b) = (present[a as usize], present[b as usize]);
            if self.may_touch(a, b) {
                pairs.push([a.min(b) as u32, a.max(b) as u32]);
            }
        });
        pairs.sort_unstable();
        pairs
    }

    /// The four vertices of a vertex–triangle pair: the vertex, then the corners.
    pub fn vertex_triangle_vertices(&self, [vertex, triangle]: [u32; 2]) -> [u32; 4] {
        let [a, b, c] = self.triangle_vertex[triangle as usize];
        [vertex, a, b, c]
    }

    /// The four vertices of a pair of edges.
    pub fn edge_edge_vertices(&self, [first, second]: [u32; 2]) -> [u32; 4] {
        let ([a, b], [c, d]) = (self.edge_vertex[first as usize], self.edge_vertex[second as usize]);
        [a, b, c, d]
    }
}
