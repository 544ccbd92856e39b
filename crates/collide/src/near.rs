//! Which features of different shapes are near: shapes first, then only what lies where two of them meet.
//!
//! Shapes touch in a small part of their surfaces, so instead of trees over all features the boxes of two shapes are
//! intersected and only the features that reach into the common part are paired, by a sweep along its longest side.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DVec3};
use rayon::prelude::*;

use crate::CHUNK;
use crate::stencil::{EdgeEdge, Stencils, VertexTriangle};

/// How vertices move: where they are, how far they go, and how near counts.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub x: &'a [DVec3],
    pub dx: Option<&'a [DVec3]>,
    pub distance: f64,
}

impl Motion<'_> {
    fn bounds<const N: usize>(&self, vertices: [u32; N]) -> Aabb {
        let mut bounds = Aabb::from_points(vertices.map(|v| self.x[v as usize]));
        if let Some(dx) = self.dx {
            bounds = bounds.union(Aabb::from_points(vertices.map(|v| self.x[v as usize] + dx[v as usize])));
        }
        // Half the distance on either side, and what round-off in adding it may lose.
        let size = bounds.max.abs().max(bounds.min.abs()).max_element() + self.distance;
        bounds.inflated(0.5 * self.distance + 4.0 * f64::EPSILON * size)
    }

    /// Longest displacement among some vertices.
    fn travel<const N: usize>(&self, vertices: [u32; N]) -> f64 {
        self.dx.map_or(0.0, |dx| vertices.iter().fold(0.0, |most, &v| dx[v as usize].length().max(most)))
    }

    fn at<const N: usize>(&self, vertices: [u32; N]) -> [DVec3; N] {
        vertices.map(|v| self.x[v as usize])
    }

    fn near_vt(&self, vertex: u32, corners: [u32; 3]) -> bool {
        let reach = self.distance + self.travel([vertex]) + self.travel(corners);
        point_triangle::distance_squared(self.x[vertex as usize], self.at(corners)) <= reach * reach
    }

    fn near_ee(&self, first: [u32; 2], second: [u32; 2]) -> bool {
        let reach = self.distance + self.travel(first) + self.travel(second);
        edge_edge::distance_squared(self.at(first), self.at(second)) <= reach * reach
    }
}

/// Boxes of all features and shapes in a search; kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boxes {
    vertex: Vec<Aabb>,
    edge: Vec<Aabb>,
    triangle: Vec<Aabb>,
    shape: Vec<Aabb>,
}

/// A feature with its box.
type Item = (Aabb, u32);

/// Everything near, sorted.
pub(crate) fn near_pairs(
    stencils: &Stencils,
    motion: Motion,
    boxes: &mut Boxes,
) -> (Vec<VertexTriangle>, Vec<EdgeEdge>) {
    boxes.update(stencils, motion);
    // Shapes that the solver treats itself have no features here.
    let present: Vec<usize> = (0..boxes.shape.len()).filter(|&shape| !boxes.shape[shape].is_empty()).collect();
    let bounds: Vec<Aabb> = present.iter().map(|&shape| boxes.shape[shape]).collect();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    Bvh::build(&bounds).self_pairs(|a, b| {
        let (a, b) = (present[a as usize], present[b as usize]);
        if stencils.may_touch(a, b) {
            pairs.push([a, b]);
        }
    });
    pairs.sort_unstable();
    let found: Vec<(Vec<VertexTriangle>, Vec<EdgeEdge>)> =
        pairs.par_iter().map(|&pair| near_features(stencils, motion, boxes, pair)).collect();
    let (mut vertex_triangle, mut edges) = (Vec::new(), Vec::new());
    for (vt, ee) in found {
        vertex_triangle.extend(vt);
        edges.extend(ee);
    }
    vertex_triangle.par_sort_unstable();
    edges.par_sort_unstable();
    (vertex_triangle, edges)
}

