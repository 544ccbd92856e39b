//! Meshes and terrain: contacts of single triangles, gathered into manifolds by normal.

use drystone_geometry::{Aabb, DVec3, Shape};

use super::convex::Convex;
use super::gathered::Piece;
use super::manifold::{Anchors, FEATURE_SINGLE, Point};
use super::poly::{Poly, hash3};
use super::polys::{poly_poly, relative};
use super::touch::{convex_triangle, nearest_point};
use super::triangle::TriangleGate;
use super::{Found, NO_AXIS, Query, Scratch, Solid, with_poly};
use crate::placement::Placement;
use crate::surface::Surface;

/// A convex shape (first) against a surface (second).
pub(crate) fn convex_surface(
    first: &Solid,
    (surface, at): (&Surface, &Placement),
    query: &Query,
    scratch: &mut Scratch,
    found: &mut impl Found,
) {
    let between = relative(at, first.at);
    let region = local_bounds(first.shape, &between).inflated(query.limit);
    let mut gathered = std::mem::take(&mut scratch.gathered);
    gathered.clear();
    let mut numbers = std::mem::take(&mut scratch.numbers[0]);
    surface.near(&region, &mut numbers, |number, triangle| {
        let mut one = Query { axis: NO_AXIS, anchors: Anchors::NONE, ..*query };
        let normal = match first.shape {
            Shape::Box { .. } | Shape::Hull(_) => with_poly(first, |poly| {
                let gate = TriangleGate { first: None, second: Some(triangle), relative: relative(first.at, at) };
                piece_contact((poly, first.at), (triangle.poly(), at), &gate, &mut one, scratch)
            }),
            _ => convex_triangle(&Convex::new(first), (triangle, at), &one, scratch),
        };
        if let Some(normal) = normal {
            let piece = Piece { first: None, second: triangle.corners.map(|corner| at.point(corner)) };
            gathered.add(normal, &scratch.points, piece, number);
        }
    });
    scratch.numbers[0] = numbers;
    if gathered.is_empty() {
        push_out(first, (surface, at), &between, scratch, found);
    }
    let whole = Convex::new(first);
    gathered.drop_settled(query, |along| along.dot(first.at.position + whole.support(along)) + whole.radius());
    gathered.finish(query, &mut scratch.points, found);
    scratch.gathered = gathered;
}

/// A polyhedron or triangle against a triangle: faces and edges that face each other, else the closest points.
fn piece_contact(
    (poly0, at0): (Poly, &Placement),
    (poly1, at1): (Poly, &Placement),
    gate: &TriangleGate,
    query: &mut Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let contact = poly_poly((poly0, at0), (poly1, at1), gate, query, scratch);
    let normal = contact.as_ref().map(|contact| contact.normal);
    let overlap = contact.as_ref().is_some_and(|contact| contact.separation <= 0.0);
    let ghost = overlap && gate.beside(&poly0, &poly1);
    // Where they overlap, what no point reaches is over a neighbour.
    if query.apart || (contact.is_some_and(|contact| contact.exact || overlap) && !ghost) {
        return normal;
    }
    let nearest = nearest_point(&Convex::poly(poly0, *at0), &Convex::poly(poly1, *at1), gate, query, scratch);
    nearest.or(normal.filter(|_| !ghost))
}

/// A shape so deep inside a mesh that it touches none of its triangles is pushed to the nearest surface.
fn push_out(
    first: &Solid,
    (surface, at): (&Surface, &Placement),
    between: &Placement,
    scratch: &mut Scratch,
    found: &mut impl Found,
) {
    let convex = Convex::new(first);
    let Some(nearest) = surface.way_out(between.point(convex.middle())) else { return };
    let normal = -at.vector(nearest.normal);
    let position0 = first.at.position + convex.support(normal) + normal * convex.radius();
    let gap = normal.dot(at.point(nearest.point) - position0);
    scratch.points.clear();
    scratch.points.push(Point { position0, position1: position0 + normal * gap, gap, feature: FEATURE_SINGLE });
    found.manifold(normal, [0; 2], &mut scratch.points);
}

/// Two surfaces, triangle by triangle.
pub(crate) fn surface_surface(
    (first, at0): (&Surface, &Placement),
    (second, at1): (&Surface, &Placement),
    query: &Query,
    scratch: &mut Scratch,
    found: &mut impl Found,
) {
    let between = relative(at0, at1);
    let mut gathered = std::mem::take(&mut scratch.gathered);
    gathered.clear();
    let region = Aabb::from_points(corners(&second.bounds()).map(|corner| between.point(corner)));
    let [mut outer, mut inner] = std::mem::take(&mut scratch.numbers);
    first.near(&region.inflated(query.limit), &mut outer, |number0, triangle0| {
        let search = Aabb::from_points(triangle0.corners.map(|c| between.local_point(c))).inflated(query.limit);
        second.near(&search, &mut inner, |number1, triangle1| {
            let mut one = Query { axis: NO_AXIS, anchors: Anchors::NONE, ..*query };
            let gate = TriangleGate { first: Some(triangle0), second: Some(triangle1), relative: between };
            let normal = piece_contact((triangle0.poly(), at0), (triangle1.poly(), at1), &gate, &mut one, scratch);
            if let Some(normal) = normal {
                let first = Some(triangle0.corners.map(|corner| at0.point(corner)));
                let piece = Piece { first, second: triangle1.corners.map(|corner| at1.point(corner)) };
                gathered.add(normal, &scratch.points, piece, hash3(number0, number1, 1));
            }
        });
    });
    scratch.numbers = [outer, inner];
    // Every piece has a triangle of the first.
    gathered.drop_settled(query, |_| f64::INFINITY);
    gathered.finish(query, &mut scratch.points, found);
    scratch.gathered = gathered;
}

fn corners(bounds: &Aabb) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let pick = |bit: usize, low: f64, high: f64| if i & bit == 0 { low } else { high };
        DVec3::new(
            pick(1, bounds.min.x, bounds.max.x),
            pick(2, bounds.min.y, bounds.max.y),
            pick(4, bounds.min.z, bounds.max.z),
        )
    })
}

/// Box around a convex shape in another frame.
fn local_bounds(shape: &Shape, at: &Placement) -> Aabb {
    let extent = |axis: DVec3| at.point(shape.support(at.local_vector(axis))).dot(axis);
    let max = DVec3::new(extent(DVec3::X), extent(DVec3::Y), extent(DVec3::Z));
    let min = DVec3::new(extent(DVec3::NEG_X), extent(DVec3::NEG_Y), extent(DVec3::NEG_Z));
    Aabb::new(-min, max)
}
