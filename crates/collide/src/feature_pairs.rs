//! Which features of two shapes are near.
//!
//! Shapes touch in a small part of their surfaces. So their boxes are intersected, and only the features that reach into the common
//! part are paired, by a sweep along its longest side. Large shapes find theirs by a tree over the surface at rest, which an
//! affine motion never changes: the common part goes to the shape instead of the shape to it.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DVec3};

use crate::stencil::Stencils;

/// Pairs of features, each with its distance \[m\].
pub type Candidates = Vec<([u32; 2], f64)>;

/// What of two shapes is near.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearFeatures {
    /// Vertices of either and triangles of the other, sorted.
    pub vertex_triangle: Candidates,
    /// Edges of both, smaller first, sorted.
    pub edge_edge: Candidates,
}

/// A shape somewhere.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Which shape.
    pub shape: u32,
    /// The box of its vertices there, or of their ways \[m\].
    pub bounds: Aabb,
    /// How far a vertex goes at most \[m\].
    pub travel: f64,
    /// Takes a box in the world to one in the frame of the resting body that covers at least as much of the shape.
    pub to_rest: &'a dyn Fn(&Aabb) -> Aabb,
}

/// Shapes of more triangles than this are worth a tree.
const TREE: usize = 64;

/// The features of a shape, by their ranges in the lists of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    pub vertex: std::ops::Range<u32>,
    pub edge: std::ops::Range<u32>,
    pub triangle: std::ops::Range<u32>,
    tree: Option<Box<Tree>>,
}

/// A tree over the triangles of a shape at rest. Every vertex and edge belongs to one triangle around it: where they
/// reach, that one does.
#[derive(Clone, Debug)]
struct Tree {
    triangles: Bvh,
    /// First vertex and first edge of every triangle in the lists, and their ends.
    first: Vec<[u32; 2]>,
    vertex: Vec<u32>,
    edge: Vec<u32>,
}

/// A feature with its box.
type Item = (Aabb, u32);

/// Features of a shape that reach into a region, by the lower bounds of their boxes along an axis.
#[derive(Default)]
struct Inside {
    vertex: Vec<Item>,
    edge: Vec<Item>,
    triangle: Vec<Item>,
}

impl Features {
    pub fn new(stencils: &Stencils, before: [u32; 3], after: [u32; 3]) -> Self {
        let range = |k: usize| before[k]..after[k];
        let mut features = Self { vertex: range(0), edge: range(1), triangle: range(2), tree: None };
        if features.triangle.len() > TREE {
            features.tree = Some(Box::new(Tree::new(stencils, &features)));
        }
        features
    }
}

impl Tree {
    fn new(stencils: &Stencils, of: &Features) -> Self {
        let corners = &stencils.triangle_vertex[of.triangle.start as usize..of.triangle.end as usize];
        let at = |v: u32| stencils.vertex_rest[v as usize];
        let bounds: Vec<Aabb> = corners.iter().map(|t| Aabb::from_points(t.map(at))).collect();
        let edges = &stencils.edge_vertex[of.edge.start as usize..of.edge.end as usize];
        let mut vertex_free = vec![true; of.vertex.len()];
        let mut edge_free = vec![true; edges.len()];
        let (mut vertex, mut edge, mut first) = (Vec::new(), Vec::new(), vec![[0, 0]]);
        for triangle in corners {
            for (k, &v) in triangle.iter().enumerate() {
                if std::mem::take(&mut vertex_free[(v - of.vertex.start) as usize]) {
                    vertex.push(v);
                }
                let next = triangle[(k + 1) % 3];
                // Edges are sorted; lines within a flat face are not among them.
                let own = edges.binary_search(&[v.min(next), v.max(next)]).ok();
                if let Some(own) = own.filter(|&own| std::mem::take(&mut edge_free[own])) {
                    edge.push(own as u32 + of.edge.start);
                }
            }
            first.push([vertex.len() as u32, edge.len() as u32]);
        }
        Self { triangles: Bvh::build(&bounds), first, vertex, edge }
    }

    /// Calls back with every triangle that may reach into a box of the resting shape, and its vertices and edges.
    fn visit(&self, region: &Aabb, mut found: impl FnMut(u32, &[u32], &[u32])) {
        self.triangles.overlaps(region, |t| {
            let [from, to] = [self.first[t as usize], self.first[t as usize + 1]];
            let of = |all: &'_ [u32], k: usize| from[k] as usize..(to[k] as usize).min(all.len());
            found(t, &self.vertex[of(&self.vertex, 0)], &self.edge[of(&self.edge, 1)]);
        });
    }
}

/// Where features are looked for, and how near they must be.
struct Search<'a> {
    stencils: &'a Stencils,
    x: &'a [DVec3],
    /// Where vertices go, if they move, and the part of the way that all have in common.
    to: Option<(&'a [DVec3], DVec3)>,
    distance: f64,
    /// What two boxes have in common.
    region: Aabb,
    /// Its longest side.
    axis: usize,
}

impl Stencils {
    /// All pairs of features of two shapes no further apart than `distance` \[m\] with the vertices at `x` \[m\].
    pub fn near(&self, x: &[DVec3], sides: [Side; 2], distance: f64) -> NearFeatures {
        let limit = distance * distance;
        let at = |v: u32| x[v as usize];
        let near = |squared: f64| (squared <= limit).then(|| squared.sqrt());
        let vertex_triangle = |[vertex, triangle]: [u32; 2]| {
            let corners = self.triangle_vertex[triangle as usize].map(at);
            near(point_triangle::distance_squared(at(vertex), corners))
        };
        let edges = |pair: [u32; 2]| {
            let [first, second] = pair.map(|edge| self.edge_vertex[edge as usize].map(at));
            near(edge_edge::distance_squared(first, second))
        };
        let search = Search::new(self, x, None, &sides, distance);
        search.map_or_else(NearFeatures::default, |search| search.pairs(&sides, vertex_triangle, edges))
    }