/// What is near between two shapes.
fn near_features(
    stencils: &Stencils,
    motion: Motion,
    boxes: &Boxes,
    pair: [usize; 2],
) -> (Vec<VertexTriangle>, Vec<EdgeEdge>) {
    let region = boxes.shape[pair[0]].intersection(boxes.shape[pair[1]]);
    let extent = region.extent();
    let axis = (0..3).fold(0, |best, k| if extent[k] > extent[best] { k } else { best });
    let inside = |all: &[Aabb], range: &std::ops::Range<u32>| -> Vec<Item> {
        let own = &all[range.start as usize..range.end as usize];
        let mut items: Vec<Item> = own
            .iter()
            .zip(range.clone())
            .filter(|(bounds, _)| bounds.overlaps(&region))
            .map(|(b, i)| (*b, i))
            .collect();
        items.sort_unstable_by(|a, b| a.0.min[axis].total_cmp(&b.0.min[axis]).then(a.1.cmp(&b.1)));
        items
    };
    let of = |k: usize| &stencils.shape_features[pair[k]];
    let vertices = [0, 1].map(|k| inside(&boxes.vertex, &of(k).vertex));
    let triangles = [0, 1].map(|k| inside(&boxes.triangle, &of(k).triangle));
    let edges = [0, 1].map(|k| inside(&boxes.edge, &of(k).edge));
    let (mut vertex_triangle, mut edge_edge) = (Vec::new(), Vec::new());
    for k in 0..2 {
        sweep(&vertices[k], &triangles[1 - k], axis, |vertex, triangle| {
            if motion.near_vt(vertex, stencils.triangle_vertex[triangle as usize]) {
                vertex_triangle.push([vertex, triangle]);
            }
        });
    }
    sweep(&edges[0], &edges[1], axis, |a, b| {
        if motion.near_ee(stencils.edge_vertex[a as usize], stencils.edge_vertex[b as usize]) {
            edge_edge.push([a.min(b), a.max(b)]);
        }
    });
    (vertex_triangle, edge_edge)
}

/// Visits all pairs of items whose boxes overlap; both lists ascend by the lower bound along `axis`.
fn sweep(first: &[Item], second: &[Item], axis: usize, mut visit: impl FnMut(u32, u32)) {
    let (mut i, mut j) = (0, 0);
    while i < first.len() && j < second.len() {
        // The item that starts first meets all of the other list that start before it ends.
        if first[i].0.min[axis] <= second[j].0.min[axis] {
            let a = &first[i];
            let meeting = second[j..].iter().take_while(|b| b.0.min[axis] <= a.0.max[axis]);
            meeting.filter(|b| a.0.overlaps(&b.0)).for_each(|b| visit(a.1, b.1));
            i += 1;
        } else {
            let b = &second[j];
            let meeting = first[i..].iter().take_while(|a| a.0.min[axis] <= b.0.max[axis]);
            meeting.filter(|a| a.0.overlaps(&b.0)).for_each(|a| visit(a.1, b.1));
            j += 1;
        }
    }
}

impl Boxes {
    fn update(&mut self, stencils: &Stencils, motion: Motion) {
        let set = |boxes: &mut Vec<Aabb>, count: usize, item: &(dyn Fn(usize) -> Aabb + Sync)| {
            (0..count).into_par_iter().with_min_len(CHUNK).map(item).collect_into_vec(boxes);
        };
        set(&mut self.vertex, motion.x.len(), &|v| motion.bounds([v as u32]));
        set(&mut self.edge, stencils.edge_vertex.len(), &|e| motion.bounds(stencils.edge_vertex[e]));
        set(&mut self.triangle, stencils.triangle_vertex.len(), &|t| motion.bounds(stencils.triangle_vertex[t]));
        let vertex = &self.vertex;
        let whole = |features: &Features| {
            let range = features.vertex.start as usize..features.vertex.end as usize;
            vertex[range].iter().fold(Aabb::EMPTY, |all, b| all.union(*b))
        };
        self.shape.clear();
        self.shape.extend(stencils.shape_features.iter().map(whole));
    }
}

/// The features of a shape, by their ranges in the lists of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    pub vertex: std::ops::Range<u32>,
    pub edge: std::ops::Range<u32>,
    pub triangle: std::ops::Range<u32>,
}
