//! The narrow phase: from a pair of shapes to a manifold.

pub(crate) mod box_face;
pub(crate) mod boxes;
pub(crate) mod clip;
pub(crate) mod convex;
pub(crate) mod epa;
pub(crate) mod facing;
pub(crate) mod gathered;
pub(crate) mod gjk;
pub(crate) mod half_space;
pub(crate) mod line;
pub(crate) mod manifold;
pub(crate) mod mesh;
pub(crate) mod poly;
pub(crate) mod polys;
pub(crate) mod ridge;
pub(crate) mod sphere;
pub(crate) mod touch;
pub(crate) mod triangle;

use drystone_geometry::{DVec3, Shape};

use crate::placement::Placement;
use crate::surface::{MeshTable, Surface};
use clip::Corner;
use convex::Convex;
use epa::Polytope;
use gathered::Gathered;
use manifold::{Anchors, Point, min_gap};
use mesh::{convex_surface, surface_surface};
use poly::{Poly, box_poly, box_vertices, hull_poly};
use polys::{Open, poly_poly};
use ridge::ridge_contact;
use touch::{convex_convex, convex_point};

/// No axis is known from the step before.
pub(crate) const NO_AXIS: u32 = u32::MAX;

/// A shape in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid<'a> {
    pub shape: &'a Shape,
    /// Triangles, for meshes.
    pub mesh: Option<&'a MeshTable>,
    pub at: &'a Placement,
}

impl<'a> Solid<'a> {
    /// The shape as a surface of triangles, where it is one.
    pub fn surface(&self) -> Option<Surface<'a>> {
        match self.shape {
            Shape::Heightfield(field) => Some(Surface::Terrain(field)),
            Shape::Mesh(_) => self.mesh.map(Surface::Mesh),
            _ => None,
        }
    }
}

/// What is asked of a pair, and what is remembered about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    /// Largest distance that counts \[m\].
    pub limit: f64,
    /// Differences of depth that do not matter \[m\].
    pub slack: f64,
    /// Separating axis of the step before, replaced by the one found.
    pub axis: u32,
    /// Whether the separating-axis test proved the shapes to be farther apart than the limit.
    pub apart: bool,
    /// Points of the step before.
    pub anchors: Anchors<'a>,
}

/// Separations this much larger than `value` count as equal: faces give more points than edges.
pub(crate) fn tie(query: &Query, value: f64) -> f64 {
    query.slack + 0.01 * value.abs()
}

/// Buffers reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub polygon: Vec<Corner>,
    pub spare: Vec<Corner>,
    pub reference: Vec<Corner>,
    pub polytope: Polytope,
    pub gathered: Gathered,
    /// Numbers of triangles near something.
    pub numbers: [Vec<u32>; 2],
    pub points: Vec<Point>,
}

impl Scratch {
    /// A manifold of one point, if that is near enough.
    fn single(&mut self, query: &Query, normal: DVec3, point: Point) -> Option<DVec3> {
        self.points.clear();
        self.points.push(point);
        (point.gap <= query.limit).then_some(normal)
    }
}

/// Takes the manifolds of a pair: the normal from the first to the second shape, and up to four points.
/// Every route returns its normal and leaves its points in [`Scratch::points`]; they are not moved about.
pub(crate) trait Found {
    fn manifold(&mut self, normal: DVec3, sub: [u32; 2], points: &mut [Point]);
}

/// Turns manifolds round, for pairs that are handled in the other order.
struct Flipped<'a, F>(&'a mut F);

impl<F: Found> Found for Flipped<'_, F> {
    fn manifold(&mut self, normal: DVec3, sub: [u32; 2], points: &mut [Point]) {
        points.iter_mut().for_each(|point| *point = point.flipped());
        self.0.manifold(-normal, [sub[1], sub[0]], points);
    }
}

/// Contacts of two shapes, normal from the first to the second.
pub(crate) fn collide_pair(
    first: &Solid,
    second: &Solid,
    query: &mut Query,
    scratch: &mut Scratch,
    found: &mut impl Found,
) {
    if rank(first.shape) <= rank(second.shape) {
        ordered_pair(first, second, query, scratch, found);
    } else {
        ordered_pair(second, first, query, scratch, &mut Flipped(found));
    }
}

