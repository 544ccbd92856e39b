//! Two polyhedra that meet in parallel edges, like the cards of a house at their apex.

use drystone_geometry::DVec3;

use super::line::line_contact;
use super::manifold::Point;
use super::poly::{Poly, hash3};
use crate::placement::Placement;

/// Edges count as parallel to each other, and as lying across the normal, below this sine.
const PARALLEL: f64 = 0.05;

/// The ends of the line of contact of two polyhedra along `normal`, if they meet in parallel edges that overlap.
pub(crate) fn ridge_contact(
    (first, at0): (Poly, &Placement),
    (second, at1): (Poly, &Placement),
    normal: DVec3,
    limit: f64,
) -> Option<[Option<Point>; 2]> {
    let (index0, edge0) = foremost_edge(&first, at0, normal)?;
    let (index1, edge1) = foremost_edge(&second, at1, -normal)?;
    let ends = line_contact(edge0, edge1, normal, PARALLEL, |end| hash3(index0, index1, end))?;
    let ends = ends.map(|end| (end.gap <= limit).then_some(end));
    ends.iter().any(Option::is_some).then_some(ends)
}

/// Number and ends (world) of the edge that reaches furthest along `direction` with both its ends, if it lies
/// across it.
fn foremost_edge(poly: &Poly, at: &Placement, direction: DVec3) -> Option<(u32, [DVec3; 2])> {
    let local = at.local_vector(direction);
    let extent = |edge: &[u32; 2]| {
        let ends = edge.map(|vertex| local.dot(poly.vertices[vertex as usize]));
        ends[0].min(ends[1])
    };
    let (index, edge) = poly.edges.iter().enumerate().max_by(|(_, a), (_, b)| extent(a).total_cmp(&extent(b)))?;
    let [from, to] = edge.map(|vertex| at.point(poly.vertices[vertex as usize]));
    let unit = (to - from).try_normalize()?;
    (unit.dot(direction).abs() < PARALLEL).then_some((index as u32, [from, to]))
}
