//! Corners and edges of shapes with flat faces, for what is wide enough to be poked through between its own points.

use std::sync::Arc;

use drystone_geometry::bvh::Bvh;
use drystone_geometry::{Aabb, DVec3, Shape, Tessellation, TriMesh};

/// A corner of a shape, in its frame.
#[derive(Clone, Debug)]
pub(crate) struct Corner {
    pub at: DVec3,
    /// Directions of all edges that leave it.
    pub ring: Vec<DVec3>,
}

/// An edge at which a surface bends outwards, in the frame of the shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crease {
    pub ends: [DVec3; 2],
    /// From the edge into the faces beside it, across the edge.
    pub into: [DVec3; 2],
}

/// What of a shape can poke through a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Sharp {
    pub corner: Vec<Corner>,
    pub crease: Vec<Crease>,
    pub corner_tree: Bvh,
    pub crease_tree: Bvh,
}

/// Corners with fewer edges that bend are on a face or along an edge.
const EDGES_OF_A_CORNER: usize = 3;

impl Sharp {
    /// Corners and edges of a box, a hull or a mesh; other shapes are round or have no corner.
    fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Mesh(mesh) => Some(Self::of_mesh(mesh)),
            Shape::Box { .. } | Shape::Hull(_) => Some(Self::of_mesh(&shape.to_mesh(&Tessellation::default()))),
            _ => None,
        }
    }

    fn of_mesh(mesh: &TriMesh) -> Self {
        let at = |vertex: u32| mesh.vertices[vertex as usize];
        let mut bends = vec![0; mesh.vertices.len()];
        mesh.creases().iter().flatten().for_each(|&vertex| bends[vertex as usize] += 1);
        let mut ring: Vec<Vec<DVec3>> = vec![Vec::new(); mesh.vertices.len()];
        for [a, b] in mesh.edges() {
            let along = (at(b) - at(a)).normalize_or_zero();
            ring[a as usize].push(along);
            ring[b as usize].push(-along);
        }
        let corner: Vec<Corner> = (0..mesh.vertices.len())
            .filter(|&vertex| bends[vertex] >= EDGES_OF_A_CORNER)
            .map(|vertex| Corner { at: mesh.vertices[vertex], ring: std::mem::take(&mut ring[vertex]) })
            .collect();
        let crease = creases(mesh);
        let corner_tree = Bvh::build(&corner.iter().map(|corner| Aabb::new(corner.at, corner.at)).collect::<Vec<_>>());
        let around = |crease: &Crease| Aabb::from_points(crease.ends);
        let crease_tree = Bvh::build(&crease.iter().map(around).collect::<Vec<_>>());
        Self { corner, crease, corner_tree, crease_tree }
    }
}

/// A side of a triangle: its ends by ascending number, the corner across, and whether the triangle goes round it in that order.
type Side = ([u32; 2], u32, bool);

/// The edges at which a mesh bends outwards.
fn creases(mesh: &TriMesh) -> Vec<Crease> {
    let side = |[a, b]: [u32; 2], tip: u32| ([a.min(b), a.max(b)], tip, a < b);
    let mut sides: Vec<Side> =
        mesh.triangles.iter().flat_map(|&[a, b, c]| [side([a, b], c), side([b, c], a), side([c, a], b)]).collect();
    sides.sort_unstable();
    let beside = |edge: &[u32; 2]| {
        let from = sides.partition_point(|(other, ..)| other < edge);
        sides[from..].iter().take(2).filter(|(other, ..)| other == edge).copied().collect::<Vec<Side>>()
    };
    mesh.creases().iter().filter_map(|edge| outward_crease(mesh, &beside(edge))).collect()
}

/// The edge between two triangles, if the surface bends outwards there.
fn outward_crease(mesh: &TriMesh, sides: &[Side]) -> Option<Crease> {
    let &[(edge, first, forward), (_, second, _)] = sides else { return None };
    let at = |vertex: u32| mesh.vertices[vertex as usize];
    let ends = edge.map(at);
    let along = (ends[1] - ends[0]).try_normalize()?;
    let into = [first, second].map(|tip| {
        let arm = at(tip) - ends[0];
        (arm - along * along.dot(arm)).normalize_or_zero()
    });
    let normal = along.cross(into[0]) * if forward { 1.0 } else { -1.0 };
    // The other face falls away from the plane of the first.
    (normal.dot(into[1]) < 0.0).then_some(Crease { ends, into })
}

/// Corners and edges of all shapes of a model; shapes that share a mesh share them.
pub(crate) fn sharp_shapes(shapes: &[Shape]) -> Vec<Option<Arc<Sharp>>> {
    let mut known: Vec<(*const TriMesh, Arc<Sharp>)> = Vec::new();
    let mut all = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let mesh = if let Shape::Mesh(mesh) = shape { Arc::as_ptr(mesh) } else { std::ptr::null() };
        let found = known.iter().find(|(other, _)| !mesh.is_null() && *other == mesh).map(|(_, sharp)| sharp.clone());
        let sharp = found.or_else(|| Sharp::of(shape).map(Arc::new));
        if let Some(sharp) = sharp.as_ref().filter(|_| !mesh.is_null()) {
            known.push((mesh, sharp.clone()));
        }
        all.push(sharp);
    }
    all
}
