//! The narrow phase: from a pair of shapes to a manifold.

pub(crate) mod boxes;
pub(crate) mod clip;
pub(crate) mod half_space;
pub(crate) mod manifold;
pub(crate) mod poly;
pub(crate) mod sphere;

use drystone_geometry::Shape;

use crate::placement::Placement;
use clip::Corner;
use manifold::{Anchors, Manifold, Point};
use poly::{Edge, Poly, box_poly, box_vertices, hull_poly};

/// A shape in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid<'a> {
    pub shape: &'a Shape,
    /// Edges with their faces, for hulls.
    pub edges: &'a [Edge],
    pub at: Placement,
}

/// What is asked of a pair, and what is remembered about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// Largest distance that counts \[m\].
    pub limit: f64,
    /// Differences of depth that do not matter \[m\].
    pub slack: f64,
    /// Separating axis of the step before, replaced by the one found.
    pub axis: u32,
    /// Points of the step before, world frame.
    pub anchors: Anchors,
}

/// Buffers reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub polygon: Vec<Corner>,
    pub spare: Vec<Corner>,
    pub points: Vec<Point>,
}

/// Contacts of two shapes, normal from the first to the second.
pub(crate) fn collide_pair(
    first: &Solid,
    second: &Solid,
    query: &mut Query,
    scratch: &mut Scratch,
    found: &mut impl FnMut(Manifold),
) {
    if rank(first.shape) <= rank(second.shape) {
        ordered_pair(first, second, query, scratch, found);
    } else {
        ordered_pair(second, first, query, scratch, &mut |mut manifold| {
            manifold.flip();
            found(manifold);
        });
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

fn ordered_pair(
    first: &Solid,
    second: &Solid,
    query: &mut Query,
    scratch: &mut Scratch,
    found: &mut impl FnMut(Manifold),
) {
    let manifold = match (first.shape, second.shape) {
        (Shape::HalfSpace, _) => half_space::half_space_convex(&first.at, second, query, scratch),
        (Shape::Sphere { radius: radius0 }, Shape::Sphere { radius: radius1 }) => {
            sphere::sphere_sphere((*radius0, first.at.position), (*radius1, second.at.position), query)
        }
        (Shape::Sphere { radius }, Shape::Box { half }) => {
            sphere::sphere_local(*radius, first.at.position, &second.at, query, |p| sphere::closest_on_box(*half, p))
        }
        (Shape::Sphere { radius }, Shape::Hull(hull)) => {
            let poly = hull_poly(hull, second.edges);
            sphere::sphere_local(*radius, first.at.position, &second.at, query, |p| sphere::closest_on_poly(&poly, p))
        }
        (Shape::Box { half: half0 }, Shape::Box { half: half1 }) => {
            boxes::box_box((*half0, &first.at), (*half1, &second.at), query, scratch)
        }
        (Shape::Box { .. } | Shape::Hull(_), Shape::Box { .. } | Shape::Hull(_)) => with_poly(first, |poly0| {
            with_poly(second, |poly1| poly::poly_poly((poly0, &first.at), (poly1, &second.at), query, scratch))
        }),
        _ => None,
    };
    if let Some(manifold) = manifold {
        found(manifold);
    }
}

/// Calls `use_it` with a box or a hull as a polyhedron.
fn with_poly<T>(solid: &Solid, use_it: impl FnOnce(Poly) -> Option<T>) -> Option<T> {
    match solid.shape {
        Shape::Box { half } => use_it(box_poly(&box_vertices(*half))),
        Shape::Hull(hull) => use_it(hull_poly(hull, solid.edges)),
        _ => None,
    }
}
