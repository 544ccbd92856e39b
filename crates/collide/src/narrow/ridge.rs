//! Two polyhedra that meet in parallel edges, like the cards of a house at their apex: a line of
//! contact, held by its two ends. One point would leave the bodies free to turn about it.

use drystone_geometry::DVec3;

use super::manifold::Point;
use super::poly::{Poly, hash3};
use crate::placement::Placement;

/// Edges count as parallel to each other, and as lying across the normal, below this sine.
const PARALLEL: f64 = 0.05;

/// An edge in the world frame.
struct Edge {
    index: u32,
    from: DVec3,
    direction: DVec3,
    length: f64,
}

/// The ends of the line of contact of two polyhedra along `normal`, if they meet in parallel edges that overlap.
pub(crate) fn ridge_contact(
    (first, at0): (Poly, &Placement),
    (second, at1): (Poly, &Placement),
    normal: DVec3,
    limit: f64,
) -> Option<[Option<Point>; 2]> {
    let edge0 = foremost_edge(&first, at0, normal)?;
    let edge1 = foremost_edge(&second, at1, -normal)?;
    let along = edge0.direction;
    let cosine = along.dot(edge1.direction);
    if cosine.abs() < (1.0 - PARALLEL * PARALLEL).sqrt() {
        return None;
    }
    let (start, turned) = (along.dot(edge1.from - edge0.from), cosine * edge1.length);
    let low = start.min(start + turned).max(0.0);
    let high = start.max(start + turned).min(edge0.length);
    if high <= low {
        return None;
    }
    let end = |end: u32, place: f64| {
        let position0 = edge0.from + along * place;
        let on1 = edge1.from + edge1.direction * ((place - start) / cosine);
        let gap = normal.dot(on1 - position0);
        // The point of the second body opposite the first's, so that both lie on the normal.
        let position1 = position0 + normal * gap;
        (gap <= limit).then(|| Point { position0, position1, gap, feature: hash3(edge0.index, edge1.index, end) })
    };
    let ends = [end(0, low), end(1, high)];
    ends.iter().any(Option::is_some).then_some(ends)
}

/// The edge that reaches furthest along `direction` with both its ends, if it lies across it.
fn foremost_edge(poly: &Poly, at: &Placement, direction: DVec3) -> Option<Edge> {
    let local = at.local_vector(direction);
    let reach = |edge: &[u32; 2]| {
        let ends = edge.map(|vertex| local.dot(poly.vertices[vertex as usize]));
        ends[0].min(ends[1])
    };
    let (index, edge) = poly.edges.iter().enumerate().max_by(|(_, a), (_, b)| reach(a).total_cmp(&reach(b)))?;
    let [from, to] = edge.map(|vertex| at.point(poly.vertices[vertex as usize]));
    let length = from.distance(to);
    let unit = (to - from).try_normalize()?;
    (unit.dot(direction).abs() < PARALLEL).then_some(Edge { index: index as u32, from, direction: unit, length })
}