    /// All pairs of features of two shapes whose boxes come within `distance` \[m\] of each other while the vertices go straight from `x`
    /// to `to` \[m\], seen by someone who goes `along` \[m\] with them. The distances are left at zero.
    pub fn near_on_way(&self, [x, to]: [&[DVec3]; 2], along: DVec3, sides: [Side; 2], distance: f64) -> NearFeatures {
        let search = Search::new(self, x, Some((to, along)), &sides, distance);
        search.map_or_else(NearFeatures::default, |search| search.pairs(&sides, |_| Some(0.0), |_| Some(0.0)))
    }
}

impl<'a> Search<'a> {
    /// Nothing if the shapes are nowhere near.
    fn new(
        stencils: &'a Stencils,
        x: &'a [DVec3],
        to: Option<(&'a [DVec3], DVec3)>,
        sides: &[Side; 2],
        distance: f64,
    ) -> Option<Self> {
        let region = grown(sides[0].bounds, distance).intersection(grown(sides[1].bounds, distance));
        let extent = region.extent();
        let axis = (0..3).fold(0, |best, k| if extent[k] > extent[best] { k } else { best });
        (!region.is_empty()).then_some(Self { stencils, x, to, distance, region, axis })
    }

    fn bounds<const N: usize>(&self, vertices: [u32; N]) -> Aabb {
        let here = Aabb::from_points(vertices.map(|v| self.x[v as usize]));
        let way = match self.to {
            None => here,
            Some((to, along)) => here.union(Aabb::from_points(vertices.map(|v| to[v as usize] - along))),
        };
        grown(way, self.distance)
    }

    fn inside(&self, side: &Side) -> Inside {
        let features = &self.stencils.shape_features[side.shape as usize];
        let mut inside = Inside::default();
        match &features.tree {
            None => {
                features.triangle.clone().for_each(|t| self.keep_triangle(t, &mut inside));
                features.vertex.clone().for_each(|v| self.keep_vertex(v, &mut inside));
                features.edge.clone().for_each(|e| self.keep_edge(e, &mut inside));
            }
            Some(tree) => {
                // Boxes of features were grown by half the distance and by their way: the region grown as much meets the
                // features themselves.
                let region = (side.to_rest)(&grown(self.region, self.distance + 2.0 * side.travel));
                tree.visit(&region, |triangle, vertices, edges| {
                    self.keep_triangle(features.triangle.start + triangle, &mut inside);
                    vertices.iter().for_each(|&v| self.keep_vertex(v, &mut inside));
                    edges.iter().for_each(|&e| self.keep_edge(e, &mut inside));
                });
            }
        }
        let start = |item: &Item| item.0.min[self.axis];
        for items in [&mut inside.vertex, &mut inside.edge, &mut inside.triangle] {
            items.sort_unstable_by(|a, b| start(a).total_cmp(&start(b)).then(a.1.cmp(&b.1)));
        }
        inside
    }

    fn keep_vertex(&self, v: u32, inside: &mut Inside) {
        self.keep(self.bounds([v]), v, &mut inside.vertex);
    }

    fn keep_edge(&self, e: u32, inside: &mut Inside) {
        self.keep(self.bounds(self.stencils.edge_vertex[e as usize]), e, &mut inside.edge);
    }

    fn keep_triangle(&self, t: u32, inside: &mut Inside) {
        self.keep(self.bounds(self.stencils.triangle_vertex[t as usize]), t, &mut inside.triangle);
    }

    fn keep(&self, bounds: Aabb, feature: u32, kept: &mut Vec<Item>) {
        if bounds.overlaps(&self.region) {
            kept.push((bounds, feature));
        }
    }

    /// Pairs of a vertex and a triangle and of two edges whose boxes overlap, with the distances that are told for them.
    fn pairs(
        &self,
        sides: &[Side; 2],
        vertex_triangle: impl Fn([u32; 2]) -> Option<f64>,
        edges: impl Fn([u32; 2]) -> Option<f64>,
    ) -> NearFeatures {
        let inside = [self.inside(&sides[0]), self.inside(&sides[1])];
        let mut found = NearFeatures::default();
        for k in 0..2 {
            sweep(&inside[k].vertex, &inside[1 - k].triangle, self.axis, |vertex, triangle| {
                let pair = [vertex, triangle];
                found.vertex_triangle.extend(vertex_triangle(pair).map(|distance| (pair, distance)));
            });
        }
        sweep(&inside[0].edge, &inside[1].edge, self.axis, |a, b| {
            let pair = [a.min(b), a.max(b)];
            found.edge_edge.extend(edges(pair).map(|distance| (pair, distance)));
        });
        found.vertex_triangle.sort_unstable_by_key(|(pair, _)| *pair);
        found.edge_edge.sort_unstable_by_key(|(pair, _)| *pair);
        found
    }
}

/// A box with half the distance on every side, and what round-off in adding it may lose.
fn grown(bounds: Aabb, distance: f64) -> Aabb {
    let size = bounds.max.abs().max(bounds.min.abs()).max_element() + distance;
    bounds.inflated(0.5 * distance + 4.0 * f64::EPSILON * size)
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
