//! Manifolds of convex shapes from the flat features that face each other.

use drystone_geometry::DVec3;

use super::clip::{Corner, Side, clip};
use super::convex::Convex;
use super::line::line_contact;
use super::manifold::{Point, reduce};
use super::poly::hash3;
use super::touch::{Touch, witness};
use super::{Query, Scratch};

/// Segments of round shapes, such as the axes of capsules, act as a line below this sine of their angle.
const NEARLY_PARALLEL: f64 = 0.17;

/// Points where the flat features of both shapes face each other; the closest points where none do.
pub(crate) fn touch_manifold(
    first: &Convex,
    second: &Convex,
    touch: &Touch,
    with_witness: bool,
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let normal = touch.normal;
    first.feature(normal, &mut scratch.reference);
    second.feature(-normal, &mut scratch.polygon);
    scratch.points.clear();
    match (scratch.reference.len(), scratch.polygon.len()) {
        (1, _) | (_, 1) => {}
        (2, 2) => {
            let [first, second] =
                [&scratch.reference, &scratch.polygon].map(|ends| [ends[0].position, ends[1].position]);
            let ends = line_contact(first, second, normal, NEARLY_PARALLEL, |end| hash3(1, end, 0));
            scratch.points.extend(ends.into_iter().flatten());
        }
        _ => faces(normal, scratch),
    }
    let (radius0, radius1) = (first.radius(), second.radius());
    for point in &mut scratch.points {
        point.position0 += normal * radius0;
        point.position1 -= normal * radius1;
        point.gap -= radius0 + radius1;
    }
    scratch.points.retain(|point| point.gap <= query.limit);
    let single = witness(first, second, touch);
    // Flat features may leave out the deepest point of a tilted round edge.
    if with_witness
        && single.gap <= query.limit
        && scratch.points.iter().all(|point| point.gap > single.gap + 0.1 * query.slack)
    {
        scratch.points.push(single);
    }
    reduce(normal, &mut scratch.points, &query.anchors, query.slack);
    (!scratch.points.is_empty()).then_some(normal)
}

/// Area normal of a polygon; not normalised.
fn area_normal(corners: &[Corner]) -> DVec3 {
    let base = corners[0].position;
    corners.windows(2).map(|pair| (pair[0].position - base).cross(pair[1].position - base)).sum()
}

/// Clips the less flat feature (or the segment) against the sides of the other face.
fn faces(normal: DVec3, scratch: &mut Scratch) {
    let flatness = |corners: &[Corner]| {
        if corners.len() < 3 { -1.0 } else { area_normal(corners).normalize_or_zero().dot(normal).abs() }
    };
    let swapped = flatness(&scratch.polygon) > flatness(&scratch.reference) + 1e-3;
    if swapped {
        std::mem::swap(&mut scratch.reference, &mut scratch.polygon);
    }
    let plane = area_normal(&scratch.reference).normalize_or_zero();
    let base = scratch.reference[0].position;
    let segment = scratch.polygon.len() == 2;
    let first_label = scratch.polygon.len() as u32;
    let outward = if swapped { -normal } else { normal };
    for i in 0..scratch.reference.len() {
        let from = scratch.reference[i].position;
        let to = scratch.reference[(i + 1) % scratch.reference.len()].position;
        let side_normal = (to - from).cross(outward);
        let side = Side { normal: side_normal, offset: side_normal.dot(from), label: first_label + i as u32 };
        clip(&mut scratch.polygon, &mut scratch.spare, &side);
    }
    let slope = plane.dot(outward);
    let mut edge_in = scratch.polygon.last().map_or(0, |corner| corner.edge);
    for corner in &scratch.polygon {
        let feature = hash3(u32::from(swapped) + 2, edge_in, corner.edge);
        edge_in = corner.edge;
        let gap = plane.dot(corner.position - base) / slope;
        let on_plane = corner.position - outward * gap;
        let (position0, position1) = if swapped { (corner.position, on_plane) } else { (on_plane, corner.position) };
        // A clipped segment is walked there and back: its ends come twice.
        let known = segment && scratch.points.iter().any(|p| p.gap == gap && p.position0 == position0);
        if gap.is_finite() && !known {
            scratch.points.push(Point { position0, position1, gap, feature });
        }
    }
}