/// Every pair is handled in one order of its kinds, this one.
fn rank(shape: &Shape) -> u32 {
    match shape {
        Shape::HalfSpace => 0,
        Shape::Sphere { .. } => 1,
        Shape::Box { .. } => 2,
        Shape::Hull(_) => 3,
        Shape::Capsule { .. } => 4,
        Shape::Cylinder { .. } => 5,
        Shape::Cone { .. } => 6,
        Shape::Ellipsoid { .. } => 7,
        Shape::Heightfield(_) => 8,
        Shape::Mesh(_) => 9,
    }
}

fn ordered_pair(first: &Solid, second: &Solid, query: &mut Query, scratch: &mut Scratch, found: &mut impl Found) {
    if let Some(surface) = second.surface()
        && !matches!(first.shape, Shape::HalfSpace)
    {
        let second = (&surface, second.at);
        match first.surface() {
            None => convex_surface(first, second, query, scratch, found),
            Some(other) => surface_surface((&other, first.at), second, query, scratch, found),
        }
        return;
    }
    let normal = match (first.shape, second.shape) {
        (Shape::HalfSpace, _) => half_space::half_space_convex(first.at, second, query, scratch),
        (Shape::Sphere { radius: radius0 }, Shape::Sphere { radius: radius1 }) => {
            sphere::sphere_sphere((*radius0, first.at.position), (*radius1, second.at.position), query, scratch)
        }
        (Shape::Sphere { radius }, _) => sphere::sphere_solid((*radius, first.at.position), second, query, scratch),
        (Shape::Box { half: half0 }, Shape::Box { half: half1 }) => {
            boxes::box_box((*half0, first.at), (*half1, second.at), query, scratch)
                .or_else(|| corner_pair(first, second, query, scratch))
        }
        (Shape::Box { .. } | Shape::Hull(_), Shape::Box { .. } | Shape::Hull(_))
            if edge_count(first.shape) * edge_count(second.shape) <= MAX_EDGE_PAIRS =>
        {
            with_poly(first, |poly0| {
                with_poly(second, |poly1| poly_poly((poly0, first.at), (poly1, second.at), &Open, query, scratch))
            })
            .and_then(|contact| contact.exact.then_some(contact.normal))
            .or_else(|| corner_pair(first, second, query, scratch))
        }
        _ => convex_convex(&Convex::new(first), &Convex::new(second), query, scratch),
    };
    if let Some(normal) = normal {
        found.manifold(normal, [0; 2], &mut scratch.points);
    }
}

/// Polyhedra with more pairs of edges than this take the general route, whose cost grows with the vertices only.
const MAX_EDGE_PAIRS: usize = 10_000;

fn edge_count(shape: &Shape) -> usize {
    if let Shape::Hull(hull) = shape { hull.edges.len() } else { 12 }
}

/// Calls `use_it` with a box or a hull as a polyhedron.
fn with_poly<T>(solid: &Solid, use_it: impl FnOnce(Poly) -> Option<T>) -> Option<T> {
    match solid.shape {
        Shape::Box { half } => use_it(box_poly(&box_vertices(*half))),
        Shape::Hull(hull) => use_it(hull_poly(hull)),
        _ => None,
    }
}

/// Polyhedra that are near each other only with edges or corners, where no two faces overlap: the
/// line along which edges meet, else the closest points.
fn corner_pair(first: &Solid, second: &Solid, query: &Query, scratch: &mut Scratch) -> Option<DVec3> {
    if query.apart {
        return None;
    }
    let normal = convex_point(&Convex::new(first), &Convex::new(second), query, scratch)?;
    let ridge = with_poly(first, |poly0| {
        with_poly(second, |poly1| ridge_contact((poly0, first.at), (poly1, second.at), normal, query.limit))
    });
    let nearest = min_gap(&scratch.points);
    // Edges that cross at a small angle may be nearest between the ends of where they run side by side.
    if let Some(ends) = ridge.filter(|ends| ends.iter().flatten().any(|end| end.gap <= nearest + query.slack)) {
        scratch.points.clear();
        scratch.points.extend(ends.into_iter().flatten());
    }
    Some(normal)
}
