//! What the pipeline knows about the triangles of meshes and terrain.

use std::sync::Arc;

use drystone_geometry::bvh::Bvh;
use drystone_geometry::mesh::MeshTree;
use drystone_geometry::{Aabb, DVec3, Heightfield, Projection, TriMesh};

use crate::narrow::triangle::{Ring, Triangle, lean_over, over_edge};

/// A mesh with its neighbourhood.
#[derive(Clone, Debug)]
pub(crate) struct MeshTable {
    mesh: Arc<TriMesh>,
    normal: Vec<DVec3>,
    lean: Vec<[f64; 3]>,
    tree: Tree,
    /// Directions from every vertex to its neighbours, concatenated.
    ring: Vec<DVec3>,
    /// Where the neighbours of every vertex start in `ring`; one more entry than vertices.
    ring_start: Vec<u32>,
}

/// The tree over the triangles of a mesh.
#[derive(Clone, Debug)]
enum Tree {
    /// Closed: it can tell inside from outside.
    Solid(MeshTree),
    Open(Bvh),
}

impl MeshTable {
    pub fn new(mesh: &Arc<TriMesh>) -> Self {
        // Directed edges, sorted, each with its triangle and its place in it.
        let mut edges: Vec<([u32; 2], usize)> = Vec::with_capacity(3 * mesh.triangles.len());
        for (t, corners) in mesh.triangles.iter().enumerate() {
            edges.extend((0..3).map(|k| ([corners[k], corners[(k + 1) % 3]], t)));
        }
        edges.sort_unstable();
        let normal: Vec<DVec3> = (0..mesh.triangles.len()).map(|t| mesh.normal(t)).collect();
        let across = |edge: [u32; 2]| {
            let twin = [edge[1], edge[0]];
            edges.binary_search_by(|(other, _)| other.cmp(&twin)).ok().map(|i| normal[edges[i].1])
        };
        let lean = (0..mesh.triangles.len()).map(|t| triangle_lean(mesh, t, normal[t], across)).collect();
        let tree = match MeshTree::new(mesh.clone()) {
            Ok(solid) => Tree::Solid(solid),
            Err(_) => Tree::Open(Bvh::build(&mesh.all_corners().map(Aabb::from_points).collect::<Vec<_>>())),
        };
        let (ring, ring_start) = rings(mesh);
        Self { tree, normal, lean, ring, ring_start, mesh: mesh.clone() }
    }

    pub fn tree(&self) -> &Bvh {
        match &self.tree {
            Tree::Solid(solid) => solid.tree(),
            Tree::Open(tree) => tree,
        }
    }

    /// The mesh as a solid, where it is closed.
    pub fn solid(&self) -> Option<&MeshTree> {
        match &self.tree {
            Tree::Solid(solid) => Some(solid),
            Tree::Open(_) => None,
        }
    }

    pub fn triangle(&self, t: usize) -> Triangle<'_> {
        let ring = self.mesh.triangles[t].map(|v| {
            let range = self.ring_start[v as usize] as usize..self.ring_start[v as usize + 1] as usize;
            Ring::Mesh(&self.ring[range])
        });
        let normals = [self.normal[t], -self.normal[t]];
        Triangle { corners: self.mesh.corners(t), normals, lean: self.lean[t], ring, below: None }
    }
}

fn triangle_lean(mesh: &TriMesh, t: usize, normal: DVec3, across: impl Fn([u32; 2]) -> Option<DVec3>) -> [f64; 3] {
    let corners = mesh.corners(t);
    let names = mesh.triangles[t];
    std::array::from_fn(|k| {
        let outward = over_edge(&corners, normal, k);
        // Over a border the surface ends: contacts may lean right down.
        lean_over(normal, outward, across([names[k], names[(k + 1) % 3]]).unwrap_or(outward))
    })
}

/// Directions to the neighbours of every vertex.
fn rings(mesh: &TriMesh) -> (Vec<DVec3>, Vec<u32>) {
    let mut spokes: Vec<[u32; 2]> = mesh.edges().iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    spokes.sort_unstable();
    let ring = spokes.iter().map(|&[a, b]| mesh.vertices[b as usize] - mesh.vertices[a as usize]).collect();
    let start = |v: usize| spokes.partition_point(|&[a, _]| (a as usize) < v) as u32;
    (ring, (0..=mesh.vertices.len()).map(start).collect())
}

