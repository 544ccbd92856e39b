//! Bodies on their way from one place to another.

use drystone_geometry::Aabb;
use drystone_geometry::ccd::Ccd;
use drystone_model::DVec3;

use super::surface::{Placed, Surface};

/// A straight motion from one place to another.
#[derive(Clone, Copy)]
pub struct SweptMotion<'a> {
    pub from: &'a Placed,
    pub to: &'a Placed,
}

impl<'a> SweptMotion<'a> {
    /// No motion at all.
    pub fn still(at: &'a Placed) -> Self {
        Self { from: at, to: at }
    }

    pub fn bounds<const N: usize>(&self, vertices: [u32; N]) -> Aabb {
        let at = |place: &Placed| Aabb::from_points(vertices.map(|v| place.x[v as usize]));
        at(self.from).union(at(self.to))
    }

    pub fn shape_bounds(&self, shape: u32) -> Aabb {
        self.from.bounds[shape as usize].union(self.to.bounds[shape as usize])
    }

    pub fn ends(&self, vertices: [u32; 4]) -> [[DVec3; 4]; 2] {
        [self.from, self.to].map(|place| vertices.map(|v| place.x[v as usize]))
    }
}

/// What is asked of pairs of shapes.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub surface: &'a Surface,
    pub motion: SweptMotion<'a>,
    /// d̂ \[m\].
    pub distance: f64,
}

impl Query<'_> {
    /// Whether the boxes of the ways of a vertex and a triangle come within a distance \[m\].
    pub fn vertex_passes(&self, [vertex, triangle]: [u32; 2], distance: f64) -> bool {
        let triangle = self.surface.stencils.triangle_vertex[triangle as usize];
        self.motion.bounds([vertex]).within(&self.motion.bounds(triangle), distance)
    }

    /// Whether those of two edges do.
    pub fn edges_pass(&self, edges: [u32; 2], distance: f64) -> bool {
        let [a, b] = edges.map(|edge| self.surface.stencils.edge_vertex[edge as usize]);
        self.motion.bounds(a).within(&self.motion.bounds(b), distance)
    }

    /// When a vertex is too near to a half-space, if it ever is on its way.
    pub fn time_to_plane(&self, [v, p]: [u32; 2], ccd: &Ccd) -> Option<f64> {
        let plane = &self.surface.planes[p as usize];
        let [from, to] =
            [self.motion.from, self.motion.to].map(|place| plane.gap(place.x[v as usize]) - ccd.min_separation);
        let spare = ((1.0 - ccd.boldness) * from).min(ccd.enough);
        let (room, approach) = (from - spare, from - to);
        (approach > room).then(|| (room / approach).max(0.0))
    }
}
