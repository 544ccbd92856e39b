//! Which features of different shapes are near: shapes first, then only what lies where two of them meet.
//!
//! Shapes touch in a small part of their surfaces, so instead of trees over all features the boxes of two shapes are
//! intersected and only the features that reach into the common part are paired, by a sweep along its longest side.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DVec3};
use rayon::prelude::*;

use crate::CHUNK;
use crate::stencil::{Candidates, Stencils};

/// How vertices move: where they are, how far they go, and how near counts.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub x: &'a [DVec3],
    pub way: Way<'a>,
    pub distance: f64,
}

/// Where vertices may go.
#[derive(Clone, Copy)]
pub(crate) enum Way<'a> {
    /// Nowhere.
    Still,
    /// Straight by a displacement of their own.
    Straight(&'a [DVec3]),
    /// Anywhere within a distance, one per shape.
    Within(&'a [f64]),
}

impl Motion<'_> {
    fn bounds<const N: usize>(&self, stencils: &Stencils, vertices: [u32; N]) -> Aabb {
        let mut bounds = Aabb::from_points(vertices.map(|v| self.x[v as usize]));
        match self.way {
            Way::Still => {}
            Way::Straight(dx) => {
                bounds = bounds.union(Aabb::from_points(vertices.map(|v| self.x[v as usize] + dx[v as usize])));
            }
            Way::Within(slack) => bounds = bounds.inflated(slack[stencils.vertex_shape[vertices[0] as usize] as usize]),
        }
        // Half the distance on either side, and what round-off in adding it may lose.
        let size = bounds.max.abs().max(bounds.min.abs()).max_element() + self.distance;
        bounds.inflated(0.5 * self.distance + 4.0 * f64::EPSILON * size)
    }

    /// Longest displacement among some vertices of a shape.
    fn travel<const N: usize>(&self, stencils: &Stencils, vertices: [u32; N]) -> f64 {
        match self.way {
            Way::Still => 0.0,
            Way::Straight(dx) => vertices.iter().fold(0.0, |most, &v| dx[v as usize].length().max(most)),
            Way::Within(slack) => slack[stencils.vertex_shape[vertices[0] as usize] as usize],
        }
    }

    fn at<const N: usize>(&self, vertices: [u32; N]) -> [DVec3; N] {
        vertices.map(|v| self.x[v as usize])
    }

    /// The distance of a vertex and a triangle that can come near.
    fn near_vt(&self, stencils: &Stencils, vertex: u32, corners: [u32; 3]) -> Option<f64> {
        let reach = self.distance + self.travel(stencils, [vertex]) + self.travel(stencils, corners);
        let squared = point_triangle::distance_squared(self.x[vertex as usize], self.at(corners));
        (squared <= reach * reach).then(|| squared.sqrt())
    }

    /// The distance of two edges that can come near.
    fn near_ee(&self, stencils: &Stencils, first: [u32; 2], second: [u32; 2]) -> Option<f64> {
        let reach = self.distance + self.travel(stencils, first) + self.travel(stencils, second);
        let squared = edge_edge::distance_squared(self.at(first), self.at(second));
        (squared <= reach * reach).then(|| squared.sqrt())
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

/// What of two shapes is near.
#[derive(Clone, Debug, Default)]
pub struct NearShapes {
    /// The shapes, smaller first.
    pub shapes: [u32; 2],
    /// Vertices of either and triangles of the other.
    pub vertex_triangle: Candidates,
    /// Edges of both.
    pub edge_edge: Candidates,
}

impl NearShapes {
    fn is_empty(&self) -> bool {
        self.vertex_triangle.is_empty() && self.edge_edge.is_empty()
    }
}

/// Everything near, by pairs of shapes, sorted by these.
pub(crate) fn near_shapes(stencils: &Stencils, motion: Motion, boxes: &mut Boxes) -> Vec<NearShapes> {
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
    let mut found: Vec<NearShapes> =
        pairs.par_iter().map(|&pair| near_features(stencils, motion, boxes, pair)).collect();
    found.retain(|near| !near.is_empty());
    found
}

/// What is near between two shapes.
fn near_features(stencils: &Stencils, motion: Motion, boxes: &Boxes, pair: [usize; 2]) -> NearShapes {
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
            if let Some(distance) = motion.near_vt(stencils, vertex, stencils.triangle_vertex[triangle as usize]) {
                vertex_triangle.push(([vertex, triangle], distance));
            }
        });
    }
    sweep(&edges[0], &edges[1], axis, |a, b| {
        let [first, second] = [a, b].map(|edge| stencils.edge_vertex[edge as usize]);
        if let Some(distance) = motion.near_ee(stencils, first, second) {
            edge_edge.push(([a.min(b), a.max(b)], distance));
        }
    });
    NearShapes { shapes: pair.map(|shape| shape as u32), vertex_triangle, edge_edge }
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
        set(&mut self.vertex, motion.x.len(), &|v| motion.bounds(stencils, [v as u32]));
        set(&mut self.edge, stencils.edge_vertex.len(), &|e| motion.bounds(stencils, stencils.edge_vertex[e]));
        set(&mut self.triangle, stencils.triangle_vertex.len(), &|t| {
            motion.bounds(stencils, stencils.triangle_vertex[t])
        });
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