/// A surface made of triangles, in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Surface<'a> {
    Mesh(&'a MeshTable),
    Terrain(&'a Heightfield),
}

impl Surface<'_> {
    /// Box around all triangles. Terrain always comes first in a pair, so nobody asks for its bounds.
    pub fn bounds(&self) -> Aabb {
        match self {
            Surface::Mesh(table) => table.tree().bounds(),
            Surface::Terrain(_) => Aabb::ALL,
        }
    }

    /// The way out for a point inside the solid.
    pub fn way_out(&self, point: DVec3) -> Option<Projection> {
        let Surface::Mesh(table) = self else { return None };
        let solid = table.solid().filter(|_| table.tree().bounds().contains_point(point))?;
        Some(solid.project(point).0).filter(|nearest| nearest.distance < 0.0)
    }

    /// Calls `visit` with the triangles near a box, in ascending order of their numbers.
    /// `numbers` is scratch.
    pub fn near(&self, region: &Aabb, numbers: &mut Vec<u32>, mut visit: impl FnMut(u32, &Triangle)) {
        match self {
            Surface::Mesh(table) => {
                numbers.clear();
                table.tree().overlaps(region, |t| numbers.push(t));
                numbers.sort_unstable();
                for &t in numbers.iter() {
                    visit(t, &table.triangle(t as usize));
                }
            }
            Surface::Terrain(field) => near_terrain(field, region, visit),
        }
    }
}

/// All cells under the box, whatever its height: the ground has no bottom.
fn near_terrain(field: &Heightfield, region: &Aabb, mut visit: impl FnMut(u32, &Triangle)) {
    let half = (field.sample(field.columns - 1, field.rows - 1) - field.sample(0, 0)) * 0.5;
    if region.max.x < -half.x || region.min.x > half.x || region.max.y < -half.y || region.min.y > half.y {
        return;
    }
    let [column0, row0] = field.cell_at(region.min.x, region.min.y);
    let [column1, row1] = field.cell_at(region.max.x, region.max.y);
    let cells = field.cells();
    for row in row0..=row1 {
        for column in column0..=column1 {
            for half in 0..2 {
                let number = 2 * (row * cells[0] + column) + half;
                visit(number as u32, &terrain_triangle(field, column, row, half));
            }
        }
    }
}

/// A triangle of a cell: right of the diagonal (0) or left of it (1).
fn terrain_triangle(field: &Heightfield, column: usize, row: usize, half: usize) -> Triangle<'_> {
    let [cells_x, cells_y] = field.cells();
    let normal_of = |column: usize, row: usize, half: usize| {
        let [a, b, c] = field.cell_triangles(column, row)[half];
        (b - a).cross(c - a).normalize_or_zero()
    };
    let corners = field.cell_triangles(column, row)[half];
    let normal = normal_of(column, row, half);
    // Edges are a→b, b→c, c→a; across them lie, for the right half: the cell below, the cell to the
    // right, the other half; for the left half: the other half, the cell above, the cell to the left.
    let (neighbours, names) = if half == 0 {
        let across = [
            (row > 0).then(|| normal_of(column, row - 1, 1)),
            (column + 1 < cells_x).then(|| normal_of(column + 1, row, 1)),
            Some(normal_of(column, row, 1)),
        ];
        (across, [(column, row), (column + 1, row), (column + 1, row + 1)])
    } else {
        let across = [
            Some(normal_of(column, row, 0)),
            (row + 1 < cells_y).then(|| normal_of(column, row + 1, 0)),
            (column > 0).then(|| normal_of(column - 1, row, 0)),
        ];
        (across, [(column, row), (column + 1, row + 1), (column, row + 1)])
    };
    let lean = std::array::from_fn(|edge| {
        let outward = over_edge(&corners, normal, edge);
        lean_over(normal, outward, neighbours[edge].unwrap_or(outward))
    });
    let ring = names.map(|(column, row)| Ring::Terrain(field, column, row));
    Triangle { corners, normals: [normal, -normal], lean, ring, below: Some(DVec3::NEG_Z) }
}
